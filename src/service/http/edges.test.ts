// Rare conditions of requests: broken stores, sockets and raw headers, faults by key and by chance, latency.
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { createMock } from '../../create-mock.ts';
import type { Mock } from '../../mock/api/mock.ts';
import type { MockOptions } from '../../mock/api/options.ts';
import { BUSY } from '../../test/busy.ts';
import { keep } from '../../test/closing.ts';
import { useFakeTime } from '../../test/fake-time.ts';
import { callerOf, identify, keyWithValue } from './identify.ts';

const start = async (options: MockOptions = {}): Promise<Mock> => keep(await createMock({ seed: BUSY, ...options }));
const as = (key: string, more: RequestInit = {}): RequestInit => ({
  ...more,
  headers: { authorization: `Bearer wm_busy_${key}`, ...more.headers },
});
const json = async (pending: Response | Promise<Response>) => {
  const response = await pending;
  return [response.status, await response.json()] as const;
};
const error = (code: string, message: string, details: object = {}) => ({ error: { code, message, details } });

describe('a body', () => {
  const post = async (body: BodyInit, choices = {}) => {
    const mock = await start({ choices });
    const parts = await json(
      mock.fetch('/projects', as('admin', { method: 'POST', body, headers: { 'content-type': 'application/json' } })),
    );
    return [...parts, mock.requests.at(-1)!.request.body];
  };

  test('beyond a MiB, of no UTF-8 or with another type is refused in these words', async () => {
    const tooLarge = error('payload_too_large', 'The body must be at most 1048576 bytes.');
    expect(await post('x'.repeat(1_048_577))).toEqual([413, tooLarge, null]);
    const issue = 'must be UTF-8';
    const malformed = error('validation_error', 'The body must be UTF-8.', { fields: [{ field: 'body', issue }] });
    expect(await post(Uint8Array.of(0xff))).toEqual([400, malformed, null]);
    expect((await post(Uint8Array.of(0xff), { 'content-type': 'lenient' }))[1]).toEqual(malformed);
  });

  test.each([
    ['gzip', gzipSync('{"name":"a"}'), 400, 'must be UTF-8; Content-Encoding: gzip is not decoded, send it without'],
    ['br', 'no JSON', 400, 'must be valid JSON; Content-Encoding: br is not decoded, send it without'],
    ['zstd', '{"name":"a"}', 201, 'encoded-body: Content-Encoding: zstd is not decoded; send the body without it'],
    ['Identity', '{"name":"a"}', 201, ''],
  ])('that says Content-Encoding: %s is read as it is, and the header is named', async (coding, body, status, says) => {
    const mock = await start();
    const headers = { 'content-type': 'application/json', 'content-encoding': coding };
    const response = await mock.fetch('/projects', as('admin', { method: 'POST', body, headers }));
    const warnings = mock.requests.at(-1)!.warnings.map((one) => `${one.code}: ${one.says}`);
    const fields = ((await response.json()) as { error?: { details: { fields: { issue: string }[] } } }).error?.details.fields;
    expect([response.status, fields?.[0]?.issue ?? warnings.join()]).toEqual([status, says]);
  });

  test.each(['PUT', 'QUERY', 'PROPFIND'])('of a %s from a page is refused so that the page can read it', async (method) => {
    const mock = await start();
    for (const origin of ['http://app.localhost:5173', 'https://evil.test', 'null']) {
      const headers = { origin, authorization: 'Bearer wm_busy_admin', 'access-control-request-method': method };
      const options = await mock.fetch('/projects', { method: 'OPTIONS', headers });
      const sent = await mock.fetch('/projects', { method, headers });
      expect([sent.status, options.headers.get('access-control-allow-methods')]).toEqual([404, expect.stringContaining(method)]);
      const shared = ['origin', 'credentials'].map((name) =>
        [options, sent].map((one) => one.headers.get(`access-control-allow-${name}`)),
      );
      const own = origin.includes('localhost');
      expect(shared.flat()).toEqual(own ? [origin, origin, 'true', 'true'] : ['*', '*', null, null]);
    }
  });

  test('with events is compared as a list, where a star means all', async () => {
    const mock = await start({ choices: { 'all-events-name': 'star' } });
    const headers = { 'content-type': 'application/json' };
    const status = async (events: unknown, url = 'https://a.example.com/x') =>
      (await mock.fetch('/webhooks', as('admin', { method: 'POST', body: JSON.stringify({ url, events }), headers }))).status;
    expect([await status(['*']), await status(['*', '*']), await status('*'), await status(['x'])]).toEqual([201, 422, 400, 422]);
    expect(await status(['*'], 'x')).toBe(422);
  });
});

describe('a broken store', () => {
  test.each([
    [new Error('broken'), 'internal_error', 'The mock failed: broken'],
    ['a text', 'internal_error', 'The mock failed: a text'],
    [new Error('broken'), 'server_error', 'The mock failed: broken'],
  ])('that throws %s is 500 %s', async (thrown, code, message) => {
    const mock = await start({ choices: { 'internal-code': code } });
    mock.world.store.tasks.get = () => {
      throw thrown;
    };
    expect(await json(mock.fetch('/tasks/task_1', as('admin')))).toEqual([500, error(code, message)]);
    expect(mock.requests[0]!.why.at(-1)).toEqual({ check: 'answer', found: `500: ${message}`, part: 'Endpoints' });
  });

  test('without the user of a key responds as to a stranger', async () => {
    const mock = await start();
    mock.world.store.users.remove('user_bo');
    expect(await json(mock.fetch('/users/me', as('read')))).toEqual([
      401,
      error('unauthorized', 'The user of the API key is gone.'),
    ]);
    expect(callerOf(mock.world, 'wm_busy_read')).toBeUndefined();
    expect(() => identify(mock.world, 'Bearer wm_busy_read')).toThrow('The user of the API key is gone.');
  });
});

test('a path is decoded in its variables, and nowhere else', async () => {
  const mock = await start();
  const statusOf = async (path: string) => (await mock.fetch(path, { headers: mock.auth('read') })).status;
  expect(await Promise.all(['/tasks/task%5F1', '/%74asks', '/tasks%2Ftask_1'].map(statusOf))).toEqual([200, 404, 404]);
});

test('a caller is known by a key that works, and its use is noted when it identifies itself', async () => {
  const { world } = await start();
  expect(callerOf(world, 'wm_busy_read')).toMatchObject({
    key: { id: 'key_read' },
    user: { id: 'user_bo' },
    workspace: 'ws_busy',
  });
  expect(world.lastUsed.size).toBe(0);
  for (const value of [undefined, '', 'x', 'wm_busy_old']) expect(callerOf(world, value)).toBeUndefined();
  expect(identify(world, 'Bearer wm_other_admin')).toMatchObject({ key: { id: 'key_other' }, workspace: 'ws_other' });
  expect([...world.lastUsed]).toEqual([['key_other', Date.parse('2025-01-20T09:00:00Z')]]);
  expect(keyWithValue(world, 'wm_busy_old')?.value.id).toBe('key_old');
  expect(keyWithValue(world, 'wm_none')).toBeUndefined();
});

test('a key that was just found is looked for again in another world, and where it was changed', async () => {
  const [one, other] = [await start(), await start()];
  const bearer = 'Bearer wm_other_admin';
  expect(identify(one.world, bearer).key).toBe(one.world.store.keys.get('key_other')?.value);
  expect(identify(other.world, bearer).key).toBe(other.world.store.keys.get('key_other')?.value);
  const row = other.world.store.keys.get('key_other')!;
  other.world.store.keys.put({ ...row, value: { ...row.value, revoked: true } });
  expect(() => identify(other.world, bearer)).toThrow('The API key is revoked.');
  other.world.store.keys.remove('key_other');
  expect(() => identify(other.world, bearer)).toThrow('The API key is unknown.');
  expect(identify(one.world, bearer).key.revoked).toBe(false);
});

describe('a fault', () => {
  const effect = { status: 503 };

  test('for a key applies to requests with that key, named by its id', async () => {
    const mock = await start();
    mock.faults.add({ match: { key: 'key_read' }, effect });
    const status = async (key: string) => (await mock.fetch('/users/me', as(key))).status;
    expect([await status('read'), await status('write'), await status('none')]).toEqual([503, 200, 401]);
    expect((await mock.fetch('/users/me')).status).toBe(401);
    expect((await mock.fetch('/users/me', { headers: { authorization: 'Bearer' } })).status).toBe(401);
  });

  test('for a path is told it below the base URL, in any world', async () => {
    const mock = await start();
    const fork = mock.fork({ id: 'other' });
    for (const world of [mock, fork]) {
      world.faults.add({ match: { path: '/users/me' }, effect });
      expect((await world.fetch('/users/me?x=1', as('read'))).status).toBe(503);
      expect((await world.fetch('/teams', as('read'))).status).toBe(200);
    }
  });

  test('by chance applies to the same requests in each world of the same seed', async () => {
    const drawStatuses = async () => {
      const mock = await start();
      mock.faults.add({ probability: 0.5, effect });
      const statuses: number[] = [];
      for (let i = 0; i < 12; i++) statuses.push((await mock.fetch('/users/me', as('read'))).status);
      return statuses.map((status) => (status === 503 ? 'x' : '.')).join('');
    };
    const first = await drawStatuses();
    expect(first).toBe('..x...xxxx.x');
    expect(await drawStatuses()).toBe(first);
  });

  test('damages no response that has no body', async () => {
    const mock = await start();
    mock.faults.add({ effect: { body: 'malformed' } });
    const response = await mock.fetch('/tasks/task_1', as('admin', { method: 'DELETE' }));
    expect([response.status, await response.text()]).toEqual([204, '']);
  });

  test.each([
    ['empty', () => ''],
    ['truncated', (whole: string) => whole.slice(0, Math.ceil(whole.length / 2))],
    ['malformed', (whole: string) => `${whole.slice(0, -1)},,`],
  ] as const)('sends the page of a list %s, and the journal shows what was sent', async (body, spoilt) => {
    const mock = await start();
    const list = async () => (await mock.fetch('/tasks?sort=title', as('read'))).text();
    const whole = await list();
    const { id } = mock.faults.add({ effect: { body } });
    const sent = await list();
    expect(sent).toBe(spoilt(whole));
    expect(mock.requests.at(-1)!.response.body ?? '').toBe(sent);
    mock.faults.remove(id);
    expect(await list()).toBe(whole);
  });

  test('closes the socket where there is one', async () => {
    const mock = await start();
    mock.faults.add({ effect: { abort: true } });
    let destroyed = 0;
    const env = { outgoing: { destroy: () => destroyed++ } };
    const response = await mock.app.fetch(new Request(`${mock.baseUrl}/users/me`, as('read')), env);
    expect([response.headers.get('x-hono-already-sent'), await response.text(), destroyed]).toEqual(['true', '', 1]);
    expect(mock.requests[0]).toMatchObject({ status: 0, response: { headers: {}, body: null } });
    await expect(mock.fetch('/users/me', as('read'))).rejects.toThrow('fetch failed: a fault closed the connection');
  });
});

test('the duration of a response is the time that passed in its world, and never below 0', async () => {
  const mock = await start();
  for (const [moved, took] of [
    [5000, 5000],
    [-5000, 0],
  ] as const) {
    const { id } = mock.faults.add({ effect: { hold: true }, times: 1 });
    const pending = mock.fetch('/users/me', as('read'));
    for (let i = 0; i < 5; i++) await new Promise((done) => setImmediate(done));
    mock.clock.set(mock.world.clock.now() + moved);
    mock.faults.release(id);
    await pending;
    expect(mock.requests.at(-1)!.duration_ms).toBe(took);
  }
});

describe('waiting', () => {
  const time = useFakeTime();

  test('a fault delays by milliseconds, or by chance within a range, both ends included', async () => {
    const mock = await start();
    const waits = async (delay_ms: number | { min: number; max: number }, count: number) => {
      mock.faults.clear();
      mock.faults.add({ effect: { delay_ms } });
      const from = time.waits.length;
      const all = Array.from({ length: count }, () => mock.fetch('/users/me', as('read')));
      await time.pass(100);
      await Promise.all(all);
      return time.waits.slice(from);
    };
    expect(await waits(50, 1)).toEqual([50]);
    expect(await waits(0, 1)).toEqual([]);
    expect([...new Set(await waits({ min: 3, max: 5 }, 40))].sort()).toEqual([3, 4, 5]);
    expect(await waits({ min: 7, max: 7 }, 2)).toEqual([7, 7]);
  });

  test('latency delays every response, by chance of the world where it is a range', async () => {
    const waits = async (latency: number | { min: number; max: number }, headers: Record<string, string>) => {
      const mock = await start({ latency });
      const from = time.waits.length;
      const all = Array.from({ length: 30 }, () => mock.fetch('/users/me', { headers }));
      await time.pass(100);
      const statuses = (await Promise.all(all)).map(({ status }) => status);
      return [[...new Set(time.waits.slice(from))].sort(), [...new Set(statuses)]];
    };
    const authorization = 'Bearer wm_busy_read';
    expect(await waits(20, { authorization })).toEqual([[20], [200]]);
    expect(await waits({ min: 5, max: 7 }, { authorization })).toEqual([[5, 6, 7], [200]]);
    expect(await waits({ min: 5, max: 7 }, {})).toEqual([[5, 6, 7], [401]]);
  });

  test('a mock that closes sends delayed responses at once', async () => {
    const slow = await start({ latency: 60_000 });
    const faulty = await start();
    faulty.faults.add({ effect: { delay_ms: 60_000 } });
    const responses = [slow, faulty].map((mock) => mock.fetch('/users/me', as('read')));
    await time.pass(1);
    expect(time.pending).toEqual([59_999, 59_999]);
    await Promise.all([slow.close(), faulty.close()]);
    expect(time.pending).toEqual([]);
    expect((await Promise.all(responses)).map(({ status }) => status)).toEqual([200, 200]);
  });

  test('where no world is there is no chance either', async () => {
    const mock = await start({ latency: { min: 5, max: 9 } });
    const response = mock.app.fetch(new Request('http://mock/worlds/none/v1/tasks'));
    await time.pass(5);
    expect((await response).status).toBe(404);
    expect(time.waits).toContain(5);
  });
});

test('a path of no world is 404 in the shape of an error, for every caller, pages included', async () => {
  const mock = await start();
  const ask = (init: RequestInit) => mock.app.fetch(new Request('http://mock/worlds/none/v1/tasks', init));
  for (const init of [{}, as('admin')])
    expect(await json(ask(init))).toEqual([404, error('not_found', 'No world has this id. It may have been deleted.')]);
  const { headers } = await ask({});
  expect([headers.get('x-ratelimit-limit'), headers.get('access-control-allow-origin')]).toEqual(['300', '*']);
  expect((await ask({ method: 'OPTIONS', headers: { 'access-control-request-method': 'GET' } })).status).toBe(204);
});

test('headers are shown as they came over a socket, repeated ones together, without those of the connection', async () => {
  const mock = await start();
  const rawHeaders = 'X-A 1 Host h x-a 2 Connection close Keep-Alive x Transfer-Encoding chunked'.split(' ');
  rawHeaders.push('Authorization', 'Bearer wm_busy_read', 'AUTHORIZATION', 'odd', 'Proto', '__proto__', 'X-Last');
  await mock.app.fetch(new Request(`${mock.baseUrl}/users/me`, as('read')), { incoming: { rawHeaders } });
  expect(mock.requests[0]!.request.headers).toEqual({
    'x-a': '1, 2',
    authorization: 'Bearer [hidden], [hidden]',
    proto: '__proto__',
  });
});

test.each([
  ['1.1', '/tasks?page=1', '@1725148800'],
  ['1.1', '/tasks?offset=1', '@1725148800'],
  ['1.1', '/tasks?x=1', null],
  ['1.1', '/tasks/task_1?page=1', null],
  ['1.0', '/tasks?page=1', null],
  ['1.2', '/tasks?page=1', null],
] as const)('v%s responds to %s with the header Deprecation: %s', async (release, path, header) => {
  const mock = await start({ release });
  expect((await mock.fetch(path, as('read'))).headers.get('deprecation')).toBe(header);
});

test('a cursor that was not issued is named so in the reasons, where it gets a page', async () => {
  const mock = await start({ choices: { 'broken-cursor': 'first-page' } });
  await mock.fetch('/teams?cursor=x&limit=1', as('read'));
  expect(mock.requests[0]!.why.find(({ check }) => check === 'query')!.found).toBe('cursor that was not issued, limit=1');
});

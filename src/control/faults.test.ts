// What an ordered fault does to an answer, in memory and over a socket alike.
import { connect } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { createMock, type Mock, type MockOptions } from '../node/index.ts';

const open: Mock[] = [];
afterEach(async () => void (await Promise.all(open.splice(0).map((mock) => mock.close()))));

describe.each(['in memory', 'over a socket'])('%s', (transport) => {
  const start = async (options: MockOptions = {}) => {
    const mock = await createMock({ seed: 'fixtures/tiny.yaml', ...options });
    open.push(mock);
    const base = transport === 'in memory' ? undefined : (await mock.listen({ port: 0 })).baseUrl;
    const call = (path: string, init: RequestInit = {}, key = 'wm_tiny_admin') => {
      const asked = { ...init, headers: { authorization: `Bearer ${key}`, ...init.headers } };
      return base === undefined ? mock.fetch(path, asked) : fetch(base + path, asked);
    };
    return { mock, call };
  };
  const create = (title: string): RequestInit => ({
    method: 'POST',
    body: JSON.stringify({ title }),
    headers: { 'content-type': 'application/json' },
  });

  test.each([
    [400, 'validation_error'],
    [401, 'unauthorized'],
    [403, 'forbidden'],
    [404, 'not_found'],
    [409, 'conflict'],
    [413, 'payload_too_large'],
    [422, 'validation_error'],
    [429, 'rate_limit_exceeded'],
    [500, 'internal_error'],
    [502, 'bad_gateway'],
    [503, 'service_unavailable'],
    [504, 'gateway_timeout'],
  ])('%i comes in the shape of the API, counts for nothing, and the journal says who ordered it', async (status, code) => {
    const { mock, call } = await start();
    await call('/tasks');
    const { id } = mock.faults.add({ effect: { status }, times: 1 });
    const answer = await call('/projects/proj_one/tasks', create('never'));
    const body = await answer.json();
    expect([answer.status, body.error.code, body.error.details]).toEqual([status, code, {}]);
    expect(answer.headers.get('x-ratelimit-limit')).toBe('1000');
    expect(answer.headers.get('x-ratelimit-remaining')).toBe(status === 429 ? '0' : '999');
    expect(Number(answer.headers.get('x-ratelimit-reset'))).toBeGreaterThan(1_737_363_600);
    expect(answer.headers.get('retry-after')).toBe(status === 429 ? '60' : null);
    const entry = mock.requests.at(-1)!;
    expect(entry).toMatchObject({ fault: id, status, key_id: mock.requests[0]!.key_id, changes: [] });
    expect(entry.why).toEqual([
      { check: 'fault', found: `${id} ordered ${status}; the request was not performed`, part: 'mock' },
    ]);
    expect((await call('/tasks')).headers.get('x-ratelimit-remaining')).toBe('998');
    expect(mock.world.store.tasks.size).toBe(2);
    expect(mock.faults.list()[0]).toMatchObject({ id, seen: 2, hits: 1 });
  });

  test('it stands before the key is looked at: a stranger meets it too, and no use is noted', async () => {
    const { mock, call } = await start();
    mock.faults.add({ effect: { status: 503 } });
    expect((await call('/tasks', {}, 'wm_nobody')).status).toBe(503);
    await call('/tasks');
    expect(mock.world.lastUsed.size).toBe(0);
  });

  test('open points shape ordered answers as any other', async () => {
    const choices = { 'not-found-code': 'resource_not_found', 'error-status-field': 'present', 'retry-after': 'absent' };
    const { mock, call } = await start({ choices });
    mock.faults.add({ effect: { status: 404 }, times: 1 });
    mock.faults.add({ effect: { status: 429 } });
    expect((await (await call('/tasks')).json()).error).toMatchObject({ code: 'resource_not_found', status: 404 });
    expect((await call('/tasks')).headers.has('retry-after')).toBe(false);
  });

  test('after and times bound it; probability is the same in every run', async () => {
    const strikes = async () => {
      const { mock, call } = await start();
      mock.faults.add({ effect: { status: 500 }, after: 2, times: 3 });
      const bounded = [];
      for (let i = 0; i < 7; i++) bounded.push((await call('/tasks')).status);
      mock.faults.clear();
      mock.faults.add({ effect: { status: 500 }, probability: 0.5 });
      const chance = [];
      for (let i = 0; i < 40; i++) chance.push((await call('/tasks')).status);
      return { bounded, chance };
    };
    const [first, second] = [await strikes(), await strikes()];
    expect(first.bounded).toEqual([200, 200, 500, 500, 500, 200, 200]);
    expect(second).toEqual(first);
    const hits = first.chance.filter((status) => status === 500).length;
    expect(hits).toBeGreaterThan(8);
    expect(hits).toBeLessThan(32);
  });

  test('it is for the requests that match, and for no others', async () => {
    const { mock, call } = await start();
    mock.faults.add({ match: { method: 'GET', path: '/v1/tasks/*' }, effect: { status: 500 } });
    mock.faults.add({ match: { operation: 'getMe' }, effect: { status: 502 } });
    mock.faults.add({ match: { key: 'wm_tiny_read', path: '*members' }, effect: { status: 503 } });
    const statuses = [];
    for (const [path, key] of [
      ['/tasks', 'wm_tiny_read'],
      ['/tasks/task_dated?x=1', 'wm_tiny_read'],
      ['/users/me', 'wm_tiny_admin'],
      ['/workspace/members', 'wm_tiny_admin'],
      ['/workspace/members', 'wm_tiny_read'],
    ] as const) {
      statuses.push((await call(path, {}, key)).status);
    }
    expect(statuses).toEqual([200, 500, 502, 200, 503]);
  });

  test('a delay is at least as long as ordered; the request is performed and counted', async () => {
    const { mock, call } = await start();
    mock.faults.add({ effect: { delay_ms: 60 }, times: 1 });
    mock.faults.add({ effect: { delay_ms: { min: 40, max: 50 } } });
    for (const least of [60, 40]) {
      const started = performance.now();
      const answer = await call('/projects/proj_one/tasks', create('late'));
      expect(performance.now() - started).toBeGreaterThanOrEqual(least - 2);
      expect(answer.status).toBe(201);
    }
    expect(mock.world.store.tasks.size).toBe(4);
    expect(mock.requests[0]!.why.map(({ check }) => check)).toEqual([
      'fault',
      'key',
      'limit',
      'operation',
      'scope',
      'record',
      'query',
      'body',
      'answer',
    ]);
  });

  test('a body comes empty, malformed or cut off; the request is performed', async () => {
    const { mock, call } = await start();
    const sound = await (await call('/tasks')).text();
    for (const [body, check] of [
      ['empty', (text: string) => text === ''],
      ['malformed', (text: string) => text.length > sound.length && !isJson(text)],
      ['truncated', (text: string) => sound.startsWith(text) && text.length === Math.ceil(sound.length / 2)],
    ] as const) {
      mock.faults.add({ effect: { body }, times: 1 });
      const answer = await call('/tasks');
      expect([answer.status, check(await answer.text())], body).toEqual([200, true]);
    }
    mock.faults.add({ effect: { status: 500, body: 'truncated' } });
    const both = await call('/tasks');
    expect([both.status, isJson(await both.text())]).toEqual([500, false]);
  });

  test('a connection is closed: fetch rejects with a TypeError, the journal says so, the next request is answered', async () => {
    const { mock, call } = await start();
    const { id } = mock.faults.add({ effect: { abort: true }, times: 1 });
    const error = await call('/projects/proj_one/tasks', create('never')).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(TypeError);
    expect(mock.requests).toMatchObject([{ status: 0, fault: id, response: { headers: {}, body: null } }]);
    expect(mock.world.store.tasks.size).toBe(2);
    expect((await call('/tasks')).status).toBe(200);
  });

  test('answers are kept back until released, in the order that the test wants', async () => {
    const { mock, call } = await start();
    const slow = mock.faults.add({ match: { method: 'POST' }, effect: { hold: true } });
    const order: string[] = [];
    const first = call('/projects/proj_one/tasks', create('held')).then(({ status }) => order.push(`held ${status}`));
    const second = call('/projects/proj_one/tasks', create('held too')).then(({ status }) => order.push(`held ${status}`));
    while (mock.faults.list()[0]!.held < 2) await new Promise((done) => setTimeout(done, 1));
    order.push(`read ${(await call('/tasks')).status}`);
    mock.faults.release(slow.id);
    await Promise.all([first, second]);
    expect(order).toEqual(['read 200', 'held 201', 'held 201']);
    expect((await call('/projects/proj_one/tasks', create('free'))).status).toBe(201);
    expect(mock.faults.list()[0]).toMatchObject({ held: 0, released: true, hits: 3 });
  });

  test.each(['remove', 'clear', 'reset', 'close'])('%s lets go what is kept back', async (how) => {
    const { mock, call } = await start();
    const { id } = mock.faults.add({ effect: { hold: true } });
    const held = call('/tasks').then(({ status }) => status);
    while (mock.faults.list()[0]!.held < 1) await new Promise((done) => setTimeout(done, 1));
    const closing = {
      remove: () => mock.faults.remove(id),
      clear: () => mock.faults.clear(),
      reset: () => mock.reset(),
      close: () => mock.close(),
    }[how]!();
    expect(await held).toBe(200);
    await closing;
  });
});

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

test('a client that leaves while its answer is kept back leaves nothing broken', async () => {
  const mock = await createMock({ seed: 'fixtures/tiny.yaml' });
  open.push(mock);
  const { port } = await mock.listen({ port: 0 });
  const { id } = mock.faults.add({ effect: { hold: true } });
  const socket = connect(port, '127.0.0.1');
  socket.write('GET /v1/tasks HTTP/1.1\r\nhost: x\r\nauthorization: Bearer wm_tiny_read\r\n\r\n');
  while (mock.faults.list()[0]!.held < 1) await new Promise((done) => setTimeout(done, 1));
  socket.destroy();
  mock.faults.release(id);
  expect((await mock.fetch('/tasks', { headers: mock.auth('read') })).status).toBe(200);
});

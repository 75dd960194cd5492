// Each member of a fault's order, over the wire: the requests it applies to, their responses, and refused orders.
import { describe, expect, test } from 'vitest';
import { createMock } from '../../node/index.ts';
import { keep } from '../../test/closing.ts';
import { ask as sent } from '../../test/sending.ts';

const start = async () => {
  const mock = keep(await createMock({ seed: 'fixtures/tiny.yaml' }));
  const { baseUrl } = await mock.listen({ port: 0 });
  const control = (method: string, path: string, body?: object) => sent(mock, method, `/_mock${path}`, body);
  const order = async (fault: object) => {
    const { status, body } = await control('POST', '/faults', fault);
    expect([status, JSON.stringify(body)]).toEqual([201, expect.any(String)]);
    return body as { id: string };
  };
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(baseUrl + path, { ...init, headers: { authorization: 'Bearer wm_tiny_admin', ...(init.headers as object) } });
  const send = (method: string, path: string, body: object) =>
    ask(path, { method, body: JSON.stringify(body), headers: { 'content-type': 'application/json' } });
  return { mock, control, order, ask, send };
};

const html = '<html><h1>502 Bad Gateway</h1></html>';

describe('a fault is for requests', () => {
  test('with these parameters of the query; * matches any characters', async () => {
    const { order, ask } = await start();
    await order({ match: { query: { 'filter[status]': 'todo', limit: 5 } }, effect: { status: 503 } });
    await order({ match: { query: { sort: '*_at' } }, effect: { status: 502 } });
    const statuses = [];
    const matching = 'filter%5Bstatus%5D=todo&limit=5';
    for (const query of [matching, 'limit=5', 'filter[status]=done&limit=5', 'sort=created_at', 'sort=priority'])
      statuses.push((await ask(`/tasks?${query}`)).status);
    expect(statuses.slice(0, 4)).toEqual([503, 200, 200, 502]);
    expect(statuses[4]).not.toBe(502);
  });

  test('with these fields in their JSON body, and at least these items in its lists', async () => {
    const { order, send } = await start();
    await order({ match: { body: { title: 'No', priority: 'high' } }, effect: { status: 500 } });
    await order({ match: { body: { events: ['task.deleted'] } }, effect: { status: 504 } });
    const create = (body: object) => send('POST', '/projects/proj_one/tasks', body).then(({ status }) => status);
    expect(await create({ title: 'No', priority: 'high', description: 'more' })).toBe(500);
    expect(await create({ title: 'No', priority: 'low' })).toBe(201);
    expect(await create({ title: 'No' })).toBe(201);
    const url = 'http://127.0.0.1:9/';
    expect((await send('POST', '/webhooks', { url, events: ['task.created', 'task.deleted'] })).status).toBe(504);
    expect((await send('POST', '/webhooks', { url, events: ['task.created'] })).status).toBe(201);
  });

  test('with these headers, whose names know no case', async () => {
    const { order, ask } = await start();
    await order({ match: { header: { 'X-Client': 'ios/*' } }, effect: { status: 503 } });
    expect((await ask('/tasks', { headers: { 'x-client': 'ios/4.2' } })).status).toBe(503);
    expect((await ask('/tasks', { headers: { 'x-client': 'web' } })).status).toBe(200);
    expect((await ask('/tasks')).status).toBe(200);
  });

  test('chosen by a predicate of the program; a fork asks it too, a listing shows its source', async () => {
    const { mock, control, send } = await start();
    const isLong = ({ body }: { readonly body: unknown }) => String((body as { title?: string })?.title).length > 3;
    mock.faults.add({ match: { when: isLong }, effect: { status: 503 } });
    const [long, short] = [{ title: 'long' }, { title: 'no' }];
    expect((await send('POST', '/projects/proj_one/tasks', long)).status).toBe(503);
    expect((await send('POST', '/projects/proj_one/tasks', short)).status).toBe(201);
    const copy = mock.fork();
    const create = async (body: object) => (await sent(copy, 'POST', '/projects/proj_one/tasks', body)).status;
    expect([await create(long), await create(short)]).toEqual([503, 201]);
    expect((await control('GET', '/faults')).body.items[0].match.when).toContain('.length > 3');
    expect(() => mock.faults.add({ match: { when: 'yes' as never }, effect: { status: 503 } })).toThrow(
      'faults.add is refused: match.when: must be a function, got "yes"',
    );
    mock.faults.clear();
    mock.faults.add({ match: { when: () => JSON.parse('') }, effect: { status: 503 } });
    await expect(mock.fetch('/tasks')).rejects.toThrow('fault_2: its match.when threw SyntaxError');
  });
});

describe('the response has', () => {
  test('a code, a message and details of its own in the envelope of the API', async () => {
    const { order, send } = await start();
    const error = { code: 'title_taken', message: 'Taken.', details: { fields: [{ field: 'title', issue: 'is taken' }] } };
    await order({ effect: { status: 422, error } });
    const response = await send('POST', '/projects/proj_one/tasks', { title: 'x' });
    expect([response.status, await response.json()]).toEqual([422, { error }]);
    expect(response.headers.get('x-ratelimit-limit')).toBe('1000');
  });

  test('Retry-After as ordered, and on a 429 X-RateLimit-Reset follows it', async () => {
    const { mock, order, ask } = await start();
    await order({ effect: { status: 429, retry_after: 7 }, times: 1 });
    const { headers } = await ask('/tasks');
    const now = Math.floor(Date.parse(mock.clock.now) / 1000);
    expect([headers.get('retry-after'), headers.get('x-ratelimit-remaining')]).toEqual(['7', '0']);
    expect(headers.get('x-ratelimit-reset')).toBe(String(now + 7));
    await order({ effect: { status: 503, retry_after: 0 } });
    expect((await ask('/tasks')).headers.get('retry-after')).toBe('0');
  });

  test('a client that waits as long as Retry-After says is not early, though X-RateLimit-Reset is rounded up', async () => {
    const { mock, order, ask } = await start();
    await mock.clock.set('2025-01-20T09:00:00.900Z');
    await order({ effect: { status: 429, retry_after: 30 }, times: 1 });
    await ask('/tasks');
    await mock.clock.advance('29900ms');
    await ask('/tasks');
    await mock.clock.advance('100ms');
    await ask('/tasks');
    expect(mock.requests.map(({ warnings }) => warnings.length)).toEqual([0, 1, 0]);
  });

  test('a body of another type, byte for byte, without the headers of the service: a gateway failed', async () => {
    const { mock, order, ask } = await start();
    await order({ effect: { status: 502, raw: html, headers: { Server: 'nginx' } }, times: 1 });
    const gateway = await ask('/tasks');
    expect([gateway.status, await gateway.text()]).toEqual([502, html]);
    expect(gateway.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect([gateway.headers.get('server'), gateway.headers.get('x-ratelimit-limit')]).toEqual(['nginx', null]);
    expect(mock.requests[0]).toMatchObject({ status: 502, response: { body: html } });
    expect(mock.requests[0]!.why.map(({ found }) => found)).toEqual(['fault_1 ordered 502; the request was not performed']);
    await order({ effect: { status: 200, raw: 'sign in', content_type: 'text/x-portal' }, times: 1 });
    const portal = await ask('/tasks');
    expect([portal.status, portal.headers.get('content-type'), await portal.text()]).toEqual([200, 'text/x-portal', 'sign in']);
    await order({ effect: { status: 204, raw: '' }, times: 1 });
    expect([(await ask('/tasks')).status, (await ask('/tasks')).status]).toEqual([204, 200]);
  });

  test('headers of its own, also where the request was performed; null leaves one out', async () => {
    const { order, ask } = await start();
    const headers = { 'x-cache': 'HIT', 'x-ratelimit-remaining': null };
    const content_type = 'application/json; charset=latin1';
    await order({ effect: { headers, content_type, retry_after: 3 } });
    const response = await ask('/users/me');
    expect([response.status, (await response.json()).data.id]).toEqual([200, 'user_ada']);
    const given = ['x-cache', 'x-ratelimit-remaining', 'x-ratelimit-limit', 'content-type', 'retry-after'];
    expect(given.map((name) => response.headers.get(name))).toEqual(['HIT', null, '1000', content_type, '3']);
  });
});

test('one held response is released by the number of its request; without a number all are', async () => {
  const { control, order, ask } = await start();
  const { id } = await order({ effect: { hold: true } });
  const finishedPaths: string[] = [];
  const pending: Promise<unknown>[] = [];
  const holding = async () => (await control('GET', `/faults/${id}`)).body;
  for (const [i, path] of ['/tasks', '/teams?limit=1', '/users/me'].entries()) {
    pending.push(ask(path).then(() => finishedPaths.push(path)));
    while ((await holding()).held <= i) await new Promise((done) => setTimeout(done, 2));
  }
  expect((await holding()).holding).toMatchObject([
    { request: 1, method: 'GET', path: '/v1/tasks' },
    { request: 2, method: 'GET', path: '/v1/teams' },
    { request: 3, method: 'GET', path: '/v1/users/me' },
  ]);
  expect((await control('POST', `/faults/${id}/release`, { request: 2 })).body).toMatchObject({ held: 2, released: false });
  await pending[1];
  expect(finishedPaths).toEqual(['/teams?limit=1']);
  const twice = await control('POST', `/faults/${id}/release`, { request: 2 });
  expect([twice.status, twice.body.error.details.fields]).toEqual([
    422,
    [{ field: 'request', issue: `must be the number of a request whose response ${id} holds: it holds 1, 3, got 2` }],
  ]);
  expect((await control('POST', `/faults/${id}/release`)).body).toMatchObject({ held: 0, released: true });
  await Promise.all(pending);
});

test('latency is lognormal, a function of the seed, the same in an equal world', async () => {
  const { mock } = await start();
  const { drawDelayMs } = await import('../../service/world/faults.ts');
  const draw = (count: number) => {
    const { random } = mock.world.fork();
    return Array.from({ length: count }, () => drawDelayMs({ latency: { p50_ms: 200, p99_ms: 3000 } }, random, 'fault_1'));
  };
  const all = draw(20_000);
  expect(draw(100)).toEqual(all.slice(0, 100));
  const sorted = [...all].sort((a, b) => a - b);
  expect(sorted[10_000]! / 200).toBeCloseTo(1, 1);
  expect(sorted[19_800]! / 3000).toBeCloseTo(1, 0);
  const { ask, order, mock: slow } = await start();
  await order({ effect: { latency: { p50_ms: 5, p99_ms: 20 } } });
  expect((await ask('/tasks')).status).toBe(200);
  expect(slow.requests[0]).toMatchObject({ fault: 'fault_1', status: 200 });
});

test.each([
  [{ effect: { stauts: 503 } }, 'effect.stauts', 'did you mean status?'],
  [{ match: { quary: {} }, effect: { status: 503 } }, 'match.quary', 'did you mean query?'],
  [{ effect: { status: 503, error: { mesage: 'x' } } }, 'effect.error.mesage', 'did you mean message?'],
  [{ match: { event: 'task.craeted' }, effect: { duplicate: true } }, 'match.event', 'did you mean task.created?'],
  [{ match: { query: {} }, effect: { status: 503 } }, 'match.query', 'at least one field'],
  [{ match: { query: { a: ['x'] } }, effect: { status: 503 } }, 'match.query.a', 'must be a string or a number or a boolean'],
  [{ match: { when: 'x' }, effect: { status: 503 } }, 'match.when', 'is unknown'],
  [{ effect: { retry_after: -1 } }, 'effect.retry_after', 'must be at least 0'],
])('%j is refused, names its field, and changes nothing', async (fault, field, issue) => {
  const mock = keep(await createMock({ seed: 'fixtures/tiny.yaml' }));
  const response = await sent(mock, 'POST', '/_mock/faults', fault);
  const { error } = response.body;
  expect([400, 422]).toContain(response.status);
  const found = error.details.fields.find((one: { field: string }) => one.field.replace(/\["(.*)"\]/, '.$1') === field);
  expect(found?.issue ?? JSON.stringify(error.details)).toContain(issue);
  expect(error.message).toMatch(/^The call is refused: .* GET \/_mock\/openapi\.json says what it takes\.$/s);
  expect(mock.faults.list()).toEqual([]);
});

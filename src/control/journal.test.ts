// The journal: why each answer, what the client did against the contract, and nothing that is secret.
import { afterEach, describe, expect, test } from 'vitest';
import { createMock, type Mock, type MockOptions } from '../node/index.ts';

const open: Mock[] = [];
afterEach(async () => void (await Promise.all(open.splice(0).map((mock) => mock.close()))));

const start = async (options: MockOptions = {}) => {
  const mock = await createMock({ seed: 'fixtures/tiny.yaml', ...options });
  open.push(mock);
  const call = (
    method: string,
    path: string,
    body?: unknown,
    key: string | null = 'wm_tiny_admin',
    headers: Record<string, string> = {},
  ) =>
    mock.fetch(path, {
      method,
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
  const last = () => mock.requests.at(-1)!;
  const why = () => last().why.map(({ check }) => check);
  return { mock, call, last, why };
};

describe('why an answer is as it is', () => {
  test('a success names every check, with the part of the spec that asks for it', async () => {
    const { call, last } = await start();
    await call('GET', '/projects/proj_one/tasks?limit=1&filter[status]=todo');
    expect(last()).toMatchObject({
      id: 'req_1',
      at: '2025-01-20T09:00:00.000Z',
      method: 'GET',
      path: '/v1/projects/proj_one/tasks?limit=1&filter[status]=todo',
      operation: 'listProjectTasks',
      status: 200,
      duration_ms: 0,
      workspace_id: 'ws_tiny',
      fault: null,
      warnings: [],
      changes: [],
      request: { headers: { authorization: 'Bearer [hidden]' }, body: null },
    });
    expect(last().why).toEqual([
      { check: 'key', found: `key ${last().key_id} of user_ada in workspace ws_tiny`, part: 'Authentication' },
      { check: 'limit', found: 'request 1 of 1000 in this window', part: 'Limits' },
      { check: 'operation', found: 'GET /projects/{project_id}/tasks is listProjectTasks', part: 'Endpoints' },
      { check: 'scope', found: 'needs read, the key has admin', part: 'Authentication' },
      { check: 'record', found: 'proj_one is there and in this workspace', part: 'Errors' },
      { check: 'query', found: 'limit=1, filter[status]=todo', part: 'List rules' },
      { check: 'answer', found: '200', part: 'Endpoints' },
    ]);
    expect(last().response.headers['x-ratelimit-remaining']).toBe('999');
    expect(last().response.body).toMatchObject({ items: [{ id: 'task_dated' }] });
  });

  test.each([
    ['no key', 'GET', '/tasks', undefined, null, ['key']],
    ['a path that is none', 'GET', '/nowhere', undefined, 'wm_tiny_read', ['key', 'limit', 'operation']],
    ['too small a scope', 'POST', '/projects', { name: 'x' }, 'wm_tiny_read', ['key', 'limit', 'operation', 'scope']],
    ['no such record', 'GET', '/tasks/task_none', undefined, 'wm_tiny_read', ['key', 'limit', 'operation', 'scope', 'record']],
    ['a bad query', 'GET', '/tasks?limit=0', undefined, 'wm_tiny_read', ['key', 'limit', 'operation', 'scope', 'query']],
    [
      'a bad body',
      'PATCH',
      '/tasks/task_dated',
      { status: 'x' },
      'wm_tiny_write',
      ['key', 'limit', 'operation', 'scope', 'record', 'query', 'body'],
    ],
    [
      'a name in use',
      'POST',
      '/teams',
      { name: 'Core' },
      'wm_tiny_write',
      ['key', 'limit', 'operation', 'scope', 'query', 'body', 'rules'],
    ],
  ] as const)('%s ends at the check that refused', async (_, method, path, body, key, checks) => {
    const { call, why, last } = await start();
    await call(method, path, body, key);
    expect(why()).toEqual(checks);
    expect(last().why.at(-1)!.found).toMatch(new RegExp(`^${last().status}: .{10}`));
  });

  test('the order of checks follows the open point, and a 429 ends at the limit', async () => {
    const { mock, call, why } = await start({ choices: { 'check-order': 'body' }, plan: 'free' });
    await call('PATCH', '/tasks/task_none', { status: 'todo' });
    expect(why()).toEqual(['key', 'limit', 'operation', 'scope', 'query', 'body', 'record']);
    for (let i = 0; i < 60; i++) await call('GET', '/tasks');
    expect(why()).toEqual(['key', 'limit']);
    expect(mock.requests).toHaveLength(61);
  });

  test('it lists what was changed', async () => {
    const { call, last } = await start();
    const { data } = await (await call('POST', '/projects/proj_one/tasks', { title: 'x' })).json();
    expect(last().changes).toEqual([{ collection: 'tasks', id: data.id, kind: 'created' }]);
    await call('PATCH', `/tasks/${data.id}`, { title: 'y' });
    expect(last().changes).toEqual([{ collection: 'tasks', id: data.id, kind: 'updated' }]);
    await call('PATCH', `/tasks/${data.id}`, { title: 'y' });
    expect(last().changes).toEqual([]);
    await call('DELETE', '/projects/proj_one');
    expect(last().changes).toEqual([{ collection: 'projects', id: 'proj_one', kind: 'deleted' }]);
  });

  test('a long body is cut', async () => {
    const { call, last } = await start();
    await call('POST', '/projects', { name: 'x', note: 'y'.repeat(100_000) });
    expect(last().status).toBe(201);
    expect(String(last().request.body)).toMatch(/^\{"name":"x","note":"y+ … cut: 100022 characters in all$/);
    expect(JSON.stringify(last()).length).toBeLessThan(40_000);
  });

  test('it keeps the last thousand, numbered from one', async () => {
    const { mock, call } = await start();
    for (let i = 0; i < 1005; i++) await call('GET', '/users/me', undefined, null);
    expect(mock.requests).toHaveLength(1000);
    expect([mock.requests[0]!.id, mock.requests.at(-1)!.id]).toEqual(['req_6', 'req_1005']);
  });
});

describe('what a client does against the contract', () => {
  const codes = async (...calls: Parameters<Awaited<ReturnType<typeof start>>['call']>[]) => {
    const { call, last } = await start({ plan: 'free' });
    for (const one of calls) await call(...one);
    return last().warnings.map(({ code }) => code);
  };

  test.each([
    ['GET', '/tasks?limit=5&sort=title&filter[priority]=high', []],
    ['GET', '/tasks?page=2', ['removed-parameter']],
    ['GET', '/tasks?offset=2', ['removed-parameter']],
    ['GET', '/tasks?per_page=2', ['unknown-parameter']],
    ['GET', '/tasks?filter[asignee_id]=x', ['unknown-parameter']],
    ['GET', '/users/me?x=1', ['unknown-parameter']],
    ['GET', '/tasks?cursor=abc', ['foreign-cursor']],
    ['GET', '/tasks?api_key=wm_tiny_admin', ['secret-in-url']],
    ['GET', '/tasks?access_token=x', ['secret-in-url']],
  ])('%s %s: %j', async (method, path, expected) => expect(await codes([method, path])).toEqual(expected));

  test('unknown fields of a body, server-set ones too', async () => {
    expect(await codes(['POST', '/projects', { name: 'x', id: 'proj_own', colour: 'red' }])).toEqual([
      'unknown-field',
      'unknown-field',
    ]);
    expect(await codes(['POST', '/projects', '{"name"'])).toEqual([]);
  });

  test('a cursor of another list', async () => {
    const { call, last } = await start();
    const { meta } = await (await call('GET', '/tasks?limit=1')).json();
    await call('GET', `/tasks?limit=1&cursor=${meta.next_cursor}`);
    expect(last().warnings).toEqual([]);
    await call('GET', `/projects?cursor=${meta.next_cursor}`);
    expect(last().warnings.map(({ code }) => code)).toEqual(['foreign-cursor']);
  });

  test('a retry before the window resets; none after it', async () => {
    const { mock, call, last } = await start({ plan: 'free' });
    for (let i = 0; i < 61; i++) await call('GET', `/tasks?limit=${1 + (i % 50)}`);
    expect([last().status, last().warnings]).toEqual([429, []]);
    await call('GET', '/projects');
    expect(last().warnings).toEqual([
      { code: 'early-retry', says: 'asked 60 s before the window resets, after a 429 in req_61' },
    ]);
    await mock.clock.advance('60s');
    await call('GET', '/projects');
    expect([last().status, last().warnings]).toEqual([200, []]);
  });

  test('the same request ten times in a row', async () => {
    const { mock, call, last } = await start();
    for (let i = 0; i < 9; i++) await call('GET', '/tasks');
    expect(last().warnings).toEqual([]);
    await call('GET', '/tasks');
    expect(last().warnings.map(({ code }) => code)).toEqual(['tight-loop']);
    await mock.clock.advance('11s');
    await call('GET', '/tasks');
    expect(last().warnings).toEqual([]);
  });

  test('a warning changes no answer', async () => {
    const { call } = await start();
    expect(await (await call('GET', '/tasks?page=2&x=1')).text()).toBe(await (await call('GET', '/tasks')).text());
  });
});

test('no key and no secret stands in journal, event stream, delivery log, list or log line, however it was sent', async () => {
  const { mock, call } = await start();
  const lines: string[] = [];
  mock.onRequest((request) => lines.push(JSON.stringify(request)));
  const { origin } = await mock.listen();
  const leave = new AbortController();
  const stream = await fetch(`${origin}/_mock/events`, { signal: leave.signal });
  let heard = '';
  const listening = (async () => {
    for await (const bytes of stream.body!) heard += new TextDecoder().decode(bytes as Uint8Array);
  })().catch(() => {});
  const control = async (method: string, path: string, body?: unknown) => {
    const init = body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
    return (await fetch(`${origin}/_mock${path}`, { method, ...init })).text();
  };
  const made = JSON.parse(
    await control('POST', '/keys', { workspace_id: 'ws_tiny', name: 'x', scope: 'admin', user_id: 'user_ada' }),
  );
  const world = JSON.parse(await control('POST', '/worlds', { id: 'own', mint_keys: true }));
  const secrets = ['wm_tiny_admin', 'wm_tiny_read', made.value, world.keys[0].value, 'wm_unknown_key_value'];
  for (const secret of secrets) {
    await call('GET', `/tasks?api_key=${secret}&note=${encodeURIComponent(`my ${secret}`)}`, undefined, secret);
    await call('GET', `/tasks/${secret === 'wm_unknown_key_value' ? 'x' : secret}`, undefined, made.value);
    await call('GET', '/tasks', undefined, null, {
      authorization: secret,
      'x-api-key': secret,
      cookie: `k=${secret}`,
      'proxy-authorization': secret,
    });
    if (secret !== 'wm_unknown_key_value') {
      await call('POST', '/projects', { name: `Project of ${secret}`, description: secret }, made.value);
      await call('POST', '/projects', `{"name": "broken ${secret}`, made.value);
      await control('POST', '/faults', {
        match: { key: secret === world.keys[0].value ? made.value : secret },
        effect: { delay_ms: 1 },
        times: 1,
      });
    }
  }
  for (const [shape, status] of [
    ['data', '201'],
    ['bare', '200'],
    ['minimal', '201'],
  ]) {
    mock.choose({ 'webhook-create-shape': shape, 'webhook-create-status': status });
    const answer = await (await call('POST', '/webhooks', { url: `${origin}/_mock/inbox/all` }, made.value)).json();
    secrets.push((answer.data ?? answer).secret);
  }
  await call('POST', '/projects', { name: 'Announced' }, made.value);
  await mock.clock.advance('1h');
  for (const { id } of JSON.parse(await control('GET', '/webhooks')).items) await control('DELETE', `/webhooks/${id}`);
  const seen = [
    await control('GET', '/requests'),
    JSON.stringify(mock.requests),
    ...(await Promise.all(mock.requests.map(({ id }) => control('GET', `/requests/${id}`)))),
    await control('GET', '/deliveries'),
    await control('GET', '/webhooks'),
    await control('GET', '/keys'),
    await control('GET', '/faults'),
    await control('GET', '/inbox/all/messages'),
    await control('GET', '/worlds'),
    await control('GET', '/choices'),
    JSON.stringify(mock.faults.list()),
    lines.join('\n'),
  ];
  leave.abort();
  await listening;
  expect(heard).toContain('event: request');
  expect(heard).toContain('event: delivery');
  expect(secrets.every((secret) => typeof secret === 'string' && secret.length > 5)).toBe(true);
  expect(lines.length).toBeGreaterThan(20);
  for (const secret of secrets) {
    const everything = [...seen, heard];
    expect(
      everything
        .filter((text) => text.includes(secret))
        .map((text) => text.slice(Math.max(0, text.indexOf(secret) - 80), text.indexOf(secret) + 60)),
    ).toEqual([]);
  }
});

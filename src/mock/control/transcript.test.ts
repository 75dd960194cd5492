// Every call of the control API with its refusals, and the responses of the service in between: to the byte.
import { expect, test } from 'vitest';
import { NAMES } from '../../service/world/records.ts';
import { type Asking, asking, callOf } from '../../test/asking.ts';
import { keep } from '../../test/closing.ts';
import { CONTROL_IDS, type ControlId } from './operations.ts';

const start = async (...options: Parameters<typeof asking>): Promise<Asking> => keep(await asking(...options));

const PLAYS: Readonly<Record<string, (play: Asking) => Promise<unknown>>> = {
  world: async ({ control, service, note }) => {
    await control('GET', '/health');
    note('snapshots');
    await control('GET', '/repro');
    await control('GET', '/snapshots');
    await control('POST', '/snapshots');
    await service('POST', '/projects', { name: 'Two' });
    await control('POST', '/snapshots', {});
    await control('GET', '/snapshots');
    await control('POST', '/snapshots/snap_1/restore');
    await service('GET', '/projects');
    await control('DELETE', '/snapshots/snap_1');
    await control('DELETE', '/snapshots/snap_1');
    await control('POST', '/snapshots/snap_1/restore');
    await control('GET', '/snapshots');
    note('the state, once much has changed');
    await service('POST', '/teams', { name: 'Paint', member_ids: ['user_bo'] });
    await service('POST', '/webhooks', { url: 'https://hooks.example/x', events: ['task.created'] });
    await service('DELETE', '/tasks/task_dated');
    await control('PATCH', '/choices', { 'patch-status': '202', 'owner-field': 'owner_id' });
    for (const query of ['format=yaml', 'format=xml', 'format=json&format=yaml', 'fromat=yaml&token=unasked'])
      await control('GET', `/state?${query}`);
    await control('GET', '/timeline?kind=choice');
    await control('GET', '/diff?limit=1');
    note('reset');
    await control('POST', '/reset', {});
    await control('POST', '/reset');
    await service('GET', '/projects');
  },

  records: async ({ control, note }) => {
    for (const name of NAMES) {
      note(name);
      const { body } = await control('POST', `/data/${name}`, name === 'webhooks' ? { url: 'https://hooks.example/x' } : {});
      await control('GET', `/data/${name}?limit=1&id=${body.id}`);
      await control('PATCH', `/data/${name}/${body.id}`, { created_at: '-2h' });
      await control('GET', `/data/${name}/${body.id}`);
      await control('DELETE', `/data/${name}/${body.id}`);
    }
    note('refusals');
    for (const path of ['tasks/task_none', 'users/user_ada']) await control('DELETE', `/data/${path}`);
    await control('POST', '/data/teams', { id: 'team_core', name: 'Core' });
    await control('POST', '/data/tasks', { project_id: 'proj_none', assignee_id: 'team_core', title: 'x'.repeat(256) });
    await control('POST', '/data/webhooks', { events: ['task.lost'] });
    await control('PATCH', '/data/tasks/task_dated', { id: 'another', nonsense: true });
    for (const query of ['status=don&nonsense=', 'limit=0', 'cursor=x']) await control('GET', `/data/tasks?${query}`);
  },

  choices: async ({ control, service }) => {
    await control('GET', '/choices');
    await control('PATCH', '/choices', { 'not-found-code': 'resource_not_found', 'wrong-method': 405 });
    await service('GET', '/tasks/task_none');
    await service('PUT', '/tasks');
    await control('PATCH', '/choices', { 'patch-status': '418', nonsense: 'x', 'owner-field': 7 });
    for (const body of [{}, [], null, undefined]) await control('PATCH', '/choices', body);
  },

  operations: async ({ control }) => {
    const perform = (id: string, more: object) => control('POST', `/operations/${id}`, { workspace_id: 'ws_tiny', ...more });
    await perform('createProject', { body: { name: 'By the owner' } });
    await perform('updateTask', { variable: 'task_dated', body: { title: 'Changed' } });
    for (let i = 0; i < 2; i++) await perform('deleteTask', { variable: 'task_dated' });
    for (const more of [{ body: {} }, { workspace_id: 'ws_none' }]) await perform('createProject', more);
    await perform('inventProject', {});
  },

  release: async ({ control, service }) => {
    await control('GET', '/release');
    await control('PATCH', '/release', { release: '1.1' });
    await service('GET', '/teams');
    await service('GET', '/tasks?page=1&limit=1');
    await control('PATCH', '/release', { forward_compat: ['fields', 'order'] });
    await control('GET', '/compatibility');
    await service('GET', '/projects');
    await service('PATCH', '/tasks/task_dated', { title: 'Kept', surprise: true });
    await control('GET', '/compatibility');
    await control('PATCH', '/release', { release: '1.3', forward_compat: true });
    for (const forward_compat of [false, 'fields', ['colour']]) await control('PATCH', '/release', { forward_compat });
    for (const release of ['2.0', 1.1]) await control('PATCH', '/release', { release });
    for (const body of [{ relaese: '1.0' }, {}, undefined]) await control('PATCH', '/release', body);
  },

  worlds: async ({ control, service }) => {
    await control('GET', '/worlds');
    await control('POST', '/worlds');
    await control('POST', '/worlds', { id: 'one', mint_keys: true });
    await service('POST', '/projects', { name: 'In one' }, 'wm_tiny_write', 'one');
    await control('POST', '/snapshots', undefined, { world: 'one' });
    await control('GET', '/requests?limit=1', undefined, { world: 'one' });
    await control('POST', '/worlds', { from: 'current', id: 'Copy.of_one-2' }, { world: 'one' });
    await control('POST', '/worlds', { from: 'snap_1', release: '1.0', forward_compat: ['enums'] }, { world: 'one' });
    await control('POST', '/worlds', { from: 'snap_1' });
    await control('PATCH', '/worlds/one', { title: 'pays', outcome: 'failed' });
    await control('PATCH', '/worlds/none', {});
    await control('POST', '/worlds', { forward_compat: true });
    const seed = { now: '2030-01-01T00:00:00Z', workspaces: [{ id: 'ws_own', users: [{}], api_keys: [{ value: 'wm_own' }] }] };
    await control('POST', '/worlds', { seed });
    await control('POST', '/worlds', { seed: JSON.stringify(seed), id: 'written' });
    await service('GET', '/users/me', undefined, 'wm_own', 'written');
    await control('POST', '/worlds', { seed, from: 'seed' });
    await control('POST', '/worlds', { seed: { workspaces: [{ id: 'ws', users: [{ role: 1 }], api_keys: [{}], colour: 1 }] } });
    for (const wrong of ['workspaces: [', {}, [], '']) await control('POST', '/worlds', { seed: wrong });
    for (const id of ['one', 'default']) await control('POST', '/worlds', { id });
    const wrong = { release: '0.9', forward_compat: ['colour'], mint_keys: 'yes', x: 1 };
    await control('POST', '/worlds', { id: '../x', from: '', ...wrong });
    for (const id of ['x'.repeat(64), 'x'.repeat(65), '-x']) await control('POST', '/worlds', { id });
    await control('GET', '/worlds');
    await control('GET', '/release', undefined, { world: 'world_2' });
    for (let i = 0; i < 2; i++) await control('DELETE', '/worlds/one');
    await control('GET', '/health', undefined, { world: 'one' });
    await service('GET', '/tasks', undefined, 'wm_tiny_read', 'one');
    await control('GET', '/worlds');
  },

  clock: async ({ control, note }) => {
    await control('GET', '/clock');
    await control('POST', '/clock', { now: '2025-03-01T00:00:00+01:00' });
    await control('POST', '/clock', { now: 1_700_000_000_000, mode: 'frozen' });
    for (const now of [0, '9999-12-31T23:59:59.999Z', '1969-12-31T23:59:59.999Z', 'soon', ''])
      await control('POST', '/clock', { now });
    await control('POST', '/clock', { now: true, mode: 'backwards' });
    for (const now of [1e17, -1, 1.5]) await control('POST', '/clock', { now });
    for (const body of [{}, undefined]) await control('POST', '/clock', body);
    await control('POST', '/clock', { now: '2025-01-20T09:00:00Z', mode: 'running', zone: 'UTC' });
    note('advance');
    await control('POST', '/clock', { now: '2025-01-20T09:00:00Z' });
    for (const by of ['500ms', '30s', '90m', '2h', '3d', '1w', '1.5s', '0.4ms', 250, 0, '0s'])
      await control('POST', '/clock/advance', { by });
    await control('POST', '/clock/advance', { to: 'next' });
    const wrong = ['-1s', -1, 'an hour', '2 h', '2h ', ' 2h', '1h30m', '', 'ms', '1.s', '1234567890123s', 1e16, 0.5, true, null];
    for (const by of [...wrong, '999999999999w']) await control('POST', '/clock/advance', { by });
    for (const body of [{ by: '2h', to: 'next' }, { to: 'end' }, {}]) await control('POST', '/clock/advance', body);
    await control('GET', '/clock');
  },

  dashboard: async ({ control, service, note }) => {
    note('plans');
    await control('GET', '/workspaces');
    await control('PATCH', '/workspaces/ws_tiny', { plan: 'free' });
    await service('GET', '/users/me');
    for (const plan of [2, 'unlimited', 'gold', 0, 1_000_000_001, null]) await control('PATCH', '/workspaces/ws_tiny', { plan });
    await control('PATCH', '/workspaces/ws_tiny', {});
    await control('PATCH', '/workspaces/ws_x', { plan: 'free' });
    await control('GET', '/workspaces');
  },

  webhooks: async ({ control, service, note }) => {
    const { body } = await service('POST', '/webhooks', {
      url: 'http://127.0.0.1:9/hook',
      events: ['task.created', 'task.deleted'],
    });
    const { id } = body.data;
    await control('POST', `/webhooks/${id}/simulate`, { outcomes: [500, 'timeout', 'refused', 'dns', 'tls', 'reset'] });
    await service('POST', '/projects/proj_one/tasks', { title: 'One' });
    await control('GET', '/clock');
    await control('POST', '/clock/advance', { by: 0 });
    await control('POST', '/clock/advance', { to: 'next' });
    await control('POST', '/clock/advance', { by: '13h' });
    const { body: log } = await control('GET', '/deliveries');
    const [first] = log.items;
    await control('POST', `/webhooks/${id}/simulate`, { outcomes: [204] });
    await control('POST', `/deliveries/${first.id}/replay`);
    await control('POST', '/clock/advance', { by: 0 });
    await control('POST', `/deliveries/${first.id}/replay`, {});
    await control('POST', '/clock/advance', { by: '1m' });
    await control('GET', `/deliveries/${first.id}`);
    note('what the log is asked for');
    await service('DELETE', '/tasks/task_dated');
    await control('POST', '/clock/advance', { by: 0 });
    await control('GET', `/deliveries?webhook_id=${id}&event=task.deleted&state=delivered`);
    for (const query of ['event=task.updated', 'webhook_id=wh_none', 'state=dead', 'state=lost&event=task.exploded&webhook_id='])
      await control('GET', `/deliveries?${query}`);
    note('the registration goes');
    await control('DELETE', `/data/webhooks/${id}`);
    await control('POST', `/deliveries/${first.id}/replay`);
    await control('POST', `/webhooks/${id}/simulate`, { outcomes: [200] });
    await control('GET', '/deliveries/dlv_none');
    await control('POST', '/deliveries/dlv_none/replay');
    for (const outcomes of [[], [99], [100, 599, 600], ['soon'], 500, [null], Array(1001).fill(200)])
      await control('POST', '/webhooks/wh_one/simulate', { outcomes });
    await control('POST', '/webhooks/wh_one/simulate', {});
    note('a receiver that is not on this machine');
    await service('POST', '/webhooks', { url: 'https://hooks.example/x' });
    await service('PATCH', '/tasks/task_talked', { status: 'done' });
    await control('POST', '/clock/advance', { by: 0 });
  },

  inbox: async ({ control }) => {
    const text = { headers: { 'content-type': 'text/plain' } };
    await control('GET', '/inbox/mine/messages');
    await control('POST', '/inbox/mine/respond', { statuses: [500, 204, 302, 418] });
    await control('POST', '/inbox/mine?x=1', 'a=1', text);
    await control('PUT', '/inbox/mine', '{"a":1}');
    await control('PATCH', '/inbox/mine', '{', { headers: { authorization: 'Bearer hidden', 'x-shown': 'yes' } });
    await control('DELETE', '/inbox/mine');
    await control('GET', '/inbox/mine');
    await control('HEAD', '/inbox/mine');
    await control('POST', '/inbox/mine', '{"a":1}', { headers: { host: 'wm-mock.test', connection: 'close' } });
    await control('GET', '/inbox/mine/messages');
    await control('POST', '/inbox/edges/respond', { statuses: [299, 300, 399, 400, 205, 304] });
    for (let i = 0; i < 7; i++)
      await control('POST', `/inbox/edges?i=${i}`, '{}', { headers: { 'content-length': '2', 'x-i': String(i) } });
    await control('GET', '/inbox/edges/messages');
    await control('GET', '/inbox/other/messages?limit=1');
    for (const statuses of [[100], [199, 200, 599, 600], [], [205], [304], Array(1001).fill(200), 'x', [1.5]])
      await control('POST', '/inbox/mine/respond', { statuses });
    await control('GET', '/inbox/mine');
    for (const body of [{}, undefined]) await control('POST', '/inbox/mine/respond', body);
  },

  journal: async ({ control, service, note }) => {
    await service('GET', '/tasks?limit=1');
    await service('GET', '/tasks/task_none');
    await service('POST', '/projects', { name: '' });
    await service('PATCH', '/tasks/task_dated', { title: 'New', surprise: 1 });
    await service('DELETE', '/tasks/task_talked', undefined, 'wm_tiny_read');
    await service('GET', '/nowhere', undefined, 'wm_nobody');
    await service('POST', '/webhooks', { url: 'https://hooks.example/x', secret: 'mine' });
    await service('DELETE', '/projects/proj_one');
    await control('GET', '/requests');
    note('filters');
    const paths = ['/tasks', 'v1/tasks*', '/v1/tasks?limit=1', '*/task_none', '/v1'].map((path) => `path=${path}`);
    const statuses = ['404', '4xx&operation=createProject', '2xx&limit=1'].map((status) => `status=${status}`);
    const methods = ['method=get', 'method=PATCH&operation=updateTask'];
    for (const query of [...methods, ...paths, ...statuses, 'operation=nothing']) {
      note(query);
      const { body } = await control('GET', `/requests?${query}`);
      note(body.items.map(({ id }: { id: string }) => id).join(' ') || 'none');
    }
    for (const path of ['/requests/', '/har?id=']) for (const id of ['req_2', 'req_99']) await control('GET', path + id);
    for (const id of ['req_0', 'nonsense']) await control('GET', `/requests/${id}`);
    for (const query of 'status=many status=6xx status=1234 limit=0 limit=10000 limit=-1 limit=x path= by=me'.split(' '))
      await control('GET', `/requests?${query}`);
    await control('DELETE', '/requests');
    await control('GET', '/requests');
    await control('GET', '/requests/req_2');
  },

  faults: async ({ control, service, note }) => {
    await control('GET', '/faults');
    const match = { method: 'GET', path: '/tasks*', operation: 'listTasks', key: 'wm_tiny_read' };
    await control('POST', '/faults', { match, effect: { status: 503 }, times: 1, after: 1 });
    for (let i = 0; i < 3; i++) await service('GET', '/tasks?limit=1', undefined, 'wm_tiny_read');
    await control('GET', '/faults/fault_1');
    await control('POST', '/faults/fault_1/release');
    await control('DELETE', '/faults/fault_1');
    for (const status of [400, 401, 403, 404, 409, 413, 418, 422, 429, 500, 502, 503, 504, 599]) {
      await control('POST', '/faults', { effect: { status }, times: 1 });
      await service('GET', '/users/me');
    }
    for (const effect of [
      { body: 'empty' },
      { body: 'malformed' },
      { body: 'truncated' },
      { body: 'empty', status: 500 },
      { abort: true },
      { abort: true, delay_ms: 1 },
      { delay_ms: 1 },
      { delay_ms: { min: 0, max: 2 } },
      { abort: false, hold: false, status: 500 },
    ]) {
      await control('POST', '/faults', { effect, times: 2 });
      await service('GET', '/users/me');
      await service('DELETE', '/tasks/task_talked', undefined, 'wm_tiny_read');
    }
    await control('GET', '/requests?limit=3');
    note('chance');
    await control('POST', '/faults', { effect: { status: 500 }, probability: 0.5 });
    for (let i = 0; i < 6; i++) await service('GET', '/users/me');
    await control('GET', '/faults');
    await control('DELETE', '/faults');
    await control('GET', '/faults');
    note('refusals');
    const refused = [
      {},
      { effect: {} },
      { effect: { status: 200 } },
      { effect: { status: 399, delay_ms: -1 } },
      { effect: { status: 600 } },
      { effect: { status: '500' } },
      { effect: { delay_ms: 3_600_001 } },
      { effect: { delay_ms: { min: 5, max: 1 } } },
      { effect: { delay_ms: { min: 5 } } },
      { effect: { abort: true, status: 500 } },
      { effect: { abort: true, body: 'empty' } },
      { effect: { body: 'rotten', hold: 1 } },
      { effect: { status: 500 }, probability: 2 },
      { effect: { status: 500 }, probability: -0.1 },
      { effect: { status: 500 }, times: 0, after: -1 },
      { effect: { status: 500 }, match: { key: 'wm_nobody' } },
      { effect: { status: 500 }, match: { operation: 'listDreams', method: 'get', path: '', header: 'x' } },
      { effect: { delay_ms: { min: 5, max: 1 }, abort: true, status: 500 }, match: { key: 'wm_nobody' } },
      { effect: null, match: [] },
    ];
    for (const draft of refused) await control('POST', '/faults', draft);
    await control('GET', '/faults/fault_99');
    await control('DELETE', '/faults/fault_99');
    await control('POST', '/faults/fault_99/release');
    await control('GET', '/faults');
    note('a key may be named by its id');
    const { body: keys } = await control('GET', '/data/keys');
    await control('POST', '/faults', { match: { key: keys.items[2].id }, effect: { hold: true } });
    await control('POST', '/faults', { match: {}, effect: { status: 500 } });
  },

  door: async ({ control, note }) => {
    note('calls that do not exist');
    for (const path of ['', '/', '/nowhere']) await control('GET', path);
    await control('PUT', '/clock');
    await control('DELETE', '/webhooks/wh_1/simulate');
    await control('OPTIONS', '/data/keys');
    note('bodies');
    for (const body of ['{', '', '  ', 'null', '[]', '"frozen"', '{"now":1,"now":2}', '['.repeat(101)])
      await control('POST', '/clock', body);
    const types = ['text/plain', 'multipart/form-data; boundary=x', 'application/json; charset=utf-8', 'application/x+json'];
    for (const type of types) {
      await control('POST', '/clock', '{"mode":"frozen"}', { headers: { 'content-type': type } });
      await control('POST', '/reset', 'x', { headers: { 'content-type': type } });
    }
    await control('POST', '/reset', '{"any":"thing"}');
    for (const length of ['67108865', '67108864'])
      await control('POST', '/reset', '{}', { headers: { 'content-length': length, 'content-type': 'application/json' } });
    note('strangers');
    await control('GET', '/health', undefined, { headers: { host: 'evil.test' } });
    await control('GET', '/health', undefined, { headers: { host: `${'evil'.repeat(40)}.test` } });
    await control('GET', '/health', undefined, { headers: { origin: 'http://evil.test' } });
    await control('GET', '/health', undefined, { headers: { 'sec-fetch-site': 'cross-site' } });
    await control('GET', '/health', undefined, { headers: { origin: 'http://wm-mock.test', 'sec-fetch-site': 'same-origin' } });
    await control('GET', '/health', undefined, { headers: { origin: 'https://wm-mock.test', 'sec-fetch-site': 'none' } });
    await control('GET', '/nowhere', undefined, { headers: { origin: 'http://evil.test' } });
    for (const headers of [{ host: 'evil.test' }, { origin: 'http://evil.test' }])
      await control('GET', '/inbox/x', undefined, { headers } as object);
  },
};

const transcripts = new Map<string, Promise<string>>();

/** Requests and responses of a play, which is played once. */
const transcriptOf = (name: string): Promise<string> => {
  const play = async () => {
    const stage = await start({}, (text) => text.replace(/"(last_used_at|real_at)":\s?"(?!2025-01-20)[^"]*"/g, '"$1":"(now)"'));
    await PLAYS[name]!(stage);
    return stage.text();
  };
  if (!transcripts.has(name)) transcripts.set(name, play());
  return transcripts.get(name)!;
};

test.each(Object.keys(PLAYS))('the control API: %s', async (name) => {
  await expect(await transcriptOf(name)).toMatchFileSnapshot(`golden/${name}.txt`);
});

test('with a token, each call but those of the inbox and the one on health asks for it', async () => {
  const play = await start({ controlToken: 'sesame' });
  await play.control('GET', '/clock');
  for (const headers of [
    { authorization: 'Bearer sesame' },
    { authorization: 'bearer  sesame ' },
    { authorization: 'Basic sesame' },
    { authorization: 'Bearer open sesame' },
    { 'x-wm-control-token': 'sesame' },
    { 'x-wm-control-token': 'SESAME' },
    { cookie: 'a=b; wm_mock_token_80=sesame' },
    { cookie: 'wm_mock_token_80=sesam%65' },
    { cookie: 'wm_mock_token_80=%' },
    { cookie: 'wm_mock_token_4700=sesame' },
  ]) {
    await play.control('GET', '/clock', undefined, { headers: headers as unknown as Record<string, string> });
  }
  await play.control('GET', '/clock?token=sesame');
  await play.control('GET', '/clock?token=');
  await play.control('GET', '/nowhere');
  await play.control('GET', '/health');
  await play.control('POST', '/inbox/x', '{}');
  await play.control('GET', '/inbox/x/messages');
  await expect(play.text()).toMatchFileSnapshot('golden/token.txt');
});

test('the transcripts leave out no call', async () => {
  const missing = new Set<ControlId>(CONTROL_IDS);
  for (const name of Object.keys(PLAYS)) {
    for (const [, method, path] of (await transcriptOf(name)).matchAll(/^> ([A-Z]+) (?:\/worlds\/[^/]+)?\/_mock([^? \n]*)/gm)) {
      const id = callOf(method!, path!);
      if (id) missing.delete(id);
    }
  }
  expect([...missing]).toEqual(['listen', 'panel', 'document']);
});

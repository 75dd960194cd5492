// Every call of the control API over a socket, with good and with bad input.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LATEST, RELEASES } from '../contract/releases.ts';
import { type ControlBench, controlBench } from '../test/control.ts';
import { CONTROL_IDS, controlRow } from './operations.ts';

let bench: ControlBench;
beforeAll(async () => {
  bench = await controlBench();
});
afterAll(() => bench.mock.close());

const ask: ControlBench['ask'] = (...args) => bench.ask(...args);
const call: ControlBench['call'] = (...args) => bench.call(...args);
const fields = (body: { error: { details: { fields?: { field: string }[] } } }) =>
  (body.error.details.fields ?? []).map(({ field }) => field);

describe('health, reset, snapshots, state', () => {
  test('health', async () => expect((await ask('GET', '/health')).body).toEqual({ status: 'ok' }));

  test('reset brings back data, clock, faults, limits, journal and deliveries', async () => {
    const before = (await call('GET', '/projects')).text;
    await call('POST', '/projects', { name: 'A' });
    await ask('POST', '/clock/advance', { by: '2h' });
    await ask('POST', '/faults', { effect: { status: 500 } });
    expect((await ask('POST', '/reset')).body).toEqual({ status: 'ok' });
    expect((await ask('GET', '/requests')).body.items).toEqual([]);
    expect((await ask('GET', '/faults')).body.items).toEqual([]);
    expect((await ask('GET', '/deliveries')).body.items).toEqual([]);
    const after = await call('GET', '/projects');
    expect(after.text).toBe(before);
    expect(after.headers.get('x-ratelimit-remaining')).toBe('999');
    expect((await ask('GET', '/clock')).body).toMatchObject({ now: '2025-01-20T09:00:00.000Z', mode: 'frozen' });
  });

  test('a snapshot is saved, brought back as often as wanted, and forgotten', async () => {
    const { body: saved } = await ask('POST', '/snapshots');
    expect((await ask('GET', '/snapshots')).body.items).toContainEqual({ id: saved.id });
    const before = (await call('GET', '/projects')).text;
    for (const name of ['B', 'C']) {
      await call('POST', '/projects', { name });
      await ask('POST', '/clock', { now: '2026-01-01T00:00:00Z' });
      expect((await ask('POST', `/snapshots/${saved.id}/restore`)).status).toBe(200);
      expect((await call('GET', '/projects')).text).toBe(before);
      expect((await ask('GET', '/clock')).body.now).toBe('2025-01-20T09:00:00.000Z');
    }
    expect((await ask('DELETE', `/snapshots/${saved.id}`)).status).toBe(204);
    expect((await ask('POST', `/snapshots/${saved.id}/restore`)).status).toBe(404);
    expect((await ask('DELETE', '/snapshots/snap_99')).status).toBe(404);
  });

  test('the state comes as JSON and as YAML; another format is refused', async () => {
    expect((await ask('GET', '/state')).body.workspaces[0].id).toBe('ws_tiny');
    const yaml = await ask('GET', '/state?format=yaml');
    expect([yaml.headers.get('content-type'), yaml.text]).toEqual(['application/yaml', expect.stringContaining('id: ws_tiny')]);
    const wrong = await ask('GET', '/state?format=xml&other=1');
    expect([wrong.status, fields(wrong.body)]).toEqual([400, ['other', 'format']]);
  });
});

describe('worlds', () => {
  test('one is opened, listed, asked at its own address and deleted', async () => {
    const { status, body } = await ask('POST', '/worlds', { id: 'one' });
    expect([status, body.id, body.base_url, body.control_url]).toEqual([
      201,
      'one',
      `${bench.server.origin}/worlds/one/v1`,
      `${bench.server.origin}/worlds/one/_mock`,
    ]);
    expect(body.keys[0]).toMatchObject({ value: 'wm_tiny_admin', scope: 'admin', workspace_id: 'ws_tiny', user_id: 'user_ada' });
    expect((await ask('GET', '/worlds')).body.items.map(({ id }: { id: string }) => id)).toContain('one');
    expect((await call('GET', '/tasks', undefined, 'wm_tiny_read', 'one')).status).toBe(200);
    expect((await ask('DELETE', '/worlds/one')).status).toBe(204);
    expect((await call('GET', '/tasks', undefined, 'wm_tiny_read', 'one')).status).toBe(404);
    expect((await ask('DELETE', '/worlds/one')).status).toBe(404);
    expect((await ask('GET', '/health', undefined, {}, 'one')).status).toBe(404);
  });

  test('an id that is taken or no id, an unknown origin, a broken seed', async () => {
    await ask('POST', '/worlds', { id: 'two' });
    expect((await ask('POST', '/worlds', { id: 'two' })).status).toBe(409);
    expect((await ask('POST', '/worlds', { id: 'default' })).status).toBe(409);
    expect(fields((await ask('POST', '/worlds', { id: '../x' })).body)).toEqual(['id']);
    expect((await ask('POST', '/worlds', { from: 'snap_77' })).status).toBe(404);
    expect((await ask('POST', '/worlds', { from: 'seed', seed: {} })).status).toBe(422);
    const broken = await ask('POST', '/worlds', { seed: { workspaces: [{ id: 'ws_x', users: [], api_keys: [] }] } });
    expect([broken.status, fields(broken.body).every((field) => field.startsWith('seed'))]).toEqual([422, true]);
    expect((await ask('POST', '/worlds', { mint_keys: 'yes', colour: 'red' })).status).toBe(400);
    await ask('DELETE', '/worlds/two');
  });
});

describe('the clock', () => {
  test('is set, frozen, let run, moved on', async () => {
    expect((await ask('POST', '/clock', { now: '2025-03-01T00:00:00+01:00' })).body).toMatchObject({
      now: '2025-02-28T23:00:00.000Z',
      mode: 'frozen',
    });
    expect((await ask('POST', '/clock', { mode: 'running' })).body.mode).toBe('running');
    expect((await ask('POST', '/clock', { mode: 'frozen', now: 1_700_000_000_000 })).body.now).toBe('2023-11-14T22:13:20.000Z');
    for (const [by, now] of [
      ['90m', '2023-11-14T23:43:20.000Z'],
      ['30s', '2023-11-14T23:43:50.000Z'],
      ['1.5s', '2023-11-14T23:43:51.500Z'],
      [500, '2023-11-14T23:43:52.000Z'],
      ['1w', '2023-11-21T23:43:52.000Z'],
    ] as const) {
      expect((await ask('POST', '/clock/advance', { by })).body).toEqual({ now, mode: 'frozen', next: null, deliveries: [] });
    }
    expect((await ask('POST', '/clock/advance', { to: 'next' })).body.now).toBe('2023-11-21T23:43:52.000Z');
    await ask('POST', '/reset');
  });

  test.each([
    ['/clock', {}, 422],
    ['/clock', { now: 'soon' }, 422],
    ['/clock', { now: true }, 400],
    ['/clock', { mode: 'backwards' }, 422],
    ['/clock', { now: 1e17 }, 422],
    ['/clock/advance', {}, 422],
    ['/clock/advance', { by: '-1s' }, 422],
    ['/clock/advance', { by: -1 }, 422],
    ['/clock/advance', { by: 'an hour' }, 422],
    ['/clock/advance', { by: '2h', to: 'next' }, 422],
    ['/clock/advance', { to: 'end' }, 422],
    ['/clock/advance', { by: '999999999999w' }, 422],
  ])('%s %j is refused with %i', async (path, body, status) => expect((await ask('POST', path, body)).status).toBe(status));
});

describe('the dashboard', () => {
  test('a key is shown once, works, is seen to be used, and is refused once revoked', async () => {
    const draft = { workspace_id: 'ws_tiny', name: 'CI', scope: 'read', user_id: 'user_bo' };
    const { status, body } = await ask('POST', '/keys', draft);
    expect([status, body]).toEqual([201, { ...body, ...draft, revoked: false, last_used_at: null }]);
    expect((await call('GET', '/users/me', undefined, body.value)).body.data.id).toBe('user_bo');
    const listed = await ask('GET', '/keys');
    expect(listed.body.items.find(({ id }: { id: string }) => id === body.id).last_used_at).toBe('2025-01-20T09:00:00.000Z');
    expect(listed.text).not.toContain(body.value);
    const revoked = await ask('POST', `/keys/${body.id}/revoke`, {});
    expect([revoked.body.revoked, revoked.text.includes(body.value)]).toEqual([true, false]);
    expect((await call('GET', '/users/me', undefined, body.value)).status).toBe(401);
    expect((await ask('POST', '/keys/key_none/revoke')).status).toBe(404);
    expect(fields((await ask('POST', '/keys', { ...draft, workspace_id: 'ws_x', user_id: 'user_x' })).body)).toEqual([
      'workspace_id',
      'user_id',
    ]);
    expect((await ask('POST', '/keys', { ...draft, scope: 'root' })).status).toBe(422);
    expect((await ask('POST', '/keys', { name: 'x' })).status).toBe(400);
  });

  test('a workspace goes on another plan at once, and what was counted stays counted', async () => {
    await ask('POST', '/reset');
    await call('GET', '/tasks');
    const { status, body } = await ask('PATCH', '/workspaces/ws_tiny', { plan: 'free' });
    expect([status, body.plan, body.requests_per_minute]).toEqual([200, 'free', 60]);
    const { headers } = await call('GET', '/tasks');
    expect([headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')]).toEqual(['60', '58']);
    expect((await ask('PATCH', '/workspaces/ws_tiny', { plan: 2 })).body.plan).toBe(2);
    expect((await call('GET', '/tasks')).status).toBe(429);
    expect((await ask('GET', '/workspaces')).body.items).toMatchObject([{ id: 'ws_tiny', plan: 2, requests_per_minute: 2 }]);
    expect((await ask('GET', '/state')).body.workspaces[0].requests_per_minute).toBe(2);
    expect((await ask('PATCH', '/workspaces/ws_tiny', { plan: 'gold' })).status).toBe(422);
    expect((await ask('PATCH', '/workspaces/ws_x', { plan: 'free' })).status).toBe(404);
    await ask('POST', '/reset');
    expect((await ask('GET', '/workspaces')).body.items[0].plan).toBe('business');
  });

  test('somebody is invited, then joins; each fires its event', async () => {
    await call('POST', '/webhooks', { url: `${bench.server.origin}/_mock/inbox/members` });
    const draft = { workspace_id: 'ws_tiny', name: 'Cy', email: 'cy@tiny.test', role: 'member' };
    const invited = await ask('POST', '/members/invite', draft);
    expect([invited.status, invited.body.state]).toEqual([201, 'invited']);
    // Two attempts under way at once may arrive in either order: the first is let end before the second begins.
    await ask('POST', '/clock/advance', { by: 0 });
    expect((await call('GET', '/workspace/members')).text).not.toContain('cy@tiny.test');
    expect((await ask('POST', '/members/invite', draft)).status).toBe(409);
    expect((await ask('POST', `/members/${invited.body.id}/join`, {})).body.state).toBe('joined');
    expect((await ask('POST', `/members/${invited.body.id}/join`)).status).toBe(409);
    expect((await call('GET', '/workspace/members')).text).toContain('cy@tiny.test');
    await ask('POST', '/clock/advance', { by: 0 });
    const { body } = await ask('GET', '/inbox/members/messages');
    expect(body.items.map(({ body: sent }: { body: { event: string } }) => sent.event)).toEqual([
      'member.invited',
      'member.joined',
    ]);
    expect((await ask('POST', '/members/user_none/join')).status).toBe(404);
    expect(fields((await ask('POST', '/members/invite', { ...draft, workspace_id: 'ws_x' })).body)).toEqual(['workspace_id']);
    expect(fields((await ask('POST', '/members/invite', { ...draft, email: 'nobody' })).body)).toEqual(['email']);
  });

  test('a comment appears on its task, and goes', async () => {
    const made = await ask('POST', '/tasks/task_dated/comments', { author_id: 'user_bo', body: 'Hello' });
    expect([made.status, made.body.author_id, made.body.task_id]).toEqual([201, 'user_bo', 'task_dated']);
    expect((await call('GET', '/tasks/task_dated/comments')).body.items.at(-1)).toMatchObject({
      id: made.body.id,
      body: 'Hello',
    });
    expect((await ask('DELETE', `/comments/${made.body.id}`)).status).toBe(204);
    expect((await ask('DELETE', `/comments/${made.body.id}`)).status).toBe(404);
    expect((await ask('POST', '/tasks/task_none/comments', { author_id: 'user_bo', body: 'x' })).status).toBe(404);
    expect(fields((await ask('POST', '/tasks/task_dated/comments', { author_id: 'user_none', body: 'x' })).body)).toEqual([
      'author_id',
    ]);
    expect((await ask('POST', '/tasks/task_dated/comments', { author_id: 'user_bo', body: '' })).status).toBe(422);
  });

  test('open points are read and answered anew', async () => {
    const { body } = await ask('GET', '/choices');
    expect(body.items.find(({ name }: { name: string }) => name === 'patch-status')).toMatchObject({
      answer: '200',
      ours: '200',
    });
    expect((await ask('PATCH', '/choices', { 'patch-status': '202' })).body.answers['patch-status']).toBe('202');
    expect((await call('PATCH', '/tasks/task_dated', { title: 'X' })).status).toBe(202);
    expect(fields((await ask('PATCH', '/choices', { 'patch-status': '418', nonsense: 'x' })).body)).toEqual([
      'patch-status',
      'nonsense',
    ]);
    expect((await ask('PATCH', '/choices', [])).status).toBe(400);
    await ask('POST', '/reset');
  });
});

describe('webhooks', () => {
  test('registrations are listed without secret; attempts end as ordered; the log is read and replayed', async () => {
    const made = await call('POST', '/webhooks', {
      url: `${bench.server.origin}/_mock/inbox/hook`,
      events: ['task.created', 'task.deleted'],
    });
    const { id, secret } = made.body.data;
    const listed = await ask('GET', '/webhooks');
    expect(listed.body.items).toEqual([
      {
        id,
        workspace_id: 'ws_tiny',
        url: made.body.data.url,
        events: ['task.created', 'task.deleted'],
        created_at: made.body.data.created_at,
      },
    ]);
    expect(listed.text).not.toContain(secret);
    expect((await ask('POST', `/webhooks/${id}/simulate`, { outcomes: [500, 'timeout'] })).status).toBe(200);
    await call('POST', '/projects/proj_one/tasks', { title: 'One' });
    const { body: first } = await ask('POST', '/clock/advance', { by: 0 });
    expect(first.deliveries).toMatchObject([{ state: 'retrying', attempts: [{ status: 500 }] }]);
    const { body: next } = await ask('POST', '/clock/advance', { to: 'next' });
    expect([next.now, next.deliveries[0].attempts.length]).toEqual(['2025-01-20T09:00:30.000Z', 2]);
    const { body: last } = await ask('POST', '/clock/advance', { by: '3m' });
    const [delivery] = last.deliveries;
    expect(delivery).toMatchObject({ state: 'delivered', webhook_id: id, event: { event: 'task.created' } });
    expect((await ask('GET', `/deliveries/${delivery.id}`)).body).toEqual(delivery);
    expect((await ask('GET', `/deliveries?webhook_id=${id}&event=task.created&state=delivered`)).body.items).toHaveLength(1);
    expect((await ask('GET', '/deliveries?event=task.deleted')).body.items).toEqual([]);
    expect((await ask('POST', `/deliveries/${delivery.id}/replay`)).status).toBe(200);
    await ask('POST', '/clock/advance', { by: 0 });
    const { body: inbox } = await ask('GET', '/inbox/hook/messages');
    expect(inbox.items.map(({ body }: { body: { id: string } }) => body.id)).toEqual([delivery.event.id, delivery.event.id]);
    expect(inbox.items[0].headers['x-service-signature']).toMatch(/^[0-9a-f]{64}$/);
    expect((await ask('DELETE', `/webhooks/${id}`)).status).toBe(204);
    expect((await ask('POST', `/deliveries/${delivery.id}/replay`)).status).toBe(409);
    expect((await ask('POST', `/webhooks/${id}/simulate`, { outcomes: [200] })).status).toBe(404);
  });

  test('unknown ids, outcomes that are none, filters that are none', async () => {
    for (const [method, path] of [
      ['DELETE', '/webhooks/wh_none'],
      ['GET', '/deliveries/dlv_none'],
      ['POST', '/deliveries/dlv_none/replay'],
    ] as const) {
      expect((await ask(method, path)).status, path).toBe(404);
    }
    for (const outcomes of [[], [99], ['soon'], [600]])
      expect((await ask('POST', '/webhooks/wh_one/simulate', { outcomes })).status).toBe(422);
    expect((await ask('POST', '/webhooks/wh_one/simulate', { outcomes: 500 })).status).toBe(400);
    expect(fields((await ask('GET', '/deliveries?state=lost')).body)).toEqual(['state']);
  });

  test('the inbox takes anything, answers as told, and shows it', async () => {
    expect((await ask('POST', '/inbox/mine/respond', { statuses: [500, 204] })).body).toEqual({ statuses: [500, 204] });
    const statuses = [];
    for (const method of ['POST', 'PUT', 'GET']) {
      const body = method === 'GET' ? undefined : 'a=1';
      statuses.push((await ask(method, '/inbox/mine?x=1', body, { 'content-type': 'text/plain' })).status);
    }
    expect(statuses).toEqual([500, 204, 200]);
    const { body } = await ask('GET', '/inbox/mine/messages');
    expect(
      body.items.map(({ method, body: sent, status, query }: Record<string, unknown>) => [method, sent, status, query]),
    ).toEqual([
      ['POST', 'a=1', 500, '?x=1'],
      ['PUT', 'a=1', 204, '?x=1'],
      ['GET', null, 200, '?x=1'],
    ]);
    expect((await ask('POST', '/inbox/mine/respond', { statuses: [100] })).status).toBe(422);
    expect((await ask('GET', '/inbox/other/messages')).body.items).toEqual([]);
  });
});

describe('journal and faults', () => {
  test('exchanges are found by method, path, status and operation, read one by one, and forgotten', async () => {
    await ask('DELETE', '/requests');
    await call('GET', '/tasks?limit=1');
    await call('GET', '/tasks/task_none');
    await call('POST', '/projects', { name: '' });
    const ids = async (query: string) =>
      (await ask('GET', `/requests${query}`)).body.items.map(({ operation }: { operation: string }) => operation);
    expect(await ids('')).toEqual(['listTasks', 'getTask', 'createProject']);
    expect(await ids('?method=post')).toEqual(['createProject']);
    expect(await ids('?path=/tasks')).toEqual(['listTasks']);
    expect(await ids('?path=/v1/tasks*')).toEqual(['listTasks', 'getTask']);
    expect(await ids('?status=404')).toEqual(['getTask']);
    expect(await ids('?status=4xx&operation=createProject')).toEqual(['createProject']);
    expect(await ids('?limit=1')).toEqual(['createProject']);
    const [{ id }] = (await ask('GET', '/requests')).body.items;
    expect((await ask('GET', `/requests/${id}`)).body.path).toBe('/v1/tasks?limit=1');
    expect((await ask('GET', '/requests/req_99999')).status).toBe(404);
    expect((await ask('GET', '/requests/nonsense')).status).toBe(404);
    expect((await ask('GET', '/requests?status=many')).status).toBe(400);
    expect((await ask('DELETE', '/requests')).status).toBe(204);
    expect(await ids('')).toEqual([]);
  });

  test('faults are ordered, counted, read, released, removed', async () => {
    const draft = {
      match: { method: 'GET', path: '/tasks*', operation: 'listTasks', key: 'wm_tiny_read' },
      effect: { status: 503 },
      times: 1,
    };
    const made = await ask('POST', '/faults', draft);
    expect([made.status, made.body.hits, made.text.includes('wm_tiny_read')]).toEqual([201, 0, false]);
    expect((await call('GET', '/tasks')).status).toBe(200);
    expect((await call('GET', '/tasks', undefined, 'wm_tiny_read')).status).toBe(503);
    expect((await call('GET', '/tasks', undefined, 'wm_tiny_read')).status).toBe(200);
    expect((await ask('GET', `/faults/${made.body.id}`)).body).toMatchObject({ hits: 1, seen: 2 });
    expect((await ask('POST', `/faults/${made.body.id}/release`)).body.released).toBe(true);
    expect((await ask('DELETE', `/faults/${made.body.id}`)).status).toBe(204);
    for (const [method, path] of [
      ['GET', '/faults/fault_9'],
      ['DELETE', '/faults/fault_9'],
      ['POST', '/faults/fault_9/release'],
    ] as const) {
      expect((await ask(method, path)).status).toBe(404);
    }
    await ask('POST', '/faults', { effect: { hold: true } });
    expect((await ask('GET', '/faults')).body.items).toHaveLength(1);
    expect((await ask('DELETE', '/faults')).status).toBe(204);
    expect((await ask('GET', '/faults')).body.items).toEqual([]);
  });

  test.each([
    [{}, 400],
    [{ effect: {} }, 422],
    [{ effect: { status: 200 } }, 422],
    [{ effect: { status: '500' } }, 400],
    [{ effect: { delay_ms: -1 } }, 422],
    [{ effect: { delay_ms: { min: 5, max: 1 } } }, 422],
    [{ effect: { delay_ms: { min: 5 } } }, 400],
    [{ effect: { abort: true, status: 500 } }, 422],
    [{ effect: { body: 'rotten' } }, 422],
    [{ effect: { status: 500 }, probability: 2 }, 422],
    [{ effect: { status: 500 }, times: 0 }, 422],
    [{ effect: { status: 500 }, match: { key: 'wm_nobody' } }, 422],
    [{ effect: { status: 500 }, match: { operation: 'listDreams' } }, 422],
    [{ effect: { status: 500 }, match: { header: 'x' } }, 400],
  ])('the fault %j is refused with %i', async (draft, status) =>
    expect((await ask('POST', '/faults', draft)).status).toBe(status),
  );
});

describe('the release', () => {
  test('is read with the release history, set, and refused when there is none of its name', async () => {
    const first = await ask('GET', '/release');
    expect(first.body).toMatchObject({ release: LATEST, version: RELEASES[LATEST].version });
    expect(first.body.releases.map(({ date }: { date: string }) => date)).toEqual(
      Object.values(RELEASES).map(({ date }) => date),
    );
    expect((await ask('PATCH', '/release', { release: '1.1' })).body.version).toBe('1.1.0');
    expect((await call('GET', '/teams')).status).toBe(404);
    expect((await ask('PATCH', '/release', { release: '2.0' })).status).toBe(422);
    expect((await ask('PATCH', '/release', { forward_compat: ['fields'] })).body.forward_compat).toEqual(['fields']);
    expect((await ask('PATCH', '/release', { forward_compat: ['colour'] })).status).toBe(422);
    expect((await ask('GET', '/compatibility')).body).toMatchObject({ forward_compat: ['fields'], warnings: [] });
    expect((await ask('PATCH', '/release', { relaese: '1.0' })).status).toBe(400);
    await ask('POST', '/reset');
    expect((await ask('GET', '/release')).body.release).toBe(LATEST);
  });

  test('is that of a world alone, and stands in the state', async () => {
    const { body } = await ask('POST', '/worlds', { id: 'then', release: '1.0' });
    expect(body.release).toBe('1.0');
    expect((await call('GET', '/tasks', undefined, 'wm_tiny_admin', 'then')).body.meta).not.toHaveProperty('next_cursor');
    expect((await call('GET', '/tasks')).body.meta).toHaveProperty('next_cursor');
    expect((await ask('GET', '/state', undefined, {}, 'then')).body.release).toBe('1.0');
    expect((await ask('GET', '/worlds')).body.items[0]).toMatchObject({ id: 'then', release: '1.0' });
    expect((await ask('POST', '/worlds', { release: '0.9' })).status).toBe(422);
    const { body: document } = await ask('GET', '/worlds');
    expect(document.items).toHaveLength(1);
    await ask('DELETE', '/worlds/then');
  });
});

describe('the API as a whole', () => {
  test('its document lists every call, and paths in it answer', async () => {
    const { body } = await ask('GET', '/openapi.json');
    expect(body.openapi).toBe('3.1.0');
    for (const id of CONTROL_IDS) {
      const { method, path } = controlRow(id);
      expect(body.paths[path][method === 'ANY' ? 'post' : method.toLowerCase()].operationId).toBe(id);
    }
    const inWorld = await ask('POST', '/worlds', { id: 'doc' });
    expect((await ask('GET', '/openapi.json', undefined, {}, 'doc')).body.servers).toEqual([{ url: '/worlds/doc/_mock' }]);
    expect(inWorld.status).toBe(201);
    await ask('DELETE', '/worlds/doc');
  });

  test('unknown calls, wrong methods, bodies that are no JSON', async () => {
    expect((await ask('GET', '/nowhere')).status).toBe(404);
    const wrong = await ask('PUT', '/clock');
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, POST']);
    expect((await ask('POST', '/clock', '{')).status).toBe(400);
    expect((await ask('POST', '/clock', '')).status).toBe(400);
    expect((await ask('POST', '/clock', 'null')).status).toBe(400);
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
      for (const path of ['/clock', '/reset', '/snapshots']) {
        const refused = await ask('POST', path, '{"mode":"frozen"}', { 'content-type': type });
        expect([refused.status, refused.body.error.code], `${path} ${type}`).toEqual([415, 'unsupported_media_type']);
      }
    }
    expect((await ask('POST', '/clock', { mode: 'frozen', __proto__x: 1 })).status).toBe(400);
  });

  test('it counts against no limit and stands in no journal', async () => {
    await ask('POST', '/reset');
    for (let i = 0; i < 5; i++) await ask('GET', '/keys');
    expect((await call('GET', '/tasks')).headers.get('x-ratelimit-remaining')).toBe('999');
    expect((await ask('GET', '/requests')).body.items).toHaveLength(1);
  });

  test('every call was made above with success, and every one that can be refused was refused', () => {
    const streams = ['listen'];
    expect(CONTROL_IDS.filter((id) => !bench.succeeded.has(id) && !streams.includes(id))).toEqual([]);
    const refusable = CONTROL_IDS.filter((id) => controlRow(id).errors !== undefined || controlRow(id).body !== undefined);
    expect(refusable.filter((id) => !bench.refused.has(id))).toEqual([]);
  });
});

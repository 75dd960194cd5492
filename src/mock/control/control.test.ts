// The rules of the control API that no single call shows; the transcripts beside have every call and every refusal.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Asking, asking } from '../../test/asking.ts';
import { controlOpenApi } from './openapi.ts';
import { CONTROL_IDS, controlRow } from './operations.ts';

let play: Asking;
beforeEach(async () => {
  play = await asking();
});
afterEach(() => play.mock.close());
const ask: Asking['control'] = (...args) => play.control(...args);
const call: Asking['service'] = (...args) => play.service(...args);

test('reset brings back data, clock, faults, limits, journal and deliveries', async () => {
  const before = (await call('GET', '/projects')).text;
  await call('POST', '/webhooks', { url: 'http://127.0.0.1:9/x' });
  await call('POST', '/projects', { name: 'A' });
  await ask('POST', '/clock/advance', { by: '2h' });
  await ask('POST', '/faults', { effect: { status: 500 } });
  expect((await ask('POST', '/reset')).body).toEqual({ status: 'ok' });
  for (const list of ['/requests', '/faults', '/deliveries', '/data/webhooks'])
    expect((await ask('GET', list)).body.items).toEqual([]);
  const after = await call('GET', '/projects');
  expect([after.text, after.headers.get('x-ratelimit-remaining')]).toEqual([before, '999']);
  expect((await ask('GET', '/clock')).body).toMatchObject({ now: '2025-01-20T09:00:00.000Z', mode: 'frozen' });
});

test('a key shows its last use and is refused once it is revoked', async () => {
  const draft = { workspace_id: 'ws_tiny', name: 'CI', scope: 'read', user_id: 'user_bo' };
  const { body: key } = await ask('POST', '/data/keys', draft);
  expect(key.last_used_at).toBeNull();
  expect((await call('GET', '/users/me', undefined, key.value)).status).toBe(200);
  const { body: used } = await ask('GET', `/data/keys?id=${key.id}`);
  expect(used.items).toMatchObject([{ id: key.id, last_used_at: '2025-01-20T09:00:00.000Z' }]);
  const { body: revoked } = await ask('PATCH', `/data/keys/${key.id}`, { revoked: true });
  expect(revoked).toMatchObject({ revoked: true, last_used_at: '2025-01-20T09:00:00.000Z' });
  expect((await call('GET', '/users/me', undefined, key.value)).status).toBe(401);
});

test('a workspace changes to another plan at once, and what was counted stays counted', async () => {
  await call('GET', '/tasks');
  await ask('PATCH', '/workspaces/ws_tiny', { plan: 'free' });
  const { headers } = await call('GET', '/tasks');
  expect([headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')]).toEqual(['60', '58']);
  await ask('PATCH', '/workspaces/ws_tiny', { plan: 2 });
  expect((await call('GET', '/tasks')).status).toBe(429);
  expect((await ask('GET', '/state')).body.workspaces[0].requests_per_minute).toBe(2);
});

test('a release is that of a world alone, and is in its state', async () => {
  await ask('POST', '/worlds', { id: 'then', release: '1.0' });
  expect((await call('GET', '/tasks', undefined, 'wm_tiny_admin', 'then')).body.meta).not.toHaveProperty('next_cursor');
  expect((await call('GET', '/tasks')).body.meta).toHaveProperty('next_cursor');
  expect((await ask('GET', '/state', undefined, { world: 'then' })).body.release).toBe('1.0');
});

test('the document lists every call, below the address of its world', async () => {
  await ask('POST', '/worlds', { id: 'doc' });
  const { body } = await ask('GET', '/openapi.json', undefined, { world: 'doc' });
  expect([body.openapi, body.servers]).toEqual(['3.1.0', [{ url: '/worlds/doc/_mock' }]]);
  for (const id of CONTROL_IDS) {
    const { method, path } = controlRow(id);
    expect(body.paths[path][method === 'ANY' ? 'post' : method.toLowerCase()].operationId).toBe(id);
  }
});

test('a control call counts against no limit and is in no journal', async () => {
  for (let i = 0; i < 5; i++) await ask('GET', '/data/keys');
  expect((await call('GET', '/tasks')).headers.get('x-ratelimit-remaining')).toBe('999');
  expect((await ask('GET', '/requests')).body.items).toHaveLength(1);
});

const LAST = '9999-12-31T23:59:59.999Z';

/** A receiver that refuses six times, so that retries are due. */
const withReceiver = async (): Promise<void> => {
  let refusals = 6;
  await play.mock.close();
  play = await asking({ sender: async () => ({ kind: 'response', status: refusals-- > 0 ? 500 : 204, took: 0 }) });
  expect((await call('POST', '/webhooks', { url: 'http://127.0.0.1:9/never' })).status).toBe(201);
};

test('in the last millisecond of the year 9999 the service works, and time goes no further', async () => {
  await withReceiver();
  await ask('POST', '/clock', { now: LAST });
  const { status, body } = await call('POST', '/projects', { name: 'Late' });
  expect([status, body.data.created_at]).toEqual([201, LAST]);
  await play.mock.webhooks.settled();
  // Every retry would be later than the last moment: all are due in it.
  const [delivery] = (await ask('GET', '/deliveries')).body.items;
  expect(delivery).toMatchObject({ state: 'failed', next_attempt_at: null });
  expect(delivery.attempts.map(({ at }: { at: string }) => at)).toEqual(Array.from({ length: 6 }, () => LAST));
  for (const by of ['1s', '10000w']) expect((await ask('POST', '/clock/advance', { by })).status).toBe(422);
  expect((await ask('GET', '/clock')).body.now).toBe(LAST);
  expect((await call('GET', '/projects?sort=-created_at&limit=1')).body.items[0].created_at).toBe(LAST);
});

test('a clock set back by years dates new records then, keeps lists in order, and opens a new rate window', async () => {
  await withReceiver();
  await call('POST', '/projects', { name: 'Now' });
  await ask('POST', '/clock', { now: '1970-01-01T00:00:00Z' });
  const { headers, body } = await call('POST', '/projects', { name: 'Then' });
  expect([body.data.created_at, headers.get('x-ratelimit-remaining')]).toEqual(['1970-01-01T00:00:00.000Z', '999']);
  const names = (await call('GET', '/projects')).body.items.map(({ name }: { name: string }) => name);
  expect(names).toEqual(['Then', 'One', 'Now']);
  await ask('POST', '/clock/advance', { by: '3h' });
  const [early, late] = (await ask('GET', '/deliveries')).body.items;
  // The retry of what happened in 2025 is due in 2025; the later event got five refusals and then a success.
  expect([early.state, early.attempts.length, late.state, late.attempts.length]).toEqual(['retrying', 1, 'delivered', 6]);
});

test('no name in openapi/control.json is that of a constructor in Go, and no union has a member that Java cannot judge', () => {
  const { schemas } = controlOpenApi().components;
  expect(Object.keys(schemas).filter((name) => name.startsWith('New'))).toEqual([]);
  expect(JSON.stringify(schemas)).not.toMatch(/"anyOf":\[[^\]]*"format"/);
});

test('each response of openapi/control.json with fields has a name, which clients are generated by', () => {
  const responses = Object.values(controlOpenApi().paths as object).flatMap((item: object) =>
    Object.values(item).flatMap(({ responses: all = {} }: { responses?: object }) => Object.values(all)),
  );
  expect(responses.map((one) => one.content?.['application/json']?.schema).filter((schema) => schema?.properties)).toEqual([]);
});

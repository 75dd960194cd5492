// The rules of the control API that no single call shows; the transcripts beside have every call and every refusal.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Asking, asking } from '../../test/asking.ts';
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

test('a workspace goes on another plan at once, and what was counted stays counted', async () => {
  await call('GET', '/tasks');
  await ask('PATCH', '/workspaces/ws_tiny', { plan: 'free' });
  const { headers } = await call('GET', '/tasks');
  expect([headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')]).toEqual(['60', '58']);
  await ask('PATCH', '/workspaces/ws_tiny', { plan: 2 });
  expect((await call('GET', '/tasks')).status).toBe(429);
  expect((await ask('GET', '/state')).body.workspaces[0].requests_per_minute).toBe(2);
});

test('a release is that of a world alone, and stands in its state', async () => {
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

test('it counts against no limit and stands in no journal', async () => {
  for (let i = 0; i < 5; i++) await ask('GET', '/data/keys');
  expect((await call('GET', '/tasks')).headers.get('x-ratelimit-remaining')).toBe('999');
  expect((await ask('GET', '/requests')).body.items).toHaveLength(1);
});

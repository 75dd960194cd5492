// Rules on which the specification is silent, and which no transcript shows.
import { expect, test } from 'vitest';
import { describeMatrix } from '../../test/matrix.ts';

describeMatrix('the service', (start) => {
  test('never moves updated_at back, though the clock is set back', async () => {
    const { call, mock } = await start();
    const { data } = (await call('POST', '/projects', { body: { name: 'A' } })).body;
    mock.world.clock.set(mock.world.clock.now() - 5000);
    const patched = await call('PATCH', `/projects/${data.id}`, { body: { name: 'B' } });
    expect(patched.body.data).toEqual({ ...data, name: 'B' });
  });

  test('visibility restricts no key of the workspace: private projects are read, filtered and changed', async () => {
    const { call } = await start();
    const made = await call('POST', '/projects', { body: { name: 'Secret' }, key: 'wm_tiny_admin' });
    const { id } = made.body.data;
    expect((await call('GET', `/projects/${id}`, { key: 'wm_tiny_read' })).body.data.visibility).toBe('private');
    expect((await call('PATCH', `/projects/${id}`, { body: { name: 'B' }, key: 'wm_tiny_write' })).status).toBe(200);
  });

  test('a due date in the past is accepted', async () => {
    const { call } = await start();
    expect((await call('PATCH', '/tasks/task_dated', { body: { due_date: '1999-01-01T00:00:00Z' } })).status).toBe(200);
  });

  test('scope alone decides what a key may do, the role of its user is only shown', async () => {
    const { call } = await start();
    expect((await call('GET', '/users/me', { key: 'wm_tiny_write' })).body.data.role).toBe('member');
    expect((await call('POST', '/projects', { body: { name: 'A' }, key: 'wm_tiny_write' })).status).toBe(201);
  });

  test('checks come in one order: key, budget, route, scope, record, structure, rules, conflict', async () => {
    const { call } = await start();
    const status = async (method: string, path: string, key: string | null, body?: unknown) =>
      (await call(method, path, { key, ...(body ? { body } : {}) })).status;
    expect(await status('GET', '/nowhere', null)).toBe(401);
    expect(await status('POST', '/nowhere', 'wm_tiny_read', { name: 1 })).toBe(404);
    expect(await status('PATCH', '/tasks/none', 'wm_tiny_read', { title: 1 })).toBe(403);
    expect(await status('PATCH', '/tasks/none', 'wm_tiny_write', { title: 1 })).toBe(404);
    expect(await status('POST', '/teams', 'wm_tiny_write', { name: 'Core', member_ids: 5 })).toBe(400);
    expect(await status('POST', '/teams', 'wm_tiny_write', { name: 'Core', member_ids: ['user_no'] })).toBe(422);
    expect(await status('POST', '/teams', 'wm_tiny_write', { name: 'Core' })).toBe(409);
  });

  test.each(['  ', 'a\u0000b', '<img src=x onerror=alert(1)>', '"\\/\b\f\n\r\t', 'e\u0301', '👩‍👩‍👧', 'שלום', '\u2028'])(
    'text comes back as it was sent: %j',
    async (title) => {
      const { call } = await start();
      const made = await call('POST', '/projects/proj_one/tasks', { body: { title, description: title } });
      expect(made.body.data).toMatchObject({ title, description: title });
      const found = (await call('GET', '/projects/proj_one/tasks?sort=-created_at')).body.items[0];
      expect(found.title).toBe(title);
    },
  );

  test('a call without /v1 is no part of the service', async () => {
    const { mock } = await start();
    expect((await mock.app.request('/tasks')).status).toBe(401);
    expect((await mock.app.request('/tasks', { headers: mock.auth('read') })).status).toBe(404);
  });
});

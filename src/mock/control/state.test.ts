// The state as a seed: a mock planted from it answers the same, now and in what follows.
import { expect, test } from 'vitest';
import { createMock as createPure } from '../../create-mock.ts';
import { createMock, type Mock } from '../../node/index.ts';
import { closing } from '../../test/closing.ts';
import { ask } from '../../test/sending.ts';

const keep = closing();
const start = async (seed: string | object) => keep(await createMock({ seed }));

const control = async (mock: Mock, method: string, path: string, body?: unknown): Promise<string> =>
  (await ask(mock, method, `/_mock${path}`, body)).text;
const api = (mock: Mock, method: string, path: string, body?: unknown, key = 'wm_acme_admin') =>
  ask(mock, method, path, body, { authorization: `Bearer ${key}` });

const LISTS = ['/projects', '/tasks', '/workspace/members', '/teams'];
const READS = [
  ...LISTS.flatMap((list) => [list, `${list}?limit=1`, `${list}?limit=100`]),
  '/tasks?sort=-due_date&limit=3',
  '/users/me',
  '/tasks?sort=title',
];

/** Everything that the keys of a world can read, cursors included. */
const everything = async (mock: Mock): Promise<string[]> => {
  const seen: string[] = [];
  for (const { value } of mock.keys) for (const path of READS) seen.push((await api(mock, 'GET', path, undefined, value)).text);
  return seen;
};

/** A session whose answers depend on chance, order and time. */
const session = async (mock: Mock, run: string): Promise<string[]> => {
  const seen: string[] = [];
  const note = async (method: string, path: string, body?: unknown) => {
    const { status, text } = await api(mock, method, path, body);
    seen.push(`${status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };
  const { data: project } = await note('POST', '/projects', { name: `Project ${run}` });
  for (let i = 0; i < 5; i++) {
    const { data: task } = await note('POST', `/projects/${project.id}/tasks`, { title: `Task ${run} ${i}` });
    if (i % 2 === 0) await note('DELETE', `/tasks/${task.id}`);
    await mock.clock.advance('1s');
  }
  await note('POST', '/webhooks', { url: 'https://hooks.example/x' });
  await note('POST', '/teams', { name: `Team ${run}` });
  const user_id = JSON.parse((await api(mock, 'GET', '/users/me')).text).data.id;
  const named = { workspace_id: 'ws_acme', name: run };
  const key = JSON.parse(await control(mock, 'POST', '/data/keys', { ...named, scope: 'read', user_id }));
  await control(mock, 'PATCH', `/data/keys/${key.id}`, { revoked: true });
  const draft = { ...named, email: `${run}@x.test`, role: 'guest', state: 'invited' };
  const invited = JSON.parse(await control(mock, 'POST', '/data/users', draft));
  await control(mock, 'POST', '/data/comments', { task_id: 'task_hire_offer', author_id: key.user_id, body: run });
  seen.push(key.value, invited.id, (await note('GET', '/tasks?limit=4&sort=-created_at')).meta.next_cursor);
  return seen;
};

test.each(['json', 'yaml'])('through %s: every read, the cursors, and a later session are the same', async (format) => {
  const first = await start('fixtures/demo.yaml');
  first.clock.freeze('2025-01-20T09:00:00Z');
  first.choose({ 'patch-status': '202', 'owner-field': 'owner_id' });
  await session(first, 'before');
  await first.clock.advance('3h');
  const state = await control(first, 'GET', `/state?format=${format}`);
  const mock = (await createPure({ seed: format === 'json' ? JSON.parse(state) : state })) as Mock;
  keep(mock);
  expect(mock.clock.now).toBe(first.clock.now);
  expect(mock.choices).toEqual(first.choices);
  expect(await everything(mock)).toEqual(await everything(first));
  expect(await control(mock, 'GET', `/state?format=${format}`)).toBe(await control(first, 'GET', `/state?format=${format}`));
  expect(await session(mock, 'after')).toEqual(await session(first, 'after'));
});

test('a revoked key is refused, a webhook keeps its secret, and a made id never meets an old one', async () => {
  const first = await start('fixtures/tiny.yaml');
  const task = { title: 'New' };
  const made = JSON.parse((await api(first, 'POST', '/projects/proj_one/tasks', task, 'wm_tiny_admin')).text).data;
  const hook = JSON.parse((await api(first, 'POST', '/webhooks', { url: 'https://hooks.example/x' }, 'wm_tiny_admin')).text).data;
  const key = first.world.store.keys.all()[2]!.value;
  await control(first, 'PATCH', `/data/keys/${key.id}`, { revoked: true });
  const second = keep(await createMock({ seed: JSON.parse(await control(first, 'GET', '/state')) }));
  expect((await api(second, 'GET', '/tasks', undefined, key.value)).status).toBe(401);
  expect(second.world.store.webhooks.get(hook.id)?.value.secret).toBe(hook.secret);
  const next = JSON.parse((await api(second, 'POST', '/projects/proj_one/tasks', task, 'wm_tiny_admin')).text).data;
  expect(next.id).not.toBe(made.id);
  expect(second.world.store.tasks.size).toBe(4);
});

test('a state that somebody has edited is planted all the same', async () => {
  const first = await start('fixtures/tiny.yaml');
  await api(first, 'POST', '/projects', { name: 'Two' }, 'wm_tiny_admin');
  const state = JSON.parse(await control(first, 'GET', '/state'));
  state.workspaces[0].projects.pop();
  const second = keep(await createMock({ seed: state }));
  expect(JSON.parse((await api(second, 'GET', '/projects', undefined, 'wm_tiny_admin')).text).meta.total).toBe(1);
});

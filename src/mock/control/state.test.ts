// The state as a seed: a mock planted from it responds the same, now and later.
import { expect, test } from 'vitest';
import { createMock as createPure } from '../../create-mock.ts';
import { createMock, type Mock } from '../../node/index.ts';
import { keep } from '../../test/closing.ts';
import { ask } from '../../test/sending.ts';

const start = async (seed: string | object) => keep(await createMock({ seed }));

const control = (mock: Mock, method: string, path: string, body?: unknown) => ask(mock, method, `/_mock${path}`, body);
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

/** A session whose responses depend on chance, order and time. */
const session = async (mock: Mock, run: string): Promise<string[]> => {
  const seen: string[] = [];
  const note = async (method: string, path: string, sent?: unknown) => {
    const { status, text, body } = await api(mock, method, path, sent);
    seen.push(`${status} ${text}`);
    return body;
  };
  const { data: project } = await note('POST', '/projects', { name: `Project ${run}` });
  for (let i = 0; i < 5; i++) {
    const { data: task } = await note('POST', `/projects/${project.id}/tasks`, { title: `Task ${run} ${i}` });
    if (i % 2 === 0) await note('DELETE', `/tasks/${task.id}`);
    await mock.clock.advance('1s');
  }
  await note('POST', '/webhooks', { url: 'https://hooks.example/x' });
  await note('POST', '/teams', { name: `Team ${run}` });
  const user_id = (await api(mock, 'GET', '/users/me')).body.data.id;
  const named = { workspace_id: 'ws_acme', name: run };
  const { body: key } = await control(mock, 'POST', '/data/keys', { ...named, scope: 'read', user_id });
  await control(mock, 'PATCH', `/data/keys/${key.id}`, { revoked: true });
  const draft = { ...named, email: `${run}@x.test`, role: 'guest', state: 'invited' };
  const { body: invited } = await control(mock, 'POST', '/data/users', draft);
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
  const exported = async (mock: Mock) => (await control(mock, 'GET', `/state?format=${format}`)).text;
  const state = await exported(first);
  const mock = keep((await createPure({ seed: format === 'json' ? JSON.parse(state) : state })) as Mock);
  expect(mock.clock.now).toBe(first.clock.now);
  expect(mock.choices).toEqual(first.choices);
  expect(await everything(mock)).toEqual(await everything(first));
  expect(await exported(mock)).toBe(await exported(first));
  expect(await session(mock, 'after')).toEqual(await session(first, 'after'));
});

test('a revoked key is refused, a webhook keeps its secret, and a made id never meets an old one', async () => {
  const first = await start('fixtures/tiny.yaml');
  const create = async (mock: Mock, path: string, body: object) =>
    (await api(mock, 'POST', path, body, 'wm_tiny_admin')).body.data;
  const made = await create(first, '/projects/proj_one/tasks', { title: 'New' });
  const hook = await create(first, '/webhooks', { url: 'https://hooks.example/x' });
  const key = first.world.store.keys.all()[2]!.value;
  await control(first, 'PATCH', `/data/keys/${key.id}`, { revoked: true });
  const second = await start((await control(first, 'GET', '/state')).body);
  expect((await api(second, 'GET', '/tasks', undefined, key.value)).status).toBe(401);
  expect(second.world.store.webhooks.get(hook.id)?.value.secret).toBe(hook.secret);
  expect((await create(second, '/projects/proj_one/tasks', { title: 'New' })).id).not.toBe(made.id);
  expect(second.world.store.tasks.size).toBe(4);
});

test('a state that was edited by hand is planted all the same', async () => {
  const first = await start('fixtures/tiny.yaml');
  await api(first, 'POST', '/projects', { name: 'Two' }, 'wm_tiny_admin');
  const { body: state } = await control(first, 'GET', '/state');
  state.workspaces[0].projects.pop();
  const second = await start(state);
  expect((await api(second, 'GET', '/projects', undefined, 'wm_tiny_admin')).body.meta.total).toBe(1);
});

// A page that is requested again is the page of now, and of the workspace of the key.
import { expect, test } from 'vitest';
import { createMock } from '../../create-mock.ts';
import type { Mock } from '../../mock/api/mock.ts';

const ask = async (mock: Mock, path: string, workspace?: string, method = 'GET') => {
  const response = await mock.fetch(path, { method, headers: mock.auth('admin', workspace) });
  return `${response.status} ${await response.text()}`;
};

/** Asks three times, since the third response comes from the cache that the second filled. */
const thrice = async (mock: Mock, path: string, workspace?: string) => {
  const responses = [];
  for (let i = 0; i < 3; i++) responses.push(await ask(mock, path, workspace));
  expect(new Set(responses).size).toBe(1);
  return responses[0]!;
};

test('a list of a record that is gone is refused, though nothing of the list was written', async () => {
  const mock = await createMock();
  const { id } = mock.create.project({ name: 'Empty' });
  expect(await thrice(mock, `/projects/${id}/tasks`)).toMatch(/^200 \{"items":\[\]/);
  await ask(mock, `/projects/${id}`, undefined, 'DELETE');
  expect(await ask(mock, `/projects/${id}/tasks`)).toMatch(/^404 /);
  await mock.close();
});

test('a record that a program writes is in the next page', async () => {
  const mock = await createMock();
  await thrice(mock, '/projects');
  const made = mock.create.project({ name: 'Written' });
  expect(await thrice(mock, '/projects?limit=100')).toContain(made.id);
  mock.update.project(made.id, { name: 'Rewritten' });
  expect(await thrice(mock, '/projects?limit=100')).toContain('Rewritten');
  mock.remove.project(made.id);
  expect(await thrice(mock, '/projects?limit=100')).not.toContain(made.id);
  await mock.close();
});

test('other terms give another page, and the first ones the first', async () => {
  const mock = await createMock();
  const first = await thrice(mock, '/tasks');
  mock.choose({ 'datetime-format': 'seconds' });
  expect(await thrice(mock, '/tasks')).not.toContain('.000Z');
  mock.become('1.2');
  await thrice(mock, '/tasks');
  mock.become('1.3');
  mock.choose({ 'datetime-format': 'milliseconds' });
  expect(await thrice(mock, '/tasks')).toBe(first);
  await mock.close();
});

test('another workspace, another world and a restored snapshot have pages of their own', async () => {
  const workspaces = ['ws_one', 'ws_two'].map((id) => ({
    id,
    name: id,
    users: [{ id: `user_${id}`, name: id, email: `${id}@example.test`, role: 'admin' }],
    api_keys: [{ value: `key_${id}`, name: id, scope: 'admin', user_id: `user_${id}` }],
  }));
  const mock = await createMock({ seed: { workspaces } });
  const [one, two] = [...mock.world.workspaces.keys()];
  const theirs = await thrice(mock, '/workspace/members', one);
  const before = await thrice(mock, '/projects');
  expect(await thrice(mock, '/workspace/members', two)).not.toBe(theirs);
  const fork = mock.fork();
  const snapshot = mock.snapshot();
  fork.create.project({ name: 'In the fork' });
  mock.create.project({ name: 'Since the snapshot' });
  expect(await thrice(fork, '/projects?limit=100')).toMatch(/In the fork/);
  expect(await thrice(mock, '/projects?limit=100')).toMatch(/Since the snapshot/);
  snapshot.restore();
  expect(await thrice(mock, '/projects')).toBe(before);
  await mock.close();
});

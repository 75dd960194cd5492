// The actor of the data page: the first admin of the workspace who has joined, else the first member who has, else none.
import { expect, test } from 'vitest';
import { dashboardBench } from '../../test/dashboard.ts';

/** A user by id, whatever else is said: a role, `invited`, an age. */
const userOf = (words: string) => {
  const [id = '', ...more] = words.split(' ');
  const find = (pattern: RegExp) => more.find((word) => pattern.test(word));
  const fields = { role: find(/^admin$/), state: find(/^invited$/), created_at: find(/^-/) };
  return { id, name: id, ...Object.fromEntries(Object.entries(fields).filter(([, value]) => value)) };
};

test.each<[string, readonly string[], string]>([
  ['an admin before members', ['a', 'b admin'], 'b'],
  ['the first of the admins', ['a admin -1d', 'b admin -2d'], 'b'],
  ['a member before an admin who was only invited', ['a admin invited', 'b'], 'b'],
  ['the first of the members', ['a -1d', 'b -2d'], 'b'],
  ['a member before one who was only invited', ['a invited -2d', 'b'], 'b'],
  ['none where all were only invited', ['a invited', 'b admin invited'], 'dashboard'],
])('%s', async (_, users, owner) => {
  const seed = {
    workspaces: [
      {
        id: 'ws_a',
        name: 'A',
        users: users.map(userOf),
        api_keys: [{ value: 'wm_a', scope: 'read', user_id: 'a' }],
      },
    ],
  };
  const { act, mock } = await dashboardBench({ seed, now: '2025-01-20T09:00:00Z' });
  await act('/dashboard/data/projects?new=1', { do: 'create', name: 'New', visibility: 'private' });
  expect(mock.world.store.projects.all().map(({ value }) => value.owner_id)).toEqual([owner]);
  await mock.close();
});

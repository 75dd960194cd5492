// Who does what the data page does: the first admin of the workspace who has joined, else the first who has, else nobody.
import { expect, test } from 'vitest';
import { dashboardBench } from '../../test/dashboard.ts';

type User = { readonly id: string; readonly role?: string; readonly state?: string; readonly created_at?: string };

test.each<[string, readonly User[], string]>([
  ['an admin before members', [{ id: 'a' }, { id: 'b', role: 'admin' }], 'b'],
  [
    'the first of the admins',
    [
      { id: 'a', role: 'admin', created_at: '-1d' },
      { id: 'b', role: 'admin', created_at: '-2d' },
    ],
    'b',
  ],
  ['a member before an admin who was only invited', [{ id: 'a', role: 'admin', state: 'invited' }, { id: 'b' }], 'b'],
  [
    'the first of the members',
    [
      { id: 'a', created_at: '-1d' },
      { id: 'b', created_at: '-2d' },
    ],
    'b',
  ],
  ['a member before one who was only invited', [{ id: 'a', state: 'invited', created_at: '-2d' }, { id: 'b' }], 'b'],
  [
    'nobody where all were only invited',
    [
      { id: 'a', state: 'invited' },
      { id: 'b', role: 'admin', state: 'invited' },
    ],
    'dashboard',
  ],
])('%s', async (_, users, owner) => {
  const seed = {
    workspaces: [
      {
        id: 'ws_a',
        name: 'A',
        users: users.map((user) => ({ name: user.id, ...user })),
        api_keys: [{ value: 'wm_a', scope: 'read', user_id: 'a' }],
      },
    ],
  };
  const { act, mock } = await dashboardBench({ seed, now: '2025-01-20T09:00:00Z' });
  await act('/dashboard/data/projects?new=1', { do: 'create', name: 'New', visibility: 'private' });
  expect(mock.world.store.projects.all().map(({ value }) => value.owner_id)).toEqual([owner]);
  await mock.close();
});

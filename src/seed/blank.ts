// The seed of those who give none: one workspace, two people, a key of each scope.
import { choose } from '../contract/choices.ts';
import { LATEST } from '../contract/releases.ts';
import { SCOPES } from '../contract/scopes.ts';
import { BLANKS, type Seed } from '../world/records.ts';

const BORN = '2024-07-01T09:00:00.000Z';

const person = (id: string, name: string, role: string) => ({
  ...BLANKS.users,
  id: `user_${id}`,
  name,
  email: `${id}@example.test`,
  role,
  avatar_url: `https://example.test/${id}.png`,
  created_at: BORN,
});

export const blankSeed = (): Seed => ({
  now: null,
  randomSeed: 1,
  choices: choose(),
  release: LATEST,
  forward: [],
  workspaces: [
    {
      id: 'ws_main',
      name: 'Main',
      plan: 'unlimited',
      users: [person('ada', 'Ada Lovelace', 'admin'), person('grace', 'Grace Hopper', 'member')],
      keys: SCOPES.map((scope) => ({
        ...BLANKS.keys,
        id: `key_${scope}`,
        value: `wm_${scope}`,
        name: scope,
        scope,
        user_id: scope === 'admin' ? 'user_ada' : 'user_grace',
        created_at: BORN,
      })),
      projects: [],
      tasks: [],
      comments: [],
      teams: [],
      webhooks: [],
    },
  ],
});

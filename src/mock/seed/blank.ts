// The seed of those who give none: one workspace, two people, a key of each scope.
import { SCOPES } from '../../service/contract/states.ts';
import type { Seed } from '../../service/world/records.ts';
import { complete } from './complete.ts';
import { runSync } from './pausable-work.ts';
import { SeedTimeReader } from './times.ts';

const created_at = '2024-07-01T09:00:00.000Z';

const person = (id: string, name: string, role: string) => {
  const avatar_url = `https://example.test/${id}.png`;
  return { id: `user_${id}`, name, email: `${id}@example.test`, role, avatar_url, created_at };
};

const MAIN = {
  id: 'ws_main',
  name: 'Main',
  plan: 'unlimited',
  users: [person('ada', 'Ada Lovelace', 'admin'), person('grace', 'Grace Hopper', 'member')],
  api_keys: SCOPES.map((scope) => {
    const user_id = scope === 'admin' ? 'user_ada' : 'user_grace';
    return { id: `key_${scope}`, value: `wm_${scope}`, name: scope, scope, user_id, created_at };
  }),
} as const;

export const blankSeed = (): Seed => runSync(complete({ workspaces: [MAIN] }, null, new SeedTimeReader(0), 1));

// The servers of the farms: the foreign one, and the mock in process, loaded at run time because the suite knows nothing of it.
import type { ContractOptions } from '../engine/options.ts';
import { latestRelease, shipped } from '../engine/register.ts';
import type { Release } from '../engine/releases.ts';
import type { Fetch } from '../engine/terms.ts';
import type { Carry } from '../foreign/postman.ts';
import { ForeignServer } from '../foreign/server.ts';
import type { Keys } from './mutants/access.ts';

export interface Target {
  readonly name: string;
  readonly keys: Keys;
  readonly fetch: Fetch;
  /** What a run against it needs besides fetch and allow. */
  readonly options: Pick<ContractOptions, 'baseUrl' | 'keys' | 'time' | 'controlUrl' | 'taskWithComments'>;
  /** Its clock, milliseconds since 1970. */
  now(): number;
  close(): Promise<void>;
}

/** How many more projects, tasks, teams, members and comments a crowded workspace has: more than a page of 20, tasks more than one of 100. */
export const CROWD = { projects: 24, tasks: 110, teams: 24, members: 24, comments: 24 } as const;

export const foreignTarget = async (
  faults: readonly string[] = [],
  limit = 1000,
  { crowded = false, carry }: { crowded?: boolean; carry?: Carry } = {},
): Promise<Target> => {
  const server = new ForeignServer({ faults, limit, ...(crowded ? { crowd: CROWD } : {}), ...(carry ? { carry } : {}) });
  const keys = server.roles();
  return {
    name: 'foreign',
    keys,
    fetch: server.fetch,
    options: { baseUrl: 'http://127.0.0.1/v1', keys, time: server.clock, taskWithComments: server.commented() },
    now: () => server.clock.now(),
    close: async () => {},
  };
};

interface MockDoor {
  createMock(options: object): Promise<{
    fetch: Fetch;
    baseUrl: string;
    clock: { readonly now: string; advance(by: number): Promise<unknown> };
    close(): Promise<void>;
  }>;
}

const KEYS: Keys = {
  admin: 'farm_admin_key',
  write: 'farm_write_key',
  read: 'farm_read_key',
  revoked: 'farm_revoked_key',
  other: 'farm_other_key',
};

const many = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i + 1));

const workspace = (id: string, scopes: readonly (keyof Keys)[], rpm: number, crowd?: typeof CROWD) => ({
  id: `ws_${id}`,
  name: id,
  requests_per_minute: rpm,
  users: ['a', 'b', 'c', ...many(crowd?.members ?? 0, (n) => `d${n}`)].map((letter, i) => ({
    id: `user_${id}_${letter}`,
    name: `User ${letter} of ${id}`,
    email: `${letter}@${id}.test`,
    role: i === 0 ? 'admin' : 'member',
    avatar_url: `https://${id}.test/${letter}.png`,
  })),
  ...(crowd ? { teams: many(crowd.teams, (n) => ({ name: `Standing team ${n}`, member_ids: [`user_${id}_a`] })) } : {}),
  api_keys: scopes.map((role) => ({
    value: KEYS[role],
    name: role,
    scope: role === 'other' ? 'admin' : role === 'revoked' ? 'write' : role,
    user_id: `user_${id}_a`,
    ...(role === 'revoked' ? { revoked: true } : {}),
  })),
  projects: [
    {
      id: `proj_${id}_standing`,
      name: 'Standing',
      owner_id: `user_${id}_a`,
      tasks: [
        {
          id: `task_${id}_commented`,
          title: 'With comments',
          comments: ['one', 'two', 'three', ...many(crowd?.comments ?? 0, String)].map((body) => ({
            author_id: `user_${id}_a`,
            body,
          })),
        },
        ...many(crowd?.tasks ?? 0, (n) => ({ title: `Standing task ${n}` })),
      ],
    },
    ...many(crowd?.projects ?? 0, (n) => ({ name: `Standing ${n}`, owner_id: `user_${id}_a` })),
  ],
});

let door: MockDoor | undefined;

export const mockExists = async (): Promise<boolean> => {
  const path = shipped('dist/index.js');
  if (!path) return false;
  door ??= (await import(path)) as MockDoor;
  return true;
};

/** The mock under some answers to the open points, at some release, ahead of its clients or not; with control, also its clock and worlds. */
export const mockTarget = async (
  choices: Readonly<Record<string, string>> = {},
  control = false,
  release: Release = latestRelease(),
  forwardCompat = false,
  { rpm = 4000, crowded = false, ...wiring }: { rpm?: number; crowded?: boolean; sender?: unknown } = {},
): Promise<Target> => {
  if (!(await mockExists())) throw new Error('dist/index.js is missing: build the package first');
  const seed = {
    now: '2030-01-07T09:00:00Z',
    workspaces: [
      workspace('north', ['admin', 'write', 'read', 'revoked'], rpm, crowded ? CROWD : undefined),
      workspace('south', ['other'], rpm),
    ],
  };
  const mock = await door!.createMock({ seed, choices, release, forwardCompat, ...wiring });
  const time: NonNullable<ContractOptions['time']> = {
    now: () => Date.parse(mock.clock.now),
    sleep: async (ms) => void (await mock.clock.advance(ms)),
    after: (_ms, job) => void setImmediate(job),
    settle: async () => void (await mock.clock.advance(0)),
    virtual: true,
  };
  return {
    name: 'mock',
    keys: KEYS,
    fetch: (url, init) => mock.fetch(url, init),
    options: {
      baseUrl: mock.baseUrl,
      keys: KEYS,
      taskWithComments: 'task_north_commented',
      ...(control ? { controlUrl: new URL('/_mock', mock.baseUrl).href } : { time }),
    },
    now: () => Date.parse(mock.clock.now),
    close: () => mock.close(),
  };
};

// The servers that the suite is judged on: the reference server, and the mock in process, loaded at run time because the suite knows nothing of it.
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import type { ContractOptions } from '../engine/options.ts';
import { latestRelease, shipped } from '../engine/register.ts';
import type { Release } from '../engine/releases.ts';
import type { Fetch, Role } from '../engine/terms.ts';
import { VirtualClock } from './reference/clock.ts';
import type { Post } from './reference/model.ts';
import { createReferenceServer, type ServerOptions } from './reference/server.ts';
import type { Service } from './reference/service/service.ts';

export type Host = 'reference' | 'mock';
export type Keys = Readonly<Record<Role, string>>;

export interface Target {
  readonly keys: Keys;
  readonly fetch: Fetch;
  /** Options of a run against it besides fetch and allow. */
  readonly options: Pick<
    ContractOptions,
    'baseUrl' | 'keys' | 'time' | 'controlUrl' | 'taskWithComments' | 'receiverUrl' | 'receiverPort'
  >;
  /** Its clock, milliseconds since 1970. */
  now(): number;
  close(): Promise<void>;
}

/** How many more projects, tasks, teams, members and comments a crowded workspace has: more than a page of 20, tasks more than one of 100. */
const CROWD = { projects: 24, tasks: 110, teams: 24, members: 24, comments: 24 } as const;
const many = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i + 1));

/** Fills the first workspace of the reference server. */
const crowd = (service: Service, commented: string): void => {
  const { db } = service;
  const copies = <T extends object>(
    rows: T[],
    one: T,
    prefix: string,
    count: number,
    change: (n: number) => Partial<T>,
  ): void => {
    const times = { created: service.now(), updated: service.now() };
    for (let n = 1; n <= count; n++)
      rows.push({ ...one, id: service.newId(prefix), ...times, nth: service.nextNth(), ...change(n) });
  };
  const task = db.tasks.find(({ id }) => id === commented)!;
  const project = db.projects.find(({ id }) => id === task.project)!;
  const comment = db.comments.find((each) => each.task === commented)!;
  copies(db.users, db.users[0]!, 'user', CROWD.members, (n) => ({ name: `Guest ${n}`, email: `guest${n}@example.test` }));
  for (const { id } of db.users.slice(-CROWD.members))
    db.memberships.push({ workspace: task.workspace, user: id, role: 'observer' });
  copies(db.projects, project, 'proj', CROWD.projects, (n) => ({ name: `Standing ${n}` }));
  copies(db.teams, db.teams[0]!, 'team', CROWD.teams, (n) => ({ name: `Standing team ${n}` }));
  copies(db.tasks, task, 'task', CROWD.tasks, (n) => ({ title: `Standing task ${n}` }));
  copies(db.comments, comment, 'cmt', CROWD.comments, (n) => ({ body: `Standing ${n}` }));
};

/** A port that must be known before it is listened on: below those that systems give to connections, so that none takes it in between. */
const freePort = (): Promise<number> => {
  const port = randomInt(20_000, 32_000);
  return new Promise((done) => {
    const server = createServer().once('error', () => done(freePort()));
    server.listen(port, '127.0.0.1', () => server.close(() => done(port)));
  });
};

/** The host of receivers, which no name server knows. */
export const HOOKS = 'https://hooks.reference.test';

export interface ReferenceOptions extends Omit<ServerOptions, 'clock' | 'resolve'> {
  /** Requests a minute of both workspaces; absent: those of the style. */
  readonly rpm?: number;
  readonly crowded?: boolean;
}

export const referenceTarget = async ({ rpm, crowded, settled, ...options }: ReferenceOptions = {}): Promise<Target> => {
  const clock = new VirtualClock();
  const receiverPort = await freePort();
  const resolve = (url: string) => url.replace(HOOKS, `http://127.0.0.1:${receiverPort}`);
  const server = createReferenceServer({
    clock,
    resolve,
    ...options,
    settled: { ...(rpm === undefined ? {} : { plans: [rpm, rpm] as const }), ...settled },
  });
  if (crowded) crowd(server.service, server.taskWithComments);
  const { baseUrl, keys, taskWithComments } = server;
  return {
    keys,
    fetch: (url, init) => (url.startsWith(HOOKS) ? fetch(resolve(url), init) : server.fetch(url, init)),
    options: { baseUrl, keys, time: clock, taskWithComments, receiverUrl: HOOKS, receiverPort },
    now: () => clock.now(),
    close: async () => {},
  };
};

/** Brings an event to its receiver; 0 when no response came in time. */
export type Carry = (post: Post, signal?: AbortSignal) => Promise<number>;
/** How the mock is told of a receiver that gives no response. */
const ABSENT = {
  refused: { kind: 'refused', error: 'no response', took: 0 },
  timeout: { kind: 'timeout', error: 'no response', took: 10_000 },
} as const;
interface Wiring {
  readonly rpm?: number;
  readonly crowded?: boolean;
  readonly carry?: Carry;
  readonly absent?: keyof typeof ABSENT;
}

interface MockDoor {
  createMock(options: object): Promise<{
    fetch: Fetch;
    baseUrl: string;
    clock: { readonly now: string; advance(by: number): Promise<unknown> };
    close(): Promise<void>;
  }>;
}

const KEYS: Keys = {
  ...{ admin: 'judge_admin_key', write: 'judge_write_key', read: 'judge_read_key' },
  ...{ revoked: 'judge_revoked_key', other: 'judge_other_key' },
};

const NONE = { projects: 0, tasks: 0, teams: 0, members: 0, comments: 0 };
const workspace = (
  id: string,
  scopes: readonly Role[],
  rpm: number,
  crowd: Readonly<Record<keyof typeof CROWD, number>> = NONE,
) => {
  const owner = `user_${id}_a`;
  const user = (letter: string, i: number) => ({
    ...{ id: `user_${id}_${letter}`, name: `User ${letter} of ${id}`, email: `${letter}@${id}.test` },
    ...{ role: i === 0 ? 'admin' : 'member', avatar_url: `https://${id}.test/${letter}.png` },
  });
  const key = (role: Role) => ({
    ...{ value: KEYS[role], name: role, user_id: owner },
    scope: role === 'other' ? 'admin' : role === 'revoked' ? 'write' : role,
    ...(role === 'revoked' ? { revoked: true } : {}),
  });
  const comments = ['one', 'two', 'three', ...many(crowd.comments, String)].map((body) => ({ author_id: owner, body }));
  const tasks = many(crowd.tasks, (n) => ({ title: `Standing task ${n}` }));
  const standing = [{ id: `task_${id}_commented`, title: 'With comments', comments }, ...tasks];
  return {
    ...{ id: `ws_${id}`, name: id, requests_per_minute: rpm, api_keys: scopes.map(key) },
    users: ['a', 'b', 'c', ...many(crowd.members, (n) => `d${n}`)].map(user),
    teams: many(crowd.teams, (n) => ({ name: `Standing team ${n}`, member_ids: [owner] })),
    projects: [
      { id: `proj_${id}_standing`, name: 'Standing', owner_id: owner, tasks: standing },
      ...many(crowd.projects, (n) => ({ name: `Standing ${n}`, owner_id: owner })),
    ],
  };
};

let door: MockDoor | undefined;

export const mockExists = async (): Promise<boolean> => {
  const path = shipped('dist/index.js');
  if (!path) return false;
  door ??= (await import(path)) as MockDoor;
  return true;
};

/** The mock under some choices of the open points, at a release, ahead of its clients or not, with control or without. */
export const mockTarget = async (
  choices: Readonly<Record<string, string>> = {},
  control = false,
  release: Release = latestRelease(),
  forwardCompat = false,
  { rpm = 4000, crowded = false, carry, absent = 'refused' }: Wiring = {},
): Promise<Target> => {
  if (!(await mockExists())) throw new Error('dist/index.js is missing: build the package first');
  const seed = {
    now: '2030-01-07T09:00:00Z',
    workspaces: [
      workspace('north', ['admin', 'write', 'read', 'revoked'], rpm, crowded ? CROWD : undefined),
      workspace('south', ['other'], rpm),
    ],
  };
  const sender = async (post: Post, signal: AbortSignal) => {
    const status = await carry?.({ ...post, method: 'POST' }, signal);
    return status === 0 ? ABSENT[absent] : { kind: 'response', status, took: 0 };
  };
  const mock = await door!.createMock({ seed, choices, release, forwardCompat, ...(carry ? { sender } : {}) });
  const time: NonNullable<ContractOptions['time']> = {
    now: () => Date.parse(mock.clock.now),
    sleep: async (ms) => void (await mock.clock.advance(ms)),
    after: (_ms, job) => void setImmediate(job),
    settle: async () => void (await mock.clock.advance(0)),
    virtual: true,
  };
  return {
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

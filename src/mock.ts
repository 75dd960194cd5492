// The mock as a value: a seed becomes a world behind a web application, with no socket.
import type { Hono } from 'hono';
import { choose } from './contract/choices.ts';
import type { Plan } from './contract/limits.ts';
import { SCOPES, type Scope } from './contract/scopes.ts';
import { describeRoutes, type ScriptSource } from './describe/routes.ts';
import { createApp } from './http/app.ts';
import type { Exchange } from './http/exchange.ts';
import { blankSeed } from './seed/blank.ts';
import { checkSeed, readSeed } from './seed/read.ts';
import { realNow } from './world/clock.ts';
import { Faults } from './world/faults.ts';
import { Journal } from './world/journal.ts';
import type { Seed } from './world/records.ts';
import { World } from './world/world.ts';

export interface MockOptions {
  /** Seed: the text of a file, a parsed file, or a checked seed; absent: an empty workspace with a key of each scope. */
  readonly seed?: string | object;
  /** How problems name the seed. */
  readonly seedName?: string;
  /** Where the clock starts, frozen; wins over the seed's `now`. */
  readonly now?: string | number | Date;
  /** Wins over the seed's `random_seed`. */
  readonly randomSeed?: number;
  /** Overrides every workspace's plan. */
  readonly plan?: Plan;
  /** Answers to the spec's open points; win over the seed's. */
  readonly choices?: Readonly<Record<string, unknown>>;
  /** Delay of every `/v1` answer in milliseconds, or its range. */
  readonly latency?: number | { readonly min: number; readonly max: number };
  /** Where the script of the page at `/docs` comes from; the Node door knows. */
  readonly docsScript?: ScriptSource;
}

/** A key of the seed with whose it is. */
export interface MockKey {
  readonly value: string;
  readonly scope: Scope;
  readonly workspace_id: string;
  readonly user_id: string;
}

export interface Mock {
  /** The whole application: `app.fetch(request)` answers any URL of it. */
  readonly app: Hono;
  /** Base URL of requests made in process; ends in `/v1`. */
  readonly baseUrl: string;
  /** Answers a request with no socket. A path is taken below the base URL. */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /** The Authorization header of a key of this scope. @throws RangeError when the seed has none. */
  auth(scope: Scope, workspace?: string): { readonly authorization: string };
  /** The keys that work, in the order of the seed. */
  readonly keys: readonly MockKey[];
  /** Everything that can change. */
  readonly world: World;
  /** Back to the seed, another one if given. */
  reset(seed?: Seed): void;
  close(): Promise<void>;
}

const BASE = 'http://wm-mock.test/v1';

/** Reads a seed from whatever form it has. @throws SeedError naming every problem. */
export const toSeed = async (options: MockOptions): Promise<Seed> => {
  const { seed, seedName = 'seed' } = options;
  const now = options.now === undefined ? undefined : new Date(options.now).getTime();
  if (now !== undefined && Number.isNaN(now))
    throw new RangeError(`now: expected an ISO 8601 time, got "${String(options.now)}"`);
  const reading = {
    name: seedName,
    now: now ?? realNow(),
    ...(options.randomSeed === undefined ? {} : { randomSeed: options.randomSeed }),
  };
  const read =
    seed === undefined
      ? blankSeed()
      : typeof seed === 'string'
        ? await readSeed(seed, reading)
        : isSeed(seed)
          ? seed
          : await checkSeed(seed, reading);
  const { plan } = options;
  return {
    now: now ?? read.now,
    randomSeed: options.randomSeed ?? read.randomSeed,
    choices: choose(options.choices, read.choices),
    workspaces: plan === undefined ? read.workspaces : read.workspaces.map((workspace) => ({ ...workspace, plan })),
  };
};

const isSeed = (seed: object): seed is Seed => 'randomSeed' in seed && 'workspaces' in seed;

/** Starts a mock in this process. @throws SeedError when the seed breaks a rule, RangeError when an option does. */
export const createMock = async (options: MockOptions = {}): Promise<Mock> => {
  let planted = World.plant(await toSeed(options));
  let world = planted.fork();
  const { latency } = options;
  const [journal, faults] = [new Journal<Exchange>(), new Faults()];
  const app = createApp({
    realm: (path) => (path.startsWith('/worlds/') ? undefined : { world, journal, faults }),
    ...(latency === undefined ? {} : { latency: typeof latency === 'number' ? { min: latency, max: latency } : latency }),
  });
  describeRoutes(app, options.docsScript ?? (async () => undefined));
  const keys = (): MockKey[] =>
    world.store.keys
      .all()
      .filter(({ value }) => !value.revoked)
      .map(({ value, workspace }) => ({
        value: value.value,
        scope: value.scope,
        workspace_id: workspace,
        user_id: value.user_id,
      }));
  return {
    app,
    baseUrl: BASE,
    get world() {
      return world;
    },
    get keys() {
      return keys();
    },
    fetch: async (input, init) => {
      const request =
        typeof input === 'string' && input.startsWith('/') ? new Request(BASE + input, init) : new Request(input, init);
      return app.fetch(request);
    },
    auth: (scope, workspace) => {
      const key = keys().find((one) => one.scope === scope && (workspace === undefined || one.workspace_id === workspace));
      if (!key) throw new RangeError(`auth: expected a scope of ${SCOPES.join(', ')} that the seed has a key of, got "${scope}"`);
      return { authorization: `Bearer ${key.value}` };
    },
    reset: (seed) => {
      if (seed) planted = World.plant(seed);
      world = planted.fork();
    },
    close: async () => {},
  };
};

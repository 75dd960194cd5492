// Starts a mock: a seed becomes a world behind a web application, with no socket.
import { choose } from '../contract/choices.ts';
import { forwardNamed } from '../contract/forward.ts';
import { releaseNamed } from '../contract/releases.ts';
import { Guard } from '../control/guard.ts';
import { Host, type HostOptions } from '../control/host.ts';
import { planted } from '../control/snapshot.ts';
import { describeRoutes } from '../describe/routes.ts';
import { createApp } from '../http/app.ts';
import { blankSeed } from '../seed/blank.ts';
import { checkSeed, checkSeedNow, readSeed, type SeedOptions } from '../seed/read.ts';
import { isDateOnly, toUtc } from '../validation/times.ts';
import { fetchSender } from '../webhooks/sender.ts';
import { realNow } from '../world/clock.ts';
import { LAST_MOMENT } from '../world/moment.ts';
import type { Seed } from '../world/records.ts';
import { checkOptions } from './check-options.ts';
import type { Mock } from './mock.ts';
import { mockOf } from './of-instance.ts';
import { mock as validate } from './options.generated.ts';
import type { MockOptions } from './options.ts';

const readingOf = ({ now, randomSeed, seedName = 'seed' }: MockOptions): SeedOptions => ({
  name: seedName,
  now: realNow(),
  ...(now === undefined ? {} : { startsAt: startOf(now) }),
  ...(randomSeed === undefined ? {} : { randomSeed }),
});

/** Reads a seed from whatever form it has. @throws SeedError naming every problem. */
export const toSeed = async (options: MockOptions): Promise<Seed> => {
  const { seed } = options;
  const reading = readingOf(options);
  const read =
    seed === undefined
      ? blankSeed()
      : typeof seed === 'string'
        ? await readSeed(seed, reading)
        : isSeed(seed)
          ? seed
          : await checkSeed(seed, reading);
  return winningOver(read, options);
};

/** A seed with what the options say in place of what it says. */
const winningOver = (read: Seed, options: MockOptions): Seed => {
  const { plan } = options;
  const release = releaseNamed(options.release);
  return {
    ...read,
    ...(release === undefined ? {} : { release }),
    ...(options.forwardCompat === undefined ? {} : { forward: forwardNamed(options.forwardCompat) }),
    now: options.now === undefined ? read.now : startOf(options.now),
    randomSeed: options.randomSeed ?? read.randomSeed,
    choices: choose(options.choices, read.choices),
    workspaces: plan === undefined ? read.workspaces : read.workspaces.map((workspace) => ({ ...workspace, plan })),
  };
};

/** When a clock starts. @param now the beginning of a day too, in UTC. @throws RangeError */
export const startOf = (now: string | number | Date): number => {
  const text = typeof now !== 'string' ? undefined : isDateOnly(now) ? `${now}T00:00:00.000Z` : toUtc(now);
  const at = typeof now === 'string' ? Date.parse(text ?? '') : Number(now);
  if (at >= 0 && at <= LAST_MOMENT) return at;
  throw new RangeError(
    `now: expected an ISO 8601 time with its time zone, from 1970 to 9999, such as 2025-01-20T09:00:00Z, got "${String(now)}"`,
  );
};

const isSeed = (seed: object): seed is Seed => 'randomSeed' in seed && 'workspaces' in seed;

const HOUR_MS = 3_600_000;

const rangeOf = (latency: MockOptions['latency']) => (typeof latency === 'number' ? { min: latency, max: latency } : latency);

/** How the host of a mock with these options behaves. */
export const hostOptionsOf = (options: MockOptions): HostOptions => {
  const { deliverPublic = false, worldIdleMs = HOUR_MS, sender = fetchSender } = options;
  const { seed: _seed, now: _now, randomSeed: _random, ...shared } = options;
  return {
    sender,
    deliverPublic,
    worldIdleMs,
    latency: rangeOf(options.latency),
    readSeed: (seed) => toSeed({ ...shared, seed: seed as string | object, seedName: 'seed' }),
    seedNow: (seed) => (isSeed(seed) ? seed : winningOver(checkSeedNow(seed, readingOf({ seedName: 'seed' })), shared)),
  };
};

/** Starts a mock in this process. @throws SeedError when the seed breaks a rule, RangeError when an option is unknown or impossible. */
export const createMock = async (options: MockOptions = {}): Promise<Mock> => {
  checkOptions('createMock', validate, options);
  const origin = planted(await toSeed(options));
  return mockOn(new Host(origin, hostOptionsOf(options)), options, loadDashboard);
};

type LoadDashboard = (host: Host, guard: Guard) => Promise<{ fetch(request: Request): Promise<Response> }>;

const loadDashboard: LoadDashboard = async (host, guard) => {
  const { Dashboard } = await import('../dashboard/dashboard.tsx');
  return new Dashboard(host, guard);
};

/** The mock in front of a host. @param load absent: without a dashboard, where another page stands at `/`. */
export const mockOn = (host: Host, { controlToken, allowHosts = [], docsScript }: MockOptions, load?: LoadDashboard): Mock => {
  const guard = new Guard(controlToken);
  for (const name of allowHosts) guard.allow(name);
  const app = createApp(host);
  describeRoutes(app, {
    choices: () => host.main.world.choices,
    release: () => host.main.world.release,
    script: docsScript ?? (async () => undefined),
  });
  let control: Promise<{ fetch(request: Request, env?: unknown): Response | Promise<Response> }> | undefined;
  const toControl = async (request: Request, env: unknown) => {
    control ??= import('../control/routes.ts').then(({ createControl }) => createControl(host, guard));
    return (await control).fetch(request, env as object);
  };
  app.all('/_mock', (c) => toControl(c.req.raw, c.env));
  app.all('/_mock/*', (c) => toControl(c.req.raw, c.env));
  if (load) {
    let dashboard: ReturnType<LoadDashboard> | undefined;
    const toDashboard = async (request: Request) => {
      dashboard ??= load(host, guard);
      return (await dashboard).fetch(request);
    };
    app.all('/', (c) => toDashboard(c.req.raw));
    app.all('/dashboard/*', (c) => toDashboard(c.req.raw));
  }
  return mockOf(host, host.main, app, guard);
};

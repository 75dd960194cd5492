// Builds a mock from its parts: a seed becomes a host of worlds behind a web application, with no socket.
import { readTerms } from '../../service/contract/terms.ts';
import { createApp } from '../../service/http/app.ts';
import { describeRoutes } from '../../service/openapi/routes.ts';
import { isDateOnly, toUtc } from '../../service/validation/formats.ts';
import { fetchSender } from '../../service/webhooks/sender.ts';
import type { Seed } from '../../service/world/records.ts';
import { LAST_MOMENT, realNow } from '../../service/world/time.ts';
import { seedKeys } from '../control/calls/worlds.ts';
import { Guard, isVisit } from '../control/guard.ts';
import { Host, type HostOptions } from '../control/host.ts';
import type { Recording } from '../control/recorder.ts';
import { plantSeed } from '../control/snapshot.ts';
import type { Repro } from '../recording/steps.ts';
import { blankSeed } from '../seed/blank.ts';
import { checkSeed, checkSeedNow, readSeed, type SeedOptions } from '../seed/read.ts';
import { createInstanceMock } from './in-process.ts';
import type { App, Mock } from './mock.ts';
import type { MockOptions } from './options.ts';

/** How a seed is read, beyond what options say. @property now when: the real time by default */
type SeedReading = { readonly now?: number | undefined } & Pick<SeedOptions, 'mostGenerated' | 'toGenerate'>;

const readingOf = ({ now, randomSeed, seedName }: MockOptions, reading: SeedReading): SeedOptions => {
  const startsAt = now === undefined ? undefined : startOf(now);
  return { name: seedName ?? 'seed', startsAt, randomSeed, ...reading, now: reading.now ?? realNow() };
};

/** Reads a seed from whatever form it has. @throws SeedError naming every problem. */
export const toSeed = async (options: MockOptions, more: SeedReading = {}): Promise<Seed> => {
  const { seed } = options;
  const reading = readingOf(options, more);
  const read =
    seed === undefined
      ? blankSeed()
      : typeof seed === 'string'
        ? await (seed === 'demo' ? checkSeed((await import('../seed/demo.generated.ts')).DEMO, reading) : readSeed(seed, reading))
        : isSeed(seed)
          ? seed
          : await checkSeed(seed, reading);
  return winningOver(read, options);
};

const winningOver = (read: Seed, options: MockOptions): Seed => {
  const { plan, forwardCompat: forward_compat } = options;
  return {
    ...read,
    ...readTerms({ ...options, forward_compat }, read),
    now: options.now === undefined ? read.now : startOf(options.now),
    randomSeed: options.randomSeed ?? read.randomSeed,
    workspaces: plan === undefined ? read.workspaces : read.workspaces.map((workspace) => ({ ...workspace, plan })),
  };
};

/** When a clock starts. @param now may be a date: its midnight, in UTC. @throws RangeError */
export const startOf = (now: string | number | Date): number => {
  const text = typeof now !== 'string' ? undefined : isDateOnly(now) ? `${now}T00:00:00.000Z` : toUtc(now);
  const at = typeof now === 'string' ? Date.parse(text ?? '') : Number(now);
  if (at >= 0 && at <= LAST_MOMENT) return at;
  const says = `now: expected an ISO 8601 time with its time zone, from 1970 to 9999, such as 2025-01-20T09:00:00Z, got "${String(now)}"`;
  throw new RangeError(says);
};

const isSeed = (seed: object): seed is Seed => 'randomSeed' in seed && 'workspaces' in seed;

const HOUR_MS = 3_600_000;

const rangeOf = (latency: MockOptions['latency']) => (typeof latency === 'number' ? { min: latency, max: latency } : latency);

export const hostOptionsOf = (options: MockOptions, recording?: Recording, version?: HostOptions['version']): HostOptions => {
  const { deliverPublic = false, worldIdleMs = HOUR_MS, sender = fetchSender, allowReceivers, panelScript, memory } = options;
  const { seed: _seed, now: _now, randomSeed: _random, ...shared } = options;
  const behaviour = { deliverPublic, worldIdleMs, sender, allowReceivers, panelScript, memory, recording, version };
  return {
    ...behaviour,
    latency: rangeOf(options.latency),
    readSeed: (seed, mostGenerated, toGenerate) =>
      toSeed(
        { ...shared, seed: seed as string | object, seedName: 'seed' },
        { mostGenerated, now: recording?.now(), toGenerate },
      ),
    seedNow: (seed) => (isSeed(seed) ? seed : winningOver(checkSeedNow(seed, readingOf({}, { now: recording?.now() })), shared)),
  };
};

/** A world after replaying its recording up to a step, or to where it differs. */
export const replayUpTo: NonNullable<Recording['replayTo']> = async (repro, step, before) => {
  const { Replay } = await import('../recording/replay.ts');
  let host!: Host;
  const replay = new Replay(repro as Repro);
  await replay.begin(async (options, recording) => {
    host = new Host(plantSeed(await toSeed(options)), hostOptionsOf(options, recording));
    return mockOn(host, options);
  });
  await replay.play(before ? step : step + 1);
  const world = replay.worlds.map((id) => (id === host.main.id ? host.main : host.get(id))).find((one) => one !== undefined)!;
  const snapshot = world.running.snapshot('with journal');
  host.close();
  return snapshot;
};

type Application = Pick<App, 'fetch'>;
export type LoadDashboard = (host: Host, guard: Guard) => Promise<Application>;

/** Serves from an application that is loaded at its first request; a failed load is retried. */
const lazily = (load: () => Promise<Application>) => {
  let loaded: Promise<Application> | undefined;
  return async ({ req, env }: { readonly req: { readonly raw: Request }; readonly env: unknown }) => {
    loaded ??= load().catch((error) => {
      loaded = undefined;
      throw error;
    });
    return (await loaded).fetch(req.raw, env as object);
  };
};

/** The mock in front of a host. @param load absent: no dashboard, another page is at `/`. */
export const mockOn = (
  host: Host,
  { controlToken, allowHosts = [], allowOrigins, docsScript, noControl }: MockOptions,
  load?: LoadDashboard,
): Mock => {
  const guard = new Guard(controlToken, allowOrigins);
  for (const name of allowHosts) guard.allow(name);
  const app = createApp(host);
  const { recording } = host.options;
  if (recording) {
    app.fetch = (recording.watch?.(app.fetch) ?? app.fetch) as typeof app.fetch;
    const { deliverPublic, allowReceivers, memory } = host.options;
    recording.options = () => ({ deliverPublic, allowReceivers, memory, controlToken: guard.token });
    recording.replayTo = replayUpTo;
  }
  const script = docsScript ?? (async () => undefined);
  const key = async (request: Request) => {
    guard.admit(request);
    const keys = seedKeys(host.main);
    return (keys.find(({ scope }) => scope === 'admin') ?? keys[0])?.value;
  };
  describeRoutes(app, { world: () => host.main.world, script, key: noControl ? undefined : key });
  if (!noControl) {
    const control = lazily(async () => (await import('../control/routes.ts')).createControl(host, guard));
    for (const path of ['/_mock', '/_mock/*']) app.all(path, control);
    const dashboard = load && lazily(() => load(host, guard));
    for (const path of ['/', '/dashboard/*', '/favicon.ico']) if (dashboard) app.all(path, dashboard);
    // A page of the dashboard, typed without its folder.
    if (dashboard)
      app.get('/:page{[a-z]+}', (c, next) => (isVisit(c.req.raw) ? c.redirect(`dashboard${c.req.path}`, 303) : next()));
  }
  return createInstanceMock(host, host.main, app, guard);
};

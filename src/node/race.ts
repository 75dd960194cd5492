// The entry point of race: calls a program's function with its responses in other orders.
import { delayResponses, measureQuietMs, type Order, type RaceNote, type TimedNote } from '../client/race/delayed-responses.ts';
import { batchOrders } from '../client/race/order-batches.ts';
import { type SearchResult, searchOrders, type WorldRun } from '../client/race/order-search.ts';
import { buildRaceReport, type ReportedRace } from '../client/race/race-report.ts';
import { BASELINE_RUNS, RUN_DEFAULTS } from '../client/run-defaults.ts';
import type { NodeMockOptions } from './create-mock.ts';
import { callWithWorld, type SharedMock, startShared, type WorldBody } from './test-runners/test-worlds.ts';

export type { Hold, Order } from '../client/race/delayed-responses.ts';
export type { TestWorld } from './test-runners/test-worlds.ts';

/** Options of the mock, and of the search for orders. */
export interface RaceOptions extends NodeMockOptions {
  /** Limit of orders to try. */
  readonly orders?: number;
  /** Runs in which a failure must repeat; default: 2. */
  readonly repeat?: number;
  /** Concurrent calls; default: one, because calls share the state in modules. */
  readonly workers?: number;
  /** Whether responses to writes are also lost, after they took effect. */
  readonly lost?: boolean;
  /** The order of a finding, to try alone. */
  readonly replay?: Order;
}

/** An order of responses with which the function fails. */
export interface RaceFinding extends Pick<ReportedRace, 'id' | 'says' | 'order'> {
  /** The thrown value. */
  readonly error: unknown;
  readonly replay: Order;
}

export interface Races {
  readonly findings: readonly RaceFinding[];
  /** Orders with which it fails intermittently. */
  readonly unsteady: readonly string[];
  readonly orders: { readonly tried: number; readonly of: number; readonly pruned: number };
}

/** Idle time, unless the usual order has longer pauses. */
const PROGRAM_QUIET_MS = 20;

/** Calls of a function, each in a world of its own. */
const prepareCalls = (started: SharedMock, body: WorldBody) => {
  const orders = new Map<string, Order>();
  const logs = new Map<string, TimedNote[]>();
  const errors = new WeakMap<WorldRun, unknown>();
  let quietMs = PROGRAM_QUIET_MS;
  const note = (world: string, one: RaceNote) => logs.get(world)?.push({ at: performance.now(), ...one });
  const { app } = started.mock;
  const orderIn = (world: string): Order => orders.get(world) ?? [];
  Object.assign(app, { fetch: delayResponses({ ...app }, orderIn, note, () => quietMs) });

  const call = async (order: Order): Promise<WorldRun & { readonly log: readonly TimedNote[] }> => {
    const id = `race-${logs.size + 1}`;
    const log: TimedNote[] = [];
    orders.set(id, order);
    logs.set(id, log);
    const ended = await callWithWorld(started, id, body);
    if (ended.passed) return { passed: true, log };
    const ran = { passed: false, log, test: ended.says };
    errors.set(ran, ended.error);
    return ran;
  };
  const callAsUsual = async (): Promise<WorldRun> => {
    const usual = await call([]);
    if (!usual.passed) throw errors.get(usual);
    // The first call also loads modules.
    quietMs = measureQuietMs([usual.log], PROGRAM_QUIET_MS);
    return usual;
  };
  return { call, callAsUsual, errors };
};

/** Calls a function with its responses in other orders. @throws what the function throws in the usual order; SeedError */
export const race = async (options: RaceOptions, body: WorldBody): Promise<Races> => {
  const { orders: most = RUN_DEFAULTS.orders, repeat = RUN_DEFAULTS.repeat, workers = RUN_DEFAULTS.workers, ...rest } = options;
  const { lost, replay, ...given } = rest;
  const started = await startShared(given);
  const { call, callAsUsual, errors } = prepareCalls(started, body);
  const search = async (): Promise<SearchResult & { readonly tried: number }> => {
    const firsts = [];
    for (let i = 0; i < BASELINE_RUNS; i++) firsts.push(await callAsUsual());
    if (replay) {
      const ran = await call(replay);
      return { races: ran.passed ? [] : [{ order: replay, ran }], unsteady: [], of: 1, pruned: 0, tried: 1 };
    }
    const run = async (orders: ReadonlyMap<string, Order>) => new Map([['', await call(orders.get('')!)]]);
    const { attemptIn, counts } = batchOrders({ run, workers, isAlone: () => true, most, gatherMs: 0 });
    return { ...(await searchOrders(firsts[0]!, { attempt: attemptIn(''), repeat, most, lost })), tried: counts().tried };
  };
  try {
    const result = await search();
    const worlds = new Map([['', result]]);
    const found = buildRaceReport({ command: '', worlds, tried: result.tried, known: new Set(), seconds: 0 });
    const findings = found.findings.map(({ id, says, order, holds }, i) => ({
      id,
      says,
      order,
      error: errors.get(result.races[i]!.ran),
      replay: holds,
    }));
    return { findings, unsteady: found.unsteady, orders: found.orders };
  } finally {
    await started.mock.close();
  }
};

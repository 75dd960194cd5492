// The entry point of race: calls a program's function with its responses in other orders.

import { delayResponses, measureQuietMs, type Order, type RaceNote, type TimedNote } from '../client/race/delayed-responses.ts';
import { OrderBatches } from '../client/race/order-batches.ts';
import { type FoundRace, searchOrders } from '../client/race/order-search.ts';
import { buildRaceReport, type ReportedRace } from '../client/race/race-report.ts';
import type { WorldRun } from '../client/race/world-log.ts';
import { BASELINE_RUNS, RUN_DEFAULTS } from '../client/run-defaults.ts';
import type { NodeMock, NodeMockOptions } from './create-mock.ts';
import { callWithWorld, SharedMock, type WorldBody } from './test-runners/test-worlds.ts';

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

class ProgramCalls {
  readonly #started: SharedMock;
  readonly #body: WorldBody;
  readonly #orders = new Map<string, Order>();
  readonly #logs = new Map<string, TimedNote[]>();
  readonly errors = new WeakMap<WorldRun, unknown>();
  readonly #plain: NodeMock['app'];
  fetch!: ReturnType<typeof delayResponses>;

  constructor(started: SharedMock, body: WorldBody) {
    this.#started = started;
    this.#body = body;
    this.#plain = { ...started.mock.app };
    this.setQuietMs(PROGRAM_QUIET_MS);
    // The socket takes this function before the idle time is measured.
    Object.assign(started.mock.app, { fetch: (...given: Parameters<ProgramCalls['fetch']>) => this.fetch(...given) });
  }

  setQuietMs(quietMs: number): void {
    const note = (world: string, one: RaceNote) => this.#logs.get(world)?.push({ at: performance.now(), ...one });
    this.fetch = delayResponses(this.#plain, (world) => this.#orders.get(world) ?? [], note, quietMs);
  }

  async with(order: Order): Promise<WorldRun & { readonly log: readonly TimedNote[] }> {
    const id = `race-${this.#logs.size + 1}`;
    const log: TimedNote[] = [];
    this.#orders.set(id, order);
    this.#logs.set(id, log);
    const ended = await callWithWorld(this.#started, id, this.#body);
    if (ended.passed) return { passed: true, log };
    const ran = { passed: false, log, test: ended.says };
    this.errors.set(ran, ended.error);
    return ran;
  }
}

/** Calls a function with its responses in other orders. @throws what the function throws in the usual order; SeedError */
export const race = async (options: RaceOptions, body: WorldBody): Promise<Races> => {
  const { orders: most = RUN_DEFAULTS.orders, repeat = RUN_DEFAULTS.repeat, workers = RUN_DEFAULTS.workers, ...rest } = options;
  const { lost, replay, ...given } = rest;
  const started = await SharedMock.with(given);
  const calls = new ProgramCalls(started, body);
  const found = ({ order, ran }: FoundRace, { id, says, order: responses }: ReportedRace): RaceFinding => ({
    id,
    says,
    order: responses,
    error: calls.errors.get(ran),
    replay: order,
  });
  const report = (races: readonly FoundRace[], of: number, pruned: number, unsteady: readonly Order[], tried: number): Races => {
    const worlds = new Map([['', { races, unsteady, of, pruned }]]);
    const { findings, ...all } = buildRaceReport({ command: '', worlds, tried, known: new Set(), seconds: 0 });
    return { findings: findings.map((one, i) => found(races[i]!, one)), unsteady: all.unsteady, orders: all.orders };
  };
  try {
    const firsts = [];
    for (let i = 0; i < BASELINE_RUNS; i++) firsts.push(await calls.with([]));
    for (const first of firsts) if (!first.passed) throw calls.errors.get(first);
    // The first call also loads modules.
    calls.setQuietMs(measureQuietMs([firsts.at(-1)!.log], PROGRAM_QUIET_MS));
    if (replay) {
      const ran = await calls.with(replay);
      return report(ran.passed ? [] : [{ order: replay, ran }], 1, 0, [], 1);
    }
    const run = async (orders: ReadonlyMap<string, Order>) => new Map([['', await calls.with(orders.get('')!)]]);
    const batches = new OrderBatches({ run, workers, isAlone: () => true, most, gatherMs: 0 });
    const how = { attempt: batches.of(''), repeat, most, lost };
    const { races, of, pruned, unsteady } = await searchOrders(firsts[0]!, how);
    return report(races, of, pruned, unsteady, batches.tried);
  } finally {
    await started.mock.close();
  }
};

// The entry point of matrix: calls a program's function on variants of the service that conform, and on one that fails for a moment.
import { searchFlips } from '../client/matrix/flip-search.ts';
import { applyFlips, type Flip } from '../client/matrix/flips.ts';
import { type Assumption, buildMatrixReport, type FlipResult } from '../client/matrix/matrix-report.ts';
import { planFlips, type Traffic } from '../client/matrix/traffic.ts';
import { behaveAs, collectTraffic, type MockNote } from '../client/matrix/variant-mock.ts';
import { BASELINE_RUNS, RUN_DEFAULTS } from '../client/run-defaults.ts';
import { JobQueue } from '../service/webhooks/sender.ts';
import { loadSeed, type NodeMockOptions } from './create-mock.ts';
import { callWithWorld, startShared, type WorldBody } from './test-runners/test-worlds.ts';

export type { FlipResult } from '../client/matrix/matrix-report.ts';
export type { TestWorld } from './test-runners/test-worlds.ts';

/** Options of the mock, and what to try. */
export interface MatrixOptions extends NodeMockOptions {
  /** Flips by kind, name or id, such as `choice` or `choice:patch-status=202`; default: all. */
  readonly only?: readonly string[];
  /** Runs in which a failure must repeat; default: 2. */
  readonly repeat?: number;
}

/** An assumption of the function: it throws with these flips. */
export interface ProgramAssumption extends Pick<Assumption, 'id' | 'flips' | 'says' | 'spec' | 'permitted_by' | 'request'> {
  /** The thrown value. */
  readonly error: unknown;
}

export interface Assumptions {
  readonly assumptions: readonly ProgramAssumption[];
  readonly flips: readonly FlipResult[];
}

const ONE_AT_A_TIME = new JobQueue(1);

const callWithFlips = async (options: NodeMockOptions, flips: readonly Flip[], body: WorldBody) => {
  const started = await startShared(applyFlips(options, flips));
  const notes: MockNote[] = [];
  const now = () => performance.now();
  behaveAs(started.mock, flips, now, (one) => notes.push(one));
  try {
    return { ...(await callWithWorld(started, 'matrix', body)), traffic: collectTraffic(options, notes) };
  } finally {
    await started.mock.close();
  }
};

/** Calls a function on the mock, then on permitted and failing variants. @throws what the function throws on the plain mock; SeedError */
export const matrix = async (given: MatrixOptions, body: WorldBody): Promise<Assumptions> => {
  const { only = [], repeat = RUN_DEFAULTS.repeat, ...asked } = given;
  const options = { worldIdleMs: 0, ...(await loadSeed(asked)) };
  const traffic: Traffic[] = [];
  for (let i = 0; i < BASELINE_RUNS; i++) {
    const first = await callWithFlips(options, [], body);
    if (!first.passed) throw first.error;
    traffic[0] = first.traffic;
  }
  const plan = await planFlips(options, traffic, only);
  const errors = new Map<string, unknown>();
  const run = (some: readonly Flip[]) =>
    ONE_AT_A_TIME.within('', async () => {
      const ended = await callWithFlips(options, some, body);
      if (ended.passed) return { passed: true, tests: [] };
      errors.set(some.map(({ id }) => id).join(' + '), ended.error);
      return { passed: false, tests: [ended.says] };
    });
  const { verdicts, searchGroup } = searchFlips(run, repeat);
  for (const group of plan.groups) await searchGroup(group);
  const how = { command: '', known: new Set<string>(), baseline: { runs: BASELINE_RUNS, exit: 0 }, seconds: 0 };
  const { assumptions, flips } = buildMatrixReport({ ...plan, verdicts, ...how });
  return {
    assumptions: assumptions.map(({ known: _, reproduce: __, test: ___, ...one }) => ({ ...one, error: errors.get(one.id) })),
    flips,
  };
};

// The entry point of client: a verdict on a program's own function, called with a world of its own under each condition.

import type { ClientReport } from '../client/client-report.ts';
import type { Note } from '../client/notes.ts';
import { buildReport } from '../client/report.ts';
import { RUN_DEFAULTS } from '../client/run-defaults.ts';
import type { TrialPlan } from '../client/trial-fetch.ts';
import type { TrialRun } from '../client/trial-run.ts';
import { judgeCommand, UnfitCommand } from '../client/verdict.ts';
import { toSeed } from '../mock/api/create.ts';
import { LATEST } from '../service/contract/releases.ts';
import { createTrialMock } from './client/trial-mock.ts';
import { addSockets, loadSeed, makeMock, type NodeMockOptions } from './create-mock.ts';
import { callWithWorld, type WorldBody } from './test-runners/test-worlds.ts';

export type { ClientFinding, ClientReport, DutyResult, DutyStatus } from '../client/client-report.ts';
export type { TestWorld } from './test-runners/test-worlds.ts';

/** Options of the mock, and what to judge. */
export interface ClientOptions extends NodeMockOptions {
  /** Ids of duties, and phases; default: all. */
  readonly only?: readonly string[];
  /** Runs in which a failure must repeat; default: 2. */
  readonly repeat?: number;
}

const CLIENT_WORLD = 'client';

/** Calls a function with a world of a mock under trial. */
const runBody = async (options: NodeMockOptions, plan: TrialPlan, body: WorldBody) => {
  const notes: Note[] = [];
  const { orders, ...rest } = plan;
  const own = orders && { [CLIENT_WORLD]: Object.values(orders)[0] ?? [] };
  const mock = addSockets(
    await createTrialMock(
      { ...rest, ...(own && { orders: own }) },
      (note) => notes.push(note),
      (trial, disturb) => makeMock(options, { trial, disturb }),
    ),
  );
  const began = performance.now();
  const ended = await callWithWorld({ mock, server: mock.listen({ port: 0 }) }, CLIENT_WORLD, body);
  await mock.close();
  const error = ended.passed ? undefined : ended.error;
  const output = ended.passed ? '' : String((error as Error | undefined)?.stack ?? error);
  const seconds = (performance.now() - began) / 1000;
  const run: TrialRun = { passed: ended.passed, tests: [], status: ended.passed ? 0 : 1, output, notes, seconds };
  return { run, error };
};

/**
 * Calls a function on the mock as it is, then under every condition in which the contract must hold, and judges what it sends.
 * @throws what the function throws on the mock as it is; SeedError
 */
export const judgeClient = async (given: ClientOptions, body: WorldBody): Promise<ClientReport> => {
  const { only = [], repeat = RUN_DEFAULTS.repeat, ...asked } = given;
  const options = { worldIdleMs: 0, ...(await loadSeed(asked)) };
  const { choices, release = LATEST, forward = [] } = await toSeed(options);
  const errors = new WeakMap<TrialRun, unknown>();
  const began = performance.now();
  let runs = 0;
  const run = async (plan: TrialPlan) => {
    const ended = await runBody(options, plan, body);
    errors.set(ended.run, ended.error);
    runs += 1;
    return ended.run;
  };
  try {
    const judged = await judgeCommand({ run, service: { choices, release, forward }, workers: 1, repeat, only });
    const about = { command: '', folder: process.cwd(), only, accepted: new Set<string>(), repeat: () => '' };
    return buildReport(judged, { ...about, seconds: (performance.now() - began) / 1000, runs });
  } catch (error) {
    throw error instanceof UnfitCommand ? errors.get(error.run) : error;
  }
};

// The runs of a verdict: few at once. Plans for different tests share a run.
import { JobQueue } from '../service/webhooks/sender.ts';
import { wait } from '../service/world/time.ts';
import { failedWorlds, lastOf, notesOf, passedWorlds } from './notes.ts';
import { behaviourIn, type TrialPlan } from './trial-fetch.ts';
import type { JudgeOptions, TrialRun } from './trial-run.ts';

export interface PlannedRun {
  readonly plan: TrialPlan;
  readonly ran: TrialRun;
  readonly what: () => string;
}

interface QueuedRun extends Omit<PlannedRun, 'ran'> {
  /** Worlds of tests that have not run; undefined: the command has to run whole. */
  readonly open: Set<string> | undefined;
  readonly shares: { readonly worlds: readonly string[]; readonly ran: TrialRun }[];
  readonly done: (ran: TrialRun) => void;
}

/** Plans for different tests, as one. */
const packPlans = (parts: readonly { readonly plan: TrialPlan; readonly worlds: readonly string[] }[]): TrialPlan => {
  const planned = parts.flatMap(({ plan, worlds }) => worlds.map((world) => ({ plan, world })));
  return {
    behaviour: {},
    behaviours: Object.fromEntries(planned.map(({ plan, world }) => [world, behaviourIn(plan, world)])),
    orders: Object.fromEntries(planned.map(({ plan, world }) => [world, plan.orders?.[world] ?? []])),
    quietMs: parts.find(({ plan }) => plan.quietMs !== undefined)?.plan.quietMs,
    worlds: planned.map(({ world }) => world),
  };
};

/** The part of a run that is about some of its tests. */
const takeShare = (worlds: readonly string[], ran: TrialRun): TrialRun => {
  const notes = ran.notes.filter((note) => !('world' in note) || worlds.includes(note.world));
  const failed = notesOf(notes, 'test').filter(({ passed }) => !passed);
  const passes = passedWorlds(notes);
  // A command may stop at its first failure: what has not run has not passed.
  const isElsewhere = failedWorlds(ran.notes) !== undefined && worlds.every((world) => passes.has(world));
  const tests = ran.tests.filter((name) => failed.some(({ test }) => name.endsWith(lastOf(test))));
  return { ...ran, passed: ran.passed || isElsewhere, tests: tests.length > 0 ? tests : ran.tests, notes };
};

/** Shares of several runs, as one run. */
const joinShares = (shares: readonly TrialRun[]): TrialRun => {
  const failed = shares.filter(({ passed }) => !passed);
  return {
    ...(failed[0] ?? shares[0]!),
    tests: [...new Set(failed.flatMap(({ tests }) => tests))],
    output: failed.map(({ output }) => output).join('\n'),
    notes: shares.flatMap(({ notes }) => notes),
  };
};

/** The second of two runs at once begins later, so that it finds the port of the first in use, milliseconds. */
const MAX_STAGGER_MS = 5000;
/** Time for other plans to join the first, milliseconds. */
const GATHER_MS = 100;

/** @param first the run as it is @returns how to run, and all that has run */
export const queueRuns = (given: JudgeOptions, first: TrialRun) => {
  const { workers } = given;
  const [slots, alone] = [new JobQueue(workers), new JobQueue(1)];
  const tests = notesOf(first.notes, 'test').length;
  const trials: PlannedRun[] = [];
  const waiting: QueuedRun[] = [];
  const active = new Set<Promise<TrialRun>>();
  const comes = ({ passed, notes }: TrialRun) => passed || notesOf(notes, 'exchange').length > 0;
  /** A run that fails before it calls anything shares a port or a file with another: from then on, one goes at a time. */
  let isShared = false;
  let begun = 0;

  const runNow = async (plan: TrialPlan, what: () => string): Promise<TrialRun> => {
    const left = waiting.reduce((sum, { plan: { worlds } }) => sum + (worlds ? worlds.length / tests : 1), 0);
    const seconds = Math.ceil((left * first.seconds) / workers);
    const start = () => {
      const running = given.run(plan, () => (seconds > 0 ? `${what()}; at least ${seconds} s left` : what()));
      active.add(running);
      return running.finally(() => active.delete(running));
    };
    begun += 1;
    if (begun === 2) await wait(Math.min(MAX_STAGGER_MS, 500 * first.seconds));
    let ran = await start();
    if (!isShared && workers > 1 && !comes(ran) && comes(first)) {
      isShared = true;
      ran = await alone.within('', () => Promise.allSettled(active).then(start));
    }
    trials.push({ plan, ran, what });
    return ran;
  };

  /** Runs the longest waiting plan, and of the others what goes in other tests. */
  const takeNext = async (): Promise<void> => {
    const [head] = waiting as [QueuedRun];
    if (!head.open) {
      waiting.shift();
      return head.done(await runNow(head.plan, head.what));
    }
    const taken = new Set<string>();
    const parts = waiting.flatMap((job) => {
      const worlds = [...(job.open ?? [])].filter((world) => !taken.has(world));
      for (const world of worlds) {
        taken.add(world);
        job.open!.delete(world);
      }
      return worlds.length > 0 ? [{ job, plan: job.plan, worlds }] : [];
    });
    for (const { job } of parts) if (job.open!.size === 0) waiting.splice(waiting.indexOf(job), 1);
    const what = () => (parts.length === 1 ? head.what() : `${parts.length} trials in ${taken.size} tests`);
    const ran = await runNow(packPlans(parts), what);
    for (const { job, worlds } of parts) {
      job.shares.push({ worlds, ran: takeShare(worlds, ran) });
      if (job.shares.flatMap((share) => share.worlds).length === job.plan.worlds!.length)
        job.done(joinShares(job.shares.map((share) => share.ran)));
    }
  };

  const run: JudgeOptions['run'] = (plan, what) =>
    new Promise((done, fail) => {
      waiting.push({ plan, what, done, open: plan.worlds && new Set(plan.worlds), shares: [] });
      const runNext = async () => {
        if (plan.worlds) await wait(GATHER_MS);
        if (waiting.length > 0) await takeNext();
      };
      void slots.within('', () => (isShared ? alone.within('', runNext) : runNext())).catch(fail);
    });
  return { run, trials, isSerial: () => isShared || workers === 1 };
};

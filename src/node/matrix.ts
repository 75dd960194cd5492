// `wm-mock matrix`: runs a command on other services that conform, and on one that fails for a moment, and says what it takes for granted.
import { join, resolve } from 'node:path';
import { several } from '../describe/report.ts';
import type { Flip } from '../matrix/flips.ts';
import { planned } from '../matrix/planned.ts';
import type { Traffic } from '../matrix/recording.ts';
import { junitOf, markdownOf, pageOf, reportOf, textOf } from '../matrix/report.ts';
import { type Ended, limited, Search } from '../matrix/search.ts';
import type { Args } from './args.ts';
import { readText } from './files.ts';
import { trafficIn } from './flipped.ts';
import { type Io, UsageError } from './io.ts';
import { fromFile, type MockOptions } from './make.ts';
import { PastRuns } from './past-runs.ts';
import {
  BASELINE_RUNS,
  DOUBT_RUNS,
  FIRST_LIMIT_MS,
  json,
  limitOf,
  quoted,
  readKnown,
  unfit,
  untilStopped,
  whole,
  writeReports,
} from './repeated.ts';
import { settings } from './serve.ts';
import { type Trial, tried } from './trial.ts';

type Run = Trial<readonly Traffic[]>;

/** Traffic with the text of each seed in place of its path. */
const playable = (traffic: readonly Traffic[]): Promise<readonly Traffic[]> =>
  Promise.all(traffic.map(async (one) => ({ ...one, options: await fromFile(one.options) })));

const asked = (folder: string) => trafficIn(folder).filter(({ steps }) => steps.length > 0);

/** Runs the command, and says of each run how it ended. */
const runner = (words: readonly string[], io: Io, options: MockOptions, workers: number) => {
  const inTurn = limited(workers);
  let runs = 0;
  return (flips: readonly Flip[], what: string, limitMs: number): Promise<Run> =>
    inTurn(async () => {
      io.stop.throwIfAborted();
      const given = flips.map(({ options: own, faults, windowMs }) => ({ options: own, faults, windowMs }));
      const trial = await tried({ words, io, options }, { flips: given }, asked, limitMs);
      io.stop.throwIfAborted();
      runs += 1;
      const [ended, took] = [trial.passed ? 'passes' : 'fails ', trial.seconds.toFixed(1).padStart(6)];
      io.err(`${String(runs).padStart(4)}  ${ended}  ${took} s  ${what}\n`);
      return trial;
    });
};

/**
 * @returns 0: no new assumption; 1: at least one; 2: the command fails, or is flaky, on the mock as it is; 128 and the number of
 * the signal that stopped it. @throws UsageError, SeedError
 */
export const matrix = (args: Args, io: Io): Promise<number> => untilStopped(io, () => judged(args, io));

const judged = async (args: Args, io: Io): Promise<number> => {
  const { flags, rest: words } = args;
  if (words.length === 0)
    throw new UsageError('matrix: expected a command, as in wm-mock matrix -- npm test. See wm-mock matrix --help.');
  const began = performance.now();
  const { report: to = 'matrix-report', resume, ...shaping } = flags;
  const [workers, repeat] = [whole(flags, 'workers', 1, 64), whole(flags, 'repeat', 2, 20)];
  const only = typeof flags.only === 'string' ? flags.only.split(',') : [];
  const known = await readKnown(flags.baseline, 'assumptions', io);
  const path = flags.seed === 'demo' ? undefined : (flags.seed as string | undefined);
  const seed = path === undefined ? 'demo' : await readText(path, 'seed file', io.cwd, io.stop);
  const options: MockOptions = { ...(await settings(args, io)), seed };
  const [folder, command] = [resolve(io.cwd, to as string), words.map(quoted).join(' ')];
  const run = runner(words, io, options, workers);

  const trials: Run[] = [];
  for (let i = 0; i < BASELINE_RUNS; i++) trials.push(await run([], 'the mock as it is', FIRST_LIMIT_MS));
  const failed = trials.filter(({ passed }) => !passed);
  if (failed.length > 0) {
    const how = failed.length === BASELINE_RUNS ? 'fails' : 'is flaky: it fails intermittently';
    io.err(unfit('matrix', command, `${how} on the mock as it is`, failed[0]!));
    return 2;
  }
  const first = trials[0]!;
  const limitMs = limitOf(trials);

  const { flips, pruned, touches, operations, groups } = await planned(options, await playable(first.heard), only);
  if (flips.length === 0)
    throw new UsageError(`--only: expected kinds, names or ids of flips that this command may meet, got "${flags.only}".`);
  const requests = first.heard.reduce((sum, { steps }) => sum + steps.length, 0);
  io.err(`      ${several(requests, 'request')} of ${several(operations.size, 'operation')}; `);
  io.err(`${flips.length - pruned.size} of ${several(flips.length, 'flip')} may be noticed\n`);

  const past = new PastRuns<Ended>(join(folder, 'matrix-runs.json'), JSON.stringify([words, shaping]));
  if (resume) await past.read();
  const search = new Search((some) => {
    const key = some.map(({ id }) => id).join();
    return past.ended(key, async () => {
      const { passed, tests } = await run(some, some.length === 1 ? key : `${some.length} flips of ${some[0]!.group}`, limitMs);
      return { passed, tests };
    });
  }, repeat);
  let untried = groups.length;
  const tryGroup = async (group: readonly Flip[]) => {
    await search.group(group);
    untried -= 1;
    const seconds = Math.ceil((untried * first.seconds) / workers);
    if (untried > 0) io.err(`      ${untried} of ${several(groups.length, 'group')} left, at least ${seconds} s\n`);
  };
  let doubt: Run | undefined;
  try {
    await Promise.all(groups.map(tryGroup));
    for (let i = 0; search.unsteady && !doubt && i < DOUBT_RUNS; i++) {
      const trial = await run([], 'the mock as it is, once more', limitMs);
      if (!trial.passed) doubt = trial;
    }
  } catch (error) {
    if (!io.stop.aborted) throw error;
  }
  const baseline = { runs: BASELINE_RUNS, exit: first.status };
  const seconds = (performance.now() - began) / 1000;
  if (doubt) {
    io.err(unfit('matrix', command, 'is flaky: it fails intermittently on the mock as it is', doubt));
    return 2;
  }
  const found = reportOf({ command, flips, pruned, touches, verdicts: search.verdicts, known, baseline, seconds });
  const files = { 'matrix.json': json(found), 'matrix.xml': junitOf(found), 'index.html': pageOf(found) };
  await writeReports(folder, files, markdownOf(found), io);
  io.out(`${textOf(found)}${join(folder, 'index.html')}\n`);
  return found.assumptions.some((one) => !one.known) ? 1 : 0;
};

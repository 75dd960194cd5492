// `wm-mock matrix`: runs a command on other services that conform, and on one that fails for a moment, and says what it takes for granted.
import { type CommandEnd, searchFlips } from '../../client/matrix/flip-search.ts';
import type { Flip } from '../../client/matrix/flips.ts';
import { buildMatrixReport, MATRIX_FORMATS } from '../../client/matrix/matrix-report.ts';
import { planFlips } from '../../client/matrix/traffic.ts';
import { several } from '../../mock/api/report.ts';
import { JobQueue } from '../../service/webhooks/sender.ts';
import type { CommandLine } from '../command-line/args.ts';
import { type Io, UsageError } from '../command-line/io.ts';
import { loadSeed } from '../create-mock.ts';
import { FIRST_LIMIT_MS, isFlaky, prepareRuns, runBaseline, runUntilStopped, writeReport } from '../repeated-runs/judge.ts';
import { readTraffic } from '../repeated-runs/judged-mock.ts';

const MATRIX_JUDGE = {
  name: 'matrix',
  example: 'npm test',
  finds: 'assumptions',
  usual: 'on the mock as it is',
  heard: (folder: string) => readTraffic(folder).filter(({ steps }) => steps.length > 0),
};

/** @returns 0: no new assumption; 1: some; 2: the plain command fails or is flaky; 128 + signal. @throws UsageError, SeedError */
export const runMatrix = (args: CommandLine, io: Io): Promise<number> => runUntilStopped(io, () => judgeByFlips(args, io));

const judgeByFlips = async (args: CommandLine, io: Io): Promise<number> => {
  const { flags } = args;
  const only = typeof flags.only === 'string' ? flags.only.split(',') : [];
  const judged = await prepareRuns(MATRIX_JUDGE, args, io);
  const { command, options, workers, known } = judged;
  const slots = new JobQueue(workers);
  const run = (flips: readonly Flip[], what: string, limitMs: number) =>
    slots.within('', () => {
      const given = flips.map(({ options: own, faults, windowMs }) => ({ options: own, faults, windowMs }));
      return judged.run({ flips: given }, () => what, limitMs);
    });

  const baseline = await runBaseline(judged, () => run([], 'the mock as it is', FIRST_LIMIT_MS));
  if (!baseline) return 2;
  const { limitMs, trials } = baseline;
  const [first] = trials as [(typeof trials)[number]];
  const traffic = first.heard.map(async (one) => ({ ...one, options: await loadSeed(one.options) }));
  const plan = await planFlips(options, await Promise.all(traffic), only);
  const { flips, groups } = plan;
  if (flips.length === 0)
    throw new UsageError(`--only: expected kinds, names or ids of flips that this command may meet, got "${flags.only}".`);
  const requests = first.heard.reduce((sum, { steps }) => sum + steps.length, 0);
  io.err(`      ${several(requests, 'request')} of ${several(plan.operations.size, 'operation')}; `);
  io.err(`${flips.length - plan.pruned.size} of ${several(flips.length, 'flip')} may be noticed\n`);

  const keep = await judged.keepEnds<CommandEnd>();
  const { verdicts, searchGroup } = searchFlips((some) => {
    const key = some.map(({ id }) => id).join();
    return keep(key, async () => {
      const { passed, tests } = await run(some, some.length === 1 ? key : `${some.length} flips of ${some[0]!.group}`, limitMs);
      return { passed, tests };
    });
  }, judged.repeat);
  let untried = groups.length;
  const tryGroup = async (group: readonly Flip[]) => {
    await searchGroup(group);
    untried -= 1;
    const seconds = Math.ceil((untried * first.seconds) / workers);
    if (untried > 0) io.err(`      ${untried} of ${several(groups.length, 'group')} left, at least ${seconds} s\n`);
  };
  try {
    await Promise.all(groups.map(tryGroup));
    const unsteady = [...verdicts.values()].some(({ status }) => status === 'flaky');
    if (unsteady && (await isFlaky(judged, () => run([], 'the mock as it is, once more', limitMs)))) return 2;
  } catch (error) {
    if (!io.stop.aborted) throw error;
  }
  const how = { command, known, baseline: { runs: trials.length, exit: first.status }, seconds: judged.seconds() };
  const found = buildMatrixReport({ ...plan, verdicts, ...how });
  await writeReport(judged, found, MATRIX_FORMATS);
  return found.assumptions.some((one) => !one.known) ? 1 : 0;
};

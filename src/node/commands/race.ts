// `wm-mock race`: runs a command with its responses in other orders, and says which of them break it.
import { join, resolve } from 'node:path';
import { measureQuietMs } from '../../client/race/delayed-responses.ts';
import { batchOrders, type OrderBatches, type WorldOrders } from '../../client/race/order-batches.ts';
import { type SearchResult, searchOrders, type WorldRun } from '../../client/race/order-search.ts';
import { buildRaceReport, formatTimeline, RACE_FORMATS, type RaceReport } from '../../client/race/race-report.ts';
import { several } from '../../mock/api/report.ts';
import { readJson } from '../../service/validation/json-text.ts';
import type { CommandLine } from '../command-line/args.ts';
import { type Io, UsageError } from '../command-line/io.ts';
import { readText } from '../files/files.ts';
import type { CommandRun } from '../repeated-runs/command-run.ts';
import * as judge from '../repeated-runs/judge.ts';
import { readRaces } from '../repeated-runs/judged-mock.ts';

type RaceRun = CommandRun<ReturnType<typeof readRaces>>;
type HasTestOutcome = (world: string) => boolean;
type RunOrders = (orders: WorldOrders, limitMs: number) => Promise<RaceRun>;

const RACE_JUDGE = {
  name: 'race',
  example: 'npx playwright test',
  finds: 'findings',
  usual: 'in the usual order of responses',
  heard: readRaces,
};

/** A test outcome wins over the exit status. */
const listWorldEnds = ({ heard: { logs, tests }, ...trial }: RaceRun, worlds: Iterable<string>, isTold: HasTestOutcome) =>
  new Map<string, WorldRun>(
    [...worlds].map((world) => {
      const test = tests.get(world);
      const log = logs.get(world) ?? [];
      if (isTold(world)) return [world, { passed: test?.passed ?? true, log, ...(test && { test: test.test }) }];
      return [world, { passed: trial.passed, log, ...(!trial.passed && trial.tests[0] && { test: trial.tests[0] }) }];
    }),
  );

/** @returns 1 if the command fails */
const replayFindings = async (id: string, folder: string, io: Io, run: RunOrders) => {
  const isFile = id.endsWith('.json');
  const path = isFile ? resolve(io.cwd, id) : join(folder, 'race.json');
  const { findings: all } = Object(readJson(await readText(path, 'report', io.cwd))) as Partial<RaceReport>;
  if (!Array.isArray(all))
    throw new UsageError(`--replay: ${path} holds no findings. Give the id of one, or the race.json that has them.`, 1);
  const findings = isFile ? all : all.filter((one) => one.id === id);
  if (findings.length === 0) throw new UsageError(`--replay: ${path} has no finding "${id}".`, 1);
  let status = 0;
  for (const finding of findings) {
    const trial = await run(new Map([[finding.world, finding.holds]]), judge.FIRST_LIMIT_MS);
    io.out(`${finding.id}: ${finding.says}: ${trial.passed ? 'passes' : 'fails'}\n`);
    for (const line of formatTimeline(finding)) io.out(`  ${line}\n`);
    if (!trial.passed) {
      io.err(trial.output);
      status = 1;
    }
  }
  return status;
};

/** @returns 0: no new race; 1: some; 2: the plain command fails or is flaky; 128 + signal. @throws UsageError, SeedError */
export const runRace = (args: CommandLine, io: Io): Promise<number> => judge.runUntilStopped(io, () => judgeByOrders(args, io));

const judgeByOrders = async (args: CommandLine, io: Io): Promise<number> => {
  const { flags } = args;
  const most = judge.readCount(flags, 'orders', 100_000);
  const judged = await judge.prepareRuns(RACE_JUDGE, args, io);
  const { workers, repeat } = judged;

  let quietMs: number | undefined;
  const run = (orders: WorldOrders, limitMs: number, left = () => ''): Promise<RaceRun> => {
    const how = { flips: [], orders: Object.fromEntries(orders), ...(quietMs && { quietMs }) };
    const what = orders.size === 0 ? 'the usual order' : several(orders.size, 'order');
    return judged.run(how, () => what + left(), limitMs);
  };
  if (typeof flags.replay === 'string') return replayFindings(flags.replay, judged.folder, io, run);

  const baseline = await judge.runBaseline(judged, () => run(new Map(), judge.FIRST_LIMIT_MS));
  if (!baseline) return 2;
  const { limitMs, trials } = baseline;
  const first = trials[0]!;
  quietMs = measureQuietMs(trials.flatMap(({ heard }) => [...heard.logs.values()]));
  const { logs, tests } = first.heard;
  const worlds = [...logs.keys()].filter((world) => trials.every(({ heard }) => heard.logs.has(world)));
  const isTold: HasTestOutcome = (world) => tests.has(world);
  const keep = await judged.keepEnds<WorldRun | null>();
  const batches: OrderBatches = batchOrders({
    run: async (orders) => {
      const left = () => {
        const { waiting } = batches.counts();
        const turns = Math.ceil(waiting / orders.size / workers);
        return turns > 0 ? `; ${several(waiting, 'order')} left, at least ${Math.ceil(turns * first.seconds)} s` : '';
      };
      return listWorldEnds(await run(orders, limitMs, left), orders.keys(), isTold);
    },
    workers,
    isAlone: (world) => !isTold(world),
    most,
  });
  const firsts = listWorldEnds(first, worlds, isTold);
  const exploreOne = async (world: string): Promise<[string, SearchResult]> => {
    const tries = batches.attemptIn(world);
    const attempt: typeof tries = async (order, how) =>
      (await keep(`${world} ${JSON.stringify(order)}`, async () => (await tries(order, how)) ?? null)) ?? undefined;
    return [world, await searchOrders(firsts.get(world)!, { attempt, repeat, most, lost: flags.lost === true })];
  };
  const explored = new Map(await Promise.all(worlds.map(exploreOne)));
  const unsteady = [...explored.values()].some((one) => one.unsteady.length > 0);
  if (unsteady && (await judge.isFlaky(judged, () => run(new Map(), limitMs)))) return 2;
  const { command, known } = judged;
  const { tried } = batches.counts();
  const found = buildRaceReport({ command, worlds: explored, tried, known, seconds: judged.seconds() });
  await judge.writeReport(judged, found, RACE_FORMATS);
  return found.findings.some((one) => !one.known) ? 1 : 0;
};

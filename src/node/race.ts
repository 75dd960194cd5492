// `wm-mock race`: runs a command with its responses in other orders, and says which of them break it.
import { join, resolve } from 'node:path';
import { several } from '../describe/report.ts';
import { Batches, type Orders } from '../race/batches.ts';
import type { Ran } from '../race/log.ts';
import { type Explored, explore } from '../race/orders.ts';
import { quietOf } from '../race/raced.ts';
import { type Finding, junitOf, markdownOf, pageOf, type Report, reportOf, textOf, timelineOf } from '../race/report.ts';
import type { Args } from './args.ts';
import { readText } from './files.ts';
import { racesIn } from './flipped.ts';
import { type Io, UsageError } from './io.ts';
import type { MockOptions } from './make.ts';
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

type Run = Trial<ReturnType<typeof racesIn>>;
type IsTold = (world: string) => boolean;

/** A number is the seed of the search, anything else that of the mock. */
export const seedsOf = (given: unknown): { readonly file: string | undefined; readonly draw: number } => {
  const all = (Array.isArray(given) ? given : [given ?? []]).flat().map(String);
  const isNumber = (one: string) => /^\d{1,9}$/.test(one);
  const file = all.findLast((one) => !isNumber(one));
  return { file: file === 'demo' ? undefined : file, draw: Number(all.findLast(isNumber) ?? 1) };
};

/** How each world of a run ended: by what its test says, where one does, else by the command. */
const endsOf = ({ heard: { logs, tests }, ...trial }: Run, worlds: Iterable<string>, isTold: IsTold): ReadonlyMap<string, Ran> =>
  new Map(
    [...worlds].map((world) => {
      const test = tests.get(world);
      const log = logs.get(world) ?? [];
      if (isTold(world)) return [world, { passed: test?.passed ?? true, log, ...(test && { test: test.test }) }];
      return [world, { passed: trial.passed, log, ...(!trial.passed && trial.tests[0] && { test: trial.tests[0] }) }];
    }),
  );

const findingsIn = (text: string, path: string): readonly Finding[] => {
  const { findings } = JSON.parse(text) as Partial<Report>;
  if (!findings)
    throw new UsageError(`--replay: ${path} holds no findings. Give the id of one, or the race.json that has them.`, 1);
  return findings;
};

/** @returns 1 when the command fails with one of these orders, else 0 */
const replayed = async (
  id: string,
  folder: string,
  io: Io,
  run: (orders: Orders, limitMs: number) => Promise<Run>,
): Promise<number> => {
  const path = id.endsWith('.json') ? resolve(io.cwd, id) : join(folder, 'race.json');
  const findings = findingsIn(await readText(path, 'report', io.cwd), path).filter(
    (one) => id.endsWith('.json') || one.id === id,
  );
  if (findings.length === 0) throw new UsageError(`--replay: ${path} has no finding "${id}".`, 1);
  let status = 0;
  for (const finding of findings) {
    const trial = await run(new Map([[finding.world, finding.holds]]), FIRST_LIMIT_MS);
    io.out(`${finding.id}: ${finding.says}: ${trial.passed ? 'passes' : 'fails'}\n`);
    for (const line of timelineOf(finding)) io.out(`  ${line}\n`);
    if (!trial.passed) {
      io.err(trial.output);
      status = 1;
    }
  }
  return status;
};

/**
 * @returns 0: no new race; 1: at least one; 2: the command fails, or is flaky, in the usual order; 128 and the number of the signal
 * that stopped it. @throws UsageError, SeedError
 */
export const race = (args: Args, io: Io): Promise<number> => untilStopped(io, () => judged(args, io));

const judged = async (args: Args, io: Io): Promise<number> => {
  const { flags, rest: words } = args;
  if (words.length === 0)
    throw new UsageError('race: expected a command, as in wm-mock race -- npx playwright test. See wm-mock race --help.');
  const began = performance.now();
  const { report: to = 'race-report', resume, replay, ...shaping } = flags;
  const [workers, repeat, most] = [
    whole(flags, 'workers', 1, 64),
    whole(flags, 'repeat', 2, 20),
    whole(flags, 'orders', 200, 100_000),
  ];
  const known = await readKnown(flags.baseline, 'findings', io);
  const seeds = seedsOf(flags.seed);
  const seed = seeds.file === undefined ? 'demo' : await readText(seeds.file, 'seed file', io.cwd, io.stop);
  const { seed: _, ...others } = flags;
  const options: MockOptions = { ...(await settings({ ...args, flags: others }, io)), seed };
  const [folder, command] = [resolve(io.cwd, to as string), words.map(quoted).join(' ')];

  let runs = 0;
  let quietMs: number | undefined;
  const run = async (orders: Orders, limitMs: number, left = () => ''): Promise<Run> => {
    io.stop.throwIfAborted();
    const trial = await tried(
      { words, io, options },
      { flips: [], orders: Object.fromEntries(orders), ...(quietMs && { quietMs }) },
      racesIn,
      limitMs,
    );
    io.stop.throwIfAborted();
    runs += 1;
    const [ended, took] = [trial.passed ? 'passes' : 'fails ', trial.seconds.toFixed(1).padStart(6)];
    const what = orders.size === 0 ? 'the usual order' : several(orders.size, 'order');
    io.err(`${String(runs).padStart(4)}  ${ended}  ${took} s  ${what}${left()}\n`);
    return trial;
  };
  if (typeof replay === 'string') return replayed(replay, folder, io, run);

  const trials: Run[] = [];
  for (let i = 0; i < BASELINE_RUNS; i++) trials.push(await run(new Map(), FIRST_LIMIT_MS));
  const failed = trials.filter(({ passed }) => !passed);
  if (failed.length > 0) {
    const how = failed.length === BASELINE_RUNS ? 'fails' : 'is flaky: it fails intermittently';
    io.err(unfit('race', command, `${how} in the usual order of responses`, failed[0]!));
    return 2;
  }
  quietMs = quietOf(trials.flatMap(({ heard }) => [...heard.logs.values()]));
  const { logs, tests } = trials[0]!.heard;
  const worlds = [...logs.keys()].filter((world) => trials.every(({ heard }) => heard.logs.has(world)));
  const isTold: IsTold = (world) => tests.has(world);
  const past = new PastRuns<Ran | null>(join(folder, 'race-runs.json'), JSON.stringify([words, shaping]));
  if (resume) await past.read();
  const limitMs = limitOf(trials);
  const batches: Batches = new Batches({
    run: async (orders) => {
      const left = () => {
        const turns = Math.ceil(batches.waiting / Math.max(1, orders.size) / workers);
        return turns > 0
          ? `; ${several(batches.waiting, 'order')} left, at least ${Math.ceil(turns * trials[0]!.seconds)} s`
          : '';
      };
      return endsOf(await run(orders, limitMs, left), orders.keys(), isTold);
    },
    workers,
    isAlone: (world) => !isTold(world),
    most,
  });
  const firsts = endsOf(trials[0]!, worlds, isTold);
  const exploreOne = async (world: string): Promise<[string, Explored]> => {
    const tries = batches.of(world);
    const attempt: typeof tries = async (order, how) =>
      (await past.ended(`${world} ${JSON.stringify(order)}`, async () => (await tries(order, how)) ?? null)) ?? undefined;
    return [world, await explore(firsts.get(world)!, { attempt, seed: seeds.draw, repeat, most, lost: flags.lost === true })];
  };
  const explored = new Map(await Promise.all(worlds.map(exploreOne)));
  const unsteady = [...explored.values()].some((one) => one.unsteady.length > 0);
  for (let i = 0; unsteady && i < DOUBT_RUNS; i++) {
    const doubt = await run(new Map(), limitMs);
    if (doubt.passed) continue;
    io.err(unfit('race', command, 'is flaky: it fails intermittently in the usual order of responses', doubt));
    return 2;
  }
  const seconds = (performance.now() - began) / 1000;
  const found = reportOf({ command, quiet: 'guessed', worlds: explored, tried: batches.tried, known, seconds });
  const files = { 'race.json': json(found), 'race.xml': junitOf(found), 'index.html': pageOf(found) };
  await writeReports(folder, files, markdownOf(found), io);
  io.out(`${textOf(found)}${join(folder, 'index.html')}\n`);
  return found.findings.some((one) => !one.known) ? 1 : 0;
};

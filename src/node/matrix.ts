// `wm-mock matrix`: runs a command on every service that the specification permits, and says what it takes for granted.
import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Plan } from '../contract/limits.ts';
import { LATEST } from '../contract/releases.ts';
import { type Flip, flipsOf, optionsWith, type Traffic } from '../matrix/flips.ts';
import { difference, faithful, lacks, type Played, play, type Step } from '../matrix/recording.ts';
import { junitOf, markdownOf, pageOf, type Report, reportOf, type Touch, textOf } from '../matrix/report.ts';
import { Search } from '../matrix/search.ts';
import { toSeed } from '../mock/create.ts';
import { realNow } from '../world/clock.ts';
import type { Args } from './args.ts';
import { readText } from './files.ts';
import type { MockOptions } from './index.ts';
import { type Io, UsageError } from './io.ts';
import { settings } from './serve.ts';
import { type Trial, tried } from './trial.ts';

/** The command is run so often on the mock as it is before anything else, and so often when something ended without a reason. */
const BASELINE_RUNS = 2;
const DOUBT_RUNS = 15;
const FIRST_LIMIT_MS = 600_000;
/** Below this part of the traffic that is answered as it was, playing it again proves nothing. */
const LEAST_FAITHFUL = 0.9;

const whole = (flags: Args['flags'], name: string, usual: number, most: number): number => {
  const given = flags[name];
  if (given === undefined) return usual;
  const number = Number(given);
  if (Number.isInteger(number) && number >= 1 && number <= most) return number;
  throw new UsageError(`--${name}: expected an integer from 1 to ${most}, got "${given}".`);
};

const quoted = (word: string): string => (/^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);

/** Ids of accepted assumptions: an earlier matrix.json, or a list of ids in JSON or YAML. */
const readKnown = async (path: unknown, io: Io): Promise<ReadonlySet<string>> => {
  if (typeof path !== 'string') return new Set();
  const { parse } = await import('yaml');
  const text = await readText(path, 'baseline', io.cwd);
  const value = parse(text) as Partial<Report> | readonly unknown[] | null;
  const list = Array.isArray(value) ? value : (value as Partial<Report> | null)?.assumptions;
  if (!Array.isArray(list)) throw new UsageError(`--baseline: ${path} holds neither assumptions nor a list of their ids.`, 1);
  return new Set(list.map((one) => (typeof one === 'string' ? one : String((one as { id?: unknown }).id))));
};

const isWanted = ({ id, kind, name }: Flip, only: readonly string[]): boolean =>
  only.length === 0 || only.some((one) => one === kind || one === name || id.startsWith(one));

/** Which flips the traffic would not meet, and what each of the others changes first. */
const prune = async (flips: readonly Flip[], options: MockOptions, steps: readonly Step[]) => {
  const pruned = new Map<string, string>();
  const touches = new Map<string, Touch>();
  const seed = await toSeed(options);
  // Both sides begin at one moment, so that they differ by the flip alone.
  const frozen = { ...options, now: seed.now ?? realNow() };
  const before = await play(frozen, steps);
  if (faithful(steps, before) < LEAST_FAITHFUL) return { pruned, touches };
  for (const flip of flips) {
    if (flip.faults.length > 0) continue;
    const after: Played | undefined = await play(optionsWith(frozen, [flip]), steps).catch(() => undefined);
    if (!after) continue;
    const touch = difference(steps, before, after);
    if (!touch) pruned.set(flip.id, 'nothing that the command asks would be answered differently');
    else if (flip.kind === 'release' && lacks(steps, before, after))
      pruned.set(flip.id, 'this release lacks an operation that the command uses');
    else touches.set(flip.id, touch);
  }
  return { pruned, touches };
};

/** At most so many at once; the others wait for their turn. */
const limited = (most: number) => {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async <T>(task: () => Promise<T>): Promise<T> => {
    if (running >= most) await new Promise<void>((next) => waiting.push(next));
    running += 1;
    try {
      return await task();
    } finally {
      running -= 1;
      waiting.shift()?.();
    }
  };
};

const grouped = (flips: readonly Flip[]): readonly (readonly Flip[])[] => {
  const groups = new Map<string, Flip[]>();
  for (const flip of flips) groups.set(flip.group, [...(groups.get(flip.group) ?? []), flip]);
  return [...groups.values()];
};

const write = async (report: Report, folder: string, { env }: Io): Promise<void> => {
  await mkdir(folder, { recursive: true });
  const files = { 'matrix.json': JSON.stringify(report, null, 2), 'matrix.xml': junitOf(report), 'index.html': pageOf(report) };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  if (env.GITHUB_STEP_SUMMARY) await appendFile(env.GITHUB_STEP_SUMMARY, markdownOf(report));
};

const lastLines = (output: string): string => output.trimEnd().split('\n').slice(-30).join('\n');

/** @returns 0: no new assumption; 1: at least one; 2: the command fails, or is flaky, on the mock as it is. @throws UsageError, SeedError */
export const matrix = async (args: Args, io: Io, attempt: typeof tried = tried): Promise<number> => {
  const { flags, rest: words } = args;
  if (words.length === 0) {
    throw new UsageError('matrix: expected a command, as in wm-mock matrix -- npm test. See wm-mock matrix --help.');
  }
  const began = performance.now();
  const folder = resolve(io.cwd, (flags.report as string | undefined) ?? 'matrix-report');
  const workers = limited(whole(flags, 'workers', 1, 64));
  const repeat = whole(flags, 'repeat', 2, 20);
  const only = typeof flags.only === 'string' ? flags.only.split(',') : [];
  const known = await readKnown(flags.baseline, io);
  const seed =
    typeof flags.seed === 'string' && flags.seed !== 'demo' ? await readText(flags.seed, 'seed file', io.cwd, io.stop) : 'demo';
  const options: MockOptions = { ...(await settings(args, io)), seed };
  const command = words.map(quoted).join(' ');
  let runs = 0;
  let limitMs = FIRST_LIMIT_MS;
  const run = (flips: readonly Flip[], what: string): Promise<Trial> =>
    workers(async () => {
      io.stop.throwIfAborted();
      const trial = await attempt({ words, io, options }, flips, limitMs);
      io.stop.throwIfAborted();
      runs += 1;
      io.err(
        `${String(runs).padStart(4)}  ${trial.passed ? 'passes' : 'fails '}  ${trial.seconds.toFixed(1).padStart(6)} s  ${what}\n`,
      );
      return trial;
    });
  const fails = (trial: Trial, what: string): number => {
    io.err(
      `wm-mock: ${command} ${what}. Mend that first: the matrix can only tell what breaks what passes. It said:\n\n${lastLines(trial.output)}\n`,
    );
    return 2;
  };

  const trials: Trial[] = [];
  for (let i = 0; i < BASELINE_RUNS; i++) trials.push(await run([], 'the mock as it is'));
  const [first] = trials;
  const failed = trials.filter(({ passed }) => !passed);
  if (failed.length === trials.length) return fails(failed[0]!, 'fails on the mock as it is');
  if (failed.length > 0) return fails(failed[0]!, 'is flaky: it failed once of two times on the mock as it is');
  limitMs = 4000 * Math.max(...trials.map(({ seconds }) => seconds)) + 120_000;

  const asked: Traffic = { operations: first!.operations, events: first!.events };
  const { choices, release = LATEST, forward = [], workspaces } = await toSeed(options);
  const asItIs = { choices, release, forward, plan: workspaces[0]?.plan as Plan | undefined };
  const flips = flipsOf(asItIs, asked).filter((flip) => isWanted(flip, only));
  const { pruned, touches } = await prune(flips, options, first!.steps);
  const left = flips.filter(({ id }) => !pruned.has(id));
  io.err(
    `      ${first!.steps.length} requests of ${asked.operations.size} operations; ${flips.length} flips, ${left.length} of them matter\n`,
  );

  const search = new Search(
    (some) => run(some, some.length === 1 ? some[0]!.id : `${some.length} flips of ${some[0]!.group}`),
    repeat,
  );
  const report = () =>
    reportOf({
      command,
      flips,
      pruned,
      touches,
      verdicts: search.verdicts,
      known,
      baseline: { runs: BASELINE_RUNS, exit: first!.status },
      seconds: (performance.now() - began) / 1000,
    });
  let stopped = false;
  try {
    await Promise.all(grouped(left).map((group) => search.group(group)));
  } catch (error) {
    if (!io.stop.aborted) throw error;
    stopped = true;
  }
  let doubt: Trial | undefined;
  for (let i = 0; search.unsteady && !stopped && !doubt && i < DOUBT_RUNS; i++) {
    const trial = await run([], 'the mock as it is, once more');
    if (!trial.passed) doubt = trial;
  }
  const found = report();
  await write(found, folder, io);
  if (doubt) return fails(doubt, 'is flaky: it also fails, now and then, on the mock as it is');
  io.out(`${textOf(found)}${join(folder, 'index.html')}\n`);
  if (stopped) return 130;
  return found.assumptions.some((one) => !one.known) ? 1 : 0;
};

// What the commands that judge another command by many runs have in common: how they begin, run it, doubt it and report.
import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { BASELINE_RUNS, RUN_DEFAULTS } from '../../client/run-defaults.ts';
import type { CommandLine } from '../command-line/args.ts';
import { type Io, UsageError } from '../command-line/io.ts';
import { signalStatus } from '../commands/exec.ts';
import { readMockOptions } from '../commands/serve.ts';
import type { NodeMockOptions } from '../create-mock.ts';
import { readText } from '../files/files.ts';
import { type CommandRun, type MockBehaviour, runCommand } from './command-run.ts';
import { PastRuns } from './past-runs.ts';

/** Runs with nothing changed, once something ended without a reason. */
const DOUBT_RUNS = 15;
export const FIRST_LIMIT_MS = 600_000;

/** A flag that is an integer. @throws UsageError */
export const readCount = (flags: CommandLine['flags'], name: keyof typeof RUN_DEFAULTS, max: number): number => {
  const given = flags[name];
  if (given === undefined) return RUN_DEFAULTS[name];
  const number = Number(given);
  if (Number.isInteger(number) && number >= 1 && number <= max) return number;
  throw new UsageError(`--${name}: expected an integer from 1 to ${max}, got "${given}".`);
};

/** A word as a shell takes it. */
export const quoteForShell = (word: string): string =>
  /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;

/** Ids that somebody has accepted: those of an earlier report, or a list of ids in JSON or YAML. @param field of the report */
const readKnown = async (path: unknown, field: string, io: Io): Promise<ReadonlySet<string>> => {
  if (typeof path !== 'string') return new Set();
  const { parse } = await import('yaml');
  const value = parse(await readText(path, 'baseline', io.cwd)) as Readonly<Record<string, unknown>> | readonly unknown[] | null;
  const list = Array.isArray(value) ? value : (value as Readonly<Record<string, unknown>> | null)?.[field];
  if (!Array.isArray(list)) throw new UsageError(`--baseline: ${path} holds neither ${field} nor a list of their ids.`, 1);
  return new Set(list.map((one) => (typeof one === 'string' ? one : String((one as { id?: unknown }).id))));
};

/** What tells one judge from another. */
interface JudgeOptions<T> {
  readonly name: string;
  /** A command that it may judge. */
  readonly example: string;
  /** What its report calls what it found. */
  readonly finds: string;
  /** How the command must pass. */
  readonly usual: string;
  /** What the mocks of a run have noted in a folder. */
  readonly heard: (folder: string) => T;
}

/** Reads what is asked of both. @throws UsageError */
export const prepareRuns = async <T>(judge: JudgeOptions<T>, args: CommandLine, io: Io) => {
  const began = performance.now();
  const { flags, rest: words } = args;
  const { name } = judge;
  if (words.length === 0)
    throw new UsageError(`${name}: expected a command, as in wm-mock ${name} -- ${judge.example}. See wm-mock ${name} --help.`);
  const [workers, repeat] = [readCount(flags, 'workers', 64), readCount(flags, 'repeat', 20)];
  const known = await readKnown(flags.baseline, judge.finds, io);
  const { seed: file = 'demo' } = flags;
  const seed = file === 'demo' ? file : await readText(file as string, 'seed file', io.cwd, io.stop);
  const options: NodeMockOptions = { ...(await readMockOptions({ ...args, flags: { ...flags, seed: undefined } }, io)), seed };
  const { report = `${name}-report`, resume, replay: _, ...shaping } = flags;
  const folder = resolve(io.cwd, report as string);
  let runs = 0;
  return {
    judge,
    io,
    workers,
    repeat,
    known,
    options,
    folder,
    command: words.map(quoteForShell).join(' '),
    seconds: () => (performance.now() - began) / 1000,
    /** Runs the command, and says how that ended. @param what was run, once it has ended */
    run: async (how: MockBehaviour, what: () => string, limitMs: number): Promise<CommandRun<T>> => {
      io.stop.throwIfAborted();
      const trial = await runCommand({ words, io, options }, how, judge.heard, limitMs);
      io.stop.throwIfAborted();
      runs += 1;
      const [ended, took] = [trial.passed ? 'passes' : 'fails ', trial.seconds.toFixed(1).padStart(6)];
      io.err(`${String(runs).padStart(4)}  ${ended}  ${took} s  ${what()}\n`);
      return trial;
    },
    /** What ended in a run that was stopped, where that is taken up. */
    past: async <E>(): Promise<PastRuns<E>> => {
      const past = new PastRuns<E>(join(folder, `${name}-runs.json`), JSON.stringify([words, shaping]));
      if (resume) await past.read();
      return past;
    },
  };
};

type JudgedCommand = Pick<Awaited<ReturnType<typeof prepareRuns>>, 'judge' | 'io' | 'command' | 'folder'>;

const FLAKY_MESSAGE = 'is flaky: it fails intermittently';

/** Says that a command cannot be judged. */
const reportUnfit = (
  { judge: { name, usual }, io, command }: JudgedCommand,
  how: string,
  { output }: CommandRun<unknown>,
): void => {
  const said = output.trimEnd().split('\n').slice(-30).join('\n');
  const mend = `Fix that first: ${name} reports only what passes otherwise.`;
  io.err(`wm-mock: ${command} ${how} ${usual}. ${mend} Output:\n\n${said}\n`);
};

/** The runs that all others are compared with, and after how many milliseconds those count as failed; undefined if one failed. */
export const runBaseline = async <T>(judged: JudgedCommand, run: () => Promise<CommandRun<T>>) => {
  const trials: CommandRun<T>[] = [];
  for (let i = 0; i < BASELINE_RUNS; i++) trials.push(await run());
  const failed = trials.filter(({ passed }) => !passed);
  if (failed.length === 0) return { trials, limitMs: 4000 * Math.max(...trials.map(({ seconds }) => seconds)) + 120_000 };
  reportUnfit(judged, failed.length === BASELINE_RUNS ? 'fails' : FLAKY_MESSAGE, failed[0]!);
  return undefined;
};

/** Whether the command fails intermittently with nothing changed; says so if it does. */
export const isFlaky = async (judged: JudgedCommand, run: () => Promise<CommandRun<unknown>>): Promise<boolean> => {
  for (let i = 0; i < DOUBT_RUNS; i++) {
    const trial = await run();
    if (trial.passed) continue;
    reportUnfit(judged, FLAKY_MESSAGE, trial);
    return true;
  }
  return false;
};

/** @returns what the work returns; 128 and the number of the signal that stopped it */
export const runUntilStopped = async (io: Io, work: () => Promise<number>): Promise<number> => {
  const found = await work().catch((error) => {
    if (!io.stop.aborted) throw error;
  });
  if (!io.stop.aborted) return found!;
  io.err('wm-mock: stopped. Run the same command with --resume to continue.\n');
  return signalStatus(io.stop.reason as NodeJS.Signals);
};

/** A report in each of its forms. */
type ReportFormats<R> = Readonly<Record<'text' | 'markdown' | 'junit' | 'page', (report: R) => string>>;

/** Writes a report into its folder, to the page of a GitHub workflow, and to whoever reads. */
export const writeReport = async <R>(
  { judge, io, folder }: JudgedCommand,
  found: R,
  formats: ReportFormats<R>,
): Promise<void> => {
  const { GITHUB_STEP_SUMMARY: summary } = io.env;
  const data = JSON.stringify(found, null, 2);
  const files = { [`${judge.name}.json`]: data, [`${judge.name}.xml`]: formats.junit(found), 'index.html': formats.page(found) };
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  if (summary) await appendFile(summary, formats.markdown(found));
  io.out(`${formats.text(found)}${join(folder, 'index.html')}\n`);
};

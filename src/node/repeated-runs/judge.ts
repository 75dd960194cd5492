// Steps that matrix and race share: preparation, baseline, doubt, report, and the ends of runs in a file.
import { appendFile, readFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { BASELINE_RUNS, RUN_DEFAULTS } from '../../client/run-defaults.ts';
import { readJson } from '../../service/validation/json-text.ts';
import type { CommandLine } from '../command-line/args.ts';
import { type Io, UsageError } from '../command-line/io.ts';
import { signalStatus } from '../commands/exec.ts';
import { readMockOptions } from '../commands/serve.ts';
import type { NodeMockOptions } from '../create-mock.ts';
import { readText } from '../files/files.ts';
import { writeFiles } from '../files/write-file.ts';
import { type CommandRun, type MockBehaviour, runCommand } from './command-run.ts';

type FinishedRun<E> = readonly [run: string, ended: E];

const readRuns = async <E>(file: string, command: string): Promise<FinishedRun<E>[]> => {
  const text = await readFile(file, 'utf8').catch(() => '{}');
  const { of, runs = [] } = Object(readJson(text)) as { readonly of?: string; readonly runs?: FinishedRun<E>[] };
  return of === command ? runs : [];
};

/** @param command identifies it; results of others are ignored @returns a function that runs what has not ended before, by name */
const keepEnds = async <E>(file: string, command: string, resume: boolean) => {
  const past = resume ? await readRuns<E>(file, command) : [];
  const runs: FinishedRun<E>[] = [];
  let written = Promise.resolve();
  const write = () => writeFiles(dirname(file), { [basename(file)]: JSON.stringify({ of: command, runs }) });
  return async (name: string, run: () => Promise<E>): Promise<E> => {
    const at = past.findIndex(([one]) => one === name);
    const ended = at < 0 ? await run() : past.splice(at, 1)[0]![1];
    runs.push([name, ended]);
    // Writes are sequential; a failure shows when the report is written.
    written = written.then(write).catch(() => {});
    return ended;
  };
};

/** Plain runs after an intermittent failure. */
const DOUBT_RUNS = 15;
export const FIRST_LIMIT_MS = 600_000;

export const readCount = (flags: CommandLine['flags'], name: keyof typeof RUN_DEFAULTS, max: number): number => {
  const given = flags[name];
  if (given === undefined) return RUN_DEFAULTS[name];
  const number = Number(given);
  if (Number.isInteger(number) && number >= 1 && number <= max) return number;
  throw new UsageError(`--${name}: expected an integer from 1 to ${max}, got "${given}".`);
};

export const quoteForShell = (word: string): string =>
  /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;

/** Ids from an earlier report or a list. @param field of the report */
const readKnown = async (path: unknown, field: string, io: Io): Promise<ReadonlySet<string>> => {
  if (typeof path !== 'string') return new Set();
  const { readSound } = await import('../../mock/seed/source.ts');
  const value = await readSound(await readText(path, 'baseline', io.cwd), path);
  const list = Array.isArray(value) ? value : Object(value)[field];
  if (!Array.isArray(list)) throw new UsageError(`--baseline: ${path} holds neither ${field} nor a list of their ids.`, 1);
  return new Set(list.map((one) => (typeof one === 'string' ? one : String((one as { id?: unknown }).id))));
};

interface JudgeOptions<T> {
  readonly name: string;
  readonly example: string;
  /** Its field of findings in the report. */
  readonly finds: string;
  readonly usual: string;
  /** Reads the notes of the mocks. */
  readonly heard: (folder: string) => T;
}

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
  // What is accepted shapes the report, and no run.
  const { report = `${name}-report`, resume, replay: _, baseline: __, ...shaping } = flags;
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
    /** @param what describes the run once it has ended */
    run: async (how: MockBehaviour, what: () => string, limitMs: number): Promise<CommandRun<T>> => {
      io.stop.throwIfAborted();
      const trial = await runCommand({ words, io, options }, how, judge.heard, limitMs);
      io.stop.throwIfAborted();
      runs += 1;
      const [ended, took] = [trial.passed ? 'passes' : 'fails ', trial.seconds.toFixed(1).padStart(6)];
      io.err(`${String(runs).padStart(4)}  ${ended}  ${took} s  ${what()}\n`);
      return trial;
    },
    /** Results of a stopped run, with --resume. */
    keepEnds: <E>() => keepEnds<E>(join(folder, `${name}-runs.json`), JSON.stringify([words, shaping]), resume === true),
  };
};

type JudgedCommand = Pick<Awaited<ReturnType<typeof prepareRuns>>, 'judge' | 'io' | 'command' | 'folder'>;

const FLAKY_MESSAGE = 'is flaky: it fails intermittently';

const reportUnfit = ({ judge: { name, usual }, io, command }: JudgedCommand, how: string, { output }: CommandRun<unknown>) => {
  const said = output.trimEnd().split('\n').slice(-30).join('\n');
  const mend = `Fix that first: ${name} reports only what passes otherwise.`;
  io.err(`wm-mock: ${command} ${how} ${usual}. ${mend} Output:\n\n${said}\n`);
};

/** @returns undefined if one failed */
export const runBaseline = async <T>(judged: JudgedCommand, run: () => Promise<CommandRun<T>>) => {
  const trials: CommandRun<T>[] = [];
  for (let i = 0; i < BASELINE_RUNS; i++) trials.push(await run());
  const failed = trials.filter(({ passed }) => !passed);
  if (failed.length === 0) return { trials, limitMs: 4000 * Math.max(...trials.map(({ seconds }) => seconds)) + 120_000 };
  reportUnfit(judged, failed.length === BASELINE_RUNS ? 'fails' : FLAKY_MESSAGE, failed[0]!);
  return undefined;
};

/** Runs the plain command. */
export const isFlaky = async (judged: JudgedCommand, run: () => Promise<CommandRun<unknown>>): Promise<boolean> => {
  for (let i = 0; i < DOUBT_RUNS; i++) {
    const trial = await run();
    if (trial.passed) continue;
    reportUnfit(judged, FLAKY_MESSAGE, trial);
    return true;
  }
  return false;
};

/** @returns the result, or 128 + signal */
export const runUntilStopped = async (io: Io, work: () => Promise<number>): Promise<number> => {
  const found = await work().catch((error) => {
    if (!io.stop.aborted) throw error;
  });
  if (!io.stop.aborted) return found!;
  io.err('wm-mock: stopped. Run the same command with --resume to continue.\n');
  return signalStatus(io.stop.reason as NodeJS.Signals);
};

/** Also writes the summary of a GitHub workflow. */
export const writeReport = async <R>(
  { judge, io, folder }: JudgedCommand,
  found: R,
  formats: Readonly<Record<'text' | 'markdown' | 'junit' | 'page', (report: R) => string>>,
): Promise<void> => {
  const { GITHUB_STEP_SUMMARY: summary } = io.env;
  const data = JSON.stringify(found, null, 2);
  const files = { [`${judge.name}.json`]: data, [`${judge.name}.xml`]: formats.junit(found), 'index.html': formats.page(found) };
  await writeFiles(folder, files);
  if (summary) await appendFile(summary, formats.markdown(found));
  io.out(`${formats.text(found)}${join(folder, 'index.html')}\n`);
};

// What the commands that run another command many times have in common.
import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { statusOf } from './exec.ts';
import { readText } from './files.ts';
import { type Io, UsageError } from './io.ts';
import type { Trial } from './trial.ts';

/** So often the command is run on the mock as it is: before anything else, and when something ended without a reason. */
export const BASELINE_RUNS = 2;
export const DOUBT_RUNS = 15;
export const FIRST_LIMIT_MS = 600_000;

/** After so many milliseconds a run counts as failed. */
export const limitOf = (trials: readonly Trial<unknown>[]): number =>
  4000 * Math.max(...trials.map(({ seconds }) => seconds)) + 120_000;

/** A flag that is an integer. @throws UsageError */
export const whole = (flags: Readonly<Record<string, unknown>>, name: string, usual: number, most: number): number => {
  const given = flags[name];
  if (given === undefined) return usual;
  const number = Number(given);
  if (Number.isInteger(number) && number >= 1 && number <= most) return number;
  throw new UsageError(`--${name}: expected an integer from 1 to ${most}, got "${given}".`);
};

/** A word as a shell takes it. */
export const quoted = (word: string): string => (/^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);

/** Ids that somebody has accepted: those of an earlier report, or a list of ids in JSON or YAML. @param field of the report */
export const readKnown = async (path: unknown, field: string, io: Io): Promise<ReadonlySet<string>> => {
  if (typeof path !== 'string') return new Set();
  const { parse } = await import('yaml');
  const value = parse(await readText(path, 'baseline', io.cwd)) as Readonly<Record<string, unknown>> | readonly unknown[] | null;
  const list = Array.isArray(value) ? value : (value as Readonly<Record<string, unknown>> | null)?.[field];
  if (!Array.isArray(list)) throw new UsageError(`--baseline: ${path} holds neither ${field} nor a list of their ids.`, 1);
  return new Set(list.map((one) => (typeof one === 'string' ? one : String((one as { id?: unknown }).id))));
};

/** What is said when a command cannot be judged. */
export const unfit = (judge: string, command: string, what: string, { output }: Trial<unknown>): string => {
  const said = output.trimEnd().split('\n').slice(-30).join('\n');
  return `wm-mock: ${command} ${what}. Fix that first: ${judge} reports only what passes otherwise. Output:\n\n${said}\n`;
};

/** @returns what the work returns; 128 and the number of the signal that stopped it */
export const untilStopped = async (io: Io, work: () => Promise<number>): Promise<number> => {
  const found = await work().catch((error) => {
    if (!io.stop.aborted) throw error;
  });
  if (!io.stop.aborted) return found!;
  io.err('wm-mock: stopped. Run the same command with --resume to continue.\n');
  return statusOf(io.stop.reason as NodeJS.Signals);
};

export const json = (value: unknown): string => JSON.stringify(value, null, 2);

/** Writes the files of a report. @param summary Markdown, for the page of a GitHub workflow */
export const writeReports = async (
  folder: string,
  files: Readonly<Record<string, string>>,
  summary: string,
  { env }: Io,
): Promise<void> => {
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  if (env.GITHUB_STEP_SUMMARY) await appendFile(env.GITHUB_STEP_SUMMARY, summary);
};

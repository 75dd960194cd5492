// The input of a verdict from the command line: the command, its mock, accepted findings, and how to repeat one.
import { join, resolve } from 'node:path';
import { RUN_DEFAULTS } from '../../client/run-defaults.ts';
import type { TrialPlan } from '../../client/trial-fetch.ts';
import type { TrialRun } from '../../client/trial-run.ts';
import { realNow } from '../../service/world/time.ts';
import type { CommandLine } from '../command-line/args.ts';
import { type Io, UsageError } from '../command-line/io.ts';
import { readMockOptions } from '../commands/serve.ts';
import type { NodeMockOptions } from '../create-mock.ts';
import { readText } from '../files/files.ts';
import { runCommand } from './command-run.ts';

const DEFAULT_FOLDER = 'wm-client-report';

const readCount = (flags: CommandLine['flags'], name: keyof typeof RUN_DEFAULTS, max: number): number => {
  const given = flags[name];
  if (given === undefined) return RUN_DEFAULTS[name];
  const number = Number(given);
  if (Number.isInteger(number) && number >= 1 && number <= max) return number;
  throw new UsageError(`--${name}: expected an integer from 1 to ${max}, got "${given}".`);
};

export const quoteForShell = (word: string): string =>
  /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;

interface Accepted {
  readonly id: string;
  readonly expires?: unknown;
}

/** Ids from a list of findings, each with owner, reason and expiry. @throws UsageError */
const readAccepted = async (path: unknown, io: Io): Promise<ReadonlySet<string>> => {
  if (typeof path !== 'string') return new Set();
  const { readSound } = await import('../../mock/seed/source.ts');
  const value = await readSound(await readText(path, 'baseline', io.cwd), path);
  const list = Array.isArray(value) ? value : Object(value).findings;
  const isFit = Array.isArray(list) && list.every((one) => typeof one === 'string' || typeof Object(one).id === 'string');
  if (!isFit) throw new UsageError(`--baseline: ${path} holds no list of findings, each with id, owner, reason and expires.`, 1);
  const rows = (list as (string | Accepted)[]).map((one) => (typeof one === 'string' ? { id: one } : one));
  return new Set(rows.filter(({ expires }) => !(Date.parse(String(expires)) < realNow())).map(({ id }) => id));
};

/** Flags of a run and not of the mock; and a secret, which no report shows. */
const UNREPEATED_FLAGS = ['only', 'list', 'baseline', 'workers', 'repeat', 'prove', 'rerun', 'control-token'];

/** The flags that shape a run, as they were given. */
const writeFlags = (flags: CommandLine['flags']): readonly string[] =>
  Object.entries(flags)
    .filter(([name, value]) => !UNREPEATED_FLAGS.includes(name) && value !== undefined && value !== false)
    .flatMap(([name, value]) =>
      [value].flat().map((one) => (one === true ? `--${name}` : `--${name}=${quoteForShell(String(one))}`)),
    );

/** @throws UsageError, SeedError */
export const prepareClient = async (args: CommandLine, io: Io, cwd = io.cwd) => {
  const { flags, rest: words } = args;
  if (words.length === 0)
    throw new UsageError('client: expected a command, as in wm-mock client -- npm test. See wm-mock client --help.');
  const { seed: file = 'demo', report = DEFAULT_FOLDER } = flags;
  const seed = file === 'demo' ? file : await readText(file as string, 'seed file', io.cwd, io.stop);
  const options: NodeMockOptions = { ...(await readMockOptions({ ...args, flags: { ...flags, seed: undefined } }, io)), seed };
  const command = words.map(quoteForShell).join(' ');
  const shaping = writeFlags(flags)
    .map((flag) => `${flag} `)
    .join('');
  let runs = 0;
  return {
    io,
    options,
    command,
    workers: readCount(flags, 'workers', 64),
    repeatRuns: readCount(flags, 'repeat', 20),
    accepted: await readAccepted(flags.baseline, io),
    folder: resolve(io.cwd, report as string),
    file: join(resolve(io.cwd, report as string), 'client.json'),
    repeat: (id: string) => `npx wm-mock client --rerun ${id} ${shaping}-- ${command}`,
    runs: () => runs,
    run: async (plan: TrialPlan, what: () => string, limitMs: number): Promise<TrialRun> => {
      io.stop.throwIfAborted();
      const ran = await runCommand({ words, io: { ...io, cwd }, options }, plan, limitMs);
      io.stop.throwIfAborted();
      runs += 1;
      const [ended, took] = [ran.passed ? 'passes' : 'fails ', ran.seconds.toFixed(1).padStart(6)];
      io.err(`${String(runs).padStart(4)}  ${ended}  ${took} s  ${what()}\n`);
      return ran;
    },
  };
};
export type PreparedClient = Awaited<ReturnType<typeof prepareClient>>;

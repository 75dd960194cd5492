// Reads a seed file: its text or its parsed form becomes a complete seed, or an error that names every problem.
import { forwardNamed, isLaterValue } from '../../service/contract/forward.ts';
import { parseJson } from '../../service/http/body.ts';
import { check, type Validate } from '../../service/validation/check.ts';
import { type Path, pathText } from '../../service/validation/show.ts';
import type { Seed } from '../../service/world/records.ts';
import { complete } from './complete.ts';
import type { SeedFile } from './format.ts';
import type { Generate } from './generate.ts';
import { runInTurns, runSync } from './pausable-work.ts';
import { mergeFaults, ruleFaults } from './rules.ts';
import { MAX_PROBLEMS, type ProblemPlace, SeedError, type SeedFault, type SeedProblem } from './seed-error.ts';
import { readInstant, SeedTimeReader } from './times.ts';
import { seed as validate } from './validators.generated.ts';
import type { SeedText } from './yaml-source.ts';

export { SeedError, type SeedProblem } from './seed-error.ts';

export interface SeedOptions {
  /** How problems name the file. */
  readonly name: string;
  /** The real clock's time, milliseconds since 1970; times are relative to it when the file has no `now`. */
  readonly now: number;
  /** Where the clock starts, frozen; wins over the file's `now`, for the clock and for relative times. */
  readonly startsAt?: number | undefined;
  /** Wins over the file's `random_seed`. */
  readonly randomSeed?: number | undefined;
  /** How many records it may have generated in all. */
  readonly mostGenerated?: number | undefined;
  /** Hears how many records are about to be generated; what it throws ends the reading. */
  readonly toGenerate?: ToGenerate | undefined;
}

/** Told of a sound seed how many records of each kind will be generated, before any is. */
export type ToGenerate = (counts: Readonly<Record<'users' | 'projects' | 'tasks' | 'comments' | 'teams', number>>) => void;

/** Reads the text of a seed file, YAML or JSON. @throws SeedError naming every problem with line and column. */
export const readSeed = async (text: string, options: SeedOptions): Promise<Seed> => {
  const source = await readSeedText(text);
  const file = fileOf(source.value, options);
  const faults = source.value === undefined ? [] : seedFaults(source.value, file.times, options.mostGenerated);
  if (faults.length > 0 || source.problems.length > 0) {
    const placeOf = await source.placeOf();
    const listed = faults.slice(0, MAX_PROBLEMS - source.problems.length);
    const problems = [...source.problems, ...listed.map((fault) => problemOf(fault, placeOf(fault.path, fault.atKey === true)))];
    throw new SeedError(options.name, problems.sort(byPlace), source.more + faults.length - listed.length);
  }
  return finish(file, options);
};

/** Checks a parsed seed file and completes it. @throws SeedError naming every problem with its path. */
export const checkSeed = async (parsed: unknown, options: SeedOptions): Promise<Seed> =>
  finish(checkedFile(parsed, options), options);

/** The same at once, of a seed that has nothing generated. @throws SeedError, RangeError when something is to be generated. */
export const checkSeedNow = (parsed: unknown, options: SeedOptions): Seed => {
  const { file, steps } = checkedFile(parsed, options);
  if (!generates(file)) return runSync(steps());
  const says = `${options.name}: expected a seed without \`generate\`, whose records take time to make, got one with it. Give it to createMock, which waits for them.`;
  throw new RangeError(says);
};

/** A parsed file, its times, and the steps that complete it if it is correct. */
const fileOf = (parsed: unknown, { startsAt, now, randomSeed }: SeedOptions) => {
  const file = parsed as SeedFile;
  const said: unknown = file?.now;
  const start = startsAt ?? (typeof said === 'string' ? readInstant(said) : undefined);
  const times = new SeedTimeReader(start ?? now);
  const steps = (generate?: Generate) => complete(file, start ?? null, times, randomSeed ?? file.random_seed ?? 1, generate);
  return { file, times, steps };
};

const checkedFile = (parsed: unknown, options: SeedOptions) => {
  const file = fileOf(parsed, options);
  const faults = seedFaults(parsed, file.times, options.mostGenerated);
  const problems = faults.slice(0, MAX_PROBLEMS).map((fault) => problemOf(fault));
  if (problems.length > 0) throw new SeedError(options.name, problems, faults.length - problems.length);
  return file;
};

/** Everything that is wrong with a parsed file, once at each place. */
export const seedFaults = (parsed: unknown, times: SeedTimeReader, mostGenerated?: number): readonly SeedFault[] => {
  const found = check(validate as Validate, parsed, times);
  const shape = found.length > 0 && knowsLaterValues(parsed) ? found.filter(({ path }) => !isLater(parsed, path)) : found;
  return mergeFaults(shape, ruleFaults(parsed, { mostGenerated }));
};

const isLater = (parsed: unknown, path: Path): boolean =>
  isLaterValue(
    String(path.at(-1)),
    path.reduce<unknown>((holder, step) => (holder as Readonly<Record<string | number, unknown>>)[step], parsed),
  );

/** A service that is ahead of its clients may hold values that they do not know. */
const knowsLaterValues = (parsed: unknown): boolean => {
  try {
    return forwardNamed((parsed as { readonly forward_compat?: unknown } | null)?.forward_compat).includes('enums');
  } catch {
    return false;
  }
};

const generates = ({ workspaces }: SeedFile): boolean => workspaces.some(({ generate }) => generate !== undefined);

const countsOf = ({ workspaces }: SeedFile): Parameters<ToGenerate>[0] => {
  const counts = { users: 0, projects: 0, tasks: 0, comments: 0, teams: 0 };
  for (const { generate = {} } of workspaces) {
    const { users = 0, projects = 0, tasks_per_project = 0, comments_per_task = 0, teams = 0 } = generate;
    const tasks = projects * tasks_per_project;
    const all = { users, projects, tasks, comments: tasks * comments_per_task, teams };
    for (const kind of Object.keys(counts) as (keyof typeof counts)[]) counts[kind] += all[kind];
  }
  return counts;
};

const finish = async ({ file, steps }: ReturnType<typeof fileOf>, { toGenerate }: SeedOptions): Promise<Seed> => {
  if (!generates(file)) return runInTurns(steps());
  toGenerate?.(countsOf(file));
  return runInTurns(steps(await (await import('./generate.ts')).createGenerator(file.workspaces)));
};

const problemOf = ({ path, what, hint = '', expected, got }: SeedFault, place?: ProblemPlace): SeedProblem => ({
  ...place,
  path: pathText(path),
  what: what + hint,
  expected,
  got,
});

const byPlace = (a: SeedProblem, b: SeedProblem): number => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0);

/** A JSON text longer than this is not read a second time to find where its values stand: that takes 40 times its memory. */
const MAX_PLACED_CHARS = 16_000_000;

const DUPLICATE_KEY = { path: '', what: 'duplicate key', expected: 'each key once', got: 'a key twice in one object' } as const;

export const readSeedText = async (text: string, longest = MAX_PLACED_CHARS): Promise<SeedText> => {
  const bare = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  const value = bare.trimStart().startsWith('{') ? parseJson(bare) : undefined;
  const asYaml = async () => (await import('./yaml-source.ts')).readYaml(bare);
  if (value === undefined) return asYaml();
  const keys = countKeys(value);
  const repeats = mayHaveDuplicateKeys(bare, keys) && countTextKeys(bare) !== keys;
  const isShort = bare.length <= longest;
  if (repeats && isShort) return asYaml();
  const placeOf = async () => (isShort ? (await asYaml()).placeOf() : () => undefined);
  return { value, problems: repeats ? [DUPLICATE_KEY] : [], more: 0, placeOf };
};

/** False when a valid JSON text cannot write more keys than so many: each is followed by a colon, and few texts within it look like one. */
const mayHaveDuplicateKeys = (text: string, keys: number): boolean => (text.match(/"\s*:/g)?.length ?? 0) !== keys;

/** How many keys a valid JSON text writes. A parsed value with fewer tells of a duplicate, which JSON.parse hides. */
const countTextKeys = (text: string): number => {
  let keys = 0;
  // Without what is escaped no text holds a quotation mark.
  for (const [, colon] of text.replaceAll(/\\./g, '').matchAll(/"[^"]*"(\s*:)?/g)) if (colon) keys++;
  return keys;
};

const countKeys = (value: unknown): number => {
  let keys = 0;
  const open: unknown[] = [value];
  const note = (one: unknown) => {
    if (typeof one === 'object') open.push(one);
  };
  // The list grows while it is walked.
  for (const one of open) {
    if (Array.isArray(one)) one.forEach(note);
    else {
      for (const name in one as object) {
        keys++;
        note((one as Readonly<Record<string, unknown>>)[name]);
      }
    }
  }
  return keys;
};

// Reads a seed file: its text or its parsed form becomes a complete seed, or an error that names every problem.
import { forwardNamed, isLaterValue } from '../../service/contract/forward.ts';
import { check, type Validate } from '../../service/validation/check.ts';
import { type Path, pathText } from '../../service/validation/show.ts';
import type { Seed } from '../../service/world/records.ts';
import { complete } from './complete.ts';
import type { SeedFile } from './format.ts';
import type { Generate } from './generate.ts';
import { runInTurns, runSync } from './pausable-work.ts';
import { mergeFaults, ruleFaults } from './rules.ts';
import { MAX_PROBLEMS, type ProblemPlace, SeedError, type SeedFault, type SeedProblem } from './seed-error.ts';
import { readSource } from './source.ts';
import { readInstant, SeedTimeReader } from './times.ts';
import { seed as validate } from './validators.generated.ts';

export { SeedError } from './seed-error.ts';

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
  const source = await readSource(text);
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

/** Checks and completes a seed at once, if it has nothing generated. @throws SeedError, RangeError when something is to be generated. */
export const checkSeedNow = (parsed: unknown, options: SeedOptions): Seed => {
  const { file, steps } = checkedFile(parsed, options);
  if (!generates(file)) return runSync(steps());
  const says = `${options.name}: expected a seed without \`generate\`, whose records take time to make, got one with it. Give it to createMock, which waits for them.`;
  throw new RangeError(says);
};

/** A parsed file, its times, and the steps that complete it if it is correct. */
const fileOf = (parsed: unknown, { startsAt, now, randomSeed }: SeedOptions) => {
  const file = parsed as SeedFile;
  const clock: unknown = file?.now;
  const start = startsAt ?? (typeof clock === 'string' ? readInstant(clock) : undefined);
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

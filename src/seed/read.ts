// Reads a seed file: its text or its parsed form becomes a complete seed, or an error that names every problem.
import { forwardNamed } from '../contract/forward.ts';
import type { Seed } from '../world/records.ts';
import { complete, completeNow } from './complete.ts';
import { keysIfFits } from './fits.ts';
import { SEED_SCHEMA, type SeedFile } from './format.ts';
import { ruleFaults } from './rules.ts';
import { type Fault, type Path, type Place, SeedError, type SeedProblem, showPath } from './seed-error.ts';
import { type Keywords, shapeFaults } from './shape.ts';
import { readSource } from './source.ts';
import { readInstant, TimeReader } from './times.ts';

export { SeedError, type SeedProblem } from './seed-error.ts';

export interface SeedOptions {
  /** How problems name the file. */
  readonly name: string;
  /** The real clock's time, milliseconds since 1970; times are relative to it when the file has no `now`. */
  readonly now: number;
  /** Where the clock starts, frozen; wins over the file's `now`, for the clock and for relative times. */
  readonly startsAt?: number;
  /** Wins over the file's `random_seed`. */
  readonly randomSeed?: number;
}

/** Reads the text of a seed file, YAML or JSON. @throws SeedError naming every problem with line and column. */
export const readSeed = async (text: string, options: SeedOptions): Promise<Seed> => {
  let fit: Fit | undefined;
  const source = await readSource(text, (value) => {
    fit = fitOf(value, options);
    return fit.keys;
  });
  fit ??= fitOf(source.value, options);
  const faults = source.readable ? faultsOf(source.value, fit) : [];
  if (faults.length > 0 || source.problems.length > 0) {
    const placeOf = await source.placeOf();
    const problems = [...source.problems, ...faults.map((fault) => problemOf(fault, placeOf(fault.path, fault.atKey === true)))];
    throw new SeedError(options.name, problems.sort(byPlace));
  }
  return finish(source.value as SeedFile, options, fit.times, complete);
};

/** Checks a parsed seed file and completes it. @throws SeedError naming every problem with its path. */
export const checkSeed = async (parsed: unknown, options: SeedOptions): Promise<Seed> =>
  finish(...checked(parsed, options), complete);

/** The same at once, of a seed that has nothing generated. @throws SeedError, RangeError when something is to be generated. */
export const checkSeedNow = (parsed: unknown, options: SeedOptions): Seed => {
  const [file, ...rest] = checked(parsed, options);
  if (file.workspaces.some(({ generate }) => generate !== undefined))
    throw new RangeError(
      `${options.name}: expected a seed without \`generate\`, whose records take time to make, got one with it. Give it to createMock, which waits for them.`,
    );
  return finish(file, ...rest, completeNow);
};

const checked = (parsed: unknown, options: SeedOptions): [SeedFile, SeedOptions, TimeReader] => {
  const fit = fitOf(parsed, options);
  const faults = faultsOf(parsed, fit);
  if (faults.length > 0) {
    throw new SeedError(
      options.name,
      faults.map((fault) => problemOf(fault)),
    );
  }
  return [parsed as SeedFile, options, fit.times];
};

const startOf = (parsed: unknown, { startsAt }: SeedOptions): number | undefined => {
  if (startsAt !== undefined) return startsAt;
  const now = (parsed as { readonly now?: unknown } | null | undefined)?.now;
  return typeof now === 'string' ? readInstant(now) : undefined;
};

/** The first look at a parsed file. */
interface Fit {
  readonly times: TimeReader;
  /** How many keys it has, when it has the shape of a seed. */
  readonly keys: number | undefined;
}

const fitOf = (parsed: unknown, options: SeedOptions): Fit => {
  const times = new TimeReader(startOf(parsed, options) ?? options.now);
  return { times, keys: keysIfFits(parsed, SEED_SCHEMA as Keywords, times) };
};

const faultsOf = (parsed: unknown, { times, keys }: Fit): readonly Fault[] => [
  ...(keys === undefined ? shapeFaults(parsed, SEED_SCHEMA, times, knowsLaterValues(parsed)) : []),
  ...ruleFaults(parsed),
];

/** A service that is ahead of its clients may hold values that they do not know. */
const knowsLaterValues = (parsed: unknown): boolean => {
  try {
    return forwardNamed((parsed as { readonly forward_compat?: unknown } | null)?.forward_compat).includes('enums');
  } catch {
    return false;
  }
};

const finish = <T>(
  file: SeedFile,
  options: SeedOptions,
  times: TimeReader,
  completed: (file: SeedFile, start: number | null, times: TimeReader, randomSeed: number) => T,
): T => completed(file, startOf(file, options) ?? null, times, options.randomSeed ?? file.random_seed ?? 1);

const problemOf = ({ path, what, expected, got }: Fault & { readonly path: Path }, place?: Place): SeedProblem => ({
  ...place,
  path: showPath(path),
  what,
  expected,
  got,
});

const byPlace = (a: SeedProblem, b: SeedProblem): number => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0);

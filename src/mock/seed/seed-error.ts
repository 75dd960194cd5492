// A text that was read, what is wrong with a seed and where, and the error that names it all.
import { lineOf } from '../../service/validation/check.ts';
import { MAX_LEVELS } from '../../service/validation/json-text.ts';
import type { Path } from '../../service/validation/show.ts';

/** The place of a value in a text, counted from 1. */
export interface ProblemPlace {
  readonly line: number;
  readonly column: number;
}

/** A problem before its place in the text is known. */
export interface SeedFault {
  readonly path: Path;
  /** Whether the name itself is wrong, not what it holds. */
  readonly atKey?: boolean;
  readonly what: string;
  /** A hint, in brackets. */
  readonly hint?: string;
  readonly expected: string;
  readonly got: string;
}

export interface SeedProblem {
  /** Counted from 1; absent when there is no text. */
  readonly line?: number;
  readonly column?: number;
  /** Such as `workspaces[0].users[2].role`; empty for the file as a whole. */
  readonly path: string;
  readonly what: string;
  readonly expected: string;
  readonly got: string;
}

export interface Source {
  /** Undefined when the text cannot be read at all. */
  readonly value: unknown;
  /** Mistakes of writing, as many as are listed. */
  readonly problems: readonly SeedProblem[];
  /** How many more there are. */
  readonly more: number;
  /** Line and column of a value, or of its key. Only called when something is wrong. */
  readonly placeOf: () => Promise<(path: Path, atKey: boolean) => ProblemPlace | undefined>;
}

/** Both languages name these mistakes alike. */
export const SOURCE_FAULTS = {
  keys: { what: 'duplicate key', expected: 'each key once', got: 'a key twice in one object' },
  nesting: { what: 'too deep', expected: `at most ${MAX_LEVELS} levels`, got: 'more' },
} as const;

/** Limit of listed problems: more are one mistake, repeated. */
export const MAX_PROBLEMS = 100;

/** Refuses a seed. The message has a line for each problem that is listed, and says how many more there are. */
export class SeedError extends Error {
  override readonly name = 'SeedError';
  readonly problems: readonly SeedProblem[];
  /** How many there are beside those that are listed. */
  readonly more: number;

  constructor(file: string, problems: readonly SeedProblem[], more = 0) {
    super([...problems.map((problem) => problemLine(file, problem)), ...moreLine(more)].join('\n'));
    this.problems = problems;
    this.more = more;
  }
}

export const moreLine = (more: number): readonly string[] => (more > 0 ? [`and ${more.toLocaleString('en-US')} more`] : []);

const problemLine = (file: string, { line, column, path, ...problem }: SeedProblem): string =>
  `${line === undefined ? file : `${file}:${line}:${column}`}: ${lineOf(path, problem)}`;

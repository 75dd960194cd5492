// What is wrong with a seed: one problem, where it stands, and the error that names them all.
import { lineOf } from '../../service/validation/check.ts';
import type { Path } from '../../service/validation/show.ts';

/** Where a value stands in a text, counted from 1. */
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
  /** What may help, in brackets. */
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

/** So many problems are listed: whoever has more has one mistake many times. */
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

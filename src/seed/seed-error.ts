// What is wrong with a seed: one problem, where it stands, and the error that names them all.
import { lineOf } from '../validation/check.ts';
import type { Path } from '../validation/show.ts';

/** Where a value stands in a text, counted from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** A problem before its place in the text is known. */
export interface Fault {
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

/** Refuses a seed. The message has a line for each problem. */
export class SeedError extends Error {
  override readonly name = 'SeedError';
  readonly problems: readonly SeedProblem[];

  constructor(file: string, problems: readonly SeedProblem[]) {
    super(problems.map((problem) => problemLine(file, problem)).join('\n'));
    this.problems = problems;
  }
}

const problemLine = (file: string, { line, column, path, ...problem }: SeedProblem): string =>
  `${line === undefined ? file : `${file}:${line}:${column}`}: ${lineOf(path, problem)}`;

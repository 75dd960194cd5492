// What is wrong with a seed: one problem, where it stands, and the error that names them all.

/** Names and indexes on the way from the file to a value. */
export type Path = readonly (string | number)[];

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
    super(problems.map((problem) => lineOf(file, problem)).join('\n'));
    this.problems = problems;
  }
}

const lineOf = (file: string, { line, column, path, what, expected, got }: SeedProblem): string => {
  const place = line === undefined ? file : `${file}:${line}:${column}`;
  return `${place}: ${path === '' ? '' : `${path}: `}${what}, expected ${expected}, got ${got}`;
};

/** A path as JavaScript would write it. */
export const showPath = (path: Path): string =>
  path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`;
    if (!/^[\w$-]+$/.test(step)) return `${text}[${JSON.stringify(step)}]`;
    return text === '' ? step : `${text}.${step}`;
  }, '');

const LONGEST = 60;

/** A value, short enough to stand in a sentence. */
export const show = (value: unknown): string => {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  if (typeof value !== 'string') return String(value);
  const short = value.length > LONGEST ? `${[...value.slice(0, LONGEST)].slice(0, -1).join('')}…` : value;
  return JSON.stringify(short);
};

// Things that the parts of the oracle share: how a judgement is given, and the table that they judge by.
import type { Claim, Sides } from '../engine/claims.ts';
import type { Exchange } from '../engine/exchange.ts';
import type { Release } from '../engine/releases.ts';
import { instant, isUtc } from '../engine/shapes.ts';
import type { Rules } from './rules.ts';

export interface Said {
  readonly message: string;
  readonly expected?: string;
  readonly got?: string;
  readonly sides?: Sides;
  readonly claims?: readonly Claim[];
}

/** The fault, put in words only when there is one. */
export type Say = () => Said;

export interface Judge {
  readonly rules: Rules;
  readonly release: Release;
  /** The text that every name of this run contains, and no other name. */
  readonly mark: string;
  /** The smallest limit that the target takes, which the specification leaves open. */
  smallestLimit(): number;
  /** Whether a time that the target shows is about that of a response. */
  near(time: number, x: Exchange): boolean;
  /** No other client writes to what the run has made. Else a record may have changed whenever its updated_at has. */
  readonly alone: boolean;
  /** Like must, where others may be the reason now and then: only what is wrong most times is broken. @param what the circumstances, each counted by itself */
  often(requirement: string, what: readonly string[], ok: boolean, say: Say, ...x: readonly Exchange[]): void;
  /** How many writes of others responses have shown. */
  readonly others: { seen: number };
  /** Holds a requirement against what was seen. @returns ok */
  must(requirement: string, ok: boolean, say: Say, ...x: readonly Exchange[]): boolean;
}

/** For a requirement that holds. */
export const NOTHING: Say = () => ({ message: '' });

export const sayThat =
  (message: string, ...claims: readonly Claim[]): Say =>
  () => ({ message, ...(claims.length > 0 ? { claims } : {}) });

/** A value as a sentence can hold it. */
export const shown = (value: unknown): string => {
  const text = value === undefined ? 'missing' : JSON.stringify(value);
  if (text.length <= 80) return text;
  return typeof value === 'string' ? `${text.slice(0, 60)}…" (${[...value].length} characters)` : `${text.slice(0, 77)}…`;
};

/** Longer values are not kept. */
const MAX_SIDE_LENGTH = 40_000;

/** @param what begins with the name of the member that is wrong, or `claims` say where it stands */
export const differs =
  (what: string, expected: unknown, got: unknown, ...claims: readonly Claim[]): Say =>
  () => {
    const short = [expected, got].every((side) => (JSON.stringify(side) ?? '').length <= MAX_SIDE_LENGTH);
    const name = /^\w+/.exec(what)?.[0] ?? '';
    return {
      message: `${what} is ${shown(got)}, not ${shown(expected)}`,
      expected: shown(expected),
      got: shown(got),
      ...(claims.length > 0 ? { claims } : short ? { sides: { name, expected, got } } : {}),
    };
  };

/** Two renderings of a time; a target that cuts off parts of a second may do so in some places only. */
export const sameTime = (a: unknown, b: unknown): boolean => {
  const [x, y] = [instant(a), instant(b)];
  return x === y || (Math.floor(x / 1000) === Math.floor(y / 1000) && (x % 1000 === 0 || y % 1000 === 0));
};

const isTime = (name: string): boolean => name.endsWith('_at') || name.endsWith('_date');

export const sameValue = (name: string, a: unknown, b: unknown): boolean => {
  const [x, y] = [a ?? null, b ?? null];
  if (x === y) return true;
  // Letters may be stored in another form that Unicode calls the same.
  if (typeof x === 'string' && typeof y === 'string')
    return isTime(name) || (isUtc(x) && isUtc(y)) ? sameTime(x, y) : x.normalize() === y.normalize();
  if (Array.isArray(x) && Array.isArray(y)) return x.length === y.length && x.every((one, i) => sameValue(name, one, y[i]));
  return typeof x === 'object' && x !== null && JSON.stringify(x) === JSON.stringify(y);
};

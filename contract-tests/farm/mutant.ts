// A mutant: one fault, the clause it breaks, and how it is made.
import type { Release } from '../engine/releases.ts';
import type { Wrap } from './wrap.ts';

export interface Mutant {
  readonly id: string;
  /** Its number in the catalogue of faults; absent for those of two factors. */
  readonly number?: number;
  /** The requirements of which one must be the first to fail. */
  readonly clauses: readonly string[];
  readonly wrap?: Wrap;
  /** A seeded fault of the foreign server, for what no wrapper can do. */
  readonly fault?: string;
  /** What the run must allow for the fault to show. */
  readonly allow?: readonly ('webhooks' | 'quota')[];
  /** It shows only with a control API. */
  readonly control?: true;
  /** The release at which it shows; absent: the last. */
  readonly release?: Release;
  /** Answers to open points under which the fault cannot be told from conforming behaviour. */
  readonly hiddenBy?: Readonly<Record<string, readonly string[]>>;
}

const full = (text: string) => text.split(' ').map((short) => `WM-${short}`);

/** A mutant made by a wrapper; clauses are written without their WM- prefix. */
export const mutant = (number: number | undefined, id: string, clauses: string, wrap: Wrap): Mutant => ({
  id,
  clauses: full(clauses),
  wrap,
  ...(number === undefined ? {} : { number }),
});

/** A mutant seeded in the foreign server. */
export const seeded = (
  number: number | undefined,
  fault: string,
  clauses: string,
  allow: Mutant['allow'] = ['webhooks'],
): Mutant => ({
  id: fault,
  clauses: full(clauses),
  fault,
  allow: allow ?? [],
  ...(number === undefined ? {} : { number }),
});

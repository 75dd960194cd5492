// An operator mutant: one fault that a table gave, and how it is made.
import type { Allowance } from '../../engine/options.ts';
import type { Host } from '../targets.ts';
import type { Make } from './tamper.ts';

export interface OperatorMutant {
  readonly id: string;
  readonly operator: string;
  /** The part of the spec whose clause it breaks. */
  readonly clause: string;
  readonly make: Make;
  /** What the run must allow for the fault to show. */
  readonly allow?: readonly Allowance[];
  /** It shows only on one of the servers, or only with a control API. */
  readonly on?: Host;
  readonly control?: true;
  /** It shows only in a workspace with many records. */
  readonly crowded?: true;
}

export type Extra = Omit<OperatorMutant, 'id' | 'operator' | 'clause' | 'make'>;

/** Makes the mutants of one operator: ids are the operator, a colon and what it was applied to. */
export const operator =
  (name: string, clause: string, extra: Extra = {}) =>
  (applied: string, make: Make, more: Extra = {}): OperatorMutant => ({
    id: `${name}:${applied}`,
    operator: name,
    clause,
    make,
    ...extra,
    ...more,
  });

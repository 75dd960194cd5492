// The tables of situations, as the checks that a run makes and a report names.
import type { Check } from '../engine/check.ts';
import { ACCESS } from './access.ts';
import { checkOf, moreOf } from './planner.ts';
import type { Area } from './row.ts';

export const AREAS: readonly Area[] = [...ACCESS];

export const accessChecks: readonly Check[] = ACCESS.map(checkOf);

/** After all others: what the budget has room for. */
export const moreChecks: readonly Check[] = [moreOf(AREAS)];

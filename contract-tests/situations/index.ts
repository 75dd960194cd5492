// The tables of situations, as the checks that a run makes and a report names.
import type { Check } from '../engine/check.ts';
import { ACCESS } from './access.ts';
import { FIELD_AREAS } from './fields.ts';
import { LATE_LISTS, LIST_AREAS } from './lists.ts';
import { checkOf, moreOf } from './planner.ts';
import { READS } from './reads.ts';
import { REPEATS } from './repeats.ts';
import type { Area } from './row.ts';
import { WRONG_ALONE, WRONG_AREAS } from './wrong.ts';

const LATE: readonly Area[] = [...FIELD_AREAS, ...REPEATS, ...WRONG_ALONE, ...LATE_LISTS];
export const AREAS: readonly Area[] = [...LATE, ...WRONG_AREAS, ...ACCESS, ...LIST_AREAS, ...READS];

export const accessChecks: readonly Check[] = ACCESS.map(checkOf);
export const wrongChecks: readonly Check[] = WRONG_AREAS.map(checkOf);
export const listChecks: readonly Check[] = LIST_AREAS.map(checkOf);
export const readChecks: readonly Check[] = READS.map(checkOf);

/** After all others: what the budget has room for. */
export const moreChecks: readonly Check[] = [...LATE.map(checkOf), moreOf(AREAS)];

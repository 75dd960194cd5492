// The faults of the old sets, in one list.
import { SETS } from '../second-farm/faults/sets.ts';

export const FAULTS = Object.entries(SETS).flatMap(([set, faults]) =>
  faults.map((fault) => ({ ...fault, id: `${set}/${fault.id}` })),
);

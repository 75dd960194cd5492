// Gives each fault of a set the style that it is served in and the parts of the session that show it soonest.

import { STYLE_NAMES, type StyleName } from '../../judge/reference/styles.ts';
import type { Part } from '../exercise.ts';
import type { Fault } from './fault.ts';

export interface ServedFault extends Fault {
  readonly style: StyleName;
  /** The parts of the scripted session that show it soonest. */
  readonly parts: readonly Part[];
}

export type Group = readonly [faults: readonly Fault[], ...parts: Part[]];

/** The faults of some groups; one that names no style gets the styles by turns. */
export const served = (groups: readonly Group[]): readonly ServedFault[] =>
  groups
    .flatMap(([faults, ...parts]) => faults.map((fault) => ({ ...fault, parts })))
    .map((fault, index) => ({ ...fault, style: fault.style ?? STYLE_NAMES[index % STYLE_NAMES.length] ?? 'a' }));

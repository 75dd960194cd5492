// All faults, and the style that each is served in.
import type { Part } from '../exercise.ts';
import { STYLE_NAMES, type StyleName } from '../styles.ts';
import { faults as access } from './access.ts';
import { faults as basics } from './basics.ts';
import { faults as deliveries } from './deliveries.ts';
import { faults as errors } from './errors.ts';
import { faults as events } from './events.ts';
import type { Fault } from './fault.ts';
import { faults as filters } from './filters.ts';
import { faults as lists } from './lists.ts';
import { faults as people } from './people.ts';
import { faults as projects } from './projects.ts';
import { faults as quota } from './quota.ts';
import { faults as taskFields } from './task-fields.ts';
import { faults as tasks } from './tasks.ts';
import { faults as tenancy } from './tenancy.ts';

export type { Fault } from './fault.ts';

export interface ServedFault extends Fault {
  readonly style: StyleName;
  /** The parts of the scripted session that show it soonest. */
  readonly parts: readonly Part[];
}

const GROUPS: readonly (readonly [faults: readonly Fault[], ...parts: Part[]])[] = [
  [basics, 'access', 'errors', 'tasks'],
  [tenancy, 'strangers', 'tasks'],
  [projects, 'projects'],
  [taskFields, 'tasks'],
  [tasks, 'tasks'],
  [people, 'people', 'events'],
  [lists, 'people', 'lists', 'many'],
  [filters, 'lists', 'strangers'],
  [access, 'access'],
  [errors, 'errors', 'projects', 'tasks'],
  [quota, 'access', 'budget'],
  [events, 'events', 'retries'],
  [deliveries, 'events', 'retries'],
];

const all = GROUPS.flatMap(([faults, ...parts]) => faults.map((fault) => ({ ...fault, parts })));

export const FAULTS: readonly ServedFault[] = all.map((fault, index) => ({
  ...fault,
  style: fault.style ?? STYLE_NAMES[index % STYLE_NAMES.length] ?? 'a',
}));

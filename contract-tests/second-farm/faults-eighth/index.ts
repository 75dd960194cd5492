// The eighth set of faults: spread evenly over the sections, at seams, and where two conditions meet.
import { type ServedFault, served } from '../faults/served.ts';
import { faults as deliveries } from './deliveries.ts';
import { faults as doors } from './doors.ts';
import { faults as errors } from './errors.ts';
import { faults as hooks } from './hooks.ts';
import { faults as lists } from './lists.ts';
import { faults as people } from './people.ts';
import { faults as projects } from './projects.ts';
import { faults as quotas } from './quotas.ts';
import { faults as tasks } from './tasks.ts';

export const FAULTS: readonly ServedFault[] = served([
  [projects, 'projects', 'again', 'seams', 'lists'],
  [tasks, 'seams', 'tasks', 'namesakes', 'again'],
  [lists, 'seams', 'lists', 'people', 'namesakes'],
  [people, 'people', 'again', 'stacks'],
  [doors, 'access', 'strangers', 'stacks'],
  [errors, 'wrong', 'seams', 'errors', 'people'],
  [hooks, 'events', 'stacks', 'seams'],
  [deliveries, 'retries', 'queue'],
  [quotas, 'access', 'budget'],
]);

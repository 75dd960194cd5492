// The ninth set of faults: what a reviewer finds in a service that runs, plain and subtle in equal parts.
import { type ServedFault, served } from '../faults/served.ts';
import { faults as access } from './access.ts';
import { faults as deliveries } from './deliveries.ts';
import { faults as errors } from './errors.ts';
import { faults as hooks } from './hooks.ts';
import { faults as lists } from './lists.ts';
import { faults as pages } from './pages.ts';
import { faults as people } from './people.ts';
import { faults as projects } from './projects.ts';
import { faults as tasks } from './tasks.ts';

export const FAULTS: readonly ServedFault[] = served([
  [projects, 'projects', 'again', 'stacks', 'lists'],
  [tasks, 'tasks', 'again', 'seams', 'lists'],
  [people, 'people', 'again', 'quick', 'stacks'],
  [lists, 'lists', 'seams', 'dates'],
  [pages, 'seams', 'lists', 'people', 'again'],
  [access, 'access', 'strangers', 'budget'],
  [errors, 'wrong', 'errors', 'people', 'seams'],
  [hooks, 'events', 'queue', 'wrong', 'stacks'],
  [deliveries, 'retries', 'queue', 'events'],
]);

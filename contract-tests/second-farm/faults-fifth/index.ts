// The fifth set of faults: each clause broken in the plainest way, at one place only, or in one situation only.
import { type ServedFault, served } from '../faults/served.ts';
import { faults as bodies } from './bodies.ts';
import { faults as deletions } from './deletions.ts';
import { faults as deliveries } from './deliveries.ts';
import { faults as errors } from './errors.ts';
import { faults as events } from './events.ts';
import { faults as filters } from './filters.ts';
import { faults as hooks } from './hooks.ts';
import { faults as keys } from './keys.ts';
import { faults as pages } from './pages.ts';
import { faults as people } from './people.ts';
import { faults as projects } from './projects.ts';
import { faults as quotas } from './quotas.ts';
import { faults as stamps } from './stamps.ts';
import { faults as taskChanges } from './task-changes.ts';
import { faults as taskFields } from './task-fields.ts';
import { faults as teams } from './teams.ts';

export const FAULTS: readonly ServedFault[] = served([
  [bodies, 'wrong', 'errors', 'people', 'lists'],
  [stamps, 'corners', 'again', 'people', 'projects', 'tasks', 'dates'],
  [projects, 'projects', 'corners'],
  [deletions, 'projects', 'namesakes', 'tasks', 'lists'],
  [taskFields, 'tasks', 'again', 'namesakes'],
  [taskChanges, 'tasks', 'namesakes'],
  [people, 'people', 'wrong', 'tasks'],
  [teams, 'people', 'namesakes'],
  [hooks, 'events', 'corners', 'access'],
  [events, 'events', 'queue'],
  [deliveries, 'events', 'queue', 'retries'],
  [keys, 'corners', 'access', 'strangers'],
  [pages, 'again', 'lists', 'people', 'many'],
  [filters, 'corners', 'namesakes', 'lists'],
  [errors, 'wrong', 'errors', 'access'],
  [quotas, 'access', 'budget'],
]);

// The fourth set of faults: what teams get wrong that read the specification from its first line to its last.
import { type ServedFault, served } from '../faults/served.ts';
import { faults as bodies } from './bodies.ts';
import { faults as deliveries } from './deliveries.ts';
import { faults as errors } from './errors.ts';
import { faults as events } from './events.ts';
import { faults as filters } from './filters.ts';
import { faults as keys } from './keys.ts';
import { faults as marks } from './marks.ts';
import { faults as pages } from './pages.ts';
import { faults as people } from './people.ts';
import { faults as projectChanges } from './project-changes.ts';
import { faults as projects } from './projects.ts';
import { faults as quotas } from './quotas.ts';
import { faults as taskFields } from './task-fields.ts';
import { faults as taskStates } from './task-states.ts';
import { faults as tasks } from './tasks.ts';
import { faults as teams } from './teams.ts';

export const FAULTS: readonly ServedFault[] = served([
  [bodies, 'again', 'people', 'errors', 'access'],
  [marks, 'again', 'quick', 'dates', 'tasks'],
  [projects, 'again', 'quick', 'projects'],
  [projectChanges, 'again', 'quick', 'projects', 'namesakes'],
  [taskFields, 'again', 'tasks', 'namesakes', 'texts'],
  [taskStates, 'again', 'tasks', 'quick'],
  [tasks, 'again', 'namesakes', 'tasks'],
  [people, 'again', 'people', 'namesakes'],
  [teams, 'again', 'people', 'namesakes'],
  [pages, 'again', 'lists', 'people', 'many'],
  [filters, 'again', 'namesakes', 'lists'],
  [keys, 'again', 'access', 'strangers', 'lists'],
  [errors, 'again', 'wrong', 'errors', 'tasks'],
  [quotas, 'again', 'access', 'budget'],
  [events, 'again', 'events', 'queue'],
  [deliveries, 'events', 'queue', 'retries'],
]);

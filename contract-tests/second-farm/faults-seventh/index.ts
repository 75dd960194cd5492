// The seventh set of faults: what reviewers of a service find, after refactorings, migrations, new queues, caches and gateways.
import { type ServedFault, served } from '../faults/served.ts';
import { faults as deletions } from './deletions.ts';
import { faults as deliveries } from './deliveries.ts';
import { faults as errors } from './errors.ts';
import { faults as events } from './events.ts';
import { faults as filters } from './filters.ts';
import { faults as hooks } from './hooks.ts';
import { faults as keys } from './keys.ts';
import { faults as orders } from './orders.ts';
import { faults as pages } from './pages.ts';
import { faults as people } from './people.ts';
import { faults as projects } from './projects.ts';
import { faults as quotas } from './quotas.ts';
import { faults as taskChanges } from './task-changes.ts';
import { faults as taskFields } from './task-fields.ts';
import { faults as tenancy } from './tenancy.ts';

export const FAULTS: readonly ServedFault[] = served([
  [projects, 'projects', 'stacks'],
  [taskFields, 'dates', 'stacks', 'tasks'],
  [taskChanges, 'again', 'tasks'],
  [deletions, 'projects', 'people', 'namesakes'],
  [pages, 'people', 'namesakes', 'lists'],
  [filters, 'again', 'quick', 'lists'],
  [orders, 'corners', 'wrong', 'lists'],
  [keys, 'access', 'quick', 'stacks'],
  [tenancy, 'strangers'],
  [errors, 'wrong', 'errors', 'people'],
  [people, 'people', 'quick'],
  [hooks, 'events', 'stacks'],
  [events, 'events', 'stacks'],
  [deliveries, 'retries', 'queue'],
  [quotas, 'access', 'budget'],
]);

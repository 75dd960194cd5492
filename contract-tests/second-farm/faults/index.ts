// The first set of faults.
import { faults as deliveries } from './deliveries.ts';
import { faults as envelopes } from './envelopes.ts';
import { faults as errorBodies } from './error-bodies.ts';
import { faults as eventBodies } from './event-bodies.ts';
import { faults as events } from './events.ts';
import { faults as filters } from './filters.ts';
import { faults as hooks } from './hooks.ts';
import { faults as keys } from './keys.ts';
import { faults as limitHeaders } from './limit-headers.ts';
import { faults as members } from './members.ts';
import { faults as metadata } from './metadata.ts';
import { faults as orders } from './orders.ts';
import { faults as pages } from './pages.ts';
import { faults as projectDeletion } from './project-deletion.ts';
import { faults as projectFields } from './project-fields.ts';
import { faults as projects } from './projects.ts';
import { faults as quota } from './quota.ts';
import { faults as scopes } from './scopes.ts';
import { type ServedFault, served } from './served.ts';
import { faults as taskDeletion } from './task-deletion.ts';
import { faults as taskMarks } from './task-marks.ts';
import { faults as taskTexts } from './task-texts.ts';
import { faults as taskValues } from './task-values.ts';
import { faults as tasks } from './tasks.ts';
import { faults as teamNames } from './team-names.ts';
import { faults as teams } from './teams.ts';
import { faults as tenancy } from './tenancy.ts';
import { faults as transport } from './transport.ts';
import { faults as validation } from './validation.ts';

export type { Fault } from './fault.ts';
export type { ServedFault } from './served.ts';

export const FAULTS: readonly ServedFault[] = served([
  [transport, 'access', 'errors'],
  [envelopes, 'access', 'tasks', 'people'],
  [tenancy, 'strangers', 'tasks'],
  [projectFields, 'projects'],
  [projects, 'projects'],
  [projectDeletion, 'projects'],
  [taskTexts, 'tasks'],
  [taskValues, 'tasks'],
  [taskMarks, 'tasks', 'people'],
  [tasks, 'tasks', 'lists'],
  [taskDeletion, 'tasks'],
  [members, 'people'],
  [teamNames, 'people'],
  [teams, 'people'],
  [hooks, 'events'],
  [metadata, 'people', 'lists', 'many'],
  [pages, 'lists', 'many'],
  [filters, 'lists'],
  [orders, 'lists'],
  [keys, 'access'],
  [scopes, 'access'],
  [errorBodies, 'access', 'people', 'tasks'],
  [validation, 'errors', 'projects', 'tasks'],
  [limitHeaders, 'access', 'budget'],
  [quota, 'budget', 'lists'],
  [events, 'events'],
  [eventBodies, 'events', 'retries'],
  [deliveries, 'events', 'retries'],
]);

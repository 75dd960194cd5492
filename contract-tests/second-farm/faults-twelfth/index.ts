// The twelfth set of faults: what a hidden judge would plausibly put into a service, written from the specification alone.
import { type ServedFault, served } from '../faults/served.ts';
import { faults as access } from './access.ts';
import { faults as budget } from './budget.ts';
import { faults as deliveries } from './deliveries.ts';
import { faults as errors } from './errors.ts';
import { faults as lists } from './lists.ts';
import { faults as people } from './people.ts';
import { faults as records } from './records.ts';

export const FAULTS: readonly ServedFault[] = served([
  [access, 'access', 'elsewhere', 'strangers', 'fresh'],
  [budget, 'budget', 'errors', 'access'],
  [deliveries, 'events', 'retries', 'posted', 'queue'],
  [errors, 'errors', 'wrong', 'people', 'projects', 'tasks'],
  [lists, 'lists', 'many', 'seams', 'fresh', 'rarely'],
  [people, 'people', 'namesakes', 'stacks'],
  [records, 'projects', 'tasks', 'dates', 'texts'],
]);

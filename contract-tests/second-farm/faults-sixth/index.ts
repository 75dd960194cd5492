// The sixth set of faults: what goes wrong in a service that is built of frameworks, databases, caches, queues and gateways.
import { type ServedFault, served } from '../faults/served.ts';
import { faults as caches } from './caches.ts';
import { faults as changes } from './changes.ts';
import { faults as coercions } from './coercions.ts';
import { faults as dates } from './dates.ts';
import { faults as deletions } from './deletions.ts';
import { faults as deliveries } from './deliveries.ts';
import { faults as errors } from './errors.ts';
import { faults as events } from './events.ts';
import { faults as filters } from './filters.ts';
import { faults as hooks } from './hooks.ts';
import { faults as keys } from './keys.ts';
import { faults as pages } from './pages.ts';
import { faults as people } from './people.ts';
import { faults as quotas } from './quotas.ts';
import { faults as texts } from './texts.ts';

export const FAULTS: readonly ServedFault[] = served([
  [texts, 'stacks', 'texts'],
  [coercions, 'stacks', 'errors'],
  [changes, 'stacks', 'again'],
  [dates, 'stacks', 'people', 'dates'],
  [filters, 'stacks', 'namesakes'],
  [pages, 'stacks', 'again', 'lists', 'people'],
  [keys, 'stacks', 'strangers', 'access'],
  [errors, 'stacks', 'wrong', 'errors', 'people'],
  [caches, 'quick', 'stacks'],
  [deletions, 'stacks', 'people'],
  [people, 'stacks', 'people'],
  [hooks, 'stacks', 'events'],
  [events, 'stacks', 'events'],
  [deliveries, 'events', 'retries', 'queue'],
  [quotas, 'access', 'budget'],
]);

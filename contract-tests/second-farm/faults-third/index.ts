// The third set of faults: what goes wrong in services that run.
import { type ServedFault, served } from '../faults/served.ts';
import { faults as access } from './access.ts';
import { faults as caches } from './caches.ts';
import { faults as changes } from './changes.ts';
import { faults as creations } from './creations.ts';
import { faults as dates } from './dates.ts';
import { faults as deletions } from './deletions.ts';
import { faults as deliveries } from './deliveries.ts';
import { faults as errorCodes } from './error-codes.ts';
import { faults as errors } from './errors.ts';
import { faults as events } from './events.ts';
import { faults as filtering } from './filtering.ts';
import { faults as limits } from './limits.ts';
import { faults as ordering } from './ordering.ts';
import { faults as paging } from './paging.ts';
import { faults as people } from './people.ts';
import { faults as texts } from './texts.ts';

export const FAULTS: readonly ServedFault[] = served([
  [caches, 'quick', 'lists'],
  [paging, 'lists', 'texts', 'many'],
  [filtering, 'namesakes', 'lists'],
  [ordering, 'lists', 'dates'],
  [changes, 'quick', 'namesakes', 'tasks'],
  [creations, 'namesakes', 'quick', 'tasks'],
  [dates, 'dates', 'tasks'],
  [texts, 'texts'],
  [access, 'access', 'strangers', 'namesakes'],
  [errors, 'wrong', 'errors', 'tasks'],
  [errorCodes, 'wrong', 'errors', 'namesakes'],
  [limits, 'access', 'budget'],
  [people, 'people', 'namesakes'],
  [deletions, 'namesakes', 'quick', 'projects'],
  [events, 'events', 'queue'],
  [deliveries, 'queue', 'events', 'retries'],
]);

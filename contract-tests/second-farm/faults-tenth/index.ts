// The tenth set of faults: written after the checks were read, where nothing seemed to look.
import { type ServedFault, served } from '../faults/served.ts';
import { faults as access } from './access.ts';
import { faults as deliveries } from './deliveries.ts';
import { faults as elsewhere } from './elsewhere.ts';
import { faults as errors } from './errors.ts';
import { faults as hooks } from './hooks.ts';
import { faults as lists } from './lists.ts';
import { faults as pages } from './pages.ts';
import { faults as people } from './people.ts';
import { faults as projects } from './projects.ts';
import { faults as quotas } from './quotas.ts';
import { faults as tasks } from './tasks.ts';
import { faults as values } from './values.ts';

export const FAULTS: readonly ServedFault[] = served([
  [lists, 'rarely', 'elsewhere'],
  [pages, 'rarely', 'crowds'],
  [values, 'almost', 'dates'],
  [tasks, 'almost', 'crowds'],
  [projects, 'almost', 'projects'],
  [people, 'almost', 'elsewhere'],
  [access, 'elsewhere', 'access'],
  [elsewhere, 'elsewhere', 'posted'],
  [errors, 'almost', 'wrong'],
  [hooks, 'posted', 'events'],
  [deliveries, 'posted', 'retries'],
  [quotas, 'rarely', 'elsewhere', 'almost', 'budget'],
]);

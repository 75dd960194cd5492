// The eleventh set of faults: what a reader with fresh eyes puts at borders, in combinations and where nobody looks twice.
import { type ServedFault, served } from '../faults/served.ts';
import { faults as access } from './access.ts';
import { faults as answers } from './answers.ts';
import { faults as changes } from './changes.ts';
import { faults as lists } from './lists.ts';
import { faults as seams } from './seams.ts';

export const FAULTS: readonly ServedFault[] = served([
  [access, 'fresh', 'access', 'elsewhere', 'budget'],
  [answers, 'posted', 'events', 'retries', 'wrong'],
  [changes, 'fresh', 'almost', 'tasks', 'projects'],
  [lists, 'fresh', 'rarely', 'lists', 'many'],
  [seams, 'fresh', 'seams', 'almost', 'elsewhere', 'posted'],
]);

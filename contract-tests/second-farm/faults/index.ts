// All faults, and the style that each is served in.
import { STYLE_NAMES, type StyleName } from '../styles.ts';
import { faults as access } from './access.ts';
import { faults as basics } from './basics.ts';
import { faults as errors } from './errors.ts';
import type { Fault } from './fault.ts';
import { faults as filters } from './filters.ts';
import { faults as lists } from './lists.ts';
import { faults as people } from './people.ts';
import { faults as projects } from './projects.ts';
import { faults as taskFields } from './task-fields.ts';
import { faults as tasks } from './tasks.ts';
import { faults as tenancy } from './tenancy.ts';

export type { Fault } from './fault.ts';

export const FAULTS: readonly (Fault & { readonly style: StyleName })[] = [
  basics,
  tenancy,
  projects,
  taskFields,
  tasks,
  people,
  lists,
  filters,
  access,
  errors,
]
  .flat()
  .map((fault, index) => ({ ...fault, style: fault.style ?? STYLE_NAMES[index % STYLE_NAMES.length] ?? 'a' }));

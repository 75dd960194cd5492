// The sets of faults by name.
import { FAULTS as eighth } from '../faults-eighth/index.ts';
import { FAULTS as eleventh } from '../faults-eleventh/index.ts';
import { FAULTS as fifth } from '../faults-fifth/index.ts';
import { FAULTS as fourth } from '../faults-fourth/index.ts';
import { FAULTS as ninth } from '../faults-ninth/index.ts';
import { FAULTS as seventh } from '../faults-seventh/index.ts';
import { FAULTS as sixth } from '../faults-sixth/index.ts';
import { FAULTS as tenth } from '../faults-tenth/index.ts';
import { FAULTS as third } from '../faults-third/index.ts';
import { FAULTS as twelfth } from '../faults-twelfth/index.ts';
import { FAULTS as first } from './index.ts';
import type { ServedFault } from './served.ts';

export const SETS: Readonly<Record<string, readonly ServedFault[]>> = {
  first,
  third,
  fourth,
  fifth,
  sixth,
  seventh,
  eighth,
  ninth,
  tenth,
  eleventh,
  twelfth,
};

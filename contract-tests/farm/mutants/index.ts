// Every mutant, for a target with these keys.
import type { Mutant } from '../mutant.ts';
import { accessMutants, type Keys } from './access.ts';
import { controlMutants } from './control.ts';
import { envelopeMutants } from './envelopes.ts';
import { eventMutants } from './events.ts';
import { lifecycleMutants } from './lifecycle.ts';
import { listMutants } from './lists.ts';
import { rateMutants } from './rates.ts';
import { releaseMutants } from './releases.ts';
import { ruleMutants } from './rules.ts';
import { seededMutants } from './seeded.ts';
import { twoFactorMutants } from './two-factor.ts';

export const allMutants = (keys: Keys): readonly Mutant[] => [
  ...envelopeMutants,
  ...listMutants,
  ...ruleMutants,
  ...accessMutants(keys),
  ...lifecycleMutants(keys),
  ...rateMutants,
  ...twoFactorMutants(keys),
  ...seededMutants,
  ...eventMutants,
  ...controlMutants,
  ...releaseMutants,
];

// Every operator mutant that a server can carry.

import type { Host } from '../targets.ts';
import { accessMutants } from './access.ts';
import { answerMutants } from './answers.ts';
import { bodyMutants } from './bodies.ts';
import type { OperatorMutant } from './core.ts';
import { dateMutants } from './dates.ts';
import { deliveryMutants } from './deliveries.ts';
import { eventMutants } from './events.ts';
import { filterMutants } from './filters.ts';
import { leftoverMutants } from './leftovers.ts';
import { lifetimeMutants } from './lifetimes.ts';
import { listMutants } from './lists.ts';
import { metaMutants } from './metas.ts';
import { rateMutants } from './rates.ts';
import { rowMutants } from './rows.ts';
import { valueMutants } from './values.ts';

const ALL: readonly OperatorMutant[] = [
  ...rowMutants,
  ...answerMutants,
  ...bodyMutants,
  ...valueMutants,
  ...filterMutants,
  ...listMutants,
  ...metaMutants,
  ...accessMutants,
  ...lifetimeMutants,
  ...dateMutants,
  ...eventMutants,
  ...deliveryMutants,
  ...rateMutants,
  ...leftoverMutants,
];

export const operatorMutants = (host: Host): readonly OperatorMutant[] => ALL.filter(({ on }) => on === undefined || on === host);

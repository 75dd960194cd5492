// Every operator mutant that a server can carry.
import type { Host } from '../targets.ts';
import { accessMutants } from './access.ts';
import { answerMutants, rateMutants } from './answers.ts';
import { bodyMutants } from './bodies.ts';
import type { OperatorMutant } from './core.ts';
import { deliveryMutants, eventMutants } from './events.ts';
import { dateMutants, fieldMutants } from './fields.ts';
import { filterMutants } from './filters.ts';
import { lifetimeMutants } from './lifetimes.ts';
import { listMutants, metaMutants } from './lists.ts';
import { leftoverMutants, valueMutants } from './values.ts';

const ALL: readonly OperatorMutant[] = [
  ...[fieldMutants, answerMutants, bodyMutants, valueMutants, filterMutants, listMutants, metaMutants],
  ...[accessMutants, lifetimeMutants, dateMutants, eventMutants, deliveryMutants, rateMutants, leftoverMutants],
].flat();

export const operatorMutants = (host: Host): readonly OperatorMutant[] => ALL.filter(({ on }) => on === undefined || on === host);

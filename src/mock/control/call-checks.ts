// What the calls of the control API take, checked by the validators that are generated from its table.
import { check, type Finding, type Validate } from '../../service/validation/check.ts';
import type { ControlId } from './operations.ts';
import * as generated from './validators.generated.ts';

const validators = generated as unknown as Readonly<Record<string, Validate>>;

/** What is wrong with a body; what no schema describes is checked by the function of its call. */
export const bodyFindings = (id: ControlId, body: unknown): readonly Finding[] =>
  check(validators[id] ?? validators.anObject!, body);

/** @param takes whether the call takes a query that its own function checks, where no schema does */
export const queryFindings = (id: ControlId, query: unknown, takes: boolean): readonly Finding[] =>
  check(validators[`${id}Query`] ?? (takes ? validators.anObject! : validators.noQuery!), query);

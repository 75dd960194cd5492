// Makes a call with an input that is checked by the validators of its row: for HTTP and the dashboard.
import { check, type Finding, type Validate } from '../../service/validation/check.ts';
import { type CallSite, type ControlResponse, invoke } from './invoke.ts';
import { type ControlId, controlRow } from './operations.ts';
import type { CallInput } from './recorder.ts';
import { refuseFindings } from './validate.ts';
import * as generated from './validators.generated.ts';

const validators = generated as unknown as Readonly<Record<string, Validate>>;

/** Without a schema, the function of the call checks the body. @throws Problem 400, 422 */
export const checkBody = (id: ControlId, body: unknown): void =>
  refuseFindings(check(validators[id] ?? validators.anObject!, body));

export const queryFindings = (id: ControlId, query: unknown): readonly Finding[] =>
  check(validators[`${id}Query`] ?? (controlRow(id).query ? validators.anObject! : validators.noQuery!), query);

export const callByRow = async <Id extends ControlId>(
  id: Id,
  site: CallSite,
  { body, ...input }: CallInput = {},
): Promise<ControlResponse<Id>> => {
  const row = controlRow(id);
  if (row.body) checkBody(id, body ?? {});
  return (await invoke({ id, ...row }, site, row.body ? { ...input, body: body ?? {} } : input)) as ControlResponse<Id>;
};

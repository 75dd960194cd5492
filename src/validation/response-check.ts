// Whether an answer is one that the contract documents. Import it only where answers are checked: its validators are large.
import { type OperationId, operation } from '../contract/operations.ts';
import * as generated from './responses.generated.ts';
import { expectation, type Validate } from './validator.ts';

const VALIDATORS = generated as unknown as Readonly<Partial<Record<OperationId, Validate>>> & {
  readonly error: Validate;
  readonly bareWebhook: Validate;
};

/** What is wrong with an answer, a line each; `body` is its parsed JSON, undefined when it is empty. */
export const checkResponse = (id: OperationId, status: number, body: unknown): string[] => {
  const wanted = status >= 400 ? VALIDATORS.error : successOf(id, body);
  if (!wanted) return body === undefined ? [] : [`${id} ${status}: the body must be empty`];
  if (status === 204) return [`${id} ${status}: the answer must have a body`];
  if (wanted(body)) return [];
  return (wanted.errors ?? []).map((finding) => {
    const where = `${id} ${status}: body${finding.instancePath.replaceAll('/', '.')}`;
    return finding.keyword === 'required'
      ? `${where}.${finding.params.missingProperty} is missing`
      : `${where} ${expectation(finding)}`;
  });
};

// A registration may come without its envelope: one of the answers to the open point `webhook-create-shape`.
const successOf = (id: OperationId, body: unknown): Validate | undefined => {
  const bare = id === 'createWebhook' && typeof body === 'object' && body !== null && !('data' in body);
  return bare ? VALIDATORS.bareWebhook : operation(id).status === 204 ? undefined : VALIDATORS[id];
};

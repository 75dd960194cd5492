// Whether an answer is one that the contract documents. Import it only where answers are checked: its validators are large.
import { type OperationId, operation } from '../contract/operations.ts';
import { LATEST, type Release } from '../contract/releases.ts';
import { check, issueOf, type Validate } from './check.ts';
import { formFor } from './forms.ts';
import * as generated from './responses.generated.ts';

const validatorOf = formFor(generated as unknown as Readonly<Record<string, Validate>>);

/** What is wrong with an answer, a line each; `body` is its parsed JSON, undefined when it is empty. */
export const checkResponse = (id: OperationId, status: number, body: unknown, release: Release = LATEST): string[] => {
  const wanted = status >= 400 ? validatorOf('error', release) : successOf(id, body, release);
  if (!wanted) return body === undefined ? [] : [`${id} ${status}: the body must be empty`];
  if (status === 204) return [`${id} ${status}: the answer must have a body`];
  return check(wanted, body).map((finding) => {
    const where = `${id} ${status}: body${finding.path.map((step) => `.${step}`).join('')}`;
    return finding.what === 'missing' ? `${where} is missing` : `${where} ${issueOf(finding)}`;
  });
};

// A registration may come without its envelope: one of the answers to the open point `webhook-create-shape`.
const successOf = (id: OperationId, body: unknown, release: Release): Validate | undefined => {
  const bare = id === 'createWebhook' && typeof body === 'object' && body !== null && !('data' in body);
  return operation(id).status === 204 ? undefined : validatorOf(bare ? 'bareWebhook' : id, release);
};

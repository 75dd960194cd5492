// Whether a response is one that the contract of a release documents.
import { contractAt } from '../service/contract/at-release.ts';
import type { OperationId } from '../service/contract/operations.ts';
import { LATEST, type Release } from '../service/contract/releases.ts';
import type { Schema } from '../service/contract/schema.ts';
import { check, issueOf } from '../service/validation/check.ts';
import { compiled } from './compiled.ts';

/** Violations in a response, a line each; `body` is its parsed JSON, undefined when it is empty. */
export const checkResponse = (id: OperationId, status: number, body: unknown, release: Release = LATEST): string[] => {
  const wanted = schemaOf(id, status, body, release);
  if (!wanted) return body === undefined ? [] : [`${id} ${status}: the body must be empty`];
  if (status === 204) return [`${id} ${status}: the response must have a body`];
  return check(compiled(wanted), body).map((finding) => {
    const where = `${id} ${status}: body${finding.path.map((step) => `.${step}`).join('')}`;
    return finding.what === 'missing' ? `${where} is missing` : `${where} ${issueOf(finding)}`;
  });
};

const schemaOf = (id: OperationId, status: number, body: unknown, release: Release): Schema<unknown> | undefined => {
  const { components, operations } = contractAt(release);
  if (status >= 400) return components.ErrorResponse;
  // A registration may come without its envelope: one of the options of the open point `webhook-create-shape`.
  const bare = id === 'createWebhook' && typeof body === 'object' && body !== null && !('data' in body);
  return bare ? components.Webhook : operations[id]?.response;
};

// Error responses of an operation, each with an example, and the headers of all responses (spec: Limits).
import type { ChoiceId } from '../contract/choices.ts';
import { ERRORS, type ErrorCode, type FieldIssue } from '../contract/errors.ts';
import { mapValues } from '../contract/keyed.ts';
import { PLANS } from '../contract/limits.ts';
import type { Operation } from '../contract/operations.ts';
import { HEADER_SPANS, isIn } from '../contract/releases.ts';
import { ErrorBody } from '../contract/resources.ts';
import type { Schema } from '../contract/schema.ts';
import type { Terms } from '../contract/terms.ts';
import { type Json, jsonContent } from './schemas.ts';

const header = (description: string, example: number | string): Json => ({
  description,
  schema: typeof example === 'number' ? { type: 'integer', minimum: 0 } : { type: 'string' },
  example,
});
const rate = (description: string, example: number): Json => ({ description, required: true, ...header(description, example) });

const RATE: Json = {
  'X-RateLimit-Limit': rate('Maximum requests per minute for the plan.', PLANS.business),
  'X-RateLimit-Remaining': rate('Requests left in the current window; at 0 further requests get `429`.', PLANS.business - 1),
  'X-RateLimit-Reset': rate(
    'Unix timestamp (UTC) when the window resets and the count returns to the full limit.',
    1_737_363_660,
  ),
};
const DEPRECATION_HEADER = header(
  'The request used `page` or `offset`, which go in v1.2.0 (RFC 9745). The spec leaves its value open, and which answers carry it.',
  '@1725148800',
);
const RETRY_AFTER = header('Seconds to wait. The spec leaves open whether it is sent.', 42);
const WWW_AUTHENTICATE = header('The scheme to authenticate with. The spec leaves open whether it is sent.', 'Bearer');

export const headers = ({ choices, contract }: Terms): Json => ({
  ...RATE,
  ...(isIn(HEADER_SPANS.Deprecation, contract.release) && { Deprecation: DEPRECATION_HEADER }),
  ...(choices['retry-after'] === 'present' && { 'Retry-After': RETRY_AFTER }),
  ...(choices['www-authenticate'] === 'present' && { 'WWW-Authenticate': WWW_AUTHENTICATE }),
});

export const headersOf = (status: number, terms: Terms, list = false): Json => {
  const some: Readonly<Record<string, boolean>> = {
    Deprecation: list,
    'Retry-After': status === 429,
    'WWW-Authenticate': status === 401,
  };
  const sent = Object.keys(headers(terms)).filter((name) => some[name] ?? true);
  return Object.fromEntries(sent.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
};

const errorResponse = (
  status: number,
  description: string,
  code: string,
  message: string,
  terms: Terms,
  fields: readonly FieldIssue[] = [],
): Json => {
  const details = fields.length > 0 ? { fields } : {};
  const shown = fields.length > 0 || terms.choices['error-details'] === 'always' ? { details } : {};
  const repeated = terms.choices['error-status-field'] === 'present' ? { status } : {};
  const example = { error: { code, message, ...shown, ...repeated } };
  return { description, headers: headersOf(status, terms), content: jsonContent(ErrorBody, example) };
};

/** Errors that read the same wherever they occur: status, code, message, and the open point that names the code otherwise. */
const SHARED = {
  Unauthorized: [401, 'unauthorized', 'The API key is missing, unknown or revoked.'],
  Forbidden: [403, 'forbidden', "The key's scope does not allow this."],
  NotFound: [404, 'not_found', 'Nothing in this workspace has this id.', 'not-found-code'],
  Conflict: [409, 'conflict', 'A team of this workspace has this name.', 'conflict-code'],
  PayloadTooLarge: [413, 'payload_too_large', 'The body must be at most 1048576 bytes.'],
  TooManyRequests: [429, 'rate_limit_exceeded', 'The workspace has used up its requests of this minute.'],
  InternalError: [500, 'internal_error', 'Something went wrong in the service.', 'internal-code'],
} as const satisfies Readonly<Record<string, readonly [number, ErrorCode, string, ChoiceId?]>>;

export const sharedErrors = (terms: Terms): Json =>
  mapValues(SHARED, ([status, code, message, point]) =>
    errorResponse(status, ERRORS[code].when, point ? terms.choices[point] : code, message, terms),
  );

const STRUCTURE = 'Malformed request, or a missing or wrongly typed parameter.';
const RULES = 'Well-formed, but against the rules of a field.';

/** The first field of a body, with an issue of its structure and one of its rules. */
const bodyIssues = ({ properties, required = [] }: Schema<unknown>): Record<'structure' | 'rules', FieldIssue> => {
  const [missing] = required as readonly string[];
  const [field] = Object.keys(properties as object) as [string];
  return {
    structure: missing ? { field: missing, issue: 'is required' } : { field, issue: 'must be a string' },
    rules: { field, issue: field === 'url' ? 'must be an absolute URL' : 'must not be empty' },
  };
};

export const errorsOf = ({ body, list, scope, errors }: Operation, terms: Terms): Json => {
  const shared = (name: keyof typeof SHARED) => ({ $ref: `#/components/responses/${name}` });
  const invalid = (status: 400 | 422, says: string, { field, issue }: FieldIssue) =>
    errorResponse(status, says, 'validation_error', `${field} ${issue}.`, terms, [{ field, issue }]);
  const issues = body && bodyIssues(body);
  const limit = { field: 'limit', issue: 'must be an integer from 1 to 100' };
  return {
    ...(list && { 400: invalid(400, `${STRUCTURE} Also an unsupported sort field.`, limit) }),
    ...(issues && { 400: invalid(400, STRUCTURE, issues.structure) }),
    401: shared('Unauthorized'),
    ...(scope !== 'read' && { 403: shared('Forbidden') }),
    ...(errors.includes('not_found') && { 404: shared('NotFound') }),
    ...(errors.includes('conflict') && { 409: shared('Conflict') }),
    ...(issues && { 413: shared('PayloadTooLarge'), 422: invalid(422, RULES, issues.rules) }),
    429: shared('TooManyRequests'),
    500: shared('InternalError'),
  };
};

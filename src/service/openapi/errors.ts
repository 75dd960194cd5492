// Error responses of an operation, each with an example, and the headers of all responses (spec: Limits).
import type { ChoiceId } from '../contract/choices.ts';
import { ERRORS, type ErrorCode, type FieldIssue } from '../contract/errors.ts';
import { PLANS } from '../contract/limits.ts';
import type { Operation } from '../contract/operations.ts';
import { HEADER_SPANS, isIn } from '../contract/releases.ts';
import { ErrorBody } from '../contract/resources.ts';
import type { Schema } from '../contract/schema.ts';
import type { Terms } from '../contract/terms.ts';
import { type Json, schemaOf } from './schemas.ts';

const whole = (description: string, example: number): Json => ({ description, schema: { type: 'integer', minimum: 0 }, example });
const word = (description: string, example: string): Json => ({ description, schema: { type: 'string' }, example });
const always = ({ description, ...header }: Json): Json => ({ description, required: true, ...header });

const RATE: Readonly<Record<string, Json>> = {
  'X-RateLimit-Limit': always(whole('Maximum requests per minute for the plan.', PLANS.business)),
  'X-RateLimit-Remaining': always(
    whole('Requests left in the current window; at 0 further requests get `429`.', PLANS.business - 1),
  ),
  'X-RateLimit-Reset': always(
    whole('Unix timestamp (UTC) when the window resets and the count returns to the full limit.', 1_737_363_660),
  ),
};

const RETRY_AFTER = whole('Seconds to wait. The spec leaves open whether it is sent.', 42);
const WWW_AUTHENTICATE = word('The scheme to authenticate with. The spec leaves open whether it is sent.', 'Bearer');
const DEPRECATION_HEADER = word(
  'The request used `page` or `offset`, which go in v1.2.0 (RFC 9745). The spec leaves its value open, and which answers carry it.',
  '@1725148800',
);

const signals = ({ contract }: Terms): boolean => isIn(HEADER_SPANS.Deprecation, contract.release);

export const headers = (terms: Terms): Readonly<Record<string, Json>> => ({
  ...RATE,
  ...(signals(terms) ? { Deprecation: DEPRECATION_HEADER } : {}),
  ...(terms.choices['retry-after'] === 'present' ? { 'Retry-After': RETRY_AFTER } : {}),
  ...(terms.choices['www-authenticate'] === 'present' ? { 'WWW-Authenticate': WWW_AUTHENTICATE } : {}),
});

export const headersOf = (status: number, terms: Terms, list = false): Json => {
  const own = status === 429 ? 'Retry-After' : status === 401 ? 'WWW-Authenticate' : '';
  const more = [...(own in headers(terms) ? [own] : []), ...(list && signals(terms) ? ['Deprecation'] : [])];
  return Object.fromEntries([...Object.keys(RATE), ...more].map((name) => [name, { $ref: `#/components/headers/${name}` }]));
};

const errorResponse = (
  status: number,
  description: string,
  code: string,
  message: string,
  terms: Terms,
  fields: readonly FieldIssue[] = [],
) => {
  const details = fields.length > 0 ? { fields } : {};
  const shown = fields.length > 0 || terms.choices['error-details'] === 'always' ? { details } : {};
  const repeated = terms.choices['error-status-field'] === 'present' ? { status } : {};
  const example = { error: { code, message, ...shown, ...repeated } };
  const content = { 'application/json': { schema: schemaOf(ErrorBody), example } };
  return { description, headers: headersOf(status, terms), content };
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

export const sharedErrors = (terms: Terms): Readonly<Record<string, Json>> =>
  Object.fromEntries(
    Object.entries(SHARED).map(([name, [status, code, message, point]]) => [
      name,
      errorResponse(status, ERRORS[code].when, point ? terms.choices[point] : code, message, terms),
    ]),
  );

const STRUCTURE = 'Malformed request, or a missing or wrongly typed parameter.';
const RULES = 'Well-formed, but against the rules of a field.';

const invalid = (status: 400 | 422, says: string, { field, issue }: FieldIssue, terms: Terms) =>
  errorResponse(status, says, 'validation_error', `${field} ${issue}.`, terms, [{ field, issue }]);

const misshapen = (body: Schema<unknown>): FieldIssue => {
  const [required] = (body.required ?? []) as readonly string[];
  return required ? { field: required, issue: 'is required' } : { field: firstOf(body), issue: 'must be a string' };
};

const ruleBroken = (body: Schema<unknown>): FieldIssue => {
  const field = firstOf(body);
  return { field, issue: field === 'url' ? 'must be an absolute URL' : 'must not be empty' };
};

const firstOf = ({ properties }: Schema<unknown>): string => Object.keys(properties as object)[0]!;

export const errorsOf = ({ body, list, scope, errors }: Operation, terms: Terms): Readonly<Record<string, Json>> => {
  const shared = (name: keyof typeof SHARED) => ({ $ref: `#/components/responses/${name}` });
  return {
    ...(list && {
      400: invalid(
        400,
        `${STRUCTURE} Also an unsupported sort field.`,
        { field: 'limit', issue: 'must be an integer from 1 to 100' },
        terms,
      ),
    }),
    ...(body && { 400: invalid(400, STRUCTURE, misshapen(body), terms) }),
    401: shared('Unauthorized'),
    ...(scope !== 'read' && { 403: shared('Forbidden') }),
    ...(errors.includes('not_found') && { 404: shared('NotFound') }),
    ...(errors.includes('conflict') && { 409: shared('Conflict') }),
    ...(body && { 413: shared('PayloadTooLarge'), 422: invalid(422, RULES, ruleBroken(body), terms) }),
    429: shared('TooManyRequests'),
    500: shared('InternalError'),
  };
};

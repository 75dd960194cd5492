// Response headers (spec: Limits, Rate limits), as components.

import { PLANS } from '../contract/limits.ts';
import { HEADER_SPANS, isIn } from '../contract/releases.ts';
import type { Terms } from '../contract/terms.ts';
import type { Json } from './schemas.ts';

const whole = (description: string, example: number): Json => ({
  description,
  required: true,
  schema: { type: 'integer', minimum: 0 },
  example,
});

const RATE: Readonly<Record<string, Json>> = {
  'X-RateLimit-Limit': whole('Maximum requests per minute for the plan.', PLANS.business),
  'X-RateLimit-Remaining': whole('Requests left in the current window; at 0 further requests get `429`.', PLANS.business - 1),
  'X-RateLimit-Reset': whole(
    'Unix timestamp (UTC) when the window resets and the count returns to the full limit.',
    1_737_363_660,
  ),
};

const RETRY_AFTER: Json = {
  description: 'Seconds to wait. The spec leaves open whether it is sent.',
  schema: { type: 'integer', minimum: 0 },
  example: 42,
};

const WWW_AUTHENTICATE: Json = {
  description: 'The scheme to authenticate with. The spec leaves open whether it is sent.',
  schema: { type: 'string' },
  example: 'Bearer',
};

const DEPRECATION: Json = {
  description:
    'The request used `page` or `offset`, which go in v1.2.0 (RFC 9745). The spec leaves its value open, and which answers carry it.',
  schema: { type: 'string' },
  example: '@1725148800',
};

const signals = ({ contract }: Terms): boolean => isIn(HEADER_SPANS.Deprecation, contract.release);

/** Headers of all responses, by name. */
export const headers = (terms: Terms): Readonly<Record<string, Json>> => ({
  ...RATE,
  ...(signals(terms) ? { Deprecation: DEPRECATION } : {}),
  ...(terms.choices['retry-after'] === 'present' ? { 'Retry-After': RETRY_AFTER } : {}),
  ...(terms.choices['www-authenticate'] === 'present' ? { 'WWW-Authenticate': WWW_AUTHENTICATE } : {}),
});

/** References to the headers of a response with this status. */
export const headersOf = (status: number, terms: Terms, list = false): Json => {
  const own = status === 429 ? 'Retry-After' : status === 401 ? 'WWW-Authenticate' : '';
  const more = [...(own in headers(terms) ? [own] : []), ...(list && signals(terms) ? ['Deprecation'] : [])];
  return Object.fromEntries([...Object.keys(RATE), ...more].map((name) => [name, { $ref: `#/components/headers/${name}` }]));
};

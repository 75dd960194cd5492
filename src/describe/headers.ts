// The headers of answers (spec: Limits, Rate limits), as components.
import type { Choices } from '../contract/choices.ts';
import { PLANS } from '../contract/limits.ts';
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

/** Every header that some answer carries, by name. */
export const headers = (choices: Choices): Readonly<Record<string, Json>> => ({
  ...RATE,
  ...(choices['retry-after'] === 'present' ? { 'Retry-After': RETRY_AFTER } : {}),
  ...(choices['www-authenticate'] === 'present' ? { 'WWW-Authenticate': WWW_AUTHENTICATE } : {}),
});

/** References to the headers of an answer with this status. */
export const headersOf = (status: number, choices: Choices): Json => {
  const own = status === 429 ? 'Retry-After' : status === 401 ? 'WWW-Authenticate' : '';
  const names = [...Object.keys(RATE), ...(own in headers(choices) ? [own] : [])];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
};

// Validates the arguments of matchers: under `.not` a misspelt one would always pass.
import { OPERATION_IDS } from '../service/contract/operations.ts';
import { EVENT_NAMES } from '../service/contract/resources.ts';
import { array, boolean, closed, integer, oneOf, type Schema } from '../service/contract/schema.ts';
import { DELIVERY_STATES } from '../service/contract/states.ts';
import { LATER_EVENTS } from '../service/forward-compat/responses.ts';
import { WARNING_CODES } from '../service/http/client-warnings.ts';
import { checkOptions } from '../service/validation/check.ts';
import type { DeliveryPattern, RequestPattern } from './pattern.ts';
import * as generated from './validators.generated.ts';

const HTTP_METHODS = ['GET', 'POST', 'PATCH', 'DELETE', 'PUT', 'HEAD', 'OPTIONS'];
const anySchema: Schema<unknown> = {};
const countSchema = integer({ minimum: 0, 'x-says': 'an integer, 0 or more' });

export const PATTERNS = {
  received: closed({}, {
    operation: oneOf(OPERATION_IDS as readonly string[]),
    method: oneOf([...HTTP_METHODS, ...HTTP_METHODS.map((method) => method.toLowerCase())], {
      'x-says': `one of ${HTTP_METHODS.join(', ')}`,
    }),
    path: anySchema,
    query: anySchema,
    status: {
      type: ['integer', 'string'],
      pattern: '^(0|[1-5]\\d\\d|[0-5]xx)$',
      minimum: 0,
      maximum: 599,
      not: { type: 'integer', minimum: 1, maximum: 99 },
      'x-says': "a status such as 404, a class such as '4xx', or 0",
    },
    body: anySchema,
    answer: anySchema,
    headers: anySchema,
    key: anySchema,
  } satisfies Record<keyof RequestPattern, Schema<unknown>>),
  delivered: closed({}, {
    state: oneOf(DELIVERY_STATES),
    webhook: anySchema,
    url: anySchema,
    simulated: boolean(),
    attempts: countSchema,
    data: anySchema,
    times: countSchema,
  } satisfies Record<keyof DeliveryPattern, Schema<unknown>>),
  warnings: closed({}, { except: array(oneOf(WARNING_CODES)) }),
  beside: closed({}, { event: oneOf([...EVENT_NAMES, ...Object.keys(LATER_EVENTS)]), times: countSchema }),
};

const patternValidators: Readonly<Record<keyof typeof PATTERNS, unknown>> = generated;

/** @throws TypeError naming each unknown part and each invalid value. */
export const checkPattern = (matcher: string, pattern: keyof typeof PATTERNS, given: unknown): void =>
  checkOptions(matcher, patternValidators[pattern], given, TypeError);

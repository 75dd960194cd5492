// The definition of a fault: which requests or events it matches, its effect, and how often it applies.
import { OPERATION_IDS, type OperationId } from '../contract/operations.ts';
import { EVENT_NAMES } from '../contract/resources.ts';
import { anyOf, boolean, closed, type Is, integer, map, number, oneOf, type Schema, string } from '../contract/schema.ts';

/** A word, or what YAML and JSON read as a number or a boolean. */
type WordOrNumber = string | number | boolean;
const WordOrNumber = anyOf<WordOrNumber>(string(), number(), boolean());
const words = (description: string, examples: readonly unknown[]): Schema<Readonly<Record<string, WordOrNumber>>> => ({
  type: 'object',
  minProperties: 1,
  additionalProperties: WordOrNumber,
  description,
  examples,
});

const REQUEST_MEMBERS = {
  method: oneOf(['GET', 'POST', 'PATCH', 'PUT', 'DELETE']),
  path: string({
    minLength: 1,
    maxLength: 500,
    description: 'With or without /v1; `*` matches any characters.',
    examples: ['/tasks/*'],
  }),
  operation: oneOf(OPERATION_IDS as readonly [OperationId, ...OperationId[]]),
  key: string({ minLength: 1, maxLength: 1000, description: 'Id or value of a key; kept as its id.' }),
  query: words('Required parameters with their values; `*` matches any characters.', [{ 'filter[status]': 'todo', cursor: '*' }]),
  body: {
    ...map('Required in the JSON body: fields with their values, lists with at least these items.'),
    minProperties: 1,
    examples: [{ status: 'done' }],
  },
  header: words('Required headers with their values; `*` matches any characters.', [{ 'user-agent': '*Firefox*' }]),
};

export const ANY_EVENT = '*';
const MATCHES = {
  ...REQUEST_MEMBERS,
  event: oneOf([...EVENT_NAMES, ANY_EVENT], { description: 'Applies to events in place of requests; `*` matches each of them.' }),
};
export const Match = closed({}, MATCHES);
/** Which requests, or events, a fault matches; omitted members match every request. */
export type FaultMatch = Is<typeof Match>;

const MAX_DELAY_MS = 3_600_000;
const delay = integer({ minimum: 0, maximum: MAX_DELAY_MS });
const percentile = integer({ minimum: 1, maximum: MAX_DELAY_MS });

const ErrorDraft = closed(
  {},
  {
    code: string({ minLength: 1, maxLength: 200, examples: ['service_unavailable'] }),
    message: string({ minLength: 1, maxLength: 10_000 }),
    details: { ...map('As they are in the error.'), examples: [{ fields: [{ field: 'title', issue: 'is taken' }] }] },
  },
  { minProperties: 1, description: 'Members of the error, in the envelope of the API.' },
);

const EFFECTS_ON_RESPONSES = {
  /** The request is not performed. */
  status: integer({ minimum: 200, maximum: 599, description: 'In the error shape of the API. Below 400 with `raw` alone.' }),
  /** Real milliseconds, or a range of them; for an event, milliseconds of the world. */
  delay_ms: anyOf<number | { readonly min: number; readonly max: number }>(delay, closed({ min: delay, max: delay })),
  /** The request is not performed. */
  abort: boolean({ description: 'Closes the connection.' }),
  body: oneOf(['empty', 'malformed', 'truncated']),
  hold: boolean({ description: 'Holds responses until released.' }),
  headers: {
    type: 'object',
    minProperties: 1,
    additionalProperties: { type: ['string', 'null'] },
    description: 'Headers of its own, in place of those of the service; null leaves one out.',
    examples: [{ server: 'nginx', 'x-ratelimit-limit': null }],
  } as Schema<Readonly<Record<string, string | null>>>,
  retry_after: integer({
    minimum: 0,
    maximum: 86_400,
    description: 'The Retry-After header, in seconds; X-RateLimit-Reset of a 429 follows.',
  }),
  error: ErrorDraft,
  content_type: string({ minLength: 1, maxLength: 200, examples: ['text/html'] }),
  raw: string({
    maxLength: 1_000_000,
    description: 'The whole body, byte for byte, as from a proxy in front of the service: without its rate-limit headers.',
    examples: ['<html><h1>502 Bad Gateway</h1></html>'],
  }),
  latency: closed(
    { p50_ms: percentile, p99_ms: percentile },
    {},
    {
      description:
        "Real milliseconds, lognormal, by the world's seed: half of the responses take p50, one in a hundred more than p99.",
    },
  ),
};

const EFFECTS_ON_DELIVERIES = {
  duplicate: boolean({ description: 'For an event: delivers it twice.' }),
  reorder: boolean({
    description: 'For an event: delivers it after the next one of its registration, at most `delay_ms` later (5,000 by default).',
  }),
  bad_signature: boolean({ description: 'For an event: signs it with another secret. A replay is signed correctly.' }),
};

/** Effects for requests only, and for events only. `delay_ms` and `latency` are for both. */
export const REQUEST_MATCHES = Object.keys(REQUEST_MEMBERS) as (keyof typeof REQUEST_MEMBERS)[];
export const EVENT_EFFECTS = Object.keys(EFFECTS_ON_DELIVERIES) as (keyof typeof EFFECTS_ON_DELIVERIES)[];
const BOTH = ['delay_ms', 'latency'];
export const REQUEST_EFFECTS = Object.keys(EFFECTS_ON_RESPONSES).filter(
  (name) => !BOTH.includes(name),
) as (keyof typeof EFFECTS_ON_RESPONSES)[];

export const Effect = closed({}, { ...EFFECTS_ON_RESPONSES, ...EFFECTS_ON_DELIVERIES }, { minProperties: 1 });
export type FaultEffect = Is<typeof Effect>;

const FREQUENCY = {
  times: integer({ minimum: 1, description: 'Applies at most this often.' }),
  after: integer({ minimum: 0, description: 'Lets this many matching requests pass first.' }),
  probability: number({ minimum: 0, maximum: 1, description: 'Share of the matching requests that it applies to.' }),
};

export const FaultDraft = closed({ effect: Effect }, { match: Match, ...FREQUENCY });
export interface FaultDraft extends Is<typeof FaultDraft> {}

/** The argument of a predicate. */
export interface FaultRequest {
  readonly method: string;
  /** Below the base URL, without the query. */
  readonly path: string;
  readonly operation: string | undefined;
  /** Id of the key, when the request carries one of this world. */
  readonly key: string | undefined;
  readonly query: URLSearchParams;
  readonly headers: Headers;
  /** Parsed JSON, else the text; undefined when there is none. */
  readonly body: unknown;
}

/** Only for programs: a function cannot be part of a file or an HTTP call. */
const predicate: Schema<(request: FaultRequest) => boolean> = { 'x-kind': 'function' };

const OrderMatch = closed({}, { ...MATCHES, when: predicate });
export type FaultOrderMatch = Is<typeof OrderMatch>;

export const FaultOrder = closed({ effect: Effect }, { match: OrderMatch, ...FREQUENCY });
export interface FaultOrder extends Is<typeof FaultOrder> {}

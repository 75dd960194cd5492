// What the control API takes and answers, as schemas: what goes in and out of a world, and what goes wrong on order.
import { CHOICES } from '../contract/choices.ts';
import { OPERATION_IDS } from '../contract/operations.ts';
import { EVENT_NAMES } from '../contract/resources.ts';
import { array, boolean, integer, nullable, object, oneOf, type Schema, string } from '../contract/schema.ts';
import { DELIVERY_STATES } from '../contract/states.ts';
import { FAULT_METHODS } from '../world/faults.ts';
import { any, anyOf, closed, map, text, time } from './schema-words.ts';

export const Registration = object({
  id: string(),
  workspace_id: string(),
  url: string(),
  events: array(oneOf(EVENT_NAMES)),
  created_at: time('When it was registered.'),
});
const FAILING = ['timeout', 'refused', 'dns', 'tls', 'reset'] as const;
export const Outcomes = closed({
  outcomes: array(anyOf<number | (typeof FAILING)[number]>(integer({ minimum: 100, maximum: 599 }), oneOf(FAILING)), {
    minItems: 1,
    maxItems: 1000,
    description: 'How the next attempts end: a status, or how the connection fails.',
  }),
});
export const Ordered = object({ webhook_id: string(), outcomes: array(any('A status, or how the connection fails.')) });
export const Delivery = object({
  id: string(),
  webhook_id: string(),
  workspace_id: string(),
  event: map('The envelope.'),
  url: string(),
  request: object({ headers: map('As sent.'), body: string() }),
  state: oneOf(DELIVERY_STATES),
  attempts: array(map('Number, trigger, time, outcome, status, duration, signature check.')),
  next_attempt_at: nullable(time('When it is tried again.')),
});
export const ClockAdvanced = object(
  { now: time('The time now.'), mode: oneOf(['running', 'frozen']), deliveries: array(Delivery) },
  { next: nullable(string()) },
);

export const Statuses = closed({ statuses: array(integer({ minimum: 200, maximum: 599 }), { maxItems: 1000 }) });
export const Message = object({
  id: string(),
  at: time('When it came.'),
  method: string(),
  headers: map('As received.'),
  body: any('Parsed JSON, or text.'),
  text: string(),
  status: integer(),
});

export const RequestEntry = object({
  id: string({ examples: ['req_1'] }),
  at: time('When it came.'),
  method: string(),
  path: string({ description: 'With the query.' }),
  operation: nullable(oneOf(OPERATION_IDS as readonly string[])),
  status: integer({ description: '0 when the connection was closed in place of an answer.' }),
  duration_ms: integer({ description: 'On the clock of the world.' }),
  key_id: nullable(string()),
  workspace_id: nullable(string()),
  fault: nullable(string({ description: 'The fault that struck it.' })),
  warnings: array(object({ code: string(), says: string() })),
  request: object({ headers: map('Without secrets.'), body: any('Parsed JSON, or text.') }),
  response: object({ headers: map('As answered.'), body: any('Parsed JSON, or text.') }),
  why: array(object({ check: string(), found: string(), part: string() })),
  changes: array(object({ collection: string(), id: string(), kind: oneOf(['created', 'updated', 'deleted']) })),
});

const Match = closed(
  {},
  {
    method: oneOf(FAULT_METHODS),
    path: string({
      minLength: 1,
      maxLength: 500,
      description: 'With or without /v1; `*` stands for any characters.',
      examples: ['/tasks/*'],
    }),
    operation: oneOf(OPERATION_IDS as readonly string[]),
    key: text('Id or value of a key; kept as its id.'),
  },
);
const delay = integer({ minimum: 0, maximum: 3_600_000 });
const Effect = closed(
  {},
  {
    status: integer({ minimum: 400, maximum: 599, description: 'In the error shape of the API.' }),
    delay_ms: anyOf<number | { readonly min: number; readonly max: number }>(delay, closed({ min: delay, max: delay })),
    abort: boolean({ description: 'Closes the connection.' }),
    body: oneOf(['empty', 'malformed', 'truncated']),
    hold: boolean({ description: 'Keeps answers back until released.' }),
  },
  { minProperties: 1 },
);
export const FaultDraft = closed(
  { effect: Effect },
  {
    match: Match,
    times: integer({ minimum: 1, description: 'Strikes at most this often.' }),
    after: integer({ minimum: 0, description: 'Lets this many fitting requests pass first.' }),
    probability: {
      type: 'number',
      minimum: 0,
      maximum: 1,
      description: 'Share of the fitting requests that it strikes.',
    } as Schema<number>,
  },
);
export const Fault = object(
  {
    id: string(),
    match: map('Which requests.'),
    effect: map('What happens to them.'),
    seen: integer(),
    hits: integer(),
    held: integer(),
    released: boolean(),
  },
  { times: integer(), after: integer(), probability: { type: 'number' } as Schema<number> },
);

const choiceNames = Object.keys(CHOICES);
export const ChoiceAnswers: Schema<Readonly<Record<string, string | number>>> = {
  type: 'object',
  minProperties: 1,
  description: 'Answers by name.',
  examples: [{ [choiceNames[0]!]: CHOICES['owner-field'].ours }],
};
export const Choices = object({
  items: array(
    object({
      name: string(),
      part: string(),
      question: string(),
      options: map('Answers, each with what it means.'),
      ours: string(),
      because: string(),
      answer: string(),
    }),
  ),
  answers: map('The answer to each.'),
});

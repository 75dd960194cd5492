// Schemas of the control API on webhooks: outcomes of attempts, the delivery log.
import {
  any,
  anyOf,
  array,
  boolean,
  closed,
  integer,
  map,
  nullable,
  object,
  oneOf,
  string,
  time,
} from '../../service/contract/schema.ts';
import { DELIVERY_STATES } from '../../service/contract/states.ts';

const FAILING = ['timeout', 'refused', 'dns', 'tls', 'reset'] as const;
export const Outcomes = closed({
  outcomes: array(anyOf<number | (typeof FAILING)[number]>(integer({ minimum: 100, maximum: 599 }), oneOf(FAILING)), {
    minItems: 1,
    maxItems: 1000,
    description: 'Outcomes of the next attempts, each a status or a way in which the connection fails.',
  }),
});
export const Ordered = object({
  webhook_id: string(),
  outcomes: array(any('A status, or a way in which the connection fails.')),
});
const delivery = {
  id: string(),
  webhook_id: string(),
  workspace_id: string(),
  event: map('The envelope.'),
  url: string(),
  request: object({ headers: map('As sent.'), body: string() }),
  state: oneOf(DELIVERY_STATES),
  attempts: array(map('Number, trigger, time, outcome, status, duration, signature check.')),
  next_attempt_at: nullable(time('When the next attempt is due.')),
};
export const DeliveryShape = object(delivery, {
  fault: string({ description: 'The fault that applied to its event.' }),
  bad_signature: boolean({ description: 'Signed with another secret, by a fault.' }),
  reordered: boolean({ description: 'Sent after the next delivery of its registration, by a fault.' }),
  ahead_of: array(string(), { description: 'The deliveries that are sent after this one.' }),
});
export const Statuses = closed({ statuses: array(integer({ minimum: 200, maximum: 599 }), { maxItems: 1000 }) });

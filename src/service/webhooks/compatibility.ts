// Whether a client lives through a service that is ahead of it (`--forward-compat`): what a server can see, and no more.
import { FORWARD_NAMES, type Forward } from '../contract/forward.ts';
import { array, boolean, type Is, integer, nullable, object, oneOf, string } from '../contract/schema.ts';
import { AHEAD_WARNINGS } from '../http/client-warnings.ts';
import type { RequestEntry } from '../http/journal-entries.ts';
import type { Attempt, Delivery } from './delivery.ts';

export const Compatibility = object({
  forward_compat: array(oneOf(FORWARD_NAMES)),
  answers: integer({ description: 'Responses in the journal.' }),
  warnings: array(object({ request: string(), code: string(), says: string() })),
  delivered: integer(),
  refused: array(object({ delivery: string(), event: string(), says: string() })),
  survived: nullable(boolean({ description: 'False when a sign speaks against it; null when nothing was asked.' })),
});
export type Compatibility = Is<typeof Compatibility>;

const isRefusal = ({ outcome, status = 0, scripted }: Attempt): boolean =>
  !scripted && outcome === 'response' && (status < 200 || status > 299);

const refusalIn = ({ id, event: { event }, attempts }: Delivery) => {
  const bad = attempts.find(isRefusal);
  return bad ? [{ delivery: id, event, says: `the receiver responded ${bad.status}: it may not know what it got` }] : [];
};

/** The visible signs of compatibility. A client that stops calling cannot be seen from here. */
export const compatibilityOf = (forward: Forward, requests: readonly RequestEntry[], deliveries: readonly Delivery[]) => {
  const responses = requests.filter(({ status }) => status > 0).length;
  const codes: readonly string[] = AHEAD_WARNINGS;
  const warnings = requests.flatMap(({ id, warnings: found }) =>
    found.filter(({ code }) => codes.includes(code)).map(({ code, says }) => ({ request: id, code, says })),
  );
  const refused = deliveries.flatMap(refusalIn);
  const delivered = deliveries.filter(({ state }) => state === 'delivered').length;
  const looked = forward.length > 0 && responses + delivered + refused.length > 0;
  const survived = looked ? warnings.length + refused.length === 0 : null;
  return { forward_compat: forward, answers: responses, warnings, delivered, refused, survived };
};

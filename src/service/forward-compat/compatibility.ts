// Whether a client lived through a service that is ahead of it (`--forward-compat`): what a server can see, and no more.
import { FORWARD_KINDS, type Forward, type ForwardKind } from '../contract/forward.ts';
import { array, boolean, type Is, integer, nullable, object, oneOf, string } from '../contract/schema.ts';
import { AHEAD_WARNINGS } from './forward-warnings.ts';

export const Compatibility = object({
  forward_compat: array(oneOf(Object.keys(FORWARD_KINDS) as [ForwardKind, ...ForwardKind[]])),
  answers: integer({ description: 'Responses in the journal.' }),
  warnings: array(object({ request: string(), code: string(), says: string() })),
  delivered: integer(),
  refused: array(object({ delivery: string(), event: string(), says: string() })),
  survived: nullable(boolean({ description: 'False when a sign speaks against it; null when nothing was asked.' })),
});
export type Compatibility = Is<typeof Compatibility>;

interface SeenRequest {
  readonly id: string;
  readonly status: number;
  readonly warnings: readonly { readonly code: string; readonly says: string }[];
}
interface SeenDelivery {
  readonly id: string;
  readonly state: string;
  readonly event: { readonly event: string };
  readonly attempts: readonly { readonly outcome: string; readonly status?: number; readonly scripted?: boolean }[];
}

const refusalIn = ({ id, event, attempts }: SeenDelivery) => {
  const bad = attempts.find(
    ({ outcome, status = 0, scripted }) => !scripted && outcome === 'response' && (status < 200 || status > 299),
  );
  if (!bad) return [];
  return [{ delivery: id, event: event.event, says: `the receiver answered ${bad.status}: it may not know what it got` }];
};

/** The visible signs of compatibility. A client that stops calling cannot be seen from here. */
export const compatibilityOf = (forward: Forward, requests: readonly SeenRequest[], deliveries: readonly SeenDelivery[]) => {
  const answers = requests.filter(({ status }) => status > 0).length;
  const codes: readonly string[] = AHEAD_WARNINGS;
  const warnings = requests.flatMap(({ id, warnings: found }) =>
    found.filter(({ code }) => codes.includes(code)).map(({ code, says }) => ({ request: id, code, says })),
  );
  const refused = deliveries.flatMap(refusalIn);
  const delivered = deliveries.filter(({ state }) => state === 'delivered').length;
  const looked = forward.length > 0 && answers + delivered + refused.length > 0;
  const survived = looked ? warnings.length + refused.length === 0 : null;
  return { forward_compat: forward, answers, warnings, delivered, refused, survived };
};

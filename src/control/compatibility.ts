// Whether a client lived through a service that is ahead of it (`--forward-compat`): what a server can see, and no more.
import { AHEAD_WARNINGS } from '../ahead/conduct.ts';
import type { Forward } from '../contract/forward.ts';
import type { RequestEntry } from '../http/show-exchange.ts';
import type { Delivery } from '../webhooks/delivery.ts';

export interface Compatibility {
  /** The changes that the service makes. */
  readonly forward_compat: Forward;
  /** Answers since, which carried them. */
  readonly answers: number;
  readonly warnings: readonly { readonly request: string; readonly code: string; readonly says: string }[];
  /** Deliveries that were acknowledged, and those that a receiver refused. */
  readonly delivered: number;
  readonly refused: readonly { readonly delivery: string; readonly event: string; readonly says: string }[];
  /** False when a sign speaks against it, null when nothing was asked that could tell. */
  readonly survived: boolean | null;
}

const refusalIn = ({ id, event, attempts }: Delivery) => {
  const bad = attempts.find(
    ({ outcome, status = 0, scripted }) => !scripted && outcome === 'response' && (status < 200 || status > 299),
  );
  if (!bad) return [];
  return [
    { delivery: id, event: event.event as string, says: `the receiver answered ${bad.status}: it may not know what it got` },
  ];
};

/** What can be seen of clients and receivers. A client that stops asking, or shows nothing, cannot be seen from here. */
export const compatibilityOf = (
  forward: Forward,
  requests: readonly Pick<RequestEntry, 'id' | 'status' | 'warnings'>[],
  deliveries: readonly Delivery[],
): Compatibility => {
  const answers = requests.filter(({ status }) => status > 0).length;
  const codes: readonly string[] = AHEAD_WARNINGS;
  const warnings = requests.flatMap(({ id, warnings: found }) =>
    found.filter(({ code }) => codes.includes(code)).map(({ code, says }) => ({ request: id, code, says })),
  );
  const refused = deliveries.flatMap(refusalIn);
  const delivered = deliveries.filter(({ state }) => state === 'delivered').length;
  const looked = forward.length > 0 && answers + delivered + refused.length > 0;
  return {
    forward_compat: forward,
    answers,
    warnings,
    delivered,
    refused,
    survived: looked ? warnings.length + refused.length === 0 : null,
  };
};

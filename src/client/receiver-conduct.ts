// Judges how the client's receivers acknowledge events.
import { ACKNOWLEDGE_MS } from '../service/contract/limits.ts';
import { LATER_EVENTS } from '../service/forward-compat/responses.ts';
import { acknowledged } from '../service/webhooks/delivery.ts';
import type { DutyLog } from './conduct-log.ts';
import { type DeliveryNote, type ExchangeNote, type Note, notesOf } from './notes.ts';

/** A delivery that takes this long while the receiver waits for the service shows that it acknowledges last, milliseconds. */
const WAITS_FIRST_MS = 400;

/** Whether a receiver waits out a 429 of its own requests before it acknowledges. */
const waitsFirst = ({ at, ended }: DeliveryNote, refused: readonly ExchangeNote[]): boolean =>
  ended - at >= WAITS_FIRST_MS && refused.some((one) => one.at > at && one.ended + WAITS_FIRST_MS / 2 < ended);

const describeDelivery = ({ status, event, again, old }: DeliveryNote): string =>
  `The receiver responded ${status} to ${event}${again ? ' when it came again' : old ? ' as a last retry brings it' : ''}.`;

export const judgeReceivers = (log: DutyLog, notes: readonly Note[], exchanges: readonly ExchangeNote[]): void => {
  const deliveries = notesOf(notes, 'delivery');
  const refused = exchanges.filter(({ status }) => status === 429);
  const reached = new Set(deliveries.filter(acknowledged).map(({ url }) => url));
  for (const delivery of deliveries) {
    const { timedOut, status, url, event, old } = delivery;
    const late = timedOut
      ? `The receiver of ${event} did not respond within ${ACKNOWLEDGE_MS / 1000} s.`
      : waitsFirst(delivery, refused)
        ? `The receiver of ${event} waits out a 429 of its own request before it acknowledges; a window lasts up to a minute.`
        : undefined;
    log.meet('acknowledge-in-time', undefined, late);
    const isRedirect = status >= 300 && status < 400;
    const own = old ? 'old-events' : Object.hasOwn(LATER_EVENTS, event) ? 'unknown-events' : 'acknowledge';
    const rule = isRedirect ? 'acknowledge' : own;
    // A receiver that never acknowledges is down; one that refuses some events, or redirects, decides.
    const isRefusal = status >= 300 && (old || isRedirect || reached.has(url));
    log.meet(rule, undefined, isRefusal ? describeDelivery(delivery) : undefined);
  }
};

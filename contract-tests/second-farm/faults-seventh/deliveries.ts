// Faults of deliveries: the queue, its retries and its headers.
import { around, clause, memory, without } from '../faults/fault.ts';

const receiver = { needs: 'receiver' } as const;
const failing = clause(127, 'timeout, or status `3xx`, `4xx` or `5xx`', receiver);
const time = clause(233, 'Unix timestamp in seconds of when the event was generated', receiver);
const HOURS_2 = 7_200_000;

export const faults = [
  clause(126, 'endpoint answers `2xx` within 10 seconds', receiver)(
    'only-200-acknowledges',
    'a 204 does not acknowledge',
    (service) => around(service, 'acknowledges', (was, outcome, delivery) => outcome !== 204 && was(outcome, delivery)),
  ),
  failing('gone-endpoint-given-up', 'after a 410 there is no retry', (service) =>
    around(service, 'pauseAfter', (was, delivery, outcome) => (outcome === 410 ? undefined : was(delivery, outcome))),
  ),
  failing(
    'later-success-drops-retries',
    'a delivery that succeeds drops the older ones that wait for the same endpoint',
    (service) => {
      const reached = memory<string, number>();
      around(service, 'conclude', (was, delivery, outcome) => {
        const { id } = delivery.hook;
        if (service.acknowledges(outcome, delivery)) reached.set(id, Math.max(delivery.first, reached.get(id) ?? 0));
        was(delivery, outcome);
      });
      around(service, 'attempt', (was, delivery) => {
        if (delivery.attempts === 0 || (reached.get(delivery.hook.id) ?? 0) <= delivery.first) was(delivery);
      });
    },
  ),
  clause(128, 'next retry after 2 minutes, 10 minutes, 30 minutes, 2 hours respectively', receiver)(
    'second-retry-after-one-minute',
    'the second retry comes after one minute',
    (service) =>
      around(service, 'pauseAfter', (was, delivery, outcome) => (delivery.attempts === 2 ? 60_000 : was(delivery, outcome))),
  ),
  clause(129, 'no further attempts', receiver)('sixth-retry', 'a sixth retry follows two hours after the fifth', (service) =>
    around(service, 'pauseAfter', (was, delivery, outcome) => (delivery.attempts === 6 ? HOURS_2 : was(delivery, outcome))),
  ),
  clause(232, 'header `Content-Type: application/json`', receiver)(
    'delivery-as-plain-text',
    'deliveries are `text/plain`',
    (service) =>
      around(service, 'post', (was, delivery) => {
        const post = was(delivery);
        return { ...post, headers: { ...post.headers, 'Content-Type': 'text/plain' } };
      }),
  ),
  time('timestamp-of-the-attempt', 'X-Service-Timestamp is the time of the attempt', (service) =>
    around(service, 'deliveryTime', () => String(Math.floor(service.now() / 1000))),
  ),
  clause(234, 'signature made with the webhook secret', receiver)('retries-not-signed', 'retries have no signature', (service) =>
    around(service, 'post', (was, delivery) => {
      const post = was(delivery);
      const headers = without(post.headers, 'X-Service-Signature') as Record<string, string>;
      return delivery.attempts > 1 ? { ...post, headers } : post;
    }),
  ),
];

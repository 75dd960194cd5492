// Faults of deliveries: acknowledgement, retries, headers and signatures.
import { createHmac } from 'node:crypto';
import type { Delivery } from '../../judge/reference/service/events.ts';
import { around, clause } from '../faults/fault.ts';

const heard = { needs: 'receiver' } as const;
const acknowledged = clause(264, 'The receiver acknowledges with any `2xx` status within 10 seconds', heard);
const retried = clause(127, 'timeout, or status `3xx`, `4xx` or `5xx`', heard);
const time = clause(233, 'Unix timestamp in seconds of when the event was generated', heard);
const signed = clause(234, 'signature made with the webhook secret', heard);

export const faults = [
  acknowledged('only-200-and-201', 'an answer 202 or 204 does not acknowledge', (service) =>
    around(service, 'acknowledges', (was, outcome, delivery) => was(outcome, delivery) && (outcome === 200 || outcome === 201)),
  ),
  acknowledged('patience-of-five-seconds', 'an answer that takes more than five seconds comes too late', (service) =>
    around(service, 'patience', () => 5000),
  ),
  retried('client-errors-final', 'a delivery that is answered with 4xx is given up at once', (service) =>
    around(service, 'pauseAfter', (was, delivery, outcome) =>
      typeof outcome === 'number' && outcome >= 400 && outcome < 500 ? undefined : was(delivery, outcome),
    ),
  ),
  retried('timeouts-not-retried', 'a delivery without an answer is not retried', (service) =>
    around(service, 'pauseAfter', (was, delivery, outcome) => (outcome === 'timeout' ? undefined : was(delivery, outcome))),
  ),
  clause(128, 'next retry after 2 minutes, 10 minutes, 30 minutes, 2 hours respectively', heard)(
    'second-retry-after-thirty-seconds',
    'the second retry comes 30 seconds after the first',
    (service) =>
      around(service, 'pauseAfter', (was, delivery, outcome) => (delivery.attempts === 2 ? 30_000 : was(delivery, outcome))),
  ),
  clause(249, 'Fired when', heard)(
    'busy-hook-misses-events',
    'while a delivery to a webhook waits for its retry, new events of that webhook are dropped',
    (service) => {
      const waiting = new Set<Delivery>();
      around(service, 'conclude', (was, delivery, outcome) => {
        waiting.delete(delivery);
        const open = !service.acknowledges(outcome, delivery) && service.pauseAfter(delivery, outcome) !== undefined;
        if (open) waiting.add(delivery);
        was(delivery, outcome);
      });
      around(service, 'deliver', (was, event, hook) => {
        if (![...waiting].some((each) => each.hook === hook)) was(event, hook);
      });
    },
  ),
  clause(240, 'receivers deduplicate retried deliveries with it', heard)(
    'retry-with-fresh-id',
    'a retry has an event id of its own',
    (service) =>
      around(service, 'envelope', (was, delivery) =>
        was(
          delivery.attempts > 1
            ? { ...delivery, event: { ...delivery.event, id: service.eventId(delivery.event.name, delivery.event.data) } }
            : delivery,
        ),
      ),
  ),
  time('timestamp-of-each-attempt', 'a retry has the time of its own sending', (service) =>
    around(service, 'deliveryTime', (was, delivery) =>
      delivery.attempts > 1 ? String(Math.floor(service.now() / 1000)) : was(delivery),
    ),
  ),
  time('timestamp-as-date', '`X-Service-Timestamp` is an ISO 8601 datetime', (service) =>
    around(service, 'deliveryTime', (_was, { event }) => new Date(event.created).toISOString()),
  ),
  clause(232, 'Method POST, header `Content-Type: application/json`', heard)(
    'delivered-as-plain-text',
    'deliveries have the content type `text/plain`',
    (service) =>
      around(service, 'post', (was, delivery) => {
        const post = was(delivery);
        return { ...post, headers: { ...post.headers, 'Content-Type': 'text/plain; charset=utf-8' } };
      }),
  ),
  signed('signature-of-the-service', 'all webhooks are signed with one secret, that of the service', (service) =>
    around(service, 'sign', (_was, body, at) => createHmac('sha256', 'of the service').update(`${at}.${body}`).digest('hex')),
  ),
  signed('retry-unsigned', 'a retry has no signature', (service) =>
    around(service, 'post', (was, delivery) => {
      const post = was(delivery);
      if (delivery.attempts === 1) return post;
      const { 'X-Service-Signature': _, ...headers } = post.headers as Record<string, string>;
      return { ...post, headers };
    }),
  ),
];

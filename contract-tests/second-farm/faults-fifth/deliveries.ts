// Faults of deliveries: headers, acknowledgement and retries.

import type { Post } from '../../judge/reference/service/events.ts';
import { around, clause, type Fault, without } from '../faults/fault.ts';

const RECEIVER = { needs: 'receiver' } as const;
const acknowledged = clause(126, 'endpoint answers `2xx` within 10 seconds', RECEIVER);
const pauses = clause(128, 'next retry after 2 minutes, 10 minutes, 30 minutes, 2 hours respectively', RECEIVER);
const recovered = clause(131, 'A successful retry ends in delivered.', RECEIVER);
const pushed = clause(224, 'Webhooks push events by HTTP POST to registered endpoints.', RECEIVER);
const time = clause(233, 'Unix timestamp in seconds of when the event was generated', RECEIVER);
const signature = clause(234, 'signature made with the webhook secret', RECEIVER);
const created = clause(242, '| created_at | string (datetime) | UTC time the event was generated |', RECEIVER);
const any2xx = clause(264, 'The receiver acknowledges with any `2xx` status within 10 seconds.', RECEIVER);
const failed = clause(127, 'timeout, or status `3xx`, `4xx` or `5xx`', RECEIVER);
const json = clause(232, 'Method POST, header `Content-Type: application/json`.', RECEIVER);

const MINUTE = 60_000;

export const faults: readonly Fault[] = [
  time('delivery-time-as-date', 'X-Service-Timestamp is an ISO 8601 datetime', (s) =>
    around(s, 'deliveryTime', (_was, { event }) => new Date(event.created).toISOString()),
  ),
  json('delivery-of-project-as-form', 'the events of projects come with the Content-Type of a form', (s) =>
    around(s, 'post', (was, delivery) => {
      const post = was(delivery);
      if (!delivery.event.name.startsWith('project.')) return post;
      return { ...post, headers: { ...post.headers, 'Content-Type': 'application/x-www-form-urlencoded' } };
    }),
  ),
  signature('delivery-retry-unsigned', 'retries have no X-Service-Signature', (s) =>
    around(s, 'post', (was, delivery) => {
      const post = was(delivery);
      if (delivery.attempts === 1) return post;
      return { ...post, headers: without(post.headers, 'X-Service-Signature') as Post['headers'] };
    }),
  ),
  created('delivery-retry-created-anew', 'created_at of a retry is the time of the retry', (s) =>
    around(s, 'envelope', (was, delivery) =>
      was(delivery.attempts > 1 ? { ...delivery, event: { ...delivery.event, created: s.now() } } : delivery),
    ),
  ),
  acknowledged('delivery-waits-5-seconds', 'a receiver has 5 seconds to acknowledge', (s) => around(s, 'patience', () => 5000)),
  any2xx('delivery-wants-200', 'an acknowledgement other than 200 is retried', (s) =>
    around(s, 'acknowledges', (_was, outcome) => outcome === 200),
  ),
  failed('delivery-4xx-given-up', 'a delivery that is answered with 4xx is not retried', (s) =>
    around(s, 'pauseAfter', (was, delivery, outcome) =>
      typeof outcome === 'number' && outcome >= 400 && outcome < 500 ? undefined : was(delivery, outcome),
    ),
  ),
  pauses('delivery-third-retry-at-5', 'the third retry comes after 5 minutes', (s) =>
    around(s, 'pauseAfter', (was, delivery, outcome) => (delivery.attempts === 3 ? 5 * MINUTE : was(delivery, outcome))),
  ),
  recovered('delivery-repeats-after-recovery', 'a delivery that a retry brought home is sent once more', (s) =>
    around(s, 'conclude', (was, delivery, outcome) => {
      if (delivery.attempts === 2 && s.acknowledges(outcome, delivery)) s.clock.later(2 * MINUTE, () => s.attempt(delivery));
      else was(delivery, outcome);
    }),
  ),
  pushed('delivery-failed-ends-hook', 'a webhook gets no more events once a delivery has failed for good', (s) =>
    around(s, 'giveUp', (was, delivery) => {
      was(delivery);
      s.db.hooks = s.db.hooks.filter((hook) => hook !== delivery.hook);
    }),
  ),
];

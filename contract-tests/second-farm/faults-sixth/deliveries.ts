// Faults of deliveries: queues and clients of HTTP.

import type { Delivery, Post } from '../../judge/reference/service/events.ts';
import { around, clause, type Fault, without } from '../faults/fault.ts';

const RECEIVER = { needs: 'receiver' } as const;
const time = clause(233, 'Unix timestamp in seconds of when the event was generated', RECEIVER);
const failed = clause(127, 'timeout, or status `3xx`, `4xx` or `5xx`', RECEIVER);
const pauses = clause(128, 'next retry after 2 minutes, 10 minutes, 30 minutes, 2 hours respectively', RECEIVER);
const any2xx = clause(264, 'The receiver acknowledges with any `2xx` status within 10 seconds.', RECEIVER);
const pushed = clause(224, 'Webhooks push events by HTTP POST to registered endpoints.', RECEIVER);
const data = clause(243, '| data | object | one key named after the resource type', RECEIVER);
const json = clause(232, 'Method POST, header `Content-Type: application/json`.', RECEIVER);
const MINUTE = 60_000;

export const faults: readonly Fault[] = [
  time('retry-without-time', 'retries have no X-Service-Timestamp', (s) =>
    around(s, 'post', (was, delivery) => {
      const post = was(delivery);
      if (delivery.attempts === 1) return post;
      return { ...post, headers: without(post.headers, 'X-Service-Timestamp') as Post['headers'] };
    }),
  ),
  data('retry-without-data', 'retries have an empty data', (s) =>
    around(s, 'envelope', (was, delivery) => (delivery.attempts > 1 ? { ...Object(was(delivery)), data: {} } : was(delivery))),
  ),
  json('project-body-encoded-twice', 'the body of events on projects is a JSON text that holds the JSON', (s) =>
    around(s, 'post', (was, delivery) => {
      const post = was(delivery);
      return delivery.event.name.startsWith('project.') ? { ...post, body: JSON.stringify(post.body) } : post;
    }),
  ),
  any2xx('acknowledged-204-retried', 'an answer of 204 does not acknowledge', (s) =>
    around(s, 'acknowledges', (was, outcome, delivery) => outcome !== 204 && was(outcome, delivery)),
  ),
  failed('gone-ends-hook', 'an answer of 410 ends the webhook', (s) =>
    around(s, 'conclude', (was, delivery, outcome) => {
      if (outcome !== 410) was(delivery, outcome);
      else s.db.hooks = s.db.hooks.filter((hook) => hook !== delivery.hook);
    }),
  ),
  pauses('pauses-of-queue', 'no retry waits longer than 15 minutes, the longest delay of the queue', (s) =>
    around(s, 'pauseAfter', (was, delivery, outcome) => {
      const pause = was(delivery, outcome);
      return pause === undefined ? undefined : Math.min(pause, 15 * MINUTE);
    }),
  ),
  pauses('second-retry-after-a-minute', 'the second retry comes after a minute, twice the time of the first', (s) =>
    around(s, 'pauseAfter', (was, delivery, outcome) => (delivery.attempts === 2 ? MINUTE : was(delivery, outcome))),
  ),
  pushed('events-lost-while-retrying', 'events are lost for a webhook that waits for a retry', (s) => {
    const waiting = new Map<Delivery['hook'], number>();
    const add = (hook: Delivery['hook'], count: number) => waiting.set(hook, (waiting.get(hook) ?? 0) + count);
    around(s, 'deliver', (was, event, hook) => {
      if ((waiting.get(hook) ?? 0) === 0) was(event, hook);
    });
    around(s, 'conclude', (was, delivery, outcome) => {
      const ends = s.acknowledges(outcome, delivery) || s.pauseAfter(delivery, outcome) === undefined;
      if (delivery.attempts === 1 && !ends) add(delivery.hook, 1);
      if (delivery.attempts > 1 && ends) add(delivery.hook, -1);
      was(delivery, outcome);
    });
  }),
];

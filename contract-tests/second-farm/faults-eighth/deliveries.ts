// Faults of deliveries: envelopes, headers, signatures, acknowledgements and retries.

import type { Fields } from '../../judge/reference/model.ts';
import { around, clause, memory } from '../faults/fault.ts';

const needs = { needs: 'receiver' } as const;
const retry = clause(128, 'next retry after 2 minutes, 10 minutes, 30 minutes, 2 hours respectively', needs);
const acknowledged = clause(264, 'The receiver acknowledges with any `2xx` status within 10 seconds', needs);
const SECOND = 1000;
const MINUTE = 60 * SECOND;

export const faults = [
  clause(240, 'unique id of the event', needs)('event-id-of-task', 'all events of one task have the same id', (service) => {
    const ids = memory<unknown, string>();
    around(service, 'eventId', (was, name, data) => {
      const task = (data.task as Fields | undefined)?.id;
      if (task === undefined) return was(name, data);
      const id = ids.get(task) ?? was(name, data);
      ids.set(task, id);
      return id;
    });
  }),
  clause(240, 'receivers deduplicate retried deliveries with it', needs)(
    'late-retry-new-id',
    'from the third attempt on a delivery has another event id',
    (service) =>
      around(service, 'envelope', (was, delivery) => {
        const body = was(delivery) as Fields;
        return delivery.attempts > 2 ? { ...body, id: service.newId('evt') } : body;
      }),
  ),
  clause(242, 'UTC time the event was generated', needs)(
    'change-event-created-with-task',
    '`created_at` of an event that tells of a change of a task is when the task was created',
    (service) => {
      const times = memory<unknown, number>();
      around(service, 'taskSnapshot', (was, task, event) => {
        times.set(task.id, task.created);
        return was(task, event);
      });
      around(service, 'envelope', (was, delivery) => {
        const body = was(delivery) as Fields;
        const at = times.get((delivery.event.data.task as Fields | undefined)?.id);
        return at !== undefined && body.event === 'task.updated'
          ? { ...body, created_at: service.stamp(at, 'event.created_at') }
          : body;
      });
    },
  ),
  clause(233, 'Unix timestamp in seconds of when the event was generated', needs)(
    'retry-timestamp-of-attempt',
    'from the second retry on `X-Service-Timestamp` is when the attempt is made',
    (service) =>
      around(service, 'deliveryTime', (was, delivery) =>
        delivery.attempts > 2 ? String(Math.floor(service.now() / SECOND)) : was(delivery),
      ),
  ),
  clause(234, 'signature made with the webhook secret', needs)(
    'all-signed-with-first-secret',
    'every delivery of a workspace is signed with the secret of its first webhook',
    (service) =>
      around(service, 'sign', (was, body, time, delivery) => {
        const first = service.db.hooks.find(({ workspace }) => workspace === delivery.hook.workspace);
        return was(body, time, first ? { ...delivery, hook: first } : delivery);
      }),
  ),
  acknowledged('no-content-not-enough', 'a 204 does not acknowledge a retry', (service) =>
    around(service, 'acknowledges', (was, outcome, delivery) =>
      outcome === 204 && delivery.attempts > 1 ? false : was(outcome, delivery),
    ),
  ),
  acknowledged('high-2xx-retried', 'only the statuses from 200 to 206 acknowledge', (service) =>
    around(service, 'acknowledges', (was, outcome, delivery) => was(outcome, delivery) && Number(outcome) <= 206),
  ),
  clause(127, 'timeout, or status `3xx`, `4xx` or `5xx`', needs)(
    'gone-ends-delivery',
    'a 410 ends a delivery at once',
    (service) =>
      around(service, 'pauseAfter', (was, delivery, outcome) => (outcome === 410 ? undefined : was(delivery, outcome))),
  ),
  clause(127, 'retry 1 after 30 seconds', needs)(
    'first-retry-late-after-timeout',
    'after a timeout the first retry comes a minute later',
    (service) =>
      around(service, 'pauseAfter', (was, delivery, outcome) =>
        outcome === 'timeout' && delivery.attempts === 1 ? MINUTE : was(delivery, outcome),
      ),
  ),
  clause(338, '10 seconds', needs)('five-seconds-for-retries', 'a retry waits five seconds for the acknowledgement', (service) =>
    around(service, 'patience', (was, delivery) => (delivery.attempts > 1 ? 5 * SECOND : was(delivery))),
  ),
  retry('client-errors-retried-twice', 'a delivery that is answered with 4xx is retried twice', (service) =>
    around(service, 'pauseAfter', (was, delivery, outcome) =>
      delivery.attempts > 2 && Number(outcome) >= 400 && Number(outcome) < 500 ? undefined : was(delivery, outcome),
    ),
  ),
  clause(131, 'A successful retry ends in delivered', needs)(
    'acknowledged-late-retried',
    'a retry that is acknowledged is followed by another one when two or more attempts had failed',
    (service) => around(service, 'acknowledges', (was, outcome, delivery) => was(outcome, delivery) && delivery.attempts !== 3),
  ),
  clause(249, 'Fired when', needs)(
    'endpoint-off-after-failure',
    'an endpoint that failed for good hears no later event',
    (service) => {
      const off = new Set<string>();
      around(service, 'giveUp', (was, delivery) => {
        off.add(delivery.hook.id);
        was(delivery);
      });
      around(service, 'hears', (was, hook, event, workspace, call) => !off.has(hook.id) && was(hook, event, workspace, call));
    },
  ),
];

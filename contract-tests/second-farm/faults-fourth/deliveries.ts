// Faults of deliveries: the request, its headers and the retries.

import type { Delivery, Outcome, Post } from '../../judge/reference/service/events.ts';
import type { Service } from '../../judge/reference/service/service.ts';
import { around, clause, type Fault, without } from '../faults/fault.ts';

const receiver = { needs: 'receiver' } as const;
const request = clause(232, 'Method POST, header `Content-Type: application/json`.', receiver);
const time = clause(233, 'Unix timestamp in seconds of when the event was generated', receiver);
const signature = clause(234, 'Header `X-Service-Signature`: signature made with the webhook secret.', receiver);
const snapshot = clause(243, 'holding a snapshot of the resource', receiver);
const first = clause(127, 'timeout, or status `3xx`, `4xx` or `5xx`', receiver);
const pauses = clause(128, 'next retry after 2 minutes, 10 minutes, 30 minutes, 2 hours respectively', receiver);
const within = clause(126, 'endpoint answers `2xx` within 10 seconds', receiver);
const failed = clause(129, 'five retries failed', receiver);
const final = clause(131, 'A successful retry ends in delivered.', receiver);
const retried = clause(264, 'Otherwise the delivery is retried as in the Webhook delivery table above', receiver);
const pushed = clause(224, 'Webhooks push events by HTTP POST to registered endpoints.', receiver);

const SECOND = 1000;
const MINUTE = 60 * SECOND;

const posted = (service: Service, change: (post: Post, delivery: Delivery) => Post): void =>
  around(service, 'post', (was, delivery) => change(was(delivery), delivery));
const paused = (
  service: Service,
  change: (pause: number | undefined, delivery: Delivery, outcome: Outcome) => number | undefined,
): void => around(service, 'pauseAfter', (was, delivery, outcome) => change(was(delivery, outcome), delivery, outcome));

const requests: Fault[] = [
  snapshot('body-in-ascii', 'letters beyond ASCII are question marks in deliveries', (s) =>
    posted(s, (post) => ({ ...post, body: post.body.replace(/[^ -~]/g, '?') })),
  ),
  request('type-of-retries-is-text', 'retries have the content type text/plain', (s) =>
    posted(s, (post, { attempts }) =>
      attempts > 1 ? { ...post, headers: { ...post.headers, 'Content-Type': 'text/plain' } } : post,
    ),
  ),
  time('time-of-attempt', 'X-Service-Timestamp is the time of the attempt', (s) =>
    around(s, 'deliveryTime', () => String(Math.floor(s.now() / SECOND))),
  ),
  time('time-header-renamed', 'the time is in X-Webhook-Timestamp', (s) =>
    posted(s, (post) => ({
      ...post,
      headers: {
        ...(without(post.headers, 'X-Service-Timestamp') as Record<string, string>),
        'X-Webhook-Timestamp': post.headers['X-Service-Timestamp'] ?? '',
      },
    })),
  ),
  signature('signature-missing-for-projects', 'project events have no X-Service-Signature', (s) =>
    posted(s, (post, { event }) =>
      event.name.startsWith('project.')
        ? { ...post, headers: without(post.headers, 'X-Service-Signature') as Record<string, string> }
        : post,
    ),
  ),
  pushed('url-without-query-and-path-on-retries', 'retries go to the root of the host', (s) =>
    posted(s, (post, { attempts }) => (attempts > 1 ? { ...post, url: new URL('/', post.url).href } : post)),
  ),
  pushed('hooks-in-turn', 'registrations for the same event are called in turn, one for each event', (s) => {
    let turn = 0;
    around(s, 'emit', (was, name, workspace, data, call) => {
      const all = s.db.hooks;
      const fitting = all.filter((hook) => hook.workspace === workspace && hook.events.includes(name));
      turn += 1;
      s.db.hooks = fitting.length > 0 ? [fitting[turn % fitting.length] as (typeof all)[number]] : [];
      was(name, workspace, data, call);
      s.db.hooks = all;
    });
  }),
];

const retries: Fault[] = [
  snapshot(
    'retries-with-present-state',
    'retries carry the task as it is at the time of the retry',
    (s) =>
      around(s, 'envelope', (was, delivery) => {
        const envelope = was(delivery) as { data: { task?: { id: string } } };
        const task = s.db.tasks.find(({ id }) => id === envelope.data.task?.id);
        return delivery.attempts > 1 && task
          ? { ...envelope, data: { task: s.taskSnapshot(task, delivery.event.name) } }
          : envelope;
      }),
    { style: 'a' },
  ),
  within('ack-200-and-201-only', 'only 200 and 201 acknowledge', (s) =>
    around(s, 'acknowledges', (was, outcome, delivery) => was(outcome, delivery) && (outcome === 200 || outcome === 201)),
  ),
  final('retry-acknowledged-with-204-goes-on', 'a retry that is acknowledged with 204 is followed by the next one', (s) =>
    around(s, 'acknowledges', (was, outcome, delivery) => was(outcome, delivery) && !(outcome === 204 && delivery.attempts > 1)),
  ),
  failed('retries-ten', 'there are ten retries, the last ones every two hours', (s) =>
    paused(s, (pause, { attempts }) => pause ?? (attempts <= 10 ? 120 * MINUTE : undefined)),
  ),
  first('ack-401', '401 and 403 end the delivery', (s) =>
    paused(s, (pause, _delivery, outcome) => (outcome === 401 || outcome === 403 ? undefined : pause)),
  ),
  first('retry-1-after-30-minutes', 'retry 1 comes after thirty minutes', (s) =>
    paused(s, (pause, { attempts }) => (attempts === 1 ? 30 * MINUTE : pause)),
  ),
  pauses(
    'retry-pauses-skip-two-minutes',
    'the pause of 2 minutes is left out: 30 seconds, 10 minutes, 30 minutes, 2 hours, 2 hours',
    (s) => paused(s, (_pause, { attempts }) => [30 * SECOND, 10 * MINUTE, 30 * MINUTE, 120 * MINUTE, 120 * MINUTE][attempts - 1]),
  ),
  pauses('retry-5-after-30-minutes', 'retry 5 comes after thirty minutes', (s) =>
    paused(s, (pause, { attempts }) => (attempts === 5 ? 30 * MINUTE : pause)),
  ),
  pauses('retry-pauses-linear', 'the pauses are 30, 60, 90, 120 and 150 seconds', (s) =>
    paused(s, (_pause, { attempts }) => (attempts <= 5 ? attempts * 30 * SECOND : undefined)),
  ),
  retried('retry-for-one-receiver', 'an event that fails at several receivers is retried at the first of them only', (s) => {
    const claimed = new Map<string, string>();
    around(s, 'conclude', (was, delivery, outcome) => {
      const { event, hook } = delivery;
      if (s.acknowledges(outcome, delivery)) return;
      if (!claimed.has(event.id)) claimed.set(event.id, hook.id);
      if (claimed.get(event.id) === hook.id) was(delivery, outcome);
    });
  }),
  retried('no-retries-for-deletions', 'events of deletions are not retried', (s) =>
    paused(s, (pause, { event }) => (event.name.endsWith('.deleted') ? undefined : pause)),
  ),
];

export const faults: readonly Fault[] = [...requests, ...retries];

// Faults of deliveries: the request, its acknowledgement and the retries.
import type { Delivery, Outcome, Post } from '../../judge/reference/service/events.ts';
import type { Service } from '../../judge/reference/service/service.ts';
import { around, clause, type Fault, memory } from './fault.ts';

const receiver = { needs: 'receiver' } as const;
const request = clause(232, 'Method POST, header `Content-Type: application/json`.', receiver);
const time = clause(233, 'Unix timestamp in seconds of when the event was generated', receiver);
const signature = clause(234, 'Header `X-Service-Signature`: signature made with the webhook secret.', receiver);

const post = (service: Service, change: (post: Post, delivery: Delivery) => Post): void =>
  around(service, 'post', (was, delivery) => change(was(delivery), delivery));
const header = (service: Service, name: string, change: (value: string, delivery: Delivery) => string | undefined): void =>
  post(service, (made, delivery) => {
    const value = change(made.headers[name] ?? '', delivery);
    const { [name]: _, ...rest } = made.headers;
    return { ...made, headers: value === undefined ? rest : { ...rest, [name]: value } };
  });
const clock = (service: Service, change: (seconds: number, delivery: Delivery) => string | number): void =>
  around(service, 'deliveryTime', (was, delivery) => String(change(Number(was(delivery)), delivery)));

const requests: Fault[] = [
  request('delivery-put', 'deliveries are PUT', (s) => post(s, (made) => ({ ...made, method: 'PUT' }))),
  request('delivery-put-retries', 'retries are PUT', (s) =>
    post(s, (made, { attempts }) => ({ ...made, method: attempts > 1 ? 'PUT' : 'POST' })),
  ),
  request('delivery-delete', 'events of deletions are sent with DELETE', (s) =>
    post(s, (made, { event }) => ({ ...made, method: event.name.endsWith('.deleted') ? 'DELETE' : 'POST' })),
  ),
  request('delivery-form-type', 'the content type is application/x-www-form-urlencoded', (s) =>
    header(s, 'Content-Type', () => 'application/x-www-form-urlencoded'),
  ),
  request('delivery-text-type', 'the content type is text/plain', (s) => header(s, 'Content-Type', () => 'text/plain')),
  request('delivery-no-type', 'there is no content type', (s) => header(s, 'Content-Type', () => undefined)),
  request('delivery-no-type-on-retries', 'retries have no content type', (s) =>
    header(s, 'Content-Type', (value, { attempts }) => (attempts > 1 ? undefined : value)),
  ),
  request('delivery-form-body', 'the body is a form with a field payload', (s) =>
    post(s, (made) => ({ ...made, body: `payload=${encodeURIComponent(made.body)}` })),
  ),
  request('delivery-batch', 'the body is an array of one event', (s) => post(s, (made) => ({ ...made, body: `[${made.body}]` }))),
  request('delivery-double-encoded', 'the body is JSON inside a JSON string', (s) =>
    post(s, (made) => ({ ...made, body: JSON.stringify(made.body) })),
  ),
  request('delivery-empty-retry', 'retries have an empty body', (s) =>
    post(s, (made, { attempts }) => ({ ...made, body: attempts > 1 ? '' : made.body })),
  ),
  time('delivery-time-missing', 'there is no X-Service-Timestamp', (s) => header(s, 'X-Service-Timestamp', () => undefined)),
  time('delivery-time-missing-for-projects', 'project events have no X-Service-Timestamp', (s) =>
    header(s, 'X-Service-Timestamp', (value, { event }) => (event.name.startsWith('project') ? undefined : value)),
  ),
  time('delivery-time-millis', 'X-Service-Timestamp is in milliseconds', (s) => clock(s, (_at, { event }) => event.created)),
  time('delivery-time-iso', 'X-Service-Timestamp is an ISO 8601 text', (s) =>
    clock(s, (_at, { event }) => new Date(event.created).toISOString()),
  ),
  time('delivery-time-local', 'X-Service-Timestamp is local time', (s) => clock(s, (at) => at + 7200)),
  time('delivery-time-zero', 'X-Service-Timestamp is 0', (s) => clock(s, () => 0)),
  time('delivery-time-of-hour', 'X-Service-Timestamp is the full hour', (s) => clock(s, (at) => at - (at % 3600))),
  time('delivery-time-of-registration', 'X-Service-Timestamp is that of the registration', (s) =>
    clock(s, (_at, { hook }) => Math.floor(hook.created / 1000)),
  ),
  signature('signature-missing', 'there is no X-Service-Signature', (s) => header(s, 'X-Service-Signature', () => undefined)),
  signature('signature-empty', 'X-Service-Signature is empty', (s) => around(s, 'sign', () => '')),
  signature('signature-missing-on-retries', 'retries have no X-Service-Signature', (s) =>
    header(s, 'X-Service-Signature', (value, { attempts }) => (attempts > 1 ? undefined : value)),
  ),
  signature('signature-missing-when-deleted', 'events of deletions have no X-Service-Signature', (s) =>
    header(s, 'X-Service-Signature', (value, { event }) => (event.name.endsWith('.deleted') ? undefined : value)),
  ),
  signature('signature-is-secret', 'X-Service-Signature is the secret', (s) =>
    around(s, 'sign', (_was, _body, _time, { hook }) => hook.secret),
  ),
  signature('signature-renamed', 'the signature is in X-Hub-Signature-256', (s) =>
    post(s, (made) => {
      const { 'X-Service-Signature': value, ...rest } = made.headers;
      return { ...made, headers: { ...rest, 'X-Hub-Signature-256': value ?? '' } };
    }),
  ),
  signature('signature-without-secret', 'the signature is made with one secret for all registrations', (s) =>
    around(s, 'sign', (was, body, at, delivery) => was(body, at, { ...delivery, hook: { ...delivery.hook, secret: 'shared' } })),
  ),
];

const acknowledged = clause(126, 'endpoint answers `2xx` within 10 seconds', receiver);
const any2xx = clause(264, 'The receiver acknowledges with any `2xx` status within 10 seconds.', receiver);
const failed = clause(127, 'timeout, or status `3xx`, `4xx` or `5xx`', receiver);
const final = clause(131, 'A successful retry ends in delivered.', receiver);
const seconds = clause(338, '| webhook acknowledgement time | 10 seconds |', receiver);
const code = (outcome: Outcome, test: (status: number) => boolean) => typeof outcome === 'number' && test(outcome);
const accepts = (service: Service, change: (was: boolean, outcome: Outcome, delivery: Delivery) => boolean): void =>
  around(service, 'acknowledges', (was, outcome, delivery) => change(was(outcome, delivery), outcome, delivery));

const acknowledgements: Fault[] = [
  any2xx('ack-200-only', 'only 200 acknowledges', (s) => accepts(s, (_was, outcome) => outcome === 200)),
  any2xx('ack-not-204', '204 does not acknowledge', (s) => accepts(s, (was, outcome) => was && outcome !== 204)),
  any2xx('ack-not-202', '202 does not acknowledge', (s) => accepts(s, (was, outcome) => was && outcome !== 202)),
  any2xx('ack-not-201', '201 does not acknowledge', (s) => accepts(s, (was, outcome) => was && outcome !== 201)),
  any2xx('ack-up-to-207', 'statuses from 208 on do not acknowledge', (s) =>
    accepts(s, (was, outcome) => was && code(outcome, (status) => status < 208)),
  ),
  acknowledged('ack-never', 'a delivery is retried though it was acknowledged', (s) => accepts(s, () => false)),
  acknowledged('ack-sent-twice', 'each event is delivered twice, with two ids', (s) => {
    around(s, 'emit', (was, name, workspace, data, call) => {
      was(name, workspace, data, call);
      was(name, workspace, data, call);
    });
  }),
  failed('ack-3xx', '3xx counts as delivered', (s) =>
    accepts(s, (was, outcome) => was || code(outcome, (status) => status >= 300 && status < 400)),
  ),
  failed('ack-301', '301 and 308 count as delivered', (s) =>
    accepts(s, (was, outcome) => was || outcome === 301 || outcome === 308),
  ),
  failed('ack-4xx', '4xx counts as delivered', (s) =>
    accepts(s, (was, outcome) => was || code(outcome, (status) => status >= 400 && status < 500)),
  ),
  failed('ack-410', '410 ends the delivery', (s) => accepts(s, (was, outcome) => was || outcome === 410)),
  failed('ack-404', '404 ends the delivery', (s) => accepts(s, (was, outcome) => was || outcome === 404)),
  failed('ack-429', '429 ends the delivery', (s) => accepts(s, (was, outcome) => was || outcome === 429)),
  failed('ack-5xx', '5xx counts as delivered', (s) =>
    accepts(s, (was, outcome) => was || code(outcome, (status) => status >= 500)),
  ),
  failed('ack-500', '500 ends the delivery, as a fault of the receiver', (s) =>
    accepts(s, (was, outcome) => was || outcome === 500),
  ),
  failed('ack-503', '503 ends the delivery', (s) => accepts(s, (was, outcome) => was || outcome === 503)),
  failed('ack-timeout', 'a timeout is not retried', (s) => accepts(s, (was, outcome) => was || outcome === 'timeout')),
  failed('ack-second-timeout', 'a second timeout ends the delivery', (s) =>
    accepts(s, (was, outcome, { attempts }) => was || (outcome === 'timeout' && attempts > 1)),
  ),
  seconds('patience-5', 'an answer after 5 seconds is a timeout', (s) => around(s, 'patience', () => 5000)),
  seconds('patience-9', 'an answer after 9 seconds is a timeout', (s) => around(s, 'patience', () => 9000)),
  seconds('patience-30', 'an answer within 30 seconds acknowledges', (s) => around(s, 'patience', () => 30_000)),
  seconds('patience-endless', 'there is no timeout', (s) => around(s, 'patience', () => 365 * 86_400_000)),
  seconds('patience-3-for-retries', 'retries wait 3 seconds for an answer', (s) =>
    around(s, 'patience', (was, delivery) => (delivery.attempts > 1 ? 3000 : was(delivery))),
  ),
  seconds('patience-20-for-retries', 'retries wait 20 seconds for an answer', (s) =>
    around(s, 'patience', (was, delivery) => (delivery.attempts > 1 ? 20_000 : was(delivery))),
  ),
  final('retry-goes-on', 'after a successful retry the next one comes all the same', (s) =>
    accepts(s, (was, _outcome, { attempts }) => was && attempts === 1),
  ),
  final('retry-success-once-more', 'a retry that succeeds is repeated once', (s) => {
    const done = new WeakSet<Delivery>();
    accepts(s, (was, _outcome, delivery) => {
      if (!was || delivery.attempts === 1 || done.has(delivery)) return was;
      done.add(delivery);
      return false;
    });
  }),
];

const first = clause(127, 'retry 1 after 30 seconds', receiver);
const next = clause(128, 'next retry after 2 minutes, 10 minutes, 30 minutes, 2 hours respectively', receiver);
const five = clause(129, 'five retries failed', receiver);
const none = clause(129, 'no further attempts', receiver);
const atMost = clause(264, 'for at most five retries', receiver);
const paused = (
  service: Service,
  change: (pause: number | undefined, attempts: number, outcome: Outcome) => number | undefined,
): void => around(service, 'pauseAfter', (was, delivery, outcome) => change(was(delivery, outcome), delivery.attempts, outcome));
const after = (service: Service, attempt: number, ms: number): void =>
  paused(service, (pause, attempts) => (attempts === attempt ? ms : pause));
const MINUTE = 60_000;

const retries: Fault[] = [
  first('retry-1-at-once', 'retry 1 comes at once', (s) => after(s, 1, 100)),
  first('retry-1-after-3', 'retry 1 comes after 3 seconds', (s) => after(s, 1, 3000)),
  first('retry-1-after-60', 'retry 1 comes after a minute', (s) => after(s, 1, MINUTE)),
  first('retry-1-after-45', 'retry 1 comes after 45 seconds', (s) => after(s, 1, 45_000)),
  first('retry-none', 'there are no retries', (s) => paused(s, () => undefined)),
  first('retry-1-not-after-4xx', 'a 4xx is not retried', (s) =>
    paused(s, (pause, _attempts, outcome) => (code(outcome, (status) => status >= 400 && status < 500) ? undefined : pause)),
  ),
  first('retry-1-not-after-3xx', 'a 3xx is not retried', (s) =>
    paused(s, (pause, _attempts, outcome) => (code(outcome, (status) => status < 400) ? undefined : pause)),
  ),
  first('retry-1-after-timeout-at-once', 'after a timeout retry 1 comes at once', (s) =>
    paused(s, (pause, attempts, outcome) => (attempts === 1 && outcome === 'timeout' ? 0 : pause)),
  ),
  next('retry-2-after-1-minute', 'retry 2 comes after one minute', (s) => after(s, 2, MINUTE)),
  next('retry-2-after-30', 'retry 2 comes after 30 seconds', (s) => after(s, 2, 30_000)),
  next('retry-3-after-5-minutes', 'retry 3 comes after five minutes', (s) => after(s, 3, 5 * MINUTE)),
  next('retry-3-after-2-minutes', 'retry 3 comes after two minutes', (s) => after(s, 3, 2 * MINUTE)),
  next('retry-4-after-1-hour', 'retry 4 comes after an hour', (s) => after(s, 4, 60 * MINUTE)),
  next('retry-4-after-10-minutes', 'retry 4 comes after ten minutes', (s) => after(s, 4, 10 * MINUTE)),
  next('retry-5-after-1-hour', 'retry 5 comes after an hour', (s) => after(s, 5, 60 * MINUTE)),
  next('retry-5-after-6-hours', 'retry 5 comes after six hours', (s) => after(s, 5, 360 * MINUTE)),
  next('retry-doubling', 'pauses double, from 30 seconds', (s) =>
    paused(s, (pause, attempts) => (pause === undefined ? pause : 30_000 * 2 ** (attempts - 1))),
  ),
  next('retry-every-30', 'all retries come after 30 seconds', (s) =>
    paused(s, (pause) => (pause === undefined ? pause : 30_000)),
  ),
  next('retry-in-seconds', 'retries 2 to 5 come after 2, 10, 30 and 120 seconds', (s) =>
    paused(s, (pause, attempts) => (pause === undefined || attempts === 1 ? pause : pause / 60)),
  ),
  next('retry-restarts-after-timeout', 'after a timeout the pauses begin anew', (s) => {
    paused(s, (pause, attempts, outcome) => (outcome === 'timeout' && attempts > 1 && pause !== undefined ? 30_000 : pause));
  }),
  five('retry-four', 'there are four retries', (s) => paused(s, (pause, attempts) => (attempts > 4 ? undefined : pause))),
  five('retry-three', 'there are three retries', (s) => paused(s, (pause, attempts) => (attempts > 3 ? undefined : pause))),
  five('retry-one', 'there is one retry', (s) => paused(s, (pause, attempts) => (attempts > 1 ? undefined : pause))),
  none('retry-six', 'there is a sixth retry after two hours', (s) =>
    paused(s, (pause, attempts) => (attempts === 6 ? 120 * MINUTE : pause)),
  ),
  atMost('retry-endless', 'retries go on every two hours', (s) => paused(s, (pause) => pause ?? 120 * MINUTE)),
  none('retry-next-day', 'a last attempt comes after a day', (s) =>
    paused(s, (pause, attempts) => (attempts === 6 ? 1440 * MINUTE : pause)),
  ),
  clause(264, 'Otherwise the delivery is retried as in the Webhook delivery table above', receiver)(
    'retry-with-next-event',
    'a failed delivery is retried with the next event only',
    (s) => {
      const waiting: Delivery[] = [];
      around(s, 'conclude', (was, delivery, outcome) =>
        s.acknowledges(outcome, delivery) ? was(delivery, outcome) : void waiting.push(delivery),
      );
      around(s, 'deliver', (was, event, hook) => {
        for (const delivery of waiting.splice(0)) s.attempt(delivery);
        was(event, hook);
      });
    },
  ),
  clause(224, 'Webhooks push events by HTTP POST to registered endpoints.', receiver)(
    'hook-off-after-failure',
    'a registration whose delivery failed for good gets no more events',
    (s) => {
      const off = memory<string, true>();
      around(s, 'giveUp', (_was, { hook }) => void off.set(hook.id, true));
      around(s, 'hears', (was, hook, event, workspace, call) => !off.has(hook.id) && was(hook, event, workspace, call));
    },
  ),
  clause(224, 'Webhooks push events by HTTP POST to registered endpoints.', receiver)(
    'hook-off-after-410',
    'a registration that answered 410 gets no more events',
    (s) => {
      const off = memory<string, true>();
      around(s, 'conclude', (was, delivery, outcome) => {
        if (outcome === 410) off.set(delivery.hook.id, true);
        was(delivery, outcome);
      });
      around(s, 'hears', (was, hook, event, workspace, call) => !off.has(hook.id) && was(hook, event, workspace, call));
    },
  ),
];

export const faults: readonly Fault[] = [...requests, ...acknowledgements, ...retries];

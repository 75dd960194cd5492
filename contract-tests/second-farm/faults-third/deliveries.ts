// Faults of deliveries: queues, retries and the request itself.

import type { Fields } from '../../judge/reference/model.ts';
import type { Delivery, Outcome, Post } from '../../judge/reference/service/events.ts';
import type { Service } from '../../judge/reference/service/service.ts';
import { around, clause, type Fault, memory } from '../faults/fault.ts';

const needs = { needs: 'receiver' } as const;
const request = clause(232, 'Method POST, header `Content-Type: application/json`.', needs);
const time = clause(233, 'Unix timestamp in seconds of when the event was generated', needs);
const registered = clause(224, 'Webhooks push events by HTTP POST to registered endpoints.', needs);
const retried = clause(264, 'Otherwise the delivery is retried as in the Webhook delivery table above', needs);
const first = clause(127, 'retry 1 after 30 seconds', needs);
const next = clause(128, 'next retry after 2 minutes, 10 minutes, 30 minutes, 2 hours respectively', needs);
const within = clause(126, 'endpoint answers `2xx` within 10 seconds', needs);
const final = clause(131, 'A successful retry ends in delivered.', needs);
const snapshot = clause(243, 'holding a snapshot of the resource', needs);
const same = clause(240, 'receivers deduplicate retried deliveries with it', needs);
const SECOND = 1000;

const posted = (service: Service, change: (post: Post, delivery: Delivery) => Post): void =>
  around(service, 'post', (was, delivery) => change(was(delivery), delivery));
const header = (service: Service, name: string, change: (value: string, delivery: Delivery) => string): void =>
  posted(service, (post, delivery) => ({
    ...post,
    headers: { ...post.headers, [name]: change(post.headers[name] ?? '', delivery) },
  }));
const paused = (
  service: Service,
  change: (pause: number | undefined, delivery: Delivery, outcome: Outcome) => number | undefined,
): void => around(service, 'pauseAfter', (was, delivery, outcome) => change(was(delivery, outcome), delivery, outcome));
/** Leaves an attempt out; the delivery ends there. */
const dropped = (service: Service, when: (delivery: Delivery) => boolean): void =>
  around(service, 'attempt', (was, delivery) => (when(delivery) ? undefined : was(delivery)));
const name = ({ event, hook }: Delivery) => `${event.id} ${hook.id}`;
/** The id of the record that an event is about. */
const subject = ({ event }: Delivery): string => String((Object.values(event.data)[0] as Fields | null)?.id);

const requests: Fault[] = [
  request('type-of-vendor', 'the content type is application/vnd.service+json', (s) =>
    header(s, 'Content-Type', () => 'application/vnd.service+json'),
  ),
  request('body-cut-by-its-length', 'bodies are cut where letters beyond ASCII are: the length counts characters', (s) =>
    posted(s, (post) => ({ ...post, body: Buffer.from(post.body).subarray(0, post.body.length).toString() })),
  ),
  request('body-in-base64', 'bodies are base64, as they are in the queue', (s) =>
    posted(s, (post) => ({ ...post, body: Buffer.from(post.body).toString('base64') })),
  ),
  registered('query-lost', 'deliveries leave the query of the url out', (s) =>
    posted(s, (post) => ({ ...post, url: post.url.split('?')[0] ?? '' })),
  ),
  registered('path-in-lower-case', 'deliveries go to the url in lower case', (s) =>
    posted(s, (post) => ({ ...post, url: post.url.toLowerCase() })),
  ),
  registered('path-decoded', 'deliveries go to the url with its escapes decoded and a slash at its end', (s) =>
    posted(s, (post) => ({ ...post, url: `${decodeURI(post.url)}/` })),
  ),
  registered(
    'large-events-dropped',
    'an event of more than 2 KB is not sent',
    (s) => around(s, 'deliver', (was, event, hook) => (JSON.stringify(event.data).length > 2048 ? undefined : was(event, hook))),
    { style: 'a' },
  ),
  registered('events-beyond-ascii-dropped', 'an event of a record with letters beyond Latin-1 is not sent', (s) =>
    around(s, 'deliver', (was, event, hook) =>
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the range of Latin-1
      /[^\x00-\xff]/.test(JSON.stringify(event.data)) ? undefined : was(event, hook),
    ),
  ),
  registered('second-event-of-second-dropped', 'of the events of one kind in one second the first is sent only', (s) => {
    const seen = memory<string, true>();
    around(s, 'deliver', (was, event, hook) => {
      const slot = `${hook.id} ${event.name} ${Math.floor(event.created / SECOND)}`;
      if (seen.has(slot)) return;
      seen.set(slot, true);
      was(event, hook);
    });
  }),
  time('time-of-record', 'X-Service-Timestamp is created_at of the record', (s) =>
    around(s, 'deliveryTime', (was, delivery) => {
      const id = subject(delivery);
      const record = [...s.db.tasks, ...s.db.projects].find((each) => each.id === id);
      return record ? String(Math.floor(record.created / SECOND)) : was(delivery);
    }),
  ),
  time('time-with-fraction', 'X-Service-Timestamp is in seconds with a fraction', (s) =>
    around(s, 'deliveryTime', (_was, { event }) => (event.created / SECOND).toFixed(3)),
  ),
  time('time-a-day-behind', 'X-Service-Timestamp is that of the midnight before', (s) =>
    around(s, 'deliveryTime', (was, delivery) => String(Number(was(delivery)) - (Number(was(delivery)) % 86_400))),
  ),
  clause(233, 'Header `X-Service-Timestamp`', needs)(
    'time-on-retries-only',
    'first attempts have an empty X-Service-Timestamp',
    (s) => header(s, 'X-Service-Timestamp', (value, { attempts }) => (attempts > 1 ? value : '')),
  ),
];

const queues: Fault[] = [
  retried('success-empties-queue', 'a delivery that succeeds drops all waiting retries of the registration', (s) => {
    const cleared = memory<string, number>();
    around(s, 'conclude', (was, delivery, outcome) => {
      if (s.acknowledges(outcome, delivery)) cleared.set(delivery.hook.id, s.now());
      was(delivery, outcome);
    });
    dropped(s, ({ attempts, hook, first: at }) => attempts > 0 && (cleared.get(hook.id) ?? 0) > at);
  }),
  retried('new-event-replaces-waiting', 'a new event of a record drops its waiting retries', (s) => {
    const latest = memory<string, string>();
    around(s, 'deliver', (was, event, hook) => {
      latest.set(`${hook.id} ${subject({ event, hook, attempts: 0, first: 0 })}`, event.id);
      was(event, hook);
    });
    dropped(
      s,
      (delivery) => delivery.attempts > 0 && latest.get(`${delivery.hook.id} ${subject(delivery)}`) !== delivery.event.id,
    );
  }),
  retried('five-retries-for-registration', 'the five retries are for all deliveries of a registration together', (s) => {
    const spent = memory<string, number>();
    paused(s, (pause, { hook }) => {
      spent.set(hook.id, (spent.get(hook.id) ?? 0) + 1);
      return (spent.get(hook.id) ?? 0) > 5 ? undefined : pause;
    });
  }),
  retried('retries-to-latest-url', 'retries go to the url that was registered last', (s) =>
    posted(s, (post, { attempts, hook }) => {
      const last = s.db.hooks.filter(({ workspace }) => workspace === hook.workspace).at(-1);
      return attempts > 1 && last ? { ...post, url: last.url } : post;
    }),
  ),
  registered('failing-one-stops-the-others', 'while a delivery fails, registrations made later get no events', (s) => {
    const failing = new Set<string>();
    around(s, 'conclude', (was, delivery, outcome) => {
      if (s.acknowledges(outcome, delivery)) failing.delete(delivery.hook.id);
      else failing.add(delivery.hook.id);
      was(delivery, outcome);
    });
    around(
      s,
      'hears',
      (was, hook, event, workspace, call) =>
        was(hook, event, workspace, call) &&
        !s.db.hooks.some((each) => each.workspace === hook.workspace && each.nth < hook.nth && failing.has(each.id)),
    );
  }),
  retried('one-retry-at-a-time', 'a registration has one retry waiting: others that fail meanwhile are lost', (s) => {
    const waiting = memory<string, string>();
    paused(s, (pause, delivery) => {
      const held = waiting.get(delivery.hook.id);
      if (held !== undefined && held !== name(delivery)) return undefined;
      if (pause === undefined) waiting.delete(delivery.hook.id);
      else waiting.set(delivery.hook.id, name(delivery));
      return pause;
    });
    around(s, 'conclude', (was, delivery, outcome) => {
      if (s.acknowledges(outcome, delivery)) waiting.delete(delivery.hook.id);
      was(delivery, outcome);
    });
  }),
  snapshot('retry-of-deleted-is-null', 'retries read the task anew: of one that was deleted meanwhile they have null', (s) =>
    around(s, 'envelope', (was, delivery) => {
      const made = was(delivery) as Fields;
      const isTask = 'task' in delivery.event.data && delivery.event.name !== 'task.deleted';
      const gone = isTask && !s.db.tasks.some(({ id }) => id === subject(delivery));
      return delivery.attempts > 1 && gone ? { ...made, data: { task: null } } : made;
    }),
  ),
  same('retry-is-renamed', 'retries have the name of the event with .retry behind it', (s) =>
    around(s, 'envelope', (was, delivery) => ({
      ...(was(delivery) as Fields),
      ...(delivery.attempts > 1 ? { event: `${delivery.event.name}.retry` } : {}),
    })),
  ),
  same('retry-id-with-number', 'retries have the number of the attempt behind their id', (s) =>
    around(s, 'envelope', (was, delivery) => ({
      ...(was(delivery) as Fields),
      ...(delivery.attempts > 1 ? { id: `${delivery.event.id}-${delivery.attempts}` } : {}),
    })),
  ),
  retried('retries-of-creations-only', 'deliveries of updates and deletions are not retried', (s) =>
    paused(s, (pause, { event }) => (event.name.endsWith('.created') ? pause : undefined)),
  ),
  retried('no-retries-for-projects', 'deliveries of project events are not retried', (s) =>
    paused(s, (pause, { event }) => (event.name.startsWith('project.') ? undefined : pause)),
  ),
];

const times: Fault[] = [
  within('late-answer-ends-retries', 'a 2xx that comes after ten seconds ends the retries', (s) => {
    const late = new Set<string>();
    let current: Delivery | undefined;
    around(s, 'attempt', (was, delivery) => {
      if (late.has(name(delivery))) return;
      current = delivery;
      was(delivery);
    });
    around(s, 'send', (was, post) => {
      const [delivery, at] = [current, s.now()];
      const sending = was(post);
      sending.then(
        (status) => {
          if (delivery && status < 300 && s.now() - at >= 10 * SECOND) late.add(name(delivery));
        },
        () => undefined,
      );
      return sending;
    });
  }),
  within('answer-within-seven', 'an answer after more than seven seconds is a timeout, except for deletions', (s) =>
    around(s, 'patience', (was, delivery) => (delivery.event.name.endsWith('.deleted') ? was(delivery) : 7 * SECOND)),
  ),
  first('first-retry-earlier-for-4xx', 'after a 4xx retry 1 comes after five seconds', (s) =>
    paused(s, (pause, { attempts }, outcome) =>
      attempts === 1 && typeof outcome === 'number' && outcome >= 400 && outcome < 500 ? 5 * SECOND : pause,
    ),
  ),
  first('pauses-with-jitter', 'pauses waver between half and four fifths of what they should be', (s) => {
    let count = 0;
    paused(s, (pause) => {
      count += 3;
      return pause === undefined ? undefined : pause * (0.5 + (count % 4) / 10);
    });
  }),
  next('timeout-takes-two', 'a timeout takes two of the five retries', (s) =>
    paused(s, (pause, delivery, outcome) => {
      if (outcome !== 'timeout') return pause;
      delivery.attempts += 1;
      return delivery.attempts > 5 ? undefined : pause;
    }),
  ),
  next('pauses-shifted', 'retry 1 comes after 2 minutes, and the others after the pause of the one behind', (s) =>
    paused(s, (pause, { attempts }) => [120, 600, 1800, 7200, 7200].map((each) => each * SECOND)[attempts - 1] ?? pause),
  ),
  next('pauses-swapped', 'the pauses of retries 3 and 4 are swapped', (s) =>
    paused(s, (pause, { attempts }) => (attempts === 3 ? 1800 * SECOND : attempts === 4 ? 600 * SECOND : pause)),
  ),
  next('last-pauses-in-one', 'retries from the third on come after ten minutes each', (s) =>
    paused(s, (pause, { attempts }) => (pause !== undefined && attempts >= 3 ? 600 * SECOND : pause)),
  ),
  final('success-of-last-retry-unseen', 'a fifth retry that succeeds is followed by a sixth', (s) =>
    around(s, 'conclude', (was, delivery, outcome) => {
      if (delivery.attempts === 6 && s.acknowledges(outcome, delivery)) s.clock.later(7_200_000, () => s.attempt(delivery));
      else was(delivery, outcome);
    }),
  ),
  final('success-of-first-retry-unseen', 'a first retry that succeeds is followed by a second', (s) =>
    around(s, 'acknowledges', (was, outcome, delivery) => was(outcome, delivery) && delivery.attempts !== 2),
  ),
];

export const faults: readonly Fault[] = [...requests, ...queues, ...times];

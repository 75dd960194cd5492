// Conforming servers that a suite is tempted to blame: two sentences of the specification disagree, time hides the truth, or the run itself is in the way.
import { expect, test } from 'vitest';
import { jsonIn } from '../engine/exchange.ts';
import type { Fetch } from '../engine/terms.ts';
import type { Time } from '../engine/time.ts';
import { DEVIATIONS } from '../judge/faults.ts';
import { around } from '../judge/reference/around.ts';
import type { VirtualClock } from '../judge/reference/clock.ts';
import type { Service } from '../judge/reference/service/service.ts';
import { blames, runOnReference, type Staging } from './reference.ts';

const SECOND = 1000;

const plan =
  (perMinute: number, window: 'sliding' | 'fixed') =>
  (service: Service): void => {
    for (const workspace of service.db.workspaces) Object.assign(workspace, { perMinute });
    Object.assign(service, { style: { ...service.style, window } });
  };

const latency =
  (ms: number) =>
  (next: Fetch, clock: VirtualClock): Fetch =>
  async (url, init) => {
    await clock.sleep(ms / 2);
    const response = await next(url, init);
    await clock.sleep(ms / 2);
    return response;
  };

/** Deliveries take so long, and waiting for them costs the run real time. */
const slowly = (...seconds: readonly number[]): Staging => {
  let count = 0;
  return {
    options: EVENTS,
    alter: (service) =>
      around(service, 'deliver', (was, event, hook) => {
        const late = seconds[count++ % seconds.length]!;
        service.clock.later(late * SECOND, () => was(event, hook));
      }),
    time: (clock) => ({ settle: () => clock.sleep(200), virtual: false }),
  };
};

const APART = 97 * SECOND;

/** The findings on a quota are told without the rest of a run. */
const QUOTA = { allow: ['quota'], only: ['limits/'] } as const;
const EVENTS = { only: ['events/'] } as const;

/** Deviations of a conforming server beyond the open points. */
const HABITS = ['ping', 'letters-in-pairs-rarely', 'more-in-events', 'texts-composed'];

const cursorsOfOneUse = (next: Fetch): Fetch => {
  const given = new Map<string, string>();
  return async (url, init) => {
    const at = new URL(url);
    const mark = at.searchParams.get('cursor') ?? '';
    if (mark.startsWith('once-')) at.searchParams.set('cursor', given.get(mark) ?? 'used');
    given.delete(mark);
    const response = await next(at.href, init);
    const body = jsonIn(await response.clone().text()) as { meta?: { next_cursor?: unknown } } | undefined;
    if (typeof body?.meta?.next_cursor !== 'string') return response;
    const once = `once-${given.size}-${Math.random()}`;
    given.set(once, body.meta.next_cursor);
    body.meta.next_cursor = once;
    return new Response(JSON.stringify(body), response);
  };
};

const CONFORMING: readonly (readonly [string, Staging])[] = [
  ['whose quota of 1,000 a minute rolls, 40 ms away', { alter: plan(1000, 'sliding'), between: latency(40), options: QUOTA }],
  ['whose quota of 300 a minute rolls, 250 ms away', { alter: plan(300, 'sliding'), between: latency(250), options: QUOTA }],
  [
    'whose quota of 600 a minute starts over each minute, 100 ms away',
    { alter: plan(600, 'fixed'), between: latency(100), options: QUOTA },
  ],
  [
    'that ignores sort where the row of a list names limit and cursor alone',
    {
      options: { only: ['lists/', 'sorting/', 'reads/', 'open/'] },
      alter: (service) =>
        around(service, 'readSort', (was, text, listing, call) =>
          was(['team', 'member', 'comment'].includes(listing.name) ? '' : text, listing, call),
        ),
    },
  ],
  ['whose cursors are good for one use', { between: cursorsOfOneUse, options: { only: ['lists/', 'filters/', 'sorting/'] } }],
  [
    `with the habits ${HABITS.join(', ')}`,
    {
      options: { only: ['events/', 'deliveries/', 'fields/', 'tasks/'] },
      alter: (service) => {
        for (const id of HABITS) DEVIATIONS.find((habit) => habit.id === id)!.alter(service);
      },
    },
  ],
  ['that delivers 15 seconds after a change', slowly(15)],
  ['that delivers at once, or up to two minutes after a change', slowly(0, 40, 0, 100, 3, 0, 120)],
  [
    'whose second workspace has news for an address that is registered in both',
    {
      options: EVENTS,
      alter: (service) =>
        around(service, 'deleteTask', (was, call) => {
          const member = { id: 'user_new', name: 'New', email: 'new@reference.test', role: 'member' };
          service.emit('member.joined', service.db.workspaces[1]!.id, { member }, call);
          return was(call);
        }),
    },
  ],
  [
    'whose records and events are dated by a clock that is ahead of the gateway which sets Date',
    {
      between: (next, clock) => async (url, init) => {
        const response = await next(url, init);
        response.headers.set('date', new Date(clock.now() - APART).toUTCString());
        return response;
      },
      time: (clock): Partial<Time> => ({ now: () => clock.now() - APART }),
      options: { allow: ['webhooks', 'quota'] },
    },
  ],
];

test.each(CONFORMING)('nothing is said against a service %s', async (_what, staging) => {
  expect(blames(await runOnReference(staging))).toEqual([]);
});

test('a service whose scopes must equal what is needed breaks the table of scopes: no key is in a wrong place', async () => {
  const alter = (service: Service) => around(service, 'permits', (_was, scope, needed) => scope === needed);
  const { report } = await runOnReference({ alter, options: { profile: 'core' } });
  expect(report.error).toBeUndefined();
  for (const clause of ['WM-SCOPE-018', 'WM-SCOPE-025', 'WM-SCOPE-026']) expect(report.failures).toContain(clause);
});

test('a delivery that still comes when no more time is left is not seen, and not missing', async () => {
  const seconds: Readonly<Record<string, number>> = { 'project.created': 60, 'project.updated': 150, 'task.created': 400 };
  const alter = (service: Service) =>
    around(service, 'deliver', (was, event, hook) => {
      service.clock.later((seconds[event.name] ?? 2000) * SECOND, () => was(event, hook));
    });
  const { report } = await runOnReference({ ...slowly(), alter });
  expect(report.failures).toEqual([]);
  const hidden = report.requirements.filter(({ reason }) => reason?.startsWith('HIDDEN(deliveries still come'));
  expect(hidden.map(({ id }) => id)).toEqual(['WM-EVT-002', 'WM-EVT-003', 'WM-EVT-006']);
});

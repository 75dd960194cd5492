// Clock and limits: the time of the world, what is due when, and what is left of each workspace's requests.
import { RETRY_DELAYS_MS } from '../../service/contract/limits.ts';
import type { Delivery } from '../../service/webhooks/delivery.ts';
import type { Entry } from '../../service/world/clock.ts';
import type { Workspace } from '../../service/world/world.ts';
import { CLOCK_STEPS, Countdown, drawCountdown, Gauge, readSpent, type SpentQuota, WorldTime } from '../clock-bar.tsx';
import type { Context } from '../context.ts';
import { BarForm, type FieldRow } from '../fields.tsx';
import { addUtcZone, TIME_INPUT } from '../form.ts';
import { type DashboardPage, makeCallAction } from '../page.ts';
import { AbsoluteTime, Card, Chip, countWords, Empty, formatNumber, Link, Muted, RestCount, ZoneName } from '../parts.tsx';
import { type Column, DataTable, TableCard } from '../table.tsx';
import { plainTime } from '../times.ts';
import { deliveryHref } from './webhook-parts.tsx';

const MAX_CLOCK_ROWS = { due: 50, workspaces: 50 };

const DUE_LABELS: Readonly<Record<string, string>> = { event: 'First attempt', retry: 'Retry', replay: 'Replay' };

const buildDueColumns = (context: Context): readonly Column<Entry & { readonly delivery: Delivery | undefined }>[] => [
  ['In', ({ due }) => <Countdown at={due} context={context} />, 'nowrap'],
  [['At ', <ZoneName />], ({ due }) => <AbsoluteTime at={due} />, 'nowrap'],
  [
    'What',
    ({ job: { kind }, delivery }) =>
      `${DUE_LABELS[kind]}${kind === 'retry' ? ` ${delivery?.attempts.length} of ${RETRY_DELAYS_MS.length}` : ''}`,
  ],
  ['Event', ({ job, delivery: one }) => (one ? <Link to={deliveryHref(context, one.id)} says={one.event.event} /> : job.id)],
  ['Receiver', ({ delivery }) => <span class="clip path">{delivery?.url}</span>],
];

const drawDue = (context: Context) => {
  const { entries, total } = context.world.clock.ahead(MAX_CLOCK_ROWS.due);
  const { deliveries } = context.instance.webhooks;
  const rows = entries.map((entry) => ({ ...entry, delivery: deliveries.get(entry.job.id) }));
  return (
    <Card
      title="What is due"
      says="On the clock of the world. A frozen clock makes none of it until it is moved."
      live="agenda"
      flush={entries.length > 0}
      side={total > 0 ? <Chip>{formatNumber(total)} ahead</Chip> : undefined}
    >
      <DataTable label="What is due" columns={buildDueColumns(context)} rows={rows} heading={-1}>
        <Empty
          title="Nothing is due"
          curl={`curl -X POST "${context.url.origin}${context.base}/_mock/clock/advance" -H "content-type: application/json" -d '{"to":"next"}'`}
        >
          When a receiver does not acknowledge an event, its retries stand here, and “Next” goes straight to the first of them.
        </Empty>
      </DataTable>
      <RestCount of={total} shown={entries.length} says="more after these." />
    </Card>
  );
};

const buildLimitColumns = (context: Context): readonly Column<Workspace & { readonly spent: SpentQuota }>[] => [
  ['Workspace', ({ name }) => name],
  ['Plan', ({ plan }) => (typeof plan === 'number' ? 'own limit' : plan), 'nowrap'],
  ['Window', ({ spent }) => <Gauge spent={spent} />, 'wide-gauge'],
  ['Used', ({ spent }) => formatNumber(spent.used), 'number'],
  [
    'Remaining',
    ({ spent }) => [formatNumber(spent.remaining), ' ', <Muted>of {formatNumber(spent.limit)}</Muted>],
    'number nowrap',
  ],
  ['Reset', ({ spent: { resetAt } }) => (resetAt ? drawCountdown(context, resetAt) : ''), 'nowrap'],
];

const LIMIT_WORDS = {
  rolling: 'Requests of the last 60 seconds, by workspace. Each one comes back when it is a minute old.',
  fixed: 'Requests by workspace, in windows of 60 seconds that begin with a request.',
};

const drawLimits = (context: Context) => {
  const { workspaces, choices } = context.world;
  return (
    <TableCard
      title="Rate limits"
      says={LIMIT_WORDS[choices['rate-window']]}
      live="limits"
      columns={buildLimitColumns(context)}
      rows={[...workspaces.values()].map((one) => ({ ...one, spent: readSpent(context, one.id) }))}
      most={MAX_CLOCK_ROWS.workspaces}
      rest="more workspaces."
    />
  );
};

const drawTime = (context: Context) => {
  const { clock } = context.world;
  const modes = [['frozen', 'stand still'] as const, ['running', 'run'] as const];
  const value = new Date(clock.now()).toISOString().slice(0, 19);
  const fields: readonly FieldRow[] = [
    { name: 'now', label: 'Set it to (UTC)', ...TIME_INPUT, value },
    { name: 'mode', label: 'Then', value: 'frozen', options: modes },
  ];
  return (
    <Card title="Time of the world">
      <p class="big-time" id="now" data-live="">
        <WorldTime context={context} />
      </p>
      <p class="muted">
        The buttons above move it on, and make every attempt that falls due on the way at its own time. Set here, it jumps: what
        is overdue then is made at the new time. A failed delivery is tried again after{' '}
        {CLOCK_STEPS.map(({ says }) => says).join(', ')}.
      </p>
      <BarForm context={context} action="set" fields={fields} says="Set the time" />
    </Card>
  );
};

const moveClock = async (context: Context, by: string): Promise<string> => {
  if (by === 'next' && context.world.clock.next === null) return 'Nothing is due: the clock stays where it is.';
  const before = context.world.clock.now();
  const { now, deliveries: all } = await context.call('advanceClock', { body: by === 'next' ? { to: 'next' } : { by } });
  const deliveries = all.filter(({ attempts }) => attempts.some(({ at }) => Date.parse(`${at}`) > before));
  const states = ['delivered', 'retrying', 'failed'].flatMap((state) => {
    const number = deliveries.filter((one) => one.state === state).length;
    return number > 0 ? [`${number} ${state}`] : [];
  });
  const made = states.length > 0 ? ` Attempts in ${countWords(deliveries.length, 'delivery')}: ${states.join(', ')}.` : '';
  return `It is ${plainTime(Date.parse(now))} UTC now.${made}`;
};

export const clockPage: DashboardPage = {
  id: 'clock',
  path: '/dashboard/clock',
  title: 'Clock and limits',
  nav: { label: 'Clock', icon: 'clock', key: 'c', group: 'Behaviour' },
  live: ['request', 'delivery', 'clock', 'state'],
  examples: { clock: '/dashboard/clock' },
  says: () => 'Time passes when you say so: retries, rate windows and timestamps follow.',
  parts: [drawTime, drawLimits, drawDue],
  actions: {
    freeze: makeCallAction('setClock', 'The clock stands still.', () => ({ body: { mode: 'frozen' } })),
    run: makeCallAction('setClock', 'The clock runs.', () => ({ body: { mode: 'running' } })),
    advance: async (context, form) => ({ says: await moveClock(context, form.get('by') ?? '') }),
    set: makeCallAction(
      'setClock',
      ({ now }) => `It is ${plainTime(Date.parse(now))} UTC now.`,
      (form) => ({ body: { now: addUtcZone(form.get('now')?.trim() ?? ''), mode: form.get('mode') ?? 'frozen' } }),
    ),
  },
};

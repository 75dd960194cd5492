// The delivery log: each event for each receiver, newest first, with its attempts and when it is tried again.
import { EVENT_NAMES } from '../../contract/resources.ts';
import { DELIVERY_STATES } from '../../contract/states.ts';
import type { Delivery } from '../../webhooks/delivery.ts';
import type { Context } from '../context.ts';
import { In } from '../countdown.tsx';
import { type FieldRow, Filters } from '../fields.tsx';
import type { Page } from '../page.ts';
import { Card, Empty, Link, PageHead } from '../parts.tsx';
import { type Column, Pager, Table } from '../table.tsx';
import { clipped, TimeOfDay } from '../traffic-parts.tsx';
import { DELIVERIES, deliveryAt, Outcome, StateChip, WEBHOOKS, WebhookTabs } from './webhook-parts.tsx';

const MOST = 50;
const MOST_OPTIONS = 100;
const FILTERS = ['webhook_id', 'event', 'state'] as const;

const subjectOf = ({ event }: Delivery): string => {
  const record = Object.values(event.data)[0] as { title?: unknown; name?: unknown; id?: unknown } | undefined;
  return clipped(String(record?.title ?? record?.name ?? record?.id ?? ''), 80);
};

/** Each delivery as a row. */
const columnsOf = (context: Context): readonly Column<Delivery>[] => [
  ['Time', ({ event }) => <TimeOfDay at={event.created_at} />, 'nowrap muted'],
  [
    'Event',
    (delivery) => (
      <>
        <Link to={deliveryAt(context, delivery.id)} says={delivery.event.event} />
        <span class="under clip">{subjectOf(delivery)}</span>
      </>
    ),
    'asked',
  ],
  ['State', ({ state }) => <StateChip state={state} />],
  [
    'Attempts',
    ({ attempts }) => (
      <span class="chips in-line">
        {attempts.slice(-6).map((attempt) => (
          <Outcome attempt={attempt} />
        ))}
        {attempts.length === 0 ? <span class="muted">none yet</span> : null}
      </span>
    ),
  ],
  [
    'Next',
    ({ next_attempt_at: next }) =>
      next === null ? <span class="muted">—</span> : <In at={Date.parse(next)} context={context} />,
    'nowrap',
  ],
  ['Receiver', ({ url }) => <span class="clip path receiver">{clipped(url, 120)}</span>],
];

const fieldsOf = ({ world }: Context): readonly FieldRow[] => {
  const registrations = world.store.webhooks.all().slice(0, MOST_OPTIONS);
  const offered = registrations.map(({ value }) => [value.id, `${value.id} · ${clipped(value.url, 60)}`] as const);
  return [
    { name: 'webhook_id', label: 'Registration', options: [['', 'any'], ...offered] },
    { name: 'event', label: 'Event', options: [['', 'any'], ...EVENT_NAMES] },
    { name: 'state', label: 'State', options: [['', 'any'], ...DELIVERY_STATES] },
  ];
};

/** The deliveries that fit, newest first, from before one of them on. */
const pageOf = (context: Context): { shown: readonly Delivery[]; more: boolean } => {
  const filter = Object.fromEntries(FILTERS.map((name) => [name, context.query(name) || undefined]));
  const all = context.instance.webhooks.deliveries.list(filter);
  const before = context.query('before');
  const found = before === undefined ? -1 : all.findIndex(({ id }) => id === before);
  const end = found < 0 ? all.length : found;
  const start = Math.max(0, end - MOST);
  return { shown: all.slice(start, end).reverse(), more: start > 0 };
};

const Deliveries = ({ context }: { context: Context }) => {
  const { shown, more } = pageOf(context);
  const before = context.query('before');
  const none = context.instance.webhooks.deliveries.size === 0;
  return (
    <>
      <PageHead
        title="Deliveries"
        says="Every event that was announced, to each receiver that asked for it, with each attempt to hand it over."
      />
      <WebhookTabs context={context} current="deliveries" />
      <Filters context={context} label="Filter the deliveries" fields={fieldsOf(context)} />
      <Card live="deliveries" flush>
        {shown.length > 0 ? (
          <>
            <Table label="Deliveries" columns={columnsOf(context)} rows={shown} id={({ id }) => id} heading={1} />
            <Pager
              says={before ? 'Earlier deliveries.' : 'The newest.'}
              back={before && [context.here({ before: undefined }), 'Newest']}
              next={more && [context.here({ before: shown.at(-1)?.id }), 'Older']}
            />
          </>
        ) : none ? (
          <Empty
            title="Nothing was announced yet"
            curl={`curl -X POST "${context.baseUrl}/projects" -H "Authorization: Bearer <write key>" -H "Content-Type: application/json" -d '{"name":"Hello"}'`}
          >
            Events are announced when tasks and projects change, and when members are invited or join, if{' '}
            <a href={context.href(WEBHOOKS)}>somebody is registered</a> for them.
          </Empty>
        ) : (
          <Empty title="No delivery fits">
            Nothing in the log is what you ask for. <a href={context.href(context.asked.path)}>Show them all</a>.
          </Empty>
        )}
      </Card>
    </>
  );
};

export const deliveries: Page = {
  id: 'deliveries',
  path: DELIVERIES,
  title: 'Deliveries',
  live: ['delivery', 'clock', 'state'],
  examples: { deliveries: DELIVERIES, 'deliveries-retrying': `${DELIVERIES}?state=retrying` },
  render: (context) => <Deliveries context={context} />,
};

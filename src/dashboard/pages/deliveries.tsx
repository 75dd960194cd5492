// The delivery log: each event for each receiver, newest first, with its attempts and when it is tried again.
import { clipText } from '../../mock/control/fault-words.ts';
import { EVENT_NAMES } from '../../service/contract/resources.ts';
import { DELIVERY_STATES } from '../../service/contract/states.ts';
import type { Delivery } from '../../service/webhooks/delivery.ts';
import { drawCountdown } from '../clock-bar.tsx';
import type { Context } from '../context.ts';
import { WordChip } from '../data/cells.tsx';
import { shorten } from '../data/collection.ts';
import { type FieldRow, FilterForm, offerAny } from '../fields.tsx';
import type { DashboardPage } from '../page.ts';
import { AbsoluteTime, Empty, Link, Muted, ZoneName } from '../parts.tsx';
import { type Column, EventLog, readLogPage } from '../table.tsx';
import { AttemptOutcome, DELIVERIES_PATH, deliveryHref, drawWebhookTabs, subjectOf, WEBHOOKS_PATH } from './webhook-parts.tsx';

const MAX_REGISTRATION_OPTIONS = 100;

const nameSubject = ({ title, name, id }: ReturnType<typeof subjectOf>): string => shorten(title ?? name ?? id, 80);

export const buildDeliveryColumns = (context: Context): readonly Column<Delivery>[] => [
  [['Time ', <ZoneName />], ({ event }) => <AbsoluteTime at={event.created_at} from={11} />, 'nowrap muted'],
  [
    'Event',
    (delivery) => [
      <Link to={deliveryHref(context, delivery.id)} says={delivery.event.event} />,
      <span class="under clip">{nameSubject(subjectOf(delivery))}</span>,
    ],
    'asked',
  ],
  ['State', ({ state }) => <WordChip word={state} />],
  [
    'Attempts',
    ({ attempts }) => {
      const newest = attempts.slice(-6).map((attempt) => <AttemptOutcome attempt={attempt} />);
      return newest.length > 0 ? <span class="chips in-line">{newest}</span> : <Muted>none yet</Muted>;
    },
  ],
  ['Next', ({ next_attempt_at: at }) => (at === null ? <Muted>—</Muted> : drawCountdown(context, Date.parse(at))), 'nowrap'],
  ['Receiver', ({ url }) => <span class="clip path receiver">{clipText(url, 120)}</span>],
];

const buildDeliveryFilters = ({ world }: Context): readonly FieldRow[] => {
  const registrations = world.store.webhooks.all().slice(0, MAX_REGISTRATION_OPTIONS);
  const offered = registrations.map(({ value }) => [value.id, `${value.id} · ${clipText(value.url, 60)}`] as const);
  return [
    { name: 'webhook_id', label: 'Registration', options: offerAny(offered) },
    { name: 'event', label: 'Event', options: offerAny(EVENT_NAMES) },
    { name: 'state', label: 'State', options: offerAny(DELIVERY_STATES) },
  ];
};

const drawDeliveryLog = (context: Context) => {
  const { deliveries } = context.instance.webhooks;
  const all = deliveries.list(context.queries('webhook_id', 'event', 'state'));
  const since = all.findIndex(({ id }) => id === context.query('since'));
  const curl = context.postLine('/v1/projects', '{"name":"Hello"}', 'write');
  return (
    <EventLog
      context={context}
      label="Deliveries"
      columns={buildDeliveryColumns(context)}
      {...readLogPage(context, all.slice(Math.max(0, since)))}
      kept={deliveries.size}
    >
      <Empty title="Nothing was announced yet" curl={curl}>
        Events are announced when tasks and projects change, and when members are invited or join, if{' '}
        <a href={context.href(WEBHOOKS_PATH)}>a receiver is registered</a> for them.
      </Empty>
    </EventLog>
  );
};

export const deliveriesPage: DashboardPage = {
  id: 'deliveries',
  path: DELIVERIES_PATH,
  title: 'Deliveries',
  live: ['delivery', 'clock', 'state'],
  examples: { deliveries: DELIVERIES_PATH, 'deliveries-retrying': `${DELIVERIES_PATH}?state=retrying` },
  says: () => 'Each event to each receiver that asked for it, with every attempt to hand it over.',
  parts: [
    drawWebhookTabs,
    (context) => <FilterForm context={context} label="Filter the deliveries" fields={buildDeliveryFilters(context)} />,
    drawDeliveryLog,
  ],
};

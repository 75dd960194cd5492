// Webhooks: the registrations with their events, the states of their deliveries, and the next outcomes to simulate.
import { clipText } from '../../mock/control/fault-words.ts';
import type { StoredRecord } from '../../mock/control/record-types.ts';
import { EVENT_NAMES } from '../../service/contract/resources.ts';
import { DELIVERY_STATES, type DeliveryState } from '../../service/contract/states.ts';
import type { Context } from '../context.ts';
import { WordChip } from '../data/cells.tsx';
import { Confirm, type FieldRow, FieldsForm, workspaceField } from '../fields.tsx';
import type { Done } from '../form.ts';
import { type DashboardPage, makeCallAction } from '../page.ts';
import { Card, Chip, Empty, Facts, formatNumber, LinkButton, Mono, Muted, RelativeTime, RestCount } from '../parts.tsx';
import { DELIVERIES_PATH, drawWebhookTabs, inboxUrl, SimulateForm, simulateAction, WEBHOOKS_PATH } from './webhook-parts.tsx';

const MAX_REGISTRATIONS_SHOWN = 20;

type StateCounts = Readonly<Partial<Record<DeliveryState, number>>>;

const countByState = ({ instance }: Context): ReadonlyMap<string, StateCounts> => {
  const counts = new Map<string, Partial<Record<DeliveryState, number>>>();
  for (const { delivery } of instance.webhooks.deliveries.log.all()) {
    const own = counts.get(delivery.webhook_id) ?? {};
    own[delivery.state] = (own[delivery.state] ?? 0) + 1;
    counts.set(delivery.webhook_id, own);
  }
  return counts;
};

const drawStates = (context: Context, id: string, counts: StateCounts) => {
  const links = DELIVERY_STATES.filter((state) => counts[state]).map((state) => (
    <a class="counted" href={context.href(DELIVERIES_PATH, { webhook_id: id, state })}>
      <WordChip word={state} /> {formatNumber(counts[state]!)}
    </a>
  ));
  return (
    <span class="row" id={`states-${id}`} data-live="">
      {links.length === 0 ? <Muted>none yet</Muted> : links}
    </span>
  );
};

const drawRegistration = (context: Context, record: StoredRecord<'webhooks'>, counts: StateCounts = {}) => {
  const { id, url, workspace_id, events, created_at } = record;
  const named =
    events.length === EVENT_NAMES.length ? <Chip tone="info">all events</Chip> : events.map((name) => <Chip>{name}</Chip>);
  const facts = [
    [
      'Registration',
      <>
        <Mono text={id} copy /> <Muted>in {context.world.workspaces.get(workspace_id)?.name ?? workspace_id}, </Muted>
        <RelativeTime at={created_at} context={context} />
      </>,
    ],
    ['Events', <span class="chips">{named}</span>],
    ['Deliveries', drawStates(context, id, counts)],
  ] as const;
  return (
    <Card id={id} title={<span class="path">{clipText(url, 200)}</span>}>
      <Facts of={facts} />
      <SimulateForm context={context} id={id} />
      <div class="actions">
        <LinkButton to={context.href(DELIVERIES_PATH, { webhook_id: id })} says="Deliveries" />
        <Confirm context={context} action="delete" hidden={{ id }} ask="Delete…" button="Delete it">
          Nothing is sent there any more; pending retries fail.
        </Confirm>
      </div>
    </Card>
  );
};

const URL_HINT = 'Any receiver on this machine. The built-in inbox keeps what it gets and responds as you set it.';

const buildRegisterFields = (context: Context): readonly FieldRow[] => [
  { name: 'url', label: 'URL', width: 'wide', value: inboxUrl(context, 'mine'), hint: URL_HINT },
  { name: 'events', label: 'Events', multiple: true, options: EVENT_NAMES, hint: 'None chosen: all of them.' },
  workspaceField(context),
];

const drawRegister = (context: Context) =>
  context.isMaking('register') && (
    <Card title="Register a receiver" says="As POST /v1/webhooks does. Its signing secret is shown once, when it is made.">
      <FieldsForm
        context={context}
        label="Register a receiver"
        fields={buildRegisterFields(context)}
        action="register"
        says="Register"
        leave={[context.href(WEBHOOKS_PATH), 'Cancel']}
      />
    </Card>
  );

const drawRegistrations = async (context: Context) => {
  const { items } = await context.call('listWebhookRecords');
  if (items.length === 0) {
    const curl = context.postLine('/v1/webhooks', `{"url":"${inboxUrl(context, 'mine')}"}`, 'admin');
    return (
      <Card>
        <Empty title="No webhook is registered yet" curl={curl}>
          Register a receiver, here or through the API. Without one of your own, use the built-in inbox:
        </Empty>
      </Card>
    );
  }
  const counts = countByState(context);
  const only = context.query('id');
  if (only)
    return items.filter(({ id }) => id === only).map((record) => drawRegistration(context, record, counts.get(record.id)));
  return [
    items.slice(0, MAX_REGISTRATIONS_SHOWN).map((record) => drawRegistration(context, record, counts.get(record.id))),
    <RestCount of={items.length} shown={MAX_REGISTRATIONS_SHOWN} says="more: GET /_mock/data/webhooks lists them all." />,
  ];
};

const registerAction = async (context: Context, form: URLSearchParams): Promise<Done> => {
  const events = form.getAll('events').filter((name) => name !== '');
  const made = (await context.perform('createWebhook', {
    workspace: form.get('workspace') ?? context.workspace.id,
    body: { url: form.get('url')?.trim() ?? '', events: events.length > 0 ? events : [...EVENT_NAMES] },
  })) as { data?: { secret: string }; secret?: string };
  return {
    to: context.href(WEBHOOKS_PATH),
    says: 'It is registered, and told from now on.',
    once: { label: 'Its signing secret, shown this once:', value: (made.data ?? made).secret ?? '' },
  };
};

export const webhooksPage: DashboardPage = {
  id: 'webhooks',
  path: WEBHOOKS_PATH,
  title: 'Webhooks',
  nav: { label: 'Webhooks', icon: 'webhooks', key: 'w', group: 'Traffic' },
  live: ['delivery', 'state'],
  examples: { webhooks: WEBHOOKS_PATH, 'webhook-new': `${WEBHOOKS_PATH}?new=1` },
  says: () => 'Receivers of events. Events are signed; failures are retried on the clock of the world.',
  side: (context) =>
    !context.isMaking('register') && (
      <LinkButton to={context.href(WEBHOOKS_PATH, { new: 1 })} says="Register a receiver" kind="primary" icon="plus" />
    ),
  parts: [drawWebhookTabs, drawRegister, drawRegistrations],
  actions: {
    register: registerAction,
    simulate: simulateAction,
    delete: makeCallAction('deleteWebhookRecord', (_, { about, context }) => ({
      to: context.href(WEBHOOKS_PATH),
      says: `${about} is deleted.`,
    })),
  },
};

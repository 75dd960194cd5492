// Webhooks: who is told of what, how it went so far, and how it is to go next.
import { EVENT_NAMES } from '../../contract/resources.ts';
import { DELIVERY_STATES, type DeliveryState } from '../../contract/states.ts';
import type { ControlAnswer } from '../../control/invoke.ts';
import type { Context } from '../context.ts';
import { Confirm, Do, Field, Form } from '../fields.tsx';
import { Icon } from '../icons.tsx';
import type { Done } from '../notes.ts';
import type { Page } from '../page.ts';
import { Card, Chip, Empty, Mono, PageHead, Time } from '../parts.tsx';
import { clipped } from '../traffic-parts.tsx';
import { StateChip } from './delivery-parts.tsx';
import { DELIVERIES, Simulate, simulate, WEBHOOKS, WebhookTabs } from './webhook-parts.tsx';

const MOST = 20;

type Registration = ControlAnswer<'listWebhooks'>['items'][number];
type Counts = Readonly<Partial<Record<DeliveryState, number>>>;

/** How many deliveries of each registration stand in each state. */
const countsOf = ({ instance }: Context): ReadonlyMap<string, Counts> => {
  const counts = new Map<string, Partial<Record<DeliveryState, number>>>();
  for (const { delivery } of instance.webhooks.deliveries.held()) {
    const own = counts.get(delivery.webhook_id) ?? {};
    own[delivery.state] = (own[delivery.state] ?? 0) + 1;
    counts.set(delivery.webhook_id, own);
  }
  return counts;
};

const States = ({ context, id, counts }: { context: Context; id: string; counts: Counts }) => {
  const some = DELIVERY_STATES.filter((state) => counts[state]);
  if (some.length === 0) return <span class="muted">No deliveries yet.</span>;
  return (
    <>
      {some.map((state) => (
        <a class="counted" href={context.href(DELIVERIES, { webhook_id: id, state })}>
          <StateChip state={state} /> {counts[state]!.toLocaleString('en')}
        </a>
      ))}
    </>
  );
};

const One = ({ context, registration, counts }: { context: Context; registration: Registration; counts: Counts }) => {
  const { id, url, workspace_id, events, created_at } = registration;
  return (
    <Card id={id} title={<span class="path">{clipped(url, 200)}</span>}>
      <dl class="facts">
        <dt>Registration</dt>
        <dd>
          <Mono text={id} copy />{' '}
          <span class="muted">in {context.world.workspaces.get(workspace_id)?.name ?? workspace_id}, </span>
          <Time at={created_at} context={context} />
        </dd>
        <dt>Events</dt>
        <dd class="chips">
          {events.length === EVENT_NAMES.length ? <Chip tone="info">all events</Chip> : events.map((name) => <Chip>{name}</Chip>)}
        </dd>
        <dt>Deliveries</dt>
        <dd class="row" id={`states-${id}`} data-live="">
          <States context={context} id={id} counts={counts} />
        </dd>
      </dl>
      <Simulate context={context} id={id} />
      <div class="actions">
        <a class="button" href={context.href(DELIVERIES, { webhook_id: id })}>
          Deliveries
        </a>
        <Confirm
          ask="Delete…"
          says="Nobody is told there any more; what was still to be retried fails."
          context={context}
          action="delete"
          hidden={{ id }}
          button="Delete it"
        />
      </div>
    </Card>
  );
};

const New = ({ context }: { context: Context }) => {
  const form = context.form('register');
  const workspaces = [...context.world.workspaces.values()].map(({ id, name }) => [id, name] as const);
  return (
    <Card title="Register a receiver" says="As POST /v1/webhooks does. Its signing secret is shown once, when it is made.">
      <Form context={context} label="Register a receiver">
        <div class="fields">
          <Field
            form={form}
            name="url"
            label="URL"
            wide
            value={`${context.url.origin}${context.base}/_mock/inbox/mine`}
            hint="Any receiver on this machine. The built-in inbox keeps what it is sent and answers as it is told."
          />
          <Field
            form={form}
            name="events"
            label="Events"
            multiple
            value=""
            options={[...EVENT_NAMES]}
            hint="None chosen: all of them."
          />
          <Field form={form} name="workspace" label="Workspace" value={context.workspace.id} options={workspaces} />
          <div class="submit">
            <Do action="register" kind="primary">
              Register
            </Do>
            <a class="button quiet" href={context.href(WEBHOOKS)}>
              Cancel
            </a>
          </div>
        </div>
      </Form>
    </Card>
  );
};

const curlOf = ({ baseUrl, url, base }: Context): string =>
  `curl -X POST "${baseUrl}/webhooks" -H "Authorization: Bearer <admin key>" -H "Content-Type: application/json" -d '{"url":"${url.origin}${base}/_mock/inbox/mine"}'`;

const Webhooks = async ({ context }: { context: Context }) => {
  const { items } = await context.call('listWebhooks');
  const counts = countsOf(context);
  const only = context.query('id');
  const shown = only ? items.filter(({ id }) => id === only) : items.slice(0, MOST);
  const making = context.query('new') !== undefined || context.failure?.action === 'register';
  return (
    <>
      <PageHead
        title="Webhooks"
        says="Who is told of what happens. Events go out signed; failures are retried on the clock of the world."
      >
        {making ? null : (
          <a class="button primary" href={context.href(WEBHOOKS, { new: 1 })}>
            <Icon name="plus" />
            Register a receiver
          </a>
        )}
      </PageHead>
      <WebhookTabs context={context} current="webhooks" />
      {making ? <New context={context} /> : null}
      {shown.map((registration) => (
        <One context={context} registration={registration} counts={counts.get(registration.id) ?? {}} />
      ))}
      {items.length === 0 ? (
        <Card>
          <Empty title="Nobody is told of anything yet" curl={curlOf(context)}>
            Register a receiver, here or through the API. Without one of your own, use the built-in inbox:
          </Empty>
        </Card>
      ) : null}
      {only === undefined && items.length > MOST ? (
        <p class="muted">And {(items.length - MOST).toLocaleString('en')} more: GET /_mock/webhooks lists them all.</p>
      ) : null}
    </>
  );
};

const register = async (context: Context, form: URLSearchParams): Promise<Done> => {
  const events = form.getAll('events').filter((name) => name !== '');
  const made = context.perform('createWebhook', {
    workspace: form.get('workspace') ?? context.workspace.id,
    body: { url: form.get('url')?.trim() ?? '', events: events.length > 0 ? events : [...EVENT_NAMES] },
  }) as { data?: { secret: string }; secret?: string };
  return {
    to: context.href(WEBHOOKS),
    says: 'It is registered, and told from now on.',
    once: { label: 'Its signing secret, shown this once:', value: (made.data ?? made).secret ?? '' },
  };
};

export const webhooks: Page = {
  id: 'webhooks',
  path: WEBHOOKS,
  title: 'Webhooks',
  nav: { label: 'Webhooks', icon: 'webhooks', key: 'w', group: 'Traffic' },
  live: ['delivery', 'state'],
  examples: { webhooks: WEBHOOKS, 'webhook-new': `${WEBHOOKS}?new=1` },
  render: (context) => Webhooks({ context }),
  actions: {
    register,
    simulate,
    delete: async (context, form) => {
      const id = form.get('id') ?? '';
      await context.call('deleteWebhook', { variable: id });
      return { to: context.href(WEBHOOKS), says: `${id} is deleted.` };
    },
  },
};

// The delivery log: each event for each receiver, newest first, with its attempts and when it is tried again.
import { EVENT_NAMES } from '../../contract/resources.ts';
import { DELIVERY_STATES } from '../../contract/states.ts';
import type { Delivery } from '../../webhooks/delivery.ts';
import type { Context } from '../context.ts';
import { Until } from '../countdown.tsx';
import { Field } from '../fields.tsx';
import { Icon } from '../icons.tsx';
import type { Page } from '../page.ts';
import { Card, Empty, PageHead, Table } from '../parts.tsx';
import { clipped } from '../traffic-parts.tsx';
import { Outcome, StateChip } from './delivery-parts.tsx';
import { DELIVERIES, WEBHOOKS, WebhookTabs } from './webhook-parts.tsx';

const MOST = 50;
const MOST_OPTIONS = 100;
const FILTERS = ['webhook_id', 'event', 'state'] as const;

const subjectOf = ({ event }: Delivery): string => {
  const record = Object.values(event.data)[0] as { title?: unknown; name?: unknown; id?: unknown } | undefined;
  return clipped(String(record?.title ?? record?.name ?? record?.id ?? ''), 80);
};

const Row = ({ delivery, context }: { delivery: Delivery; context: Context }) => {
  const { id, event, url, state, attempts, next_attempt_at: next } = delivery;
  return (
    <tr data-row={id}>
      <td class="nowrap muted when">
        <time datetime={event.created_at} title={event.created_at}>
          {event.created_at.slice(11, 19)}
        </time>
      </td>
      <th scope="row" class="asked">
        <a class="link" href={context.href(`${DELIVERIES}/${encodeURIComponent(id)}`)}>
          {event.event}
        </a>
        <span class="under clip">{subjectOf(delivery)}</span>
      </th>
      <td>
        <StateChip state={state} />
      </td>
      <td>
        <span class="chips in-line">
          {attempts.slice(-6).map((attempt) => (
            <Outcome attempt={attempt} />
          ))}
          {attempts.length === 0 ? <span class="muted">none yet</span> : null}
        </span>
      </td>
      <td class="nowrap">
        {next === null ? (
          <span class="muted">—</span>
        ) : (
          <>
            in <Until at={Date.parse(next)} context={context} />
          </>
        )}
      </td>
      <td>
        <span class="clip path receiver">{clipped(url, 120)}</span>
      </td>
    </tr>
  );
};

const Filters = ({ context }: { context: Context }) => {
  const form = context.form('filter');
  const registrations = context.world.store.webhooks.all().slice(0, MOST_OPTIONS);
  return (
    <form method="get" action={context.href(context.path)} class="bar" aria-label="Filter the deliveries">
      <Field
        form={form}
        name="webhook_id"
        label="Registration"
        value={context.query('webhook_id') ?? ''}
        options={[
          ['', 'any'],
          ...registrations.map(({ value }) => [value.id, `${value.id} · ${clipped(value.url, 60)}`] as const),
        ]}
        submits
      />
      <Field
        form={form}
        name="event"
        label="Event"
        value={context.query('event') ?? ''}
        options={[['', 'any'], ...EVENT_NAMES]}
        submits
      />
      <Field
        form={form}
        name="state"
        label="State"
        value={context.query('state') ?? ''}
        options={[['', 'any'], ...DELIVERY_STATES]}
        submits
      />
      <button type="submit" class="button nojs">
        Apply
      </button>
      {FILTERS.some((name) => context.query(name)) ? (
        <a class="button quiet" href={context.href(context.path)}>
          Clear
        </a>
      ) : null}
    </form>
  );
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
  const none = context.instance.webhooks.deliveries.size === 0;
  return (
    <>
      <PageHead
        title="Deliveries"
        says="Every event that was announced, to each receiver that asked for it, with each attempt to hand it over."
      />
      <WebhookTabs context={context} current="deliveries" />
      <Filters context={context} />
      <Card live="deliveries" flush>
        {shown.length > 0 ? (
          <>
            <Table
              label="Deliveries"
              columns={[<span class="when">Time</span>, 'Event', 'State', 'Attempts', 'Next', 'Receiver']}
            >
              {shown.map((delivery) => (
                <Row delivery={delivery} context={context} />
              ))}
            </Table>
            <nav class="pager" aria-label="Pages of the list">
              <span class="muted">{context.query('before') ? 'Earlier deliveries.' : 'The newest.'}</span>
              <span class="actions">
                {context.query('before') ? (
                  <a class="button small" href={context.here({ before: undefined })}>
                    Newest
                  </a>
                ) : null}
                {more ? (
                  <a class="button small" href={context.here({ before: shown.at(-1)?.id })} rel="next">
                    Older
                    <Icon name="right" />
                  </a>
                ) : null}
              </span>
            </nav>
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
            Nothing in the log is what you ask for. <a href={context.href(context.path)}>Show them all</a>.
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

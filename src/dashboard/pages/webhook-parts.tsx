// Parts of the pages about webhooks: addresses, tabs, outcomes of attempts, and the form that orders the next outcomes.
import { type Attempt, acknowledged, type Delivery } from '../../service/webhooks/delivery.ts';
import type { Context } from '../context.ts';
import { BarForm, PageForm } from '../fields.tsx';
import type { Action } from '../page.ts';
import { Chip, countWords, Muted, RestCount, Tabs } from '../parts.tsx';

export const WEBHOOKS_PATH = '/dashboard/webhooks';
export const DELIVERIES_PATH = '/dashboard/webhooks/deliveries';
export const INBOX_PATH = '/dashboard/webhooks/inbox';

export const deliveryHref = (context: Context, id: string): string =>
  context.href(`${DELIVERIES_PATH}/${encodeURIComponent(id)}`);

const MAX_DELIVERIES_NOTED = 3;

/** Links of a note to the deliveries that a form caused. */
export const drawNotedDeliveries = (context: Context, ids: readonly string[]) => {
  if (ids.length > MAX_DELIVERIES_NOTED)
    return <a href={context.href(DELIVERIES_PATH, { since: ids[0] })}>{countWords(ids.length, 'delivery')} →</a>;
  return ids.map((id) => {
    const { event, url } = context.instance.webhooks.deliveries.get(id) ?? {};
    return event && url && [<a href={deliveryHref(context, id)}>{`${event.event} to ${new URL(url).host} →`}</a>, ' '];
  });
};

/** The record that an event is about. */
export const subjectOf = ({ event }: Pick<Delivery, 'event'>) =>
  Object.values(event.data)[0] as { readonly id: string; readonly title?: string; readonly name?: string };

export const inboxUrl = ({ url, base }: Context, name: string): string =>
  `${url.origin}${base}/_mock/inbox/${encodeURIComponent(name)}`;

export const drawWebhookTabs = (context: Context) => {
  const { world, webhooks, inbox } = context.instance;
  const counts = [
    ['Registrations', WEBHOOKS_PATH, world.store.webhooks.size],
    ['Deliveries', DELIVERIES_PATH, webhooks.deliveries.size],
    ['Inbox', INBOX_PATH, inbox.boxes.size],
  ] as const;
  const tabOf = (path: string) => ({ to: context.href(path), current: context.asked.path === path });
  return <Tabs label="Webhooks" tabs={counts.map(([label, path, count]) => ({ label, count, ...tabOf(path) }))} />;
};

const QUICK_OUTCOMES = ['500', '429', '302', 'timeout', 'refused', '200'];

export const OrderedOutcomes = ({ ordered, most }: { ordered: readonly (string | number)[]; most: number }) =>
  ordered.length === 0 ? null : (
    <div class="row">
      <Muted>Ordered:</Muted>
      {ordered.slice(0, most).map((outcome) => (
        <Chip tone="info">{String(outcome)}</Chip>
      ))}
      <RestCount of={ordered.length} shown={most} />
    </div>
  );

export const SimulateForm = ({ context, id }: { context: Context; id: string }) => {
  const form = context.asked.failure?.form.get('id') === id ? context.form('simulate') : context.form('simulate of another');
  const placeholder = '500, timeout, 302, 200';
  const fields = [{ name: 'outcomes', scope: `simulate-${id}`, label: 'Or several in turn', placeholder }];
  return (
    <div class="stack simulate">
      <div class="row">
        <Muted>The next attempt ends as</Muted>
        <PageForm context={context} kind="inline" label={`End the next attempt of ${id}`} hidden={{ id, do: 'simulate' }}>
          {QUICK_OUTCOMES.map((outcome) => (
            <button type="submit" name="outcomes" value={outcome} class="button small">
              {outcome}
            </button>
          ))}
        </PageForm>
      </div>
      <BarForm
        context={context}
        form={form}
        action="simulate"
        label={`End the next attempts of ${id}`}
        hidden={{ id }}
        fields={fields}
        says="Set"
      />
      <OrderedOutcomes ordered={context.instance.webhooks.scripts.of(id)} most={12} />
    </div>
  );
};

/** The words of a list that was typed, numbers where they are numbers. */
export const parseOutcomes = (text: string): (string | number)[] =>
  text
    .split(/[\s,;]+/)
    .filter((part) => part !== '')
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part));

export const simulateAction: Action = async (context, form) => {
  const outcomes = parseOutcomes(form.get('outcomes') ?? '');
  await context.call('simulateWebhook', { variable: form.get('id') ?? '', body: { outcomes } });
  const [only] = outcomes;
  return {
    says: outcomes.length === 1 ? `The next attempt ends as ${only}.` : `The next ${outcomes.length} attempts end as ordered.`,
  };
};

/** `500`, or how the connection failed. */
export const AttemptOutcome = ({ attempt }: { attempt: Attempt }) => (
  <Chip tone={acknowledged(attempt) ? 'good' : 'bad'}>
    {attempt.status === undefined ? attempt.outcome : String(attempt.status)}
  </Chip>
);

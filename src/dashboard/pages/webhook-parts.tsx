// Parts of the pages about webhooks: the tabs between them, and the form that orders how attempts end.
import type { Context } from '../context.ts';
import { Do, Field, Form, Hidden } from '../fields.tsx';
import type { Done } from '../notes.ts';
import { Chip, Tabs } from '../parts.tsx';

export const WEBHOOKS = '/dashboard/webhooks';
export const DELIVERIES = '/dashboard/webhooks/deliveries';
export const INBOX = '/dashboard/webhooks/inbox';

export const WebhookTabs = ({ context, current }: { context: Context; current: 'webhooks' | 'deliveries' | 'inbox' }) => {
  const { world, webhooks, inbox } = context.instance;
  return (
    <Tabs
      label="Webhooks"
      tabs={[
        {
          label: 'Registrations',
          to: context.href(WEBHOOKS),
          current: current === 'webhooks',
          count: world.store.webhooks.size,
        },
        { label: 'Deliveries', to: context.href(DELIVERIES), current: current === 'deliveries', count: webhooks.deliveries.size },
        { label: 'Inbox', to: context.href(INBOX), current: current === 'inbox', count: inbox.boxes.size },
      ]}
    />
  );
};

const QUICK = ['500', '429', '302', 'timeout', 'refused', '200'];
const MOST_AHEAD = 12;

/** Orders how the next attempts of a registration end. */
export const Simulate = ({ context, id }: { context: Context; id: string }) => {
  const ahead = context.instance.webhooks.ordered(id);
  const form = context.failure?.form.get('id') === id ? context.form('simulate') : context.form('simulate of another');
  return (
    <div class="stack simulate">
      <div class="row">
        <span class="muted">The next attempt ends as</span>
        <Form context={context} inline label={`End the next attempt of ${id}`}>
          <Hidden values={{ id, do: 'simulate' }} />
          {QUICK.map((outcome) => (
            <button type="submit" name="outcomes" value={outcome} class="button small">
              {outcome}
            </button>
          ))}
        </Form>
      </div>
      <Form context={context} label={`End the next attempts of ${id}`}>
        <Hidden values={{ id }} />
        <div class="bar">
          <Field
            form={form}
            name="outcomes"
            scope={`simulate-${id}`}
            label="Or several in turn"
            placeholder="500, timeout, 302, 200"
          />
          <Do action="simulate">Order</Do>
        </div>
      </Form>
      {ahead.length > 0 ? (
        <p class="row">
          <span class="muted">Ordered:</span>
          {ahead.slice(0, MOST_AHEAD).map((outcome) => (
            <Chip tone="info">{String(outcome)}</Chip>
          ))}
          {ahead.length > MOST_AHEAD ? <span class="muted">and {ahead.length - MOST_AHEAD} more</span> : null}
        </p>
      ) : null}
    </div>
  );
};

const outcomesIn = (text: string): (string | number)[] =>
  text
    .split(/[\s,;]+/)
    .filter((part) => part !== '')
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part));

/** The action of that form. */
export const simulate = async (context: Context, form: URLSearchParams): Promise<Done> => {
  const outcomes = outcomesIn(form.get('outcomes') ?? '');
  await context.call('simulateWebhook', { variable: form.get('id') ?? '', body: { outcomes } });
  const [only] = outcomes;
  return {
    says: outcomes.length === 1 ? `The next attempt ends as ${only}.` : `The next ${outcomes.length} attempts end as ordered.`,
  };
};

// Faults: failures to order, from presets or of one's own, how often each has struck, and the answers that one keeps back.
import { OPERATION_IDS } from '../../contract/operations.ts';
import type { Fault } from '../../world/faults.ts';
import type { Context } from '../context.ts';
import { Confirm, Do, Field, Form, Hidden } from '../fields.tsx';
import type { Page } from '../page.ts';
import { Card, Chip, Empty, PageHead, Table } from '../parts.tsx';
import { draftIn, effectSays, matchSays, oftenSays, PRESETS } from './fault-drafts.ts';

const MOST_FAULTS = 100;
const MOST_KEYS = 100;
const METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'];
const STATUSES = ['400', '401', '403', '404', '409', '413', '422', '429', '500', '502', '503', '504'];
const PATH = '/dashboard/faults';

const Presets = ({ context }: { context: Context }) => (
  <Card
    title="Presets"
    says="One click each. They strike every request to /v1 until they are removed, or have struck often enough."
  >
    <Form context={context} label="Presets">
      <Hidden values={{ do: 'preset' }} />
      <div class="presets">
        {Object.entries(PRESETS).map(([name, { label, says }]) => (
          <button type="submit" name="preset" value={name} class="preset">
            <span class="strong">{label}</span>
            <span class="muted">{says}</span>
          </button>
        ))}
      </div>
    </Form>
  </Card>
);

const Row = ({ fault, context }: { fault: Fault; context: Context }) => {
  const { id, match, effect, seen, hits, held, released, times } = fault;
  const spent = times !== undefined && hits >= times;
  const keyName = (key: string) => context.world.store.keys.get(key)?.value.name ?? key;
  return (
    <tr data-row={id}>
      <th scope="row" class="nowrap">
        {id}
      </th>
      <td>
        <span class="path">{matchSays(match, keyName)}</span>
      </td>
      <td>{effectSays(effect)}</td>
      <td class="nowrap">
        {oftenSays(fault)} {spent ? <Chip>used up</Chip> : null}
      </td>
      <td class="number nowrap">
        <span class="strong">{hits.toLocaleString('en')}</span> <span class="muted">of {seen.toLocaleString('en')}</span>
      </td>
      <td class="number">{effect.hold ? released ? <Chip>released</Chip> : held.size.toLocaleString('en') : ''}</td>
      <td class="end">
        <Form context={context} inline label={`Fault ${id}`}>
          <Hidden values={{ id }} />
          {effect.hold && !released ? (
            <Do action="release" small label={`Release ${id}`}>
              Release
            </Do>
          ) : null}
          <Do action="remove" kind="quiet" small label={`Remove ${id}`}>
            Remove
          </Do>
        </Form>
      </td>
    </tr>
  );
};

const Ordered = ({ context }: { context: Context }) => {
  const all = context.instance.faults.list();
  return (
    <Card title="Ordered faults" says="The first that strikes a request is the only one." live="faults" flush>
      {all.length > 0 ? (
        <>
          <Table
            label="Ordered faults"
            columns={[
              'Fault',
              'Requests',
              'Effect',
              'How often',
              { head: 'Hits', number: true },
              { head: 'Held', number: true },
              '',
            ]}
          >
            {all.slice(0, MOST_FAULTS).map((fault) => (
              <Row fault={fault} context={context} />
            ))}
          </Table>
          {all.length > MOST_FAULTS ? <p class="muted">And {all.length - MOST_FAULTS} more.</p> : null}
        </>
      ) : (
        <Empty
          title="Everything works"
          curl={`curl -X POST "${context.url.origin}${context.base}/_mock/faults" -H "Content-Type: application/json" -d '{"match":{"path":"/tasks*"},"effect":{"status":503},"times":1}'`}
        >
          Order a fault above or below, or from a test:
        </Empty>
      )}
    </Card>
  );
};

const Own = ({ context }: { context: Context }) => {
  const form = context.form('order');
  const keys = context.world.store.keys.all().slice(0, MOST_KEYS);
  const field = (name: string) => context.query(name) ?? '';
  return (
    <Card title="A fault of your own" says="What is left open fits every request." id="new">
      <Form context={context} label="A fault of your own">
        <h3>Which requests</h3>
        <div class="fields">
          <Field
            form={form}
            name="match.operation"
            label="Operation"
            value={field('operation')}
            options={[['', 'any'], ...OPERATION_IDS]}
          />
          <Field form={form} name="match.method" label="Method" value={field('method')} options={[['', 'any'], ...METHODS]} />
          <Field form={form} name="match.path" label="Path" value={field('path')} placeholder="/tasks/*" />
          <Field
            form={form}
            name="match.key"
            label="Key"
            value={field('key')}
            options={[['', 'any'], ...keys.map(({ value }) => [value.id, `${value.name} (${value.scope})`] as const)]}
          />
        </div>
        <h3>What happens</h3>
        <div class="fields">
          <Field
            form={form}
            name="effect.status"
            label="Status"
            value={field('status')}
            options={[['', 'as it is'], ...STATUSES]}
            hint="In the error shape of the API; nothing is performed."
          />
          <Field form={form} name="effect.delay_ms" label="Delay (ms)" placeholder="500, or 200-900" hint="In real time." />
          <Field
            form={form}
            name="effect.body"
            label="Body"
            options={[['', 'as it is'], 'empty', 'malformed', 'truncated']}
            hint="Performed, then spoilt."
          />
          <Field
            form={form}
            name="effect.end"
            label="Connection"
            options={[
              ['', 'as it is'],
              ['abort', 'closed in place of an answer'],
              ['hold', 'held until you release it'],
            ]}
          />
        </div>
        <h3>How often</h3>
        <div class="fields">
          <Field form={form} name="times" label="At most" value={field('times')} placeholder="always" hint="So many requests." />
          <Field form={form} name="after" label="After" placeholder="0" hint="So many pass first." />
          <Field
            form={form}
            name="probability"
            label="Share (%)"
            placeholder="100"
            hint="Of those that fit, by the world's seed."
          />
          <div class="submit">
            <Do action="order" kind="primary">
              Order the fault
            </Do>
          </div>
        </div>
      </Form>
    </Card>
  );
};

const Faults = ({ context }: { context: Context }) => (
  <>
    <PageHead title="Faults" says="Failures on order, in front of the service: see what your client does when things go wrong.">
      {context.instance.faults.size > 0 ? (
        <Confirm
          ask="Remove all…"
          says="Answers that are held are let go."
          context={context}
          action="removeAll"
          button="Remove every fault"
        />
      ) : null}
    </PageHead>
    <Presets context={context} />
    <Ordered context={context} />
    <Own context={context} />
  </>
);

export const faults: Page = {
  id: 'faults',
  path: PATH,
  title: 'Faults',
  nav: { label: 'Faults', icon: 'faults', key: 'f', group: 'Behaviour' },
  live: ['request', 'state'],
  examples: { faults: PATH, 'fault-prefilled': `${PATH}?operation=createTask&status=503&times=1#new` },
  render: (context) => <Faults context={context} />,
  actions: {
    preset: async (context, form) => {
      const name = form.get('preset') ?? '';
      const preset = Object.hasOwn(PRESETS, name) ? PRESETS[name] : undefined;
      const { id } = await context.call('createFault', { body: preset?.draft });
      return { to: context.href(PATH), says: `${preset?.label} is on, as ${id}. ${preset?.says}` };
    },
    order: async (context, form) => {
      const { id } = await context.call('createFault', { body: draftIn(form) });
      return { to: context.href(PATH), says: `It is ordered as ${id}.` };
    },
    release: async (context, form) => {
      const fault = context.instance.faults.get(form.get('id') ?? '');
      const held = fault?.held.size ?? 0;
      const { id } = await context.call('releaseFault', { variable: form.get('id') ?? '' });
      return { says: `${id} has let go of ${held} ${held === 1 ? 'answer' : 'answers'} and keeps none back any more.` };
    },
    remove: async (context, form) => {
      const id = form.get('id') ?? '';
      await context.call('deleteFault', { variable: id });
      return { says: `${id} is removed.` };
    },
    removeAll: async (context) => {
      await context.call('deleteFaults');
      return { says: 'Every fault is removed.' };
    },
  },
};

// Faults: failures to order, from presets or of one's own, how often each has struck, and the answers that one keeps back.
import type { Child } from 'hono/jsx';
import { OPERATION_IDS } from '../../contract/operations.ts';
import type { Fault } from '../../world/faults.ts';
import type { Context } from '../context.ts';
import { Confirm, Do, type FieldRow, Fields, Form, Hidden, Submit } from '../fields.tsx';
import { calling, type Page } from '../page.ts';
import { Card, Chip, Empty, PageHead } from '../parts.tsx';
import { type Column, Table } from '../table.tsx';
import { draftIn, effectSays, matchSays, oftenSays, PRESETS } from './fault-drafts.ts';

const MOST_FAULTS = 100;
const MOST_KEYS = 100;
const METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'];
const STATUSES = ['400', '401', '403', '404', '409', '413', '422', '429', '500', '502', '503', '504'];
const BODIES = ['empty', 'malformed', 'truncated'];
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

const Buttons = ({ fault: { id, effect, released }, context }: { fault: Fault; context: Context }) => (
  <Form context={context} inline label={`Fault ${id}`}>
    <Hidden values={{ id }} />
    {effect.hold && !released ? <Do action="release" says="Release" small label={`Release ${id}`} /> : null}
    <Do action="remove" says="Remove" kind="quiet" small label={`Remove ${id}`} />
  </Form>
);

const HowOften = ({ fault }: { fault: Fault }) => (
  <>
    {oftenSays(fault)} {fault.times !== undefined && fault.hits >= fault.times ? <Chip>used up</Chip> : null}
  </>
);

const Hits = ({ fault: { hits, seen } }: { fault: Fault }) => (
  <>
    <span class="strong">{hits.toLocaleString('en')}</span> <span class="muted">of {seen.toLocaleString('en')}</span>
  </>
);

const heldBy = ({ effect, released, held }: Fault): Child =>
  effect.hold ? released ? <Chip>released</Chip> : held.size.toLocaleString('en') : '';

const columnsOf = (context: Context): readonly Column<Fault>[] => {
  const keyName = (key: string) => context.world.store.keys.get(key)?.value.name ?? key;
  return [
    ['Fault', ({ id }) => id, 'nowrap'],
    ['Requests', ({ match }) => <span class="path">{matchSays(match, keyName)}</span>],
    ['Effect', ({ effect }) => effectSays(effect)],
    ['How often', (fault) => <HowOften fault={fault} />, 'nowrap'],
    ['Hits', (fault) => <Hits fault={fault} />, 'number nowrap'],
    ['Held', heldBy, 'number'],
    ['', (fault) => <Buttons fault={fault} context={context} />, 'end'],
  ];
};

const Ordered = ({ context }: { context: Context }) => {
  const all = context.instance.faults.list();
  return (
    <Card title="Ordered faults" says="The first that strikes a request is the only one." live="faults" flush>
      {all.length > 0 ? (
        <>
          <Table
            label="Ordered faults"
            columns={columnsOf(context)}
            rows={all.slice(0, MOST_FAULTS)}
            id={({ id }) => id}
            heading={0}
          />
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

const AS_IT_IS = ['', 'as it is'] as const;
const ENDS = [AS_IT_IS, ['abort', 'closed in place of an answer'], ['hold', 'held until you release it']] as const;
const DELAY = '500, or 200-900';

/** The fields of the form, in three groups; links to the page fill some of them in. */
const groupsOf = (context: Context): Readonly<Record<string, readonly FieldRow[]>> => {
  const any = ['', 'any'] as const;
  const keys = context.world.store.keys.all().slice(0, MOST_KEYS);
  const named = keys.map(({ value }) => [value.id, `${value.name} (${value.scope})`] as const);
  const statusHint = 'In the error shape of the API; nothing is performed.';
  return {
    'Which requests': [
      { name: 'match.operation', label: 'Operation', options: [any, ...OPERATION_IDS] },
      { name: 'match.method', label: 'Method', options: [any, ...METHODS] },
      { name: 'match.path', label: 'Path', placeholder: '/tasks/*' },
      { name: 'match.key', label: 'Key', options: [any, ...named] },
    ],
    'What happens': [
      { name: 'effect.status', label: 'Status', options: [AS_IT_IS, ...STATUSES], hint: statusHint },
      { name: 'effect.delay_ms', label: 'Delay (ms)', placeholder: DELAY, hint: 'In real time.' },
      { name: 'effect.body', label: 'Body', options: [AS_IT_IS, ...BODIES], hint: 'Performed, then spoilt.' },
      { name: 'effect.end', label: 'Connection', options: ENDS },
    ],
    'How often': [
      { name: 'times', label: 'At most', placeholder: 'always', hint: 'So many requests.' },
      { name: 'after', label: 'After', placeholder: '0', hint: 'So many pass first.' },
      { name: 'probability', label: 'Share (%)', placeholder: '100', hint: "Of those that fit, by the world's seed." },
    ],
  };
};

const Own = ({ context }: { context: Context }) => {
  const filled = (field: FieldRow) => ({ ...field, value: context.query(field.name.replace(/^(match|effect)\./, '')) ?? '' });
  return (
    <Card title="A fault of your own" says="What is left open fits every request." id="new">
      <Form context={context} label="A fault of your own">
        {Object.entries(groupsOf(context)).map(([title, fields]) => (
          <>
            <h3>{title}</h3>
            <div class="fields">
              <Fields form={context.form('order')} fields={fields.map(filled)} />
              {title === 'How often' ? <Submit action="order" says="Order the fault" /> : null}
            </div>
          </>
        ))}
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
    order: calling(
      'createFault',
      ({ id }, { context }) => ({ to: context.href(PATH), says: `It is ordered as ${id}.` }),
      (form) => ({ body: draftIn(form) }),
    ),
    release: async (context, form) => {
      const fault = context.instance.faults.get(form.get('id') ?? '');
      const held = fault?.held.size ?? 0;
      const { id } = await context.call('releaseFault', { variable: form.get('id') ?? '' });
      return { says: `${id} has let go of ${held} ${held === 1 ? 'answer' : 'answers'} and keeps none back any more.` };
    },
    remove: calling('deleteFault', (_, { about }) => `${about} is removed.`),
    removeAll: calling('deleteFaults', () => 'Every fault is removed.'),
  },
};

// Faults: failures to order, from presets or of one's own, how often each has struck, and the answers that one keeps back.
import type { Child } from 'hono/jsx';
import { clipped, effectSays, matchSays, oftenSays, PRESETS } from '../../control/fault-words.ts';
import type { Fault } from '../../world/faults.ts';
import type { Context } from '../context.ts';
import { Confirm, Do, Form } from '../fields.tsx';
import { calling, type Page } from '../page.ts';
import { Card, Chip, counted, Empty, PageHead, Rest } from '../parts.tsx';
import { type Column, Table } from '../table.tsx';
import { draftIn } from './fault-drafts.ts';
import { Own } from './fault-form.tsx';

const MOST_FAULTS = 100;
const PATH = '/dashboard/faults';

const Presets = ({ context }: { context: Context }) => (
  <Card
    title="Presets"
    says="One click each. They strike every request to /v1 until they are removed, or have struck often enough."
  >
    <Form context={context} label="Presets" hidden={{ do: 'preset' }}>
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
  <Form context={context} inline label={`Fault ${id}`} hidden={{ id }}>
    {effect.hold && !released ? <Do action="release" says="Release" small label={`Release ${id}`} /> : null}
    <Do action="remove" says="Remove" kind="quiet" small label={`Remove ${id}`} />
  </Form>
);

/** So many held answers have a button of their own. */
const MOST_HELD = 10;

/** The answers that a fault keeps back, each to be let go by itself. */
const Holding = ({ fault, context }: { fault: Fault; context: Context }) => {
  const held = [...fault.held].slice(0, MOST_HELD);
  if (held.length === 0) return null;
  return (
    <ul class="plain">
      {held.map(([request, { method, path }]) => (
        <li>
          <Form context={context} inline hidden={{ id: fault.id, request: String(request) }}>
            <span class="path">
              {method} {clipped(path, 100)}
            </span>
            <Do action="releaseOne" says="Release this" kind="quiet" small label={`Release request ${request} of ${fault.id}`} />
          </Form>
        </li>
      ))}
    </ul>
  );
};

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

const Requests = ({ fault, context }: { fault: Fault; context: Context }) => (
  <>
    <span class="path">{matchSays(fault.match, (key) => context.world.store.keys.get(key)?.value.name ?? key)}</span>
    <Holding fault={fault} context={context} />
  </>
);

const columnsOf = (context: Context): readonly Column<Fault>[] => {
  return [
    ['Fault', ({ id }) => id, 'nowrap'],
    ['Requests', (fault) => <Requests fault={fault} context={context} />],
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
          <Rest of={all.length} shown={MOST_FAULTS} />
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
      return { to: context.href(PATH), says: `${preset!.label} is on, as ${id}. ${preset!.says}` };
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
      return { says: `${id} has let go of ${counted(held, 'answer')} and keeps none back any more.` };
    },
    releaseOne: calling(
      'releaseFault',
      ({ id, held }) => `${id} has let go of that answer and holds ${held}.`,
      (form) => ({ variable: form.get('id') ?? '', body: { request: Number(form.get('request')) } }),
    ),
    remove: calling('deleteFault', (_, { about }) => `${about} is removed.`),
    removeAll: calling('deleteFaults', () => 'Every fault is removed.'),
  },
};

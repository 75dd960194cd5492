// Faults: failures to order, from presets or of one's own, how often each has struck, and the answers that one keeps back.
import type { Child } from 'hono/jsx';
import { clipped, effectSays, matchSays, oftenSays, PRESETS } from '../../mock/control/fault-words.ts';
import { Problem } from '../../service/contract/errors.ts';
import type { FaultDraft } from '../../service/world/fault-draft.ts';
import type { Fault } from '../../service/world/faults.ts';
import type { Context } from '../context.ts';
import { ActionButton, Confirm, PageForm } from '../fields.tsx';
import { type DashboardPage, makeCallAction } from '../page.ts';
import { Card, Chip, countWords, Empty, formatNumber, Muted, PageHead, RestCount } from '../parts.tsx';
import { isFaultSpent, listActiveFaults, summarizeFault } from '../strip.tsx';
import { type Column, Table } from '../table.tsx';
import { draftIn } from './fault-drafts.ts';
import { Own } from './fault-form.tsx';

const MOST_FAULTS = 100;
const PATH = '/dashboard/faults';

/** The faults that a preset has ordered and that still strike. */
const onBy = ({ instance }: Context, name: string): readonly Fault[] => {
  const like = ({ match = {}, effect, times, probability }: Fault | FaultDraft) =>
    JSON.stringify([match, effect, times, probability]);
  const wanted = like(PRESETS[name]!.draft);
  return listActiveFaults(instance).filter((one) => like(one) === wanted);
};

const Presets = ({ context }: { context: Context }) => (
  <Card
    title="Presets"
    live="presets"
    says="One click turns a fault on, another turns it off. It applies to every request to /v1, as often as it says."
  >
    <PageForm context={context} label="Presets" hidden={{ do: 'preset' }}>
      <div class="presets">
        {Object.entries(PRESETS).map(([name, { label, says }]) => (
          <button
            type="submit"
            name="preset"
            value={name}
            class="preset"
            aria-pressed={onBy(context, name).length > 0 ? 'true' : 'false'}
          >
            <span class="strong">{label}</span>
            <Muted>{says}</Muted>
          </button>
        ))}
      </div>
    </PageForm>
  </Card>
);

const Buttons = ({ fault: { id, effect, released }, context }: { fault: Fault; context: Context }) => (
  <PageForm context={context} inline label={`Fault ${id}`} hidden={{ id }}>
    {effect.hold && !released ? <ActionButton action="release" says="Release" small label={`Release ${id}`} /> : null}
    <ActionButton action="remove" says="Remove" kind="quiet" small label={`Remove ${id}`} />
  </PageForm>
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
          <PageForm context={context} inline hidden={{ id: fault.id, request: String(request) }}>
            <span class="path">
              {method} {clipped(path, 100)}
            </span>
            <ActionButton
              action="releaseOne"
              says="Release this"
              kind="quiet"
              small
              label={`Release request ${request} of ${fault.id}`}
            />
          </PageForm>
        </li>
      ))}
    </ul>
  );
};

const HowOften = ({ fault }: { fault: Fault }) => (
  <>
    {oftenSays(fault)} {isFaultSpent(fault) ? <Chip>used up</Chip> : null}
  </>
);

const Hits = ({ fault: { hits, seen } }: { fault: Fault }) => (
  <>
    struck <span class="strong">{formatNumber(hits)}</span>, matched {formatNumber(seen)}
  </>
);

const heldBy = ({ effect, released, held }: Fault): Child =>
  effect.hold ? released ? <Chip>released</Chip> : formatNumber(held.size) : '';

const Requests = ({ fault, context }: { fault: Fault; context: Context }) => (
  <>
    <span class="path">{matchSays(fault.match, (key) => context.world.store.keys.get(key)?.value.name ?? key)}</span>
    <Holding fault={fault} context={context} />
  </>
);

const columnsOf = (context: Context): readonly Column<Fault>[] => [
  ['Fault', ({ id }) => id, 'nowrap'],
  ['Requests', (fault) => <Requests fault={fault} context={context} />],
  ['Effect', ({ effect }) => effectSays(effect)],
  ['How often', (fault) => <HowOften fault={fault} />, 'nowrap'],
  ['Hits', (fault) => <Hits fault={fault} />, 'number nowrap'],
  ['Held', heldBy, 'number'],
  ['', (fault) => <Buttons fault={fault} context={context} />, 'end'],
];

const Ordered = ({ context }: { context: Context }) => {
  // Those that strike nothing any more stand behind the others.
  const all = [...listActiveFaults(context.instance), ...context.instance.faults.list().filter(isFaultSpent)];
  return (
    <Card title="Active faults" says="Only the first fault that matches a request applies." live="faults" flush>
      <Table
        label="Active faults"
        columns={columnsOf(context)}
        rows={all.slice(0, MOST_FAULTS)}
        id={({ id }) => id}
        kind={(fault) => (isFaultSpent(fault) ? 'gone' : undefined)}
        heading={0}
      >
        <Empty
          title="Everything works"
          curl={`curl -X POST "${context.url.origin}${context.base}/_mock/faults" -H "Content-Type: application/json" -d '{"match":{"path":"/tasks*"},"effect":{"status":503},"times":1}'`}
        >
          Add a fault above or below, or from a test:
        </Empty>
      </Table>
      <RestCount of={all.length} shown={MOST_FAULTS} />
    </Card>
  );
};

const Faults = ({ context }: { context: Context }) => (
  <>
    <PageHead title="Faults" says="Failures on order, in front of the service: see what your client does when things go wrong.">
      {context.instance.faults.size > 0 ? (
        <Confirm context={context} action="removeAll" ask="Remove all…" button="Remove every fault">
          Held responses are released.
        </Confirm>
      ) : null}
    </PageHead>
    <Presets context={context} />
    <Ordered context={context} />
    <Own context={context} />
  </>
);

const NOTHING = { field: 'effect.status', issue: 'is missing: choose it, a delay, a body or whatever else is to happen' };

/** @throws Problem 422 for a fault that does nothing */
const effective = (draft: Record<string, unknown>): Record<string, unknown> => {
  if (Object.keys(draft.effect as object).length > 0) return draft;
  throw new Problem(422, 'validation_error', 'Nothing is to happen.', { fields: [NOTHING] });
};

export const faults: DashboardPage = {
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
      const on = preset ? onBy(context, name) : [];
      for (const { id } of on) await context.call('deleteFault', { variable: id });
      if (on.length > 0) return { to: context.href(PATH), says: `${preset!.label} is off.` };
      const { id } = await context.call('createFault', { body: preset?.draft });
      return { to: context.href(PATH), says: `${preset!.label} is on, as ${id}. ${preset!.says}` };
    },
    order: makeCallAction(
      'createFault',
      ({ id }, { context }) => {
        const fault = context.instance.faults.get(id)!;
        return { to: context.href(PATH), says: `Fault added: ${summarizeFault(context, fault)}, ${oftenSays(fault)}.` };
      },
      (form) => ({ body: effective(draftIn(form)) }),
    ),
    release: async (context, form) => {
      const fault = context.instance.faults.get(form.get('id') ?? '');
      const held = fault?.held.size ?? 0;
      const { id } = await context.call('releaseFault', { variable: form.get('id') ?? '' });
      return { says: `${id} has released ${countWords(held, 'response')} and holds none any more.` };
    },
    releaseOne: makeCallAction(
      'releaseFault',
      ({ id, held }) => `${id} has released that response and holds ${held}.`,
      (form) => ({ variable: form.get('id') ?? '', body: { request: Number(form.get('request')) } }),
    ),
    remove: makeCallAction('deleteFault', (_, { about }) => `${about} is removed.`),
    removeAll: makeCallAction('deleteFaults', () => 'Every fault is removed.'),
  },
};

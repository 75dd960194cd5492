// Faults: failures to order, from presets or by a form, how often each has applied, and the responses that one holds.
import { clipText, describeEffect, describeFrequency, PRESETS } from '../../mock/control/fault-words.ts';
import { Problem } from '../../service/contract/errors.ts';
import type { FaultDraft } from '../../service/world/fault-draft.ts';
import type { Fault } from '../../service/world/faults.ts';
import type { Context } from '../context.ts';
import { ActionButton, Confirm, PageForm } from '../fields.tsx';
import { describeMatchIn, isFaultSpent, isFaultWaiting, listActiveFaults, summarizeFault } from '../override-strip.tsx';
import { type DashboardPage, makeCallAction } from '../page.ts';
import { Card, Chip, countWords, Empty, formatNumber, Muted } from '../parts.tsx';
import { type Column, TableCard } from '../table.tsx';
import { drawFaultForm, parseFaultDraft } from './fault-form.tsx';

const MAX_FAULT_ROWS = 100;
const MAX_HELD_ROWS = 10;
const FAULTS_PATH = '/dashboard/faults';

/** The active faults that are equal to a preset's. */
const listPresetFaults = ({ instance }: Context, name: string): readonly Fault[] => {
  const like = ({ match = {}, effect, times, probability }: Fault | FaultDraft) =>
    JSON.stringify([match, effect, times, probability]);
  const wanted = like(PRESETS[name]!.draft);
  return listActiveFaults(instance).filter((one) => like(one) === wanted);
};

const drawPresets = (context: Context) => (
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
            aria-pressed={listPresetFaults(context, name).length > 0 ? 'true' : 'false'}
          >
            <span class="strong">{label}</span>
            <Muted>{says}</Muted>
          </button>
        ))}
      </div>
    </PageForm>
  </Card>
);

const drawFaultButtons = (context: Context, { id, effect, released }: Fault) => (
  <PageForm context={context} kind="inline" label={`Fault ${id}`} hidden={{ id }}>
    {effect.hold && !released ? <ActionButton action="release" says="Release" small label={`Release ${id}`} /> : null}
    <ActionButton action="remove" says="Remove" kind="quiet" small label={`Remove ${id}`} />
  </PageForm>
);

const drawHeld = (context: Context, { id, held: all }: Fault) => {
  const rows = [...all].slice(0, MAX_HELD_ROWS);
  if (rows.length === 0) return null;
  return (
    <ul class="plain">
      {rows.map(([request, { method, path }]) => (
        <li>
          <PageForm context={context} kind="inline" hidden={{ id, request: String(request) }}>
            <span class="path">{`${method} ${clipText(path, 100)}`}</span>
            <ActionButton
              action="releaseOne"
              says="Release this"
              kind="quiet"
              small
              label={`Release request ${request} of ${id}`}
            />
          </PageForm>
        </li>
      ))}
    </ul>
  );
};

const drawFaultMark = (fault: Fault) =>
  isFaultSpent(fault) ? <Chip>used up</Chip> : isFaultWaiting(fault) ? <Chip>waits</Chip> : null;

const buildFaultColumns = (context: Context): readonly Column<Fault>[] => [
  ['Fault', ({ id }) => id, 'nowrap'],
  ['Requests', (fault) => [<span class="path">{describeMatchIn(context, fault)}</span>, drawHeld(context, fault)]],
  ['Effect', ({ effect }) => describeEffect(effect)],
  ['How often', (fault) => [describeFrequency(fault), ' ', drawFaultMark(fault)], 'nowrap'],
  [
    'Hits',
    ({ hits, seen }) => ['applied to ', <span class="strong">{formatNumber(hits)}</span>, `, matched ${formatNumber(seen)}`],
    'number nowrap',
  ],
  [
    'Held',
    ({ effect, released, held }) => (effect.hold ? released ? <Chip>released</Chip> : formatNumber(held.size) : ''),
    'number',
  ],
  ['', (fault) => drawFaultButtons(context, fault), 'end'],
];

const drawFaults = (context: Context) => {
  const order = '{"match":{"path":"/tasks*"},"effect":{"status":503},"times":1}';
  return (
    <TableCard
      title="Active faults"
      says="Only the first fault that matches a request applies."
      live="faults"
      columns={buildFaultColumns(context)}
      rows={[...listActiveFaults(context.instance), ...context.instance.faults.list().filter(isFaultSpent)]}
      most={MAX_FAULT_ROWS}
      kind={(fault) => (isFaultSpent(fault) ? 'gone' : undefined)}
    >
      <Empty title="Everything works" curl={context.postLine('/_mock/faults', order)}>
        Add a fault above or below, or from a test:
      </Empty>
    </TableCard>
  );
};

const NO_EFFECT = { field: 'effect.status', issue: 'is missing: choose it, a delay, a body or whatever else is to happen' };

/** @throws Problem 422 for a fault that does nothing */
const requireEffect = (draft: Record<string, unknown>): Record<string, unknown> => {
  if (Object.keys(draft.effect as object).length > 0) return draft;
  throw new Problem(422, 'validation_error', 'Nothing is to happen.', { fields: [NO_EFFECT] });
};

export const faultsPage: DashboardPage = {
  id: 'faults',
  path: FAULTS_PATH,
  title: 'Faults',
  nav: { label: 'Faults', icon: 'faults', key: 'f', group: 'Behaviour' },
  live: ['request', 'state'],
  examples: { faults: FAULTS_PATH, 'fault-prefilled': `${FAULTS_PATH}?operation=createTask&status=503&times=1#new` },
  says: () => 'Failures on order, in front of the service: see what your client does when things go wrong.',
  side: (context) =>
    context.instance.faults.size > 0 && (
      <Confirm context={context} action="removeAll" ask="Remove all…" button="Remove every fault">
        Held responses are released.
      </Confirm>
    ),
  parts: [drawPresets, drawFaults, drawFaultForm],
  actions: {
    preset: async (context, form) => {
      const name = form.get('preset') ?? '';
      const preset = Object.hasOwn(PRESETS, name) ? PRESETS[name] : undefined;
      const on = preset ? listPresetFaults(context, name) : [];
      for (const { id } of on) await context.call('deleteFault', { variable: id });
      if (on.length > 0) return { to: context.href(FAULTS_PATH), says: `${preset!.label} is off.` };
      const { id } = await context.call('createFault', { body: preset?.draft });
      return { to: context.href(FAULTS_PATH), says: `${preset!.label} is on, as ${id}. ${preset!.says}` };
    },
    order: makeCallAction(
      'createFault',
      ({ id }, { context }) => {
        const fault = context.instance.faults.get(id)!;
        return {
          to: `${context.href(FAULTS_PATH)}#faults`,
          says: `Fault added: ${summarizeFault(context, fault)}, ${describeFrequency(fault)}.`,
        };
      },
      (form) => ({ body: requireEffect(parseFaultDraft(form)) }),
    ),
    release: async (context, form) => {
      const variable = form.get('id') ?? '';
      const count = context.instance.faults.get(variable)?.held.size ?? 0;
      const { id } = await context.call('releaseFault', { variable });
      return { says: `${id} has released ${countWords(count, 'response')} and holds none any more.` };
    },
    releaseOne: makeCallAction(
      'releaseFault',
      ({ id, held }) => `${id} has released that response and holds ${held}.`,
      (form) => ({ body: { request: Number(form.get('request')) } }),
    ),
    remove: makeCallAction('deleteFault', (_, { about }) => `${about} is removed.`),
    removeAll: makeCallAction('deleteFaults', 'Every fault is removed.'),
  },
};

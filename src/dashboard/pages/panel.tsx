// The panel in the corner of an app: a page in a frame, with its world's latest requests and switches for faults, clock and open points.
import type { Child } from 'hono/jsx';
import { describeEffect, describeFrequency, describeMatch, PRESETS } from '../../mock/control/fault-words.ts';
import { mapValues } from '../../service/contract/keyed.ts';
import type { FaultDraft } from '../../service/world/fault-draft.ts';
import { WorldTime } from '../clock-bar.tsx';
import { type Context, PANEL } from '../context.ts';
import { ActionButton, type DoProps, type FormProps, PageForm } from '../fields.tsx';
import { readTexts } from '../form.ts';
import { type DashboardPage, makeCallAction } from '../page.ts';
import { Card, Chip, Muted } from '../parts.tsx';
import { StatusChip } from '../traffic-parts.tsx';

const MAX_PANEL = { requests: '20', entries: '10' };

const PANEL_FAULTS: Readonly<Record<string, readonly [says: string, draft: FaultDraft]>> = {
  error: ['Next: 500', { effect: { status: 500 }, times: 1 }],
  limit: ['Next: 429', { effect: { status: 429, retry_after: 5 }, times: 1 }],
  slow: [PRESETS.slow!.label, PRESETS.slow!.draft],
  offline: [PRESETS.offline!.label, PRESETS.offline!.draft],
};
const PANEL_STEPS = { '1m': '+1 min', '1h': '+1 h', '1d': '+1 d' };

interface PressProps extends Pick<FormProps, 'context' | 'hidden'>, Pick<DoProps, 'action' | 'says' | 'label'> {}

/** A button that is a form of its own, sent in place. */
const PressForm = ({ context, hidden, ...button }: PressProps) => (
  <PageForm context={context} kind="inline" quick hidden={hidden}>
    <ActionButton {...button} small />
  </PageForm>
);

const drawPanelPart = (title: string, rows: readonly Child[], empty: string, buttons?: Child) => (
  <Card live={`panel-${title.toLowerCase().replace(' ', '-')}`} title={title} side={buttons}>
    {rows.length === 0 ? <Muted>{empty}</Muted> : null}
    <ul class="panel-rows" aria-label={title} tabindex={-1}>
      {rows.map((row) => (
        <li>{row}</li>
      ))}
    </ul>
  </Card>
);

const TabLink = ({ to, says }: { to: string; says: Child }) => (
  <a href={to} target="_blank" rel="noopener noreferrer" title="On the dashboard, in a new tab">
    {says}
  </a>
);

const drawPanelRequests = async (context: Context) => {
  const { items } = await context.call('listRequests', { query: { limit: MAX_PANEL.requests } });
  const rows = items.toReversed().map(({ id, at, method, path, status, operation, fault, warnings }) => {
    const to = context.href(`/dashboard/requests${id === 'pending' ? '' : `/${id}`}`);
    return [
      <TabLink to={to} says={`${method} ${path.replace(/^\/v1/, '')}`} />,
      id === 'pending' ? <Chip tone="good">held</Chip> : <StatusChip status={status} />,
      <Muted>{[operation ?? 'no operation', fault, at.slice(11, 19)].filter(Boolean).join(' · ')}</Muted>,
      warnings.map(({ says }) => <p class="late">Warning: {says}</p>),
    ];
  });
  return drawPanelPart('Requests', rows, 'None yet in this world. Each request to /v1 comes here as it is made.');
};

const drawPanelFaults = async (context: Context) => {
  const { items } = await context.call('listFaults');
  const active = items.filter(({ times, hits }) => times === undefined || hits < times);
  const rows = active.map((fault) => [
    <span>{`${describeEffect(fault.effect)}, ${describeFrequency(fault)}`}</span>,
    <PressForm context={context} action="turnOff" says="Turn off" label={`Turn off ${fault.id}`} hidden={{ id: fault.id }} />,
    <Muted>{`${fault.id}: ${describeMatch(fault.match, (id) => id)} · applied to ${fault.hits} of ${fault.seen}`}</Muted>,
  ]);
  const orders = Object.entries(PANEL_FAULTS).map(([action, [says]]) => (
    <PressForm context={context} action={action} says={says} />
  ));
  return drawPanelPart('Faults', rows, 'None: every request gets its response.', orders);
};

const drawPanelChoices = async (context: Context) => {
  const { items } = await context.call('getChoices');
  const changed = items.filter(({ answer, ours }) => answer !== ours);
  const rows = changed.map(({ name, answer: chosen, ours, question }) => {
    const form = { label: `Reset ${name} to ${ours}`, hidden: { name, choice: ours } };
    return [
      <span>{`${name}: ${chosen}`}</span>,
      <PressForm context={context} action="choose" says="Reset" {...form} />,
      <Muted>{`${question} By default ${ours}.`}</Muted>,
    ];
  });
  return drawPanelPart('Open points', rows, 'Every one has its default.');
};

const drawPanelEntries = async (context: Context) => {
  const { items } = await context.call('listTimeline', { query: { limit: MAX_PANEL.entries } });
  const rows = items
    .toReversed()
    .map(({ n, kind, title, at }) => [
      <TabLink to={context.href('/dashboard/timeline', { from: n })} says={title} />,
      <Muted>{`${kind} · ${at.slice(11, 19)}`}</Muted>,
    ]);
  return drawPanelPart('Timeline', rows, 'Nothing has happened yet.');
};

const titlePanel = ({ base, instance }: Context): string => (base === '' ? 'wm-mock' : `wm-mock: ${instance.id}`);

const drawPanelHead = (context: Context) => (
  <header class="row">
    <h1>{titlePanel(context)}</h1>
    <Muted>
      <span data-live-state="" hidden />
    </Muted>
    <TabLink to={context.href('/dashboard/requests')} says="Dashboard" />
  </header>
);

const drawPanelClock = (context: Context) => {
  const [says, mode] = context.world.clock.mode === 'frozen' ? ['Let it run', 'running'] : ['Freeze', 'frozen'];
  const row = [
    <span class="row">
      <WorldTime context={context} />
    </span>,
    <PressForm context={context} action="setClock" says={says} hidden={{ mode }} />,
  ];
  const steps = Object.entries(PANEL_STEPS).map(([by, says]) => (
    <PressForm context={context} action="advance" says={says} hidden={{ by }} />
  ));
  return drawPanelPart('Clock', [row], '', steps);
};

const drawPanelReset = (context: Context) => (
  <details>
    <summary class="muted">Reset this world…</summary>
    <PressForm context={context} action="reset" says="Reset: data, clock, faults, journal" />
  </details>
);

export const panelPage: DashboardPage = {
  id: 'panel',
  path: PANEL,
  title: 'Panel',
  titled: titlePanel,
  says: () => null,
  live: ['request', 'delivery', 'clock', 'state'],
  framed: true,
  examples: { panel: PANEL },
  parts: [drawPanelHead, drawPanelRequests, drawPanelFaults, drawPanelClock, drawPanelChoices, drawPanelEntries, drawPanelReset],
  actions: {
    ...mapValues(PANEL_FAULTS, ([, body]) => makeCallAction('createFault', {}, () => ({ body }))),
    turnOff: makeCallAction('deleteFault', {}),
    advance: makeCallAction('advanceClock', {}, (form) => ({ body: readTexts(form, 'by') })),
    setClock: makeCallAction('setClock', {}, (form) => ({ body: readTexts(form, 'mode') })),
    choose: makeCallAction('setChoices', {}, (form) => ({ body: { [form.get('name') ?? '']: form.get('choice') ?? '' } })),
    reset: makeCallAction('reset', {}),
  },
};

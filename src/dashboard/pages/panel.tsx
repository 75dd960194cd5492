// The panel: a page for the corner of an app, in a frame. It shows its world's latest requests and turns the powers of the mock on and off.
import type { Child } from 'hono/jsx';
import { effectSays, matchSays, oftenSays, PRESETS } from '../../mock/control/fault-words.ts';
import type { FaultDraft } from '../../service/world/fault-draft.ts';
import { type Context, PANEL } from '../context.ts';
import { WorldTime } from '../countdown.tsx';
import { HiddenFields } from '../fields.tsx';
import { readTexts } from '../form.ts';
import { type Action, type DashboardPage, makeCallAction } from '../page.ts';
import { Card, Chip, Muted } from '../parts.tsx';

const MAX_REQUESTS = 20;
const MAX_ENTRIES = 10;

const once = (effect: FaultDraft['effect']): FaultDraft => ({ effect, times: 1 });
const ORDERS: Readonly<Record<string, readonly [says: string, draft: FaultDraft]>> = {
  error: ['Next: 500', once({ status: 500 })],
  limit: ['Next: 429', once({ status: 429, retry_after: 5 })],
  slow: [PRESETS.slow!.label, PRESETS.slow!.draft],
  offline: [PRESETS.offline!.label, PRESETS.offline!.draft],
};
const STEPS = [
  ['1m', '+1 min'],
  ['1h', '+1 h'],
  ['1d', '+1 d'],
] as const;

interface PressProps {
  readonly context: Context;
  readonly action: string;
  readonly says: string;
  readonly label?: string;
  readonly values?: Readonly<Record<string, string>>;
}

/** A button that is a form of its own, sent in place. */
const Press = ({ context, action, says, label, values = {} }: PressProps) => (
  <form method="post" action={context.here()} class="inline" data-quick="">
    <HiddenFields values={values} />
    <button type="submit" name="do" value={action} class="button small" aria-label={label}>
      {says}
    </button>
  </form>
);

interface PartProps {
  readonly title: string;
  readonly rows: readonly Child[];
  readonly empty: string;
  readonly buttons?: Child;
}

const Part = ({ title, rows, empty, buttons }: PartProps) => (
  <Card live={`panel-${title.toLowerCase()}`} title={title} side={buttons}>
    {rows.length === 0 ? <Muted>{empty}</Muted> : null}
    <ul class="panel-rows" aria-label={title} tabindex={-1}>
      {rows.map((row) => (
        <li>{row}</li>
      ))}
    </ul>
  </Card>
);

/** Opens a page of the dashboard outside of the frame. */
const Out = ({ to, says }: { to: string; says: Child }) => (
  <a href={to} target="_blank" rel="noopener noreferrer" title="On the dashboard, in a new tab">
    {says}
  </a>
);

const toneOf = (status: number) => (status === 0 || status >= 500 ? 'bad' : status >= 400 ? 'warn' : 'good');

const requestRows = async (context: Context): Promise<readonly Child[]> => {
  const { items } = await context.call('listRequests', { query: { limit: String(MAX_REQUESTS) } });
  return items.toReversed().map(({ id, at, method, path, status, operation, fault, warnings }) => (
    <>
      <Out
        to={context.href(`/dashboard/requests${id === 'pending' ? '' : `/${id}`}`)}
        says={`${method} ${path.replace(/^\/v1/, '')}`}
      />
      <Chip tone={toneOf(status)}>{id === 'pending' ? 'held' : status === 0 ? 'closed' : String(status)}</Chip>
      <Muted>{[operation ?? 'no operation', fault, at.slice(11, 19)].filter(Boolean).join(' · ')}</Muted>
      {warnings.map(({ says }) => (
        <p class="late">Warning: {says}</p>
      ))}
    </>
  ));
};

const faultRows = async (context: Context): Promise<readonly Child[]> => {
  const { items } = await context.call('listFaults');
  const left = items.filter(({ times, hits }) => times === undefined || hits < times);
  return left.map((fault) => (
    <>
      <span>{`${effectSays(fault.effect)}, ${oftenSays(fault)}`}</span>
      <Press context={context} action="turnOff" says="Turn off" label={`Turn off ${fault.id}`} values={{ id: fault.id }} />
      <Muted>{`${fault.id}: ${matchSays(fault.match, (id) => id)} · struck ${fault.hits} of ${fault.seen}`}</Muted>
    </>
  ));
};

const choiceRows = async (context: Context): Promise<readonly Child[]> => {
  const { items } = await context.call('getChoices');
  const changed = items.filter(({ answer, ours }) => answer !== ours);
  return changed.map(({ name, answer, ours, question }) => (
    <>
      <span>{`${name}: ${answer}`}</span>
      <Press context={context} action="choose" says="Reset" label={`Reset ${name} to ${ours}`} values={{ name, answer: ours }} />
      <Muted>{`${question} By default ${ours}.`}</Muted>
    </>
  ));
};

const entryRows = async (context: Context): Promise<readonly Child[]> => {
  const { items } = await context.call('listTimeline', { query: { limit: String(MAX_ENTRIES) } });
  return items.toReversed().map(({ n, kind, title, at }) => (
    <>
      <Out to={context.href('/dashboard/timeline', { from: n })} says={title} />
      <Muted>{`${kind} · ${at.slice(11, 19)}`}</Muted>
    </>
  ));
};

const ClockRow = ({ context }: { context: Context }) => {
  const frozen = context.world.clock.mode === 'frozen';
  return (
    <>
      <span class="row">
        <WorldTime context={context} />
      </span>
      <Press
        context={context}
        action="setClock"
        says={frozen ? 'Let it run' : 'Freeze'}
        values={{ mode: frozen ? 'running' : 'frozen' }}
      />
    </>
  );
};

const titleOf = ({ base, instance }: Context): string => (base === '' ? 'wm-mock' : `wm-mock: ${instance.id}`);

const Panel = async ({ context }: { context: Context }) => {
  const orders = Object.entries(ORDERS).map(([action, [says]]) => <Press context={context} action={action} says={says} />);
  const steps = STEPS.map(([by, says]) => <Press context={context} action="advance" says={says} values={{ by }} />);
  const requests = 'None yet in this world. Each request to /v1 comes here as it is made.';
  return (
    <>
      <header class="row">
        <h1>{titleOf(context)}</h1>
        <Muted>
          <span data-live-state="" hidden />
        </Muted>
        <Out to={context.href('/dashboard/requests')} says="Dashboard" />
      </header>
      <Part title="Requests" rows={await requestRows(context)} empty={requests} />
      <Part title="Faults" rows={await faultRows(context)} empty="None: every request gets its response." buttons={orders} />
      <Part title="Clock" rows={[<ClockRow context={context} />]} empty="" buttons={steps} />
      <Part title="Choices" rows={await choiceRows(context)} empty="Every open point has its default." />
      <Part title="Timeline" rows={await entryRows(context)} empty="Nothing has happened yet." />
      <details>
        <summary class="muted">Reset this world…</summary>
        <Press context={context} action="reset" says="Reset: data, clock, faults, journal" />
      </details>
    </>
  );
};

const ordering = (draft: FaultDraft): Action =>
  makeCallAction(
    'createFault',
    () => ({}),
    () => ({ body: draft }),
  );

export const panel: DashboardPage = {
  id: 'panel',
  path: PANEL,
  title: 'Panel',
  titled: titleOf,
  live: ['request', 'delivery', 'clock', 'state'],
  framed: true,
  examples: { panel: PANEL },
  render: (context) => Panel({ context }),
  actions: {
    ...Object.fromEntries(Object.entries(ORDERS).map(([action, [, draft]]) => [action, ordering(draft)])),
    turnOff: makeCallAction('deleteFault', () => ({})),
    advance: makeCallAction(
      'advanceClock',
      () => ({}),
      (form) => ({ body: readTexts(form, 'by') }),
    ),
    setClock: makeCallAction(
      'setClock',
      () => ({}),
      (form) => ({ body: readTexts(form, 'mode') }),
    ),
    choose: makeCallAction(
      'setChoices',
      () => ({}),
      (form) => ({ body: { [form.get('name') ?? '']: form.get('answer') ?? '' } }),
    ),
    reset: makeCallAction('reset', () => ({})),
  },
};

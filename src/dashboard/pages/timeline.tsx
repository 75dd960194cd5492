// Timeline: what happened, newest first, with what it follows from and what followed from it, and the way to the world of then.
import { queryFindings } from '../../mock/control/call-by-row.ts';
import { clipText } from '../../mock/control/fault-words.ts';
import { TIMELINE_KINDS, type TimelineKind } from '../../mock/control/timeline.ts';
import { type TimelineEntry, timelineOf } from '../../mock/control/timeline-entries.ts';
import { fieldsOf } from '../../mock/control/validate.ts';
import type { Context } from '../context.ts';
import { ActionButton, type FieldRow, FilterForm, offerAny, PageForm } from '../fields.tsx';
import type { Action, DashboardPage } from '../page.ts';
import { AbsoluteTime, Chip, Empty, Link, LinkButton, RefusedNotice, RestCount, type Tone, ZoneName } from '../parts.tsx';
import { type Column, EventLog, readLogPage } from '../table.tsx';
import { deliveryHref } from './webhook-parts.tsx';
import { createOpenAction } from './world-list.tsx';

const MAX_LINKS_SHOWN = 4;
const ENTRY_LOOKS: Readonly<Partial<Record<TimelineKind, { readonly tone?: Tone; readonly path?: string }>>> = {
  request: { tone: 'info' },
  fault: { tone: 'bad', path: '/dashboard/faults' },
  clock: { tone: 'warn', path: '/dashboard/clock' },
  event: { tone: 'good' },
  choice: { path: '/dashboard/choices' },
};

export const timelineHref = (context: Context, narrowed: Readonly<Record<string, string | number | undefined>>): string =>
  context.href('/dashboard/timeline', narrowed);

const entryHref = (context: Context, { n, kind, request_id, delivery_ids }: TimelineEntry): string => {
  if (request_id !== undefined && request_id !== 'pending') return context.href(`/dashboard/requests/${request_id}`);
  if (kind === 'attempt') return deliveryHref(context, delivery_ids![0]!);
  const path = ENTRY_LOOKS[kind]?.path;
  return path === undefined ? timelineHref(context, { from: n }) : context.href(path);
};

type EntryLink = readonly [to: string, label: string, hint?: string | undefined];

const drawLinks = (of: readonly EntryLink[], says: string, kind = 'link') => [
  of.slice(0, MAX_LINKS_SHOWN).map(([to, label, hint]) => [
    <a class={kind} href={to} title={hint}>
      {label}
    </a>,
    ' ',
  ]),
  <RestCount of={of.length} shown={MAX_LINKS_SHOWN} says={says} />,
];

const drawEntryLinks = (context: Context, { kind, records, delivery_ids = [] }: TimelineEntry) => {
  const deliveries = kind === 'event' ? delivery_ids : [];
  const hrefOf = (record: string) => timelineHref(context, { record });
  const recordLinks = records.map(({ id, kind: what }): EntryLink => [hrefOf(id), `${what} ${clipText(id, 40)}`]);
  const deliveryLinks = deliveries.map((id): EntryLink => [deliveryHref(context, id), `delivery ${clipText(id, 40)}`]);
  return (
    <div>
      {drawLinks(recordLinks, 'more records.', 'muted')}
      {drawLinks(deliveryLinks, 'more deliveries.', 'muted')}
    </div>
  );
};

const drawRewinds = (context: Context, { n, step }: TimelineEntry) =>
  step !== undefined && (
    <span class="on-hover">
      <a class="button quiet small" href={context.href('/dashboard/compare', { at: n })} aria-label={`Changed since no. ${n}`}>
        since
      </a>
      <input type="checkbox" name="at" value={String(n)} form="moments" aria-label={`Compare no. ${n}`} />
      {['before', 'after'].map((side) => (
        <PageForm context={context} kind="inline" label={`The world ${side} no. ${n}`} hidden={{ at: String(step) }}>
          <ActionButton action={side} says={side} kind="quiet" small label={`The world ${side} no. ${n}`} />
        </PageForm>
      ))}
    </span>
  );

type ShownEntries = ReturnType<typeof timelineOf>;

const buildTimelineColumns = (context: Context, all: ShownEntries): readonly Column<TimelineEntry>[] => {
  const day = new Date(context.world.clock.now()).toISOString().slice(0, 10);
  const entries = new Map(all.map((one) => [one.id, one]));
  const then: Column<TimelineEntry> = ['Then', (entry) => drawRewinds(context, entry), 'nowrap'];
  const chain = (n: number) => timelineHref(context, { from: n });
  const linkOf = (n: number): EntryLink => [chain(n), `no.\u00a0${n}`, entries.get(`t${n}`)?.show().title];
  return [
    ['No.', ({ n }) => n, 'number'],
    [
      'What',
      (entry) => [
        <Chip tone={ENTRY_LOOKS[entry.kind]?.tone}>{entry.kind}</Chip>,
        ' ',
        <Link to={entryHref(context, entry)} says={clipText(entry.title.replace(/^attempt /, ''), 160)} kind="link path" />,
        drawEntryLinks(context, entry),
      ],
    ],
    [['World time ', <ZoneName />], ({ at }) => <AbsoluteTime at={at} from={at.startsWith(day) ? 11 : 0} />, 'nowrap muted'],
    [['Real time ', <ZoneName />], ({ real_at }) => <AbsoluteTime at={real_at} from={11} />, 'nowrap muted roomy'],
    ['Follows from', ({ causes }) => drawLinks(causes.map(linkOf), 'more.')],
    [
      'What followed',
      ({ n, effects }) => effects.length > 0 && <Link to={chain(n)} says={`${effects.length} from no. ${n}`} />,
      'nowrap',
    ],
    ...(context.host.options.recording ? [then] : []),
  ];
};

const TIMELINE_FILTERS: readonly FieldRow[] = [
  { name: 'kind', label: 'Kind', options: offerAny(TIMELINE_KINDS) },
  { name: 'record', label: 'Record', placeholder: 'its id — press / to type', searches: true, width: 'grow' },
];

const readTimelineFilter = (context: Context) => {
  const filter = context.queries('kind', 'record', 'from');
  const wrong = fieldsOf(queryFindings('listTimeline', filter));
  return { filter, wrong, from: wrong.length > 0 ? undefined : filter.from };
};
type CheckedFilter = ReturnType<typeof readTimelineFilter>;

const describeTimeline = ({ instance, host }: Context, { from }: CheckedFilter): string => {
  if (from) return `No. ${clipText(from, 20)}, and all that followed from it.`;
  const { recording } = host.options;
  const dropped = recording?.dropped?.(instance.id) ?? 0;
  const advice = recording
    ? `Each leads to the world before it and after it${dropped > 0 ? ', but for early ones, whose steps were dropped (--record keeps all)' : ''}. Tick two to compare them, or one with now.`
    : 'Start with --record to go back to any of it.';
  return `What happened in the world ${instance.id}, in its order. ${advice}`;
};

const drawTimelineFilter = (context: Context, { from }: CheckedFilter) => (
  <FilterForm context={context} label="Filter the timeline" fields={TIMELINE_FILTERS} kept={{ from }} narrowed={Boolean(from)} />
);

const drawTimeline = (context: Context, { filter, wrong }: CheckedFilter) => {
  const issues = wrong.map(({ field, issue }) => `${field} ${clipText(issue, 200)}`);
  if (issues.length > 0) return <RefusedNotice title="The timeline cannot be narrowed so." lines={issues} />;
  const whole = timelineOf(context.instance, undefined);
  const { rows, more } = readLogPage(context, timelineOf(context.instance, context.host.options.recording, filter), 0);
  return (
    <EventLog
      context={context}
      label="Timeline"
      columns={buildTimelineColumns(context, whole)}
      rows={rows.map((one) => one.show())}
      more={more}
      kept={whole.length}
    >
      <Empty title="Nothing has happened yet">
        Requests, events and their attempts, moves of the clock, faults, open points and edits appear here as they come.
      </Empty>
    </EventLog>
  );
};

const createRewindAction = (side: 'before' | 'after'): Action =>
  createOpenAction(
    (id, { instance }, form) => `This is ${id}: ${instance.id} as it was ${side} step ${form.get('at')} of its recording.`,
    (form) => ({ at: Number(form.get('at')), before: side === 'before' }),
    'dashboard/timeline',
  );

export const timelinePage: DashboardPage<CheckedFilter> = {
  id: 'timeline',
  path: '/dashboard/timeline',
  title: 'Timeline',
  nav: { label: 'Timeline', icon: 'timeline', key: 't', group: 'Traffic' },
  live: ['request', 'delivery', 'clock', 'state'],
  examples: { timeline: '/dashboard/timeline', 'timeline-from': '/dashboard/timeline?from=12' },
  load: readTimelineFilter,
  says: describeTimeline,
  side: (context, { from }) => [
    from && <LinkButton to={context.here({ from: undefined, before: undefined })} says="Show all" />,
    context.host.options.recording && (
      <form id="moments" method="get" action={context.href('/dashboard/compare')}>
        <button type="submit" class="button">
          Compare the ticked
        </button>
      </form>
    ),
    <LinkButton to={context.href('/dashboard/compare')} says="Compare worlds" kind="quiet" />,
  ],
  parts: [drawTimelineFilter, drawTimeline],
  actions: { before: createRewindAction('before'), after: createRewindAction('after') },
};

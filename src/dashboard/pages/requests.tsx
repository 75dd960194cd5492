// Requests: each exchange with the service, newest first, with its status and what the client did against the contract.
import { summarizeNewest } from '../../mock/control/calls/journal.ts';
import { clipText } from '../../mock/control/fault-words.ts';
import type { Instance } from '../../mock/control/instance.ts';
import { OPERATION_IDS } from '../../service/contract/operations.ts';
import type { RequestSummary } from '../../service/http/journal-entries.ts';
import type { Context } from '../context.ts';
import { Confirm, type FieldRow, FilterForm, offerAny } from '../fields.tsx';
import { type DashboardPage, makeCallAction } from '../page.ts';
import { AbsoluteTime, Chip, countWords, Empty, Facts, Link, LinkButton, Muted, ZoneName } from '../parts.tsx';
import { type Column, EventLog } from '../table.tsx';
import { MethodName, StatusChip } from '../traffic-parts.tsx';
import { createSearchFilter, parseSearch, SEARCH_TERMS, type SearchTerm } from './request-search.ts';

const REQUESTS_PATH = '/dashboard/requests';
const MAX_REQUEST_ROWS = 50;
const FILTER_METHODS = ['GET', 'POST', 'PATCH', 'DELETE'];
const FILTER_STATUSES = ['2xx', '4xx', '5xx', '200', '201', '204', '400', '401', '403', '404', '409', '422', '429', '500', '503'];

export type RequestRow = RequestSummary & { readonly of: Instance; readonly to: string };

const drawKey = ({ key_id: id, of }: RequestRow) => {
  const row = id === null ? undefined : of.world.store.keys.get(id);
  if (!row) return <Muted>{id ?? 'no known key'}</Muted>;
  const workspace = of.world.workspaces.get(row.workspace)?.name ?? row.workspace;
  return (
    <span class="key" title={`${row.value.name}, ${row.value.scope}, ${workspace}`}>
      <span class="key-name">{row.value.name}</span>
      <span class="muted roomy">{row.value.scope}</span>
    </span>
  );
};

export const buildRequestColumns = (context: Context): readonly Column<RequestRow>[] => [
  [['Time ', <ZoneName />], ({ at }) => <AbsoluteTime at={at} from={11} />, 'nowrap muted'],
  [
    'Request',
    ({ to, method, path, of }) => [
      <MethodName method={method} />,
      <Link to={to} says={clipText(path, 160)} kind="link path" />,
      of === context.instance ? null : <Muted>in {of.id}</Muted>,
    ],
    'asked',
  ],
  ['Status', ({ status }) => <StatusChip status={status} />],
  // A frozen clock measures nothing.
  ['ms', ({ duration_ms }) => duration_ms || '', 'number roomy'],
  ['Key', drawKey],
  [
    'Warnings',
    ({ warnings, fault }) => (
      <span class="chips">
        {fault === null ? null : <Chip tone="bad">{fault}</Chip>}
        {Array.from(new Set(warnings.map(({ code }) => code)), (code) => (
          <Chip tone="warn">{code}</Chip>
        ))}
      </span>
    ),
  ],
];

const listSearchedWorlds = (context: Context, terms: readonly SearchTerm[]): readonly Instance[] => {
  const names = terms.filter(({ name }) => name === 'world').map(({ wanted }) => wanted);
  if (names.length === 0) return [context.instance];
  return context.host
    .all()
    .filter(({ id, about }) => names.some((name) => `${id} ${about.title ?? ''}`.toLowerCase().includes(name)));
};

const QUICK_SEARCHES = { 'status:4xx': '4xx', 'warning:any': 'warnings', 'since:1m': 'last minute' };

const drawSearchHelp = (context: Context) => {
  const words = searchLineOf(context).split(' ').filter(Boolean);
  const toggle = (word: string) => (words.includes(word) ? words.filter((one) => one !== word) : [...words, word]).join(' ');
  const toggled = (q: string) => context.here({ q: toggle(q), path: undefined, before: undefined });
  return (
    <div class="row">
      {Object.entries(QUICK_SEARCHES).map(([q, says]) => (
        <Link to={toggled(q)} says={says} kind={words.includes(q) ? 'chip info' : 'chip'} />
      ))}
      <details class="fold">
        <summary>How to search</summary>
        <p class="muted">Words in path, bodies, key or warnings; all must fit. - before one says not; quotes hold spaces.</p>
        <Facts of={Object.values(SEARCH_TERMS).map(([example, says]) => [<code>{example}</code>, says])} />
      </details>
    </div>
  );
};

const keptIn = ({ journal }: Instance): number => journal.next - journal.first;

const searchLineOf = (context: Context): string => {
  const path = context.query('path');
  return context.query('q') ?? (path ? `path:${path}` : '');
};

const drawRequestFilter = (context: Context) => {
  const line = searchLineOf(context);
  const search = { label: 'Search', placeholder: 'any words, status:4xx, key:admin …', searches: true, width: 'grow' };
  const fields: readonly FieldRow[] = [
    { name: 'method', label: 'Method', options: offerAny(FILTER_METHODS) },
    { name: 'status', label: 'Status', options: offerAny([...FILTER_STATUSES, ['0', 'closed']]) },
    { name: 'operation', label: 'Operation', options: offerAny(OPERATION_IDS) },
    { name: 'q', value: line, ...search },
  ];
  return <FilterForm context={context} label="Filter the requests" fields={fields} narrowed={line !== ''} />;
};

const drawRequests = (context: Context) => {
  const terms = parseSearch(searchLineOf(context));
  const curl = `curl "${context.baseUrl}/tasks?limit=3" -H "Authorization: Bearer ${context.keyOf('read')}"`;
  const filter = context.queries('method', 'status', 'operation');
  const { clock } = context.world;
  const search = { before: context.query('before'), most: MAX_REQUEST_ROWS, also: createSearchFilter(terms, clock.now()) };
  const results = listSearchedWorlds(context, terms).map((of) => ({ of, ...summarizeNewest(of, filter, search) }));
  const rows = results.flatMap(({ of, items }) =>
    items.map(({ id, ...item }): RequestRow => {
      const to = `${context.baseOf(of)}${REQUESTS_PATH}/${id}`;
      return { ...item, of, to, id: of === context.instance ? id : `${of.id} ${id}` };
    }),
  );
  return (
    <EventLog
      context={context}
      label="Requests"
      columns={buildRequestColumns(context)}
      rows={rows.slice(0, MAX_REQUEST_ROWS)}
      kept={results.reduce((sum, { of }) => sum + keptIn(of), 0)}
      more={results[0]?.of === context.instance && results[0].more}
    >
      <Empty title="No requests yet" curl={curl}>
        Each request to /v1 appears here as it comes. The journal keeps the last thousand. Try one:
      </Empty>
    </EventLog>
  );
};

export const requestsPage: DashboardPage = {
  id: 'requests',
  path: REQUESTS_PATH,
  title: 'Requests',
  nav: { label: 'Requests', icon: 'requests', key: 'r', group: 'Traffic' },
  live: ['request', 'state'],
  examples: {
    requests: REQUESTS_PATH,
    'requests-filtered': `${REQUESTS_PATH}?status=4xx&path=/tasks*`,
    'requests-none': `${REQUESTS_PATH}?operation=deleteTeam`,
  },
  says: () => 'Requests to /v1, why each got its response, and what it changed.',
  side: (context) => {
    const kept = keptIn(context.instance);
    return (
      kept > 0 && [
        <LinkButton to={context.href('/_mock/har')} says="Export HAR" download="wm-mock.har" kind="quiet" />,
        <Confirm context={context} action="forget" ask="Clear log…" button={`Forget ${countWords(kept, 'request')}`}>
          The journal is emptied; nothing else changes.
        </Confirm>,
      ]
    );
  },
  parts: [drawRequestFilter, drawSearchHelp, drawRequests],
  actions: { forget: makeCallAction('deleteRequests', 'The journal is empty.') },
};

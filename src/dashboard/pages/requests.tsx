// Requests: each exchange with the service, newest first, with its status and what the client did against the contract.

import { newestOf } from '../../mock/control/calls/journal.ts';
import { clipped } from '../../mock/control/fault-words.ts';
import type { Instance } from '../../mock/control/instance.ts';
import { OPERATION_IDS } from '../../service/contract/operations.ts';
import type { RequestSummary } from '../../service/http/show-exchange.ts';
import type { Context } from '../context.ts';
import { Confirm, type FieldRow, FilterForm, offerAny } from '../fields.tsx';
import { type DashboardPage, makeCallAction } from '../page.ts';
import { Chip, countWords, Empty, Facts, Link, LinkButton, Muted, PageHead } from '../parts.tsx';
import { type Column, EventLog } from '../table.tsx';
import { MethodName, StatusChip, TimeOfDay } from '../traffic-parts.tsx';
import { fitting, NAMES, type Term, termsIn } from './request-search.ts';

const PATH = '/dashboard/requests';
const MOST = 50;
const METHODS = ['GET', 'POST', 'PATCH', 'DELETE'];
const STATUSES = ['2xx', '4xx', '5xx', '200', '201', '204', '400', '401', '403', '404', '409', '422', '429', '500', '503'];

interface Row extends RequestSummary {
  readonly of: Instance;
  readonly to: string;
}

const rowOf = (context: Context, of: Instance, { id, ...item }: RequestSummary): Row => ({
  ...item,
  of,
  to: `${context.baseOf(of)}${PATH}/${id}`,
  id: of === context.instance ? id : `${of.id} ${id}`,
});

const Key = ({ entry: { key_id: id, of } }: { entry: Row }) => {
  const row = id === null ? undefined : of.world.store.keys.get(id);
  if (!row) return <Muted>{id ?? 'no known key'}</Muted>;
  const workspace = of.world.workspaces.get(row.workspace)?.name ?? row.workspace;
  return (
    <span class="key" title={`${row.value.name}, ${row.value.scope}, ${workspace}`}>
      <span class="key-name">{row.value.name}</span>
      <Muted>{row.value.scope}</Muted>
    </span>
  );
};

const Warnings = ({ entry: { warnings, fault } }: { entry: RequestSummary }) => {
  const codes = [...new Set(warnings.map(({ code }) => code))];
  return (
    <span class="chips">
      {fault === null ? null : <Chip tone="bad">{fault}</Chip>}
      {codes.map((code) => (
        <Chip tone="warn">{code}</Chip>
      ))}
    </span>
  );
};

/** Each exchange as a row. */
const columnsOf = (context: Context): readonly Column<Row>[] => [
  ['Time', ({ at }) => <TimeOfDay at={at} />, 'nowrap muted'],
  [
    'Request',
    ({ to, method, path, of }) => (
      <>
        <MethodName method={method} />
        <Link to={to} says={clipped(path, 160)} kind="link path" />
        {of === context.instance ? null : <Muted>in {of.id}</Muted>}
      </>
    ),
    'asked',
  ],
  ['Status', ({ status }) => <StatusChip status={status} />],
  ['ms', ({ duration_ms }) => duration_ms, 'number'],
  ['Key', (entry) => <Key entry={entry} />],
  ['Warnings', (entry) => <Warnings entry={entry} />],
];

const FIELDS: readonly FieldRow[] = [
  { name: 'method', label: 'Method', options: offerAny(METHODS) },
  { name: 'status', label: 'Status', options: offerAny([...STATUSES, ['0', 'closed']]) },
  { name: 'operation', label: 'Operation', options: offerAny(OPERATION_IDS) },
  { name: 'q', label: 'Search', placeholder: 'any words, status:4xx, key:admin …', searches: true, grow: true },
];

const curlOf = ({ baseUrl, instance }: Context): string => {
  const key = instance.running.base.world.store.keys.all().find(({ value }) => !value.revoked)?.value.value ?? '<key>';
  return `curl "${baseUrl}/tasks?limit=3" -H "Authorization: Bearer ${key}"`;
};

/** The worlds that are looked through: this one, unless some are named. */
const searched = (context: Context, terms: readonly Term[]): readonly Instance[] => {
  const names = terms.filter(({ name }) => name === 'world').map(({ wanted }) => wanted);
  if (names.length === 0) return [context.instance];
  return context.host
    .all()
    .filter(({ id, about }) => names.some((name) => `${id} ${about.title ?? ''}`.toLowerCase().includes(name)));
};

const Help = () => (
  <details class="fold">
    <summary>How to search</summary>
    <p class="muted">
      Words are looked for in path, bodies, key and warnings. All of a line must fit; - before a part says not. What holds spaces
      stands in quotes.
    </p>
    <Facts of={Object.values(NAMES).map(([example, says]) => [<code>{example}</code>, says])} />
  </details>
);

const Requests = ({ context }: { context: Context }) => {
  const path = context.query('path');
  const line = context.query('q') ?? (path ? `path:${path}` : '');
  const fields = FIELDS.map((field) => (field.name === 'q' ? { ...field, value: line } : field));
  const terms = termsIn(line);
  const filter = context.queries('method', 'status', 'operation');
  const results = searched(context, terms).map((of) => ({
    of,
    ...newestOf(of, filter, { before: context.query('before'), most: MOST, also: fitting(terms) }),
  }));
  const rows = results.flatMap(({ of, items }) => items.map((item) => rowOf(context, of, item))).slice(0, MOST);
  const keptIn = ({ journal }: Instance): number => journal.next - journal.first;
  const kept = keptIn(context.instance);
  return (
    <>
      <PageHead
        title="Requests"
        says={`Requests to /v1 in the world ${context.instance.id}, why it got its response, and what changed.`}
      >
        {kept > 0 ? <LinkButton to={context.href('/_mock/har')} says="Export HAR" download="wm-mock.har" kind="quiet" /> : null}
        {kept > 0 ? (
          <Confirm context={context} action="forget" ask="Clear log…" button={`Forget ${countWords(kept, 'request')}`}>
            The journal is emptied; nothing else changes.
          </Confirm>
        ) : null}
      </PageHead>
      <FilterForm context={context} label="Filter the requests" fields={fields} says="Search" narrowed={line !== ''} />
      <Help />
      <EventLog
        context={context}
        label="Requests"
        columns={columnsOf(context)}
        rows={rows}
        kept={results.reduce((sum, { of }) => sum + keptIn(of), 0)}
        more={results[0]?.of === context.instance && results[0].more}
      >
        <Empty title="Nobody has asked anything yet" curl={curlOf(context)}>
          Each request to /v1 appears here as it comes. The journal keeps the last thousand. Try one:
        </Empty>
      </EventLog>
    </>
  );
};

export const requests: DashboardPage = {
  id: 'requests',
  path: PATH,
  title: 'Requests',
  nav: { label: 'Requests', icon: 'requests', key: 'r', group: 'Traffic' },
  live: ['request', 'state'],
  examples: {
    requests: PATH,
    'requests-filtered': `${PATH}?status=4xx&path=/tasks*`,
    'requests-none': `${PATH}?operation=deleteTeam`,
  },
  render: (context) => <Requests context={context} />,
  actions: {
    forget: makeCallAction('deleteRequests', (_, { context }) => ({ to: context.href(PATH), says: 'The journal is empty.' })),
  },
};

// Requests: each exchange with the service, newest first, with its status and what the client did against the contract.
import { OPERATION_IDS } from '../../contract/operations.ts';
import { newestOf } from '../../control/calls/journal.ts';
import { clipped } from '../../control/fault-words.ts';
import type { RequestSummary } from '../../http/show-exchange.ts';
import type { Context } from '../context.ts';
import { anyOf, Confirm, type FieldRow, Filters } from '../fields.tsx';
import { calling, type Page } from '../page.ts';
import { Chip, counted, Empty, Link, PageHead } from '../parts.tsx';
import { type Column, Log } from '../table.tsx';
import { Method, Status, TimeOfDay } from '../traffic-parts.tsx';

const MOST = 50;
const METHODS = ['GET', 'POST', 'PATCH', 'DELETE'];
const STATUSES = ['2xx', '4xx', '5xx', '200', '201', '204', '400', '401', '403', '404', '409', '422', '429', '500', '503'];

const Key = ({ id, context }: { id: string | null; context: Context }) => {
  const row = id === null ? undefined : context.world.store.keys.get(id);
  if (!row) return <span class="muted">{id ?? 'no known key'}</span>;
  const workspace = context.world.workspaces.get(row.workspace)?.name ?? row.workspace;
  return (
    <span class="key" title={`${row.value.name}, ${row.value.scope}, ${workspace}`}>
      <span class="key-name">{row.value.name}</span>
      <span class="muted">{row.value.scope}</span>
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
const columnsOf = (context: Context): readonly Column<RequestSummary>[] => [
  ['Time', ({ at }) => <TimeOfDay at={at} />, 'nowrap muted'],
  [
    'Request',
    ({ id, method, path }) => (
      <>
        <Method method={method} />
        <Link to={context.href(`/dashboard/requests/${id}`)} says={clipped(path, 160)} kind="link path" />
      </>
    ),
    'asked',
  ],
  ['Status', ({ status }) => <Status status={status} />],
  ['ms', ({ duration_ms }) => duration_ms, 'number'],
  ['Key', ({ key_id }) => <Key id={key_id} context={context} />],
  ['Warnings', (entry) => <Warnings entry={entry} />],
];

const FIELDS: readonly FieldRow[] = [
  { name: 'method', label: 'Method', options: anyOf(METHODS) },
  { name: 'status', label: 'Status', options: anyOf([...STATUSES, ['0', 'closed']]) },
  { name: 'operation', label: 'Operation', options: anyOf(OPERATION_IDS) },
  { name: 'path', label: 'Path', placeholder: '/tasks/* — press / to type', searches: true, grow: true },
];

const curlOf = ({ baseUrl, instance }: Context): string => {
  const key = instance.running.base.world.store.keys.all().find(({ value }) => !value.revoked)?.value.value ?? '<key>';
  return `curl "${baseUrl}/tasks?limit=3" -H "Authorization: Bearer ${key}"`;
};

const Requests = ({ context }: { context: Context }) => {
  const { journal } = context.instance;
  const filter = Object.fromEntries(FIELDS.map(({ name }) => [name, context.query(name) || undefined]));
  const { items, more } = newestOf(context.instance, filter, { before: context.query('before'), most: MOST });
  const kept = journal.next - journal.first;
  const none = (
    <Empty title="Nobody has asked anything yet" curl={curlOf(context)}>
      Each request to /v1 appears here as it comes. The journal keeps the last thousand. Try one:
    </Empty>
  );
  return (
    <>
      <PageHead
        title="Requests"
        says={`What was asked of /v1 in the world ${context.instance.id}, why it was answered so, and what changed.`}
      >
        {kept > 0 ? (
          <Confirm
            ask="Clear log…"
            says="The journal is emptied; nothing else changes."
            context={context}
            action="forget"
            button={`Forget ${counted(kept, 'request')}`}
          />
        ) : null}
      </PageHead>
      <Filters context={context} label="Filter the requests" fields={FIELDS} />
      <Log context={context} label="Requests" columns={columnsOf(context)} rows={items} kept={kept} more={more} none={none} />
    </>
  );
};

export const requests: Page = {
  id: 'requests',
  path: '/dashboard/requests',
  title: 'Requests',
  nav: { label: 'Requests', icon: 'requests', key: 'r', group: 'Traffic' },
  live: ['request', 'state'],
  examples: {
    requests: '/dashboard/requests',
    'requests-filtered': '/dashboard/requests?status=4xx&path=/tasks*',
    'requests-none': '/dashboard/requests?operation=deleteTeam',
  },
  render: (context) => <Requests context={context} />,
  actions: {
    forget: calling('deleteRequests', (_, { context }) => ({
      to: context.href('/dashboard/requests'),
      says: 'The journal is empty.',
    })),
  },
};

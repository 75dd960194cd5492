// Requests: each exchange with the service, newest first, with its status and what the client did against the contract.
import { OPERATION_IDS } from '../../contract/operations.ts';
import { newestOf } from '../../control/calls/journal.ts';
import type { RequestSummary } from '../../http/show-exchange.ts';
import type { Context } from '../context.ts';
import { Confirm, Field } from '../fields.tsx';
import { Icon } from '../icons.tsx';
import type { Page } from '../page.ts';
import { Card, Chip, Empty, PageHead, Table } from '../parts.tsx';
import { clipped, Method, Status } from '../traffic-parts.tsx';

const MOST = 50;
const FILTERS = ['method', 'path', 'status', 'operation'] as const;
const METHODS = ['GET', 'POST', 'PATCH', 'DELETE'];
const STATUSES = ['2xx', '4xx', '5xx', '200', '201', '204', '400', '401', '403', '404', '409', '422', '429', '500', '503'];

/** Time of day; the journal covers little more. */
const timeOf = (at: string): string => at.slice(11, 19);

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

const Row = ({ entry, context }: { entry: RequestSummary; context: Context }) => (
  <tr data-row={entry.id}>
    <td class="nowrap muted when">
      <time datetime={entry.at} title={entry.at}>
        {timeOf(entry.at)}
      </time>
    </td>
    <th scope="row" class="asked">
      <Method method={entry.method} />
      <a class="link path" href={context.href(`/dashboard/requests/${entry.id}`)}>
        {clipped(entry.path, 160)}
      </a>
    </th>
    <td>
      <Status status={entry.status} />
    </td>
    <td class="number">{entry.duration_ms}</td>
    <td>
      <Key id={entry.key_id} context={context} />
    </td>
    <td>
      <Warnings entry={entry} />
    </td>
  </tr>
);

const Filters = ({ context }: { context: Context }) => {
  const form = context.form('filter');
  const set = FILTERS.some((name) => context.query(name));
  return (
    <form method="get" action={context.href(context.path)} class="bar" aria-label="Filter the requests">
      <Field
        form={form}
        name="method"
        label="Method"
        value={context.query('method') ?? ''}
        options={[['', 'any'], ...METHODS]}
        submits
      />
      <Field
        form={form}
        name="status"
        label="Status"
        value={context.query('status') ?? ''}
        options={[['', 'any'], ...STATUSES, ['0', 'closed']]}
        submits
      />
      <Field
        form={form}
        name="operation"
        label="Operation"
        value={context.query('operation') ?? ''}
        options={[['', 'any'], ...OPERATION_IDS]}
        submits
      />
      <div class="grow">
        <Field
          form={form}
          name="path"
          label="Path"
          value={context.query('path') ?? ''}
          placeholder="/tasks/* — press / to type"
          searches
        />
      </div>
      <button type="submit" class="button">
        Apply
      </button>
      {set ? (
        <a class="button quiet" href={context.href(context.path)}>
          Clear
        </a>
      ) : null}
    </form>
  );
};

const Pager = ({ context, last, more }: { context: Context; last: string | undefined; more: boolean }) => (
  <nav class="pager" aria-label="Pages of the list">
    <span class="muted">
      {context.query('before')
        ? `Those before ${clipped(context.query('before')!, 20)}.`
        : 'The newest; the list keeps itself up to date.'}
    </span>
    <span class="actions">
      {context.query('before') ? (
        <a class="button small" href={context.here({ before: undefined })}>
          Newest
        </a>
      ) : null}
      {more && last ? (
        <a class="button small" href={context.here({ before: last })} rel="next">
          Older
          <Icon name="right" />
        </a>
      ) : null}
    </span>
  </nav>
);

const curlOf = ({ baseUrl, instance }: Context): string => {
  const key = instance.running.base.world.store.keys.all().find(({ value }) => !value.revoked)?.value.value ?? '<key>';
  return `curl "${baseUrl}/tasks?limit=3" -H "Authorization: Bearer ${key}"`;
};

const Requests = ({ context }: { context: Context }) => {
  const { journal } = context.instance;
  const filter = Object.fromEntries(FILTERS.map((name) => [name, context.query(name) || undefined]));
  const { items, more } = newestOf(context.instance, filter, { before: context.query('before'), most: MOST });
  const kept = journal.next - journal.first;
  return (
    <>
      <PageHead
        title="Requests"
        says={`What was asked of /v1 in the world ${context.instance.id}, why it was answered so, and what changed.`}
      >
        {kept > 0 ? (
          <Confirm
            ask="Forget all…"
            says="The journal is emptied; nothing else changes."
            context={context}
            action="forget"
            button={`Forget ${kept.toLocaleString('en')} requests`}
          />
        ) : null}
      </PageHead>
      <Filters context={context} />
      <Card live="journal" flush>
        {items.length > 0 ? (
          <>
            <Table
              label="Requests"
              columns={[<span class="when">Time</span>, 'Request', 'Status', { head: 'ms', number: true }, 'Key', 'Warnings']}
            >
              {items.map((entry) => (
                <Row entry={entry} context={context} />
              ))}
            </Table>
            <Pager context={context} last={items.at(-1)?.id} more={more} />
          </>
        ) : kept > 0 ? (
          <Empty title="No request fits">
            None of the {kept.toLocaleString('en')} requests that the journal keeps is what you ask for.{' '}
            <a href={context.href(context.path)}>Show them all</a>.
          </Empty>
        ) : (
          <Empty title="Nobody has asked anything yet" curl={curlOf(context)}>
            Each request to /v1 appears here as it comes. The journal keeps the last thousand. Try one:
          </Empty>
        )}
      </Card>
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
    forget: async (context) => {
      await context.call('deleteRequests');
      return { to: context.href('/dashboard/requests'), says: 'The journal is empty.' };
    },
  },
};

// The latest requests on the overview, each with what to do with it next.
import { summarizeNewest } from '../../mock/control/calls/journal.ts';
import { clipText } from '../../mock/control/fault-words.ts';
import { exchangeNumber, type RequestSummary } from '../../service/http/journal-entries.ts';
import type { Context } from '../context.ts';
import { Empty, Link, LinkButton } from '../parts.tsx';
import { snippetsOf } from '../snippets.ts';
import { type Column, TableCard } from '../table.tsx';
import { MethodName, StatusChip } from '../traffic-parts.tsx';

const MAX_LATEST_REQUESTS = 8;

const drawShortcuts = (context: Context, id: string, to: string) => {
  const { journal } = context.instance;
  const { curl } = snippetsOf(context, context.instance.showing().entry(journal.get(exchangeNumber(id))!));
  return (
    <span class="actions">
      <button type="button" class="button small scripted" data-copy={curl} aria-label={`Copy as curl: ${id}`}>
        Copy as curl
      </button>
      <LinkButton to={`${to}#again`} says="Edit and send again" small />
    </span>
  );
};

export const drawLatest = (context: Context) => {
  const hrefOf = (id: string) => context.href(`/dashboard/requests/${id}`);
  const columns: readonly Column<RequestSummary>[] = [
    [
      'Request',
      ({ id, method, path }) => [
        <MethodName method={method} />,
        <Link to={hrefOf(id)} says={clipText(path, 160)} kind="link path" />,
      ],
      'asked',
    ],
    ['Status', ({ status }) => <StatusChip status={status} />],
    ['', ({ id }) => drawShortcuts(context, id, hrefOf(id)), 'end'],
  ];
  const { items } = summarizeNewest(context.instance, {}, { most: MAX_LATEST_REQUESTS });
  return (
    <TableCard title="Latest requests" live="latest" columns={columns} rows={items}>
      <Empty title="Nobody has asked anything yet">Each request to /v1 appears here as it comes.</Empty>
    </TableCard>
  );
};

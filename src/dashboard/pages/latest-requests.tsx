// The latest requests on the overview, each with what to do with it next.
import { summarizeNewest } from '../../mock/control/calls/journal.ts';
import { exchangeNumber } from '../../service/http/journal-entries.ts';
import type { Context } from '../context.ts';
import { Empty, LinkButton } from '../parts.tsx';
import { snippetsOf } from '../snippets.ts';
import { type Column, TableCard } from '../table.tsx';
import { buildRequestColumns, type RequestRow } from './requests.tsx';

const MAX_LATEST_REQUESTS = 8;

const drawShortcuts = (context: Context, { id, to, of }: RequestRow) => {
  const { curl } = snippetsOf(context, of.showing().entry(of.journal.get(exchangeNumber(id))!));
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
  const { items } = summarizeNewest(context.instance, {}, { most: MAX_LATEST_REQUESTS });
  const rows = items.map((one) => ({ ...one, of: context.instance, to: context.href(`/dashboard/requests/${one.id}`) }));
  const shortcuts: Column<RequestRow> = ['', (row) => drawShortcuts(context, row), 'end'];
  const columns = [...buildRequestColumns(context).slice(0, 3), shortcuts];
  return (
    <TableCard title="Latest requests" live="latest" columns={columns} rows={rows} heading={1}>
      <Empty title="Nobody has asked anything yet">Each request to /v1 appears here as it comes.</Empty>
    </TableCard>
  );
};

// The latest requests on the overview, each with what to do with it next.
import { summarizeNewest } from '../../mock/control/calls/journal.ts';
import { exchangeNumber } from '../../service/http/journal-entries.ts';
import type { Context } from '../context.ts';
import { Empty, LinkButton } from '../parts.tsx';
import { type Column, TableCard } from '../table.tsx';
import { buildRequestColumns, type RequestRow } from './requests.tsx';

const MAX_LATEST_REQUESTS = 8;

const drawShortcuts = (context: Context, { id, to, of }: RequestRow) => {
  const { place } = of.journal.get(exchangeNumber(id))!;
  const copies = { curl: 'curl', 'bug-report': 'bug report' };
  return (
    <span class="actions">
      {Object.entries(copies).map(([from, says]) => (
        <button
          type="button"
          class="button quiet small scripted"
          data-copy=""
          data-from={from}
          data-at={to}
          aria-label={`Copy as ${says}: ${id}`}
        >
          {says}
        </button>
      ))}
      <LinkButton to={`${to}#again`} says="send again" kind="quiet" small />
      {context.host.options.recording && place !== undefined ? (
        <LinkButton to={context.href('/dashboard/compare', { at: place })} says="changed since" kind="quiet" small />
      ) : null}
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
      <Empty title="No requests yet">Each request to /v1 appears here as it comes.</Empty>
    </TableCard>
  );
};

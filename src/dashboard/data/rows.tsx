// The rows of the data page, each opened in its place, and the way to the next ones.
import type { Child } from 'hono/jsx';
import type { Context } from '../context.ts';
import { type Column, Pager, Table } from '../table.tsx';
import type { Collection, ColumnOf } from './collection.ts';
import { Open } from './edit.tsx';
import type { Listing } from './listing.ts';

/** What an address loses when it shows another list, or the same one from its start. */
export const BACK_TO_FIRST = { cursor: undefined, from: undefined, open: undefined, new: undefined };

const Head = ({ column, listing, context }: { column: ColumnOf; listing: Listing; context: Context }) => {
  const { sort } = column;
  if (!listing.sorts.includes(sort)) return <>{column.label}</>;
  const [first, second] = sort.endsWith('_at') ? [`-${sort}`, sort] : [sort, `-${sort}`];
  const ways: Readonly<Record<string, readonly string[]>> = { [sort]: ['↑', 'ascending'], [`-${sort}`]: ['↓', 'descending'] };
  const [arrow = '', says = 'sort by it'] = ways[listing.sort ?? ''] ?? [];
  const to = context.here({ ...BACK_TO_FIRST, sort: listing.sort === first ? second : first });
  return (
    <a class="sort" href={to} aria-current={arrow ? 'true' : undefined}>
      {column.label}
      <span aria-hidden="true"> {arrow}</span>
      <span class="hidden">, {says}</span>
    </a>
  );
};

/** The record whose row is open: the one that was refused, the one that was looked for, or the one that was chosen. */
const openIn = ({ asked: { failure } }: Context, { open }: Listing): string | null | undefined =>
  failure?.action === 'update' ? failure.form.get('id') : open;

/** The table. */
export const Rows = ({ context, collection, listing }: { context: Context; collection: Collection; listing: Listing }) => {
  const open = openIn(context, listing);
  const heading = (id: string, first: Child, record: never) => (
    <>
      <a
        class="link"
        href={context.here({ open: id === open ? undefined : id, new: undefined })}
        aria-expanded={id === open ? 'true' : 'false'}
      >
        {first}
      </a>
      {collection.under ? <span class="under">{collection.under(record, context)}</span> : null}
    </>
  );
  const columns = collection.columns.map((column, i): Column<{ readonly id: string }> => {
    const cell = (record: { readonly id: string }) => {
      const shown = column.cell(record as never, context);
      return i === 0 ? heading(record.id, shown, record as never) : shown;
    };
    const head = <Head column={column} listing={listing} context={context} />;
    return [head, cell, column.number ? 'number' : 'nowrap'];
  });
  return (
    <Table
      wideFirst
      label={`The ${collection.name}`}
      columns={columns}
      rows={[...(listing.beside ? [listing.beside] : []), ...listing.rows].map(({ value }) => value)}
      id={({ id }) => id}
      kind={({ id }) => (id === open ? 'opened' : undefined)}
      heading={0}
      below={(record) =>
        record.id === open ? <Open context={context} collection={collection} record={record as never} /> : null
      }
    />
  );
};

const counted = (number: number): string => number.toLocaleString('en');

/** Which rows these are, and the ones before and after. */
export const DataPager = ({ context, listing: { from, rows, total, next, limit } }: { context: Context; listing: Listing }) => (
  <Pager
    says={total === 0 ? 'none' : `${counted(from + 1)}–${counted(from + rows.length)} of ${counted(total)}`}
    back={(from > 0 || context.query('cursor')) && [context.here(BACK_TO_FIRST), 'First page']}
    next={
      next !== null && [
        context.here({ ...BACK_TO_FIRST, cursor: context.query('q') ? undefined : next, from: from + limit }),
        `Next ${Math.min(limit, total - from - rows.length)}`,
      ]
    }
  />
);

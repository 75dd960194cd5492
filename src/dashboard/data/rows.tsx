// The rows of the data page, each opened in its place, and the way to the next ones.
import type { Context } from '../context.ts';
import { Icon } from '../icons.tsx';
import { Table } from '../parts.tsx';
import type { Collection, Column } from './collection.ts';
import { Open } from './edit.tsx';
import type { Listing } from './listing.ts';

/** What an address loses when it shows another list, or the same one from its start. */
export const BACK_TO_FIRST = { cursor: undefined, from: undefined, open: undefined, new: undefined };

const Head = ({ column, listing, context }: { column: Column; listing: Listing; context: Context }) => {
  const { sort } = column;
  if (!listing.sorts.includes(sort)) return <>{column.label}</>;
  const up = listing.sort === sort;
  const down = listing.sort === `-${sort}`;
  return (
    <a
      class="sort"
      href={context.here({
        ...BACK_TO_FIRST,
        sort: down ? sort : up ? `-${sort}` : sort === 'title' || sort === 'due_date' ? sort : `-${sort}`,
      })}
      aria-current={up || down ? 'true' : undefined}
    >
      {column.label}
      <span aria-hidden="true">{up ? ' ↑' : down ? ' ↓' : ''}</span>
      <span class="hidden">{up ? ', ascending' : down ? ', descending' : ', sort by it'}</span>
    </a>
  );
};

/** The table. */
export const Rows = ({ context, collection, listing }: { context: Context; collection: Collection; listing: Listing }) => {
  const open =
    context.failure?.action === 'update'
      ? context.failure.form.get('id')
      : context.query('id')
        ? listing.rows[0]?.value.id
        : context.query('open');
  const columns = collection.columns.map((column) => {
    const head = <Head column={column} listing={listing} context={context} />;
    return column.number ? { head, number: true as const } : head;
  });
  return (
    <Table wideFirst label={`The ${collection.name}`} columns={columns}>
      {listing.rows.flatMap(({ value }) => {
        const [first, ...cells] = collection.columns.map(({ cell }) => cell(value as never, context));
        const isOpen = value.id === open;
        const row = (
          <tr data-row={value.id} class={isOpen ? 'opened' : undefined}>
            <th scope="row">
              <a
                class="link"
                href={context.here({ open: isOpen ? undefined : value.id, new: undefined })}
                aria-expanded={isOpen ? 'true' : 'false'}
              >
                {first}
              </a>
              {collection.under ? <span class="under">{collection.under(value as never, context)}</span> : null}
            </th>
            {cells.map((cell, i) => (
              <td class={collection.columns[i + 1]?.number ? 'number' : 'nowrap'}>{cell}</td>
            ))}
          </tr>
        );
        if (!isOpen) return [row];
        return [
          row,
          <tr data-row={`${value.id} open`} class="open">
            <td colspan={columns.length}>
              <Open context={context} collection={collection} record={value as never} />
            </td>
          </tr>,
        ];
      })}
    </Table>
  );
};

/** Which rows these are, and the ones before and after. */
export const Pager = ({ context, listing }: { context: Context; listing: Listing }) => {
  const { from, rows, total, next, limit } = listing;
  const counted =
    total === 0
      ? 'none'
      : `${(from + 1).toLocaleString('en')}–${(from + rows.length).toLocaleString('en')} of ${total.toLocaleString('en')}`;
  return (
    <nav class="pager" aria-label="Pages of the list">
      <span class="muted">{counted}</span>
      <span class="actions">
        {context.query('cursor') ? (
          <a class="button small" href={context.here(BACK_TO_FIRST)}>
            First page
          </a>
        ) : null}
        {next === null ? null : (
          <a class="button small" href={context.here({ ...BACK_TO_FIRST, cursor: next, from: from + limit })} rel="next">
            Next {Math.min(limit, total - from - rows.length)}
            <Icon name="right" />
          </a>
        )}
      </span>
    </nav>
  );
};

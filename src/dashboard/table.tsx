// Tables by their columns, pagers of long lists, and logs.
import type { Child, PropsWithChildren } from 'hono/jsx';
import { clipText } from '../mock/control/fault-words.ts';
import type { Context } from './context.ts';
import { Card, type CardProps, Empty, formatNumber, Icon, LinkButton, Muted, RestCount } from './parts.tsx';

/** A column of a table; its kind is the class of its cells (`roomy`: left out where there is little room), and '' heads the actions. */
export type Column<T> = readonly [head: Child, cell: (row: T) => Child, kind?: string | undefined];

interface TableProps<T> extends PropsWithChildren {
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  /** At most this many rows are shown; the others are counted, with the words of `rest`. */
  readonly most?: number;
  readonly rest?: string;
  /** By default, its `id`. */
  readonly id?: (row: T) => string | undefined;
  readonly kind?: (row: T) => string | undefined;
  /** Index of the column whose cells head their rows; by default the first. */
  readonly heading?: number;
  /** Content of a second row, where a row is open. */
  readonly below?: (row: T) => Child;
  readonly wideFirst?: boolean;
}

/** Columns and rows, or the children where there are no rows. */
export const DataTable = <T,>({ children, most = Number.POSITIVE_INFINITY, rest, ...table }: TableProps<T>) =>
  children && table.rows.length === 0 ? (
    children
  ) : (
    <>
      {TableRows({ ...table, rows: table.rows.slice(0, most) })}
      <RestCount of={table.rows.length} shown={most} says={rest} />
    </>
  );

const rowId = (row: unknown): string | undefined => (row as { readonly id?: string }).id;

const TableRows = <T,>({ label, columns, rows, id = rowId, kind, heading = 0, below, wideFirst = false }: TableProps<T>) => (
  <section class={`table${wideFirst ? ' wide-first' : ''}`} tabindex={0} aria-label={label}>
    <table>
      <thead>
        <tr>
          {columns.map(([head, , of]) => (
            <th scope="col" class={of?.match(/\b(number|roomy)\b/g)?.join(' ')}>
              {head === '' ? <span class="hidden">Actions</span> : head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => {
          const detail = below?.(row);
          return (
            <>
              <tr data-row={id(row)} class={kind?.(row)}>
                {columns.map(([, cell, of], i) => {
                  const Cell = i === heading ? 'th' : 'td';
                  return (
                    <Cell scope={i === heading ? 'row' : undefined} class={of}>
                      {cell(row)}
                    </Cell>
                  );
                })}
              </tr>
              {detail ? (
                <tr data-row={`${id(row)} open`} class="open">
                  <td colspan={columns.length}>{detail}</td>
                </tr>
              ) : null}
            </>
          );
        })}
      </tbody>
    </table>
  </section>
);

interface TableCardProps<T> extends Omit<TableProps<T>, 'label'>, Pick<CardProps, 'says' | 'live'> {
  readonly title?: string;
  readonly label?: string;
}

/** A card that is a table, both of one name. */
export const TableCard = <T,>({ title, label = title ?? '', says, live, ...table }: TableCardProps<T>) => (
  <Card title={title} says={says} live={live} flush>
    <DataTable {...table} label={label} />
  </Card>
);

type PagerLink = readonly [to: string, label: string] | '' | false | undefined;

export const Pager = ({ says, back, next }: { says: Child; back: PagerLink; next: PagerLink }) => (
  <nav class="pager" aria-label="Pages of the list">
    <Muted>{says}</Muted>
    <span class="actions">
      {back ? <LinkButton small to={back[0]} says={back[1]} /> : null}
      {next ? (
        <a class="button small" href={next[0]} rel="next">
          {next[1]}
          <Icon name="right" />
        </a>
      ) : null}
    </span>
  </nav>
);

interface LogProps<T> extends Pick<TableProps<T>, 'label' | 'columns' | 'rows' | 'children'> {
  readonly context: Context;
  /** Total without filters. */
  readonly kept: number;
  readonly more: boolean;
}

const MAX_LOG_ROWS = 50;

/** A page of a log, newest first, from before the row that the address names. @param lost where it ends without that row */
export const readLogPage = <T extends { readonly id: string }>(context: Context, all: readonly T[], lost = all.length) => {
  const before = context.query('before');
  const found = before === undefined ? all.length : all.findIndex(({ id }) => id === before);
  const end = found < 0 ? lost : found;
  return { rows: all.slice(Math.max(0, end - MAX_LOG_ROWS), end).reverse(), more: end > MAX_LOG_ROWS };
};

/** Rows with an id, newest first, from before the one that the address names; the children where there are none at all. */
export const EventLog = <T extends { readonly id: string }>({ context, kept, more, children, ...table }: LogProps<T>) => {
  const before = context.query('before');
  const last = table.rows.at(-1);
  return (
    <Card live="log" flush>
      {last ? (
        <>
          <DataTable {...table} heading={1} />
          <Pager
            says={before ? `Those before ${clipText(before, 20)}.` : 'The newest; the list keeps itself up to date.'}
            back={before && [context.here({ before: undefined }), 'Newest']}
            next={more && [context.here({ before: last.id }), 'Older']}
          />
        </>
      ) : kept > 0 ? (
        <Empty title="None fits">
          None of the {formatNumber(kept)} that are kept is what you ask for.{' '}
          <a href={context.href(context.asked.path)}>Show them all</a>.
        </Empty>
      ) : (
        children
      )}
    </Card>
  );
};

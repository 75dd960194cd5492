// The records of the data page: the form of a new one, the rows of those that are there, each opened in its place, and the way to the next ones.
import type { Child } from 'hono/jsx';
import { oneOf } from '../../mock/control/record-types.ts';
import type { Context } from '../context.ts';
import { Confirm, type FieldRow, Fields, Form, Submit } from '../fields.tsx';
import { Card, grouped, LinkButton, Mono } from '../parts.tsx';
import { type Column, Pager, Table } from '../table.tsx';
import { type Collection, type ColumnOf, editable, type FieldOf } from './collection.ts';
import type { Listing } from './listing.ts';

type Known = Readonly<Record<string, unknown>> & { readonly id: string };

const textOf = (value: unknown): string | readonly string[] => (Array.isArray(value) ? value.map(String) : String(value ?? ''));

const rowsOf = (fields: readonly FieldOf[], scope: string, record?: Known): readonly FieldRow[] =>
  fields.map(({ start = '', ...field }) => {
    const value = record ? textOf(record[field.name]) : start;
    return { ...field, scope, value: field.listed ? [value].flat().join('\n') : value };
  });

/** The form of a new record. */
export const New = ({ context, collection }: { context: Context; collection: Collection }) => {
  const { label } = collection.create;
  return (
    <Card title={label} id="new">
      <Form context={context} label={label}>
        <div class="stack">
          <div class="fields">
            <Fields form={context.form('create')} fields={rowsOf(collection.fields(context), 'new')} />
          </div>
          <Submit action="create" says={label} leave={[context.here({ new: undefined }), 'Cancel']} />
        </div>
      </Form>
    </Card>
  );
};

/** An open record: its form, what else there is to see, and the way to delete it. */
const Open = ({ context, collection, record }: { context: Context; collection: Collection; record: Known }) => {
  const fields = editable(collection, context);
  const hidden = { id: record.id };
  const remove = `Delete this ${oneOf(collection.name)}`;
  return (
    <div class="stack">
      <p class="row">
        <Mono text={record.id} copy="Copy the id" />
      </p>
      {fields.length === 0 ? null : (
        <Form context={context} label={`Edit ${record.id}`} hidden={hidden}>
          <div class="stack">
            <div class="fields">
              <Fields form={context.form('update')} fields={rowsOf(fields, 'edit', record)} />
            </div>
            <Submit action="update" says="Save" />
          </div>
        </Form>
      )}
      {collection.more?.(record as never, context)}
      <div class="row">
        {collection.remove ? (
          <Confirm context={context} action="delete" hidden={hidden} ask={`${remove}…`} button={remove}>
            It is gone for good. {collection.remove.says}
          </Confirm>
        ) : null}
        <LinkButton to={context.href('/dashboard/timeline', { record: record.id })} says="Timeline" kind="quiet" />
        <LinkButton to={context.here({ open: undefined, id: undefined })} says="Close" kind="quiet" />
      </div>
    </div>
  );
};

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
    <>
      <Table
        wideFirst
        label={`The ${collection.name}`}
        columns={columns}
        rows={[...(listing.beside ? [listing.beside] : []), ...listing.rows].map(({ value }) => value)}
        id={({ id }) => id}
        kind={({ id }) => (id === open ? 'opened' : undefined)}
        heading={0}
        below={(record) => record.id === open && <Open context={context} collection={collection} record={record as never} />}
      />
      <Part context={context} listing={listing} />
    </>
  );
};

/** Which rows these are, and the ones before and after. */
const Part = ({ context, listing: { from, rows, total, next, limit } }: { context: Context; listing: Listing }) => (
  <Pager
    says={total === 0 ? 'none' : `${grouped(from + 1)}–${grouped(from + rows.length)} of ${grouped(total)}`}
    back={(from > 0 || context.query('cursor')) && [context.here(BACK_TO_FIRST), 'First page']}
    next={
      next !== null && [
        context.here({ ...BACK_TO_FIRST, cursor: context.query('q') ? undefined : next, from: from + limit }),
        `Next ${Math.min(limit, total - from - rows.length)}`,
      ]
    }
  />
);

// The records of the data page: the form of a new one, the rows of those that are there, each opened in its place, and the way to the next ones.
import type { Child } from 'hono/jsx';
import { singularOf } from '../../mock/control/record-types.ts';
import type { RecordName } from '../../service/world/world.ts';
import type { Context } from '../context.ts';
import { Confirm, type FieldRow, FieldsForm, PageForm } from '../fields.tsx';
import { shownTime } from '../form.ts';
import { Card, formatNumber, LinkButton, Mono } from '../parts.tsx';
import { type Column, DataTable, Pager } from '../table.tsx';
import { RecordActivity } from './activity.tsx';
import { type CollectionTab, listEditableFields, NEWEST_FIRST, type RecordColumn, type RecordField } from './collection.ts';
import type { RecordListing } from './listing.ts';

type AnyRecord = Readonly<Record<string, unknown>> & { readonly id: string };

const fillFields = (fields: readonly RecordField[], scope: string, record?: AnyRecord): readonly FieldRow[] =>
  fields.map(({ start = '', ...field }) => {
    const saved = record?.[field.name] ?? '';
    const value = !record ? start : Array.isArray(saved) ? saved.map(String) : shownTime(field.type, String(saved));
    return { ...field, scope, value: field.listed ? [value].flat().join('\n') : value };
  });

/** The line of shell that makes a record, and the way to another that must be there before. */
export const buildPostLine = (context: Context, { empty }: CollectionTab) => {
  const { world, workspace } = context;
  const firstOf = (name: RecordName) => world.store[name].list(NEWEST_FIRST, workspace.id, []).rows(0, 1)[0]?.value.id;
  const line = context.postLine(...empty.post, empty.post[0].startsWith('/v1') ? 'admin' : undefined);
  const curl = line.replace(/<(\w+)_id>/g, (blank, one) => firstOf(`${one}s` as RecordName) ?? blank);
  const [, needs] = /<(\w+)_id>/.exec(curl) ?? [];
  const to = context.href(`/dashboard/data/${needs}s`, { workspace: workspace.id, new: 1 });
  return { curl, before: needs && <a href={to}>Create a {needs} first</a> };
};

const COUNT_FIELD: FieldRow = {
  name: 'count',
  label: 'How many',
  scope: 'new',
  type: 'number',
  value: '1',
  hint: 'Up to 1,000.',
};

export const drawNewRecord = (context: Context, tab: CollectionTab) => {
  const { label } = tab.create;
  const { before } = buildPostLine(context, tab);
  if (before) return <Card title={label}>{before}</Card>;
  const fields = [...fillFields(tab.fields(context), 'new'), ...(tab.name === 'tasks' ? [COUNT_FIELD] : [])];
  const form = { label, action: 'create', says: label, fields };
  return (
    <Card title={label} id="new">
      <FieldsForm context={context} {...form} leave={[context.here({ new: undefined }), 'Cancel']} />
    </Card>
  );
};

const OpenRecord = ({ context, collection, record }: { context: Context; collection: CollectionTab; record: AnyRecord }) => {
  const fields = fillFields(listEditableFields(collection, context), 'edit', record);
  const hidden = { id: record.id };
  const remove = `Delete this ${singularOf(collection.name)}`;
  return (
    <div class="stack">
      <p class="row">
        <Mono text={record.id} copy="Copy the id" />
      </p>
      {fields.length === 0 ? null : (
        <FieldsForm context={context} label={`Edit ${record.id}`} hidden={hidden} fields={fields} action="update" says="Save" />
      )}
      {collection.more?.(record as never, context)}
      <RecordActivity context={context} id={record.id} />
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

/** Takes an address back to the start of a list. */
export const FIRST_PAGE = { cursor: undefined, past: undefined, from: undefined, open: undefined, new: undefined };

const SortHead = ({ column, listing, context }: { column: RecordColumn; listing: RecordListing; context: Context }) => {
  const { sort } = column;
  if (!listing.sorts.includes(sort)) return <>{column.label}</>;
  const [first, second] = sort.endsWith('_at') ? [`-${sort}`, sort] : [sort, `-${sort}`];
  const ways: Readonly<Record<string, readonly string[]>> = { [sort]: ['↑', 'ascending'], [`-${sort}`]: ['↓', 'descending'] };
  const [arrow = '', says = 'sort by it'] = ways[listing.sort ?? ''] ?? [];
  const to = context.here({ ...FIRST_PAGE, sort: listing.sort === first ? second : first });
  return (
    <a class="sort" href={to} aria-current={arrow ? 'true' : undefined}>
      {column.label}
      <span aria-hidden="true"> {arrow}</span>
      <span class="hidden">, {says}</span>
    </a>
  );
};

interface RecordsProps {
  readonly context: Context;
  readonly collection: CollectionTab;
  readonly listing: RecordListing;
}

export const RecordTable = ({ context, collection, listing }: RecordsProps) => {
  const { failure } = context.asked;
  // A refused form keeps its record open.
  const open = failure?.action === 'update' ? failure.form.get('id') : listing.open;
  const headRow = (id: string, first: Child, record: never) => {
    const to = context.here({ open: id === open ? undefined : id, new: undefined });
    return [
      <a class="link" href={to} aria-expanded={id === open ? 'true' : 'false'}>
        {first}
      </a>,
      collection.under ? <span class="under">{collection.under(record, context)}</span> : null,
    ];
  };
  const columns = collection.columns.map((column, i): Column<{ readonly id: string }> => {
    const cell = (record: { readonly id: string }) => {
      const shown = column.cell(record as never, context);
      return i === 0 ? headRow(record.id, shown, record as never) : shown;
    };
    const head = <SortHead column={column} listing={listing} context={context} />;
    const kind = column.sort === 'updated_at' ? 'roomy' : 'nowrap';
    return [head, cell, column.number ? 'number' : kind];
  });
  return (
    <>
      <DataTable
        wideFirst
        label={`The ${collection.name}`}
        columns={columns}
        rows={[...(listing.beside ? [listing.beside] : []), ...listing.rows].map(({ value }) => value)}
        kind={({ id }) => (id === open ? 'opened' : undefined)}
        below={(record) =>
          record.id === open && <OpenRecord context={context} collection={collection} record={record as never} />
        }
      />
      <PageForm context={context} live="set" quick hidden={{ do: 'update', id: '-', value: '-' }} />
      <RowsPager context={context} listing={listing} />
    </>
  );
};

/** Cursors lead on alone: an address keeps the last ones, so that there is a way back. */
const MAX_PAST_CURSORS = 20;

const readPastCursors = (context: Context): readonly string[] => context.query('past')?.split(' ') ?? [];

const findWayBack = (context: Context, { from, limit }: RecordListing): readonly [to: string, label: string] | false => {
  const past = readPastCursors(context);
  const back = { ...FIRST_PAGE, from: from - limit };
  if (context.query('q') && from > limit) return [context.here(back), `Previous ${limit}`];
  if (past.length > 0)
    return [context.here({ ...back, cursor: past.at(-1), past: past.slice(0, -1).join(' ') }), `Previous ${limit}`];
  return (from > 0 || context.query('cursor') !== undefined) && [context.here(FIRST_PAGE), 'First page'];
};

const RowsPager = ({ context, listing }: { context: Context; listing: RecordListing }) => {
  const { from, rows, total, next, limit } = listing;
  const past = [readPastCursors(context), context.query('cursor') ?? []].flat().slice(-MAX_PAST_CURSORS).join(' ');
  return (
    <Pager
      says={total === 0 ? 'none' : `${formatNumber(from + 1)}–${formatNumber(from + rows.length)} of ${formatNumber(total)}`}
      back={findWayBack(context, listing)}
      next={
        next !== null && [
          context.here({ ...FIRST_PAGE, cursor: context.query('q') ? undefined : next, past, from: from + limit }),
          `Next ${Math.min(limit, total - from - rows.length)}`,
        ]
      }
    />
  );
};

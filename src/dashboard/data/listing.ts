// Which records the data page shows: read from its address by the list engine of the service.
import { Problem } from '../../service/contract/errors.ts';
import { operation } from '../../service/contract/operations.ts';
import { escapeRegExp } from '../../service/http/redact.ts';
import type { PageOf } from '../../service/lists/page.ts';
import { sortsOf } from '../../service/lists/query.ts';
import type { Row } from '../../service/world/collection.ts';
import type { Context } from '../context.ts';
import { type CollectionTab, listInWorkspace } from './collection.ts';
import { makeFilters } from './derived.tsx';

/** So many of a search stand on a page. */
const SEARCH_PAGE_LIMIT = '50';

export interface RecordListing {
  readonly rows: readonly Row<{ readonly id: string }>[];
  readonly total: number;
  readonly limit: number;
  /** How many stand before the first row, as far as the address says. */
  readonly from: number;
  readonly next: string | null;
  readonly sorts: readonly string[];
  readonly sort: string | undefined;
  /** The record whose row the address wants open. */
  readonly open?: string | undefined;
  /** The same where it is on another page of the list. */
  readonly beside?: Row<{ readonly id: string }> | undefined;
  /** A record that was asked for and is none of this workspace. */
  readonly strange?: { readonly id: string; readonly workspace: string | undefined };
  /** Why there is no list. */
  readonly problem?: Problem;
}

type Query = Readonly<Record<string, string>>;

/** The parameters that are the list's own, as the service would be sent them. */
const queryOf = (context: Context, collection: CollectionTab, sorts: readonly string[]): Query => {
  const given = context.queries(...makeFilters(collection, context).map(({ name }) => name), 'sort', 'limit', 'cursor');
  return sorts.includes('created_at') ? { sort: '-created_at', ...given } : given;
};

const TEXTS = ['title', 'name', 'email', 'body', 'id'] as const;
type Texts = Readonly<Record<(typeof TEXTS)[number], string>>;

/** The rows of the list in which a text stands. */
const searchRecords = (context: Context, { name, operation: id }: CollectionTab, query: Query, text: string) => {
  const { limit = SEARCH_PAGE_LIMIT, ...others } = query;
  const equal = name === 'comments' ? context.queries('task_id') : {};
  const { rows } = listInWorkspace(context, name, id, others, equal, Number.MAX_SAFE_INTEGER);
  // A pattern makes no copy of each text in small letters.
  const wanted = new RegExp(escapeRegExp(text), 'iu');
  const texts = TEXTS.filter((field) => rows[0] && field in (rows[0].value as object));
  const found = rows.filter(({ value }) => texts.some((field) => wanted.test((value as Texts)[field])));
  return { found, limit: Math.max(1, Number(limit) || 0) };
};

/** The rows to show, or why there are none. */
export const readListing = (context: Context, collection: CollectionTab): RecordListing => {
  const records = context.world.store[collection.name];
  const text = context.query('q')?.trim() ?? '';
  const wanted = context.query('id')?.trim() || (records.get(text) ? text : context.query('open'));
  const listing: RecordListing = { ...plainListing(context, collection), open: wanted };
  if (!wanted || listing.rows.some(({ value }) => value.id === wanted)) return listing;
  const row = records.get(wanted);
  return row?.workspace === context.workspace.id
    ? { ...listing, beside: row }
    : { ...listing, strange: { id: wanted, workspace: row?.workspace } };
};

const plainListing = (context: Context, collection: CollectionTab): RecordListing => {
  const sorts = sortsOf(operation(collection.operation), context.world.choices);
  const from = Math.max(0, Math.floor(Number(context.query('from'))) || 0);
  const id = context.query('id');
  const query = queryOf(context, collection, sorts);
  const text = context.query('q')?.trim();
  const common = { sorts, sort: query.sort, from: query.cursor || text ? from : 0 };
  if (id) {
    const row = context.viewOf(context.workspace.id).find(collection.name, id.trim());
    return { ...common, rows: row ? [row] : [], total: row ? 1 : 0, limit: 1, next: null };
  }
  try {
    if (text) {
      const { found, limit } = searchRecords(context, collection, query, text);
      const next = from + limit < found.length ? String(from + limit) : null;
      return { ...common, rows: found.slice(from, from + limit) as RecordListing['rows'], total: found.length, limit, next };
    }
    const { rows, meta } = collection.list?.(context, query) ?? (context.read(collection.operation, query) as PageOf<unknown>);
    const { total, limit, next_cursor: next } = meta;
    return { ...common, rows: rows as RecordListing['rows'], total, limit, next };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { ...common, rows: [], total: 0, limit: 0, next: null, problem: error };
  }
};

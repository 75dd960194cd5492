// Which records the data page shows: read from its address by the list engine of the service.
import { Problem } from '../../service/contract/errors.ts';
import { operation } from '../../service/contract/operations.ts';
import { escapeRegExp } from '../../service/http/redact.ts';
import { listPage, type PageOf } from '../../service/lists/page.ts';
import { listName, readList, sortsOf } from '../../service/lists/query.ts';
import type { Row } from '../../service/world/collection.ts';
import type { Context } from '../context.ts';
import type { CollectionTab } from './collection.ts';
import { makeFilters } from './derived.tsx';

const SEARCH_PAGE_LIMIT = '50';

export interface RecordListing {
  readonly rows: readonly Row<{ readonly id: string }>[];
  readonly total: number;
  readonly limit: number;
  /** Rows before the first, as the address says. */
  readonly from: number;
  readonly next: string | null;
  readonly sorts: readonly string[];
  readonly sort: string | undefined;
  /** The record whose row the address wants open. */
  readonly open?: string | undefined;
  readonly beside?: Row<{ readonly id: string }> | undefined;
  /** A requested record that is none of this workspace. */
  readonly strange?: { readonly id: string; readonly workspace: string | undefined };
  readonly problem?: Problem;
}

type Query = Readonly<Record<string, string>>;

/** Lists records as the service would, besides those that its list leaves out. @param limit in place of the page's own */
const listInWorkspace = (context: Context, tab: CollectionTab, query: Query, limit?: number): PageOf<unknown> => {
  const view = context.viewOf(context.workspace.id);
  const equal = context.queries(...(tab.narrowedBy ?? []));
  const name = listName(context.workspace.id, `dashboard ${tab.name}`, Object.values(equal)[0]);
  const list = readList(operation(tab.operation), name, Object.entries(query), view.terms);
  return listPage(view, tab.name, (record) => record, { ...list, limit: limit ?? list.limit }, equal);
};

const TEXTS = ['title', 'name', 'email', 'body', 'id'] as const;

const searchRecords = (context: Context, tab: CollectionTab, { limit = SEARCH_PAGE_LIMIT, ...query }: Query, text: string) => {
  const { rows } = listInWorkspace(context, tab, query, Number.MAX_SAFE_INTEGER);
  // A pattern makes no copy of each text in small letters.
  const wanted = new RegExp(escapeRegExp(text), 'iu');
  const texts = TEXTS.filter((field) => rows[0] && field in (rows[0].value as object));
  const found = rows.filter(({ value }) =>
    texts.some((field) => wanted.test((value as Readonly<Record<typeof field, string>>)[field])),
  );
  return { found, limit: Math.max(1, Number(limit) || 0) };
};

export const readListing = (context: Context, tab: CollectionTab): RecordListing => {
  const records = context.world.store[tab.name];
  const text = context.query('q')?.trim() ?? '';
  const open = context.query('id')?.trim() || (records.get(text) ? text : context.query('open'));
  const listing: RecordListing = { ...readRows(context, tab), open };
  if (!open || listing.rows.some(({ value }) => value.id === open)) return listing;
  const row = records.get(open);
  if (row?.workspace === context.workspace.id) return { ...listing, beside: row };
  return { ...listing, strange: { id: open, workspace: row?.workspace } };
};

const readRows = (context: Context, tab: CollectionTab): RecordListing => {
  const sorts = sortsOf(operation(tab.operation), context.world.choices);
  const given = context.queries(...makeFilters(tab, context).map(({ name }) => name), 'sort', 'limit', 'cursor');
  const query: Query = sorts.includes('created_at') ? { sort: '-created_at', ...given } : given;
  const from = Math.max(0, Math.floor(Number(context.query('from'))) || 0);
  const id = context.query('id');
  const text = context.query('q')?.trim();
  const common = { sorts, sort: query.sort, from: query.cursor || text ? from : 0 };
  if (id) {
    const row = context.viewOf(context.workspace.id).find(tab.name, id.trim());
    return { ...common, rows: row ? [row] : [], total: row ? 1 : 0, limit: 1, next: null };
  }
  try {
    if (text) {
      const { found, limit } = searchRecords(context, tab, query, text);
      const next = from + limit < found.length ? String(from + limit) : null;
      return { ...common, rows: found.slice(from, from + limit) as RecordListing['rows'], total: found.length, limit, next };
    }
    const page = tab.narrowedBy ? listInWorkspace(context, tab, query) : (context.read(tab.operation, query) as PageOf<unknown>);
    const { total, limit, next_cursor: next } = page.meta;
    return { ...common, rows: page.rows as RecordListing['rows'], total, limit, next };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { ...common, rows: [], total: 0, limit: 0, next: null, problem: error };
  }
};

// One page of a list: from a query to rows and meta, by rank in an index.
//
// A query has a shape: the fields filtered by equality, the sort field, the direction. A collection keeps one counted tree for
// each shape in use. Start, end and cursor are ranks in that tree; `total` is the difference of two ranks. A cursor holds the
// query and the last record's sort value and turn, with a checksum.
import type { Meta } from '../contract/resources.ts';
import type { Terms } from '../contract/terms.ts';
import type { Row } from '../world/collection.ts';
import type { View } from '../world/view.ts';
import type { RecordName, Records, World } from '../world/world.ts';
import { writeCursor } from './cursor.ts';
import { type ListQuery, metaAt } from './query.ts';

export interface PageOf<T> {
  readonly rows: readonly Row<unknown>[];
  readonly show: (record: never) => T;
  readonly kind: RecordName;
  readonly meta: Meta;
  again?: boolean;
}

/** @param within fields that the operation itself filters by: the containing record, the state of members. */
export const listPage = <N extends RecordName, T>(
  view: View,
  name: N,
  show: (record: Records[N]) => T,
  query: ListQuery,
  within: Readonly<Record<string, string>> = {},
): PageOf<T> => {
  const impossible = Object.entries(within).some(([field, value]) => (query.filters[field] ?? value) !== value);
  const equal = { ...query.filters, ...within };
  const fields = Object.keys(equal).sort();
  const descending = query.sort.startsWith('-');
  const by = descending ? query.sort.slice(1) : query.sort;
  const shape = { equal: fields, by, descending, nulls: view.choices['null-due-date'] };
  const values = fields.map((field) => equal[field]!);
  const list = view.list(name, shape, values);
  const total = impossible ? 0 : list.total;
  const from = query.skip ?? (query.after ? list.before(query.after) : 0);
  const rows = impossible ? [] : list.rows(from, query.limit);
  const more = from + rows.length < total;
  const last = rows.at(-1)!;
  const next = more ? writeCursor(query, { value: sortValueIn(last, by), sequence: last.sequence }) : null;
  const meta: Meta = { total, limit: query.limit, has_more: more, next_cursor: next };
  return { rows, show: show as (record: never) => T, kind: name, meta: metaAt(view.terms, meta) };
};

const sortValueIn = (row: Row<unknown>, by: string): string | null => (row.value as Record<string, string | null>)[by] ?? null;

const MAX_CACHED_PAGES = 100;

interface CachedPage {
  readonly page: PageOf<unknown>;
  readonly terms: Terms;
}

/** The page of a URL in a workspace, valid until a write or other terms. @throws what `read` throws */
export const cachePage = ({ pages, terms }: World, workspace: string, url: string, read: () => PageOf<unknown>) => {
  const key = `${workspace} ${url}`;
  const known = pages.get(key) as CachedPage | undefined;
  if (known?.terms === terms) {
    known.page.again = true;
    return known.page;
  }
  const page = read();
  if (pages.size >= MAX_CACHED_PAGES) pages.clear();
  pages.set(key, { page, terms } satisfies CachedPage);
  return page;
};

// Which records the data page shows: read from its address by the list engine of the service.
import { Problem } from '../../contract/errors.ts';
import { operation } from '../../contract/operations.ts';
import { sortsOf } from '../../lists/query.ts';
import type { Row } from '../../world/collection.ts';
import type { Context } from '../context.ts';
import type { Collection } from './collection.ts';
import { filtersOf } from './derived.tsx';

export interface Listing {
  readonly rows: readonly Row<{ readonly id: string }>[];
  readonly total: number;
  readonly limit: number;
  /** How many stand before the first row, as far as the address says. */
  readonly from: number;
  readonly next: string | null;
  readonly sorts: readonly string[];
  readonly sort: string | undefined;
  /** Why there is no list. */
  readonly problem?: Problem;
}

/** The parameters that are the list's own, as the service would be sent them. */
const queryOf = (context: Context, collection: Collection, sorts: readonly string[]): Record<string, string> => {
  const names = [...filtersOf(collection, context).map(({ name }) => name), 'sort', 'limit', 'cursor'];
  const given = Object.fromEntries(names.flatMap((name) => (context.query(name) ? [[name, context.query(name)!]] : [])));
  return sorts.includes('created_at') ? { sort: '-created_at', ...given } : given;
};

/** The rows to show, or why there are none. */
export const listingOf = (context: Context, collection: Collection): Listing => {
  const sorts = sortsOf(operation(collection.operation), context.world.choices);
  const from = Math.max(0, Math.floor(Number(context.query('from') ?? 0)) || 0);
  const id = context.query('id');
  const query = queryOf(context, collection, sorts);
  const common = { sorts, sort: query.sort, from: query.cursor ? from : 0 };
  if (id) {
    const row = context.viewOf(context.workspace.id).find(collection.name, id.trim());
    return { ...common, rows: row ? [row] : [], total: row ? 1 : 0, limit: 1, next: null };
  }
  try {
    const { rows, meta } = collection.list?.(context, query) ?? context.list(collection.operation, { query });
    const { total, limit, next_cursor: next } = meta;
    return { ...common, rows: rows as Listing['rows'], total, limit, next };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { ...common, rows: [], total: 0, limit: 0, next: null, problem: error };
  }
};

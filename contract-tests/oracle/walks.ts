// The walk that each cursor of the run continues: a list with its filters, its sort and the pages so far.
import { type Exchange, metaOf, text } from '../engine/exchange.ts';
import { keepLatest } from '../engine/keep-latest.ts';
import type { Workspace } from './model.ts';
import type { Page, Walk } from './page.ts';

export const FILTER = /^filter\[(\w+)\]$/;

const MAX_CURSORS = 1000;

export class Walks {
  /** By cursor and query: a cursor may be a mere place, alike in every list. The last is for a cursor alone. */
  readonly #cursors = new Map<string, Walk>();

  #key(ws: Workspace, x: Exchange, cursor: string, filters?: Iterable<readonly [string, string]>, sort?: string): string {
    const query = filters ? `${[...filters].map(String).sort().join('&')} ${sort ?? ''}` : '';
    return `${ws.name} ${x.path} ${cursor} ${query}`;
  }

  /** The walk that a cursor continues: it goes with its own filters and sort, or with none. */
  of(ws: Workspace, x: Exchange, cursor: string, query: URLSearchParams): Walk | undefined {
    const filters = [...query].flatMap(([name, value]) => {
      const field = FILTER.exec(name)?.[1];
      return field === undefined ? [] : [[field, value] as const];
    });
    const sort = query.get('sort') ?? undefined;
    const exact = this.#cursors.get(this.#key(ws, x, cursor, filters, sort));
    if (exact) return exact;
    const last = this.#cursors.get(this.#key(ws, x, cursor));
    if (!last || (sort !== undefined && sort !== last.sort)) return undefined;
    const same = filters.length === last.filters.size && filters.every(([field, value]) => last.filters.get(field) === value);
    return filters.length === 0 || same ? last : undefined;
  }

  remember({ x, ws, rows, filters, sort, before }: Page): void {
    const cursor = text(metaOf(x).next_cursor);
    if (cursor === undefined) return;
    const walk = {
      filters,
      sort: sort ?? before?.sort,
      pages: [...(before?.pages ?? []), x],
      ids: [...(before?.ids ?? []), ...rows.map((row) => String(row.id))],
      epoch: before?.epoch ?? ws.epoch,
      moves: before?.moves ?? ws.moves,
    };
    this.#cursors.set(this.#key(ws, x, cursor, filters, walk.sort), walk);
    this.#cursors.set(this.#key(ws, x, cursor), walk);
    keepLatest(this.#cursors, MAX_CURSORS);
  }
}

// The calls of the run so far: the caller of each, and the limits and length of each list.
import { type Exchange, metaOf, succeeded } from './exchange.ts';

export class Asked {
  readonly #what = new Set<string>();
  readonly #totals = new Map<string, number>();

  /** @param what `read read_task`, or `list_teams limit=2` */
  has(what: string): boolean {
    return this.#what.has(what);
  }

  /** The total of a list without filters, as it was last shown. */
  total(list: string): number | undefined {
    return this.#totals.get(list);
  }

  notice(x: Exchange): void {
    const { operation } = x;
    if (!operation || x.world !== undefined) return;
    const query = new URLSearchParams(x.query);
    if (!query.has('sort') && !query.has('cursor')) this.#what.add(`${x.as} ${operation.id}`);
    if (operation.returns !== 'list' || x.as === 'other' || !succeeded(x)) return;
    // A page that is the last shows little of its limit.
    if (metaOf(x).has_more === true) this.#what.add(`${operation.id} limit=${query.get('limit') ?? ''}`);
    if ([...query.keys()].some((name) => name.startsWith('filter'))) return;
    const { total } = metaOf(x);
    if (typeof total === 'number') this.#totals.set(operation.id, total);
  }
}

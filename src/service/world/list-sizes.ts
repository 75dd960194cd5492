// The row count of each list of an index, in order: list bounds are sums, not searches.
import { textOrder } from './records.ts';

/** With more lists nothing is counted: summing would cost as much as searching. */
export const MAX_COUNTED_LISTS = 2000;

/** The key of a list: a workspace, then the values of the filtered fields. */
export type Tuple = readonly string[];

export const tupleOrder = (a: Tuple, b: Tuple): number => {
  let difference = 0;
  for (let i = 0; difference === 0 && i < a.length; i++) difference = textOrder(a[i]!, b[i]!);
  return difference;
};

export const tupleKey = (tuple: Tuple): string => {
  let key = '';
  for (const part of tuple) key += `${part.length} ${part}`;
  return key;
};

/** A copy costs nothing until one side counts. */
export class ListSizes {
  /** In order; and the position of each, by key. Both are immutable, because copies share them. */
  #tuples: readonly Tuple[] = [];
  #places: ReadonlyMap<string, number> = new Map();
  /** By position; undefined if there are too many lists. */
  #sizes: number[] | undefined;
  #shared = false;

  /** @param lists in order, with how many rows each has. */
  constructor(lists: readonly (readonly [Tuple, number])[] = []) {
    this.#arrange(
      lists.map(([tuple]) => tuple),
      lists.map(([, size]) => size),
    );
  }

  copy(): ListSizes {
    const copy = new ListSizes();
    copy.#tuples = this.#tuples;
    copy.#places = this.#places;
    copy.#sizes = this.#sizes;
    this.#shared = true;
    copy.#shared = true;
    return copy;
  }

  /** A row was added (1) or removed (-1). */
  count(tuple: Tuple, by: 1 | -1): void {
    if (!this.#sizes) return;
    const place = this.#places.get(tupleKey(tuple));
    if (place === undefined) this.#begin(tuple);
    else {
      if (this.#shared) this.#sizes = this.#sizes.slice();
      this.#shared = false;
      this.#sizes[place]! += by;
    }
  }

  /** The start rank and row count of a list; undefined if lists are not counted. */
  span(tuple: Tuple): readonly [start: number, total: number] | undefined {
    const sizes = this.#sizes;
    if (!sizes) return undefined;
    const place = this.#places.get(tupleKey(tuple));
    if (place === undefined) return [0, 0];
    let start = 0;
    for (let i = 0; i < place; i++) start += sizes[i]!;
    return [start, sizes[place]!];
  }

  #begin(tuple: Tuple): void {
    let at = 0;
    while (at < this.#tuples.length && tupleOrder(this.#tuples[at]!, tuple) < 0) at += 1;
    const put = <T>(items: readonly T[], item: T): T[] => [...items.slice(0, at), item, ...items.slice(at)];
    this.#arrange(put(this.#tuples, tuple), put(this.#sizes!, 1));
  }

  #arrange(tuples: readonly Tuple[], sizes: number[]): void {
    const counted = tuples.length <= MAX_COUNTED_LISTS;
    this.#tuples = counted ? tuples : [];
    this.#places = new Map(this.#tuples.map((tuple, place) => [tupleKey(tuple), place]));
    this.#sizes = counted ? sizes : undefined;
    this.#shared = false;
  }
}

// A counted sorted list: insert, remove, rank and slice by two searches, and copies in constant time.
// A tree of two levels: copies share the chunks, and the lists of them, until one side changes one.

/** Negative if the item is before the position sought, else zero or more. */
export type Probe<T> = (item: T) => number;

const MAX_ITEMS = 512;

export class Tree<T> {
  readonly compare: (a: T, b: T) => number;
  size: number;
  /** None of them is empty. */
  #chunks: T[][];
  /** The last item of each chunk: a search reads these, and only the chunk that it enters. */
  #lasts: T[];
  #sizes: number[];
  /** The chunks that no copy shares; undefined if the lists are shared too. */
  #own: WeakSet<T[]> | undefined;

  constructor(compare: (a: T, b: T) => number, sorted: readonly T[] = []) {
    const full = (MAX_ITEMS * 3) / 4;
    this.compare = compare;
    this.size = sorted.length;
    this.#chunks = Array.from({ length: Math.ceil(sorted.length / full) }, (_, i) => sorted.slice(i * full, (i + 1) * full));
    this.#lasts = this.#chunks.map(lastItem);
    this.#sizes = this.#chunks.map(({ length }) => length);
  }

  /** An independent copy in constant time; both sides copy what they change from now on. */
  fork(): Tree<T> {
    const copy = new Tree(this.compare);
    copy.size = this.size;
    copy.#chunks = this.#chunks;
    copy.#lasts = this.#lasts;
    copy.#sizes = this.#sizes;
    this.#own = undefined;
    return copy;
  }

  insert(item: T): void {
    const { at, place } = this.#seek(this.#probe(item));
    const items = this.#ownChunk(at);
    items.splice(place, 0, item);
    this.size += 1;
    this.#put(at, items, ...(items.length > MAX_ITEMS ? [items.splice(items.length >> 1)] : []));
  }

  /** Removes the item that compares equal. @returns whether there was one. */
  remove(item: T): boolean {
    return this.#change(item);
  }

  /** Replaces the item that compares equal. @returns whether there was one. */
  replace(item: T): boolean {
    return this.#change(item, item);
  }

  /** The item for which the probe is 0. */
  get(probe: Probe<T>): T | undefined {
    const { item } = this.#seek(probe);
    return item !== undefined && probe(item) === 0 ? item : undefined;
  }

  /** How many items are before the position that the probe seeks. */
  rank(probe: Probe<T>): number {
    const { at, place } = this.#seek(probe);
    let before = place;
    for (let i = 0; i < at; i++) before += this.#sizes[i]!;
    return before;
  }

  slice(start: number, count: number): T[] {
    const found: T[] = [];
    let skip = start;
    for (let at = 0; at < this.#chunks.length && found.length < count; at++) {
      const size = this.#sizes[at]!;
      if (skip < size) found.push(...this.#chunks[at]!.slice(skip, skip + count - found.length));
      skip = Math.max(0, skip - size);
    }
    return found;
  }

  toArray(): T[] {
    return this.slice(0, this.size);
  }

  #probe(item: T): Probe<T> {
    const { compare } = this;
    return (other) => compare(other, item);
  }

  /** The chunk and the place in it that a probe seeks, and the item there. */
  #seek(probe: Probe<T>): { readonly at: number; readonly place: number; readonly item: T | undefined } {
    const at = lowest(this.#lasts, probe, this.#lasts.length - 1);
    const items = this.#chunks[at] ?? [];
    const place = lowest(items, probe, items.length);
    return { at, place, item: items[place] };
  }

  #change(item: T, ...instead: T[]): boolean {
    const { at, place, item: before } = this.#seek(this.#probe(item));
    if (before === undefined || this.compare(before, item) !== 0) return false;
    const items = this.#ownChunk(at);
    items.splice(place, 1, ...instead);
    this.size += instead.length - 1;
    this.#put(at, ...(items.length > 0 ? [items] : []));
    return true;
  }

  /** A chunk that no copy shares, in lists that no copy shares. */
  #ownChunk(at: number): T[] {
    if (!this.#own) {
      this.#chunks = this.#chunks.slice();
      this.#lasts = this.#lasts.slice();
      this.#sizes = this.#sizes.slice();
      this.#own = new WeakSet();
    }
    const chunk = this.#chunks[at] ?? [];
    return this.#own.has(chunk) ? chunk : chunk.slice();
  }

  /** Puts own chunks in the place of one. */
  #put(at: number, ...chunks: T[][]): void {
    this.#chunks.splice(at, 1, ...chunks);
    this.#lasts.splice(at, 1, ...chunks.map(lastItem));
    this.#sizes.splice(at, 1, ...chunks.map(({ length }) => length));
    for (const chunk of chunks) this.#own!.add(chunk);
  }
}

const lastItem = <T>(items: readonly T[]): T => items[items.length - 1]!;

/** The index of the first item below a bound whose probe is not negative, else the bound. */
const lowest = <T>(items: readonly T[], probe: Probe<T>, bound: number): number => {
  let low = 0;
  let high = bound;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (probe(items[middle]!) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
};

// Records of one kind: by id, and in any order under any equal fields, from indexes made when they are first asked for.
import { type Listing, OrderedIndex, type Row, type Shape } from './ordered-index.ts';
import { Tree } from './tree.ts';

export type { Listing, Place, Row, Shape } from './ordered-index.ts';

/** Beyond this many copies of copies, a copy stops leaning on its origin for indexes. */
const DEEPEST = 8;

export class Collection<V extends { readonly id: string }> {
  #rows: Tree<Row<V>>;
  readonly #indexes = new Map<string, OrderedIndex<V>>();
  /** The unchanging origin of a copy: it makes each index once, for all its copies. */
  #origin: Collection<V> | undefined;
  #depth = 0;
  /** Since the origin: the record of then, or undefined, by id. */
  #touched = new Map<string, Row<V> | undefined>();

  /** Told of the id of each record that is put or removed, quietly or not. */
  onTouch: ((id: string) => void) | undefined;

  constructor(rows: readonly Row<V>[] = []) {
    this.#rows = new Tree<Row<V>>(byId, rows.length > 1 ? [...rows].sort(byId) : rows);
  }

  get size(): number {
    return this.#rows.size;
  }

  get(id: string): Row<V> | undefined {
    return this.#rows.find((row) => (row.value.id < id ? -1 : row.value.id > id ? 1 : 0));
  }

  all(): Row<V>[] {
    return this.#rows.toArray().sort((a, b) => a.sequence - b.sequence);
  }

  /** Adds a record, or puts it in the place of the one with its id. */
  put(row: Row<V>): void {
    const before = this.get(row.value.id);
    this.#touch(row.value.id, before);
    if (before) this.#rows.remove(before);
    this.#rows.insert(row);
    for (const index of this.#indexes.values()) {
      if (before) index.remove(before);
      index.insert(row);
    }
  }

  remove(id: string): Row<V> | undefined {
    const before = this.get(id);
    if (!before) return undefined;
    this.#touch(id, before);
    this.#rows.remove(before);
    for (const index of this.#indexes.values()) index.remove(before);
    return before;
  }

  /** The list of a shape; its index is made on first use and kept up from then on. */
  list(shape: Shape, workspace: string, values: readonly string[]): Listing<V> {
    return this.#index(shape).list(workspace, values);
  }

  /** An independent copy. Its cost does not depend on how many records there are. */
  fork(): Collection<V> {
    const origin = this.#freeze();
    const copy = new Collection<V>();
    copy.#rows = this.#rows.fork();
    copy.#leanOn(origin);
    return copy;
  }

  #freeze(): Collection<V> {
    if (this.#origin && this.#touched.size === 0) return this.#origin;
    const frozen = new Collection<V>();
    frozen.#rows = this.#rows.fork();
    for (const [key, index] of this.#indexes) frozen.#indexes.set(key, index.fork());
    if (this.#origin && this.#depth < DEEPEST) {
      frozen.#origin = this.#origin;
      frozen.#depth = this.#depth;
      frozen.#touched = this.#touched;
    }
    this.#leanOn(frozen);
    return frozen;
  }

  #leanOn(origin: Collection<V>): void {
    this.#origin = origin;
    this.#depth = origin.#depth + 1;
    this.#touched = new Map();
  }

  #touch(id: string, before: Row<V> | undefined): void {
    this.onTouch?.(id);
    if (this.#origin && !this.#touched.has(id)) this.#touched.set(id, before);
  }

  #index(shape: Shape): OrderedIndex<V> {
    const key = `${shape.equal.join()}|${shape.by}|${shape.descending}|${shape.nulls}`;
    const known = this.#indexes.get(key);
    if (known) return known;
    const index = this.#origin ? this.#borrowed(this.#origin, shape) : new OrderedIndex(shape, this.#rows.toArray());
    this.#indexes.set(key, index);
    return index;
  }

  #borrowed(origin: Collection<V>, shape: Shape): OrderedIndex<V> {
    const index = origin.#index(shape).fork();
    for (const [id, before] of this.#touched) {
      if (before) index.remove(before);
      const now = this.get(id);
      if (now) index.insert(now);
    }
    return index;
  }
}

const byId = <V extends { readonly id: string }>(a: Row<V>, b: Row<V>): number =>
  a.value.id < b.value.id ? -1 : a.value.id > b.value.id ? 1 : 0;

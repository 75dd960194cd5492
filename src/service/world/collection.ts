// Records of one kind: by id, and in any order under any filter, from indexes built on demand.
import { type Listing, listOnce, OrderedIndex, type Row, type Shape } from './ordered-index.ts';
import { Tree } from './tree.ts';

export type { Listing, Place, Row, Shape } from './ordered-index.ts';

/** Most layers of changes on an origin; more are merged into one. */
const MAX_DEPTH = 8;

interface RowChange<V> {
  readonly before: Row<V> | undefined;
  now: Row<V> | undefined;
}

const UNTOUCHED = new Map<string, never>();

export class Collection<V extends { readonly id: string }> {
  readonly #rows: Tree<Row<V>>;
  readonly #indexes = new Map<string, OrderedIndex<V>>();
  /** The shapes queried once, if there is no origin. */
  #asked: Set<string> | undefined;
  /** The immutable origin of a copy: it builds each index once, for all its copies. */
  #origin: Collection<V> | undefined;
  #depth = 0;
  /** By id, if there is an origin: what differs from it. Unchanged copies share one empty map. */
  #touched: Map<string, RowChange<V>> = UNTOUCHED;
  /** By id, if there is none: every record. Built on first use. */
  #byId: Map<string, Row<V>> | undefined;

  /** Called with the id of each record that is put or removed, quietly or not. */
  onTouch: ((id: string) => void) | undefined;

  constructor(rows: readonly Row<V>[] | Tree<Row<V>> = []) {
    this.#rows = rows instanceof Tree ? rows : new Tree<Row<V>>(bySequence, [...rows].sort(bySequence));
  }

  get size(): number {
    return this.#rows.size;
  }

  get(id: string): Row<V> | undefined {
    let layer: Collection<V> = this;
    for (;;) {
      if (!layer.#origin) return layer.#whole().get(id);
      const touched = layer.#touched.get(id);
      if (touched) return touched.now;
      layer = layer.#origin;
    }
  }

  all(): Row<V>[] {
    return this.#rows.toArray();
  }

  put(row: Row<V>): void {
    const before = this.get(row.value.id);
    this.#note(row.value.id, before, row);
    if (!before) this.#rows.insert(row);
    else if (before.sequence === row.sequence) this.#rows.replace(row);
    else {
      this.#rows.remove(before);
      this.#rows.insert(row);
    }
    for (const index of this.#indexes.values()) {
      if (before) index.replace(before, row);
      else index.insert(row);
    }
  }

  remove(id: string): Row<V> | undefined {
    const before = this.get(id);
    if (!before) return undefined;
    this.#note(id, before, undefined);
    this.#rows.remove(before);
    for (const index of this.#indexes.values()) index.remove(before);
    return before;
  }

  /** The list of a shape. With filters, the second query builds an index, which is maintained from then on. */
  list(shape: Shape, workspace: string, values: readonly string[]): Listing<V> {
    const key = shapeKey(shape);
    if (shape.equal.length > 0 && this.#isFirst(key)) return listOnce(shape, this.all(), [workspace, ...values]);
    return this.#index(key, shape).list([workspace, ...values]);
  }

  fork(): Collection<V> {
    const origin = this.#freeze();
    const copy = new Collection<V>(this.#rows.fork());
    copy.#leanOn(origin);
    return copy;
  }

  /** The ids whose records may differ from those of another one; undefined when the two share no origin. */
  changedSince(base: Collection<V>): ReadonlySet<string> | undefined {
    const shared = new Set<Collection<V>>();
    for (let layer: Collection<V> | undefined = base; layer; layer = layer.#origin) shared.add(layer);
    const changed = new Set<string>();
    let mine: Collection<V> | undefined = this;
    for (; mine && !shared.has(mine); mine = mine.#origin) for (const id of mine.#touched.keys()) changed.add(id);
    if (!mine) return undefined;
    for (let layer: Collection<V> = base; layer !== mine; layer = layer.#origin!)
      for (const id of layer.#touched.keys()) changed.add(id);
    return changed;
  }

  #freeze(): Collection<V> {
    if (this.#origin && this.#touched.size === 0) return this.#origin;
    const frozen = new Collection<V>(this.#rows.fork());
    for (const [key, index] of this.#indexes) frozen.#indexes.set(key, index.fork());
    frozen.#byId = this.#byId;
    this.#byId = undefined;
    if (this.#origin) frozen.#layOn(this.#origin, this.#touched);
    this.#leanOn(frozen);
    return frozen;
  }

  #leanOn(origin: Collection<V>): void {
    this.#origin = origin;
    this.#depth = origin.#depth + 1;
    this.#touched = UNTOUCHED;
  }

  /** Becomes an origin with these differences, merging the layers below when they are many. */
  #layOn(origin: Collection<V>, touched: Map<string, RowChange<V>>): void {
    if (origin.#depth < MAX_DEPTH - 1) {
      this.#leanOn(origin);
      this.#touched = touched;
      return;
    }
    const layers = [touched];
    let root = origin;
    for (; root.#origin; root = root.#origin) layers.push(root.#touched);
    // When most records have changed, the copy drops its origin.
    if (layers.reduce((sum, { size }) => sum + size, 0) > root.size) return;
    this.#leanOn(root);
    this.#touched = new Map();
    for (const layer of layers.reverse()) {
      for (const [id, { before, now }] of layer) {
        const known = this.#touched.get(id);
        if (known) known.now = now;
        else this.#touched.set(id, { before, now });
      }
    }
  }

  #whole(): Map<string, Row<V>> {
    if (!this.#byId) {
      this.#byId = new Map();
      for (const row of this.#rows.toArray()) this.#byId.set(row.value.id, row);
    }
    return this.#byId;
  }

  #note(id: string, before: Row<V> | undefined, now: Row<V> | undefined): void {
    this.onTouch?.(id);
    if (this.#origin) {
      const known = this.#touched.get(id);
      if (this.#touched === UNTOUCHED) this.#touched = new Map();
      if (!known) this.#touched.set(id, { before, now });
      else if (known.before || now) known.now = now;
      else this.#touched.delete(id);
    } else if (now) this.#whole().set(id, now);
    else this.#whole().delete(id);
  }

  /** Whether this is the first query of a shape, here and in all copies of the same root. */
  #isFirst(key: string): boolean {
    let layer: Collection<V> = this;
    for (;;) {
      if (layer.#indexes.has(key)) return false;
      if (!layer.#origin) break;
      layer = layer.#origin;
    }
    layer.#asked ??= new Set();
    const { size } = layer.#asked;
    return layer.#asked.add(key).size > size;
  }

  #index(key: string, shape: Shape): OrderedIndex<V> {
    const known = this.#indexes.get(key);
    if (known) return known;
    const index = this.#origin ? this.#borrowed(this.#origin, key, shape) : OrderedIndex.of(shape, this.all());
    this.#indexes.set(key, index);
    return index;
  }

  #borrowed(origin: Collection<V>, key: string, shape: Shape): OrderedIndex<V> {
    const index = origin.#index(key, shape).fork();
    for (const { before, now } of this.#touched.values()) {
      if (before && now) index.replace(before, now);
      else if (before) index.remove(before);
      else if (now) index.insert(now);
    }
    return index;
  }
}

const shapeKey = ({ equal, by, descending, nulls }: Shape): string => `${equal.join()}|${by}|${descending}|${nulls}`;

const bySequence = (a: Row<unknown>, b: Row<unknown>): number => a.sequence - b.sequence;

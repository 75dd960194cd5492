// Records of one kind: by id, and in any order under any filter, from indexes built on demand.
import { type Listing, listOnce, OrderedIndex, type Row, type Shape } from './ordered-index.ts';
import { Tree } from './tree.ts';

export type { Listing, Place, Row, Shape } from './ordered-index.ts';

/** Most layers of changes on an origin; more are merged into one. */
const MAX_DEPTH = 8;

/** Rows in all indexes of a collection; the least recently used are evicted. */
const MAX_INDEXED_ROWS = 2_000_000;

type Changes<V> = Map<string, Row<V> | undefined>;

const UNTOUCHED: Changes<never> = new Map();

export class Collection<V extends { readonly id: string }> {
  readonly #rows: Tree<Row<V>>;
  readonly #indexes = new Map<string, OrderedIndex<V>>();
  /** The shapes queried once, if there is no origin. */
  #asked: Set<string> | undefined;
  /** The immutable origin of a copy: it builds each index once, for all its copies. */
  #origin: Collection<V> | undefined;
  /** By id, if there is an origin: each record that differs from it. Unchanged copies share one empty map. */
  #touched: Changes<V> = UNTOUCHED;
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
    for (; layer.#origin; layer = layer.#origin) {
      const touched = layer.#touched.get(id);
      if (touched || layer.#touched.has(id)) return touched;
    }
    return layer.#whole().get(id);
  }

  all(): Row<V>[] {
    return this.#rows.toArray();
  }

  put(row: Row<V>): void {
    const before = this.get(row.value.id);
    this.#note(row.value.id, row);
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
    this.#note(id, undefined);
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
    const sides = [this.#layers(), base.#layers()] as const;
    const shared = sides[0].find((layer) => sides[1].includes(layer));
    if (!shared) return undefined;
    const own = sides.flatMap((layers) => layers.slice(0, layers.indexOf(shared)));
    return new Set(own.flatMap((layer) => [...layer.#touched.keys()]));
  }

  /** This collection, its origin, the origin of that, down to the root. */
  #layers(): Collection<V>[] {
    const layers: Collection<V>[] = [this];
    for (let layer = this.#origin; layer; layer = layer.#origin) layers.push(layer);
    return layers;
  }

  /** Memory of the indexes of each layer, bytes: 10 a row, and 300 for one that its origin does not have. */
  get indexBytes(): readonly (readonly [layer: object, bytes: number])[] {
    const rows = (layer: Collection<V>) => (layer.#origin ? 30 * layer.#touched.size : layer.size);
    return this.#layers().map((layer) => [layer, 10 * rows(layer) * layer.#indexes.size]);
  }

  /** They are built again on demand. */
  dropIndexes(): void {
    for (const layer of this.#layers()) layer.#indexes.clear();
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

  #leanOn(origin: Collection<V>, touched: Changes<V> = UNTOUCHED): void {
    this.#origin = origin;
    this.#touched = touched;
  }

  /** Becomes an origin with these differences, merging the layers below when they are many. */
  #layOn(origin: Collection<V>, touched: Changes<V>): void {
    const layers = origin.#layers();
    if (layers.length < MAX_DEPTH) {
      this.#leanOn(origin, touched);
      return;
    }
    const root = layers.pop()!;
    const changes = [...layers.reverse().map((layer) => layer.#touched), touched];
    // When most records have changed, the copy drops its origin.
    if (changes.reduce((sum, { size }) => sum + size, 0) > root.size) return;
    this.#leanOn(root, new Map(changes.flatMap((change) => [...change])));
  }

  #whole(): Map<string, Row<V>> {
    this.#byId ??= new Map(this.all().map((row) => [row.value.id, row]));
    return this.#byId;
  }

  #note(id: string, now: Row<V> | undefined): void {
    this.onTouch?.(id);
    if (this.#origin) {
      if (this.#touched === UNTOUCHED) this.#touched = new Map();
      if (now || this.#origin.get(id)) this.#touched.set(id, now);
      else this.#touched.delete(id);
    } else if (now) this.#whole().set(id, now);
    else this.#whole().delete(id);
  }

  /** Whether this is the first query of a shape, here and in all copies of the same root. */
  #isFirst(key: string): boolean {
    const layers = this.#layers();
    const root = layers.at(-1)!;
    root.#asked ??= new Set();
    const isFirst = !root.#asked.has(key) && !layers.some((layer) => layer.#indexes.has(key));
    root.#asked.add(key);
    return isFirst;
  }

  #index(key: string, shape: Shape): OrderedIndex<V> {
    const known = this.#indexes.get(key);
    const index = known ?? (this.#origin ? this.#borrowed(this.#origin, key, shape) : OrderedIndex.of(shape, this.all()));
    this.#indexes.delete(key);
    const isFull = () => !known && (this.#indexes.size + 1) * this.size > MAX_INDEXED_ROWS;
    for (const least of this.#indexes.keys()) if (isFull()) this.#indexes.delete(least);
    this.#indexes.set(key, index);
    return index;
  }

  #borrowed(origin: Collection<V>, key: string, shape: Shape): OrderedIndex<V> {
    const index = origin.#index(key, shape).fork();
    for (const [id, now] of this.#touched) {
      const before = origin.get(id);
      if (before && now) index.replace(before, now);
      else if (before) index.remove(before);
      else if (now) index.insert(now);
    }
    return index;
  }
}

const shapeKey = ({ equal, by, descending, nulls }: Shape): string => `${equal.join()}|${by}|${descending}|${nulls}`;

const bySequence = (a: Row<unknown>, b: Row<unknown>): number => a.sequence - b.sequence;

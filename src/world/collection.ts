// Records of one kind: by id, and in any order under any equal fields, from indexes made when they are first asked for.
import { type Probe, Tree } from './tree.ts';

/** A stored record with what does not belong to it: its workspace, its turn of creation, its text once written. */
export interface Row<V> {
  readonly value: V;
  readonly workspace: string;
  /** Order of creation in the world; breaks ties. */
  readonly sequence: number;
  /** The record as JSON, kept by whoever writes it first, and the style that it was written in. */
  text?: string;
  style?: string;
}

/** Which records a list holds, and in which order. */
export interface Shape {
  /** Fields that are held equal, in a fixed order; the workspace always is. */
  readonly equal: readonly string[];
  readonly by: string;
  readonly descending: boolean;
  /** Where records without the field stand. */
  readonly nulls: 'last' | 'first' | 'largest';
}

/** A place in a list: behind the record with this sort value and turn. */
export interface Place {
  readonly value: string | null;
  readonly sequence: number;
}

type Fields = Readonly<Record<string, unknown>>;

const textOrder = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const fieldOf = (value: unknown, field: string): string => ((value as Fields)[field] as string | null) ?? '';

const sortOrder = ({ descending, nulls }: Shape) => {
  const sign = descending ? -1 : 1;
  const nullSign = nulls === 'largest' ? sign : nulls === 'last' ? 1 : -1;
  return (a: string | null, b: string | null): number => {
    if (a === b) return 0;
    if (a === null) return nullSign;
    if (b === null) return -nullSign;
    return a < b ? -sign : sign;
  };
};

const rowOrder = <V>(shape: Shape) => {
  const { equal, by } = shape;
  const order = sortOrder(shape);
  return (a: Row<V>, b: Row<V>): number => {
    let difference = textOrder(a.workspace, b.workspace);
    for (let i = 0; difference === 0 && i < equal.length; i++) {
      difference = textOrder(fieldOf(a.value, equal[i]!), fieldOf(b.value, equal[i]!));
    }
    if (difference !== 0) return difference;
    const sorted = order((a.value as Fields)[by] as string | null, (b.value as Fields)[by] as string | null);
    return sorted !== 0 ? sorted : a.sequence - b.sequence;
  };
};

/** The records of one list: one workspace, given values of the equal fields. */
export class Listing<V> {
  readonly #tree: Tree<Row<V>>;
  readonly #shape: Shape;
  readonly #tuple: Probe<Row<V>>;
  readonly #start: number;
  /** How many records the list holds. */
  readonly total: number;

  constructor(tree: Tree<Row<V>>, shape: Shape, workspace: string, values: readonly string[]) {
    this.#tree = tree;
    this.#shape = shape;
    const { equal } = shape;
    this.#tuple = (row) => {
      let difference = textOrder(row.workspace, workspace);
      for (let i = 0; difference === 0 && i < equal.length; i++) {
        difference = textOrder(fieldOf(row.value, equal[i]!), values[i]!);
      }
      return difference;
    };
    this.#start = tree.rank(this.#tuple);
    this.total = tree.rank((row) => (this.#tuple(row) <= 0 ? -1 : 1)) - this.#start;
  }

  /** How many records of the list stand at or before a place. */
  before(place: Place): number {
    const order = sortOrder(this.#shape);
    const { by } = this.#shape;
    const rank = this.#tree.rank((row) => {
      const tuple = this.#tuple(row);
      if (tuple !== 0) return tuple;
      const sorted = order((row.value as Fields)[by] as string | null, place.value);
      return sorted !== 0 ? sorted : row.sequence <= place.sequence ? -1 : 1;
    });
    return rank - this.#start;
  }

  rows(from = 0, count = this.total): Row<V>[] {
    return this.#tree.slice(this.#start + from, Math.max(0, Math.min(count, this.total - from)));
  }
}

/** Beyond this many copies of copies, a copy stops leaning on its origin for indexes. */
const DEEPEST = 8;

export class Collection<V extends { readonly id: string }> {
  #rows: Tree<Row<V>>;
  readonly #indexes = new Map<string, { shape: Shape; tree: Tree<Row<V>> }>();
  /** The unchanging origin of a copy: it makes each index once, for all its copies. */
  #origin: Collection<V> | undefined;
  #depth = 0;
  /** Since the origin: the record of then, or undefined, by id. */
  #touched = new Map<string, Row<V> | undefined>();

  constructor(rows: readonly Row<V>[] = []) {
    const byId = (a: Row<V>, b: Row<V>) => textOrder(a.value.id, b.value.id);
    this.#rows = new Tree(byId, rows.length > 1 ? [...rows].sort(byId) : rows);
  }

  get size(): number {
    return this.#rows.size;
  }

  get(id: string): Row<V> | undefined {
    return this.#rows.find((row) => textOrder(row.value.id, id));
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
    for (const { tree } of this.#indexes.values()) {
      if (before) tree.remove(before);
      tree.insert(row);
    }
  }

  remove(id: string): Row<V> | undefined {
    const before = this.get(id);
    if (!before) return undefined;
    this.#touch(id, before);
    this.#rows.remove(before);
    for (const { tree } of this.#indexes.values()) tree.remove(before);
    return before;
  }

  /** The list of a shape; its index is made on first use and kept up from then on. */
  list(shape: Shape, workspace: string, values: readonly string[]): Listing<V> {
    return new Listing(this.#index(shape), shape, workspace, values);
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
    for (const [key, { shape, tree }] of this.#indexes) frozen.#indexes.set(key, { shape, tree: tree.fork() });
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
    if (this.#origin && !this.#touched.has(id)) this.#touched.set(id, before);
  }

  #index(shape: Shape): Tree<Row<V>> {
    const key = `${shape.equal.join()}|${shape.by}|${shape.descending}|${shape.nulls}`;
    const known = this.#indexes.get(key);
    if (known) return known.tree;
    const tree = this.#origin ? this.#borrowed(this.#origin, shape) : this.#sorted(shape);
    this.#indexes.set(key, { shape, tree });
    return tree;
  }

  #borrowed(origin: Collection<V>, shape: Shape): Tree<Row<V>> {
    const tree = origin.#index(shape).fork();
    for (const [id, before] of this.#touched) {
      if (before) tree.remove(before);
      const now = this.get(id);
      if (now) tree.insert(now);
    }
    return tree;
  }

  #sorted(shape: Shape): Tree<Row<V>> {
    const order = rowOrder<V>(shape);
    return new Tree(order, this.#rows.toArray().sort(order));
  }
}

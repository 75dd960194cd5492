// Records in one order, grouped by the fields that are held equal: any list is a range of ranks in it.
import { textOrder } from './records.ts';
import { type Probe, Tree } from './tree.ts';

/** A stored record with what does not belong to it: its workspace, its turn of creation, its text once written. */
export interface Row<V> {
  readonly value: V;
  readonly workspace: string;
  /** Order of creation in the world; breaks ties. */
  readonly sequence: number;
  /** The record as JSON, kept for a while by whoever writes it, and the style that it was written in. */
  text?: string | undefined;
  style?: string;
  /** Whether that text is more than ASCII. */
  wide?: boolean;
}

/** Which records a list holds, and in which order. */
export interface Shape {
  /** Fields that are held equal, in a fixed order; the workspace always is. */
  readonly equal: readonly string[];
  readonly by: string;
  readonly descending: boolean;
  readonly nulls: 'last' | 'first' | 'largest';
}

/** A place in a list: behind the record with this sort value and turn. */
export interface Place {
  readonly value: string | null;
  readonly sequence: number;
}

type Fields = Readonly<Record<string, unknown>>;

/** Stands for a field without a value; no text of a client equals a lone surrogate. */
const NONE = '\ud800';

const fieldOf = (value: unknown, field: string): string => ((value as Fields)[field] as string | null) ?? NONE;

const sortValue = <V>({ value }: Row<V>, { by }: Shape): string | null => (value as Fields)[by] as string | null;

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

const tupleOrder =
  <V>({ equal }: Shape) =>
  (a: Row<V>, b: Row<V>): number => {
    let difference = textOrder(a.workspace, b.workspace);
    for (let i = 0; difference === 0 && i < equal.length; i++) {
      difference = textOrder(fieldOf(a.value, equal[i]!), fieldOf(b.value, equal[i]!));
    }
    return difference;
  };

const rowOrder = <V>(shape: Shape) => {
  const tuples = tupleOrder<V>(shape);
  const order = sortOrder(shape);
  return (a: Row<V>, b: Row<V>): number =>
    tuples(a, b) || order(sortValue(a, shape), sortValue(b, shape)) || a.sequence - b.sequence;
};

const listKey = (workspace: string, values: readonly string[]): string => {
  let key = workspace;
  for (const value of values) key += ` ${value.length} ${value}`;
  return key;
};

/** The rows of one list, given in the order of creation, by their sort values, of which there are often few. */
const byValue = <V>(shape: Shape, rows: readonly Row<V>[]): Row<V>[] => {
  const equals = new Map<string | null, Row<V>[]>();
  for (const row of rows) addTo(equals, sortValue(row, shape), row);
  return [...equals.keys()].sort(sortOrder(shape)).flatMap((value) => equals.get(value)!);
};

/** Rows, given in the order of creation, in the order of a shape: they are put into their lists, and each list is sorted. */
const sortedRows = <V>(shape: Shape, rows: readonly Row<V>[]): Row<V>[] => {
  const lists = new Map<string, Row<V>[]>();
  for (const row of rows) {
    const values = shape.equal.map((field) => fieldOf(row.value, field));
    addTo(lists, listKey(row.workspace, values), row);
  }
  const tuples = tupleOrder<V>(shape);
  return [...lists.values()].sort((a, b) => tuples(a[0]!, b[0]!)).flatMap((list) => byValue(shape, list));
};

const addTo = <K, V>(lists: Map<K, V[]>, key: K, item: V): void => {
  const list = lists.get(key);
  if (list) list.push(item);
  else lists.set(key, [item]);
};

/** One list within an index: one workspace, given values of the equal fields. */
export class Listing<V> {
  readonly #tree: Tree<Row<V>>;
  readonly #shape: Shape;
  readonly #tuple: Probe<Row<V>>;
  #start: number;
  #total: number;
  /** How many of the moves of its index it has followed. */
  seen = 0;

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
    this.#total = tree.rank((row) => (this.#tuple(row) <= 0 ? -1 : 1)) - this.#start;
  }

  get total(): number {
    return this.#total;
  }

  /** Takes in that a row came (1) or went (-1): where the list starts and ends is counted on, not looked for. */
  follow(row: Row<V>, by: 1 | -1): void {
    const tuple = this.#tuple(row);
    if (tuple < 0) this.#start += by;
    else if (tuple === 0) this.#total += by;
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

/** A list without an index: what a query costs that is not asked again. @param rows in the order of creation. */
export const listOnce = <V>(shape: Shape, rows: readonly Row<V>[], workspace: string, values: readonly string[]): Listing<V> => {
  const { equal } = shape;
  const isIn = (row: Row<V>): boolean => {
    if (row.workspace !== workspace) return false;
    for (let i = 0; i < equal.length; i++) if (fieldOf(row.value, equal[i]!) !== values[i]) return false;
    return true;
  };
  const its = rows.filter(isIn);
  return new Listing(new Tree(rowOrder<V>(shape), byValue(shape, its)), shape, workspace, values);
};

/** So many lists are remembered, over so many moves: to follow more of them costs what looking for the list does. */
const MOST_LISTINGS = 1000;
const MOST_MOVES = 64;

/** The index of a shape; a copy costs nothing until one side writes. */
export class OrderedIndex<V> {
  readonly #shape: Shape;
  readonly #tree: Tree<Row<V>>;
  /** Lists that were asked for of late, by what is held equal, and the rows that have come and gone since. */
  #listings = new Map<string, Listing<V>>();
  #moves: (readonly [row: Row<V>, by: 1 | -1])[] = [];

  /** @param rows in the order of creation. */
  constructor(shape: Shape, rows: readonly Row<V>[] | Tree<Row<V>>) {
    this.#shape = shape;
    this.#tree = rows instanceof Tree ? rows : new Tree(rowOrder<V>(shape), sortedRows(shape, rows));
  }

  fork(): OrderedIndex<V> {
    return new OrderedIndex(this.#shape, this.#tree.fork());
  }

  insert(row: Row<V>): void {
    this.#moved(row, 1);
    this.#tree.insert(row);
  }

  remove(row: Row<V>): void {
    this.#moved(row, -1);
    this.#tree.remove(row);
  }

  /** Puts a row in the place of another: where lists start and end still holds when it stands where that stood. */
  replace(before: Row<V>, row: Row<V>): void {
    if (this.#tree.compare(before, row) === 0) this.#tree.replace(row);
    else {
      this.remove(before);
      this.insert(row);
    }
  }

  list(workspace: string, values: readonly string[]): Listing<V> {
    const key = listKey(workspace, values);
    const known = this.#listings.get(key);
    if (known) {
      while (known.seen < this.#moves.length) known.follow(...this.#moves[known.seen++]!);
      return known;
    }
    const made = new Listing(this.#tree, this.#shape, workspace, values);
    if (this.#listings.size >= MOST_LISTINGS) this.#forget();
    made.seen = this.#moves.length;
    this.#listings.set(key, made);
    return made;
  }

  #moved(row: Row<V>, by: 1 | -1): void {
    if (this.#listings.size === 0) return;
    if (this.#moves.length < MOST_MOVES) this.#moves.push([row, by]);
    else this.#forget();
  }

  #forget(): void {
    this.#listings = new Map();
    this.#moves = [];
  }
}

// Records in one order, grouped by the filtered fields: any list is a range of ranks in it.
import { ListSizes, type Tuple, tupleKey, tupleOrder } from './list-sizes.ts';
import { textOrder } from './records.ts';
import { Tree } from './tree.ts';

/** A stored record with metadata: its workspace, its turn of creation, its cached text. */
export interface Row<V> {
  readonly value: V;
  readonly workspace: string;
  /** Order of creation in the world; breaks ties. */
  readonly sequence: number;
  /** The record as JSON, cached for a while by the writer, and its style. */
  text?: string | undefined;
  style?: string;
  /** Whether that text is more than ASCII. */
  wide?: boolean;
}

export interface Shape {
  /** Fields filtered by equality, in a fixed order; always including the workspace. */
  readonly equal: readonly string[];
  readonly by: string;
  readonly descending: boolean;
  readonly nulls: 'last' | 'first' | 'largest';
}

/** A position in a list: after the record with this sort value and turn. */
export interface Place {
  readonly value: string | null;
  readonly sequence: number;
}

type FieldValues = Readonly<Record<string, unknown>>;

/** Stands for a field without a value; no text of a client equals a lone surrogate. */
const NO_VALUE = '\ud800';

const fieldText = (value: unknown, field: string): string => ((value as FieldValues)[field] as string | null) ?? NO_VALUE;

const sortValue = <V>({ value }: Row<V>, { by }: Shape): string | null => (value as FieldValues)[by] as string | null;

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

const tupleOf = <V>(row: Row<V>, { equal }: Shape): Tuple => [
  row.workspace,
  ...equal.map((field) => fieldText(row.value, field)),
];

/** Negative, 0 or positive if a row is before, in or after a list. */
const compareTuple = <V>({ value, workspace }: Row<V>, { equal }: Shape, tuple: Tuple): number => {
  let difference = textOrder(workspace, tuple[0]!);
  for (let i = 0; difference === 0 && i < equal.length; i++) difference = textOrder(fieldText(value, equal[i]!), tuple[i + 1]!);
  return difference;
};

const rowOrder = <V>(shape: Shape) => {
  const { equal } = shape;
  const order = sortOrder(shape);
  const tuples = (a: Row<V>, b: Row<V>): number => {
    let difference = textOrder(a.workspace, b.workspace);
    for (let i = 0; difference === 0 && i < equal.length; i++)
      difference = textOrder(fieldText(a.value, equal[i]!), fieldText(b.value, equal[i]!));
    return difference;
  };
  return (a: Row<V>, b: Row<V>): number =>
    tuples(a, b) || order(sortValue(a, shape), sortValue(b, shape)) || a.sequence - b.sequence;
};

/** Sorts the rows of one list, given in the order of creation, by their distinct sort values, which are often few. */
const sortByValue = <V>(shape: Shape, rows: readonly Row<V>[]): Row<V>[] => {
  const equals = new Map<string | null, Row<V>[]>();
  for (const row of rows) addTo(equals, sortValue(row, shape), row);
  return [...equals.keys()].sort(sortOrder(shape)).flatMap((value) => equals.get(value)!);
};

/** Rows, given in the order of creation, as sorted lists in order. */
const sortedLists = <V>(shape: Shape, rows: readonly Row<V>[]): { readonly tuple: Tuple; readonly rows: readonly Row<V>[] }[] => {
  const lists = new Map<string, Row<V>[]>();
  for (const row of rows) addTo(lists, tupleKey(tupleOf(row, shape)), row);
  return [...lists.values()]
    .map((list) => ({ tuple: tupleOf(list[0]!, shape), rows: sortByValue(shape, list) }))
    .sort((a, b) => tupleOrder(a.tuple, b.tuple));
};

const addTo = <K, V>(lists: Map<K, V[]>, key: K, item: V): void => {
  const list = lists.get(key);
  if (list) list.push(item);
  else lists.set(key, [item]);
};

/** One list within an index: one workspace and values of the filtered fields. Valid until the index changes. */
export class Listing<V> {
  readonly #tree: Tree<Row<V>>;
  readonly #shape: Shape;
  readonly #start: number;
  readonly total: number;

  constructor(tree: Tree<Row<V>>, shape: Shape, [start, total]: readonly [start: number, total: number]) {
    this.#tree = tree;
    this.#shape = shape;
    this.#start = start;
    this.total = total;
  }

  /** How many records of the list are at or before a position. */
  before(place: Place): number {
    const order = sortOrder(this.#shape);
    const { by } = this.#shape;
    const probe = (row: Row<V>): number =>
      order((row.value as FieldValues)[by] as string | null, place.value) || (row.sequence <= place.sequence ? -1 : 1);
    const rank = this.#tree.rank(probe, this.#start, this.#start + this.total);
    return rank - this.#start;
  }

  rows(from = 0, count = this.total): Row<V>[] {
    return this.#tree.slice(this.#start + from, Math.max(0, Math.min(count, this.total - from)));
  }
}

/** A list without an index, for a query that is not repeated. @param rows in the order of creation. */
export const listOnce = <V>(shape: Shape, rows: readonly Row<V>[], tuple: Tuple): Listing<V> => {
  const its = rows.filter((row) => compareTuple(row, shape, tuple) === 0);
  return new Listing(new Tree(rowOrder<V>(shape), sortByValue(shape, its)), shape, [0, its.length]);
};

/** The index of a shape; a copy costs nothing until one side writes. */
export class OrderedIndex<V> {
  readonly #shape: Shape;
  readonly #tree: Tree<Row<V>>;
  readonly #sizes: ListSizes;

  private constructor(shape: Shape, tree: Tree<Row<V>>, sizes: ListSizes) {
    this.#shape = shape;
    this.#tree = tree;
    this.#sizes = sizes;
  }

  /** @param rows in the order of creation. */
  static of<V>(shape: Shape, rows: readonly Row<V>[]): OrderedIndex<V> {
    const lists = sortedLists(shape, rows);
    const sorted = lists.flatMap((list) => list.rows);
    const tree = new Tree(rowOrder<V>(shape), sorted);
    return new OrderedIndex(shape, tree, new ListSizes(lists.map((list) => [list.tuple, list.rows.length])));
  }

  fork(): OrderedIndex<V> {
    return new OrderedIndex(this.#shape, this.#tree.fork(), this.#sizes.copy());
  }

  insert(row: Row<V>): void {
    this.#sizes.count(tupleOf(row, this.#shape), 1);
    this.#tree.insert(row);
  }

  remove(row: Row<V>): void {
    this.#sizes.count(tupleOf(row, this.#shape), -1);
    this.#tree.remove(row);
  }

  replace(before: Row<V>, row: Row<V>): void {
    if (this.#tree.compare(before, row) === 0) this.#tree.replace(row);
    else {
      this.remove(before);
      this.insert(row);
    }
  }

  list(tuple: Tuple): Listing<V> {
    return new Listing(this.#tree, this.#shape, this.#sizes.span(tuple) ?? this.#look(tuple));
  }

  #look(tuple: Tuple): readonly [start: number, total: number] {
    const start = this.#tree.rank((row) => compareTuple(row, this.#shape, tuple));
    const end = this.#tree.rank((row) => (compareTuple(row, this.#shape, tuple) <= 0 ? -1 : 1), start);
    return [start, end - start];
  }
}

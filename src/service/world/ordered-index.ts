// Records in one order, a tree for each workspace and each combination of values of the filtered fields.
import { groupBy } from '../contract/keyed.ts';
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
  /** Fields filtered by equality, in a fixed order. */
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

/** Values that the records of a list share: a workspace, then values of the filtered fields. */
export type Tuple = readonly string[];

/** Marks a field without a value; no text of a client equals a lone surrogate. */
const NO_VALUE = '\ud800';

const fieldOf = (value: unknown, field: string) => (value as Readonly<Record<string, string | null>>)[field];

const tupleKey = (tuple: Tuple): string => {
  let key = '';
  for (const part of tuple) key += `${part.length} ${part}`;
  return key;
};

const listKeyOf = (row: Row<unknown>, { equal }: Shape): string =>
  tupleKey([row.workspace, ...equal.map((field) => fieldOf(row.value, field) ?? NO_VALUE)]);

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

const sortValue = ({ value }: Row<unknown>, { by }: Shape): string | null => fieldOf(value, by)!;

const rowOrder = (shape: Shape) => {
  const order = sortOrder(shape);
  return (a: Row<unknown>, b: Row<unknown>): number => order(sortValue(a, shape), sortValue(b, shape)) || a.sequence - b.sequence;
};

/** Rows of one list in the order of creation, as a tree: sorted by their distinct sort values, which are often few. */
const treeOf = <V>(shape: Shape, rows: readonly Row<V>[]): Tree<Row<V>> => {
  const equals = groupBy(rows, (row) => sortValue(row, shape));
  const values = [...equals.keys()].sort(sortOrder(shape));
  return new Tree<Row<V>>(
    rowOrder(shape),
    values.flatMap((value) => equals.get(value)!),
  );
};

/** The records of one list. Valid until the index changes. */
export class Listing<V> {
  readonly #tree: Tree<Row<V>>;
  readonly #by: string;

  constructor(tree: Tree<Row<V>>, { by }: Shape) {
    this.#tree = tree;
    this.#by = by;
  }

  get total(): number {
    return this.#tree.size;
  }

  /** How many records of the list are at or before a position. */
  before({ value, sequence }: Place): number {
    const place = { value: { [this.#by]: value }, sequence } as unknown as Row<V>;
    const { compare } = this.#tree;
    return this.#tree.rank((row) => (compare(row, place) <= 0 ? -1 : 1));
  }

  rows(from = 0, count = this.total): Row<V>[] {
    return this.#tree.slice(from, count);
  }
}

/** A list without an index, for a query that is not repeated. @param rows in the order of creation. */
export const listOnce = <V>(shape: Shape, rows: readonly Row<V>[], [workspace, ...values]: Tuple): Listing<V> => {
  const isIn = ({ value, workspace: own }: Row<V>) =>
    own === workspace && shape.equal.every((field, i) => fieldOf(value, field) === values[i]);
  return new Listing(treeOf(shape, rows.filter(isIn)), shape);
};

interface RowList<V> {
  readonly key: string;
  /** Short lists become a tree when they are first used: there may be as many as records. */
  rows: Tree<Row<V>> | readonly Row<V>[];
  /** The index that may change the rows; any other copies them first. */
  readonly owner?: object;
}

const MAX_SHORT_LIST = 32;

const byKey = (a: { readonly key: string }, b: { readonly key: string }): number => textOrder(a.key, b.key);

/** The index of a shape; a copy costs nothing until one side writes. */
export class OrderedIndex<V> {
  readonly #shape: Shape;
  readonly #lists: Tree<RowList<V>>;
  #owner: object = {};

  private constructor(shape: Shape, lists: Tree<RowList<V>>) {
    this.#shape = shape;
    this.#lists = lists;
  }

  /** @param rows in the order of creation. */
  static of<V>(shape: Shape, rows: readonly Row<V>[]): OrderedIndex<V> {
    const groups = [...groupBy(rows, (row) => listKeyOf(row, shape))];
    const lists = groups.map(([key, group]) => ({ key, rows: group.length > MAX_SHORT_LIST ? treeOf(shape, group) : group }));
    return new OrderedIndex(shape, new Tree<RowList<V>>(byKey, lists.sort(byKey)));
  }

  fork(): OrderedIndex<V> {
    this.#owner = {};
    return new OrderedIndex(this.#shape, this.#lists.fork());
  }

  insert(row: Row<V>): void {
    this.#own(listKeyOf(row, this.#shape)).insert(row);
  }

  remove(row: Row<V>): void {
    const key = listKeyOf(row, this.#shape);
    const rows = this.#own(key);
    rows.remove(row);
    if (rows.size === 0) this.#lists.remove({ key, rows });
  }

  replace(before: Row<V>, row: Row<V>): void {
    const key = listKeyOf(before, this.#shape);
    const rows = this.#own(key);
    if (listKeyOf(row, this.#shape) === key && rows.compare(before, row) === 0) rows.replace(row);
    else {
      this.remove(before);
      this.insert(row);
    }
  }

  list(tuple: Tuple): Listing<V> {
    return new Listing(this.#rowsOf(this.#find(tupleKey(tuple))), this.#shape);
  }

  #find(key: string): RowList<V> | undefined {
    return this.#lists.get((list) => textOrder(list.key, key));
  }

  #rowsOf(list: RowList<V> = { key: '', rows: [] }): Tree<Row<V>> {
    if (!(list.rows instanceof Tree)) list.rows = treeOf(this.#shape, list.rows);
    return list.rows;
  }

  /** The rows of a list, which this index may change. */
  #own(key: string): Tree<Row<V>> {
    const known = this.#find(key);
    const rows = this.#rowsOf(known);
    if (known?.owner === this.#owner) return rows;
    const own = { key, owner: this.#owner, rows: known ? rows.fork() : rows };
    if (known) this.#lists.replace(own);
    else this.#lists.insert(own);
    return own.rows;
  }
}

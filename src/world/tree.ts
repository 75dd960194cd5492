// A sorted list that counts: insert, remove, rank and slice in logarithmic time, and a copy that costs nothing.
// A B+ tree whose nodes know their owner: a tree copies a node on its way down unless it made that node itself.

interface Leaf<T> {
  readonly owner: object;
  readonly items: T[];
}
interface Branch<T> {
  readonly owner: object;
  readonly kids: Node<T>[];
  size: number;
}
type Node<T> = Leaf<T> | Branch<T>;

/** Negative when the item stands before the place sought, else zero or more. */
export type Probe<T> = (item: T) => number;

const MOST = 64;

const isLeaf = <T>(node: Node<T>): node is Leaf<T> => 'items' in node;
const sizeOf = <T>(node: Node<T>): number => (isLeaf(node) ? node.items.length : node.size);
const lastOf = <T>(node: Node<T>): T => {
  let at = node;
  while (!isLeaf(at)) at = at.kids[at.kids.length - 1]!;
  return at.items[at.items.length - 1]!;
};

export class Tree<T> {
  readonly compare: (a: T, b: T) => number;
  #root: Node<T>;
  #owner: object = {};

  constructor(compare: (a: T, b: T) => number, sorted: readonly T[] = []) {
    this.compare = compare;
    this.#root = this.#build(sorted);
  }

  get size(): number {
    return sizeOf(this.#root);
  }

  /** An independent copy in constant time; both sides copy what they change from now on. */
  fork(): Tree<T> {
    const copy = new Tree(this.compare);
    copy.#root = this.#root;
    this.#owner = {};
    return copy;
  }

  insert(item: T): void {
    this.#root = this.#own(this.#root);
    const right = this.#insert(this.#root, item);
    if (right) this.#root = this.#branch([this.#root, right]);
  }

  /** Removes the item that compares equal. @returns whether there was one. */
  remove(item: T): boolean {
    if (this.find((other) => this.compare(other, item)) === undefined) return false;
    this.#root = this.#own(this.#root);
    this.#remove(this.#root, item);
    while (!isLeaf(this.#root) && this.#root.kids.length === 1) this.#root = this.#root.kids[0]!;
    return true;
  }

  /** The first item whose probe is zero. */
  find(probe: Probe<T>): T | undefined {
    let node = this.#root;
    while (!isLeaf(node)) {
      const at = lowest(node.kids.length, (i) => probe(lastOf((node as Branch<T>).kids[i]!)));
      if (at === node.kids.length) return undefined;
      node = node.kids[at]!;
    }
    const { items } = node;
    const at = lowest(items.length, (i) => probe(items[i]!));
    return at < items.length && probe(items[at]!) === 0 ? items[at] : undefined;
  }

  /** How many items stand before the place that the probe seeks. */
  rank(probe: Probe<T>): number {
    let node = this.#root;
    let before = 0;
    while (!isLeaf(node)) {
      const { kids } = node;
      const at = lowest(kids.length, (i) => probe(lastOf(kids[i]!)));
      for (let i = 0; i < at; i++) before += sizeOf(kids[i]!);
      if (at === kids.length) return before;
      node = kids[at]!;
    }
    const { items } = node;
    return before + lowest(items.length, (i) => probe(items[i]!));
  }

  /** Up to `count` items from a rank on. */
  slice(start: number, count: number): T[] {
    const found: T[] = [];
    collect(this.#root, start, count, found);
    return found;
  }

  /** Every item in order. */
  toArray(): T[] {
    return this.slice(0, this.size);
  }

  #build(sorted: readonly T[]): Node<T> {
    const owner = this.#owner;
    const full = (MOST * 3) / 4;
    let level: Node<T>[] = [];
    for (let i = 0; i < sorted.length; i += full) level.push({ owner, items: sorted.slice(i, i + full) });
    if (level.length === 0) return { owner, items: [] };
    while (level.length > 1) {
      const above: Node<T>[] = [];
      for (let i = 0; i < level.length; i += full) above.push(this.#branch(level.slice(i, i + full)));
      level = above;
    }
    return level[0]!;
  }

  #branch(kids: Node<T>[]): Branch<T> {
    return { owner: this.#owner, kids, size: kids.reduce((sum, kid) => sum + sizeOf(kid), 0) };
  }

  #own<N extends Node<T>>(node: N): N {
    if (node.owner === this.#owner) return node;
    const copy: Node<T> = isLeaf(node)
      ? { owner: this.#owner, items: node.items.slice() }
      : { owner: this.#owner, kids: node.kids.slice(), size: node.size };
    return copy as N;
  }

  /** Inserts below a node of our own. @returns the right half when the node had to be split. */
  #insert(node: Node<T>, item: T): Node<T> | undefined {
    if (isLeaf(node)) {
      const at = lowest(node.items.length, (i) => this.compare(node.items[i]!, item));
      node.items.splice(at, 0, item);
      if (node.items.length <= MOST) return undefined;
      return { owner: this.#owner, items: node.items.splice(node.items.length >> 1) };
    }
    const { kids } = node;
    const at = Math.min(
      lowest(kids.length, (i) => this.compare(lastOf(kids[i]!), item)),
      kids.length - 1,
    );
    const kid = this.#own(kids[at]!);
    kids[at] = kid;
    const right = this.#insert(kid, item);
    node.size += 1;
    if (right) kids.splice(at + 1, 0, right);
    if (kids.length <= MOST) return undefined;
    const half = this.#branch(kids.splice(kids.length >> 1));
    node.size -= half.size;
    return half;
  }

  #remove(node: Node<T>, item: T): void {
    if (isLeaf(node)) {
      node.items.splice(
        lowest(node.items.length, (i) => this.compare(node.items[i]!, item)),
        1,
      );
      return;
    }
    const { kids } = node;
    const at = lowest(kids.length, (i) => this.compare(lastOf(kids[i]!), item));
    const kid = this.#own(kids[at]!);
    kids[at] = kid;
    this.#remove(kid, item);
    node.size -= 1;
    if (sizeOf(kid) === 0) kids.splice(at, 1);
  }
}

/** The first index below `length` whose probe is not negative, else `length`. */
const lowest = (length: number, probe: (index: number) => number): number => {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (probe(middle) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
};

const collect = <T>(node: Node<T>, start: number, count: number, found: T[]): void => {
  if (isLeaf(node)) {
    for (let i = start; i < node.items.length && found.length < count; i++) found.push(node.items[i]!);
    return;
  }
  let skip = start;
  for (const kid of node.kids) {
    if (found.length >= count) return;
    const size = sizeOf(kid);
    if (skip < size) collect(kid, skip, count, found);
    skip = Math.max(0, skip - size);
  }
};

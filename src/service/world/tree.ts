// A counted sorted list: insert, remove, rank and slice in logarithmic time, and copies in constant time.
// A B+ tree whose nodes know their owner: a tree copies a node on its way down unless it made that node itself.

interface Leaf<T> {
  readonly owner: object;
  readonly items: T[];
}
interface Branch<T> {
  readonly owner: object;
  readonly kids: Node<T>[];
  /** The last item below each kid: a search reads these, and only the kids that it enters. */
  readonly lasts: T[];
  /** How many items are below each kid, and below all. */
  readonly sizes: number[];
  size: number;
}
type Node<T> = Leaf<T> | Branch<T>;

/** Negative if the item is before the position sought, else zero or more. */
export type Probe<T> = (item: T) => number;

const MAX_ITEMS = 64;

const isLeaf = <T>(node: Node<T>): node is Leaf<T> => 'items' in node;
const nodeSize = <T>(node: Node<T>): number => (isLeaf(node) ? node.items.length : node.size);
const nodeItems = <T>(node: Node<T>): T[] => (isLeaf(node) ? node.items : node.lasts);
const lastItem = <T>(node: Node<T>): T => nodeItems(node)[nodeItems(node).length - 1]!;

export class Tree<T> {
  readonly compare: (a: T, b: T) => number;
  #root: Node<T>;
  #owner: object = {};

  constructor(compare: (a: T, b: T) => number, sorted: readonly T[] = []) {
    this.compare = compare;
    this.#root = this.#build(sorted);
  }

  get size(): number {
    return nodeSize(this.#root);
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
    this.#root = this.#own(this.#root);
    if (!this.#remove(this.#root, item)) return false;
    while (!isLeaf(this.#root) && this.#root.kids.length === 1) this.#root = this.#root.kids[0]!;
    return true;
  }

  /** Replaces the item that compares equal. @returns whether there was one. */
  replace(item: T): boolean {
    this.#root = this.#own(this.#root);
    return this.#replace(this.#root, item);
  }

  /**
   * How many items are before the position that the probe seeks.
   * @param low the rank is at least this, and at most `high`: the probe sees no other items
   */
  rank(probe: Probe<T>, low = 0, high = this.size): number {
    if (low >= high) return high;
    let node = this.#root;
    let before = 0;
    for (;;) {
      if (isLeaf(node))
        return before + lowest(node.items, probe, Math.max(0, low - before), Math.min(node.items.length, high - before));
      const { kids, lasts, sizes } = node;
      let from = 0;
      while (before + sizes[from]! <= low) before += sizes[from++]!;
      let to = from;
      for (let end = before + sizes[to]!; end < high && to < kids.length - 1; end += sizes[to]!) to++;
      const at = lowest(lasts, probe, from, to);
      for (let i = from; i < at; i++) before += sizes[i]!;
      node = kids[at]!;
    }
  }

  slice(start: number, count: number): T[] {
    const found: T[] = [];
    collect(this.#root, start, count, found);
    return found;
  }

  toArray(): T[] {
    return this.slice(0, this.size);
  }

  #build(sorted: readonly T[]): Node<T> {
    const owner = this.#owner;
    const full = (MAX_ITEMS * 3) / 4;
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
    const sizes = kids.map(nodeSize);
    return { owner: this.#owner, kids, lasts: kids.map(lastItem), sizes, size: sizes.reduce((sum, size) => sum + size, 0) };
  }

  #own<N extends Node<T>>(node: N): N {
    if (node.owner === this.#owner) return node;
    const copy: Node<T> = isLeaf(node)
      ? { owner: this.#owner, items: node.items.slice() }
      : { ...node, owner: this.#owner, kids: node.kids.slice(), lasts: node.lasts.slice(), sizes: node.sizes.slice() };
    return copy as N;
  }

  #insert(node: Node<T>, item: T): Node<T> | undefined {
    const at = this.#place(nodeItems(node), item);
    if (isLeaf(node)) {
      node.items.splice(at, 0, item);
      if (node.items.length <= MAX_ITEMS) return undefined;
      return { owner: this.#owner, items: node.items.splice(node.items.length >> 1) };
    }
    const { kids, lasts, sizes } = node;
    const into = Math.min(at, kids.length - 1);
    const kid = this.#own(kids[into]!);
    kids[into] = kid;
    const right = this.#insert(kid, item);
    node.size += 1;
    lasts[into] = lastItem(kid);
    sizes[into] = nodeSize(kid);
    if (!right) return undefined;
    kids.splice(into + 1, 0, right);
    lasts.splice(into + 1, 0, lastItem(right));
    sizes.splice(into + 1, 0, nodeSize(right));
    if (kids.length <= MAX_ITEMS) return undefined;
    const half = this.#branch(kids.splice(kids.length >> 1));
    lasts.length = kids.length;
    sizes.length = kids.length;
    node.size -= half.size;
    return half;
  }

  #remove(node: Node<T>, item: T): boolean {
    const at = this.#place(nodeItems(node), item);
    if (isLeaf(node)) {
      const found = at < node.items.length && this.compare(node.items[at]!, item) === 0;
      if (found) node.items.splice(at, 1);
      return found;
    }
    const { kids, lasts, sizes } = node;
    if (at === kids.length) return false;
    const kid = this.#own(kids[at]!);
    kids[at] = kid;
    if (!this.#remove(kid, item)) return false;
    node.size -= 1;
    sizes[at] = nodeSize(kid);
    if (sizes[at]! > 0) lasts[at] = lastItem(kid);
    else for (const each of [kids, lasts, sizes]) each.splice(at, 1);
    return true;
  }

  #replace(node: Node<T>, item: T): boolean {
    const at = this.#place(nodeItems(node), item);
    if (isLeaf(node)) {
      const found = at < node.items.length && this.compare(node.items[at]!, item) === 0;
      if (found) node.items[at] = item;
      return found;
    }
    if (at === node.kids.length) return false;
    const kid = this.#own(node.kids[at]!);
    node.kids[at] = kid;
    if (!this.#replace(kid, item)) return false;
    node.lasts[at] = lastItem(kid);
    return true;
  }

  #place(items: readonly T[], item: T): number {
    const { compare } = this;
    let low = 0;
    let high = items.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compare(items[middle]!, item) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** The index, from one to another, of the first item whose probe is not negative, else the other. */
const lowest = <T>(items: readonly T[], probe: Probe<T>, from: number, to: number): number => {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (probe(items[middle]!) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
};

const collect = <T>(node: Node<T>, start: number, count: number, found: T[]): void => {
  if (isLeaf(node)) {
    for (let i = start; i < node.items.length && found.length < count; i++) found.push(node.items[i]!);
    return;
  }
  const { kids, sizes } = node;
  let skip = start;
  for (let i = 0; i < kids.length && found.length < count; i++) {
    if (skip < sizes[i]!) collect(kids[i]!, skip, count, found);
    skip = Math.max(0, skip - sizes[i]!);
  }
};

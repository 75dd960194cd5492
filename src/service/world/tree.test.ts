// The counted tree, compared with a plain sorted array under random changes and copies.
import { describe, expect, test } from 'vitest';
import { Random } from './random.ts';
import { Tree } from './tree.ts';

const order = (a: number, b: number) => a - b;
const at = (value: number) => (item: number) => item - value;

describe('a tree', () => {
  test('agrees with a sorted array under 20,000 random changes, and its copies do not hear of them', () => {
    const random = new Random(7);
    const pick = (below: number) => random.bits('pick') % below;
    const pairs = [{ tree: new Tree<number>(order), list: [] as number[] }];
    for (let step = 0; step < 20_000; step++) {
      const pair = pairs[pick(pairs.length)]!;
      const value = pick(3000);
      const known = pair.list.includes(value);
      if (pick(100) === 0 && pairs.length < 12) {
        pairs.push({ tree: pair.tree.fork(), list: [...pair.list] });
      } else if (pick(3) > 0) {
        if (!known) {
          pair.tree.insert(value);
          pair.list.push(value);
          pair.list.sort(order);
        }
      } else {
        expect(pair.tree.remove(value)).toBe(known);
        pair.list = pair.list.filter((item) => item !== value);
      }
      expect(pair.tree.size).toBe(pair.list.length);
      const from = pick(3000);
      const rank = pair.tree.rank(at(from));
      expect(rank).toBe(pair.list.filter((item) => item < from).length);
      expect(pair.tree.slice(rank, 5)).toEqual(pair.list.slice(rank, rank + 5));
    }
    for (const { tree, list } of pairs) expect(tree.toArray()).toEqual(list);
  });

  test('is built from a sorted array of any length', () => {
    for (const length of [0, 1, 47, 48, 49, 64, 65, 2304, 2305, 10_000]) {
      const sorted = Array.from({ length }, (_, i) => i);
      const tree = new Tree(order, sorted);
      expect(tree.toArray()).toEqual(sorted);
      for (const place of [-1, 0, 1, 47.5, 48, length - 1, length])
        expect(tree.rank(at(place))).toBe(sorted.filter((item) => item < place).length);
      tree.insert(length);
      tree.insert(-1);
      expect(tree.toArray()).toEqual([-1, ...sorted, length]);
    }
  });

  test.each([
    ['upwards', (i: number) => i],
    ['downwards', (i: number) => 9999 - i],
    ['from both ends', (i: number) => (i % 2 === 0 ? i : 9999 - i)],
  ])('grows %s through many chunks and is emptied again', (_, nth) => {
    const items = Array.from({ length: 10_000 }, (__, i) => nth(i));
    const distinct = [...new Set(items)].sort(order);
    const tree = new Tree(order);
    for (const item of new Set(items)) tree.insert(item);
    expect([tree.size, tree.toArray()]).toEqual([distinct.length, distinct]);
    for (let place = 0; place < 10_000; place += 97) {
      const rank = distinct.filter((item) => item < place).length;
      expect([tree.rank(at(place)), tree.slice(rank, 3)]).toEqual([rank, distinct.slice(rank, rank + 3)]);
    }
    const left = new Set(distinct);
    for (const item of items.reverse()) {
      expect(tree.remove(item)).toBe(left.delete(item));
      if (left.size % 500 === 0) expect(tree.toArray()).toEqual([...left]);
    }
    expect([tree.size, tree.rank(at(0)), tree.toArray()]).toEqual([0, 0, []]);
    tree.insert(1);
    expect(tree.toArray()).toEqual([1]);
  });
});

describe('a tree of objects', () => {
  const order = (p: { n: number }, q: { n: number }) => p.n - q.n;
  const of = (count: number) =>
    new Tree(
      order,
      Array.from({ length: count }, (_, n) => ({ n: n * 2 })),
    );

  test.each([1, 63, 64, 65, 200, 5000])('of %i items puts items in the place of equal ones, in itself alone', (count) => {
    const tree = of(count);
    const copy = tree.fork();
    for (const at of [0, Math.floor(count / 2), count - 1]) {
      const item = { n: at * 2 };
      expect([tree.replace(item), tree.slice(at, 1)[0] === item, copy.slice(at, 1)[0] === item]).toEqual([true, true, false]);
    }
    for (const n of [-1, 1, count * 2]) expect([tree.replace({ n }), tree.remove({ n })]).toEqual([false, false]);
    expect([tree.size, tree.toArray().map(({ n }) => n)]).toEqual([count, Array.from({ length: count }, (_, n) => n * 2)]);
    const results = [tree.rank((one) => one.n - count * 2), tree.rank((one) => one.n + 1), tree.rank((one) => one.n - 1)];
    expect(results).toEqual([count, 0, 1]);
    expect([tree.slice(count, 5), tree.slice(0, 0), tree.slice(count - 1, 5).length]).toEqual([[], [], 1]);
  });
});

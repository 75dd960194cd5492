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
      expect(pair.tree.find(at(value))).toBe(pair.list.includes(value) ? value : undefined);
    }
    for (const { tree, list } of pairs) expect(tree.toArray()).toEqual(list);
  });

  test('is built from a sorted array of any length', () => {
    for (const length of [0, 1, 47, 48, 49, 64, 65, 2304, 2305, 10_000]) {
      const sorted = Array.from({ length }, (_, i) => i);
      expect(new Tree(order, sorted).toArray()).toEqual(sorted);
    }
  });
});

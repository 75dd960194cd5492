// Indexed lists, compared with filtering and sorting everything, under random writes and copies.
import { describe, expect, test } from 'vitest';
import { Collection, type Row, type Shape } from './collection.ts';
import { Random } from './random.ts';

interface Thing {
  readonly id: string;
  readonly colour: string;
  readonly size: string | null;
}

const naive = (
  rows: readonly Row<Thing>[],
  { equal, by, descending, nulls }: Shape,
  workspace: string,
  values: readonly string[],
) => {
  const sign = descending ? -1 : 1;
  const field = (row: Row<Thing>, name: string) => (row.value as unknown as Record<string, string | null>)[name] ?? null;
  const nullSign = nulls === 'largest' ? sign : nulls === 'last' ? 1 : -1;
  return rows
    .filter((row) => row.workspace === workspace && equal.every((name, i) => field(row, name) === values[i]))
    .sort((a, b) => {
      const [x, y] = [field(a, by), field(b, by)];
      if (x === y) return a.sequence - b.sequence;
      if (x === null || y === null) return x === null ? nullSign : -nullSign;
      return x < y ? -sign : sign;
    });
};

describe('a collection', () => {
  test('lists as a naive store does under random writes, copies of copies included', () => {
    const random = new Random(3);
    const pick = (below: number) => random.bits('pick') % below;
    const pairs = [{ collection: new Collection<Thing>(), rows: [] as Row<Thing>[] }];
    let sequence = 0;
    for (let step = 0; step < 15_000; step++) {
      const pair = pairs[pick(pairs.length)]!;
      const workspace = `ws${pick(2)}`;
      const value = { id: `t${pick(400)}`, colour: `c${pick(4)}`, size: pick(4) === 0 ? null : `s${pick(9)}` };
      const known = pair.rows.find((row) => row.value.id === value.id);
      const action = pick(20);
      if (action === 0) {
        const copy = { collection: pair.collection.fork(), rows: [...pair.rows] };
        if (pairs.length < 25) pairs.push(copy);
        else pairs[pick(pairs.length)] = copy;
      } else if (action < 10) {
        const row = { value, workspace: known?.workspace ?? workspace, sequence: known?.sequence ?? ++sequence };
        pair.collection.put(row);
        pair.rows = [...pair.rows.filter((other) => other !== known), row];
      } else if (action < 14) {
        expect(pair.collection.remove(value.id)).toBe(known);
        pair.rows = pair.rows.filter((other) => other !== known);
      }
      const nulls = (['last', 'first', 'largest'] as const)[pick(3)]!;
      const shape = {
        equal: pick(2) === 0 ? ['colour'] : [],
        by: pick(2) === 0 ? 'size' : 'id',
        descending: pick(2) === 0,
        nulls,
      };
      const values = shape.equal.map(() => `c${pick(5)}`);
      const expected = naive(pair.rows, shape, workspace, values);
      const list = pair.collection.list(shape, workspace, values);
      expect(list.total).toBe(expected.length);
      const from = pick(expected.length + 1);
      expect(list.rows(from, 5)).toEqual(expected.slice(from, from + 5));
      const place = expected[from];
      if (place) {
        const sortValue = (place.value as unknown as Record<string, string | null>)[shape.by] ?? null;
        expect(list.before({ value: sortValue, sequence: place.sequence })).toBe(from + 1);
      }
      expect(pair.collection.get(value.id)).toBe(pair.rows.find((row) => row.value.id === value.id));
    }
  });
});

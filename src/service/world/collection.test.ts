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

  test('bounds the rows in its indexes: the least used goes, and is built again', () => {
    const row = (n: number): Row<Thing> => ({ value: { id: `t${n}`, colour: '', size: null }, workspace: 'w', sequence: n });
    const made = new Collection(Array.from({ length: 60_000 }, (_, n) => row(n)));
    const bytes = () => made.indexBytes.reduce((sum, [, one]) => sum + one, 0);
    const list = (n: number) => made.list({ equal: [], by: 'id', descending: false, nulls: `${n}` as 'last' }, 'w', []);
    for (let n = 0; n < 40; n++) list(n);
    expect([bytes(), list(0).rows(7, 1)]).toEqual([19_800_000, [row(10_002)]]);
    made.fork().dropIndexes();
    expect(bytes()).toBe(0);
  });

  test('looks at a stated number of records in each operation', () => {
    let looked = 0;
    class Watched implements Row<Thing> {
      readonly #value: Thing;
      readonly #sequence: number;
      readonly workspace = 'w';
      constructor(value: Thing, sequence: number) {
        this.#value = value;
        this.#sequence = sequence;
      }
      get value() {
        looked += 1;
        return this.#value;
      }
      get sequence() {
        looked += 1;
        return this.#sequence;
      }
    }
    const row = (n: number, colour = `c${n % 4}`, size = `s${n % 9}`) => new Watched({ id: `t${n}`, colour, size }, n);
    const costs = <T>(looks: number, what: string, action: () => T): T => {
      looked = 0;
      const result = action();
      expect(looked, what).toBe(looks);
      return result;
    };
    const plain = { equal: [], by: 'id', descending: false, nulls: 'last' } as const;
    const filtered = { ...plain, equal: ['colour'] };
    const sorted = { ...filtered, by: 'size' };
    const list = (of: Collection<Thing>, shape: Shape) =>
      of.list(shape, 'w', shape.equal.length > 0 ? ['c1'] : []).rows(1000, 20);

    const made = costs(
      19_998,
      'make it, with 10,000',
      () => new Collection(Array.from({ length: 10_000 }, (_, n) => row(n + 1))),
    );
    for (const looks of [10_000, 0]) costs(looks, 'get, first and second time', () => made.get('t77'));
    for (const looks of [10_000, 0]) costs(looks, 'a list of all, first and second time', () => list(made, plain));
    for (const looks of [12_500, 20_000, 0]) costs(looks, 'a list with a filter, three times', () => list(made, filtered));
    costs(71, 'put a new one', () => made.put(row(10_001)));
    costs(108, 'put one in its place', () => made.put(row(77)));
    costs(130, 'put one of another colour', () => made.put(row(77, 'c0')));
    costs(95, 'remove one', () => made.remove('t77'));
    costs(0, 'remove none', () => made.remove('t77'));
    costs(0, 'a list with a filter, after the four moves of that', () => list(made, filtered));

    const copy = costs(0, 'copy it', () => made.fork());
    costs(0, 'get from the copy', () => copy.get('t78'));
    costs(0, 'a list with a filter from the copy, first time', () => list(copy, filtered));
    costs(0, 'a list with a filter from the copy, second time', () => list(copy, filtered));
    costs(12_500, 'a list with another filter from the copy', () => list(copy, sorted));
    costs(20_000, 'the same from the first, which asks for it again', () => list(made, sorted));
    costs(0, 'the same from another copy', () => list(made.fork(), sorted));
    costs(92, 'put one into the copy', () => copy.put(row(78, 'c3')));
    costs(92, 'put a new one into the copy, and remove it', () => [copy.put(row(10_002)), copy.remove('t10002')]);
    costs(10_050, 'a new list of all from the copy', () => list(copy, { ...plain, by: 'size' }));
    costs(0, 'copy the copy twice, with no change between', () => [copy.fork(), copy.fork()]);

    let deep = made;
    costs(996, 'thirty copies of copies, one change each', () => {
      for (let n = 0; n < 30; n++) {
        deep = deep.fork();
        deep.put(row(100 + (n % 10), `c${n % 4}`));
      }
    });
    costs(0, 'get from the last', () => deep.get('t101'));
    costs(10_684, 'a list of all from the last, first time', () => list(deep, { ...plain, by: 'colour' }));
    costs(0, 'a list of all from the last, second time', () => list(deep, { ...plain, by: 'colour' }));
    costs(0, 'the same from the first', () => list(made, { ...plain, by: 'colour' }));
    let small = new Collection(Array.from({ length: 10 }, (_, n) => row(n + 1)));
    for (let n = 0; n < 30; n++) {
      small = small.fork();
      small.put(row((n % 10) + 1, `c${n % 4}`));
    }
    costs(268, 'a list of ten, most of them changed in copies of copies', () => list(small, plain));
    for (let n = 0; n < 10_000; n++) deep = deep.fork();
    costs(412, 'a list of all after ten thousand copies with no change', () => list(deep, plain));
    for (let n = 0; n < 10_000; n++) {
      deep = deep.fork();
      deep.put(row(200, `c${n % 4}`));
    }
    costs(602, 'a list of all after ten thousand copies with a change each', () => list(deep, plain));
  });
});

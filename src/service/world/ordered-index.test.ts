// Lists of records, small and exact: order, ties, absent values, places, names of lists, layers of copies.
import { describe, expect, test } from 'vitest';
import { Collection } from './collection.ts';
import { listOnce, OrderedIndex, type Row, type Shape } from './ordered-index.ts';

interface Thing {
  readonly id: string;
  readonly a?: string | null;
  readonly b?: string | null;
}
const row = (sequence: number, a: string | null, b: string | null = null, workspace = 'w'): Row<Thing> => ({
  value: { id: `t${sequence}`, a, b },
  workspace,
  sequence,
});
const shape = (more: Partial<Shape> = {}): Shape => ({ equal: [], by: 'b', descending: false, nulls: 'last', ...more });
const ids = (rows: readonly Row<Thing>[]) => rows.map(({ sequence }) => sequence).join(' ');

const ROWS = [
  row(1, 'x', '2'),
  row(2, 'y', '1'),
  row(3, 'x', null),
  row(4, 'x', '1'),
  row(5, 'y', null),
  row(6, 'x', '2'),
  row(7, 'x', '0', 'v'),
];

describe.each([
  [
    'an index',
    (of: Shape, values: readonly string[], workspace: string) => OrderedIndex.of(of, ROWS).list([workspace, ...values]),
  ],
  [
    'a list without an index',
    (of: Shape, values: readonly string[], workspace: string) => listOnce(of, ROWS, [workspace, ...values]),
  ],
  [
    'an index that grew',
    (of: Shape, values: readonly string[], workspace: string) => {
      const index = OrderedIndex.of<Thing>(of, []);
      for (const one of [...ROWS].reverse()) index.insert(one);
      return index.list([workspace, ...values]);
    },
  ],
])('%s', (_, list) => {
  test.each([
    [{}, '2 4 1 6 3 5'],
    [{ descending: true }, '1 6 2 4 3 5'],
    [{ nulls: 'first' }, '3 5 2 4 1 6'],
    [{ nulls: 'first', descending: true }, '3 5 1 6 2 4'],
    [{ nulls: 'largest' }, '2 4 1 6 3 5'],
    [{ nulls: 'largest', descending: true }, '3 5 1 6 2 4'],
  ] as const)('in the order %j is %s', (more, order) => {
    const all = list(shape(more), [], 'w');
    expect([ids(all.rows()), all.total]).toEqual([order, 6]);
    const whole = all.rows();
    for (const [i, { value, sequence }] of whole.entries()) expect(all.before({ value: value.b ?? null, sequence })).toBe(i + 1);
    const results = [ids(all.rows(2, 2)), ids(all.rows(4, 9)), ids(all.rows(6, 1)), ids(all.rows(9, 1)), ids(all.rows(1))];
    expect(results).toEqual([ids(whole.slice(2, 4)), ids(whole.slice(4)), '', '', ids(whole.slice(1))]);
  });

  test('holds what is equal, of one workspace', () => {
    const of = shape({ equal: ['a'] });
    expect([ids(list(of, ['x'], 'w').rows()), list(of, ['x'], 'w').total]).toEqual(['4 1 6 3', 4]);
    const pair = [ids(list(of, ['y'], 'w').rows()), ids(list(of, ['x'], 'v').rows()), ids(list(of, ['y'], 'v').rows())];
    expect(pair).toEqual(['2 5', '7', '']);
    expect([list(of, ['z'], 'w').total, list(of, ['x'], 'u').total, list(of, [''], 'w').total]).toEqual([0, 0, 0]);
    const both = shape({ equal: ['a', 'b'], by: 'id', descending: true });
    expect([
      ids(list(both, ['x', '2'], 'w').rows()),
      ids(list(both, ['x', ''], 'w').rows()),
      ids(list(both, ['y', '2'], 'w').rows()),
    ]).toEqual(['6 1', '', '']);
  });

  test('has places between its records, whether they are there or not', () => {
    const all = list(shape(), [], 'w');
    expect([
      all.before({ value: '1', sequence: 3 }),
      all.before({ value: '0', sequence: 9 }),
      all.before({ value: '9', sequence: 0 }),
    ]).toEqual([1, 0, 4]);
    expect([
      all.before({ value: null, sequence: 4 }),
      all.before({ value: null, sequence: 0 }),
      all.before({ value: '2', sequence: 99 }),
    ]).toEqual([5, 4, 4]);
  });
});

test('lists whose values run together are different lists', () => {
  const of = shape({ equal: ['a', 'b'], by: 'id' });
  const index = OrderedIndex.of(of, [row(1, 'p q', 'r'), row(2, 'p', 'q r'), row(3, 'p 1 q', '')]);
  expect(
    [index.list(['w', 'p q', 'r']), index.list(['w', 'p', 'q r']), index.list(['w', 'p 1 q', ''])].map((list) =>
      ids(list.rows()),
    ),
  ).toEqual(['1', '2', '3']);
  expect(index.list(['w 3 p', 'q', 'r']).total).toBe(0);
});

test('a list shows what came, went and moved; a copy hears of none, and none of it', () => {
  const index = OrderedIndex.of<Thing>(shape(), ROWS);
  const now = (of: OrderedIndex<Thing>) => [ids(of.list(['w']).rows()), of.list(['v']).total];
  const same = { ...ROWS[0]!, value: { ...ROWS[0]!.value, a: 'z' } };
  index.replace(ROWS[0]!, same);
  expect([now(index), index.list(['w']).rows()[2]]).toEqual([['2 4 1 6 3 5', 1], same]);
  const copy = index.fork();
  const moved = { ...same, value: { ...same.value, b: '0' } };
  index.replace(same, moved);
  expect([now(index), now(copy)]).toEqual([
    ['1 2 4 6 3 5', 1],
    ['2 4 1 6 3 5', 1],
  ]);
  index.remove(ROWS[1]!);
  copy.insert(row(9, 'x', '3', 'v'));
  const facts = [now(index), now(copy), now(copy.fork())];
  expect(facts).toEqual([
    ['1 4 6 3 5', 1],
    ['2 4 1 6 3 5', 2],
    ['2 4 1 6 3 5', 2],
  ]);
  index.insert(row(8, 'x', '5'));
  expect(now(index)).toEqual(['1 4 6 8 3 5', 1]);
});

describe('a collection', () => {
  test('keeps the order of creation, whatever the order it was given or changed in', () => {
    const given = [row(3, 'c'), row(1, 'a'), row(2, 'b')];
    const collection = new Collection<Thing>(given);
    expect([ids(collection.all()), ids(given), collection.size]).toEqual(['1 2 3', '3 1 2', 3]);
    collection.put({ ...row(2, 'z'), sequence: 2 });
    collection.put({ value: { id: 't1', a: 'moved' }, workspace: 'w', sequence: 9 });
    const results = [ids(collection.all()), collection.get('t1')?.value.a, collection.get('t2')?.value.a, collection.get('t9')];
    expect(results).toEqual(['2 3 9', 'moved', 'z', undefined]);
    const pair = [collection.remove('t9'), collection.remove('t3')?.sequence, collection.remove('t3'), collection.size];
    expect(pair).toEqual([undefined, 3, undefined, 2]);
  });

  test('tells of each record that is touched', () => {
    const collection = new Collection<Thing>([row(1, 'a')]);
    collection.put(row(2, 'b'));
    const touched: string[] = [];
    collection.onTouch = (id) => touched.push(id);
    collection.put(row(3, 'c'));
    collection.put(row(1, 'z'));
    collection.remove('t2');
    collection.remove('t9');
    expect(touched).toEqual(['t3', 't1', 't2']);
    expect(collection.fork().onTouch).toBeUndefined();
  });
});

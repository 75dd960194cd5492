// The last thousand exchanges of a world.
import { describe, expect, test } from 'vitest';
import { Journal } from './log.ts';

const filled = (count: number): Journal<number> => {
  const journal = new Journal<number>(() => 1);
  for (let i = 1; i <= count; i++) journal.add(i);
  return journal;
};
const upTo = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

describe('a journal', () => {
  test.each([
    [0, 1],
    [1, 1],
    [999, 1],
    [1000, 1],
    [1001, 2],
    [2500, 1501],
  ])('of %i exchanges keeps those from %i on', (count, first) => {
    const journal = filled(count);
    expect([journal.first, journal.next]).toEqual([first, count + 1]);
    expect(journal.all()).toEqual(upTo(first, count));
    for (const number of [first - 1, 0, -1, count + 1, count + 1000, count + 1001]) expect(journal.get(number)).toBeUndefined();
    if (count > 0) expect([journal.get(first), journal.get(count)]).toEqual([first, count]);
  });

  test('continues after the entries that it is made from', () => {
    for (const [from, to] of [
      [1, 3],
      [998, 1002],
      [1500, 2499],
    ] as const) {
      const journal = new Journal(() => 1, to + 1, upTo(from, to));
      expect([journal.first, journal.next, journal.get(from), journal.get(to)]).toEqual([from, to + 1, from, to]);
      journal.add(to + 1);
      expect(journal.all()).toEqual(upTo(Math.max(from, to - 998), to + 1));
    }
    const empty = new Journal<number>(() => 1, 7);
    expect([empty.first, empty.next, empty.all()]).toEqual([7, 7, []]);
  });

  test('forks into one that goes its own way', () => {
    const journal = filled(1200);
    const copy = journal.fork();
    expect([copy.first, copy.next, copy.all()]).toEqual([201, 1201, upTo(201, 1200)]);
    copy.add(-1);
    journal.add(-2);
    expect([journal.get(1201), copy.get(1201), journal.next]).toEqual([-2, -1, 1202]);
  });

  test('forgets everything and numbers on', () => {
    const journal = filled(3);
    journal.clear();
    expect([journal.first, journal.next, journal.all(), journal.get(3)]).toEqual([4, 4, [], undefined]);
    journal.add(4);
    expect([journal.all(), journal.get(4)]).toEqual([[4], 4]);
  });
});

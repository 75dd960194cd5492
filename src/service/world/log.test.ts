// The log: what it evicts, counts and shares with its forks.
import { expect, test } from 'vitest';
import { Log } from './log.ts';

const RULES = { bytesOf: (text: string) => text.length, max: 3, isAwaited: (text: string) => text.startsWith('wait') };
const filled = (...texts: string[]) => {
  const log = new Log<number, string>(RULES);
  for (const [i, text] of texts.entries()) log.put(i, text);
  return log;
};
const turnOf = (log: Log<number, string>, id: number): number => new Map(log.entries()).get(id)!.turn;

test('a full log evicts its oldest entry, and a replaced entry keeps its place', () => {
  const log = filled('a', 'b', 'c');
  log.put(1, 'B');
  expect([log.all(), log.size, log.firstId]).toEqual([['a', 'B', 'c'], 3, 0]);
  log.put(3, 'd');
  log.remove(1);
  log.put(4, 'e');
  log.put(5, 'f');
  expect([log.all(), log.get(4), log.get(1), log.firstId]).toEqual([['d', 'e', 'f'], 'e', undefined, 3]);
  log.clear();
  expect([log.all(), log.firstId]).toEqual([[], undefined]);
  for (let id = 6; id < 20; id++) log.put(id, `${id}`);
  expect(log.all()).toEqual(['17', '18', '19']);
});

test('each entry that is put tells its bytes', () => {
  const log = filled();
  const sizes: number[] = [];
  log.onAppend = (bytes) => sizes.push(bytes);
  for (const text of ['one', 'three']) log.put(1, text);
  expect([sizes, Array.from(log.entries(), ([, { bytes }]) => bytes)]).toEqual([[3, 5], [5]]);
});

test('a fork shares all entries until one of the two writes', () => {
  const log = filled('a', 'b', 'c');
  const [fork, other] = [log.fork(), log.fork()];
  fork.put(3, 'd');
  log.remove(2);
  const results = [log.all(), fork.all(), other.all()];
  expect(results).toEqual([
    ['a', 'b'],
    ['b', 'c', 'd'],
    ['a', 'b', 'c'],
  ]);
  expect(new Map(fork.entries()).get(1)).toBe(new Map(other.entries()).get(1));
});

test('evicting spares what came later and what is awaited; restored entries go first', () => {
  const log = new Log<number, string>({ ...RULES, max: 9 }, [
    [1, 'old'],
    [2, 'wait'],
  ]);
  log.put(3, 'wait more');
  log.put(4, 'a');
  log.put(5, 'b');
  log.evict(0);
  expect(log.all()).toEqual(['wait', 'wait more', 'a', 'b']);
  log.evict(turnOf(log, 4));
  expect(log.all()).toEqual(['wait', 'wait more', 'b']);
  log.evict(turnOf(log, 2));
  expect(log.all()).toEqual(['wait more']);
});

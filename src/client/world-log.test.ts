// How the log of a run is read: what overtakes what, and whether an order took effect.
import { expect, test } from 'vitest';
import type { Order, TimedNote } from './delayed-responses.ts';
import { isMet, listLaterArrivals, listOvertaking } from './order-search.ts';

/** `+a` came, `-a` went, `!a` went without what it waited for. */
const logOf = (text: string): TimedNote[] =>
  text.split(' ').map((word, at) => {
    const [sign, name] = [word[0], word.slice(1)];
    return { what: sign === '+' ? 'came' : sign === '!' ? 'gave up' : 'went', name, status: 200, at };
  });

test('the log shows what came while a request was under way, and what overtook it', () => {
  const log = logOf('+a +b +c -b -a +d -c -d');
  expect(listLaterArrivals(log, 'a')).toEqual(['b', 'c']);
  expect(listOvertaking(log, 'a')).toEqual(['b']);
  expect(listOvertaking(log, 'c')).toEqual([]);
  expect([listLaterArrivals(log, 'none'), listOvertaking(log, 'none')]).toEqual([[], []]);
  const open = logOf('+a +b -b');
  expect([listLaterArrivals(open, 'a'), listOvertaking(open, 'a'), listLaterArrivals(open, 'b')]).toEqual([['b'], [], []]);
});

test('an order is kept when each response waited for what it was to wait for, and was not given up', () => {
  const met = (order: Order, text: string) => isMet(order, { passed: true, log: logOf(text) });
  expect(met([{ held: 'a', after: 'b' }], '+a +b -b -a')).toBe(true);
  expect(met([{ held: 'a', after: 'b' }], '+b +a -b -a')).toBe(false);
  expect(met([{ held: 'a', after: 'b' }], '+b -b')).toBe(false);
  expect(met([{ held: 'a', after: 'b' }], '+a +b !a -b -a')).toBe(false);
  expect(met([{ held: 'a' }], '+a +b -b -a')).toBe(true);
  expect(met([{ held: 'a' }], '+a -a +b -b')).toBe(false);
  expect(met([{ held: '*' }], '+a -a')).toBe(true);
  const two: Order = [
    { held: 'a', after: 'b' },
    { held: 'b', after: 'c' },
  ];
  expect(met(two, '+a +b +c -c -b -a')).toBe(true);
  expect(met(two, '+a +c +b -c -b -a')).toBe(false);
});

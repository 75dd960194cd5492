// What the log of a run says of its requests and of an order.
import { expect, test } from 'vitest';
import type { Order, RaceNote } from './delayed-responses.ts';
import { hasGivenUp, isMet, listLaterArrivals, listOvertaking } from './order-search.ts';

/** `+a` came, `-a` went, `!a` went without what it waited for, `xa` was lost. */
const logOf = (text: string): RaceNote[] =>
  text.split(' ').map((word) => {
    const [sign, name] = [word[0], word.slice(1)];
    if (sign === 'x') return { what: 'went', name, status: 0 };
    return { what: sign === '+' ? 'came' : sign === '!' ? 'gave up' : 'went', name, status: 200 };
  });

test('what came while a request was under way, and what of that was answered before it', () => {
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
  expect([hasGivenUp({ passed: true, log: logOf('+a !a -a') }), hasGivenUp({ passed: true, log: logOf('+a') })]).toEqual([
    true,
    false,
  ]);
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

test('a response is lost when its connection ended', () => {
  const lost = (text: string) => isMet([{ held: 'a', lost: true }], { passed: true, log: logOf(text) });
  expect(lost('+a xa')).toBe(true);
  expect(lost('+a -a')).toBe(false);
  expect(lost('+a -a +b xb')).toBe(false);
  expect(lost('+b xb')).toBe(false);
});

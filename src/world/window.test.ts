// The one-minute window (spec: Limits, Rate limits).
import { describe, expect, test } from 'vitest';
import { Window } from './window.ts';

const ROLLING = { kind: 'rolling', countsRefused: false } as const;
const FIXED = { kind: 'fixed', countsRefused: false } as const;
const START = 1_737_363_600_000;

describe.each([ROLLING, FIXED])('a $kind window', (rules) => {
  test.each([1, 5, 60, 300, 1000])('lets request N of N pass and refuses N + 1 (N = %i)', (limit) => {
    const window = new Window(limit);
    for (let i = 1; i <= limit; i++) {
      const quota = window.count(START + i, rules);
      expect([quota.passes, quota.remaining]).toEqual([true, limit - i]);
    }
    expect(window.count(START + limit, rules)).toMatchObject({ passes: false, remaining: 0, limit });
  });

  test('is full again at the time that Reset names, if nothing is asked until then', () => {
    const window = new Window(3);
    for (const at of [0, 400, 20_500]) window.count(START + at, rules);
    const { reset } = window.count(START + 30_000, rules);
    expect(window.look(reset * 1000, rules)).toMatchObject({ passes: true, remaining: 3 });
  });
});

test('a rolling window forgets each request 60 s after it', () => {
  const window = new Window(2);
  window.count(START, ROLLING);
  window.count(START + 30_000, ROLLING);
  expect(window.count(START + 59_999, ROLLING).passes).toBe(false);
  expect(window.count(START + 60_000, ROLLING)).toMatchObject({ passes: true, remaining: 0 });
  expect(window.count(START + 60_001, ROLLING).passes).toBe(false);
});

test('refused requests count only where that choice was made', () => {
  const window = new Window(1);
  window.count(START, ROLLING);
  window.count(START + 30_000, { ...ROLLING, countsRefused: true });
  expect(window.look(START + 60_000, ROLLING).passes).toBe(false);
  expect(window.look(START + 90_000, ROLLING).passes).toBe(true);
});

test('a clock set back opens the window', () => {
  const window = new Window(1);
  window.count(START, ROLLING);
  expect(window.count(START - 3_600_000, ROLLING).passes).toBe(true);
});

test('a copy counts on its own', () => {
  const window = new Window(2);
  window.count(START, ROLLING);
  const copy = window.fork();
  copy.count(START, ROLLING);
  expect(window.look(START, ROLLING).remaining).toBe(1);
  expect(copy.look(START, ROLLING).remaining).toBe(0);
});

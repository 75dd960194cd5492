// The one-minute window (spec: Limits, Rate limits).
import { describe, expect, test } from 'vitest';
import { Window } from './window.ts';

const ROLLING = { kind: 'rolling', countsRefused: false, ms: 60_000 } as const;
const FIXED = { kind: 'fixed', countsRefused: false, ms: 60_000 } as const;
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

test('refused requests count only where that choice was made', () => {
  const window = new Window(1);
  window.count(START, ROLLING);
  window.count(START + 30_000, { ...ROLLING, countsRefused: true });
  expect(window.look(START + 60_000, ROLLING).passes).toBe(false);
  expect(window.look(START + 90_000, ROLLING).passes).toBe(true);
});

describe('a window', () => {
  const of = (limit: number, ...at: number[]) => {
    const window = new Window(limit);
    for (const ms of at) window.count(START + ms, ROLLING);
    return window;
  };

  test('is kept exact below a limit of ten thousand, by the second from there on', () => {
    expect(of(9999, 1, 1, 999, 1001).save()).toEqual({ limit: 9999, gaps: [START + 1, 998, 2], counts: [2, 1, 1] });
    expect(of(10_000, 1, 1, 999, 1001).save()).toEqual({ limit: 10_000, gaps: [START, 1000], counts: [3, 1] });
  });

  test('forgets what is a minute old, and all when time goes back; a look changes nothing', () => {
    const window = of(9, 0, 0, 10, 60_000 - 1);
    const left = (ms: number) => window.look(START + ms, ROLLING).remaining;
    expect([59_999, 60_000, 60_010, 59_998, 59_999].map(left)).toEqual([5, 7, 8, 9, 5]);
    expect([60_010, 60_009].map((ms) => window.count(START + ms, ROLLING).remaining)).toEqual([7, 8]);
  });

  test('forgets all, old and new, when time goes back behind its newest', () => {
    expect(of(9, 0, 10).look(START + 5, ROLLING).remaining).toBe(9);
    expect(of(9, 0, 10).look(START + 10, ROLLING).remaining).toBe(7);
  });

  test('is saved and copied as it was then', () => {
    const window = of(9, 0);
    const [saved, copy] = [window.save(), window.fork()];
    window.count(START, ROLLING);
    window.count(START + 1, ROLLING);
    expect([saved, copy.save()]).toEqual(Array(2).fill({ limit: 9, gaps: [START] }));
  });

  test('if it is fixed is empty a minute after its first request, or before it', () => {
    const window = of(3, 0, 30_000);
    expect(window.look(START + 59_999, FIXED)).toEqual({ limit: 3, remaining: 1, reset: START / 1000 + 60, passes: true });
    expect(window.fork().look(START + 60_000, FIXED)).toEqual({
      limit: 3,
      remaining: 3,
      reset: START / 1000 + 120,
      passes: true,
    });
    expect(window.fork().look(START - 1, FIXED).remaining).toBe(3);
    expect(new Window(0).look(START, FIXED)).toEqual({ limit: 0, remaining: 0, reset: START / 1000 + 60, passes: false });
    expect(window.look(START + 59_999, ROLLING).reset).toBe(START / 1000 + 90);
  });

  test('with refused requests counted never has less than nothing left', () => {
    const counted = { ...ROLLING, countsRefused: true };
    const window = new Window(1);
    expect([1, 2, 3].map((ms) => window.count(START + ms, counted).passes)).toEqual([true, false, false]);
    expect([window.look(START + 3, counted).remaining, window.save().gaps?.length]).toEqual([0, 3]);
    const plain = new Window(1);
    expect([1, 2, 3].map((ms) => plain.count(START + ms, ROLLING).passes)).toEqual([true, false, false]);
    expect(plain.save().gaps).toEqual([START + 1]);
  });

  test('is made from what earlier formats have saved', () => {
    const window = Window.from({ limit: 5, times: [START, START + 10], counts: [2, 1] });
    expect(window.save()).toEqual({ limit: 5, gaps: [START, 10], counts: [2, 1] });
    expect(window.look(START + 10, ROLLING).remaining).toBe(2);
  });

  test('is written short: three hundred requests of a minute in some kilobyte', () => {
    const window = of(300, ...Array.from({ length: 300 }, (_, i) => i * 199));
    expect(JSON.stringify(window.save()).length).toBeLessThan(1300);
    expect(Window.from(window.save()).look(START + 59_999, ROLLING).remaining).toBe(0);
  });

  test('is made again from what was saved, with its count', () => {
    const saved = of(5, 0, 0, 10).save();
    const again = Window.from(saved);
    expect(again.count(START + 20, ROLLING)).toMatchObject({ remaining: 1, passes: true });
    expect(saved).toEqual({ limit: 5, gaps: [START, 10], counts: [2, 1] });
    const copy = again.fork();
    expect([copy.save(), copy.look(START + 20, ROLLING).remaining]).toEqual([again.save(), 1]);
    copy.count(START + 20, ROLLING);
    expect([again.look(START + 20, ROLLING).remaining, copy.look(START + 20, ROLLING).remaining]).toEqual([1, 0]);
  });
});

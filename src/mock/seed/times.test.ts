// Texts that count as a time in a seed.
import { describe, expect, test } from 'vitest';
import { readInstant, readTime } from './times.ts';

const NOW = Date.parse('2025-01-20T09:00:00Z');

describe('times of a seed', () => {
  test.each([
    ['2025-01-20T10:00:00+02:00', '2025-01-20T08:00:00.000Z'],
    ['-2h', '2025-01-20T07:00:00.000Z'],
    ['+3d', '2025-01-23T09:00:00.000Z'],
    ['-1w', '2025-01-13T09:00:00.000Z'],
    ['+30m', '2025-01-20T09:30:00.000Z'],
    ['-45s', '2025-01-20T08:59:15.000Z'],
  ])('%s is read as %s', (text, expected) => {
    expect(readTime(text, NOW)).toBe(expected);
  });

  test.each(['2025-01-20', '+99999999w', '3d', '+3 d', '-2h30m', '+', '+1y', 'x+1d', '+1dx', ''])('%j is no time', (text) => {
    expect(readTime(text, NOW)).toBeUndefined();
  });

  test('the first and the last moment are times, and none beyond them', () => {
    const [first, last] = [Date.parse('0000-01-01T00:00:00.000Z'), Date.parse('9999-12-31T23:59:59.999Z')];
    expect([readTime('-1s', first + 1000), readTime('-1s', first + 999)]).toEqual(['0000-01-01T00:00:00.000Z', undefined]);
    expect([readTime('+1s', last - 1000), readTime('+1s', last - 999)]).toEqual(['9999-12-31T23:59:59.999Z', undefined]);
    expect([readInstant('2025-01-01T00:00Z'), readInstant('-1s')]).toEqual([Date.parse('2025-01-01T00:00:00Z'), undefined]);
  });

  test('every day of four years is read as Date reads it', () => {
    for (let day = Date.parse('2023-01-01T12:00:00Z'); day < Date.parse('2027-01-01T00:00:00Z'); day += 86_400_000) {
      const text = new Date(day).toISOString();
      expect(readTime(text, NOW)).toBe(text);
      expect(readInstant(text)).toBe(day);
    }
  });
});

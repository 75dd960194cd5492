// What counts as a time in a seed.
import { describe, expect, test } from 'vitest';
import { momentText } from '../world/moment.ts';
import { readInstant, readTime } from './times.ts';

const NOW = Date.parse('2025-01-20T09:00:00Z');

describe('times of a seed', () => {
  test.each([
    ['2025-01-20T09:00:00Z', '2025-01-20T09:00:00.000Z'],
    ['2025-01-31T09:00:00.125Z', '2025-01-31T09:00:00.125Z'],
    ['2025-01-20T10:00:00+02:00', '2025-01-20T08:00:00.000Z'],
    ['2025-01-20T09:00Z', '2025-01-20T09:00:00.000Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
    ['-2h', '2025-01-20T07:00:00.000Z'],
    ['+3d', '2025-01-23T09:00:00.000Z'],
    ['-1w', '2025-01-13T09:00:00.000Z'],
    ['+30m', '2025-01-20T09:30:00.000Z'],
    ['-45s', '2025-01-20T08:59:15.000Z'],
  ])('%s is read as %s', (text, expected) => {
    expect(readTime(text, NOW)).toBe(expected);
  });

  test.each([
    '2025-01-20',
    '2025-01-20T09:00:00',
    '2025-02-30T09:00:00Z',
    '2025-02-29T09:00:00Z',
    '2025-04-31T09:00:00Z',
    '2025-13-01T09:00:00Z',
    '2025-01-20T25:00:00Z',
    '9999-12-31T23:59:59-05:00',
    '+99999999w',
    '3d',
    '+3 d',
    '-2h30m',
    'yesterday',
    '',
  ])('%j is no time', (text) => {
    expect(readTime(text, NOW)).toBeUndefined();
  });

  test('every day of four years is read as Date reads it', () => {
    for (let day = Date.parse('2023-01-01T12:00:00Z'); day < Date.parse('2027-01-01T00:00:00Z'); day += 86_400_000) {
      const text = new Date(day).toISOString();
      expect(readTime(text, NOW)).toBe(text);
      expect(readInstant(text)).toBe(day);
    }
  });

  test('a moment beyond the years 0 to 9999 is written as the nearest within', () => {
    expect(momentText(Number.MAX_SAFE_INTEGER)).toBe('9999-12-31T23:59:59.999Z');
    expect(momentText(Number.MIN_SAFE_INTEGER)).toBe('0000-01-01T00:00:00.000Z');
  });
});

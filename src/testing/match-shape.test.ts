// The shapes that tests expect.
import { expect, test } from 'vitest';
import { matchesShape } from './match-shape.ts';

test.each([/x/g, /x/y])('the pattern %s matches the same text each time, whatever its flags remember', (pattern) => {
  expect([1, 2, 3].map(() => matchesShape({ title: pattern }, { title: 'x' }))).toEqual([true, true, true]);
});

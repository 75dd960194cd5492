// Stars in patterns.
import { expect, test } from 'vitest';
import { globFits } from './fault-match.ts';

test.each([
  ['/tasks', '/tasks', true],
  ['/tasks', '/tasks/a', false],
  ['/tasks/*', '/tasks/a', true],
  ['/tasks/*', '/tasks/a/comments', true],
  ['/tasks/*', '/tasks', false],
  ['/tasks*', '/tasks', true],
  ['*', '/anything', true],
  ['*comments', '/tasks/a/comments', true],
  ['/tasks/*/comments', '/tasks/a/comments', true],
  ['/tasks/*/comments', '/tasks/comments', false],
  ['a*b*c', 'a-b-b-c', true],
  ['a*b*c', 'a-c-b', false],
  ['aa*aa', 'aaa', false],
  ['aa*aa', 'aaaa', true],
  ['a*b*b', 'ab', false],
  ['a*x*c', 'a-b-c', false],
  ['*a*b', 'ab', true],
  ['a*b*b', 'abb', true],
  ['a*b*b*b', 'abb', false],
  ['/t.sks', '/tasks', false],
])('%s against %s: %s', (pattern, text, fits) => expect(globFits(pattern, text)).toBe(fits));

test('is linear in the text, however many stars', () => {
  expect(globFits(`${'*a'.repeat(200)}*b`, 'a'.repeat(100_000))).toBe(false);
});

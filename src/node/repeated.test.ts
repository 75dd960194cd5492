// What the commands that run another command many times read and write alike.
import { expect, test } from 'vitest';
import { quoted, whole } from './repeated.ts';

test.each(['0', '-1', '1.5', '21', 'many', ''])('a number of runs is an integer from 1 to the most: %j is none', (given) => {
  expect(() => whole({ repeat: given }, 'repeat', 2, 20)).toThrow(`--repeat: expected an integer from 1 to 20, got "${given}".`);
});

test('a number of runs is what is given, else the usual one', () => {
  expect([whole({}, 'repeat', 2, 20), whole({ repeat: '20' }, 'repeat', 2, 20)]).toEqual([2, 20]);
});

test('a word is quoted where a shell would take it for more than one', () => {
  expect(['--grep=a', 'two words', "it's", '$HOME', ''].map(quoted)).toEqual([
    '--grep=a',
    "'two words'",
    "'it'\\''s'",
    "'$HOME'",
    "''",
  ]);
});

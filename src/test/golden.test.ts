// Golden texts: what differs is shown, what is asked for is renewed, nothing renews itself in CI.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { golden } from './golden.ts';

describe('A golden text', () => {
  let root = '';
  const update = { WM_GOLDEN: 'update' };
  const file = () => join(root, 'lists', 'golden', 'cursors.txt');

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'golden-'));
    golden('lists/cursors', 'one\ntwo\nthree', { root, env: update });
  });
  afterEach(() => rmSync(root, { recursive: true }));

  test('is stored beside the tests of its room and ends with a line end', () => {
    expect(readFileSync(file(), 'utf8')).toBe('one\ntwo\nthree\n');
  });

  test('passes when it is the same, with or without the last line end', () => {
    golden('lists/cursors', 'one\ntwo\nthree', { root, env: {} });
    golden('lists/cursors', 'one\ntwo\nthree\n', { root, env: { CI: 'true' } });
  });

  test.each([
    ['another line', 'one\nTWO\nthree', 'line 2.\n  stored:   "two"\n  received: "TWO"'],
    ['a missing line', 'one\ntwo', 'line 3.\n  stored:   "three"\n  received: ""'],
    ['one more line', 'one\ntwo\nthree\nfour', 'line 4.\n  stored:   ""\n  received: "four"'],
    ['an invisible character', 'one\ntwo\r\nthree', 'line 2.\n  stored:   "two"\n  received: "two\\r"'],
    ['one more line end', 'one\ntwo\nthree\n\n', 'line 5.\n  stored:   the end of the text\n  received: ""'],
  ])('shows the first line that differs: %s', (_, text, shown) => {
    expect(() => golden('lists/cursors', text, { root, env: {} })).toThrow(`first differ in ${shown}`);
  });

  test('says what failed, why, what to do and where to read', () => {
    const where = 'How golden texts are kept stands in CONTRIBUTING.md.';
    const todo = `If the new text is right, run: WM_GOLDEN=update npx vitest run ${join(root, 'lists')}\nThen read the difference and commit it.`;
    expect(() => golden('lists/cursors', 'one', { root, env: {} })).toThrow(
      `The text is not the one of ${file()}. They first differ in line 2.\n  stored:   "two"\n  received: ""\n${todo} ${where}`,
    );
    expect(() => golden('lists/none', 'one', { root, env: {} })).toThrow(
      `The text is not the one of ${join(root, 'lists', 'golden', 'none.txt')}. There is no such file.\n${todo} ${where}`,
    );
  });

  test('is renewed when that is asked for, but not in CI', () => {
    golden('lists/cursors', 'four', { root, env: update });
    expect(readFileSync(file(), 'utf8')).toBe('four\n');
    expect(() => golden('lists/cursors', 'five', { root, env: { ...update, CI: '1' } })).toThrow(
      `${file()} was not renewed. WM_GOLDEN=update is set where CI is: a text that renews itself checks nothing.`,
    );
    expect(readFileSync(file(), 'utf8')).toBe('four\n');
  });
});

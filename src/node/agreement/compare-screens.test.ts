// Two screens compared: which differences are data, and which are the screen's own.
import { describe, expect, test } from 'vitest';
import { compareScreens } from './compare-screens.ts';
import type { Container, Leaf, Screen } from './read-screen.ts';
import type { PastRequest } from './world-history.ts';

const LEAF: Leaf = { text: '', inside: -1, isHeading: false, isAction: false, isTime: false };
const leaf = (text: string, more: Partial<Leaf> = {}): Leaf => ({ ...LEAF, text, ...more });
const screen = (leaves: Leaf[], containers: Container[] = [], touched: string[] = []): Screen => ({
  ...{ leaves, containers, touched },
  ...{ busy: false, scrolls: [] },
});
const text = (words: string, more: Partial<Leaf> = {}): Screen => screen([leaf(words, more)]);
const list = (...rows: string[][]): Screen => {
  const row = { parent: 0, role: 'listitem', label: '', isRow: true };
  const leaves = rows.flatMap((texts, i) => texts.map((one) => leaf(one, { inside: i + 1 })));
  return screen(leaves, [{ parent: -1, role: 'list', label: '', isRow: false }, ...rows.map(() => row)]);
};

const NAMES = ['Buy milk', 'Call Ada', 'Water plants'];
const read = (path: string, body: unknown, remaining = '291') => {
  const entry = {
    request: { headers: {}, body: null },
    response: { headers: { 'x-ratelimit-remaining': remaining, 'x-ratelimit-limit': '300' }, body },
  };
  return { method: 'GET', path, entry } as unknown as PastRequest;
};
const own = [read('/v1/users', { items: ['Ada Adair', 'Bo'] }, '299'), ...Array(9).fill(read('/v1/users/me', {}, '292'))];
const fresh = [read('/v1/tasks?sort=title', { items: NAMES })];
const compare = (shown: Screen, expected: Screen) =>
  compareScreens(shown, expected, own, fresh).map((one) =>
    [one.place, one.isOrder ? 'order' : '', ...one.shown.map((had) => `- ${had}`), ...one.expected.map((has) => `+ ${has}`)]
      .filter((part) => part !== '')
      .join(' '),
  );

describe('a difference counts', () => {
  const milk = 'list › listitem "Buy milk"';
  test.each<[string, Screen, Screen, ...string[]]>([
    ['for a row that is missing', list(['Buy milk']), list(['Buy milk'], ['Call Ada']), 'list › listitem "Call Ada" + Call Ada'],
    ['for a row that should be gone', list(['Buy milk'], ['Call Ada']), list(['Call Ada']), `${milk} - Buy milk`],
    ['for a row shown twice', list(['Buy milk'], ['Buy milk']), list(['Buy milk']), `${milk} - Buy milk`],
    ['for a number', text('12 tasks'), text('13 tasks'), '- 12 tasks + 13 tasks'],
    ['for a number that by chance is that of the requests left', text('292'), text('293'), '- 292 + 293'],
    ['for a count that an early response told as requests left', text('299 tasks'), text('291 tasks'), '- 299 tasks + 291 tasks'],
    ['for a status in a row', list(['Buy milk', 'To do']), list(['Buy milk', 'Done']), `${milk} - To do + Done`],
    ['for words in a row', list(['Buy milk', 'No one']), list(['Buy milk', 'Bo']), `${milk} - No one + Bo`],
    ['for a field', text('Buy milk', { field: 'a' }), text('Call Ada', { field: 'a' }), '- Buy milk + Call Ada'],
    [
      'for rows in another order, though one of them reads otherwise',
      list(['Buy milk', 'Ed'], ['Call Ada']),
      list(['Call Ada'], ['Buy milk', 'Al']),
      `${milk} - Ed + Al`,
      'list order - Buy milk - Call Ada + Call Ada + Buy milk',
    ],
  ])('%s', (_name, shown, expected, ...differences) => {
    expect(compare(shown, expected)).toEqual(differences);
  });
});

describe('a difference is the screen’s own', () => {
  test.each<[string, Screen, Screen]>([
    ['in a toast', text('Buy milk', { overlay: 'status' }), screen([])],
    ['in a text that is no data', text('Saved'), screen([])],
    ['in the label of a button', text('Edit', { isAction: true }), text('Cancel', { isAction: true })],
    ['in a relative time', list(['Buy milk', 'just now']), list(['Buy milk', '5 minutes ago'])],
    ['in the requests left', text('291 of 300 left'), text('292 of 300 left')],
    ['in the requests left, though an early response came last', text('299 of 300 left'), text('291 of 300 left')],
    ['in a field that the user has touched', screen([leaf('Buy milk', { field: 'a' })], [], ['a']), screen([])],
    ['where a list is in another order for which the app did not ask', list(['Ada Adair'], ['Bo']), list(['Bo'], ['Ada Adair'])],
  ])('%s', (_name, shown, expected) => {
    expect(compare(shown, expected)).toEqual([]);
  });
});

// Two screens compared: which differences are data, and which are the screen's own.
import { describe, expect, test } from 'vitest';
import { compareScreens } from './compare-screens.ts';
import type { ScreenNode } from './read-screen.ts';
import { countsAsData } from './service-texts.ts';

const text = (words: string): ScreenNode => ({ tag: '#text', text: words, kids: [] });
const element = (tag: string, kids: readonly (ScreenNode | string)[], more: Partial<ScreenNode> = {}): ScreenNode => ({
  tag,
  kids: kids.map((kid) => (typeof kid === 'string' ? text(kid) : kid)),
  ...more,
});
const row = (...texts: string[]): ScreenNode =>
  element(
    'li',
    texts.map((one) => element('span', [one])),
    { role: 'listitem' },
  );
const list = (...rows: ScreenNode[]): ScreenNode => element('ul', rows, { role: 'list' });
const page = (...kids: ScreenNode[]): ScreenNode => element('body', kids);

const texts = new Set(['buy milk', 'call ada', 'water plants', 'ada adair']);
const known = { texts, sorted: new Set(['buy milk', 'call ada', 'water plants']), quota: new Set(['291', '292']) };
const judge = (shown: ScreenNode, expected: ScreenNode) =>
  compareScreens(page(shown), page(expected))
    .filter((one) => countsAsData(one, known))
    .map(({ kind, shown: a, expected: b }) => [kind, a.map((leaf) => leaf.text).join(), b.map((leaf) => leaf.text).join()]);

describe('a difference counts', () => {
  test.each<[string, ScreenNode, ScreenNode, readonly string[][]]>([
    ['for a row that is missing', list(row('Buy milk')), list(row('Buy milk'), row('Call Ada')), [['missing', '', 'Call Ada']]],
    ['for a row that should be gone', list(row('Buy milk'), row('Call Ada')), list(row('Call Ada')), [['extra', 'Buy milk', '']]],
    ['for a row shown twice', list(row('Buy milk'), row('Buy milk')), list(row('Buy milk')), [['extra', 'Buy milk', '']]],
    ['for a number', element('b', ['12 tasks']), element('b', ['13 tasks']), [['changed', '12 tasks', '13 tasks']]],
    ['for a status in a row', list(row('Buy milk', 'To do')), list(row('Buy milk', 'Done')), [['changed', 'To do', 'Done']]],
    [
      'for a field',
      element('input', [], { value: 'Buy milk' }),
      element('input', [], { value: 'Call Ada' }),
      [['changed', 'Buy milk', 'Call Ada']],
    ],
    [
      'for rows in another order',
      list(row('Buy milk'), row('Call Ada')),
      list(row('Call Ada'), row('Buy milk')),
      [['order', 'Buy milk,Call Ada', 'Call Ada,Buy milk']],
    ],
  ])('%s', (_name, shown, expected, differences) => {
    expect(judge(shown, expected)).toEqual(differences);
  });
});

describe('a difference is the screen’s own', () => {
  test.each<[string, ScreenNode, ScreenNode]>([
    ['in a toast', element('div', [element('div', ['Buy milk'], { overlay: true })]), element('div', [])],
    ['in a text that is no data', element('div', ['Saved']), element('div', [])],
    ['in the label of a button', element('button', ['Edit']), element('button', ['Cancel'])],
    ['in a relative time', list(row('Buy milk', 'just now')), list(row('Buy milk', '5 minutes ago'))],
    ['in the requests left', element('p', ['291 of 300 left']), element('p', ['292 of 300 left'])],
    ['in a field that the user has touched', element('input', [], { value: 'Buy milk' }), element('input', [])],
  ])('%s', (_name, shown, expected) => {
    expect(judge(shown, expected)).toEqual([]);
  });

  test('where a list is in another order for which nobody asked', () => {
    const [shown, expected] = [list(row('Ada Adair'), row('Bo')), list(row('Bo'), row('Ada Adair'))];
    expect(judge(shown, expected)).toEqual([]);
  });
});

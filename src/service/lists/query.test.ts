// How the query of a URL is read, letter by letter, and which tokens are cursors.
import { describe, expect, test } from 'vitest';
import { choose } from '../contract/choices.ts';
import { operation } from '../contract/operations.ts';
import type { Release } from '../contract/releases.ts';
import { termsOf } from '../contract/terms.ts';
import { readCursor, writeCursor } from './cursor.ts';
import { hasParameter, metaAt } from './page-numbers.ts';
import { listName, readList, readParameters, rejectParameters, sortsOf } from './query.ts';

describe('a query', () => {
  test.each([
    ['/tasks', ''],
    ['/tasks#x?a=b', 'a:b'],
    ['?a=b', 'a:b'],
    ['/tasks?', ''],
    ['/tasks?&&', ''],
    ['/tasks?a', 'a:'],
    ['/tasks?a=', 'a:'],
    ['/tasks?=b', ':b'],
    ['/tasks?a=b&c=d', 'a:b c:d'],
    ['/tasks?a=b&a=c', 'a:b a:c'],
    ['/tasks?a=b=c', 'a:b=c'],
    ['/tasks?a=b#c=d&e', 'a:b'],
    ['/tasks?#a=b', ''],
    ['/tasks?a+b=c+d+e', 'a_b:c_d_e'],
    ['/tasks?a%2Bb=%2B', 'a+b:+'],
    ['/tasks?a%20+b=1+%C3%89', 'a__b:1_É'],
    ['/tasks?%=100%&b=%zz+%41', '%:100% b:%zz_%41'],
    ['/tasks?a=%E6%BC%A2', 'a:漢'],
  ])('%s holds %j, blanks as low lines', (url, parameters) => {
    const texts = readParameters(url).map((parameter) => parameter.join(':').replaceAll(' ', '_'));
    expect(texts.join(' ')).toBe(parameters);
  });
});

describe('a cursor', () => {
  const position = {
    list: 'ws_a listTasks ',
    filters: { status: 'todo' },
    sort: '-title',
    limit: 7,
    after: { value: 'Paint', sequence: 12 },
  };

  test.each(['Paint', '', '漆 and 😀', 'Ünïcödé', '\u007f\u0080', '"\\\n', '>>>???', '~~~~', null])(
    'comes back with %j in it',
    (value) => {
      const token = writeCursor(position, { value, sequence: 3 });
      expect(token).toMatch(/^[A-Za-z0-9_-]+$/);
      expect(readCursor(token)).toEqual({ ...position, after: { value, sequence: 3 } });
    },
  );

  test('is written with the letters of URLs alone, in place of those of base64', () => {
    const tokens = Array.from({ length: 300 }, (_, i) => writeCursor(position, { value: `~?${i}>~`, sequence: i }));
    expect(tokens.some((token) => token.includes('-'))).toBe(true);
    expect(tokens.some((token) => token.includes('_'))).toBe(true);
    for (const [i, token] of tokens.entries()) {
      expect(token).not.toMatch(/[+/=]/);
      expect(readCursor(token)?.after.sequence).toBe(i);
      for (const [from, to] of [
        ['-', '+'],
        ['_', '/'],
      ] as const) {
        if (token.includes(from)) expect(readCursor(token.replaceAll(from, to))).toBeUndefined();
      }
    }
  });

  test('is none when any letter of it is changed, left out or added', () => {
    for (const value of ['a', 'ab', 'abc']) {
      const token = writeCursor(position, { value, sequence: 3 });
      for (let i = 0; i < token.length; i++) {
        const other = token[i] === 'A' ? 'B' : 'A';
        expect(readCursor(token.slice(0, i) + other + token.slice(i + 1))).toBeUndefined();
        expect(readCursor(token.slice(0, i) + token.slice(i + 1))).toBeUndefined();
      }
      for (const more of [
        `${token}A`,
        `A${token}`,
        `${token}=`,
        `${token} `,
        ` ${token}`,
        `${token}\n`,
        `é${token}`,
        `${token}é`,
      ])
        expect(readCursor(more)).toBeUndefined();
    }
  });

  test('is none when its last letter holds other bits that nobody reads', () => {
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    for (const value of ['a', 'ab', 'abc']) {
      const token = writeCursor(position, { value, sequence: 3 });
      const read = [...letters].filter((letter) => readCursor(token.slice(0, -1) + letter) !== undefined);
      expect(read).toEqual([token.at(-1)]);
    }
  });

  test('is none when it is empty, or its checksum is right and its text is no JSON', () => {
    for (const token of ['', '.', 'Lg', btoa('x.y'), btoa('1qxvbn9.'), btoa('.'), btoa('[]')])
      expect(readCursor(token)).toBeUndefined();
  });
});

test('a list is named by its workspace, its operation and the record that holds it', () => {
  expect(listName('ws_a', 'listTasks', undefined)).toBe('ws_a listTasks ');
  expect(listName('ws_a', 'listProjectTasks', 'proj_1')).toBe('ws_a listProjectTasks proj_1');
  expect(listName(undefined, 'listTasks', undefined)).toBe('undefined listTasks ');
});

test('what each list can be sorted by depends on one open point', () => {
  const sorts = (answer: string) =>
    (['listProjects', 'listTasks', 'listProjectTasks', 'listTeams', 'listTaskComments', 'listMembers', 'getMe'] as const).map(
      (id) => sortsOf(operation(id), choose({ 'sortable-fields': answer })).join(' '),
    );
  const [tasks, times] = ['due_date created_at updated_at title', 'created_at updated_at'];
  expect(sorts('fitting')).toEqual([times, tasks, tasks, times, 'created_at', '', '']);
  expect(sorts('tasks')).toEqual([times, tasks, tasks, '', '', '', '']);
  const titleless = 'due_date created_at updated_at';
  expect(sorts('titleless')).toEqual([times, titleless, titleless, times, 'created_at', '', '']);
});

test('limit, cursor, page and offset come and go with the releases', () => {
  const at = (release: Release) => ['limit', 'page', 'cursor'].map((name) => hasParameter(name, termsOf({ release })));
  expect(at('1.0')).toEqual([false, true, false]);
  expect(at('1.1')).toEqual([true, true, true]);
  expect(at('1.2')).toEqual([true, false, true]);
  expect(at('1.3')).toEqual([true, false, true]);
});

test('meta has no cursor before cursors came', () => {
  const meta = { total: 41, limit: 20, has_more: true, next_cursor: 'c' };
  expect(metaAt(termsOf(), meta)).toBe(meta);
  expect(metaAt(termsOf({ release: '1.1' }), meta)).toBe(meta);
  expect(metaAt(termsOf({ release: '1.0' }), meta)).toEqual({ total: 41, limit: 20, has_more: true });
});

test('the query of an operation that is no list is read only for what it may not have', () => {
  const terms = termsOf({ choices: choose({ 'unknown-query': 'refused' }) });
  expect(() => rejectParameters(operation('getMe'), [], terms)).not.toThrow();
  expect(() => rejectParameters(operation('getMe'), [['x', '1']], termsOf())).not.toThrow();
  expect(() =>
    rejectParameters(
      operation('getMe'),
      [
        ['x', '1'],
        ['y', ''],
      ],
      terms,
    ),
  ).toThrow(
    expect.objectContaining({
      status: 400,
      code: 'validation_error',
      check: 'query',
      message: 'The query is wrong: x is no parameter of this operation; y is no parameter of this operation.',
    }),
  );
});

test('a list without parameters has the usual limit, order and no filter', () => {
  expect(readList(operation('listTasks'), 'l', [], termsOf())).toEqual({ limit: 20, filters: {}, sort: 'created_at', list: 'l' });
});

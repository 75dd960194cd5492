// How the query of a URL is read, letter by letter, and which tokens are cursors.
import { describe, expect, test } from 'vitest';
import type { Release } from '../contract/releases.ts';
import { termsOf } from '../contract/terms.ts';
import { readCursor, writeCursor } from './cursor.ts';
import { hasParameter, readParameters } from './query.ts';

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

  test('is none when its last letter holds other bits, which are not read', () => {
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

test('limit, cursor, page and offset come and go with the releases', () => {
  const at = (release: Release) => ['limit', 'page', 'cursor'].map((name) => hasParameter(name, termsOf({ release })));
  expect(at('1.0')).toEqual([false, true, false]);
  expect(at('1.1')).toEqual([true, true, true]);
  expect(at('1.2')).toEqual([true, false, true]);
  expect(at('1.3')).toEqual([true, false, true]);
});

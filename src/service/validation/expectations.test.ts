// Which form of a schema judges, what is reported of bodies and responses, and how long a text is.
import { describe, expect, test } from 'vitest';
import { checkResponse } from '../../test/response-check.ts';
import { codePoints, formats } from './formats.ts';
import { checkBody, formFor, formName } from './validator.ts';

test.each([
  [0, ['']],
  [1, ['a', 'é', '😀', '\ud83d', '\ude00', '\udbff\udfff']],
  [2, ['😀😀', '\ude00\ud83d', '\ud83d\ud83d\ude00', '\ud83da', 'a\ude00', '\udc00\udc00', '\ud7ff\udc00', '\ud800\ue000']],
  [4, ['a😀b😀']],
])('%i code points have all of %j', (count, texts) => expect(texts.map(codePoints)).toEqual(texts.map(() => count)));

test('formats are those of the contract', () => {
  expect(Object.keys(formats)).toEqual(['date-time', 'uri']);
  expect([formats['date-time']('2025-01-20T09:00:00Z'), formats['date-time']('2025-01-20')]).toEqual([true, false]);
  expect([formats.uri('https://a.test'), formats.uri('a.test/b'), formats.uri('')]).toEqual([true, false, false]);
  // URL.canParse of Node 20 tires of it.
  for (let i = 0; i < 20_000; i++) if (!formats.uri('https://exämple.com/ü')) expect.unreachable(`after ${i} calls`);
});

describe('the form of a schema', () => {
  test('is named after the last release that had it', () => expect(formName('createTask', '1.2')).toBe('createTask_1_2'));

  test('is found by release: the next older form from it on, else that of today', () => {
    const OF_NOW = ['1.0', '1.1', '1.2', '1.3'] as const;
    const of = formFor({ a: 'today', a_1_1: 'old', b: 'only', c_1_0: 'first' });
    expect(OF_NOW.map((release) => of('a', release))).toEqual(['old', 'old', 'today', 'today']);
    expect(OF_NOW.map((release) => of('b', release))).toEqual(['only', 'only', 'only', 'only']);
    expect(OF_NOW.map((release) => of('c', release))).toEqual(['first', undefined, undefined, undefined]);
    expect(of('none', '1.0')).toBeUndefined();
    expect(of('none', '1.0')).toBeUndefined();
    expect([of('a', '1.0'), of('a', '1.3')]).toEqual(['old', 'today']);
  });

  test('judges bodies and responses as its release did', () => {
    const priority = (release: '1.2' | '1.3') => checkBody('createTask', { title: 'A', priority: 'x' }, release);
    expect(priority('1.2')).toEqual([]);
    expect(priority('1.3')).toEqual([{ field: 'priority', kind: 'value', issue: 'must be one of low, medium, high, urgent' }]);
    const meta = { total: 0, limit: 20, has_more: false };
    expect(checkResponse('listProjects', 200, { items: [], meta }, '1.0')).toEqual([]);
    expect(checkResponse('listProjects', 200, { items: [], meta })).toEqual([
      'listProjects 200: body.meta.next_cursor is missing',
    ]);
  });
});

test('the first structural fault of a field precedes its others', () => {
  expect(checkBody('createTeam', { name: 'x', member_ids: ['', 5] })).toEqual([
    { field: 'member_ids', kind: 'structure', issue: 'item 2 must be a string' },
  ]);
  expect(checkBody('createTeam', { name: 'x', member_ids: [5, 6] })).toEqual([
    { field: 'member_ids', kind: 'structure', issue: 'item 1 must be a string' },
  ]);
  expect(checkBody('createTeam', { name: 'x', member_ids: ['', ''] })).toEqual([
    { field: 'member_ids', kind: 'value', issue: 'item 1 must not be empty' },
  ]);
});

test('a response with an error is judged as one from 400 on', () => {
  const error = { error: { code: 'a', message: 'b' } };
  expect(checkResponse('getMe', 400, error)).toEqual([]);
  expect(checkResponse('getMe', 399, error)).toEqual(['getMe 399: body.data is missing']);
  expect(checkResponse('deleteTask', 404, undefined)).toEqual(['deleteTask 404: body must be an object']);
  expect(checkResponse('createWebhook', 201, null)).toEqual(['createWebhook 201: body must be an object']);
  expect(checkResponse('createWebhook', 201, 'x')).toEqual(['createWebhook 201: body must be an object']);
  expect(checkResponse('getMe', 200, { secret: 'x' })).toEqual(['getMe 200: body.data is missing']);
});

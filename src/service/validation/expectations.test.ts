// Which form of a schema judges, what is said of bodies and answers, and how long a text is.
import { describe, expect, test } from 'vitest';
import { checkResponse } from '../../test/response-check.ts';
import { codePoints, formats } from './formats.ts';
import { isDateOnly, toUtc } from './times.ts';
import { checkBody, formFor, formName } from './validator.ts';

test.each([
  ['', 0],
  ['a', 1],
  ['é', 1],
  ['😀', 2 - 1],
  ['a😀b😀', 4],
  ['😀😀', 2],
  ['\ud83d', 1],
  ['\ude00', 1],
  ['\ude00\ud83d', 2],
  ['\ud83d\ud83d\ude00', 2],
  ['\ud83da', 2],
  ['a\ude00', 2],
  ['\udbff\udfff', 1],
  ['\udc00\udc00', 2],
  ['\ud7ff\udc00', 2],
  ['\ud800\ue000', 2],
])('%j has %i code points', (text, count) => expect(codePoints(text)).toBe(count));

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

  test('is looked up once', () => {
    const forms: Record<string, string> = { a: 'first' };
    const of = formFor(forms);
    expect(of('a', '1.3')).toBe('first');
    forms.a = 'second';
    expect(of('a', '1.3')).toBe('first');
  });

  test('judges bodies and answers as its release did', () => {
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

test('the first structural fault of a field stands before its others', () => {
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

test('an answer with an error is judged as one from 400 on', () => {
  const error = { error: { code: 'a', message: 'b' } };
  expect(checkResponse('getMe', 400, error)).toEqual([]);
  expect(checkResponse('getMe', 399, error)).toEqual(['getMe 399: body.data is missing']);
  expect(checkResponse('deleteTask', 404, undefined)).toEqual(['deleteTask 404: body must be an object']);
  expect(checkResponse('createWebhook', 201, null)).toEqual(['createWebhook 201: body must be an object']);
  expect(checkResponse('createWebhook', 201, 'x')).toEqual(['createWebhook 201: body must be an object']);
  expect(checkResponse('getMe', 200, { secret: 'x' })).toEqual(['getMe 200: body.data is missing']);
});

test.each([
  ['2025-01-20', true],
  ['2024-02-29', true],
  ['2025-02-29', false],
  ['2025-13-01', false],
  ['2025-1-1', false],
  ['x2025-01-20', false],
  ['2025-01-20x', false],
  ['12025-01-20', false],
  ['+002025-01-20', false],
  ['2025-01-20T09:00:00Z', false],
  ['', false],
])('%j is a date alone: %s', (text, date) => expect(isDateOnly(text)).toBe(date));

test.each([
  ['2025-01-31T09:00:00Z', '2025-01-31T09:00:00.000Z'],
  ['2025-04-30T09:00:00.000Z', '2025-04-30T09:00:00.000Z'],
  ['2025-04-31T09:00:00Z', undefined],
  ['2025-02-28T09:00:00Z', '2025-02-28T09:00:00.000Z'],
  ['2025-02-31T09:00:00Z', undefined],
  ['2025-10-31T19:59:59Z', '2025-10-31T19:59:59.000Z'],
  ['2025-12-19T23:00:00Z', '2025-12-19T23:00:00.000Z'],
  ['2025-12-09T23:00:00Z', '2025-12-09T23:00:00.000Z'],
  ['2025-12-00T23:00:00Z', undefined],
  ['2025-12-32T23:00:00Z', undefined],
  ['2025-01-20T09:00:00.1Z', '2025-01-20T09:00:00.100Z'],
  ['2025-01-20T09:00:00.12Z', '2025-01-20T09:00:00.120Z'],
  ['2025-01-20T09:00:00.1239Z', '2025-01-20T09:00:00.123Z'],
  ['2025-01-20T09:00:59+00:00', '2025-01-20T09:00:59.000Z'],
  ['2025-01-20T09:07Z', '2025-01-20T09:07:00.000Z'],
  ['2025-01-20T00:00:00-23:59', '2025-01-20T23:59:00.000Z'],
  ['2025-01-20T00:00:00+23:59', '2025-01-19T00:01:00.000Z'],
  ['2016-12-31T23:59:60.5Z', '2017-01-01T00:00:00.500Z'],
  ['2016-12-31T22:59:60Z', undefined],
  ['2016-12-31T23:58:60Z', undefined],
  ['2016-12-31T23:59:60+01:00', undefined],
  ['x2025-01-20T09:00:00Z', undefined],
  ['2025-01-20T09:00:00Zx', undefined],
  ['2025-01-20T09:00:00.000Zx', undefined],
  ['x2025-01-20T09:00+01:00', undefined],
  ['2025-01-20T09:00+01:00x', undefined],
  ['2025-01-20T09:00+01:60', undefined],
  ['2025-01-20T29:00:00Z', undefined],
  ['2025-01-20T09:00:61Z', undefined],
  ['2025-01-20T09:00:00', undefined],
  ['+12025-01-20T09:00:00Z', undefined],
])('%j is kept as %s', (text, utc) => expect(toUtc(text)).toBe(utc));

// Which duties the exchanges of a run keep, break or never meet.
import { describe, expect, test } from 'vitest';
import { judgeConduct } from './conduct.ts';
import { adviseOnConduct } from './conduct-advice.ts';
import type { DeliveryNote, ExchangeNote, Note } from './notes.ts';

let at = 0;
const exchange = (request: string, more: Partial<ExchangeNote> = {}): ExchangeNote => {
  const [method = '', path = ''] = request.split(' ');
  const list = /^\/(tasks|projects|teams)(\?|$)/.test(path) && method === 'GET';
  at += 1000;
  return {
    what: 'exchange',
    world: '',
    at,
    ended: at + 10,
    method,
    path,
    operation: list ? (`list${path[1]!.toUpperCase()}${path.slice(2).split('?')[0]}` as ExchangeNote['operation']) : undefined,
    status: 200,
    authorization: 'bearer',
    key: 1,
    ...more,
  };
};
const page = (query: string, next: string | null, ids = ['a', 'b']) =>
  exchange(`GET /tasks${query}`, { next, more: next !== null, ids });

const brokenBy = (...notes: Note[]) => [...new Set(judgeConduct(notes).breaches.map(({ rule }) => rule))];

describe('a client that pages', () => {
  test('keeps its duties when it sends each cursor as it came, and stops', () => {
    const notes = [page('?limit=2', 'c+/&='), page('?limit=2&cursor=c%2B%2F%26%3D', null)];
    const { seen, breaches } = judgeConduct(notes);
    expect(breaches).toEqual([]);
    expect(
      ['cursor', 'first-page', 'last-page', 'cursor-filters', 'limit', 'sort'].map((rule) => seen.has(rule as 'cursor')),
    ).toEqual([true, true, true, true, true, false]);
  });

  test.each([
    ['makes a cursor', [page('', 'c'), page('?cursor=d', null)], ['cursor']],
    ['alters a cursor by not encoding it', [page('', 'c+d'), page('?cursor=c+d', null)], ['cursor']],
    ['takes a cursor to another list', [page('', 'c'), exchange('GET /projects?cursor=c')], ['cursor']],
    ['sends an empty cursor first', [page('?cursor=', 'c')], ['first-page']],
    ['asks beyond the last page', [page('', null), page('?cursor=null', 'c')], ['last-page']],
    ['changes the filter while paging', [page('', 'c'), page('?cursor=c&filter[status]=done', null)], ['cursor-filters']],
    ['pages by offset', [page('?offset=20', 'c')], ['page-and-offset']],
    ['asks for 500 records', [page('?limit=500', 'c')], ['limit']],
    ['filters by a bare name', [page('?status=done', 'c')], ['filters']],
    ['filters by what the list lacks', [exchange('GET /projects?filter[status]=done')], ['filters']],
    ['sorts by a name with a colon', [page('?sort=title:asc', 'c')], ['sort']],
  ] as const)('breaks a duty when it %s', (_, notes, rules) => expect(brokenBy(...notes)).toEqual(rules));
});

describe('a client that sends', () => {
  const post = (body: unknown, more: Partial<ExchangeNote> = {}) =>
    exchange('POST /projects/proj_1/tasks', {
      operation: 'createTask',
      body,
      contentType: 'application/json',
      status: 201,
      ...more,
    });

  test.each([
    ['a body as text', [post({ title: 'a' }, { contentType: 'text/plain' })], ['content-type']],
    ['its key in the query', [exchange('GET /tasks?api_key=k')], ['bearer']],
    ['its key without Bearer', [exchange('GET /tasks', { authorization: 'other' })], ['bearer']],
    ['a team as assignee', [post({ title: 'a', assignee_id: 'team_1' })], ['assignee']],
    ['fields that the operation does not take', [post({ title: 'a', id: 'task_1' })], ['body-fields']],
    [
      'a refused key again and again',
      Array.from({ length: 3 }, () => exchange('GET /users/me', { status: 401 })),
      ['revoked-key'],
    ],
    ['a body as it should', [post({ title: 'a', assignee_id: 'user_1' })], []],
  ] as const)('%s', (_, notes, rules) => expect(brokenBy(...notes)).toEqual(rules));

  test('three requests at once with a refused key could not know', () => {
    const together = Array.from({ length: 3 }, () => exchange('GET /users/me', { status: 401, at: 5, ended: 20 }));
    expect(brokenBy(...together)).toEqual([]);
  });
});

describe('a client that gets 429', () => {
  const refusedAt = (...times: number[]) =>
    times.map((time) => exchange('GET /tasks', { status: 429, at: time, ended: time + 1, resetsIn: 1000 - time }));
  const fine = (time: number) => exchange('GET /tasks', { at: time, ended: time + 1 });

  test.each([
    ['waits for the reset', [...refusedAt(0), fine(1010)], []],
    ['backs off', [...refusedAt(0, 101, 310), fine(1005)], []],
    ['hammers', [...refusedAt(0, 5, 10, 15), fine(1005)], ['rate-limit']],
    ['tries at an even pace', [...refusedAt(0, 200, 400, 600, 800), fine(1005)], ['rate-limit']],
  ] as const)('%s', (_, notes, rules) => expect(brokenBy(...notes)).toEqual(rules));

  test('is judged by no window that a frozen clock never resets', () => {
    const notes = [0, 1, 2, 3, 4].map((time) => exchange('GET /tasks', { status: 429, at: time, ended: time }));
    expect(brokenBy(...notes)).toEqual([]);
  });
});

describe('a receiver', () => {
  const delivery = (more: Partial<DeliveryNote>): DeliveryNote => {
    const usual = { at: 0, ended: 5, url: 'http://a.test', event: 'task.created', id: 'evt_1', status: 204 };
    return { what: 'delivery', ...usual, timedOut: false, again: false, old: false, ...more };
  };

  test.each([
    ['acknowledges', [delivery({})], []],
    ['refuses an event that came before', [delivery({}), delivery({ again: true, status: 409 })], ['acknowledge']],
    [
      'refuses an event that it does not know',
      [delivery({}), delivery({ event: 'task.moved', status: 400 })],
      ['unknown-events'],
    ],
    ['refuses an old event', [delivery({ old: true, status: 400 })], ['old-events']],
    ['redirects', [delivery({ status: 303 })], ['acknowledge']],
    ['is down', [delivery({ status: 500 })], []],
    ['is late', [delivery({ status: 0, timedOut: true })], ['acknowledge-in-time']],
    [
      'waits out a 429 of its own first',
      [delivery({ at: 0, ended: 900 }), exchange('GET /tasks', { status: 429, at: 10, ended: 20 })],
      ['acknowledge-in-time'],
    ],
  ] as const)('is judged when it %s', (_, notes, rules) => expect(brokenBy(...notes)).toEqual(rules));
});

describe('advice', () => {
  const advised = (...notes: Note[]) => [...new Set(adviseOnConduct(notes).breaches.map(({ rule }) => rule))];
  const reads = (path: (i: number) => string, more: Partial<ExchangeNote> = {}) =>
    Array.from({ length: 10 }, (_, i) => exchange(`GET ${path(i)}`, { at: i, ended: i, ...more }));

  test.each([
    ['a first page alone', [page('', 'c')], ['first-page-only']],
    ['a total alone', [page('?limit=1', 'c', ['a'])], []],
    ['all pages', [page('', 'c'), page('?cursor=c', null)], []],
    ['records one by one', reads((i) => `/tasks/task_${i}`, { operation: 'getTask' }), ['one-by-one']],
    ['the same again and again', reads(() => '/users/me', { operation: 'getMe' }), ['polling']],
    [
      'a POST repeated after 503',
      [exchange('POST /projects', { status: 503 }), exchange('POST /projects', { status: 201 })],
      ['blind-repeat'],
    ],
    ['an unknown parameter', [exchange('GET /tasks?_=1')], ['unknown-query']],
  ] as const)('on %s', (_, notes, rules) => expect(advised(...notes)).toEqual(rules));
});

// Claims: what a script holds against the responses and deliveries that it receives.
import { expect, test } from 'vitest';
import type { Claim } from '../engine/claims.ts';
import { hold, type Received } from '../report/hold.ts';

const response = (status: number, body: unknown, was = status) => ({
  status,
  was,
  headers: { date: 'Mon, 07 Jan 2030 09:00:00 GMT' },
  body,
  text: JSON.stringify(body),
});
const RECEIVED: Received = {
  calls: {
    1: response(201, { data: { id: 'task_here', title: 'run-b one', updated_at: '2030-01-07T09:00:00Z' } }),
    2: response(200, {
      items: [
        { id: 'task_here', rank: 'b' },
        { id: 'task_x', rank: 'a' },
      ],
      meta: { total: 2, has_more: false },
    }),
    3: response(422, { error: {} }, 201),
    4: response(200, { data: { updated_at: '2030-01-07T09:00:01Z' } }),
  },
  deliveries: [
    { to: 'all', method: 'POST', headers: {}, body: { id: 'e1', event: 'task.created', data: { task: { id: 'task_here' } } } },
  ],
  renamed: [
    ['task_then', 'task_here'],
    ['run-a', 'run-b', true],
  ],
};

const rows: readonly (readonly [says: string, code: 0 | 1 | 2, claim: Claim])[] = [
  ['a text with the name of the run', 0, { call: 1, at: ['body', 'data', 'title'], op: 'equals', value: 'run-a one' }],
  ['another text', 1, { call: 1, at: ['body', 'data', 'title'], op: 'equals', value: 'run-a two' }],
  ['an id of the run', 0, { call: 2, at: ['body', 'items', '*', 'id'], op: 'has', value: 'task_then' }],
  ['an id that may not come', 1, { call: 2, at: ['body', 'items', '*', 'id'], op: 'lacks', value: 'task_then' }],
  ['a member of one row', 0, { call: 2, at: ['body', 'items', { id: 'task_then' }, 'rank'], op: 'equals', value: 'b' }],
  ['a row of another page', 2, { call: 2, at: ['body', 'items', { id: 'task_gone' }, 'rank'], op: 'equals', value: 'b' }],
  ['an order', 1, { call: 2, at: ['body', 'items', '*', 'rank'], op: 'ascending' }],
  ['the other order', 0, { call: 2, at: ['body', 'items', '*', 'rank'], op: 'descending' }],
  [
    'a count',
    0,
    { call: 2, at: ['body', 'meta', 'total'], op: 'equals', than: { call: 2, at: ['body', 'items', '*'], count: true } },
  ],
  [
    'what may hold instead',
    0,
    {
      call: 2,
      at: ['body', 'items', '*'],
      op: 'count',
      value: 5,
      or: { call: 2, at: ['body', 'meta', 'has_more'], op: 'equals', value: false },
    },
  ],
  [
    'a later time',
    0,
    { call: 4, at: ['body', 'data', 'updated_at'], op: 'more', than: { call: 1, at: ['body', 'data', 'updated_at'] } },
  ],
  [
    'a time that is not later',
    1,
    { call: 1, at: ['body', 'data', 'updated_at'], op: 'more', than: { call: 4, at: ['body', 'data', 'updated_at'] } },
  ],
  [
    'about the time of the response',
    0,
    { call: 1, at: ['body', 'data', 'updated_at'], op: 'near', than: { call: 1, at: ['header', 'date'] } },
  ],
  ['a type', 1, { call: 2, at: ['body', 'meta', 'total'], op: 'type', value: ['text', 'missing'] }],
  ['a status', 0, { call: 3, at: ['status'], op: 'in', value: [400, 422] }],
  ['a body of a response that was refused', 2, { call: 3, at: ['body', 'data'], op: 'present' }],
  ['a refusal that owes nothing', 0, { call: 3, at: ['body', 'data'], op: 'present', unless: [422] }],
  ['a call that was not made', 2, { call: 9, at: ['status'], op: 'in', value: [200] }],
  [
    'a delivery that came',
    0,
    { deliveries: { to: 'all', event: 'task.created', about: 'task_then' }, at: [], op: 'least', value: 1 },
  ],
  ['a delivery that did not', 1, { deliveries: { event: 'task.deleted' }, at: [], op: 'least', value: 1 }],
  ['a member of none', 2, { deliveries: { event: 'task.deleted' }, at: ['body', 'id'], op: 'type', value: ['text'] }],
];

test.each(rows)('%s: %i', (_, code, claim) => {
  expect(hold([claim], RECEIVED)).toMatchObject({ code });
});

test('one broken claim is enough, and no claim tells nothing', () => {
  const [[, , good], [, , bad]] = rows as [(typeof rows)[number], (typeof rows)[number]];
  expect([hold([good, bad], RECEIVED).code, hold([], RECEIVED).code]).toEqual([1, 2]);
});

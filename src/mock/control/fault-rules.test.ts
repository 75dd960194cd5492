// Rules of a fault's order, each by its field and its message, and orders that break none.
import { expect, test } from 'vitest';
import { faultIssues } from './fault-rules.ts';

const issuesOf = (order: object): string[] => faultIssues(order as never).map(({ field, issue }) => `${field} ${issue}`);
const NAME = 'has a name that no header can have: use letters, digits and dashes';
const LATIN = 'must be of printable Latin characters, without line breaks';

test.each([
  [{ headers: { ' x': 'a' } }, `headers. x ${NAME}`],
  [{ headers: { 'x y': 'a' } }, `headers.x y ${NAME}`],
  [{ headers: { 'x:': 'a' } }, `headers.x: ${NAME}`],
  [{ headers: { Connection: 'a' } }, 'headers.Connection is of the connection: leave it out'],
  [{ headers: { 'Keep-Alive': 'a' } }, 'headers.Keep-Alive is of the connection: leave it out'],
  [{ headers: { 'transfer-encoding': 'a' } }, 'headers.transfer-encoding is of the connection: leave it out'],
  [{ headers: { x: 'a\nb' } }, `headers.x ${LATIN}`],
  [{ headers: { x: '✓' } }, `headers.x ${LATIN}`],
  [{ content_type: 'a\r' }, `content_type ${LATIN}`],
  [{ content_type: 'a', headers: { 'Content-Type': 'b' } }, 'content_type says the same as effect.headers: give one of them'],
  [{ retry_after: 1, headers: { 'retry-after': '2' } }, 'retry_after says the same as effect.headers: give one of them'],
  [{ delay_ms: { min: 2, max: 1 } }, 'delay_ms must have a min that is not above its max'],
  [{ latency: { p50_ms: 2, p99_ms: 1 } }, 'latency must have a p50_ms that is not above its p99_ms'],
  [{ latency: { p50_ms: 1, p99_ms: 2 }, delay_ms: 1 }, 'latency says the same as effect.delay_ms: give one of them'],
  [{ abort: true, status: 500 }, 'abort leaves no response: give it without status and body'],
  [{ abort: true, body: 'empty' }, 'abort leaves no response: give it without status and body'],
  [{ abort: true, headers: {} }, 'headers is part of a response, and abort leaves none'],
  [{ abort: true, content_type: 'a' }, 'content_type is part of a response, and abort leaves none'],
  [{ abort: true, retry_after: 1 }, 'retry_after is part of a response, and abort leaves none'],
  [{ error: {} }, 'error needs effect.status: an error replaces the response'],
  [{ raw: '' }, 'raw needs effect.status: it replaces the response'],
  [{ status: 500, raw: '', error: {} }, 'raw is the whole body, effect.error included: give one of them'],
  [{ status: 399 }, 'status must be at least 400 unless effect.raw gives the body, got 399'],
  [{ status: 205, raw: 'a' }, 'raw must be "": a 205 has no body'],
])('the effect %j is refused, and nothing else of it', (effect, says) => {
  expect(issuesOf({ effect })).toEqual([`effect.${says}`]);
});

test('two headers that differ in case alone are both reported', () => {
  const headers = { 'X-A': 'a', 'x-a': 'b' };
  expect(issuesOf({ effect: { headers } })).toEqual(
    Object.keys(headers).map((name) => `effect.headers.${name} must be given once`),
  );
});

test.each([
  [{ method: 'GET', operation: 'createTask' }, ['match.method is not that of createTask']],
  [{ operation: 'listTasks', body: {} }, ['match.body never fits: listTasks takes no body']],
  [{ method: 'GET', body: {} }, ['match.body never fits: GET has no body here']],
  [{ method: 'DELETE', body: {} }, ['match.body never fits: DELETE has no body here']],
  [{ header: { 'a b': 'c' } }, [`match.header.a b ${NAME}`]],
  [{ header: { AUTHORIZATION: 'c' } }, ['match.header.AUTHORIZATION is a secret: give match.key']],
  [
    { event: '*', when: () => true, path: '/tasks' },
    ['match.path', 'match.when', 'effect.status'].map((field) => `${field} is of requests: give it without match.event`),
  ],
])('%j is never met', (match, says) => {
  expect(issuesOf({ match, effect: { status: 500 } })).toEqual(says);
});

test('an effect on events needs one', () => {
  expect(issuesOf({ effect: { duplicate: true } })).toEqual(['effect.duplicate is of events: name one in match.event']);
  expect(issuesOf({ match: { event: '*' }, effect: { duplicate: true } })).toEqual([]);
});

test.each([
  [{}, { headers: { "x-!#$%&'*+.^_`|~9": '\tÿ', y: null }, content_type: 'text/plain', retry_after: 0 }],
  [{}, { headers: { 'x-retry-after': '1' }, delay_ms: { min: 1, max: 1 } }],
  [{}, { latency: { p50_ms: 1, p99_ms: 1 }, status: 400 }],
  [{}, { status: 200, raw: 'a' }],
  [{}, { status: 204, raw: '' }],
  [{}, { abort: true }],
  [{}, { status: 500, error: { code: 'a' }, body: 'empty' }],
  [{ method: 'POST', operation: 'createTask', body: {} }, { status: 500 }],
  [{ operation: 'createTask', body: {} }, { status: 500 }],
  [{ method: 'GET', header: { 'user-agent': 'a' } }, { status: 500 }],
])('%j with %j makes sense', (match, effect) => {
  expect(issuesOf({ match, effect })).toEqual([]);
});

// Faults that take two things at once: this filter on that list, this field in that request, this status of that operation.
import { laboratory } from '../laboratory.ts';
import { type Mutant, mutant } from '../mutant.ts';
import { after, both, is, isList, type Loose, ok, type Seen, type Wrap } from '../wrap.ts';
import type { Keys } from './access.ts';

const factor = (id: string, clauses: string, wrap: Wrap): Mutant => mutant(undefined, id, clauses, wrap);
const filtered = (call: Seen) => [...call.query.keys()].some((name) => name.startsWith('filter'));
const crash = (test: (call: Seen) => boolean): Wrap =>
  after(test, (a) => {
    a.status = 500;
    a.json = { error: { code: 'internal_error', message: 'Oops.' } };
  });
const bare = (status: number): Wrap =>
  after(
    (_call, answer) => answer.status === status,
    (a) => {
      for (const name of ['limit', 'remaining', 'reset']) delete a.headers[`x-ratelimit-${name}`];
    },
  );
const refusedFor = (keys: Keys, call: string): Wrap =>
  after(
    both(is(call), ok, (seen) => seen.key === keys.read),
    (a) => {
      Object.assign(a, { status: 403, json: { error: { code: 'forbidden', message: 'No.' } } });
    },
  );

export const twoFactorMutants = (keys: Keys): readonly Mutant[] => [
  factor('project-list-leaks-with-filter', 'LIST-010', () => async (call, next) => {
    const leaks = is('GET /projects/*/tasks')(call) && call.query.has('filter[status]');
    return next(leaks ? { ...call, path: '/tasks' } : call);
  }),
  factor(
    'no-second-page-with-filter',
    'META-008',
    after(
      both(isList, ok, (call) => filtered(call)),
      (a) => Object.assign(a.json.meta, { has_more: false, next_cursor: null }),
    ),
  ),
  factor('limit-forgotten-on-page-2', 'LIST-003', () => async (call, next) => {
    if (!is('GET /projects/*/tasks')(call) || !call.query.has('cursor')) return next(call);
    const query = new URLSearchParams(call.query);
    query.set('limit', '20');
    const answer = await next({ ...call, query });
    if (answer.status === 200) answer.json.meta.limit = Number(call.query.get('limit'));
    return answer;
  }),
  factor('status-patch-clears-due-date', 'EP-045', () => async (call, next) => {
    const only = is('PATCH /tasks/*')(call) && call.body?.status && Object.keys(call.body).length === 1;
    return next(only ? { ...call, body: { ...call.body, due_date: '2031-12-31T00:00:00Z' } } : call);
  }),
  factor('read-key-refused-on-comments', 'SCOPE-002', refusedFor(keys, 'GET /tasks/*/comments')),
  factor('read-key-refused-on-one-team', 'SCOPE-004', refusedFor(keys, 'GET /teams/*')),
  factor('no-rate-headers-409', 'RATE-029', bare(409)),
  factor('no-rate-headers-403', 'RATE-028', bare(403)),
  factor('unknown-descending-sort-accepted', 'SORT-007', () => async (call, next) => {
    const query = new URLSearchParams(call.query);
    if (query.get('sort') === '-nonsense') query.delete('sort');
    return next({ ...call, query });
  }),
  factor(
    'limit-0-crashes',
    'ERR-014',
    crash((call) => call.query.get('limit') === '0'),
  ),
  factor(
    'altered-cursor-crashes',
    'ERR-014',
    crash((call) => (call.query.get('cursor') ?? '').startsWith('wmct')),
  ),
  factor(
    'emoji-crash',
    'ERR-014',
    crash((call) => String(call.body?.title ?? '').includes('😀')),
  ),
  factor(
    'encoded-filter-on-second-page',
    'LIST-008',
    laboratory({ filters: (filters, later) => (later && filters.length > 1 ? filters.slice(1) : filters) }),
  ),
  factor(
    'total-wrong-with-two-filters',
    'META-012',
    laboratory({ meta: (meta: Loose, page) => (meta.total += page.filters.length > 1 ? 1 : 0) }),
  ),
  factor(
    'duplicate-on-page-2-when-sorted',
    'SORT-008 LIST-007 LIST-006',
    laboratory({
      order: (rows, { later, sort }) => (later && sort ? [...rows.slice(1), rows[0]] : rows),
    }),
  ),
];

// Faults of the rate limit itself, and of what releases took away.
import { MINUTE } from '../../judge/reference/service/access.ts';
import { around, clause, type Fault, isOn } from './fault.ts';
import { left, reset } from './quota-tools.ts';

const window = clause(309, 'Limits apply per workspace, per rolling one-minute window', { needs: 'quota' });
const exceeded = clause(
  301,
  '| rate_limit_exceeded | 429 | more requests in the current one-minute window than the plan allows |',
  { needs: 'quota' },
);
const status = clause(290, '| 429 | rate limit exceeded |', { needs: 'quota' });
const enforced: Fault[] = [
  exceeded('quota-never-enforced', 'no request is ever refused', (s) => {
    around(s, 'isOver', () => false);
    left(s, (value) => Math.max(0, value));
  }),
  exceeded('quota-one-more', 'one request more than the plan allows is served', (s) => {
    around(s, 'isOver', (_was, call) => s.counted(s.bucketOf(call)).length > s.quotaOf(call));
    left(s, (value) => Math.max(0, value));
  }),
  exceeded('quota-one-less', 'the last request that the plan allows is refused', (s) =>
    around(s, 'isOver', (_was, call) => s.counted(s.bucketOf(call)).length >= s.quotaOf(call) - 1),
  ),
  exceeded('quota-half', 'half of what the plan allows is refused', (s) =>
    around(s, 'isOver', (_was, call) => s.counted(s.bucketOf(call)).length >= s.quotaOf(call) / 2),
  ),
  exceeded('quota-not-for-reads', 'reads are never refused', (s) => {
    around(s, 'isOver', (was, call) => call.method !== 'GET' && was(call));
    left(s, (value) => Math.max(0, value));
  }),
  exceeded('quota-not-for-admin', 'admin keys are never refused', (s) => {
    around(s, 'isOver', (was, call) => call.key?.scope !== 'admin' && was(call));
    left(s, (value) => Math.max(0, value));
  }),
  exceeded('quota-code', 'the code of a 429 is too_many_requests', (s) =>
    around(s, 'tooMany', (was, call) => Object.assign(was(call), { code: 'too_many_requests' })),
  ),
  exceeded('quota-code-short', 'the code of a 429 is rate_limited', (s) =>
    around(s, 'tooMany', (was, call) => Object.assign(was(call), { code: 'rate_limited' })),
  ),
  status('quota-503', 'requests over the limit get 503', (s) =>
    around(s, 'tooMany', (was, call) => Object.assign(was(call), { status: 503 })),
  ),
  status('quota-403', 'requests over the limit get 403', (s) =>
    around(s, 'tooMany', (was, call) => Object.assign(was(call), { status: 403 })),
  ),
  status('quota-420-for-writes', 'writes over the limit get 420', (s) =>
    around(s, 'tooMany', (was, call) => Object.assign(was(call), call.method === 'GET' ? {} : { status: 420 })),
  ),
  status('quota-performs', 'a write that gets 429 is performed all the same', (s) => {
    around(s, 'charge', (was, call) => {
      try {
        was(call);
      } catch (error) {
        const { operation, ids } = s.route(call);
        if (call.method !== 'GET') s.perform(Object.assign(call, { operation, ids }), operation);
        throw error;
      }
    });
  }),
  window('quota-per-key', 'each key has a budget of its own', (s) =>
    around(s, 'bucketOf', (_was, call) => call.key?.value ?? 'nobody'),
  ),
  window('quota-per-user-role', 'reads and writes have budgets of their own', (s) =>
    around(s, 'bucketOf', (was, call) => `${was(call)}/${call.method === 'GET'}`),
  ),
  window('quota-per-route', 'each path has a budget of its own', (s) =>
    around(s, 'bucketOf', (was, call) => `${was(call)}${call.path}`),
  ),
  clause(309, 'Limits apply per workspace', { needs: 'second workspace' })(
    'quota-of-all',
    'all workspaces share one budget',
    (s) => around(s, 'bucketOf', () => 'all'),
  ),
  window('quota-window-two-minutes', 'the window is two minutes long', (s) => {
    around(s, 'counted', (_was, bucket) => {
      const alive = (s.spending.get(bucket) ?? []).filter((at) => at > s.now() - 2 * MINUTE);
      s.spending.set(bucket, alive);
      return alive;
    });
  }),
  window('quota-window-half', 'the window is thirty seconds long and Reset says sixty', (s) => {
    around(s, 'counted', (was, bucket) => {
      const alive = was(bucket).filter((at) => at > s.now() - MINUTE / 2);
      s.spending.set(bucket, alive);
      return alive;
    });
  }),
  window(
    'quota-never-resets',
    'the count never goes back',
    (s) =>
      around(s, 'counted', (_was, bucket) => {
        const all = s.spending.get(bucket) ?? [];
        s.spending.set(bucket, all);
        return all;
      }),
    { style: 'b' },
  ),
  reset(
    'quota-not-full-after-reset',
    'at X-RateLimit-Reset half of the budget is back',
    (s) => {
      around(s, 'counted', (_was, bucket) => {
        const now = s.now();
        const times = s.spending.get(bucket) ?? [];
        const alive = times.filter((at, index) => at > now - MINUTE || (index % 2 === 1 && at > now - 5 * MINUTE));
        s.spending.set(bucket, alive);
        return alive;
      });
    },
    { needs: 'quota', style: 'c' },
  ),
];
const removed = clause(356, '`page` and `offset` removed');
const pages: Fault[] = [
  removed(
    'page-still-works',
    'page leads to that page',
    (s) =>
      around(s, 'cut', (was, rest, query) =>
        was(rest.slice((Math.max(1, Number(query.call.query.get('page')) || 1) - 1) * query.limit), query),
      ),
    { style: 'a' },
  ),
  removed(
    'offset-still-works',
    'offset skips rows',
    (s) => around(s, 'cut', (was, rest, query) => was(rest.slice(Number(query.call.query.get('offset')) || 0), query)),
    { style: 'c' },
  ),
  removed(
    'offset-still-works-for-tasks',
    'offset skips rows of GET /tasks',
    (s) =>
      around(s, 'cut', (was, rest, query) =>
        was(rest.slice(isOn(query.call, 'listTasks') ? Number(query.call.query.get('offset')) || 0 : 0), query),
      ),
    { style: 'a' },
  ),
  removed('page-500', 'page answers 500', (s) => {
    around(s, 'readQuery', (was, call, listing) => {
      if (call.query.has('page')) throw new Error('page is not defined');
      return was(call, listing);
    });
  }),
];

export const faults: readonly Fault[] = [...enforced, ...pages];

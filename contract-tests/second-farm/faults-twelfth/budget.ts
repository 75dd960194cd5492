// Faults of the rate limit and its headers.
import { around, clause, type Fault, without } from '../faults/fault.ts';

const always = clause(318, 'Every response, success or error, carries these headers');
const limit = clause(322, 'maximum requests per minute for the plan');
const left = clause(323, 'requests left in the current window; at 0 further requests get `429`', { needs: 'quota' });
const leftNow = clause(323, 'requests left in the current window; at 0 further requests get `429`');
const reset = clause(324, 'Unix timestamp (UTC) when the window resets');
const workspaces = clause(309, 'Limits apply per workspace, per rolling one-minute window', { needs: 'quota' });
const code = clause(301, '| rate_limit_exceeded | 429 |', { needs: 'quota' });

const NAMES = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];

/** Changes the headers of some answers. */
const headers =
  (
    change: (
      shown: Record<string, string>,
      answer: { status: number },
      call: { method: string; path: string; text: string },
      service: Parameters<Fault['alter']>[0],
    ) => Record<string, string>,
  ): Fault['alter'] =>
  (service) =>
    around(service, 'quotaHeaders', (was, call, answer) => change(was(call, answer), answer, call, service));

export const faults: readonly Fault[] = [
  always(
    'no-headers-on-empty-answers',
    'answers without a body carry no rate limit headers',
    headers((shown, { status }) => (status === 204 ? {} : shown)),
  ),
  always(
    'no-headers-on-broken-json',
    'the error for a body that is not JSON carries no rate limit headers',
    headers((shown, { status }, { text }) => {
      try {
        if (status === 400 && text) JSON.parse(text);
        return shown;
      } catch {
        return {};
      }
    }),
  ),
  always(
    'no-reset-on-lists',
    'lists do not say when the window resets',
    headers((shown, _answer, { path }) => (/s$/.test(path) ? (without(shown, NAMES[2] ?? '') as Record<string, string>) : shown)),
  ),
  always(
    'no-headers-on-429',
    'the gateway that refuses a request leaves the headers out',
    headers((shown, { status }) => (status === 429 ? {} : shown)),
    { needs: 'quota' },
  ),
  limit(
    'limit-of-the-default',
    'X-RateLimit-Limit is 300 whatever the plan',
    headers((shown) => ({ ...shown, 'X-RateLimit-Limit': '300' })),
    { style: 'b' },
  ),
  limit(
    'limit-is-what-is-left',
    'X-RateLimit-Limit goes down with each request',
    headers((shown) => ({ ...shown, 'X-RateLimit-Limit': shown['X-RateLimit-Remaining'] ?? '' })),
  ),
  leftNow('deletions-cost-nothing', 'a deletion is not counted', (service) =>
    around(service, 'charge', (was, call) => (call.method === 'DELETE' ? undefined : was(call))),
  ),
  leftNow(
    'remaining-starts-late',
    'X-RateLimit-Remaining says what was left before the request',
    headers((shown) => ({ ...shown, 'X-RateLimit-Remaining': String(Number(shown['X-RateLimit-Remaining']) + 1) })),
    { needs: 'quota' },
  ),
  leftNow(
    'remaining-back-on-conflict',
    'after a conflict X-RateLimit-Remaining is five more for one answer',
    headers((shown, { status }) =>
      status === 409 ? { ...shown, 'X-RateLimit-Remaining': String(Number(shown['X-RateLimit-Remaining']) + 5) } : shown,
    ),
  ),
  left('refused-one-early', 'a request is refused while one is left', (service) =>
    around(service, 'isOver', (_was, call) => service.counted(service.bucketOf(call)).length >= service.quotaOf(call) - 1),
  ),
  left('allowed-two-late', 'two requests more are served when none is left', (service) => {
    around(service, 'isOver', (_was, call) => service.counted(service.bucketOf(call)).length >= service.quotaOf(call) + 2);
    around(service, 'remaining', (was, call) => Math.max(0, was(call)));
  }),
  left('deletions-after-the-end', 'deletions are served when none is left', (service) =>
    around(service, 'isOver', (was, call) => call.method !== 'DELETE' && was(call)),
  ),
  reset(
    'reset-as-date',
    'X-RateLimit-Reset of an error is an HTTP date',
    headers((shown, { status }, _call, service) =>
      status >= 400 ? { ...shown, 'X-RateLimit-Reset': new Date(service.now() + 60_000).toUTCString() } : shown,
    ),
  ),
  reset(
    'reset-in-seconds-on-204',
    'X-RateLimit-Reset of a deletion is the seconds to wait',
    headers((shown, { status }, _call, service) =>
      status === 204
        ? { ...shown, 'X-RateLimit-Reset': String(Number(shown['X-RateLimit-Reset']) - Math.floor(service.now() / 1000)) }
        : shown,
    ),
  ),
  reset('reset-in-the-past', 'X-RateLimit-Reset is when the window began', (service) =>
    around(service, 'resetAt', (was, call) => was(call) - 60_000),
  ),
  reset('reset-an-hour-ahead', 'X-RateLimit-Reset is an hour ahead, in the time of the machine', (service) =>
    around(service, 'resetAt', (was, call) => was(call) + 3_600_000),
  ),
  reset(
    'count-comes-back-half',
    'after the reset only half of the requests are there again',
    (service) => {
      const spent = new Set<string>();
      around(service, 'isOver', (was, call) => {
        const over = was(call);
        if (over) spent.add(service.bucketOf(call));
        return (
          over ||
          (spent.has(service.bucketOf(call)) && service.counted(service.bucketOf(call)).length >= service.quotaOf(call) / 2)
        );
      });
      around(service, 'remaining', (was, call) =>
        Math.max(0, spent.has(service.bucketOf(call)) ? Math.floor(was(call) - service.quotaOf(call) / 2) : was(call)),
      );
    },
    { needs: 'quota' },
  ),
  workspaces('reads-of-read-keys-free', 'the requests of read keys are not counted', (service) =>
    around(service, 'charge', (was, call) => (call.key?.scope === 'read' ? undefined : was(call))),
  ),
  workspaces(
    'one-budget-for-all',
    'all workspaces spend from one budget',
    (service) => around(service, 'bucketOf', (_was, call) => (call.workspace ? 'all' : 'nobody')),
    { style: 'a' },
  ),
  workspaces('budget-by-method', 'reads and writes have a budget each', (service) =>
    around(service, 'bucketOf', (was, call) => `${was(call)} ${call.method === 'GET' ? 'reads' : 'writes'}`),
  ),
  code('429-code-of-gateway', 'the code of a 429 is too_many_requests', (service) =>
    around(service, 'tooMany', (was, call) => Object.assign(was(call), { code: 'too_many_requests' })),
  ),
  code('429-without-wrapper', 'the body of a 429 is the error without its wrapper', (service) =>
    around(service, 'errorBody', (was, problem) =>
      problem.status === 429 ? (was(problem) as { error: unknown }).error : was(problem),
    ),
  ),
];

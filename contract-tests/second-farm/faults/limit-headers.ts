// Faults of the headers of the rate limit.
import type { Answer, Call } from '../../judge/reference/model.ts';
import { MINUTE } from '../../judge/reference/service/access.ts';
import type { Service } from '../../judge/reference/service/service.ts';
import { around, clause, type Fault, isOn, without } from './fault.ts';
import { left, reset } from './quota-tools.ts';

const every = clause(318, 'Every response, success or error, carries these headers:');
const limit = clause(322, '| X-RateLimit-Limit | maximum requests per minute for the plan |');
const remaining = clause(323, '| X-RateLimit-Remaining | requests left in the current window; at 0 further requests get `429` |');
const NAMES = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];
const headers = (
  service: Service,
  change: (all: Record<string, string>, call: Call, answer: Answer) => Record<string, string>,
): void => around(service, 'quotaHeaders', (was, call, answer) => change(was(call, answer), call, answer));
const bare = (service: Service, when: (answer: Answer, call: Call) => boolean, ...names: string[]): void =>
  headers(service, (all, call, answer) =>
    when(answer, call) ? (without(all, ...(names.length > 0 ? names : NAMES)) as Record<string, string>) : all,
  );
const one = (service: Service, name: string, change: (value: string, call: Call, answer: Answer) => string): void =>
  headers(service, (all, call, answer) => ({ ...all, [name]: change(all[name] ?? '', call, answer) }));
const presence: Fault[] = [
  every('limit-headers-not-on-401', 'a 401 has no rate limit headers', (s) => bare(s, ({ status: at }) => at === 401)),
  every('limit-headers-not-on-403', 'a 403 has no rate limit headers', (s) => bare(s, ({ status: at }) => at === 403)),
  every('limit-headers-not-on-404', 'a 404 has no rate limit headers', (s) => bare(s, ({ status: at }) => at === 404)),
  every('limit-headers-not-on-400', 'a 400 has no rate limit headers', (s) => bare(s, ({ status: at }) => at === 400)),
  every('limit-headers-not-on-422', 'a 422 has no rate limit headers', (s) => bare(s, ({ status: at }) => at === 422), {
    style: 'a',
  }),
  every('limit-headers-not-on-409', 'a 409 has no rate limit headers', (s) => bare(s, ({ status: at }) => at === 409)),
  every('limit-headers-not-on-204', 'a 204 has no rate limit headers', (s) => bare(s, ({ status: at }) => at === 204)),
  every('limit-headers-not-on-201', 'a 201 has no rate limit headers', (s) => bare(s, ({ status: at }) => at === 201)),
  every('limit-headers-not-on-429', 'a 429 has no rate limit headers', (s) => bare(s, ({ status: at }) => at === 429), {
    needs: 'quota',
  }),
  every('limit-headers-not-on-errors', 'errors have no rate limit headers', (s) => bare(s, ({ status: at }) => at >= 400)),
  every('limit-headers-not-on-unknown-routes', 'unknown routes have no rate limit headers', (s) =>
    bare(
      s,
      ({ status: at }, { operation, key }) => at === s.style.undocumentedStatus && key !== undefined && operation === undefined,
    ),
  ),
  every('limit-headers-not-on-profile', 'GET /users/me has no rate limit headers', (s) =>
    bare(s, (_answer, call) => isOn(call, 'readMe')),
  ),
  every('limit-headers-not-on-comments', 'comments have no rate limit headers', (s) =>
    bare(s, (_answer, call) => isOn(call, 'listComments')),
  ),
  every('limit-headers-not-on-webhooks', 'POST /webhooks has no rate limit headers', (s) =>
    bare(s, (_answer, call) => isOn(call, 'createWebhook')),
  ),
  every('limit-headers-not-on-members', 'the member list has no rate limit headers', (s) =>
    bare(s, (_answer, call) => isOn(call, 'listMembers')),
  ),
  every('limit-headers-not-on-patch', 'PATCH has no rate limit headers', (s) =>
    bare(s, (_answer, { method }) => method === 'PATCH'),
  ),
  every('limit-headers-not-on-second-page', 'the second page has no rate limit headers', (s) =>
    bare(s, (_answer, { query }) => query.has('cursor')),
  ),
  every('limit-headers-not-on-malformed', 'a body that is not JSON gets no rate limit headers', (s) => {
    const broken = new WeakSet<Call>();
    around(s, 'malformed', (was, call, message) => {
      broken.add(call);
      return was(call, message);
    });
    bare(s, (_answer, call) => broken.has(call));
  }),
  every('limit-headers-not-for-admin', 'admin keys get no rate limit headers', (s) =>
    bare(s, (_answer, { key }) => key?.scope === 'admin'),
  ),
  every('limit-header-reset-only-on-429', 'X-RateLimit-Reset is on a 429 alone', (s) =>
    bare(s, ({ status: at }) => at !== 429, 'X-RateLimit-Reset'),
  ),
  every('limit-header-limit-missing-on-writes', 'writes have no X-RateLimit-Limit', (s) =>
    bare(s, (_answer, { method }) => method !== 'GET', 'X-RateLimit-Limit'),
  ),
  every('limit-header-remaining-missing-on-401', 'a 401 has no X-RateLimit-Remaining', (s) =>
    bare(s, ({ status: at }) => at === 401, 'X-RateLimit-Remaining'),
  ),
  every('limit-headers-renamed', 'the headers are named RateLimit-*', (s) =>
    headers(s, (all) => Object.fromEntries(Object.entries(all).map(([name, value]) => [name.replace('X-', ''), value]))),
  ),
];
const values: Fault[] = [
  limit('limit-header-in-words', 'X-RateLimit-Limit is 300;w=60', (s) => one(s, 'X-RateLimit-Limit', (value) => `${value};w=60`)),
  limit('limit-header-per-second', 'X-RateLimit-Limit is the number a second', (s) =>
    one(s, 'X-RateLimit-Limit', (value) => String(Math.floor(Number(value) / 60))),
  ),
  limit(
    'limit-header-twice',
    'X-RateLimit-Limit says twice of what is allowed',
    (s) => one(s, 'X-RateLimit-Limit', (value) => String(Number(value) * 2)),
    { needs: 'quota' },
  ),
  limit('limit-header-minus-one', 'X-RateLimit-Limit falls with each request', (s) =>
    one(s, 'X-RateLimit-Limit', (_value, call) => String(s.remaining(call))),
  ),
  limit('limit-header-by-method', 'X-RateLimit-Limit of writes is 100, though they share the budget of reads', (s) =>
    one(s, 'X-RateLimit-Limit', (value, { method }) => (method === 'GET' ? value : '100')),
  ),
  limit('limit-header-zero-on-errors', 'X-RateLimit-Limit is 0 on errors', (s) =>
    one(s, 'X-RateLimit-Limit', (value, _call, { status: at }) => (at >= 400 ? '0' : value)),
  ),
  remaining('remaining-still', 'X-RateLimit-Remaining never falls', (s) => left(s, (_value, call) => s.quotaOf(call))),
  remaining('remaining-fraction', 'X-RateLimit-Remaining is a share of the limit', (s) =>
    one(s, 'X-RateLimit-Remaining', (value, call) => (Number(value) / s.quotaOf(call)).toFixed(3)),
  ),
  remaining('remaining-used', 'X-RateLimit-Remaining counts up', (s) => left(s, (value, call) => s.quotaOf(call) - value)),
  remaining('remaining-above-limit', 'X-RateLimit-Remaining is one above the limit at first', (s) =>
    left(s, (value) => value + 2),
  ),
  remaining(
    'remaining-negative',
    'X-RateLimit-Remaining is negative on a 429',
    (s) => one(s, 'X-RateLimit-Remaining', (value, _call, { status: at }) => (at === 429 ? '-1' : value)),
    { needs: 'quota' },
  ),
  remaining(
    'remaining-full-on-429',
    'X-RateLimit-Remaining is the limit on a 429',
    (s) => one(s, 'X-RateLimit-Remaining', (value, call, { status: at }) => (at === 429 ? String(s.quotaOf(call)) : value)),
    { needs: 'quota' },
  ),
  remaining(
    'remaining-early-zero',
    'X-RateLimit-Remaining reaches 0 ten requests early, and they are served',
    (s) => left(s, (value) => Math.max(0, value - 10)),
    { needs: 'quota' },
  ),
  remaining(
    'remaining-one-at-end',
    'the last request before the 429 says that one is left',
    (s) => left(s, (value) => Math.max(1, value)),
    { needs: 'quota' },
  ),
  remaining('remaining-per-key', 'X-RateLimit-Remaining counts the requests of the key alone', (s) => {
    const own = new Map<string, number[]>();
    around(s, 'charge', (was, call) => {
      was(call);
      const key = call.key?.value ?? '';
      own.set(key, [...(own.get(key) ?? []).filter((at) => at > s.now() - MINUTE), s.now()]);
    });
    left(s, (value, call) =>
      call.key ? s.quotaOf(call) - (own.get(call.key.value) ?? []).filter((at) => at > s.now() - MINUTE).length : value,
    );
  }),
  remaining('remaining-by-tens', 'X-RateLimit-Remaining is rounded down to tens', (s) =>
    left(s, (value) => value - (value % 10)),
  ),
  remaining(
    'remaining-by-two',
    'X-RateLimit-Remaining falls by two with each request',
    (s) => left(s, (value, call) => Math.max(0, s.quotaOf(call) - 2 * (s.quotaOf(call) - value))),
    { needs: 'quota' },
  ),
  remaining('remaining-without-deletes', 'DELETE does not count', (s) => {
    around(s, 'charge', (was, call) => (call.method === 'DELETE' ? undefined : was(call)));
  }),
  remaining('remaining-without-reads', 'reads do not count', (s) => {
    around(s, 'charge', (was, call) => (call.method === 'GET' ? undefined : was(call)));
  }),
  remaining('remaining-without-profile', 'GET /users/me does not count', (s) => {
    around(s, 'charge', (was, call) => (call.path === '/users/me' ? undefined : was(call)));
  }),
  reset('reset-seconds-left', 'X-RateLimit-Reset is the number of seconds to wait', (s) =>
    one(s, 'X-RateLimit-Reset', (value) => String(Number(value) - Math.floor(s.now() / 1000))),
  ),
  reset('reset-milliseconds', 'X-RateLimit-Reset is in milliseconds', (s) =>
    one(s, 'X-RateLimit-Reset', (value) => `${value}000`),
  ),
  reset('reset-text', 'X-RateLimit-Reset is an ISO 8601 text', (s) =>
    one(s, 'X-RateLimit-Reset', (value) => new Date(Number(value) * 1000).toISOString()),
  ),
  reset('reset-http-date', 'X-RateLimit-Reset is an HTTP date on a 401', (s) =>
    one(s, 'X-RateLimit-Reset', (value, _call, { status: at }) =>
      at === 401 ? new Date(Number(value) * 1000).toUTCString() : value,
    ),
  ),
  reset('reset-past', 'X-RateLimit-Reset is the beginning of the window', (s) =>
    around(s, 'resetAt', (was, call) => was(call) - 2 * MINUTE),
  ),
  reset('reset-next-hour', 'X-RateLimit-Reset is an hour ahead', (s) =>
    around(s, 'resetAt', (was, call) => was(call) + 60 * MINUTE),
  ),
  reset('reset-tomorrow', 'X-RateLimit-Reset is the next midnight', (s) =>
    around(s, 'resetAt', (was, call) => (Math.floor(was(call) / 86_400_000) + 1) * 86_400_000),
  ),
  reset('reset-local-time', 'X-RateLimit-Reset is local time of UTC+2', (s) =>
    around(s, 'resetAt', (was, call) => was(call) + 120 * MINUTE),
  ),
  reset('reset-constant', 'X-RateLimit-Reset never changes', (s) => {
    let first: number | undefined;
    around(s, 'resetAt', (was, call) => {
      first ??= was(call);
      return first;
    });
  }),
  reset('reset-zero-on-errors', 'X-RateLimit-Reset is 0 on errors', (s) =>
    one(s, 'X-RateLimit-Reset', (value, _call, { status: at }) => (at >= 400 ? '0' : value)),
  ),
  reset(
    'reset-too-early',
    'at X-RateLimit-Reset the requests of the last half minute still count',
    (s) => around(s, 'resetAt', (was, call) => was(call) - MINUTE / 2),
    { needs: 'quota' },
  ),
];

export const faults: readonly Fault[] = [...presence, ...values];

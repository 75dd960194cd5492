// Faults of the rate limit: its headers and its count.

import type { Answer, Call } from '../../judge/reference/model.ts';
import type { Service } from '../../judge/reference/service/service.ts';
import { around, clause, type Fault, isOn } from '../faults/fault.ts';

const needs = { needs: 'quota' } as const;
const carries = clause(318, 'Every response, success or error, carries these headers:');
const limit = clause(322, '| X-RateLimit-Limit | maximum requests per minute for the plan |');
const remaining = clause(323, '| X-RateLimit-Remaining | requests left in the current window; at 0 further requests get `429` |');
const reset = clause(
  324,
  '| X-RateLimit-Reset | Unix timestamp (UTC) when the window resets and the count returns to the full limit |',
);
const window = clause(309, 'Limits apply per workspace, per rolling one-minute window, and depend on the plan.', needs);
const over = clause(301, 'more requests in the current one-minute window than the plan allows', needs);
const MINUTE = 60_000;

type Headers = Record<string, string>;
const headers = (service: Service, change: (headers: Headers, call: Call, answer: Answer) => Headers): void =>
  around(service, 'quotaHeaders', (was, call, answer) => change(was(call, answer), call, answer));
const lost = (service: Service, when: (call: Call, answer: Answer) => boolean, ...names: string[]): void =>
  headers(service, (all, call, answer) =>
    when(call, answer)
      ? Object.fromEntries(Object.entries(all).filter(([name]) => names.length > 0 && !names.includes(name)))
      : all,
  );
const left = (service: Service, change: (value: number, call: Call) => number | string): void =>
  headers(service, (all, call) => ({
    ...all,
    'X-RateLimit-Remaining': String(change(Number(all['X-RateLimit-Remaining']), call)),
  }));
const resets = (service: Service, change: (seconds: number, call: Call, answer: Answer) => number): void =>
  headers(service, (all, call, answer) => ({
    ...all,
    'X-RateLimit-Reset': String(change(Number(all['X-RateLimit-Reset']), call, answer)),
  }));
/** Serves some requests beyond the budget. */
const spares = (service: Service, when: (call: Call) => boolean): void =>
  around(service, 'isOver', (was, call) => was(call) && !when(call));

const shown: Fault[] = [
  carries('headers-missing-on-task', 'a single task comes without rate limit headers', (s) =>
    lost(s, (call) => isOn(call, 'readTask')),
  ),
  carries('headers-missing-on-empty-lists', 'empty lists come without rate limit headers', (s) =>
    lost(s, (_call, { body }) => (body as { items?: unknown[] } | undefined)?.items?.length === 0),
  ),
  carries(
    'reset-missing-on-429',
    'a 429 has no X-RateLimit-Reset',
    (s) => lost(s, (_call, { status }) => status === 429, 'X-RateLimit-Reset'),
    needs,
  ),
  carries('remaining-missing-on-lists', 'lists have no X-RateLimit-Remaining', (s) =>
    lost(s, ({ operation }) => operation?.startsWith('list') === true, 'X-RateLimit-Remaining'),
  ),
  limit(
    'limit-zero-on-429',
    'X-RateLimit-Limit of a 429 is 0',
    (s) => headers(s, (all, _call, { status }) => (status === 429 ? { ...all, 'X-RateLimit-Limit': '0' } : all)),
    needs,
  ),
  limit('limit-by-scope', 'X-RateLimit-Limit of admin keys is twice that of others, and the budget is the same', (s) =>
    headers(s, (all, call) =>
      call.key?.scope === 'admin' ? { ...all, 'X-RateLimit-Limit': String(2 * Number(all['X-RateLimit-Limit'])) } : all,
    ),
  ),
  remaining('remaining-without-posts', 'POST does not lower X-RateLimit-Remaining', (s) =>
    around(s, 'charge', (was, call) => {
      if (call.method !== 'POST') was(call);
    }),
  ),
  remaining('remaining-unlimited-for-admins', 'X-RateLimit-Remaining of admin keys is "unlimited"', (s) =>
    left(s, (value, call) => (call.key?.scope === 'admin' ? 'unlimited' : value)),
  ),
  reset('reset-two-minutes-ahead', 'X-RateLimit-Reset is a minute later than the window ends', (s) =>
    resets(s, (seconds) => seconds + 60),
  ),
  reset('reset-is-now', 'X-RateLimit-Reset is the present second', (s) => resets(s, () => Math.floor(s.now() / 1000))),
  reset(
    'reset-past-on-429',
    'X-RateLimit-Reset of a 429 lies a minute back',
    (s) => resets(s, (seconds, _call, { status }) => (status === 429 ? seconds - 120 : seconds)),
    needs,
  ),
];

const counted: Fault[] = [
  over('quota-lists-only', 'only lists are refused when the budget is used up', (s) =>
    spares(s, ({ path }) => !/^\/(projects|tasks|teams)$/.test(path)),
  ),
  over('quota-not-for-posts', 'POST is served when the budget is used up', (s) => spares(s, ({ method }) => method === 'POST')),
  over('quota-ten-early', 'the last ten requests that the plan allows are refused', (s) =>
    around(s, 'isOver', (_was, call) => s.counted(s.bucketOf(call)).length >= s.quotaOf(call) - 10),
  ),
  over('quota-five-more', 'five requests more than the plan allows are served', (s) =>
    around(s, 'isOver', (_was, call) => s.counted(s.bucketOf(call)).length >= s.quotaOf(call) + 5),
  ),
  over('quota-cleared-by-429', 'a 429 empties the count, and the next request is served', (s) =>
    around(s, 'tooMany', (was, call) => {
      s.counted(s.bucketOf(call)).length = 0;
      return was(call);
    }),
  ),
  clause(290, '| 429 | rate limit exceeded |', needs)(
    'quota-200-with-error',
    'a request over the limit answers 200 with the error',
    (s) =>
      around(s, 'answer', (was, call) => {
        const answer = was(call);
        return answer.status === 429 ? { ...answer, status: 200 } : answer;
      }),
  ),
  window(
    'quota-of-workspace-for-other',
    'a 429 of one workspace lets the other wait as well, for the rest of the minute',
    (s) => {
      let until = 0;
      around(s, 'tooMany', (was, call) => {
        until = s.now() + MINUTE / 2;
        return was(call);
      });
      around(s, 'isOver', (was, call) => was(call) || s.now() < until);
    },
  ),
  window('quota-back-after-ten-seconds', 'the count is back ten seconds after a request, and Reset says sixty', (s) =>
    around(s, 'counted', (was, bucket) => {
      const times = was(bucket).filter((at) => at > s.now() - 10_000);
      s.spending.set(bucket, times);
      return times;
    }),
  ),
];

export const faults: readonly Fault[] = [...shown, ...counted];

// Faults of the rate limit and of its headers.

import { Problem } from '../../judge/reference/model.ts';
import type { Service } from '../../judge/reference/service/service.ts';
import { around, clause, type Fault } from '../faults/fault.ts';

const workspace = clause(309, 'Limits apply per workspace, per rolling one-minute window, and depend on the plan.');
const every = clause(318, 'Every response, success or error, carries these headers:');
const most = clause(322, '| X-RateLimit-Limit | maximum requests per minute for the plan |', { needs: 'quota' });
const left = clause(323, 'requests left in the current window; at 0 further requests get `429`');
const reset = clause(324, 'Unix timestamp (UTC) when the window resets');
const exceeded = clause(301, '| rate_limit_exceeded | 429 |', { needs: 'quota' });

const headless = (service: Service, when: (status: number, known: boolean) => boolean): void =>
  around(service, 'quotaHeaders', (was, call, answer) =>
    when(answer.status, call.operation !== undefined) ? {} : was(call, answer),
  );

export const faults: readonly Fault[] = [
  workspace('budget-of-each-key', 'each key has a budget of its own', (s) =>
    around(s, 'bucketOf', (was, call) => call.key?.value ?? was(call)),
  ),
  every('no-budget-on-204', 'answers with 204 carry no X-RateLimit headers', (s) => headless(s, (status) => status === 204)),
  every('no-budget-on-unknown-path', 'a path that is not documented is answered without X-RateLimit headers', (s) =>
    headless(s, (status, known) => !known && (status === 404 || status === 405)),
  ),
  every('no-budget-on-429', 'answers with 429 carry no X-RateLimit headers', (s) => headless(s, (status) => status === 429), {
    needs: 'quota',
  }),
  left('budget-before-the-request', 'X-RateLimit-Remaining is what was left before the request', (s) =>
    around(s, 'remaining', (was, call) => Math.min(s.quotaOf(call), was(call) + 1)),
  ),
  reset('reset-in-seconds-from-now', 'X-RateLimit-Reset is the number of seconds until the reset', (s) =>
    around(s, 'quotaHeaders', (was, call, answer) => ({
      ...was(call, answer),
      'X-RateLimit-Reset': String(Math.ceil((s.resetAt(call) - s.now()) / 1000)),
    })),
  ),
  most('budget-smaller-than-said', 'requests get 429 when a tenth of the budget is left', (s) =>
    around(s, 'isOver', (was, call) => was(call) || s.counted(s.bucketOf(call)).length >= s.quotaOf(call) * 0.9),
  ),
  exceeded('over-budget-503', 'requests over the budget get 503', (s) =>
    around(s, 'tooMany', (was, call) => {
      const { code, message } = was(call);
      return new Problem(503, code, message);
    }),
  ),
  exceeded('over-budget-code', 'the code of a 429 is too_many_requests', (s) =>
    around(s, 'tooMany', (was, call) => new Problem(429, 'too_many_requests', was(call).message)),
  ),
];

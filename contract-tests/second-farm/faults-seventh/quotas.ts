// Faults of the rate limit: counters and their headers.

import { Problem } from '../../judge/reference/model.ts';
import { around, clause, without } from '../faults/fault.ts';

const perWorkspace = clause(309, 'Limits apply per workspace');
const left = clause(323, 'requests left in the current window');
const resets = clause(324, 'Unix timestamp (UTC) when the window resets');

export const faults = [
  clause(301, 'rate_limit_exceeded')(
    'code-too-many-requests',
    'a 429 has the code `too_many_requests`',
    (service) =>
      around(service, 'tooMany', (was, call) => {
        const { status, message } = was(call);
        return new Problem(status, 'too_many_requests', message);
      }),
    { needs: 'quota' },
  ),
  perWorkspace(
    'admin-keys-never-limited',
    'an admin key gets no 429',
    (service) => {
      around(service, 'isOver', (was, call) => call.key?.scope !== 'admin' && was(call));
      around(service, 'remaining', (was, call) => Math.max(0, was(call)));
    },
    { needs: 'quota' },
  ),
  clause(318, 'Every response, success or error, carries these headers')(
    'deletions-without-limit-headers',
    'a 204 lacks the headers of the rate limit',
    (service) =>
      around(service, 'quotaHeaders', (was, call, answer) =>
        answer.status === 204
          ? (without(was(call, answer), 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset') as Record<
              string,
              string
            >)
          : was(call, answer),
      ),
  ),
  clause(322, 'maximum requests per minute for the plan')(
    'limit-header-of-the-key',
    'X-RateLimit-Limit is 300 although the plan has 1000',
    (service) => around(service, 'quotaHeaders', (was, call, answer) => ({ ...was(call, answer), 'X-RateLimit-Limit': '300' })),
    { style: 'b' },
  ),
  left('remaining-counted-by-fives', 'X-RateLimit-Remaining moves in steps of five', (service) =>
    around(service, 'remaining', (was, call) => Math.ceil(was(call) / 5) * 5),
  ),
  left('only-reads-counted', 'requests that write do not count', (service) =>
    around(service, 'charge', (was, call) => {
      was(call);
      if (call.method !== 'GET') service.counted(service.bucketOf(call)).pop();
    }),
  ),
  resets('reset-in-local-time', 'X-RateLimit-Reset is an hour ahead', (service) =>
    around(service, 'resetAt', (was, call) => was(call) + 3_600_000),
  ),
];

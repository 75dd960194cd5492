// Faults of the rate limit: who shares it, what it counts, and what the headers say.
import { around, clause, isOn, without } from '../faults/fault.ts';

const headers = clause(318, 'Every response, success or error, carries these headers');
const left = clause(323, 'requests left in the current window');
const reset = clause(324, 'Unix timestamp (UTC) when the window resets');
const shared = clause(309, 'Limits apply per workspace, per rolling one-minute window', { needs: 'quota' });
const MINUTE = 60_000;

export const faults = [
  headers('conflict-without-quota', 'a 409 carries no headers of the rate limit', (service) =>
    around(service, 'quotaHeaders', (was, call, answer) => (answer.status === 409 ? {} : was(call, answer))),
  ),
  headers('revoked-without-reset', 'a refused revoked key gets no `X-RateLimit-Reset`', (service) =>
    around(service, 'quotaHeaders', (was, call, answer) => {
      const all = was(call, answer);
      const revoked = service.db.keys.some(({ value, revoked }) => revoked && value === service.tokenOf(call));
      return revoked ? (without(all, 'X-RateLimit-Reset') as Record<string, string>) : all;
    }),
  ),
  headers('zero-remaining-not-written', 'when nothing is left `X-RateLimit-Remaining` is not written', (service) =>
    around(service, 'quotaHeaders', (was, call, answer) => {
      const all = was(call, answer);
      return all['X-RateLimit-Remaining'] === '0' ? (without(all, 'X-RateLimit-Remaining') as Record<string, string>) : all;
    }),
  ),
  clause(322, 'maximum requests per minute for the plan')(
    'limit-of-first-plan',
    '`X-RateLimit-Limit` of the second workspace is that of the first',
    (service) =>
      around(service, 'quotaHeaders', (was, call, answer) => ({
        ...was(call, answer),
        'X-RateLimit-Limit': String(service.db.workspaces[0]?.perMinute),
      })),
    { needs: 'second workspace', style: 'a' },
  ),
  left('task-changes-not-counted', 'changes of tasks leave `X-RateLimit-Remaining` as it is', (service) =>
    around(service, 'refund', (was, call, answer) => {
      was(call, answer);
      if (isOn(call, 'changeTask') && answer.status < 300) service.counted(service.bucketOf(call)).pop();
    }),
  ),
  left('member-pages-count-twice', 'a request for the members counts for two', (service) =>
    around(service, 'charge', (was, call) => {
      was(call);
      if (call.path === '/workspace/members') service.counted(service.bucketOf(call)).push(service.now());
    }),
  ),
  left('remaining-never-below-one', '`X-RateLimit-Remaining` of an answer that is no error is at least 1', (service) =>
    around(service, 'remaining', (was, call) => (call.operation && was(call) === 0 ? 1 : was(call))),
  ),
  clause(323, 'at 0 further requests get `429`', { needs: 'quota' })(
    'two-more-than-plan',
    'two requests more than the plan allows are served, at a remainder of 0',
    (service) => {
      around(service, 'isOver', (_was, call) => service.counted(service.bucketOf(call)).length >= service.quotaOf(call) + 2);
      around(service, 'remaining', (was, call) => Math.max(0, was(call)));
    },
  ),
  clause(323, 'at 0 further requests get `429`', { needs: 'quota' })(
    'profile-beyond-plan',
    'a request for the profile is served when nothing is left',
    (service) => around(service, 'isOver', (was, call) => call.path !== '/users/me' && was(call)),
  ),
  clause(301, 'rate_limit_exceeded', { needs: 'quota' })(
    'writes-too-many-requests',
    'a 429 for a request with a body has the code `too_many_requests`',
    (service) =>
      around(service, 'tooMany', (was, call) => {
        const problem = was(call);
        return call.method === 'GET' ? problem : Object.assign(problem, { code: 'too_many_requests' });
      }),
  ),
  clause(10, 'Every response body is JSON', { needs: 'quota' })(
    'refused-in-plain-text',
    'a 429 has a body of plain text',
    (service) =>
      around(service, 'write', (was, answer, call) =>
        answer.status === 429 ? { text: 'Too many requests', type: 'text/plain' } : was(answer, call),
      ),
  ),
  reset('reset-in-seconds-when-refused', '`X-RateLimit-Reset` of a 429 is the number of seconds left', (service) =>
    around(service, 'quotaHeaders', (was, call, answer) => {
      const all = was(call, answer);
      const seconds = Math.ceil((service.resetAt(call) - service.now()) / 1000);
      return answer.status === 429 ? { ...all, 'X-RateLimit-Reset': String(seconds) } : all;
    }),
  ),
  shared('admin-keys-of-their-own', 'admin keys have a budget of their own', (service) =>
    around(service, 'bucketOf', (was, call) => (call.key?.scope === 'admin' ? `${was(call)}/admin` : was(call))),
  ),
  shared(
    'window-of-two-minutes',
    'a request counts for two minutes',
    (service) =>
      around(service, 'counted', (_was, bucket) => {
        const alive = (service.spending.get(bucket) ?? []).filter((at) => at > service.now() - 2 * MINUTE);
        service.spending.set(bucket, alive);
        return alive;
      }),
    { style: 'a' },
  ),
];

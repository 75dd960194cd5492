// Faults of the rate limit: gateways and processes that count for themselves.

import { type Answer, type Call, Problem } from '../../judge/reference/model.ts';
import { around, clause, type Fault, isOn, memory, without } from '../faults/fault.ts';

const workspace = clause(309, 'Limits apply per workspace, per rolling one-minute window');
const every = clause(318, 'Every response, success or error, carries these headers:');
const limit = clause(322, '| X-RateLimit-Limit | maximum requests per minute for the plan |');
const left = clause(323, 'requests left in the current window');
const end = clause(323, 'at 0 further requests get `429`', { needs: 'quota' });
const exceeded = clause(290, '| 429 | rate limit exceeded |', { needs: 'quota' });
const NAMES = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];

type Headers = Record<string, string>;

export const faults: readonly Fault[] = [
  end('remaining-one-low', 'one more request is served when Remaining is 0', (s) =>
    around(s, 'remaining', (was, call) => Math.max(0, was(call) - 1)),
  ),
  limit('limit-with-window', 'X-RateLimit-Limit has the window behind the number', (s) =>
    around(s, 'quotaHeaders', (was, call, answer) => {
      const headers = was(call, answer);
      return { ...headers, 'X-RateLimit-Limit': `${headers['X-RateLimit-Limit']};w=60` };
    }),
  ),
  every('no-quota-on-unknown-route', 'a path without a route has no headers of the limit', (s) =>
    around(s, 'quotaHeaders', (was, call, answer) =>
      call.key && call.operation === undefined && answer.status !== 429
        ? (without(was(call, answer), ...NAMES) as Headers)
        : was(call, answer),
    ),
  ),
  every('no-quota-on-deleted-team', 'the 204 of a deleted team has no headers of the limit', (s) =>
    around(s, 'quotaHeaders', (was, call, answer) =>
      isOn(call, 'deleteTeam') && answer.status === 204 ? (without(was(call, answer), ...NAMES) as Headers) : was(call, answer),
    ),
  ),
  workspace('writes-counted-apart', 'reads and writes have a budget each', (s) =>
    around(s, 'bucketOf', (was, call) => `${was(call)}${call.method === 'GET' ? '' : ' writes'}`),
  ),
  left('two-processes-count', 'two processes count every second request each', (s) => {
    const turns = memory<Call, number>();
    let turn = 0;
    around(s, 'bucketOf', (was, call) => {
      if (!turns.has(call)) {
        turn += 1;
        turns.set(call, turn % 2);
      }
      return `${was(call)} ${turns.get(call)}`;
    });
  }),
  left('remaining-kept-3-seconds', 'X-RateLimit-Remaining is kept for three seconds', (s) => {
    const kept = memory<string, { at: number; value: number }>();
    around(s, 'remaining', (was, call) => {
      const name = call.workspace?.id ?? '';
      const known = kept.get(name);
      if (known && s.now() - known.at < 3000) return known.value;
      kept.set(name, { at: s.now(), value: was(call) });
      return was(call);
    });
  }),
  exceeded('refused-posts-503', 'POST beyond the limit gives 503', (s) =>
    around(s, 'charge', (was, call) => {
      if (call.method === 'POST' && s.isOver(call)) throw new Problem(503, 'overloaded', 'The service is overloaded.');
      was(call);
    }),
  ),
  end('refused-post-done-anyway', 'POST beyond the limit gives 429 behind its effect', (s) => {
    const over = new Set<Call>();
    around(s, 'charge', (was, call) => {
      if (call.method === 'POST' && s.isOver(call)) over.add(call);
      else was(call);
    });
    around(s, 'perform', (was, call, operation): Answer => {
      const answer = was(call, operation);
      if (over.has(call)) throw s.tooMany(call);
      return answer;
    });
  }),
];

// Faults of the rate limit and its headers.

import type { Answer, Call } from '../../judge/reference/model.ts';
import { MINUTE } from '../../judge/reference/service/access.ts';
import type { Service } from '../../judge/reference/service/service.ts';
import { around, clause, type Fault, isOn } from '../faults/fault.ts';
import { left, reset } from '../faults/quota-tools.ts';

const needs = { needs: 'quota' } as const;
const every = clause(318, 'Every response, success or error, carries these headers');
const limit = clause(322, '| X-RateLimit-Limit | maximum requests per minute for the plan |');
const remaining = clause(323, 'requests left in the current window; at 0 further requests get `429`');
const window = clause(309, 'Limits apply per workspace, per rolling one-minute window, and depend on the plan.', needs);
const over = clause(301, 'more requests in the current one-minute window than the plan allows', needs);

const headers = (
  service: Service,
  change: (all: Record<string, string>, call: Call, answer: Answer) => Record<string, string>,
): void => around(service, 'quotaHeaders', (was, call, answer) => change(was(call, answer), call, answer));
const header = (service: Service, name: string, change: (value: string, call: Call, answer: Answer) => string): void =>
  headers(service, (all, call, answer) => ({ ...all, [name]: change(all[name] ?? '', call, answer) }));

const shown: Fault[] = [
  limit(
    'limit-with-separator',
    'X-RateLimit-Limit has a comma at the thousands',
    (s) => header(s, 'X-RateLimit-Limit', (value) => Number(value).toLocaleString('en')),
    { style: 'b' },
  ),
  limit('limit-with-fraction', 'X-RateLimit-Limit is written as 300.0', (s) =>
    header(s, 'X-RateLimit-Limit', (value) => `${value}.0`),
  ),
  limit('limit-per-hour-on-writes', 'X-RateLimit-Limit of writes is that of an hour', (s) =>
    header(s, 'X-RateLimit-Limit', (value, call) => (call.method === 'GET' ? value : String(Number(value) * 60))),
  ),
  limit(
    'limit-in-lists-of-free',
    'X-RateLimit-Limit in lists is that of the plan Free',
    (s) =>
      header(s, 'X-RateLimit-Limit', (value, call) =>
        isOn(call, 'listTasks', 'listProjects', 'listTeams', 'listMembers') ? '60' : value,
      ),
    { style: 'a' },
  ),
  remaining('remaining-full-on-validation', 'X-RateLimit-Remaining is the limit on a 400 or 422', (s) =>
    header(s, 'X-RateLimit-Remaining', (value, call, { status }) =>
      status === 400 || status === 422 ? String(s.quotaOf(call)) : value,
    ),
  ),
  remaining('remaining-twice', 'X-RateLimit-Remaining of a creation is set by two layers: "299, 299"', (s) =>
    header(s, 'X-RateLimit-Remaining', (value, _call, { status }) => (status === 201 ? `${value}, ${value}` : value)),
  ),
  remaining('remaining-with-fraction', 'X-RateLimit-Remaining is written as 299.0', (s) =>
    header(s, 'X-RateLimit-Remaining', (value) => `${value}.0`),
  ),
  remaining('remaining-kept-a-while', 'X-RateLimit-Remaining is counted anew every half second', (s) => {
    const held = new Map<string, { at: number; value: number }>();
    left(s, (value, call) => {
      const name = s.bucketOf(call);
      const known = held.get(name);
      if (known && s.now() - known.at < 500) return known.value;
      held.set(name, { at: s.now(), value });
      return value;
    });
  }),
  remaining('remaining-random', 'X-RateLimit-Remaining wavers by some requests from answer to answer', (s) => {
    let count = 0;
    left(s, (value) => {
      count += 7;
      return Math.max(0, value - (count % 5) * 3);
    });
  }),
  remaining('remaining-empty-on-404', 'X-RateLimit-Remaining is 0 on a 404, and the next request is served', (s) =>
    header(s, 'X-RateLimit-Remaining', (value, _call, { status }) => (status === 404 ? '0' : value)),
  ),
  every('headers-missing-in-project-tasks', 'the tasks of a project come without X-RateLimit-Reset', (s) =>
    headers(s, (all, call) => {
      const { 'X-RateLimit-Reset': _, ...rest } = all;
      return isOn(call, 'listProjectTasks') ? rest : all;
    }),
  ),
  every('headers-missing-on-single-team', 'a single team comes without rate limit headers', (s) =>
    headers(s, (all, call) => (isOn(call, 'readTeam') ? {} : all)),
  ),
  every('headers-missing-on-filtered', 'filtered lists come without rate limit headers', (s) =>
    headers(s, (all, call) => ([...call.query.keys()].some((name) => name.startsWith('filter')) ? {} : all)),
  ),
  every('headers-missing-on-revoked', 'a 401 for a revoked key has no rate limit headers', (s) => {
    const gone = new WeakSet<Call>();
    around(s, 'unauthorized', (was, call, why) => {
      if (why === 'revoked') gone.add(call);
      return was(call, why);
    });
    headers(s, (all, call) => (gone.has(call) ? {} : all));
  }),
  reset('reset-in-e-notation', 'X-RateLimit-Reset is written as 1.738577532E9', (s) =>
    header(s, 'X-RateLimit-Reset', (value) => `${(Number(value) / 1e9).toFixed(9)}E9`),
  ),
  reset('reset-with-fraction', 'X-RateLimit-Reset of errors has a fraction', (s) =>
    header(s, 'X-RateLimit-Reset', (value, _call, { status }) => (status >= 400 ? `${value}.25` : value)),
  ),
  reset('reset-cut-to-minute', 'X-RateLimit-Reset is a full minute of the clock in the past', (s) =>
    header(s, 'X-RateLimit-Reset', (value) => String(Number(value) - (Number(value) % 60) - 60)),
  ),
  reset(
    'reset-in-seconds-on-429',
    'X-RateLimit-Reset of a 429 is the number of seconds to wait',
    (s) =>
      header(s, 'X-RateLimit-Reset', (value, _call, { status }) =>
        status === 429 ? String(Number(value) - Math.floor(s.now() / 1000)) : value,
      ),
    needs,
  ),
];

const counting: Fault[] = [
  window('budget-refills', 'the budget refills all the time, as a bucket of tokens, so that a minute has more', (s) => {
    const buckets = new Map<string, { at: number; tokens: number }>();
    const level = (call: Call) => {
      const quota = s.quotaOf(call);
      const held = buckets.get(s.bucketOf(call)) ?? { at: s.now(), tokens: quota };
      const tokens = Math.min(quota, held.tokens + ((s.now() - held.at) * quota) / MINUTE);
      const now = { at: s.now(), tokens };
      buckets.set(s.bucketOf(call), now);
      return now;
    };
    around(s, 'isOver', (_was, call) => {
      const now = level(call);
      if (now.tokens < 1) return true;
      now.tokens -= 1;
      return false;
    });
    left(s, (_value, call) => Math.floor(level(call).tokens));
    around(s, 'resetAt', (_was, call) => s.now() + (1 - level(call).tokens / s.quotaOf(call)) * MINUTE);
  }),
  window('budget-per-instance', 'two instances behind a balancer count by themselves', (s) => {
    let count = 0;
    const instances = new WeakMap<Call, number>();
    around(s, 'bucketOf', (was, call) => {
      if (!instances.has(call)) {
        count += 1;
        instances.set(call, count % 2);
      }
      return `${was(call)} ${instances.get(call)}`;
    });
  }),
  window('budget-emptied-by-delete', 'a DELETE empties the count of all', (s) =>
    around(s, 'charge', (was, call) => {
      if (call.method === 'DELETE') s.spending.clear();
      was(call);
    }),
  ),
  window('budget-doubled-by-second-key', 'the limit that is enforced is once for each key that was seen in the window', (s) => {
    const keys = new Map<string, Set<string>>();
    around(s, 'isOver', (_was, call) => {
      const bucket = s.bucketOf(call);
      const seen = (keys.get(bucket) ?? new Set()).add(call.key?.value ?? '');
      keys.set(bucket, seen);
      return s.counted(bucket).length >= s.quotaOf(call) * seen.size;
    });
    left(s, (value) => Math.max(0, value));
  }),
  over('patch-beyond-budget', 'PATCH and POST are served when the budget is used up', (s) => {
    around(s, 'charge', (was, call) => {
      try {
        was(call);
      } catch (error) {
        if (call.method === 'GET' || call.method === 'DELETE') throw error;
      }
    });
  }),
  over('post-costs-five', 'a POST takes five of the budget', (s) =>
    around(s, 'charge', (was, call) => {
      was(call);
      if (call.method === 'POST') for (let more = 0; more < 4; more += 1) s.counted(s.bucketOf(call)).push(s.now());
    }),
  ),
  over('long-pages-cost-more', 'a page with a limit of 100 takes ten of the budget', (s) =>
    around(s, 'charge', (was, call) => {
      was(call);
      if (call.query.get('limit') === '100') for (let more = 0; more < 9; more += 1) s.counted(s.bucketOf(call)).push(s.now());
    }),
  ),
  clause(324, 'the window resets and the count returns to the full limit', needs)(
    'penalty-of-five-minutes',
    'after a 429 all requests of the workspace get 429 for five minutes',
    (s) => {
      const until = new Map<string, number>();
      around(s, 'charge', (was, call) => {
        if (s.now() < (until.get(s.bucketOf(call)) ?? 0)) throw s.tooMany(call);
        try {
          was(call);
        } catch (error) {
          until.set(s.bucketOf(call), s.now() + 5 * MINUTE);
          throw error;
        }
      });
    },
  ),
  clause(301, '| rate_limit_exceeded | 429 |', needs)(
    'code-of-429-for-writes',
    'the code of a 429 for a write is write_limit_exceeded',
    (s) =>
      around(s, 'tooMany', (was, call) =>
        Object.assign(was(call), call.method === 'GET' ? {} : { code: 'write_limit_exceeded' }),
      ),
  ),
  over('burst-of-fifty', 'more than fifty requests within a second get 429, though the minute has room', (s) => {
    const times: { at: number; bucket: string }[] = [];
    around(s, 'charge', (was, call) => {
      const bucket = s.bucketOf(call);
      const recent = times.filter((each) => each.bucket === bucket && s.now() - each.at < 1000);
      if (recent.length >= 50) throw s.tooMany(call);
      times.push({ at: s.now(), bucket });
      was(call);
    });
  }),
];

export const faults: readonly Fault[] = [...shown, ...counting];

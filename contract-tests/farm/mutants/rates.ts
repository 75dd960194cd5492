// Faults of the rate limit headers, and of answers that are no JSON.
import { operationOf } from '../../engine/operations.ts';
import { type Mutant, mutant } from '../mutant.ts';
import { after, is, type Loose, ok, type Seen, type Wrap } from '../wrap.ts';

const header = (
  name: string,
  change: (old: string, call: Seen) => string | undefined,
  test: (call: Seen, answer: Loose) => boolean = () => true,
): Wrap =>
  after(test, (a, call) => {
    const value = change(a.headers[name] ?? '', call);
    if (value === undefined) delete a.headers[name];
    else a.headers[name] = value;
  });
const bare: Wrap[] = ['limit', 'remaining', 'reset'].map((name) => header(`x-ratelimit-${name}`, () => undefined));
const headerless = (test: (call: Seen, answer: Loose) => boolean): Wrap =>
  after(test, (a) => {
    for (const name of ['limit', 'remaining', 'reset']) delete a.headers[`x-ratelimit-${name}`];
  });

/** A path or a method that is nobody's. */
const strayed = ({ method, path }: Seen) => operationOf(method, path) === undefined;

export const rateMutants: readonly Mutant[] = [
  mutant(139, 'no-rate-headers', 'RATE-001', headerless(ok)),
  mutant(
    140,
    'no-rate-headers-401',
    'RATE-003',
    headerless((_c, a) => a.status === 401),
  ),
  mutant(
    undefined,
    'no-rate-headers-malformed',
    'RATE-003',
    headerless((c, a) => a.status === 401 && (c.authorization?.startsWith('Basic') ?? false)),
  ),
  mutant(
    141,
    'no-rate-headers-404',
    'RATE-004',
    headerless((_c, a) => a.status === 404),
  ),
  mutant(
    undefined,
    'no-rate-headers-unknown-route',
    // It may be a 405, too.
    'RATE-004 RATE-001',
    headerless((c, a) => strayed(c) && a.status !== 401),
  ),
  mutant(
    undefined,
    'unknown-route-in-other-words',
    'ENV-004',
    after(
      (c, a) => strayed(c) && a.status >= 400,
      (a) => {
        a.json = { message: 'Not Found' };
      },
    ),
  ),
  mutant(
    142,
    'no-rate-headers-204',
    'RATE-002',
    headerless((_c, a) => a.status === 204),
  ),
  mutant(
    undefined,
    'no-rate-headers-422',
    'RATE-030',
    headerless((_c, a) => a.status === 422),
  ),
  // What is read of teams is free of charge.
  mutant(undefined, 'teams-cost-nothing', 'RATE-010', () => {
    let free = 0;
    return async (call, next) => {
      const answer = await next(call);
      if (ok(call, answer) && is('GET /teams', 'GET /teams/*')(call)) free++;
      const name = 'x-ratelimit-remaining';
      const limit = Number(answer.headers['x-ratelimit-limit']);
      if (answer.status !== 401) answer.headers[name] = String(Math.min(limit, Number(answer.headers[name]) + free));
      return answer;
    };
  }),
  mutant(
    143,
    'remaining-stays',
    'RATE-010',
    header('x-ratelimit-remaining', () => '50'),
  ),
  mutant(144, 'remaining-per-key', 'RATE-011', perKey(0)),
  mutant(145, 'remaining-across-workspaces', 'RATE-012', () => {
    let used = 0;
    return async (call, next) => {
      const answer = await next(call);
      const limit = Number(answer.headers['x-ratelimit-limit']);
      if (answer.status !== 401) answer.headers['x-ratelimit-remaining'] = String(limit - (++used % limit));
      return answer;
    };
  }),
  mutant(
    146,
    'limit-changes',
    'RATE-013',
    header('x-ratelimit-limit', (old, call) => (call.method === 'PATCH' ? String(Number(old) + 1) : old)),
  ),
  mutant(
    147,
    'reset-is-delta',
    'RATE-008',
    header('x-ratelimit-reset', () => '42'),
  ),
  mutant(
    148,
    'reset-in-ms',
    'RATE-008',
    header('x-ratelimit-reset', (old) => `${old}000`),
  ),
  mutant(
    149,
    'reset-in-the-past',
    'RATE-009',
    header('x-ratelimit-reset', (old) => String(Number(old) - 600)),
  ),
  mutant(
    149,
    'reset-an-hour-ahead',
    'RATE-009',
    header('x-ratelimit-reset', (old) => String(Number(old) + 3600)),
  ),
  mutant(undefined, 'limit-missing', 'RATE-001', bare[0]!),
  mutant(
    undefined,
    'html-for-projects',
    'GEN-001',
    after(is('GET /projects'), (a) =>
      Object.assign(a, a.status === 204 ? {} : { text: '<html>', headers: { ...a.headers, 'content-type': 'text/html' } }),
    ),
  ),
];

function perKey(_start: number): Wrap {
  return () => {
    const used = new Map<string, number>();
    return async (call, next) => {
      const answer = await next(call);
      const count = (used.get(call.key ?? '') ?? 0) + 1;
      used.set(call.key ?? '', count);
      const limit = Number(answer.headers['x-ratelimit-limit']);
      if (answer.status !== 401) answer.headers['x-ratelimit-remaining'] = String(limit - (count % limit));
      return answer;
    };
  };
}

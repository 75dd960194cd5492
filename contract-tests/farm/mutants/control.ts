// Faults that show only with a control API: records of other releases, plans, keys revoked between two requests, people who join.
import { type Mutant, mutant } from '../mutant.ts';
import { after, before, both, good, is, type Loose, ok } from '../wrap.ts';

const inWorld = (call: { base: string }) => call.base.includes('/worlds/');

const controlled = (made: Mutant): Mutant => ({ ...made, control: true });

/** Changes what a registration subscribes to, where it says so properly. */
const registration = (change: (events: string[]) => string[], within = (_call: Loose) => true) =>
  before(
    (call) => is('POST /webhooks')(call) && typeof call.body?.url === 'string' && Array.isArray(call.body.events) && within(call),
    ({ body }) => ({ body: { ...body, events: change(body.events) } }),
  );

export const controlMutants: readonly Mutant[] = [
  mutant(
    31,
    'legacy-priority-null',
    'TASK-033 TASK-046',
    after(good('GET /tasks/task_wmct'), (a) => {
      a.json.data.priority = null;
    }),
  ),
  mutant(
    undefined,
    'legacy-priority-low',
    'TASK-033',
    after(good('GET /tasks/task_wmct'), (a) => {
      a.json.data.priority = 'low';
    }),
  ),
  mutant(37, 'profile-of-the-owner', 'USER-014', () => {
    let first: Loose;
    return async (call, next) => {
      const answer = await next(call);
      if (!good('GET /users/me')(call, answer) || inWorld(call) || call.key === 'farm_other_key') return answer;
      first ??= answer.json;
      return { ...answer, json: first };
    };
  }),
  mutant(111, 'revoked-key-cached', 'AUTH-009', () => {
    const worked = new Set<string | undefined>();
    return async (call, next) => {
      const answer = await next(call);
      if (answer.status < 300) worked.add(call.key);
      if (answer.status !== 401 || call.key === undefined || !worked.has(call.key)) return answer;
      return next({ ...call, authorization: 'Bearer farm_read_key' });
    };
  }),
  mutant(
    146,
    'free-plan-of-100',
    'RATE-014',
    after(
      both(ok, (_c, a) => a.headers['x-ratelimit-limit'] === '60'),
      (a) => {
        a.headers['x-ratelimit-limit'] = '100';
      },
    ),
  ),
  mutant(
    undefined,
    'business-plan-of-1100',
    'RATE-016',
    after(
      both(ok, (_c, a) => a.headers['x-ratelimit-limit'] === '1000'),
      (a) => {
        a.headers['x-ratelimit-limit'] = '1100';
      },
    ),
  ),
  mutant(
    191,
    'member-joined-missing',
    'EVT-008',
    registration((events) => (events.length === 2 ? ['member.invited'] : events), inWorld),
  ),
  mutant(
    191,
    'member-invited-missing',
    'EVT-007',
    registration((events) => (events.length === 2 ? ['member.joined'] : events), inWorld),
  ),
  mutant(
    158,
    'everything-subscribed',
    'EVT-026 HOOK-015',
    registration(
      (events) => [...new Set([...events, 'task.created', 'project.created'])],
      (call) => !inWorld(call),
    ),
  ),
  mutant(
    157,
    'nothing-delivered',
    'EVT-001 HOOK-015',
    registration(
      () => ['member.joined'],
      (call) => !inWorld(call),
    ),
  ),
  mutant(
    161,
    'project-deleted-missing',
    'EVT-006 HOOK-015',
    registration((events) => events.filter((name) => name !== 'project.deleted')),
  ),
  mutant(
    undefined,
    'task-updated-missing',
    'EVT-002 HOOK-015',
    registration((events) => events.filter((name) => name !== 'task.updated')),
  ),
].map(controlled);

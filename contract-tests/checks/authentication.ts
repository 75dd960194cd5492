// Authentication: every operation needs a key, and each malformed header is refused in the same way.
import type { Check } from '../engine/check.ts';
import { metaOf } from '../engine/exchange.ts';
import { OPERATIONS, type Operation } from '../engine/operations.ts';
import type { Tools } from '../engine/tools.ts';
import type { World } from '../engine/world.ts';

const path = (operation: Operation, world: World | undefined, team: string): string =>
  operation.path
    .replace('{project_id}', encodeURIComponent(world?.sideId ?? 'proj_wmct'))
    .replace('{task_id}', encodeURIComponent(String(world?.tasks[0]?.got.id ?? 'task_wmct')))
    .replace('{team_id}', encodeURIComponent(team));

const bodyOf = (operation: Operation, t: Tools): unknown => {
  if (operation.id === 'create_task') return { title: 'wm without key' };
  if (operation.id === 'create_webhook') return { url: 'https://hooks.example.com/wmct', events: ['task.created'] };
  if (operation.method === 'POST') return { name: t.name('without-key') };
  return operation.method === 'PATCH' ? { description: 'without key' } : undefined;
};

const needsKey = (operation: Operation): Check => ({
  id: `authentication/${operation.id}`,
  says: `${operation.method} ${operation.path} without a key is 401`,
  covers: operation.id === 'list_projects' ? [operation.keyRequirement, 'WM-AUTH-001'] : [operation.keyRequirement],
  profile: operation.method === 'GET' ? 'read-only' : 'full',
  notIn: operation.method === 'GET' ? ['core'] : [],
  run: async (t: Tools) => {
    const world = t.main === 'read' ? undefined : ((await t.world().catch(() => undefined)) as World | undefined);
    const x = await t.send(operation.method, path(operation, world, 'team_wmct'), { as: 'nobody', body: bodyOf(operation, t) });
    if (operation.id === 'list_projects') t.must('WM-AUTH-001', x.status === 401, `without a key it is answered ${x.status}`, x);
    t.must(operation.keyRequirement, x.status === 401, `without a key it is answered ${x.status}`, x);
  },
});

const header = (id: string, requirement: string, says: string, value: (t: Tools) => string | undefined): Check => ({
  id: `authentication/${id}`,
  says,
  covers: [requirement],
  profile: 'read-only',
  run: async (t: Tools) => {
    const authorization = value(t);
    const x = await t.send('GET', '/projects?limit=1', {
      as: 'nobody',
      ...(authorization === undefined ? {} : { headers: { authorization } }),
    });
    t.must(requirement, x.status === 401, `${says}, but it is answered ${x.status}`, x);
  },
});

/** The value of the main key; it is cleaned out of every artefact. */
const key = (t: Tools): string => t.parts.keyOf(t.main);

export const authenticationChecks: readonly Check[] = [
  {
    ...header('missing', 'WM-AUTH-001', 'A request without Authorization is 401', () => undefined),
    notIn: ['read-only', 'full', 'certify'],
  },
  header('no-prefix', 'WM-AUTH-002', 'A key without Bearer prefix is 401', key),
  header('basic', 'WM-AUTH-003', 'Another scheme than Bearer is 401', (t) => `Basic ${key(t)}`),
  header('empty', 'WM-AUTH-004', 'Bearer without a key is 401', () => 'Bearer'),
  header('invalid', 'WM-AUTH-005', 'An invalid key is 401', () => 'Bearer wmct-no-such-key'),
  {
    id: 'authentication/revoked',
    says: 'A revoked key is 401',
    covers: ['WM-AUTH-006'],
    needs: ['revoked'],
    profile: 'read-only',
    run: async (t: Tools) => {
      const x = await t.get('/users/me', { as: 'revoked' });
      t.must('WM-AUTH-006', x.status === 401, `a revoked key is answered ${x.status}`, x);
    },
  },
  {
    id: 'authentication/no-effect',
    says: 'A request refused with 401 has no effect',
    covers: ['WM-AUTH-008', 'WM-AUTH-014', 'WM-AUTH-007'],
    profile: 'core',
    run: async (t: Tools) => {
      const { sideId } = await t.world();
      const at = `/projects/${encodeURIComponent(sideId)}/tasks`;
      const before = metaOf(await t.get(`${at}?limit=1`)).total;
      const x = await t.post(at, { title: 'wm intruder' }, { as: 'nobody' });
      if (x.status !== 401) t.need(false, 'WM-AUTH-001');
      const after = await t.get(`${at}?limit=1`);
      t.must('WM-AUTH-008', metaOf(after).total === before, 'a create refused with 401 creates', x, after);
      const challenge = x.headers.get('www-authenticate');
      t.note('WM-AUTH-014', challenge === null ? 'absent' : 'present', x);
      t.observe('www-authenticate', challenge === null ? 'absent' : 'present');
      const limit = x.headers.get('x-ratelimit-limit');
      t.observe('anonymous-limit', limit === '300' ? 'pro' : limit === '60' ? 'free' : (limit ?? undefined));
    },
  },
  ...OPERATIONS.map(needsKey),
];

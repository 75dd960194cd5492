// Who is let in: every operation without a key, with a key in the wrong place or of the wrong form, and with one that was revoked.
import type { Check } from '../engine/check.ts';
import { type Exchange, records } from '../engine/exchange.ts';
import { OPERATIONS, operationsOf } from '../engine/operations.ts';
import type { Tools } from '../engine/tools.ts';
import { call, inOrder, none, victim } from './access.ts';

const keyed = (method: 'GET' | 'write'): Check => {
  const list = OPERATIONS.filter((operation) => (operation.method === 'GET') === (method === 'GET'));
  return {
    id: `authentication/${method === 'GET' ? 'reads' : 'writes'}`,
    says: 'Without a key every operation is 401',
    covers: [...list.map(({ keyRequirement }) => keyRequirement), ...(method === 'GET' ? ['WM-AUTH-001'] : ['WM-AUTH-014'])],
    profile: method === 'GET' ? 'read-only' : 'full',
    ...(method === 'GET' ? { notIn: ['core'] as const } : {}),
    run: async (t: Tools) => {
      const on = t.main === 'read' || !t.within('full') ? none : await victim(t);
      let last: Exchange | undefined;
      for (const [i, operation] of inOrder(list).entries()) {
        if (!operationsOf(t.parts.release).includes(operation)) continue;
        // Right after a request that was let in.
        if (operation.id === 'read_profile') await t.get('/users/me');
        // A key in a header of another name is none.
        const key = t.parts.keyOf(t.main);
        const elsewhere = [
          undefined,
          { 'x-api-key': key },
          undefined,
          { cookie: `token=${key}; api_key=${key}; session=${key}` },
        ];
        last = await call(t, operation, on, 'nobody', elsewhere[i % elsewhere.length]);
        if (operation.id === 'list_projects')
          t.must('WM-AUTH-001', last.status === 401, `without a key it is answered ${last.status}`, last);
      }
      if (last) noteChallenge(t, last);
    },
  };
};

const noteChallenge = (t: Tools, x: Exchange): void => {
  const challenge = x.headers.get('www-authenticate');
  t.note('WM-AUTH-014', challenge === null ? 'absent' : 'present', x);
  t.observe('www-authenticate', challenge === null ? 'absent' : 'present');
  const limit = x.headers.get('x-ratelimit-limit');
  t.observe('anonymous-limit', limit === '300' ? 'pro' : limit === '60' ? 'free' : (limit ?? undefined));
};

/** Headers that are malformed on purpose; the value of the key is cleaned out of every artefact. */
const malformed: readonly (readonly [string, string, (key: string) => string])[] = [
  ['no-prefix', 'WM-AUTH-002', (key) => key],
  ['basic', 'WM-AUTH-003', (key) => `Basic ${key}`],
  ['empty', 'WM-AUTH-004', () => 'Bearer'],
  ['invalid', 'WM-AUTH-005', () => 'Bearer wmct-no-such-key'],
  ['longer', 'WM-AUTH-016', (key) => `Bearer ${key}x`],
  ['shorter', 'WM-AUTH-016', (key) => `Bearer ${key.slice(0, -1)}`],
];

/** Where malformed headers are sent, in turn: one way in may have a lock of its own. */
const DOORS = ['/projects?limit=1', '/users/me', '/tasks?limit=1', '/workspace/members?limit=1'];
/** What is changed or deleted instead, where the run may write: a lock on reading is none on writing. */
const WRITES: Readonly<Record<string, string>> = { invalid: 'update_task', shorter: 'delete_task' };

const header = ([id, requirement, value]: (typeof malformed)[number], i: number): Check => ({
  id: `authentication/${id}`,
  says: 'A malformed header or an invalid key is 401',
  covers: [requirement],
  profile: 'read-only',
  run: async (t: Tools) => {
    const authorization = value(t.parts.keyOf(t.main));
    const write = t.main !== 'read' && t.within('full') ? OPERATIONS.find((one) => one.id === WRITES[id]) : undefined;
    if (write) {
      const x = await call(t, write, await victim(t), 'nobody', { authorization });
      t.must(requirement, x.status === 401, `${write.method} with the header of kind ${id} is answered ${x.status}`, x);
      return;
    }
    const x = await t.send('GET', DOORS[i % DOORS.length]!, { as: 'nobody', headers: { authorization } });
    t.must(requirement, x.status === 401, `a request with the header of kind ${id} is answered ${x.status}`, x);
  },
});

export const authenticationChecks: readonly Check[] = [
  {
    id: 'authentication/missing',
    says: 'A request without Authorization is 401, and has no effect',
    covers: ['WM-AUTH-001', 'WM-AUTH-008', 'WM-AUTH-014', 'WM-AUTH-007'],
    profile: 'core',
    notIn: ['full'],
    run: async (t: Tools) => {
      const { sideId } = await t.world();
      const at = `/projects/${encodeURIComponent(sideId)}/tasks`;
      const x = await t.post(at, { title: t.name('intruder') }, { as: 'nobody' });
      t.must('WM-AUTH-001', x.status === 401, `without a key it is answered ${x.status}`, x);
      const after = await t.get(`${at}?limit=100`);
      const made = records(after).some((item) => item.title === t.name('intruder'));
      t.must('WM-AUTH-008', !made, 'a create refused with 401 creates', x, after);
      noteChallenge(t, x);
    },
  },
  keyed('GET'),
  ...malformed.map(header),
  {
    id: 'authentication/revoked',
    says: 'A revoked key is 401, for reads and for writes',
    covers: ['WM-AUTH-006', 'WM-AUTH-018'],
    needs: ['revoked'],
    profile: 'read-only',
    run: async (t: Tools) => {
      await t.get('/users/me', { as: 'revoked' });
      if (!t.within('full') || t.main === 'read') return;
      const { project, task } = await victim(t);
      await t.post(`/projects/${encodeURIComponent(project)}/tasks`, { title: t.name('revoked') }, { as: 'revoked' });
      await t.delete(`/tasks/${encodeURIComponent(task)}`, { as: 'revoked' });
    },
  },
  keyed('write'),
];

// Operators on keys, scopes and workspaces: who may do what, and who sees what.
import { OPERATIONS } from '../../engine/operations.ts';
import type { Loose } from './answer.ts';
import { as, type Call, changed, get, isOp, keyOf } from './call.ts';
import { type Extra, type OperatorMutant, operator } from './operator.ts';
import { LISTS, WRITES } from './tables.ts';
import { admin, blank, effectOf, type Lab, type Layer, refuse } from './tamper.ts';

const extra = (op: string): Extra => (op === 'create_webhook' ? { allow: ['webhooks'] } : {});
const EVERY = OPERATIONS.map(({ id }) => id);

/** Ways in which a key is no key. */
const KEYLESS: Readonly<Record<string, (call: Call, lab: Lab) => boolean>> = {
  missing: ({ authorization }) => authorization === undefined,
  malformed: (call) => call.authorization !== undefined && keyOf(call) === undefined,
  revoked: (call, lab) => keyOf(call) === lab.keys.revoked,
  unknown: (call, lab) => keyOf(call) !== undefined && !Object.values(lab.keys).includes(keyOf(call)!),
};

/** Does as an administrator what was refused with that status; answers so, or keeps the refusal. */
const doneAll =
  (op: string, status: number, test: (call: Call, lab: Lab) => boolean, told: boolean) =>
  (lab: Lab): Layer =>
  async (call, next) => {
    const answer = await next(call);
    if (!isOp(op)(call) || answer.status !== status || !call.home || !test(call, lab)) return answer;
    const { answer: done, effect } = await effectOf(admin(lab, call), next);
    // A registration shows by what its receiver gets.
    const seen = op !== 'create_webhook' || /^http:\/\/127\.0\.0\.1:|hooks\.reference/.test(call.body?.url);
    lab.hit(told ? done.ok : effect && seen);
    return told && done.ok ? done : answer;
  };

const keys: readonly OperatorMutant[] = EVERY.flatMap((op) =>
  Object.entries(KEYLESS).flatMap(([name, test]) => [
    operator('key-accepted', 'authentication')(`${op}, ${name}`, doneAll(op, 401, test, true), extra(op)),
    ...[403, 404].map((status) =>
      operator('key-status', 'authentication')(
        `${op}, ${name} as ${status}`,
        (lab) => async (call, next) => {
          const answer = await next(call);
          if (!isOp(op)(call) || answer.status !== 401 || !test(call, lab) || !call.home) return answer;
          // An id that nobody has may be found missing before the key is looked at.
          if (status === 404 && call.id !== undefined && !(await next(admin(lab, get(call, exists(call))))).ok) return answer;
          lab.hit();
          return refuse(answer, status);
        },
        extra(op),
      ),
    ),
    ...(WRITES.some(({ id }) => id === op)
      ? [operator('key-refused-and-done', 'refused requests')(`${op}, ${name}`, doneAll(op, 401, test, false), extra(op))]
      : []),
  ]),
);

const exists = ({ path }: Call): string => path.split('/').slice(0, 3).join('/');

const NON_ADMINISTRATIVE = /^(create|update|delete)_(project|task)$/;
const denied = (role: 'admin' | 'write' | 'read', op: string): OperatorMutant =>
  operator('scope-denied', 'scopes')(
    `${role} ${op}`,
    (lab) => async (call, next) => {
      if (!isOp(op)(call) || keyOf(call) !== lab.keys[role]) return next(call);
      lab.hit();
      return refuse(await blank(lab, call, next), 403);
    },
    extra(op),
  );

const isRead = (call: Call, lab: Lab): boolean => keyOf(call) === lab.keys.read;
const scopes: readonly OperatorMutant[] = [
  ...WRITES.flatMap(({ id }) => [
    operator('scope-accepted', 'scopes')(`read ${id}`, doneAll(id, 403, isRead, true), extra(id)),
    operator('scope-refused-and-done', 'refused requests')(`read ${id}`, doneAll(id, 403, isRead, false), extra(id)),
  ]),
  ...OPERATIONS.flatMap(({ id, method }) => [
    denied('admin', id),
    ...(method === 'GET' || NON_ADMINISTRATIVE.test(id) ? [denied('write', id)] : []),
    ...(method === 'GET' ? [denied('read', id)] : []),
  ]),
];

const isForeign = (call: Call, lab: Lab): boolean => keyOf(call) === lab.keys.other;
const WITH_ID = OPERATIONS.filter(({ path }) => path.includes('{'));

const isolation: readonly OperatorMutant[] = WITH_ID.flatMap(({ id, method }) => [
  operator('isolation-open', 'isolation')(id, doneAll(id, 404, isForeign, true)),
  ...(method === 'GET' ? [] : [operator('isolation-done', 'refused requests')(id, doneAll(id, 404, isForeign, false))]),
]);

/** What a list of one workspace gets from the other: a row, a count, or both. */
const LEAKS: Readonly<Record<string, (list: Loose, row: Loose) => void>> = {
  'a row': ({ items }, row) => void items.push(row),
  'a count': ({ meta }) => void meta.total++,
  'a row in place of its own': ({ items }, row) => void items.splice(0, 1, row),
};

const leaks: readonly OperatorMutant[] = LISTS.filter(({ path }) => !path.includes('{')).flatMap(({ id }) =>
  (['into', 'out of'] as const).flatMap((way) =>
    (['plain', 'filtered'] as const)
      .filter((query) => query === 'plain' || id === 'list_tasks' || id === 'list_projects')
      .flatMap((query) =>
        Object.entries(LEAKS).map(([name, leak]) =>
          operator('isolation-leak', 'isolation')(
            `${id}, ${way} the second workspace, ${query}: ${name}`,
            (lab) => async (call, next) => {
              const answer = await next(call);
              const filtered = [...call.query.keys()].some((key) => key.startsWith('filter'));
              const mine = isOp(id)(call) && answer.ok && call.home && filtered === (query === 'filtered');
              if (!mine || isForeign(call, lab) !== (way === 'into')) return answer;
              const bare = get(call, call.path, { limit: '1' });
              const [row] = (await next(way === 'into' ? admin(lab, bare) : as(bare, lab.keys.other))).rows;
              if (!row || (name !== 'a count' && answer.rows.length === 0 && !name.endsWith('row'))) return answer;
              leak(answer.json, row);
              lab.hit();
              return answer;
            },
          ),
        ),
      ),
  ),
);

/** A filter that names what is in another workspace finds it. */
const foreignFilters: readonly OperatorMutant[] = ['project_id', 'assignee_id'].map((field) =>
  operator('isolation-filter', 'isolation')(`list_tasks.${field}`, (lab) => async (call, next) => {
    const answer = await next(call);
    if (!isOp('list_tasks')(call) || !isForeign(call, lab) || !call.query.has(`filter[${field}]`) || !call.home) return answer;
    const found = await next(admin(lab, call));
    if (!found.ok || found.rows.length === 0) return answer;
    lab.hit();
    return found;
  }),
);

const identity: readonly OperatorMutant[] = [
  operator('isolation-profile', 'isolation')('read_profile', (lab) => async (call, next) => {
    if (!isOp('read_profile')(call) || !isForeign(call, lab) || !call.home) return next(call);
    await next(call);
    lab.hit();
    return next(admin(lab, call));
  }),
  operator('profile-of-another', 'users')(
    'read_profile',
    (lab) => async (call, next) => {
      const answer = await next(call);
      if (!isOp('read_profile')(call) || !answer.ok || !call.home) return answer;
      const members = await next(get(call, '/workspace/members', { limit: '100' }));
      const twin = members.rows.find(({ id }) => id !== answer.json.data.id);
      if (!twin) return answer;
      Object.assign(answer.json.data, twin);
      lab.hit();
      return answer;
    },
    { on: 'mock', control: true },
  ),
  operator('isolation-team-name', 'isolation')('create_team', (lab) => async (call, next) => {
    const answer = await next(call);
    if (!isOp('create_team')(call) || !answer.ok || !call.home) return answer;
    const away = isForeign(call, lab) ? admin(lab, call) : as(call, lab.keys.other);
    const teams = await next(get(away, '/teams', { limit: '100' }));
    if (!teams.rows.some(({ name }) => name === call.body.name)) return answer;
    await next(changed(call, { method: 'DELETE', path: `/teams/${answer.json.data.id}`, body: undefined }));
    lab.hit();
    return refuse(answer, 409);
  }),
];

/** An id in the path that is not to be found, by why it is not. */
const FATES = ['unknown', 'deleted', 'foreign'] as const;
const OTHERWISE: readonly number[] = [200, 204, 400, 403, 410, 422];

const fates: readonly OperatorMutant[] = WITH_ID.flatMap(({ id, answers }) =>
  FATES.flatMap((fate) =>
    // Which scope the deletion of a team needs is open, and nobody knows that of the second workspace's key.
    OTHERWISE.filter((status) => !(status === 403 && id === 'delete_team' && fate === 'foreign')).map((status) =>
      operator('not-found-otherwise', 'status codes')(`${id}, ${fate} as ${status}`, (lab) => {
        const memory = lab.remember();
        return async (call, next) => {
          const answer = await next(call);
          if (!isOp(id)(call) || answer.status !== 404 || memory(call).fate(call.id, call) !== fate) return answer;
          if (
            status === 403 &&
            call.method !== 'GET' &&
            (isRead(call, lab) || (id === 'delete_team' && keyOf(call) !== lab.keys.admin))
          )
            return answer;
          lab.hit();
          if (status >= 400) return refuse(answer, status);
          answer.status = status;
          answer.json =
            answers === 'list' ? { items: [], meta: { total: 0, limit: 20, has_more: false, next_cursor: null } } : { data: {} };
          return answer;
        };
      }),
    ),
  ),
);

export const accessMutants: readonly OperatorMutant[] = [
  ...keys,
  ...scopes,
  ...isolation,
  ...leaks,
  ...foreignFilters,
  ...identity,
  ...fates,
];

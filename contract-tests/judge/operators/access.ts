// Operators on keys, scopes and workspaces: who may do what, and who sees what.
import { OPERATIONS } from '../../engine/operations.ts';
import {
  admin,
  become,
  effectOf,
  extraOf,
  type Lab,
  listOf,
  type OperatorMutant,
  operator,
  type Rule,
  refuse,
  refused,
} from './core.ts';
import { as, type Call, changed, filtersOf, get, keyOf, type Loose } from './exchange.ts';
import { LISTS, WITH_ID, WRITES } from './tables.ts';

type Test = (call: Call, lab: Lab) => boolean;

/** Ways in which a key is no key. */
const KEYLESS: Readonly<Record<string, Test>> = {
  missing: ({ authorization }) => authorization === undefined,
  malformed: (call) => call.authorization !== undefined && keyOf(call) === undefined,
  revoked: (call, lab) => keyOf(call) === lab.keys.revoked,
  unknown: (call, lab) => keyOf(call) !== undefined && !Object.values(lab.keys).includes(keyOf(call)!),
};
const isRead: Test = (call, lab) => keyOf(call) === lab.keys.read;
const isForeign: Test = (call, lab) => keyOf(call) === lab.keys.other;
const isWrite = (op: string) => WRITES.some(({ id }) => id === op);

/** Does as an administrator what was refused with that status; returns that, or keeps the refusal. */
const doneAll = (at: string, status: number, test: Test, told: boolean): Rule => ({
  at,
  on: status,
  when: ({ call, lab }) => call.home && test(call, lab),
  does: async ({ lab, call, next }) => {
    const { response: done, effect } = await effectOf(admin(lab, call), next);
    if (told) return done.ok && done;
    // A registration shows by what its receiver gets.
    return effect && (at !== 'create_webhook' || /^http:\/\/127\.0\.0\.1:|hooks\.reference/.test(call.body?.url));
  },
});

const keyStatus = (at: string, status: number, test: Test): Rule => ({
  at,
  on: 401,
  when: ({ lab, call }) => test(call, lab) && call.home,
  does: async ({ lab, call, response, next }) => {
    const owner = get(call, call.path.split('/').slice(0, 3).join('/'));
    // An id that no record has may be found missing before the key is looked at.
    if (status === 404 && call.id !== undefined && !(await next(admin(lab, owner))).ok) return false;
    return refuse(response, status);
  },
});

const keys: readonly OperatorMutant[] = OPERATIONS.flatMap(({ id }) =>
  Object.entries(KEYLESS).flatMap(([name, test]) => [
    operator('key-accepted', 'authentication')(`${id}, ${name}`, doneAll(id, 401, test, true), extraOf(id)),
    ...[403, 404].map((status) =>
      operator('key-status', 'authentication')(`${id}, ${name} as ${status}`, keyStatus(id, status, test), extraOf(id)),
    ),
    ...(isWrite(id)
      ? [operator('key-refused-and-done', 'refused requests')(`${id}, ${name}`, doneAll(id, 401, test, false), extraOf(id))]
      : []),
  ]),
);

const NON_ADMINISTRATIVE = /^(create|update|delete)_(project|task)$/;
const scopes: readonly OperatorMutant[] = [
  ...WRITES.flatMap(({ id }) => [
    operator('scope-accepted', 'scopes')(`read ${id}`, doneAll(id, 403, isRead, true), extraOf(id)),
    operator('scope-refused-and-done', 'refused requests')(`read ${id}`, doneAll(id, 403, isRead, false), extraOf(id)),
  ]),
  ...OPERATIONS.flatMap(({ id, method }) =>
    (['admin', 'write', 'read'] as const)
      .filter((role) => role === 'admin' || method === 'GET' || (role === 'write' && NON_ADMINISTRATIVE.test(id)))
      .map((role) => {
        const denied = refused(id, 403, ({ lab, call }) => keyOf(call) === lab.keys[role]);
        return operator('scope-denied', 'scopes')(`${role} ${id}`, denied, extraOf(id));
      }),
  ),
];

const isolation: readonly OperatorMutant[] = WITH_ID.flatMap(({ id }) => [
  operator('isolation-open', 'isolation')(id, doneAll(id, 404, isForeign, true)),
  ...(isWrite(id) ? [operator('isolation-done', 'refused requests')(id, doneAll(id, 404, isForeign, false))] : []),
]);

/** The leak into a list of one workspace from the other: a row, a count, or both. */
const LEAKS: Readonly<Record<string, (list: Loose, row: Loose) => void>> = {
  'a row': ({ items }, row) => items.length > 0 && items.push(row),
  'a count': ({ meta }) => meta.total++,
  'a row in place of its own': ({ items }, row) => items.splice(0, 1, row),
};

const leaked = (at: string, way: 'into' | 'out of', filtered: boolean, name: string): Rule => ({
  at,
  on: 'ok',
  when: ({ lab, call }) =>
    call.home && filtersOf(call.query).length > 0 === filtered && isForeign(call, lab) === (way === 'into'),
  does: async ({ lab, call, response, next }) => {
    const bare = get(call, call.path, { limit: '1' });
    const [row] = (await next(way === 'into' ? admin(lab, bare) : as(bare, lab.keys.other))).rows;
    if (row) LEAKS[name]!(response.json, row);
  },
});

const leaks: readonly OperatorMutant[] = LISTS.filter(({ path }) => !path.includes('{')).flatMap(({ id }) =>
  (['into', 'out of'] as const).flatMap((way) =>
    (['plain', 'filtered'] as const)
      .filter((query) => query === 'plain' || id === 'list_tasks' || id === 'list_projects')
      .flatMap((query) =>
        Object.keys(LEAKS).map((name) =>
          operator('isolation-leak', 'isolation')(
            `${id}, ${way} the second workspace, ${query}: ${name}`,
            leaked(id, way, query === 'filtered', name),
          ),
        ),
      ),
  ),
);

const identity: readonly OperatorMutant[] = [
  // A filter that names what is in another workspace finds it.
  ...['project_id', 'assignee_id'].map((field) =>
    operator('isolation-filter', 'isolation')(`list_tasks.${field}`, {
      at: 'list_tasks',
      when: ({ lab, call }) => isForeign(call, lab) && call.query.has(`filter[${field}]`) && call.home,
      does: async ({ lab, call, next }) => {
        const found = await next(admin(lab, call));
        return found.ok && found.rows.length > 0 && found;
      },
    }),
  ),
  operator('isolation-profile', 'isolation')('read_profile', {
    at: 'read_profile',
    when: ({ lab, call }) => isForeign(call, lab) && call.home,
    does: ({ lab, call, next }) => next(admin(lab, call)),
  }),
  operator('profile-of-another', 'users', { on: 'mock', control: true })('read_profile', {
    at: 'read_profile',
    on: 'ok',
    when: ({ call }) => call.home,
    does: async ({ call, response, next }) => {
      const members = await next(get(call, '/workspace/members', { limit: '100' }));
      Object.assign(
        response.json.data,
        members.rows.find(({ id }) => id !== response.json.data.id),
      );
    },
  }),
  operator('isolation-team-name', 'isolation')('create_team', {
    at: 'create_team',
    on: 'ok',
    when: ({ call }) => call.home,
    does: async ({ lab, call, response, next }) => {
      const away = isForeign(call, lab) ? admin(lab, call) : as(call, lab.keys.other);
      const teams = await next(get(away, '/teams', { limit: '100' }));
      if (!teams.rows.some(({ name }) => name === call.body.name)) return false;
      await next(changed(call, { method: 'DELETE', path: `/teams/${response.json.data.id}`, body: undefined }));
      return refuse(response, 409);
    },
  }),
];

/** An id in the path that is not to be found, by why it is not. */
const FATES = ['unknown', 'deleted', 'foreign'] as const;
const OTHERWISE: readonly number[] = [200, 204, 400, 403, 410, 422];

const fates: readonly OperatorMutant[] = WITH_ID.flatMap(({ id, returns }) =>
  FATES.flatMap((fate) =>
    // Which scope the deletion of a team needs is open, and that of the second workspace's key is unknown.
    OTHERWISE.filter((status) => !(status === 403 && id === 'delete_team' && fate === 'foreign')).map((status) =>
      operator('not-found-otherwise', 'status codes')(`${id}, ${fate} as ${status}`, {
        at: id,
        on: 404,
        when: ({ lab, call }) => {
          const weak = isRead(call, lab) || (id === 'delete_team' && keyOf(call) !== lab.keys.admin);
          return lab.memory(call).fate(call.id, call) === fate && !(status === 403 && call.method !== 'GET' && weak);
        },
        does: ({ response }) =>
          status >= 400 ? refuse(response, status) : become(response, status, returns === 'list' ? listOf([]) : { data: {} }),
      }),
    ),
  ),
);

export const accessMutants: readonly OperatorMutant[] = [...keys, ...scopes, ...isolation, ...leaks, ...identity, ...fates];

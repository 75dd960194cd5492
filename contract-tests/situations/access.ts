// Who may do what to which record: every operation with each credential, on records that live, never were, or are another workspace's.

import { OPERATIONS, type Operation, operationsOf } from '../engine/operations.ts';
import { clausesIn } from '../engine/spelling.ts';
import type { Tools } from '../engine/tools.ts';
import { operationClauses } from '../oracle/clauses.ts';
import { bodyOf, inOrder, none, pathOf } from './records.ts';
import { type Area, type Row, row, type Step, type Tier } from './row.ts';
import { areaOf } from './tables.ts';

const VICTIM = { project: '{victim.project}', task: '{victim.task}', team: '{victim.team}' };

/** The path of an operation in a row; names stay as they are. */
const pathIn = (operation: Operation, on: typeof VICTIM): string => decodeURIComponent(pathOf(operation, on));

/** Records of ours where the run may make some, else ids of none. */
const subjects = (t: Tools) => (t.main === 'read' || !t.within('core') ? none : VICTIM);

type Headers = (key: string) => Readonly<Record<string, string>>;

const rowStep = (t: Tools, operation: Operation, as: string, on: typeof VICTIM, headers?: Headers): Step => [
  `${as} ${operation.method} ${pathIn(operation, on)}`,
  () => bodyOf(t, operation),
  headers ? { headers } : {},
];

const operations = (t: Tools): readonly Operation[] => inOrder(operationsOf(t.parts.release));
const withId = (t: Tools): readonly Operation[] => operations(t).filter(({ path }) => path.includes('{'));
const clausesOf = (which: 'read' | 'foreign' | 'never'): string[] =>
  OPERATIONS.flatMap(({ id }) => operationClauses(id)[which] ?? []);

/** A key in a header of another name is none. */
const ELSEWHERE: readonly (Headers | undefined)[] = [
  undefined,
  (key) => ({ 'x-api-key': key }),
  // As a browser sends it, to which some services respond with a page.
  () => ({ accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }),
  (key) => ({ cookie: `token=${key}; api_key=${key}; session=${key}` }),
  (key) => ({ cookie: key }),
];

const bare: Area = {
  id: 'access/no-key',
  says: 'Without a key every operation is 401',
  covers: [...OPERATIONS.map(({ keyRequirement }) => keyRequirement), ...clausesIn('AUTH 1 7 8 14')],
  rows: (t) => [
    {
      ...row(
        'no-key/effect',
        1,
        ['keyless POST /projects/{side}/tasks', { title: '{run}-keyless' }],
        'GET /projects/{side}/tasks?limit=100',
      ),
      core: true,
    },
    ...operations(t).map((operation, i): Row => {
      // Whatever else is wrong, it is the key that is missing.
      const on = operation.id === 'read_task' ? none : subjects(t);
      return {
        ...row(`no-key/${operation.id}`, 2, rowStep(t, operation, 'keyless', on, ELSEWHERE[i % ELSEWHERE.length])),
        ...(operation.method === 'GET' ? { anywhere: true } : {}),
      };
    }),
    row('no-key/no-json', 2, ['keyless POST /projects', undefined, { raw: '{"name"' }]),
  ],
};

type Spelling = (key: string) => string;

/** Headers that name no key; their value is cleaned out of every artefact. */
const MALFORMED: Readonly<Record<string, Spelling>> = {
  'no prefix': (key) => key,
  basic: (key) => `Basic ${key}`,
  empty: () => 'Bearer',
  token: (key) => `Token ${key}`,
  'basic, encoded': (key) => `Basic ${btoa(`${key}:`)}`,
};
/** Keys that were never given. */
const UNKNOWN: Readonly<Record<string, Spelling>> = {
  unknown: () => 'Bearer wmct-no-such-key',
  longer: (key) => `Bearer ${key}x`,
  shorter: (key) => `Bearer ${key.slice(0, -1)}`,
  'in other letters': (key) => `Bearer ${key === key.toUpperCase() ? key.toLowerCase() : key.toUpperCase()}`,
  null: () => 'Bearer null',
};

/** The header that each operation is tried with where it isn't the turn of another; those of every run first. */
const SPELT: Readonly<Record<string, string>> = { list_projects: 'no prefix', read_profile: 'basic', list_tasks: 'empty' };
const STRANGE: Readonly<Record<string, string>> = {
  read_profile: 'longer',
  list_members: 'shorter',
  create_task: 'longer',
  delete_task: 'shorter',
  list_teams: 'in other letters',
  list_comments: 'null',
};
const IN_CORE = new Set([
  'no prefix list_projects',
  'basic read_profile',
  'empty list_tasks',
  'longer read_profile',
  'shorter list_members',
  'unknown list_tasks',
]);

const garbled: Area = {
  id: 'access/garbled-keys',
  says: 'A malformed header or an unknown key is 401 in every operation',
  covers: clausesIn('AUTH 2-5 16'),
  rows: (t) =>
    operations(t).flatMap((operation, i) => {
      const turns = Object.keys(MALFORMED);
      const malformed = SPELT[operation.id] ?? turns[i % turns.length];
      const key = t.parts.keyOf(t.main);
      const strange = STRANGE[operation.id] ?? 'unknown';
      const isKey = UNKNOWN[strange]!(key) === `Bearer ${key}`;
      return Object.entries({ ...MALFORMED, ...UNKNOWN }).flatMap(([kind, value]): Row[] => {
        if (value(key) === `Bearer ${key}`) return [];
        const named = `${kind} ${operation.id}`;
        const due = kind === malformed || kind === (isKey ? 'unknown' : strange);
        const tier: Tier = IN_CORE.has(named) ? 1 : due ? 2 : 4;
        const one = row(
          named,
          tier,
          rowStep(t, operation, 'keyless', subjects(t), (of) => ({ authorization: value(of) })),
        );
        return [tier === 1 && operation.method === 'GET' ? { ...one, anywhere: true } : one];
      });
    }),
};

const revoked: Area = {
  id: 'access/revoked-key',
  says: 'A revoked key is 401 in every operation',
  covers: clausesIn('AUTH 6 18'),
  needs: ['revoked'],
  rows: (t) => [
    { ...row('revoked/first', 1, 'revoked GET /users/me'), anywhere: true },
    ...operations(t)
      .filter(({ id }) => id !== 'read_profile')
      .map((operation) => row(`revoked/${operation.id}`, 2, rowStep(t, operation, 'revoked', subjects(t)))),
  ],
};

/** Nothing is so little that a read key may change it. */
const little = (t: Tools): Row[] => {
  const one = (kind: 'task' | 'project') =>
    t.parts.rules.update[kind].flatMap((rule) =>
      t
        .samples(rule)
        .slice(rule.name === 'status' ? 0 : -1)
        .map((value, i) =>
          row(`little/${kind} ${rule.name} ${i}`, 4, [`read PATCH /${kind}s/{victim.${kind}}`, { [rule.name]: value }]),
        ),
    );
  const empty = [
    row('little/empty project', 2, ['read PATCH /projects/{victim.project}', {}]),
    row('little/empty task', 2, ['read PATCH /tasks/{victim.task}', {}]),
  ];
  const nothing = row(
    'little/empty projects',
    2,
    ['empty = POST /projects', { name: '{run}-nothing-in-it', visibility: 'public' }],
    ['PATCH /projects/{empty}', { visibility: 'team' }],
    // At once after its change.
    'walk 2 /projects?filter[visibility]=team&sort=-created_at&limit=2',
    'read DELETE /projects/{empty}',
    'GET /projects/{empty}/tasks',
    'DELETE /projects/{empty}',
  );
  return [
    ...empty,
    ...one('task'),
    ...one('project'),
    nothing,
    row('little/look', 4, 'GET /tasks/{victim.task}', 'GET /projects/{victim.project}'),
  ];
};

const reader: Area = {
  id: 'access/read-key',
  says: 'A read key retrieves everything, and is refused with 403 on every write, without effect',
  // Whether it may register is tried with the registrations.
  covers: ['WM-SCOPE-014', 'WM-SCOPE-015', ...new Set(clausesOf('read').filter((id) => id !== 'WM-SCOPE-013'))],
  needs: ['read', 'write'],
  rows: (t) => {
    // A change of one word: nothing else is wrong with it.
    const done = t.parts.rules.update.task.find(({ name }) => name === 'status')?.values.at(-1);
    const changes: Readonly<Record<string, Step>> = {
      ...(done === undefined ? {} : { update_task: ['read PATCH /tasks/{victim.task}', { status: done }] }),
      update_project: ['read PATCH /projects/{victim.project}', { visibility: 'team' }],
    };
    return [
      // Another key may do it, though an administrator's made both. A record that it should not touch would now get another date.
      row(
        'read/later',
        2,
        ['write PATCH /projects/{victim.project}', { description: 'by write' }],
        ['write PATCH /tasks/{victim.task}', { description: 'by write' }],
        'later',
        'later',
      ),
      ...operations(t)
        .filter(({ id }) => id !== 'create_webhook')
        .map((operation) => ({
          ...row(`read/${operation.id}`, 2, changes[operation.id] ?? rowStep(t, operation, 'read', subjects(t))),
          ...(operation.method === 'GET' ? { unless: `read ${operation.id}` } : {}),
        })),
      ...little(t),
    ];
  },
};

const stronger = areaOf('access/stronger-keys', (t) =>
  (['admin', 'write'] as const).flatMap((as) =>
    operations(t)
      .filter(({ method }) => method === 'GET')
      .map((operation) => row(`${as}/${operation.id}`, as === 'admin' ? 3 : 4, rowStep(t, operation, as, subjects(t)))),
  ),
);

const foreign: Area = {
  id: 'access/other-workspace',
  says: 'Each record of another workspace is 404 in each operation, and stays as it was',
  covers: [...clausesOf('foreign'), 'WM-ISO-016'],
  needs: ['other', 'write'],
  rows: (t) => [
    row('other/later', 2, 'later', 'later'),
    ...withId(t).map((operation) => row(`other/${operation.id}`, 2, rowStep(t, operation, 'other', subjects(t)))),
    ...withId(t).map((operation) => row(`other-never/${operation.id}`, 4, rowStep(t, operation, 'other', none))),
  ],
};

const never: Area = {
  id: 'access/never-was',
  says: 'An id that never was is 404 in every operation, and never a 5xx',
  covers: [...clausesOf('never'), 'WM-ERR-014'],
  needs: ['write'],
  rows: (t) =>
    withId(t).map((operation) =>
      row(
        `never/${operation.id}`,
        2,
        operation.id === 'read_project'
          ? 'GET /projects/{t0}'
          : rowStep(t, operation, operation.shape.startsWith('team') ? 'strong' : t.main, none),
      ),
    ),
};

export const ACCESS: readonly Area[] = [
  bare,
  garbled,
  revoked,
  stronger,
  reader,
  areaOf('access/team-names'),
  foreign,
  areaOf('access/untouched'),
  areaOf('access/lists-of-other-workspace'),
  never,
];

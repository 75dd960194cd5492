// Faults of keys, scopes and workspaces.

import type { Call, Operation } from '../../judge/reference/model.ts';
import type { Service } from '../../judge/reference/service/service.ts';
import { around, clause, type Fault } from '../faults/fault.ts';
import { refuses, sent } from './tools.ts';

const header = clause(208, 'Every request carries `Authorization: Bearer <API_KEY>`.');
const gives401 = clause(
  211,
  'A missing or malformed header, an invalid key or a revoked key gives `401` with code `unauthorized`.',
);
const revoked = clause(210, 'A revoked key is invalid immediately; later requests with it get `401`.');
const code401 = clause(297, '| unauthorized | 401 | header missing, no Bearer prefix, key invalid or revoked |');
const code403 = clause(298, '| forbidden | 403 | scope insufficient |');
const noChange = clause(216, 'no create, update or delete');
const write = clause(217, 'everything read allows, plus create, update and delete of projects, tasks');
const admin = clause(218, 'everything write allows');
const border = clause(13, "An API key belongs to one workspace and only sees that workspace's resources.", {
  needs: 'second workspace',
});
const elsewhere = clause(287, 'belongs to a workspace the key cannot access', { needs: 'second workspace' });

/** Where another place than the header may hold a key. */
const keyFrom = (service: Service, find: (call: Call) => string | null): void =>
  around(service, 'tokenOf', (was, call) => was(call) ?? find(call) ?? undefined);
const lets = (service: Service, scope: string, operation: Operation, when: (call: Call) => boolean): void =>
  around(service, 'authorise', (was, call, each) => {
    if (!(call.key?.scope === scope && each === operation && when(call))) was(call, each);
  });
const stops = (service: Service, scope: string, operations: readonly Operation[]): void =>
  refuses(
    service,
    operations,
    (call) => call.key?.scope === scope,
    (call) => service.forbidden(call),
  );
const opens = (service: Service, when: (call: Call) => boolean): void =>
  around(service, 'isRevoked', (was, key, call) => was(key, call) && !when(call));
const foreign = (service: Service, status: 'forbidden' | 'empty', when: (call: Call) => boolean): void =>
  around(service, 'notFound', (was, call, what) => {
    const id = call.ids.project ?? call.ids.task ?? call.ids.team;
    const there = [...service.db.projects, ...service.db.tasks, ...service.db.teams].some((each) => each.id === id);
    return status === 'forbidden' && there && when(call) ? service.forbidden(call) : was(call, what);
  });

const keys: Fault[] = [
  header('key-in-query', 'a key in the query, as api_key, is accepted', (s) => keyFrom(s, (call) => call.query.get('api_key'))),
  header('key-in-own-header', 'a key in the header X-Api-Key is accepted', (s) =>
    keyFrom(s, (call) => call.headers.get('x-api-key')),
  ),
  revoked('revoked-second-time', 'a revoked key gets 401 once, and is served from then on', (s) => {
    let asked = 0;
    opens(s, () => {
      asked += 1;
      return asked > 1;
    });
  }),
  revoked(
    'revoked-makes-teams',
    'a revoked key makes teams',
    (s) => opens(s, ({ method, path }) => method === 'POST' && path === '/teams'),
    { style: 'a' },
  ),
  revoked('revoked-lists-tasks-of-project', 'a revoked key lists the tasks of a project', (s) =>
    opens(s, ({ method, path }) => method === 'GET' && /^\/projects\/[^/]+\/tasks$/.test(path)),
  ),
  gives401('unknown-key-anonymous-lists', 'an unknown key gets empty lists with 200', (s) =>
    around(s, 'answer', (was, call) => {
      const answer = was(call);
      const list = ['/projects', '/tasks', '/teams'].includes(call.path) && call.method === 'GET';
      const meta = { total: 0, limit: 20, has_more: false, next_cursor: null };
      return answer.status === 401 && list && call.headers.has('authorization')
        ? { ...answer, status: 200, body: { items: [], meta } }
        : answer;
    }),
  ),
  gives401('malformed-header-400', 'a header without Bearer answers 400', (s) =>
    around(s, 'unauthorized', (was, call, why) =>
      Object.assign(was(call, why), why === 'missing' && call.headers.get('authorization') ? { status: 400 } : {}),
    ),
  ),
  code401('code-revoked-forbidden', 'the code of a revoked key is forbidden', (s) =>
    around(s, 'unauthorized', (was, call, why) => Object.assign(was(call, why), why === 'revoked' ? { code: 'forbidden' } : {})),
  ),
];

const scopes: Fault[] = [
  noChange('read-key-patches-status', 'a read key may set the status of a task', (s) =>
    lets(s, 'read', 'changeTask', (call) => Object.keys(sent(call)).join() === 'status'),
  ),
  noChange('read-key-deletes-empty-projects', 'a read key may delete a project without tasks', (s) =>
    lets(s, 'read', 'deleteProject', (call) => !s.db.tasks.some(({ project }) => project === call.ids.project)),
  ),
  noChange('read-key-done-then-refused-team', 'POST of a team with a read key answers 403 after it was done', (s) =>
    around(s, 'authorise', (was, call, operation) => {
      if (call.key?.scope === 'read' && operation === 'createTeam') s.perform(call, operation);
      was(call, operation);
    }),
  ),
  write('write-key-no-teams', 'a write key gets 403 for the list of teams and for a team', (s) =>
    stops(s, 'write', ['listTeams', 'readTeam']),
  ),
  write('write-key-no-reads-of-projects', 'a write key gets 403 for GET of a project', (s) => stops(s, 'write', ['readProject'])),
  write('write-key-deletes-own-tasks', 'a write key gets 403 for DELETE of a task that was made with another key', (s) => {
    const makers = new Map<string, string>();
    around(s, 'saveTask', (was, task, call) => {
      was(task, call);
      makers.set(task.id, call.key?.value ?? '');
    });
    refuses(
      s,
      ['deleteTask'],
      (call) => call.key?.scope === 'write' && (makers.get(call.ids.task ?? '') ?? call.key.value) !== call.key.value,
      (call) => s.forbidden(call),
    );
  }),
  admin('admin-key-no-patch', 'an admin key gets 403 for PATCH', (s) => stops(s, 'admin', ['changeProject', 'changeTask'])),
  admin('admin-key-no-single-reads', 'an admin key gets 403 for GET of a task', (s) => stops(s, 'admin', ['readTask'])),
  code403('code-403-scope-name', 'the code of a 403 is requires_write', (s) =>
    around(s, 'forbidden', (was, call) => Object.assign(was(call), { code: 'requires_write' })),
  ),
  code403('scope-409', 'a lacking scope answers 409 for PATCH', (s) =>
    around(s, 'forbidden', (was, call) => Object.assign(was(call), call.method === 'PATCH' ? { status: 409 } : {})),
  ),
];

const workspaces: Fault[] = [
  border('foreign-by-priority-filter', 'filter[priority] reaches the tasks of another workspace', (s) =>
    around(s, 'allTaskRows', (was, call) => (call.query.has('filter[priority]') ? s.db.tasks : was(call))),
  ),
  border('foreign-with-limit-100', 'GET /projects with a limit of 100 holds those of all workspaces', (s) =>
    around(s, 'projectRows', (was, call) => (call.query.get('limit') === '100' ? s.db.projects : was(call))),
  ),
  border('foreign-teams-on-second-page', 'teams behind the first page are those of all workspaces', (s) =>
    around(s, 'teamRows', (was, call) => (call.query.has('cursor') ? s.db.teams : was(call))),
  ),
  elsewhere('foreign-403-tasks-of-project', 'the tasks of a project of another workspace answer 403', (s) =>
    foreign(s, 'forbidden', ({ operation }) => operation === 'listProjectTasks'),
  ),
];

export const faults: readonly Fault[] = [...keys, ...scopes, ...workspaces];

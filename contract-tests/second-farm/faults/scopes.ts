// Faults of scopes.
import { type Operation, Problem, type Scope } from '../../judge/reference/model.ts';
import type { Service } from '../../judge/reference/service/service.ts';
import { around, clause, type Fault, isOn, memory } from './fault.ts';

const gives403 = clause(212, 'A valid key lacking the scope for the action gives `403` with code `forbidden`.');
const code403 = clause(298, '| forbidden | 403 | scope insufficient |');
const read = clause(216, 'no create, update or delete');
const retrieve = clause(216, 'retrieve any resource of the workspace (projects, tasks, members, webhooks)');
const write = clause(
  217,
  'everything read allows, plus create, update and delete of projects, tasks and other non-administrative resources',
);
const admin = clause(
  218,
  'everything write allows, plus management of team members, billing settings, workspace configuration and API keys',
);
const grants = (service: Service, scope: Scope, ...operations: Operation[]): void =>
  around(
    service,
    'permits',
    (was, has, needed, operation) => (has === scope && operations.includes(operation)) || was(has, needed, operation),
  );
const denies = (service: Service, scope: Scope, ...operations: Operation[]): void =>
  around(
    service,
    'permits',
    (was, has, needed, operation) => !(has === scope && operations.includes(operation)) && was(has, needed, operation),
  );
const WRITES: readonly Operation[] = [
  'createProject',
  'changeProject',
  'deleteProject',
  'createTask',
  'changeTask',
  'deleteTask',
  'createTeam',
  'deleteTeam',
  'createWebhook',
];
const READS: readonly Operation[] = [
  'listProjects',
  'readProject',
  'listProjectTasks',
  'listTasks',
  'readTask',
  'readTeam',
  'listTeams',
];
/** Performs an operation that is refused all the same. */
const refusedTooLate = (service: Service, operation: Operation): void =>
  around(service, 'authorise', (was, call, which) => {
    try {
      was(call, which);
    } catch (error) {
      if (which === operation) service.perform(call, which);
      throw error;
    }
  });
const scopes: Fault[] = [
  ...WRITES.map((operation) =>
    read(`read-scope-${operation}`, `a read key may ${operation}`, (s) => grants(s, 'read', operation)),
  ),
  read('read-scope-everything', 'scopes are not checked', (s) => around(s, 'permits', () => true)),
  ...(['createProject', 'changeProject', 'deleteProject', 'createTask', 'changeTask', 'deleteTask'] as const).map((operation) =>
    gives403(`refused-too-late-${operation}`, `${operation} with a read key answers 403 after it was done`, (s) =>
      refusedTooLate(s, operation),
    ),
  ),
  ...READS.map((operation) =>
    retrieve(`read-scope-no-${operation}`, `a read key gets 403 for ${operation}`, (s) => denies(s, 'read', operation)),
  ),
  ...(
    [
      'createProject',
      'changeProject',
      'deleteProject',
      'createTask',
      'changeTask',
      'deleteTask',
      'listMembers',
      'listTasks',
      'readTeam',
    ] as const
  ).map((operation) =>
    write(`write-scope-no-${operation}`, `a write key gets 403 for ${operation}`, (s) => denies(s, 'write', operation)),
  ),
  ...(
    [
      'createProject',
      'deleteProject',
      'createTask',
      'changeTask',
      'createTeam',
      'deleteTeam',
      'createWebhook',
      'listMembers',
      'readMe',
    ] as const
  ).map((operation) =>
    admin(`admin-scope-no-${operation}`, `an admin key gets 403 for ${operation}, as scopes are compared for equality`, (s) =>
      denies(s, 'admin', operation),
    ),
  ),
  write('write-scope-own-projects', 'a write key may change only projects that its user owns', (s) => {
    around(s, 'changeProject', (was, call) => {
      if (call.key?.scope === 'write' && s.projectOf(call).owner !== call.key.user) throw s.forbidden(call);
      return was(call);
    });
  }),
  write('write-scope-own-tasks', 'a write key may delete only tasks of projects that its user owns', (s) => {
    around(s, 'deleteTask', (was, call) => {
      const owner = s.db.projects.find(({ id }) => id === s.taskOf(call).project)?.owner;
      if (call.key?.scope === 'write' && owner !== call.key.user) throw s.forbidden(call);
      return was(call);
    });
  }),
  write('write-scope-assigned-tasks', 'a write key may not change tasks that are assigned to others', (s) => {
    around(s, 'changeTask', (was, call) => {
      const { assignee } = s.taskOf(call);
      if (call.key?.scope === 'write' && assignee !== null && assignee !== call.key.user) throw s.forbidden(call);
      return was(call);
    });
  }),
  gives403('scope-401', 'a lacking scope answers 401', (s) =>
    around(s, 'forbidden', (was, call) => Object.assign(was(call), { status: 401 })),
  ),
  gives403('scope-404', 'a lacking scope answers 404', (s) =>
    around(s, 'forbidden', (_was, call) => s.notFound(call, 'resource')),
  ),
  gives403('scope-405', 'a lacking scope answers 405 for DELETE', (s) =>
    around(s, 'forbidden', (was, call) =>
      call.method === 'DELETE' ? new Problem(405, 'method_not_allowed', 'Not allowed.') : was(call),
    ),
  ),
  gives403('scope-204-silent', 'DELETE of a task with a read key answers 204 and does nothing', (s) =>
    around(s, 'serve', (was, call) => {
      try {
        return was(call);
      } catch (error) {
        if (isOn(call, 'deleteTask') && error instanceof Problem && error.status === 403) return s.empty();
        throw error;
      }
    }),
  ),
  gives403('scope-200-silent', 'PATCH of a project with a read key answers the project unchanged', (s) =>
    around(s, 'serve', (was, call) => {
      try {
        return was(call);
      } catch (error) {
        if (isOn(call, 'changeProject') && error instanceof Problem && error.status === 403)
          return { ...s.readProject(call), status: s.style.patchStatus };
        throw error;
      }
    }),
  ),
  code403('code-insufficient-scope', 'the code is insufficient_scope', (s) =>
    around(s, 'forbidden', (was, call) => Object.assign(was(call), { code: 'insufficient_scope' })),
  ),
  code403('code-access-denied-for-delete', 'the code is access_denied for DELETE', (s) =>
    around(s, 'forbidden', (was, call) => Object.assign(was(call), call.method === 'DELETE' ? { code: 'access_denied' } : {})),
  ),
  code403('code-unauthorized-for-teams', 'the code of a refused team is unauthorized', (s) =>
    around(s, 'forbidden', (was, call) => Object.assign(was(call), isOn(call, 'createTeam') ? { code: 'unauthorized' } : {})),
  ),
  code403('scope-decided-once', 'the scope of the first key of a workspace is cached for all its keys, for 100 ms', (s) => {
    const cache = memory<string, { at: number; scope: Scope }>();
    around(s, 'authorise', (was, call, operation) => {
      const name = call.workspace?.id ?? '';
      const held = cache.get(name);
      if (!call.key) return was(call, operation);
      if (held && s.now() - held.at < 100) return was({ ...call, key: { ...call.key, scope: held.scope } }, operation);
      cache.set(name, { at: s.now(), scope: call.key.scope });
      return was(call, operation);
    });
  }),
];

export const faults: readonly Fault[] = [...scopes];

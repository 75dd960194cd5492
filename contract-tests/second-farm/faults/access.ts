// Faults of keys and scopes.
import { type Operation, Problem, type Scope } from '../model.ts';
import type { Service } from '../service/service.ts';
import { around, clause, type Fault, isOn, memory } from './fault.ts';

const header = clause(208, 'Every request carries `Authorization: Bearer <API_KEY>`.');
const endpoints = clause(135, 'All endpoints require the `Authorization` header.');
const gives401 = clause(
  211,
  'A missing or malformed header, an invalid key or a revoked key gives `401` with code `unauthorized`.',
);
const revoked = clause(210, 'A revoked key is invalid immediately; later requests with it get `401`.');
const code401 = clause(297, '| unauthorized | 401 | header missing, no Bearer prefix, key invalid or revoked |');
const status401 = clause(285, 'missing, invalid or revoked key');

const token = (service: Service, read: (header: string) => string | undefined): void =>
  around(service, 'tokenOf', (was, call) => was(call) ?? read(call.headers.get('authorization') ?? ''));
const known = (service: Service, find: (value: string, token: string) => boolean): void =>
  around(
    service,
    'keyOf',
    (was, sent, call) => was(sent, call) ?? service.db.keys.find(({ value, revoked: gone }) => !gone && find(value, sent)),
  );

const keys: Fault[] = [
  code401('key-without-bearer', 'the bare key is accepted', (s) => token(s, (text) => (/^\S+$/.test(text) ? text : undefined))),
  code401('key-any-scheme', 'any scheme is accepted', (s) => token(s, (text) => /^\S+ +(\S+)$/.exec(text)?.[1])),
  code401('key-token-scheme', 'the scheme Token is accepted', (s) => token(s, (text) => /^Token +(\S+)$/.exec(text)?.[1])),
  gives401('key-unknown-reads', 'an unknown key reads as the first user', (s) =>
    around(
      s,
      'keyOf',
      (was, sent, call) =>
        was(sent, call) ?? (call.method === 'GET' ? s.db.keys.find(({ scope }) => scope === 'read') : undefined),
    ),
  ),
  gives401('key-unknown-on-profile', 'GET /users/me with an unknown key answers 200', (s) =>
    around(s, 'keyOf', (was, sent, call) => was(sent, call) ?? (call.path === '/users/me' ? s.db.keys[0] : undefined)),
  ),
  gives401('key-prefix', 'a key without its last character is accepted', (s) =>
    known(s, (value, sent) => sent.length > 10 && value.startsWith(sent)),
  ),
  gives401('key-suffix', 'a key with more characters behind it is accepted', (s) =>
    known(s, (value, sent) => sent.startsWith(value)),
  ),
  gives401('key-any-case', 'a key in capitals is accepted', (s) =>
    known(s, (value, sent) => value.toLowerCase() === sent.toLowerCase()),
  ),
  endpoints('key-missing-on-lists', 'GET /tasks with a filter answers without a key', (s) =>
    around(s, 'authenticate', (was, call) =>
      (call.path === '/tasks' || call.path === '/projects') && !call.headers.has('authorization') && call.method === 'GET'
        ? s.db.keys[2]!
        : was(call),
    ),
  ),
  endpoints('key-missing-for-shared-projects', 'projects that are not private can be read without a key', (s) => {
    around(s, 'authenticate', (was, call) => {
      const id = /^\/projects\/([^/]+)$/.exec(call.path)?.[1];
      const open = s.db.projects.some((project) => project.id === id && project.visibility !== 'private');
      return open && call.method === 'GET' && !call.headers.has('authorization') ? s.db.keys[2]! : was(call);
    });
  }),
  endpoints('key-missing-for-delete-project', 'DELETE of a project works without a key', (s) =>
    around(s, 'authenticate', (was, call) =>
      call.method === 'DELETE' && call.path.startsWith('/projects/') && !call.headers.has('authorization')
        ? s.db.keys[0]!
        : was(call),
    ),
  ),
  header('key-refused-for-post', 'POST wants the key in another header', (s) =>
    around(s, 'tokenOf', (was, call) => (call.method === 'POST' && call.path === '/teams' ? undefined : was(call))),
  ),
  revoked('revoked-accepted', 'a revoked key works', (s) => around(s, 'isRevoked', () => false)),
  revoked('revoked-reads', 'a revoked key reads', (s) =>
    around(s, 'isRevoked', (was, key, call) => call.method !== 'GET' && was(key, call)),
  ),
  revoked('revoked-writes', 'a revoked key writes', (s) =>
    around(s, 'isRevoked', (was, key, call) => call.method === 'GET' && was(key, call)),
  ),
  revoked('revoked-profile', 'GET /users/me answers a revoked key', (s) =>
    around(s, 'isRevoked', (was, key, call) => call.path !== '/users/me' && was(key, call)),
  ),
  revoked('revoked-deletes-tasks', 'a revoked key deletes tasks', (s) =>
    around(s, 'isRevoked', (was, key, call) => !(call.method === 'DELETE' && call.path.startsWith('/tasks/')) && was(key, call)),
  ),
  revoked('revoked-registers-webhooks', 'a revoked key registers webhooks', (s) => {
    around(s, 'isRevoked', (was, key, call) => call.path !== '/webhooks' && was(key, call));
    around(s, 'permits', (was, scope, needed, operation) => operation === 'createWebhook' || was(scope, needed, operation));
  }),
  revoked('revoked-comments', 'a revoked key reads comments', (s) =>
    around(s, 'isRevoked', (was, key, call) => !call.path.endsWith('/comments') && was(key, call)),
  ),
  status401('revoked-403', 'a revoked key gets 403', (s) =>
    around(s, 'unauthorized', (was, call, why) => (why === 'revoked' ? s.forbidden(call) : was(call, why))),
  ),
  status401('missing-403', 'a missing header gets 403', (s) =>
    around(s, 'unauthorized', (was, call, why) => (why === 'missing' ? s.forbidden(call) : was(call, why))),
  ),
  status401('unknown-403', 'an unknown key gets 403', (s) =>
    around(s, 'unauthorized', (was, call, why) => (why === 'unknown' ? s.forbidden(call) : was(call, why))),
  ),
  status401('unknown-404', 'an unknown key gets 404', (s) =>
    around(s, 'unauthorized', (was, call, why) => (why === 'unknown' ? s.notFound(call, 'key') : was(call, why))),
  ),
  status401('missing-400', 'a missing header gets 400', (s) =>
    around(s, 'unauthorized', (was, call, why) =>
      why === 'missing' ? s.malformed(call, 'No header Authorization.') : was(call, why),
    ),
  ),
  status401('missing-redirects', 'a missing header is redirected to a login page', (s) =>
    around(s, 'unauthorized', (was, call, why) =>
      why === 'missing' ? Object.assign(was(call, why), { status: 302 }) : was(call, why),
    ),
  ),
  status401('unknown-500', 'an unknown key gets 500', (s) =>
    around(s, 'unauthorized', (was, call, why) =>
      why === 'unknown' ? new Problem(500, 'internal_error', 'null key') : was(call, why),
    ),
  ),
  code401('code-unauthenticated', 'the code of a 401 is unauthenticated', (s) =>
    around(s, 'unauthorized', (was, call, why) => Object.assign(was(call, why), { code: 'unauthenticated' })),
  ),
  code401('code-revoked', 'the code of a revoked key is key_revoked', (s) =>
    around(s, 'unauthorized', (was, call, why) =>
      Object.assign(was(call, why), why === 'revoked' ? { code: 'key_revoked' } : {}),
    ),
  ),
  code401('code-missing', 'the code of a missing header is missing_token', (s) =>
    around(s, 'unauthorized', (was, call, why) =>
      Object.assign(was(call, why), why === 'missing' ? { code: 'missing_token' } : {}),
    ),
  ),
  code401('code-invalid', 'the code of an unknown key is invalid_api_key', (s) =>
    around(s, 'unauthorized', (was, call, why) =>
      Object.assign(was(call, why), why === 'unknown' ? { code: 'invalid_api_key' } : {}),
    ),
  ),
  code401('code-401-capitals', 'the code of a 401 is in capitals', (s) =>
    around(s, 'unauthorized', (was, call, why) => Object.assign(was(call, why), { code: 'UNAUTHORIZED' })),
  ),
];

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

export const faults: readonly Fault[] = [...keys, ...scopes];

// Faults of keys, scopes and workspaces.

import type { Call, Operation } from '../../judge/reference/model.ts';
import type { Service } from '../../judge/reference/service/service.ts';
import { around, clause, type Fault, memory, without } from '../faults/fault.ts';

const header = clause(208, 'Every request carries `Authorization: Bearer <API_KEY>`.');
const gives401 = clause(
  211,
  'A missing or malformed header, an invalid key or a revoked key gives `401` with code `unauthorized`.',
);
const revoked = clause(210, 'A revoked key is invalid immediately; later requests with it get `401`.');
const code401 = clause(297, '| unauthorized | 401 | header missing, no Bearer prefix, key invalid or revoked |');
const retrieve = clause(216, 'retrieve any resource of the workspace (projects, tasks, members, webhooks)');
const noUpdate = clause(216, 'no create, update or delete');
const write = clause(217, 'plus create, update and delete of projects, tasks and other non-administrative resources');
const border = clause(13, "An API key belongs to one workspace and only sees that workspace's resources.", {
  needs: 'second workspace',
});

/** A router that was mounted before the check of keys: without a header it serves as the first admin. */
const mountedBefore = (service: Service, method: string, path: RegExp): void =>
  around(service, 'authenticate', (was, call) => {
    const key = service.db.keys[0];
    return key && !call.headers.has('authorization') && call.method === method && path.test(call.path) ? key : was(call);
  });
/** Does what was asked, then refuses it. */
const tooLate = (service: Service, why: 'missing' | 'revoked', method: string, path: RegExp): void =>
  around(service, 'unauthorized', (was, call, reason) => {
    const key = service.db.keys[0];
    if (key && reason === why && call.method === method && path.test(call.path)) {
      call.key = key;
      call.workspace = service.workspaceOf(key);
      const { operation, ids } = service.route(call);
      call.operation = operation;
      call.ids = ids;
      try {
        service.perform(call, operation);
      } catch {}
    }
    return was(call, reason);
  });
const token = (service: Service, pattern: RegExp): void =>
  around(service, 'authenticate', (was, call) => {
    const key = service.db.keys[0];
    return key && pattern.test(call.headers.get('authorization') ?? '-') ? key : was(call);
  });
const refusedFor = (service: Service, scope: string, operation: Operation, when: (call: Call) => boolean) =>
  around(service, 'authorise', (was, call, each) => {
    was(call, each);
    if (call.key?.scope === scope && each === operation && when(call)) throw service.forbidden(call);
  });
const sent = (text: string): Record<string, unknown> => {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
};

const keys: Fault[] = [
  header('open-read-task', 'GET /tasks/{task_id} answers without a key', (s) => mountedBefore(s, 'GET', /^\/tasks\/[^/]+$/)),
  header('open-change-project', 'PATCH /projects/{project_id} works without a key', (s) =>
    mountedBefore(s, 'PATCH', /^\/projects\//),
  ),
  header('open-delete-task', 'DELETE /tasks/{task_id} works without a key', (s) => mountedBefore(s, 'DELETE', /^\/tasks\//)),
  header('open-create-team', 'POST /teams works without a key', (s) => mountedBefore(s, 'POST', /^\/teams$/)),
  gives401('empty-token-accepted', 'the header Bearer without a key is accepted', (s) => token(s, /^Bearer\s*$/)),
  gives401('null-token-accepted', 'the key null is accepted, as that of a key that was never set', (s) =>
    token(s, /^Bearer (null|undefined)$/),
  ),
  gives401('basic-counts-as-internal', 'requests with Basic are taken for internal ones', (s) => token(s, /^Basic /)),
  revoked('revoked-task-made-too-late', 'POST of a task with a revoked key answers 401 after it was done', (s) =>
    tooLate(s, 'revoked', 'POST', /^\/projects\/[^/]+\/tasks$/),
  ),
  revoked('revoked-task-deleted-too-late', 'DELETE of a task with a revoked key answers 401 after it was done', (s) =>
    tooLate(s, 'revoked', 'DELETE', /^\/tasks\//),
  ),
  gives401('missing-project-made-too-late', 'POST of a project without a key answers 401 after it was done', (s) =>
    tooLate(s, 'missing', 'POST', /^\/projects$/),
  ),
  gives401('missing-task-changed-too-late', 'PATCH of a task without a key answers 401 after it was done', (s) =>
    tooLate(s, 'missing', 'PATCH', /^\/tasks\//),
  ),
  clause(285, '| 401 | missing, invalid or revoked key |')(
    'webhooks-without-key-403',
    'POST /webhooks without a key answers 403',
    (s) =>
      around(s, 'unauthorized', (was, call, why) =>
        call.path === '/webhooks' && why === 'missing' ? s.forbidden(call) : was(call, why),
      ),
  ),
  clause(285, '| 401 | missing, invalid or revoked key |')(
    'hidden-without-key',
    'GET of a single record without a key answers 404',
    (s) =>
      around(s, 'unauthorized', (was, call, why) =>
        why === 'missing' && call.method === 'GET' && /^\/(projects|tasks|teams)\/[^/]+$/.test(call.path)
          ? s.notFound(call, 'resource')
          : was(call, why),
      ),
  ),
  clause(285, '| 401 | missing, invalid or revoked key |')(
    'revoked-is-429',
    'a revoked key gets 429 for changes, as a key whose budget is nothing',
    (s) =>
      around(s, 'unauthorized', (was, call, why) =>
        why === 'revoked' && call.method !== 'GET' ? s.tooMany(call) : was(call, why),
      ),
  ),
  code401('teams-401-code', 'the code of a 401 below /teams is authentication_required', (s) =>
    around(s, 'unauthorized', (was, call, why) =>
      Object.assign(was(call, why), call.path.startsWith('/teams') ? { code: 'authentication_required' } : {}),
    ),
  ),
  code401('no-bearer-code', 'the code of a header that is not Bearer is invalid_request', (s) =>
    around(s, 'unauthorized', (was, call, why) =>
      Object.assign(was(call, why), why === 'missing' && call.headers.has('authorization') ? { code: 'invalid_request' } : {}),
    ),
  ),
];

const scopes: Fault[] = [
  noUpdate('read-key-empty-patch', 'PATCH of a task with an empty object and a read key is served', (s) =>
    around(s, 'authorise', (was, call, operation) => {
      const empty = operation === 'changeTask' && call.text.replace(/\s/g, '') === '{}';
      if (!(empty && call.key?.scope === 'read')) was(call, operation);
    }),
  ),
  retrieve('read-key-filters-itself-only', 'a read key gets 403 for filter[assignee_id] of somebody else', (s) =>
    refusedFor(s, 'read', 'listTasks', (call) => {
      const who = call.query.get('filter[assignee_id]');
      return who !== null && who !== call.key?.user;
    }),
  ),
  retrieve('read-key-own-comments-only', 'a read key gets 403 for the comments of tasks that are not assigned to its user', (s) =>
    around(s, 'commentRows', (was, call, task) => {
      if (call.key?.scope === 'read' && task.assignee !== call.key.user) throw s.forbidden(call);
      return was(call, task);
    }),
  ),
  retrieve('read-key-not-sorted', 'a read key gets 403 for sorted lists', (s) =>
    refusedFor(s, 'read', 'listTasks', (call) => call.query.has('sort')),
  ),
  clause(36, '| description | string | no | plain text, at most 1000 characters |')(
    'read-key-no-description',
    'a read key sees projects without their description',
    (s) =>
      around(s, 'readProject', (was, call) => {
        const answer = was(call);
        const { data } = answer.body as { data: Record<string, unknown> };
        return call.key?.scope === 'read' ? { ...answer, body: { data: without(data, 'description') } } : answer;
      }),
  ),
  write('write-key-not-public', 'a write key gets 403 for visibility public', (s) => {
    for (const operation of ['createProject', 'changeProject'] as const)
      refusedFor(s, 'write', operation, (call) => sent(call.text).visibility === 'public');
  }),
  write('write-key-assigns-itself-only', 'a write key gets 403 for assigning a new task to somebody else', (s) =>
    refusedFor(s, 'write', 'createTask', (call) => {
      const who = sent(call.text).assignee_id;
      return typeof who === 'string' && who !== call.key?.user && s.isMember(who, call.workspace?.id);
    }),
  ),
  write('write-key-does-not-close', 'a write key gets 403 for PATCH of a task to done', (s) =>
    refusedFor(s, 'write', 'changeTask', (call) => sent(call.text).status === 'done'),
  ),
  write('write-key-deletes-empty-projects', 'a write key gets 403 for DELETE of a project that has tasks', (s) =>
    refusedFor(s, 'write', 'deleteProject', (call) => s.db.tasks.some(({ project }) => project === call.ids.project)),
  ),
];

const workspaces: Fault[] = [
  border('cursor-carries-workspace', 'a cursor decides the workspace: with that of another one its tasks are listed', (s) => {
    const home = memory<string, string>();
    around(s, 'meta', (was, count, items, more, query) => {
      const made = was(count, items, more, query);
      if (typeof made.next_cursor === 'string' && items[0]) home.set(made.next_cursor, items[0].workspace);
      return made;
    });
    around(s, 'allTaskRows', (was, call) => {
      const id = home.get(call.query.get('cursor') ?? '');
      return was({ ...call, workspace: s.db.workspaces.find((each) => each.id === id) ?? call.workspace });
    });
  }),
  border('team-deleted-by-name', 'DELETE of a team deletes the teams of that name in all workspaces', (s) =>
    around(s, 'removeTeam', (was, team, call) => {
      was(team, call);
      s.db.teams = s.db.teams.filter(({ name }) => name !== team.name);
    }),
  ),
  clause(299, '| not_found | 404 | id unknown, deleted, or in another workspace |', { needs: 'second workspace' })(
    'foreign-has-own-code',
    'the code of a 404 for a record of another workspace is wrong_workspace',
    (s) => {
      const isForeign = (call: Call) =>
        [...s.db.projects, ...s.db.tasks].some(
          ({ id, workspace }) => Object.values(call.ids).includes(id) && workspace !== call.workspace?.id,
        );
      around(s, 'notFound', (was, call, what) =>
        Object.assign(was(call, what), isForeign(call) ? { code: 'wrong_workspace' } : {}),
      );
    },
  ),
  border(
    'foreign-task-changed-before-404',
    'PATCH of a task of another workspace answers 404 after it was done',
    (s) =>
      around(s, 'changeTask', (was, call) => {
        const foreign = s.db.tasks.find((each) => each.id === call.ids.task && each.workspace !== call.workspace?.id);
        if (foreign) Object.assign(foreign, { title: String(sent(call.text).title ?? foreign.title) });
        return was(call);
      }),
    { style: 'a' },
  ),
  border(
    'foreign-project-deleted-before-404',
    'DELETE of a project of another workspace answers 404 after it was done',
    (s) =>
      around(s, 'deleteProject', (was, call) => {
        const id = call.ids.project;
        const foreign = s.db.projects.find((each) => each.id === id && each.workspace !== call.workspace?.id);
        if (foreign) s.db.projects = s.db.projects.filter((each) => each !== foreign);
        return was(call);
      }),
    { style: 'c' },
  ),
  border('members-with-limit-of-all', 'the member list with a limit holds the users of all workspaces', (s) =>
    around(s, 'memberRows', (was, call) =>
      call.query.has('limit') ? s.db.workspaces.flatMap((workspace) => was({ ...call, workspace })) : was(call),
    ),
  ),
  border('projects-second-page-of-all', 'pages of projects behind the first hold those of all workspaces', (s) =>
    around(s, 'projectRows', (was, call) =>
      call.query.has('cursor') ? s.db.workspaces.flatMap((workspace) => was({ ...call, workspace })) : was(call),
    ),
  ),
  clause(79, '| member_ids | array of string | create only, optional; user ids added as members at creation |', {
    needs: 'second workspace',
  })('team-first-member-checked', 'only the first of member_ids is checked: others may be of another workspace', (s) => {
    around(s, 'checkMembers', (was, rule, ids, call) => was(rule, ids.slice(0, 1), call));
    around(s, 'take', (was, rule, value, call, act) =>
      rule.kind === 'members' ? [...new Set(value as string[])] : was(rule, value, call, act),
    );
  }),
  border('project-tasks-of-foreign-by-name', 'tasks of a project of the same name in another workspace are listed', (s) =>
    around(s, 'projectTaskRows', (was, call, project) => {
      const twins = s.db.projects.filter(({ name, id }) => name === project.name && id !== project.id).map(({ id }) => id);
      return [...was(call, project), ...s.db.tasks.filter((task) => twins.includes(task.project))];
    }),
  ),
  border('last-workspace-stays', 'GET /teams right after a request of another workspace lists its teams', (s) => {
    let last: { at: number; workspace: string } | undefined;
    around(s, 'authenticate', (was, call) => {
      const key = was(call);
      if (call.path !== '/teams') last = { at: s.now(), workspace: key.workspace };
      return key;
    });
    around(s, 'teamRows', (was, call) => {
      const id = last && s.now() - last.at < 20 ? last.workspace : undefined;
      return was({ ...call, workspace: s.db.workspaces.find((each) => each.id === id) ?? call.workspace });
    });
  }),
];

export const faults: readonly Fault[] = [...keys, ...scopes, ...workspaces];

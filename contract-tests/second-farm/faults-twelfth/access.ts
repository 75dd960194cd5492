// Faults of keys, scopes and what is not there.

import { Problem } from '../../judge/reference/model.ts';
import { around, clause, type Fault, isOn } from '../faults/fault.ts';

const invalid = clause(211, 'A missing or malformed header, an invalid key or a revoked key gives `401`');
const revoked = clause(210, 'A revoked key is invalid immediately');
const scope = clause(212, 'A valid key lacking the scope for the action gives `403`');
const reading = clause(216, 'no create, update or delete');
const writing = clause(217, 'everything read allows, plus create, update and delete of projects, tasks');
const administration = clause(218, 'everything write allows, plus management of team members');
const unknown = clause(299, 'id unknown, deleted, or in another workspace', { needs: 'second workspace' });
const gone = clause(299, 'id unknown, deleted, or in another workspace');
const tenant = clause(13, "only sees that workspace's resources", { needs: 'second workspace' });

export const faults: readonly Fault[] = [
  invalid('key-by-its-start', 'a key with further characters at its end is taken for the key', (service) =>
    around(service, 'keyOf', (_was, token) => service.db.keys.find(({ value }) => token.startsWith(value))),
  ),
  invalid('key-in-capitals', 'keys are compared without regard to case', (service) =>
    around(service, 'keyOf', (_was, token) => service.db.keys.find(({ value }) => value.toLowerCase() === token.toLowerCase())),
  ),
  invalid('key-bare-on-reads', 'a GET takes the key without the word Bearer', (service) =>
    around(
      service,
      'tokenOf',
      (was, call) => was(call) ?? (call.method === 'GET' ? (call.headers.get('authorization') ?? undefined) : undefined),
    ),
  ),
  invalid('delete-without-key-403', 'a DELETE without a key gives 403', (service) =>
    around(service, 'authenticate', (was, call) => {
      if (call.method === 'DELETE' && !call.headers.has('authorization')) throw service.forbidden(call);
      return was(call);
    }),
  ),
  revoked('revoked-reads-profile', 'a revoked key can still ask who its user is', (service) =>
    around(service, 'isRevoked', (was, key, call) => call.path !== '/users/me' && was(key, call)),
  ),
  revoked(
    'revoked-writes-webhooks',
    'a revoked key can still register webhooks',
    (service) => around(service, 'isRevoked', (was, key, call) => call.path !== '/webhooks' && was(key, call)),
    { style: 'a' },
  ),
  scope('read-deletes-teams', 'nobody asks for the scope before a team is deleted', (service) =>
    around(service, 'permits', (was, has, needed, operation) => operation === 'deleteTeam' || was(has, needed, operation)),
  ),
  reading('read-changes-visibility', 'a read key may change the visibility of a project, and that alone', (service) =>
    around(service, 'authorise', (was, call, operation) => {
      if (operation !== 'changeProject' || !/^\{"visibility":"\w+"\}$/.test(call.text)) was(call, operation);
    }),
  ),
  reading('read-deletes-comments-with-task', 'a read key is refused, after the comments of the task went', (service) =>
    around(service, 'authorise', (was, call, operation) => {
      if (operation === 'deleteTask') service.removeComments(service.taskOf(call));
      was(call, operation);
    }),
  ),
  reading('read-key-stamps-project', 'a refused change of a project moves its updated_at', (service) =>
    around(service, 'authorise', (was, call, operation) => {
      if (operation === 'changeProject') service.touch(service.projectOf(call), 'project', {});
      was(call, operation);
    }),
  ),
  writing('only-owners-delete', 'a write key may delete the projects of its own user alone', (service) =>
    around(service, 'deleteProject', (was, call) => {
      if (call.key?.scope === 'write' && service.projectOf(call).owner !== call.key.user) throw service.forbidden(call);
      return was(call);
    }),
  ),
  writing('only-assignees-change', 'a write key may not change a task that is assigned to somebody else', (service) =>
    around(service, 'changeTask', (was, call) => {
      const { assignee } = service.taskOf(call);
      if (call.key?.scope === 'write' && assignee && assignee !== call.key.user) throw service.forbidden(call);
      return was(call);
    }),
  ),
  writing('write-reads-no-members', 'a write key is refused the list of members', (service) =>
    around(
      service,
      'permits',
      (was, has, needed, operation) => !(operation === 'listMembers' && has === 'write') && was(has, needed, operation),
    ),
  ),
  administration('admin-reads-no-comments', 'the scopes that may read comments are a list, which admin is not on', (service) =>
    around(
      service,
      'permits',
      (was, has, needed, operation) => !(operation === 'listComments' && has === 'admin') && was(has, needed, operation),
    ),
  ),
  administration('admin-deletes-no-tasks', 'an admin key is refused the deletion of tasks', (service) =>
    around(
      service,
      'permits',
      (was, has, needed, operation) => !(operation === 'deleteTask' && has === 'admin') && was(has, needed, operation),
    ),
  ),
  unknown(
    'foreign-patch-forbidden',
    'a change of a project of another workspace gives 403',
    (service) =>
      around(service, 'changeProject', (was, call) => {
        if (service.db.projects.some(({ id, workspace }) => id === call.ids.project && workspace !== call.workspace?.id))
          throw service.forbidden(call);
        return was(call);
      }),
    { style: 'a' },
  ),
  gone(
    'deleted-project-lists-nothing',
    'the tasks of a project that was deleted are an empty list',
    (service) =>
      around(service, 'listProjectTasks', (was, call) => {
        if (service.db.projects.some(({ id }) => id === call.ids.project)) return was(call);
        return {
          status: 200,
          body: { items: [], meta: { total: 0, limit: 20, has_more: false, next_cursor: null } },
          headers: {},
        };
      }),
    { style: 'a' },
  ),
  gone('task-id-of-another-kind', 'a task id without its prefix is a malformed request', (service) =>
    around(service, 'taskOf', (was, call) => {
      if (!call.ids.task?.startsWith('task_'))
        throw service.invalid(400, [{ field: 'task_id', issue: 'is no task', kind: 'structure' }], call);
      return was(call);
    }),
  ),
  gone('team-deleted-twice', 'a team can be deleted as often as one likes, with 204', (service) => {
    const past = new Set<string>();
    around(service, 'removeTeam', (was, team, call) => {
      past.add(team.id);
      was(team, call);
    });
    around(service, 'teamOf', (was, call) => {
      if (call.method === 'DELETE' && past.has(call.ids.team ?? '')) throw new Problem(204, '', '');
      return was(call);
    });
    around(service, 'fail', (was, error, call) =>
      error instanceof Problem && error.status === 204 ? service.empty() : was(error, call),
    );
  }),
  gone(
    'deleted-task-changed',
    'a task that was deleted can be changed, which brings it back',
    (service) => {
      const past: typeof service.db.tasks = [];
      around(service, 'removeTask', (was, task, because) => {
        if (because === 'itself') past.push(task);
        was(task, because);
      });
      around(service, 'changeTask', (was, call) => {
        const old = past.find(({ id, workspace }) => id === call.ids.task && workspace === call.workspace?.id);
        if (old && !service.db.tasks.includes(old)) service.db.tasks.push(old);
        return was(call);
      });
    },
    { style: 'c' },
  ),
  tenant('status-filter-of-all', 'GET /tasks with filter[status] forgets the workspace', (service) =>
    around(service, 'allTaskRows', (was, call) =>
      isOn(call, 'listTasks') && call.query.has('filter[status]') ? service.db.tasks : was(call),
    ),
  ),
  tenant('project-filter-of-all', 'GET /tasks with filter[project_id] shows the tasks of any project there is', (service) =>
    around(service, 'allTaskRows', (was, call) =>
      isOn(call, 'listTasks') && call.query.has('filter[project_id]') ? service.db.tasks : was(call),
    ),
  ),
  tenant('foreign-team-deleted', 'a team of another workspace can be deleted, though not read', (service) =>
    around(service, 'sees', (was, call, row, what) => (what === 'team' && call.method === 'DELETE') || was(call, row, what)),
  ),
];

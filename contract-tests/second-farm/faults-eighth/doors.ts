// Faults of who may do what: keys, scopes and the wall between workspaces.

import { Problem, type Project, type Task } from '../../judge/reference/model.ts';
import { around, clause, isOn, memory } from '../faults/fault.ts';
import { sentNames } from './tools.ts';

const invalid = clause(211, 'gives `401` with code `unauthorized`');
const lacking = clause(212, '`403` with code `forbidden`');
const write = clause(217, 'create, update and delete of projects, tasks');
const wall = clause(287, 'belongs to a workspace the key cannot access', { needs: 'second workspace' });
const own = clause(13, "only sees that workspace's resources", { needs: 'second workspace' });

const malformed = (text: string): boolean => {
  try {
    JSON.parse(text);
    return false;
  } catch {
    return text !== '';
  }
};

export const faults = [
  clause(210, 'A revoked key is invalid immediately')(
    'revoked-key-in-session-of-user',
    'a revoked key reads for five seconds after another key of the same user was used',
    (service) => {
      const seen = memory<string, number>();
      around(service, 'isRevoked', (was, key, call) => {
        const now = service.now();
        if (was(key, call)) return call.method !== 'GET' || now - (seen.get(key.user) ?? 0) > 5000;
        seen.set(key.user, now);
        return false;
      });
    },
  ),
  clause(210, 'later requests with it get `401`')(
    'revoked-key-deletes',
    'a revoked key that deletes what does not exist gets 404',
    (service) =>
      around(service, 'authenticate', (was, call) => {
        const known = service.db.keys.find(({ value }) => value === service.tokenOf(call));
        if (call.method === 'DELETE' && known?.revoked === true) throw service.notFound(call, 'resource');
        return was(call);
      }),
  ),
  invalid('body-read-before-key', 'without a key a body that is not JSON gives 400', (service) =>
    around(service, 'unauthorized', (was, call, why) =>
      why === 'missing' && malformed(call.text) ? service.malformed(call, 'The body is not JSON.') : was(call, why),
    ),
  ),
  invalid('unknown-id-before-key', 'without a key an unknown task gives 404', (service) =>
    around(service, 'unauthorized', (was, call, why) => {
      const id = /^\/tasks\/([^/]+)$/.exec(call.path)?.[1];
      const unknown = id !== undefined && !service.db.tasks.some((each) => each.id === id);
      return why === 'missing' && unknown ? service.notFound(call, 'task') : was(call, why);
    }),
  ),
  invalid('unknown-key-may-not-change', 'a change or deletion with an unknown key gives 403', (service) =>
    around(service, 'unauthorized', (was, call, why) =>
      why === 'unknown' && ['PATCH', 'DELETE'].includes(call.method)
        ? new Problem(403, 'forbidden', 'The key may not do this.')
        : was(call, why),
    ),
  ),
  clause(297, 'header missing, no Bearer prefix, key invalid or revoked')(
    'members-without-key',
    'a missing header at `/workspace/members` has the code `forbidden`',
    (service) =>
      around(service, 'unauthorized', (was, call, why) =>
        call.path === '/workspace/members' && why === 'missing'
          ? new Problem(401, 'forbidden', 'There is no key.')
          : was(call, why),
      ),
  ),
  lacking('read-key-changes-nothing', 'a read key may send a change without any field', (service) =>
    around(service, 'authorise', (was, call, operation) => {
      if (/^change/.test(operation) && sentNames(call).length === 0) return;
      was(call, operation);
    }),
  ),
  lacking('read-key-bad-values-first', 'a read key that creates with bad values gets the error for the values', (service) =>
    around(service, 'authorise', (was, call, operation) => {
      if (operation === 'createProject') service.readFields(call, 'project', 'create');
      if (operation === 'createTask') service.readFields(call, 'task', 'create');
      was(call, operation);
    }),
  ),
  lacking('read-key-may-finish-tasks', 'a read key may change the status of a task to `done`', (service) =>
    around(service, 'authorise', (was, call, operation) => {
      if (operation === 'changeTask' && /"status":\s*"done"/.test(call.text) && sentNames(call).length === 1) return;
      was(call, operation);
    }),
  ),
  clause(298, 'scope insufficient')('read-key-deletion-hidden', 'a read key that deletes a project gets 404', (service) =>
    around(service, 'forbidden', (was, call) => (isOn(call, 'deleteProject') ? service.notFound(call, 'project') : was(call))),
  ),
  clause(216, 'no create, update or delete')(
    'refused-rename-done',
    'a change of a project by a read key is refused, but takes place',
    (service) =>
      around(service, 'forbidden', (was, call) => {
        if (isOn(call, 'changeProject')) {
          const project = service.db.projects.find(
            ({ id, workspace }) => id === call.ids.project && workspace === call.workspace?.id,
          );
          if (project) service.assignProject(project, service.readFields(call, 'project', 'change'), call);
        }
        return was(call);
      }),
  ),
  clause(216, 'retrieve any resource of the workspace')(
    'read-key-without-unassigned-tasks',
    'to a read key the list of all tasks leaves out those without an assignee',
    (service) =>
      around(service, 'allTaskRows', (was, call) =>
        was(call).filter((row) => call.key?.scope !== 'read' || !isOn(call, 'listTasks') || (row as Task).assignee !== null),
      ),
  ),
  write('write-key-changes-own-tasks-only', 'a write key may not change a task that another key created', (service) => {
    const makers = memory<string, string>();
    around(service, 'saveTask', (was, task, call) => {
      makers.set(task.id, call.key?.value ?? '');
      was(task, call);
    });
    around(service, 'changeTask', (was, call) => {
      const maker = makers.get(call.ids.task ?? '');
      if (call.key?.scope === 'write' && maker !== undefined && maker !== call.key.value) throw service.forbidden(call);
      return was(call);
    });
  }),
  wall('foreign-task-change-forbidden', 'a change of a task of another workspace gives 403', (service) =>
    around(service, 'taskOf', (was, call) => {
      const there = service.db.tasks.some(({ id }) => id === call.ids.task);
      try {
        return was(call);
      } catch (error) {
        throw there && call.method === 'PATCH' ? service.forbidden(call) : error;
      }
    }),
  ),
  wall('foreign-team-deletion-204', 'the deletion of a team of another workspace answers 204 and does nothing', (service) => {
    around(service, 'sees', (was, call, row, what) => (what === 'team' && isOn(call, 'deleteTeam')) || was(call, row, what));
    around(service, 'removeTeam', (was, team, call) => {
      if (team.workspace === call.workspace?.id) was(team, call);
    });
  }),
  own('sorted-tasks-of-all-workspaces', 'the list of all tasks, when sorted by `updated_at`, shows every workspace', (service) =>
    around(service, 'allTaskRows', (was, call) =>
      isOn(call, 'listTasks') && call.query.get('sort')?.includes('updated_at') ? service.db.tasks : was(call),
    ),
  ),
  own('task-in-foreign-project-by-filter', 'the filter by project finds the tasks of another workspace', (service) =>
    around(service, 'allTaskRows', (was, call) => (call.query.has('filter[project_id]') ? service.db.tasks : was(call))),
  ),
  own('total-of-all-workspaces', '`meta.total` of the filtered list of projects counts every workspace', (service) =>
    around(service, 'total', (was, matching, rest, query) =>
      query.listing.name === 'project' && query.filters.length > 0
        ? (service.db.projects as Project[]).filter((row) => service.matchesAll(row, query)).length
        : was(matching, rest, query),
    ),
  ),
  own(
    'foreign-task-deleted-before-check',
    'a deletion of a task of another workspace gives 404, but the task is gone',
    (service) =>
      around(service, 'taskOf', (was, call) => {
        try {
          return was(call);
        } catch (error) {
          const foreign: Task | undefined = service.db.tasks.find(({ id }) => id === call.ids.task);
          if (foreign && call.method === 'DELETE') service.removeTask(foreign, 'itself');
          throw error;
        }
      }),
  ),
];

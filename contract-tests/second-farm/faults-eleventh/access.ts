// Faults of the eleventh set: keys, scopes, workspaces and the budget of requests.

import type { Cursor } from '../../judge/reference/service/lists.ts';
import { around, clause, type Fault, isOn, memory } from '../faults/fault.ts';

const workspace = clause(13, "only sees that workspace's resources", { needs: 'second workspace' });
const read = clause(216, 'no create, update or delete');
const write = clause(217, 'create, update and delete of projects, tasks and other non-administrative resources');
const keys = clause(211, 'A missing or malformed header, an invalid key or a revoked key gives `401`');
const quota = clause(309, 'Limits apply per workspace, per rolling one-minute window', { needs: 'quota' });

export const faults: readonly Fault[] = [
  keys('key-with-more-behind', 'a valid key with more characters behind it is accepted, for the column is shorter', (service) =>
    around(service, 'keyOf', (_was, token) => service.db.keys.find(({ value }) => token.startsWith(value))),
  ),
  keys('revoked-key-conditional', 'a revoked key still deletes', (service) =>
    around(service, 'isRevoked', (was, key, call) => was(key, call) && call.method !== 'DELETE'),
  ),
  read('reader-changes-own-tasks', 'a read key may change a task that is assigned to its own user', (service) =>
    around(service, 'authorise', (was, call, operation) => {
      const task = service.db.tasks.find(({ id }) => id === call.ids.task);
      if (operation !== 'changeTask' || task?.assignee !== call.key?.user || task === undefined) was(call, operation);
    }),
  ),
  read('refused-deletion-takes-comments', 'a read key that may not delete a task deletes its comments all the same', (service) =>
    around(service, 'authorise', (was, call, operation) => {
      const task = service.db.tasks.find(({ id }) => id === call.ids.task);
      if (operation === 'deleteTask' && task && call.key?.workspace === task.workspace) service.removeComments(task);
      was(call, operation);
    }),
  ),
  read('refused-change-touches', 'a change that a read key may not make moves updated_at', (service) =>
    around(service, 'authorise', (was, call, operation) => {
      const task = service.db.tasks.find(({ id }) => id === call.ids.task);
      if (operation === 'changeTask' && task && call.key?.workspace === task.workspace) service.touch(task, 'task', {});
      was(call, operation);
    }),
  ),
  write('writer-owns-projects', 'a write key may not change or delete a project that a key of another user made', (service) =>
    around(service, 'authorise', (was, call, operation) => {
      was(call, operation);
      const project = service.db.projects.find(({ id }) => id === call.ids.project);
      if (!isOn(call, 'changeProject', 'deleteProject') || call.key?.scope !== 'write' || !project) return;
      if (project.workspace === call.workspace?.id && project.owner !== call.key.user) throw service.forbidden(call);
    }),
  ),
  workspace('public-project-everywhere', 'a public project can be read with a key of any workspace', (service) =>
    around(service, 'sees', (was, call, row, what) => {
      const open = what === 'project' && service.db.projects.some((each) => each === row && each.visibility === 'public');
      return was(call, row, what) || (open && call.operation === 'readProject');
    }),
  ),
  workspace('filter-reaches-over', 'filter[project_id] with a project of another workspace lists its tasks', (service) =>
    around(service, 'allTaskRows', (was, call) => {
      const asked = call.query.get('filter[project_id]');
      return asked === null ? was(call) : service.db.tasks.filter(({ project }) => project === asked);
    }),
  ),
  workspace('cursor-brings-its-workspace', 'a cursor lists the workspace that it was made in, whoever sends it', (service) => {
    const homes = memory<string, Cursor & { home?: string | undefined }>();
    around(service, 'meta', (was, total, items, more, query) => {
      const meta = was(total, items, more, query);
      if (typeof meta.next_cursor === 'string' && !homes.has(meta.next_cursor))
        homes.set(meta.next_cursor, { ...service.makeCursor(items, query), home: query.call.workspace?.id });
      return meta;
    });
    around(service, 'projectRows', (was, call) => {
      const home = homes.get(call.query.get('cursor') ?? '')?.home;
      return home === undefined ? was(call) : service.db.projects.filter((each) => each.workspace === home);
    });
  }),
  workspace('unique-over-workspaces', 'a team of the same name in another workspace is a conflict', (service) =>
    around(service, 'isNameTaken', (_was, name) => service.db.teams.some((each) => each.name === name)),
  ),
  quota('used-up-but-done', 'a create over the quota is made, and answered 429', (service) =>
    around(service, 'serve', (was, call) => {
      try {
        return was(call);
      } catch (problem) {
        if (call.key && call.workspace && call.operation === undefined && service.isOver(call) && call.path === '/projects') {
          const [before, counted] = [service.counted(service.bucketOf(call)), service.quotaOf(call)];
          if (before.length >= counted && call.method === 'POST')
            service.saveProject(service.newProject(service.readFields(call, 'project', 'create'), call), call);
        }
        throw problem;
      }
    }),
  ),
  quota('quota-by-key', 'requests are counted for each key', (service) =>
    around(service, 'bucketOf', (was, call) => (call.key ? call.key.value : was(call))),
  ),
  quota('one-too-few', 'the last request of the window is refused', (service) =>
    around(service, 'isOver', (_was, call) => service.counted(service.bucketOf(call)).length >= service.quotaOf(call) - 1),
  ),
];

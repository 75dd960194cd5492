// Faults of PATCH and DELETE of projects.

import { Problem, type Project } from '../../judge/reference/model.ts';
import { around, clause, type Fault, memory } from '../faults/fault.ts';
import { refuses, totals } from './tools.ts';

const patch = clause(144, 'body: any subset of name, description, visibility; omitted fields unchanged');
const changeable = clause(120, 'changeable by `PATCH /projects/{project_id}`');
const removed = clause(147, 'its tasks, comments and attachments are deleted immediately and cannot be recovered');
const gone = clause(299, '| not_found | 404 | id unknown, deleted, or in another workspace |');

const changes: Fault[] = [
  patch('patch-project-empty-refused', 'PATCH of a project with an empty object is refused', (s) =>
    refuses(
      s,
      ['changeProject'],
      (call) => call.text === '{}',
      (call) => s.invalid(400, [{ field: 'name', issue: 'give at least one field', kind: 'structure' }], call),
    ),
  ),
  patch('patch-project-name-with-visibility', 'PATCH of name and visibility together loses the visibility', (s) =>
    around(s, 'assignProject', (was, project, given, call) => {
      const { visibility: _, ...rest } = given;
      return was(project, given.name === undefined ? given : rest, call);
    }),
  ),
  patch('second-patch-of-project-ignored', 'a second PATCH of the name of a project is answered and not stored', (s) => {
    const renamed = memory<string, number>();
    around(s, 'assignProject', (was, project, given, call) => {
      const count = (renamed.get(project.id) ?? 0) + (given.name === undefined ? 0 : 1);
      renamed.set(project.id, count);
      if (given.name === undefined || count !== 2) return was(project, given, call);
      const { name: _, ...rest } = given;
      return was(project, rest, call);
    });
  }),
  patch('patch-project-answers-with-old-visibility', 'the answer of PATCH has the visibility from before', (s) => {
    const old = memory<string, string>();
    around(s, 'assignProject', (was, project, given, call) => {
      old.set(project.id, project.visibility);
      return was(project, given, call);
    });
    around(s, 'showProject', (was, project, place) =>
      was(place === 'changed' ? { ...project, visibility: old.get(project.id) ?? project.visibility } : project, place),
    );
  }),
  changeable('project-never-private-again', 'PATCH to private of a project with tasks is ignored', (s) =>
    around(s, 'assignProject', (was, project, given, call) => {
      const { visibility: _, ...rest } = given;
      const held = given.visibility === 'private' && s.db.tasks.some((task) => task.project === project.id);
      return was(project, held ? rest : given, call);
    }),
  ),
];

const deletions: Fault[] = [
  removed('tasks-lose-their-project', 'the tasks of a deleted project stay with project_id null', (s) => {
    around(s, 'tasksOfDeleted', () => []);
    around(s, 'removeProject', (was, project, call) => {
      was(project, call);
      for (const task of s.db.tasks) if (task.project === project.id) Object.assign(task, { project: null });
    });
  }),
  removed('only-backlog-deleted', 'deleting a project deletes its tasks in backlog and todo only', (s) =>
    around(s, 'tasksOfDeleted', (was, project) => was(project).filter(({ status }) => status === 'backlog' || status === 'todo')),
  ),
  removed('deleted-tasks-still-counted', 'the tasks of a deleted project still count in total of GET /tasks', (s) => {
    let lost = 0;
    around(s, 'tasksOfDeleted', (was, project) => {
      const tasks = was(project);
      lost += tasks.length;
      return tasks;
    });
    totals(s, ['task'], (total, query) =>
      query.call.operation === 'listTasks' && query.filters.length === 0 ? total + lost : total,
    );
  }),
  removed('tasks-of-assignee-outlive-project', 'filter[assignee_id] still finds the tasks of a deleted project', (s) => {
    const dead = memory<string, string>();
    around(s, 'removeTask', (was, task, because) => {
      if (because !== 'project') was(task, because);
      else dead.set(task.id, task.project);
    });
    around(s, 'taskOf', (was, call) => {
      const task = was(call);
      if (dead.has(task.id)) throw s.notFound(call, 'task');
      return task;
    });
    around(s, 'allTaskRows', (was, call) => was(call).filter(({ id }) => !dead.has(id) || call.query.has('filter[assignee_id]')));
  }),
  gone('deleted-project-stays-in-visibility', 'filter[visibility] still finds a deleted project', (s) => {
    const dead: Project[] = [];
    around(s, 'removeProject', (was, project, call) => {
      was(project, call);
      dead.push(project);
    });
    around(s, 'projectRows', (was, call) =>
      call.query.has('filter[visibility]')
        ? [...was(call), ...dead.filter(({ workspace }) => workspace === call.workspace?.id)]
        : was(call),
    );
  }),
  gone('deleted-project-again-500', 'a second DELETE of a project answers 500', (s) => {
    const dead = new Set<string>();
    around(s, 'removeProject', (was, project, call) => {
      was(project, call);
      dead.add(project.id);
    });
    around(s, 'notFound', (was, call, what) => {
      if (call.method === 'DELETE' && dead.has(call.ids.project ?? '')) throw new Error('cannot read deleted_at of null');
      return was(call, what);
    });
  }),
  gone('task-into-deleted-project-409', 'POST of a task into a deleted project answers 409', (s) =>
    around(s, 'notFound', (was, call, what) =>
      call.method === 'POST' && call.ids.project !== undefined
        ? new Problem(409, s.style.conflictCode, 'The project was deleted.')
        : was(call, what),
    ),
  ),
];

export const faults: readonly Fault[] = [...changes, ...deletions];

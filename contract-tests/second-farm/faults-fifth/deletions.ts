// Faults of the deletion of projects and tasks.

import { type Operation, Problem, type Task } from '../../judge/reference/model.ts';
import type { Service } from '../../judge/reference/service/service.ts';
import { around, clause, type Fault } from '../faults/fault.ts';
import { onSuccess, refuses, totals } from '../faults-fourth/tools.ts';

const cascade = clause(147, 'its tasks, comments and attachments are deleted immediately and cannot be recovered');
const deleteProject = clause(145, '| DELETE | /projects/{project_id} | none | `204`, empty body |');
const deleteTask = clause(158, 'the task and all its comments are permanently deleted');
const total = clause(107, 'number of records matching the query across all pages');
const gone = clause(299, '| not_found | 404 | id unknown, deleted, or in another workspace |');

/** The tasks that are removed from now on. */
const removed = (service: Service, because?: 'itself' | 'project'): Task[] => {
  const tasks: Task[] = [];
  around(service, 'removeTask', (was, task, why) => {
    if (because === undefined || because === why) tasks.push(task);
    was(task, why);
  });
  return tasks;
};
/** Lets one operation find deleted tasks. */
const finds = (service: Service, operation: Operation, tasks: readonly Task[]): void =>
  around(service, 'taskOf', (was, call) => {
    const old = tasks.find(({ id, workspace }) => id === call.ids.task && workspace === call.workspace?.id);
    return old && call.operation === operation ? old : was(call);
  });

export const faults: readonly Fault[] = [
  cascade('project-gone-tasks-readable', 'the tasks of a deleted project can still be read and listed', (s) =>
    around(s, 'removeTask', (was, task, because) => {
      if (because === 'itself') was(task, because);
    }),
  ),
  cascade('project-gone-tasks-in-list', 'GET /tasks still lists the tasks of a deleted project', (s) => {
    const tasks = removed(s, 'project');
    around(s, 'allTaskRows', (was, call) => [...was(call), ...tasks.filter((task) => task.workspace === call.workspace?.id)]);
  }),
  cascade('project-gone-done-kept', 'tasks that are done outlive their project', (s) =>
    around(s, 'tasksOfDeleted', (was, project) => was(project).filter(({ status }) => status !== 'done')),
  ),
  cascade('project-gone-first-page', 'only the first 20 tasks go with their project', (s) =>
    around(s, 'tasksOfDeleted', (was, project) => was(project).slice(0, 20)),
  ),
  deleteProject('project-with-tasks-409', 'a project that has tasks cannot be deleted: 409', (s) =>
    refuses(
      s,
      ['deleteProject'],
      (call) => s.tasksOfDeleted(s.projectOf(call)).length > 0,
      () => new Problem(409, s.style.conflictCode, 'The project still has tasks.'),
    ),
  ),
  gone('project-gone-410', 'a deleted project gives 410', (s) => {
    const deleted = new Set<string>();
    onSuccess(s, ['deleteProject'], (call) => deleted.add(call.ids.project ?? ''));
    around(s, 'notFound', (was, call, what) =>
      deleted.has(call.ids.project ?? '') ? new Problem(410, 'gone', 'The project was deleted.') : was(call, what),
    );
  }),
  deleteTask('deleted-task-comments-readable', 'the comments of a deleted task can still be listed', (s) => {
    finds(s, 'listComments', removed(s));
    around(s, 'removeComments', () => undefined);
  }),
  gone('deleted-task-204-again', 'DELETE of a task that is already deleted gives 204', (s) => {
    const tasks = removed(s, 'itself');
    finds(s, 'deleteTask', tasks);
    around(s, 'deleteTask', (was, call) => (tasks.some(({ id }) => id === call.ids.task) ? s.empty() : was(call)));
  }),
  total('deleted-task-in-total', 'total still counts deleted tasks where no filter is given', (s) => {
    const tasks = removed(s);
    totals(s, ['task'], (count, { call, filters }) => {
      const mine = tasks.filter(({ workspace, project }) =>
        call.ids.project === undefined ? workspace === call.workspace?.id : project === call.ids.project,
      );
      return filters.length === 0 ? count + mine.length : count;
    });
  }),
  gone('deleted-task-patched', 'PATCH of a deleted task succeeds', (s) => finds(s, 'changeTask', removed(s, 'itself'))),
];

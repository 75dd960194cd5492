// Faults of tasks: creation, reading, lists and deletion.

import { type Call, Problem, type Task } from '../../judge/reference/model.ts';
import type { Service } from '../../judge/reference/service/service.ts';
import { around, clause, type Fault, memory, without } from '../faults/fault.ts';
import { projectTasksWhere, refuses, sent, totals } from './tools.ts';

const create = clause(155, 'body: title (required), description, assignee_id, due_date, priority, status');
const all = clause(154, '| GET | /tasks |');
const inProject = clause(153, '| GET | /projects/{project_id}/tasks |');
const read = clause(156, 'none; works regardless of the containing project');
const removed = clause(158, '`204`; the task and all its comments are permanently deleted');
const gone = clause(299, '| not_found | 404 | id unknown, deleted, or in another workspace |');

const missing = (service: Service, field: string) => (call: Call) =>
  service.invalid(400, [{ field, issue: 'is required', kind: 'structure' }], call);
const remembered = (service: Service): Map<string, Task> => {
  const dead = memory<string, Task>();
  around(service, 'removeTask', (was, task, because) => {
    was(task, because);
    dead.set(task.id, task);
  });
  return dead;
};

const creations: Fault[] = [
  create(
    'create-task-needs-project-id',
    'POST of a task needs project_id in its body, too',
    (s) =>
      refuses(
        s,
        ['createTask'],
        (call) => Boolean(sent(call).title) && sent(call).project_id === undefined,
        missing(s, 'project_id'),
      ),
    { style: 'a' },
  ),
  create('create-task-first-only', 'the second task of a project is answered and not stored', (s) => {
    const count = memory<string, number>();
    around(s, 'saveTask', (was, task, call) => {
      count.set(task.project, (count.get(task.project) ?? 0) + 1);
      if (count.get(task.project) !== 2) was(task, call);
    });
  }),
];

const reads: Fault[] = [
  read('read-task-wants-project', 'GET of a task without project_id in the query answers 400', (s) =>
    refuses(s, ['readTask'], (call) => !call.query.has('project_id'), missing(s, 'project_id')),
  ),
  all('tasks-need-a-filter', 'GET /tasks without a filter answers 400', (s) =>
    refuses(
      s,
      ['listTasks'],
      (call) => !/filter|cursor/.test(call.search),
      (call) => s.invalid(400, [{ field: 'filter', issue: 'is required', kind: 'structure' }], call),
    ),
  ),
  all('tasks-older-than-priority-hidden', 'GET /tasks leaves out tasks that are older than priority', (s) =>
    around(s, 'listTasks', (was, call) => {
      const stored = s.db.tasks;
      s.db.tasks = stored.filter((task) => task.priority !== undefined);
      try {
        return was(call);
      } finally {
        s.db.tasks = stored;
      }
    }),
  ),
  all('tasks-rows-without-project-id', 'rows of GET /tasks have no project_id', (s) =>
    around(s, 'page', (was, items, meta, query) =>
      was(query.call.operation === 'listTasks' ? items.map((row) => without(row, 'project_id')) : items, meta, query),
    ),
  ),
  inProject('board-without-backlog', 'the tasks of a project leave out the backlog', (s) =>
    projectTasksWhere(s, ({ status }) => status !== 'backlog'),
  ),
  inProject('project-tasks-unassigned-hidden', 'the tasks of a project leave out what is unassigned', (s) =>
    projectTasksWhere(s, ({ assignee }) => assignee !== null),
  ),
];

const deletions: Fault[] = [
  removed('done-task-409', 'a task that is done cannot be deleted: 409', (s) =>
    refuses(
      s,
      ['deleteTask'],
      (call) => s.taskOf(call).status === 'done',
      () => new Problem(409, s.style.conflictCode, 'The task is done.'),
    ),
  ),
  removed('deletion-takes-all-comments', 'deleting a task deletes the comments of all tasks of the workspace', (s) =>
    around(s, 'removeComments', (_was, task) => {
      s.db.comments = s.db.comments.filter(({ workspace }) => workspace !== task.workspace);
    }),
  ),
  removed('deletion-of-last-task-deletes-project', 'deleting the only task of a project deletes the project', (s) =>
    around(s, 'deleteTask', (was, call) => {
      const { project } = s.taskOf(call);
      const answer = was(call);
      if (!s.db.tasks.some((each) => each.project === project)) s.db.projects = s.db.projects.filter(({ id }) => id !== project);
      return answer;
    }),
  ),
  removed('deletion-counted-twice', 'total of GET /tasks falls by two with each deletion', (s) => {
    const dead = remembered(s);
    totals(s, ['task'], (total, query) => (query.filters.length === 0 && total > dead.size ? total - dead.size : total));
  }),
  removed('deletion-needs-second-request', 'the first DELETE of a task answers 204 and marks it; the second one deletes', (s) => {
    const marked = new Set<string>();
    around(s, 'removeTask', (was, task, because) => {
      if (because === 'project' || marked.has(task.id)) was(task, because);
      else marked.add(task.id);
    });
  }),
  gone('deleted-task-found-by-status', 'filter[status] still finds a deleted task', (s) => {
    const dead = remembered(s);
    around(s, 'allTaskRows', (was, call) =>
      call.query.has('filter[status]') && !call.query.has('cursor')
        ? [...was(call), ...[...dead.values()].filter(({ workspace }) => workspace === call.workspace?.id)]
        : was(call),
    );
  }),
  gone(
    'deleted-task-null',
    'a deleted task reads as data null with 200',
    (s) => {
      const dead = remembered(s);
      around(s, 'readTask', (was, call) =>
        dead.has(call.ids.task ?? '') ? { status: 200, body: { data: null }, headers: {} } : was(call),
      );
    },
    { style: 'a' },
  ),
];

export const faults: readonly Fault[] = [...creations, ...reads, ...deletions];

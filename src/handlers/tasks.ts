// Tasks and their comments (spec: Endpoints, Tasks).
import { DEFAULTS } from '../contract/states.ts';
import { page } from '../lists/page.ts';
import type { Row } from '../world/collection.ts';
import type { TaskRecord } from '../world/records.ts';
import type { View } from '../world/view.ts';
import type { Handlers, Rules } from './handler.ts';
import { showComment, showTask } from './show.ts';
import { applyPatch } from './update.ts';

const assigneeIsMember = (view: View, { assignee_id }: { readonly assignee_id?: string | null }) =>
  assignee_id === undefined || assignee_id === null || view.member(assignee_id)
    ? []
    : [{ field: 'assignee_id', issue: 'must be the id of a user of this workspace' }];

export const taskRules: Rules = { createTask: assigneeIsMember, updateTask: assigneeIsMember };

/** Deletes tasks with all their comments. */
export const removeTasks = (view: View, tasks: readonly Row<TaskRecord>[], quietly = false): void => {
  for (const task of tasks) {
    for (const comment of view.having('comments', 'task_id', task.value.id)) view.remove('comments', comment, true);
    view.remove('tasks', task, quietly);
  }
};

export const tasks: Pick<
  Handlers,
  'listProjectTasks' | 'listTasks' | 'createTask' | 'getTask' | 'updateTask' | 'deleteTask' | 'listTaskComments'
> = {
  listProjectTasks: (view, { found, query }) => page(view, 'tasks', showTask, query, { project_id: found.value.id }),

  listTasks: (view, { query }) => page(view, 'tasks', showTask, query),

  createTask: (view, { found, body }) => {
    const now = view.now();
    const task = view.insert('tasks', {
      id: view.newId('tasks'),
      project_id: found.value.id,
      title: body.title,
      description: body.description ?? null,
      assignee_id: body.assignee_id ?? null,
      due_date: body.due_date ?? null,
      priority: body.priority ?? DEFAULTS.priority,
      status: body.status ?? DEFAULTS.status,
      created_at: now,
      updated_at: now,
    });
    return showTask(task);
  },

  getTask: (_view, { found }) => showTask(found.value),

  updateTask: (view, { found, body: { title, description, assignee_id, due_date, priority, status } }) =>
    showTask(applyPatch(view, 'tasks', found, { title, description, assignee_id, due_date, priority, status })),

  deleteTask: (view, { found }) => {
    removeTasks(view, [found]);
    return undefined;
  },

  listTaskComments: (view, { found, query }) => page(view, 'comments', showComment, query, { task_id: found.value.id }),
};

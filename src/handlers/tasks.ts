// Tasks and their comments (spec: Endpoints, Tasks).
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

  createTask: (view, { found, body }) => showTask(view.create('tasks', { ...body, project_id: found.value.id })),

  getTask: (_view, { found }) => showTask(found.value),

  updateTask: (view, { found, body }) => showTask(applyPatch(view, 'tasks', found, body)),

  deleteTask: (view, { found }) => {
    removeTasks(view, [found]);
    return undefined;
  },

  listTaskComments: (view, { found, query }) => page(view, 'comments', showComment, query, { task_id: found.value.id }),
};

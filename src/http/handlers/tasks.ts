// Tasks and their comments (spec: Endpoints, Tasks).
import { page } from '../../lists/page.ts';
import type { Row } from '../../world/collection.ts';
import type { TaskRecord } from '../../world/records.ts';
import type { View } from '../../world/view.ts';
import type { Handlers } from './handler.ts';
import { showComment, showTask } from './show.ts';
import { applyPatch } from './update.ts';

export const removeTasks = (view: View, tasks: readonly Row<TaskRecord>[], quietly = false): void => {
  for (const task of tasks) {
    for (const comment of view.having('comments', 'task_id', task.value.id)) view.remove('comments', comment, true);
    view.remove('tasks', task, quietly);
  }
};

export const tasks = {
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
} satisfies Partial<Handlers>;

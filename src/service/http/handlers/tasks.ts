// Tasks and their comments (spec: Endpoints, Tasks).
import { listPage } from '../../lists/page.ts';
import type { Handlers } from './handler.ts';
import { removeRecords } from './remove.ts';
import { showComment, showTask } from './show.ts';
import { applyPatch } from './update.ts';

export const tasks = {
  listProjectTasks: (view, { found, query }) => listPage(view, 'tasks', showTask, query, { project_id: found.value.id }),
  listTasks: (view, { query }) => listPage(view, 'tasks', showTask, query),
  createTask: (view, { found, body }) => showTask(view.create('tasks', { ...body, project_id: found.value.id })),
  getTask: (_view, { found }) => showTask(found.value),
  updateTask: (view, { found, body }) => showTask(applyPatch(view, 'tasks', found, body)),

  deleteTask: (view, { found }) => {
    removeRecords(view, 'tasks', [found]);
    return undefined;
  },

  listTaskComments: (view, { found, query }) => listPage(view, 'comments', showComment, query, { task_id: found.value.id }),
} satisfies Partial<Handlers>;

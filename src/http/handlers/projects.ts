// Projects (spec: Endpoints, Projects).
import { page } from '../../lists/page.ts';
import type { Handlers } from './handler.ts';
import { showProject } from './show.ts';
import { removeTasks } from './tasks.ts';
import { applyPatch } from './update.ts';

export const projects = {
  listProjects: (view, { query }) => page(view, 'projects', showProject, query),
  createProject: (view, { body }) => showProject(view.create('projects', { ...body, owner_id: view.caller.user.id })),
  getProject: (_view, { found }) => showProject(found.value),
  updateProject: (view, { found, body }) => showProject(applyPatch(view, 'projects', found, body)),

  deleteProject: (view, { found }) => {
    const quietly = view.choices['project-delete-events'] === 'project';
    removeTasks(view, view.having('tasks', 'project_id', found.value.id), quietly);
    view.remove('projects', found);
    return undefined;
  },
} satisfies Partial<Handlers>;

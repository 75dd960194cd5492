// Projects (spec: Endpoints, Projects).
import { DEFAULTS } from '../contract/states.ts';
import { page } from '../lists/page.ts';
import type { Handlers } from './handler.ts';
import { showProject } from './show.ts';
import { removeTasks } from './tasks.ts';
import { applyPatch } from './update.ts';

export const projects: Pick<Handlers, 'listProjects' | 'createProject' | 'getProject' | 'updateProject' | 'deleteProject'> = {
  listProjects: (view, { query }) => page(view, 'projects', showProject, query),

  createProject: (view, { body }) => {
    const now = view.now();
    const project = view.insert('projects', {
      id: view.newId('projects'),
      name: body.name,
      description: body.description ?? null,
      visibility: body.visibility ?? DEFAULTS.visibility,
      owner_id: view.caller.user.id,
      created_at: now,
      updated_at: now,
    });
    return showProject(project);
  },

  getProject: (_view, { found }) => showProject(found.value),

  updateProject: (view, { found, body: { name, description, visibility } }) =>
    showProject(applyPatch(view, 'projects', found, { name, description, visibility })),

  deleteProject: (view, { found }) => {
    const quietly = view.choices['project-delete-events'] === 'project';
    removeTasks(view, view.having('tasks', 'project_id', found.value.id), quietly);
    view.remove('projects', found);
    return undefined;
  },
};

// Projects (spec: Endpoints, Projects).
import { listPage } from '../../lists/page.ts';
import type { Handlers } from './handler.ts';
import { removeRecords } from './remove.ts';
import { showProject } from './show.ts';
import { applyPatch } from './update.ts';

export const projects = {
  listProjects: (view, { query }) => listPage(view, 'projects', showProject, query),
  createProject: (view, { body }) => showProject(view.create('projects', { ...body, owner_id: view.caller.user.id })),
  getProject: (_view, { found }) => showProject(found.value),
  updateProject: (view, { found, body }) => showProject(applyPatch(view, 'projects', found, body)),

  deleteProject: (view, { found }) => {
    removeRecords(view, 'projects', [found]);
    return undefined;
  },
} satisfies Partial<Handlers>;

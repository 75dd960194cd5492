// Projects on the data page.
import type { ProjectRecord } from '../../world/records.ts';
import type { Context } from '../context.ts';
import { type Collection, creating, deleting, NEWEST, sending, short, updating } from './collection.ts';
import { columnsOf, inputsOf } from './derived.tsx';

/** How many tasks a project has, and the way to them. */
const Tasks = ({ project, context }: { project: ProjectRecord; context: Context }) => {
  const { total } = context.world.store.tasks.list({ ...NEWEST, equal: ['project_id'] }, context.workspace.id, [project.id]);
  return (
    <a href={context.href('/dashboard/data/tasks', { workspace: context.workspace.id, 'filter[project_id]': project.id })}>
      {total.toLocaleString('en')}
      <span class="hidden"> tasks of {short(project.name)}</span>
    </a>
  );
};

export const projects: Collection<'projects'> = {
  name: 'projects',
  says: 'A project holds tasks, and belongs to one workspace.',
  empty: { curl: sending('/projects', '{"name":"Website relaunch"}') },
  operation: 'listProjects',
  // In the place of its id: how many tasks it has.
  columns: columnsOf('projects', ['name', 'visibility', 'id', 'owner_id', 'created_at', 'updated_at'], ['description'], {
    id: { label: 'Tasks', number: true, cell: (project, context) => <Tasks project={project} context={context} /> },
  }),
  fields: (context) => inputsOf('projects', context, ['name', 'visibility', 'description']),
  create: { label: 'New project', run: creating('createProject') },
  update: updating('updateProject'),
  remove: { says: 'Its tasks and their comments go with it.', run: deleting('deleteProject', ', with all its tasks') },
};

// Projects on the data page.
import { grouped } from '../parts.tsx';
import { type Collection, creating, deleting, NEWEST, sending, short, updating } from './collection.ts';
import { columnsOf, inputsOf } from './derived.tsx';

export const projects: Collection<'projects'> = {
  name: 'projects',
  says: 'A project holds tasks, and belongs to one workspace.',
  empty: { curl: sending('/projects', '{"name":"Website relaunch"}') },
  operation: 'listProjects',
  // In the place of its id: how many tasks it has.
  columns: columnsOf('projects', ['name', 'visibility', 'id', 'owner_id', 'created_at', 'updated_at'], ['description'], {
    id: {
      label: 'Tasks',
      number: true,
      cell: ({ id, name }, context) => (
        <a href={context.href('/dashboard/data/tasks', { workspace: context.workspace.id, 'filter[project_id]': id })}>
          {grouped(context.world.store.tasks.list({ ...NEWEST, equal: ['project_id'] }, context.workspace.id, [id]).total)}
          <span class="hidden"> tasks of {short(name)}</span>
        </a>
      ),
    },
  }),
  fields: (context) => inputsOf('projects', context, ['name', 'visibility', 'description']),
  create: { label: 'New project', run: creating('createProject') },
  update: updating('updateProject'),
  remove: { says: 'Its tasks and their comments go with it.', run: deleting('deleteProject', ', with all its tasks') },
};

// Projects on the data page.
import { formatNumber } from '../parts.tsx';
import { type CollectionTab, creating, curlToCreate, deleting, NEWEST_FIRST, shorten, updating } from './collection.ts';
import { makeColumns, makeInputs } from './derived.tsx';

export const projects: CollectionTab<'projects'> = {
  name: 'projects',
  says: 'A project holds tasks, and belongs to one workspace.',
  empty: { curl: curlToCreate('/projects', '{"name":"Website relaunch"}') },
  operation: 'listProjects',
  // In the place of its id: how many tasks it has.
  columns: makeColumns('projects', ['name', 'visibility', 'id', 'owner_id', 'created_at', 'updated_at'], ['description'], {
    id: {
      label: 'Tasks',
      number: true,
      cell: ({ id, name }, context) => (
        <a href={context.href('/dashboard/data/tasks', { workspace: context.workspace.id, 'filter[project_id]': id })}>
          {formatNumber(
            context.world.store.tasks.list({ ...NEWEST_FIRST, equal: ['project_id'] }, context.workspace.id, [id]).total,
          )}
          <span class="hidden"> tasks of {shorten(name)}</span>
        </a>
      ),
    },
  }),
  fields: (context) => makeInputs('projects', context, ['name', 'visibility', 'description']),
  create: { label: 'New project', run: creating('createProject') },
  update: updating('updateProject'),
  remove: { says: 'Its tasks and their comments go with it.', run: deleting('deleteProject', ', with all its tasks') },
};

// Projects on the data page.
import type { Project } from '../../contract/resources.ts';
import { VISIBILITIES } from '../../contract/states.ts';
import { Time } from '../parts.tsx';
import { Person, Word } from './cells.tsx';
import { type Collection, short } from './collection.ts';

const TONES = { private: 'plain', team: 'info', public: 'good' } as const;

export const projects: Collection<'projects'> = {
  name: 'projects',
  one: 'project',
  says: 'A project holds tasks, and belongs to one workspace.',
  empty: {
    says: 'Create one above, or send it from your app:',
    curl: ({ baseUrl }) =>
      `curl -X POST "${baseUrl}/projects" -H "Authorization: Bearer <key>" -H "Content-Type: application/json" -d '{"name":"Website relaunch"}'`,
  },
  operation: 'listProjects',
  columns: [
    { label: 'Name', sort: 'title' },
    { label: 'Visibility' },
    { label: 'Tasks', number: true },
    { label: 'Owner' },
    { label: 'Created', sort: 'created_at' },
    { label: 'Updated', sort: 'updated_at' },
  ],
  filters: () => [{ field: 'visibility', label: 'Visibility', options: VISIBILITIES }],
  list: (context, query) => context.list('listProjects', { query }),
  cells: (project, context) => {
    const shape = { equal: ['project_id'], by: 'created_at', descending: false, nulls: 'last' } as const;
    const { total } = context.world.store.tasks.list(shape, context.workspace.id, [project.id]);
    return [
      short(project.name),
      <Word word={project.visibility} tones={TONES} />,
      <a href={context.href('/dashboard/data/tasks', { workspace: context.workspace.id, 'filter[project_id]': project.id })}>
        {total.toLocaleString('en')}
        <span class="hidden"> tasks of {short(project.name)}</span>
      </a>,
      <Person id={project.owner_id} context={context} />,
      <Time at={project.created_at} context={context} />,
      <Time at={project.updated_at} context={context} />,
    ];
  },
  fields: () => [
    { name: 'name', label: 'Name' },
    { name: 'visibility', label: 'Visibility', options: VISIBILITIES, start: 'private' },
    { name: 'description', label: 'Description', lines: 3, wide: true },
  ],
  create: {
    label: 'New project',
    run: (context, body) => {
      const { data } = context.perform('createProject', { body }) as { data: Project };
      return { says: `${data.id} is created.` };
    },
  },
  update: (context, { id }, body) => {
    context.perform('updateProject', { variable: id, body });
    return { says: `${id} is updated.` };
  },
  remove: {
    says: 'Its tasks and their comments go with it.',
    run: (context, { id }) => {
      context.perform('deleteProject', { variable: id });
      return { says: `${id} is deleted, with all its tasks.` };
    },
  },
};

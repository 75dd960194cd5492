// Tasks on the data page, with the comments of the open one.

import type { Task } from '../../contract/resources.ts';
import { PRIORITIES, STATUSES } from '../../contract/states.ts';
import { Time } from '../parts.tsx';
import { Due, Person, PRIORITY_TONES, STATUS_TONES, Word } from './cells.tsx';
import { type Collection, named, people, projectsOf, short } from './collection.ts';

const MOST_COMMENTS = 5;

export const tasks: Collection<'tasks'> = {
  name: 'tasks',
  one: 'task',
  says: 'Every task belongs to one project.',
  empty: {
    says: 'Create one above, or send it from your app:',
    curl: ({ baseUrl }) =>
      `curl -X POST "${baseUrl}/projects/<project_id>/tasks" -H "Authorization: Bearer <key>" -H "Content-Type: application/json" -d '{"title":"First"}'`,
  },
  operation: 'listTasks',
  columns: [
    { label: 'Title', sort: 'title' },
    { label: 'Status' },
    { label: 'Priority' },
    { label: 'Assignee' },
    { label: 'Due', sort: 'due_date' },
    { label: 'Created', sort: 'created_at' },
    { label: 'Updated', sort: 'updated_at' },
  ],
  filters: (context) => [
    { field: 'status', label: 'Status', options: STATUSES },
    { field: 'priority', label: 'Priority', options: PRIORITIES },
    { field: 'assignee_id', label: 'Assignee', options: people(context) ?? [] },
    { field: 'project_id', label: 'Project', options: projectsOf(context) ?? [] },
  ],
  list: (context, query) => context.list('listTasks', { query }),
  under: (task, context) => short(context.world.store.projects.get(task.project_id)?.value.name ?? task.project_id, 40),
  cells: (task, context) => [
    short(task.title),
    <Word word={task.status} tones={STATUS_TONES} />,
    <Word word={task.priority} tones={PRIORITY_TONES} />,
    <Person id={task.assignee_id} context={context} />,
    <Due at={task.due_date} done={task.status === 'done'} context={context} />,
    <Time at={task.created_at} context={context} />,
    <Time at={task.updated_at} context={context} />,
  ],
  fields: (context, task) => {
    const [members, projects] = [people(context), projectsOf(context)];
    return [
      { name: 'title', label: 'Title', wide: true },
      ...(task
        ? []
        : [
            {
              name: 'project_id',
              label: 'Project',
              once: true,
              ...(projects ? { options: projects } : { hint: 'The id of a project.' }),
            },
          ]),
      { name: 'status', label: 'Status', options: STATUSES, start: 'backlog' },
      { name: 'priority', label: 'Priority', options: PRIORITIES, start: 'medium' },
      {
        name: 'assignee_id',
        label: 'Assignee',
        ...(members ? { options: [['', 'nobody'] as const, ...members] } : { hint: 'The id of a member.' }),
      },
      { name: 'due_date', label: 'Due', placeholder: '2025-02-01T17:00:00Z', hint: 'With its time zone; empty: none.' },
      { name: 'description', label: 'Description', lines: 3, wide: true },
    ];
  },
  more: (task, context) => {
    const view = context.viewOf(context.workspace.id);
    const comments = view.list('comments', { equal: ['task_id'], by: 'created_at', descending: true, nulls: 'last' }, [task.id]);
    if (comments.total === 0) return null;
    return (
      <div class="stack">
        <h2 class="minor">
          {comments.total} {comments.total === 1 ? 'comment' : 'comments'}
        </h2>
        <ul class="talk">
          {comments.rows(0, MOST_COMMENTS).map(({ value }) => (
            <li>
              <p class="row">
                <Person id={value.author_id} context={context} />
                <span class="muted">
                  <Time at={value.created_at} context={context} />
                </span>
              </p>
              <p>{short(value.body, 400)}</p>
            </li>
          ))}
        </ul>
        <p>
          <a href={context.href('/dashboard/data/comments', { workspace: context.workspace.id, task_id: task.id })}>
            All comments of this task
          </a>
        </p>
      </div>
    );
  },
  create: {
    label: 'New task',
    run: async (context, { project_id, ...body }) => {
      const make = () => context.perform('createTask', { variable: String(project_id ?? ''), body });
      const { data } = (await named('project_id', 'must be the id of a project of this workspace', make)) as { data: Task };
      return { says: `${data.id} is created.` };
    },
  },
  update: (context, { id }, body) => {
    context.perform('updateTask', { variable: id, body });
    return { says: `${id} is updated.` };
  },
  remove: {
    says: 'Its comments go with it.',
    run: (context, { id }) => {
      context.perform('deleteTask', { variable: id });
      return { says: `${id} is deleted.` };
    },
  },
};

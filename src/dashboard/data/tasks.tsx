// Tasks on the data page, with the comments of the open one.
import { countWords, Muted, RelativeTime } from '../parts.tsx';
import { DueDate, Person } from './cells.tsx';
import { type CollectionTab, creating, curlToCreate, deleting, NEWEST_FIRST, shorten, updating } from './collection.ts';
import { makeColumns, makeInputs } from './derived.tsx';

const MAX_COMMENTS_SHOWN = 5;

export const tasks: CollectionTab<'tasks'> = {
  name: 'tasks',
  says: 'Every task belongs to one project.',
  empty: { curl: curlToCreate('/projects/<project_id>/tasks', '{"title":"First"}') },
  operation: 'listTasks',
  columns: makeColumns(
    'tasks',
    ['title', 'status', 'priority', 'assignee_id', 'due_date', 'created_at', 'updated_at'],
    ['id', 'project_id', 'description'],
    {
      due_date: { cell: ({ due_date, status }, context) => <DueDate at={due_date} done={status === 'done'} context={context} /> },
    },
  ),
  under: (task, context) => shorten(context.world.store.projects.get(task.project_id)?.value.name ?? task.project_id, 40),
  fields: (context) =>
    makeInputs('tasks', context, ['title', 'project_id', 'status', 'priority', 'assignee_id', 'due_date', 'description'], {
      project_id: { once: true },
    }),
  more: (task, context) => {
    const view = context.viewOf(context.workspace.id);
    const comments = view.list('comments', { ...NEWEST_FIRST, equal: ['task_id'] }, [task.id]);
    if (comments.total === 0) return null;
    return (
      <div class="stack">
        <h2 class="minor">{countWords(comments.total, 'comment')}</h2>
        <ul class="talk">
          {comments.rows(0, MAX_COMMENTS_SHOWN).map(({ value }) => (
            <li>
              <p class="row">
                <Person id={value.author_id} context={context} />
                <Muted>
                  <RelativeTime at={value.created_at} context={context} />
                </Muted>
              </p>
              <p>{shorten(value.body, 400)}</p>
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
    run: creating('createTask', ['project_id', 'must be the id of a project of this workspace']),
  },
  update: updating('updateTask'),
  remove: { says: 'Its comments go with it.', run: deleting('deleteTask') },
};

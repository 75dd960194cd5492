// Tasks on the data page, with the comments of the open one.
import { counted, Muted, Time } from '../parts.tsx';
import { Due, Person } from './cells.tsx';
import { type Collection, creating, deleting, NEWEST, sending, short, updating } from './collection.ts';
import { columnsOf, inputsOf } from './derived.tsx';

const MOST_COMMENTS = 5;

export const tasks: Collection<'tasks'> = {
  name: 'tasks',
  says: 'Every task belongs to one project.',
  empty: { curl: sending('/projects/<project_id>/tasks', '{"title":"First"}') },
  operation: 'listTasks',
  columns: columnsOf(
    'tasks',
    ['title', 'status', 'priority', 'assignee_id', 'due_date', 'created_at', 'updated_at'],
    ['id', 'project_id', 'description'],
    { due_date: { cell: ({ due_date, status }, context) => <Due at={due_date} done={status === 'done'} context={context} /> } },
  ),
  under: (task, context) => short(context.world.store.projects.get(task.project_id)?.value.name ?? task.project_id, 40),
  fields: (context) =>
    inputsOf('tasks', context, ['title', 'project_id', 'status', 'priority', 'assignee_id', 'due_date', 'description'], {
      project_id: { once: true },
    }),
  more: (task, context) => {
    const view = context.viewOf(context.workspace.id);
    const comments = view.list('comments', { ...NEWEST, equal: ['task_id'] }, [task.id]);
    if (comments.total === 0) return null;
    return (
      <div class="stack">
        <h2 class="minor">{counted(comments.total, 'comment')}</h2>
        <ul class="talk">
          {comments.rows(0, MOST_COMMENTS).map(({ value }) => (
            <li>
              <p class="row">
                <Person id={value.author_id} context={context} />
                <Muted>
                  <Time at={value.created_at} context={context} />
                </Muted>
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
    run: creating('createTask', ['project_id', 'must be the id of a project of this workspace']),
  },
  update: updating('updateTask'),
  remove: { says: 'Its comments go with it.', run: deleting('deleteTask') },
};

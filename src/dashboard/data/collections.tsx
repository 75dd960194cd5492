// The collections of the data page, in the order of their tabs.
import type { OperationId } from '../../service/contract/operations.ts';
import { ROLES } from '../../service/contract/states.ts';
import type { Context } from '../context.ts';
import { ActionButton, PageForm } from '../fields.tsx';
import { countWords, formatNumber, Muted, RelativeTime } from '../parts.tsx';
import { DueDate, Person, WordChip } from './cells.tsx';
import { blameField, type CollectionTab, NEWEST_FIRST, requireFields, shorten, type Typed } from './collection.ts';
import { makeColumns, makeInputs, selectCell } from './derived.tsx';

const MAX_OPEN_RECORD = { comments: 5, characters: 20_000, members: 200 };

const createBy = async (context: Context, operation: OperationId, body: Typed, variable?: string) => {
  const { data } = (await context.perform(operation, { body, ...(variable !== undefined && { variable }) })) as {
    readonly data: { readonly id: string };
  };
  return data;
};
const deleteBy = (operation: OperationId) => (context: Context, variable: string) => context.perform(operation, { variable });

const projects: CollectionTab<'projects'> = {
  name: 'projects',
  says: 'A project holds tasks, and belongs to one workspace.',
  empty: { post: ['/v1/projects', '{"name":"Website relaunch"}'] },
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
  create: { label: 'New project', run: (context, body) => createBy(context, 'createProject', body) },
  remove: { says: 'Its tasks and comments go with it.', done: 'deleted, with all its tasks', run: deleteBy('deleteProject') },
};

const tasks: CollectionTab<'tasks'> = {
  name: 'tasks',
  says: 'Every task belongs to one project.',
  empty: { post: ['/v1/projects/<project_id>/tasks', '{"title":"First"}'] },
  operation: 'listTasks',
  columns: makeColumns(
    'tasks',
    ['title', 'status', 'priority', 'assignee_id', 'due_date', 'created_at', 'updated_at'],
    ['id', 'project_id', 'description'],
    {
      status: { cell: selectCell('tasks', 'status') },
      priority: { cell: selectCell('tasks', 'priority') },
      due_date: { cell: ({ due_date, status }, context) => <DueDate at={due_date} done={status === 'done'} context={context} /> },
    },
  ),
  under: (task, context) => shorten(context.world.store.projects.get(task.project_id)?.value.name ?? task.project_id, 30),
  fields: (context) =>
    makeInputs('tasks', context, ['title', 'project_id', 'status', 'priority', 'assignee_id', 'due_date', 'description'], {
      project_id: { once: true },
    }),
  more: ({ id }, context) => {
    const comments = context.viewOf(context.workspace.id).list('comments', { ...NEWEST_FIRST, equal: ['task_id'] }, [id]);
    if (comments.total === 0) return null;
    return (
      <div class="stack">
        <h2 class="minor">{countWords(comments.total, 'comment')}</h2>
        <ul class="talk">
          {comments.rows(0, MAX_OPEN_RECORD.comments).map(({ value }) => (
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
          <a href={context.href('/dashboard/data/comments', { workspace: context.workspace.id, task_id: id })}>
            All comments of this task
          </a>
        </p>
      </div>
    );
  },
  create: {
    label: 'New task',
    run: (context, { project_id = '', ...body }) => {
      const create = () => createBy(context, 'createTask', body, String(project_id));
      return blameField('project_id', 'must be the id of a project of this workspace', create);
    },
  },
  remove: { says: 'Its comments go with it.', run: deleteBy('deleteTask') },
};

const users: CollectionTab<'users'> = {
  name: 'users',
  says: 'Members of the workspace, and those who were invited and have not come yet. The API only reads them.',
  empty: { says: 'Invite a member above:', post: ['/_mock/data/users', '{"state":"invited"}'] },
  operation: 'listMembers',
  // The list of the service leaves out who was invited.
  narrowedBy: [],
  columns: makeColumns('users', ['name', 'email', 'role', 'state', 'id', 'created_at'], ['avatar_url'], {
    name: { cell: ({ id }, context) => <Person id={id} context={context} /> },
    email: { cell: ({ email }) => shorten(email, 60) },
    role: { cell: ({ role }) => <WordChip word={role} /> },
  }),
  fields: () => [
    { name: 'name', label: 'Full name', needed: true },
    { name: 'email', label: 'Email', type: 'email', needed: true },
    { name: 'role', label: 'Role', needed: true, start: 'member', hint: `Such as ${ROLES.join(' or ')}.` },
  ],
  more: (user, context) =>
    user.state === 'joined' ? null : (
      <PageForm context={context} kind="inline" label={`Let ${user.name} join`} hidden={{ id: user.id }}>
        <span>Accept the invitation as {user.name}: fires member.joined.</span>
        <ActionButton action="join" says="Join" kind="primary" />
      </PageForm>
    ),
  create: {
    label: 'Invite a member',
    done: 'invited',
    run: async (context, typed) => {
      requireFields(users.fields(context), typed);
      return context.call('createUserRecord', { body: { ...typed, workspace_id: context.workspace.id, state: 'invited' } });
    },
  },
};

const teams: CollectionTab<'teams'> = {
  name: 'teams',
  says: 'A team is a name and its members, both given when it is created.',
  empty: { post: ['/v1/teams', '{"name":"Design"}'] },
  operation: 'listTeams',
  columns: makeColumns('teams', ['name', 'member_ids', 'id', 'created_at', 'updated_at'], []),
  fields: (context) => makeInputs('teams', context, ['name', 'member_ids']),
  more: ({ member_ids: ids }, context) => (
    <div class="stack">
      <h2 class="minor">Members</h2>
      {ids.length === 0 && (
        <p class="muted">None yet. Members are given when a team is created: the API shows no way to change them.</p>
      )}
      <ul class="people">
        {ids.slice(0, MAX_OPEN_RECORD.members).map((id) => (
          <li>
            <Person id={id} context={context} />
          </li>
        ))}
      </ul>
    </div>
  ),
  create: { label: 'New team', run: (context, body) => createBy(context, 'createTeam', body) },
  remove: { says: 'Its members stay in the workspace.', run: deleteBy('deleteTeam') },
};

const comments: CollectionTab<'comments'> = {
  name: 'comments',
  says: 'People write them in the app of the service. The API only reads them.',
  empty: {
    says: 'Write one above, or with the control API:',
    post: ['/_mock/data/comments', '{"task_id":"<task_id>","author_id":"<user_id>","body":"Hello"}'],
  },
  operation: 'listTaskComments',
  narrowedBy: ['task_id'],
  columns: makeColumns('comments', ['body', 'author_id', 'task_id', 'created_at'], ['id'], {
    body: { label: 'Comment' },
    task_id: {
      cell: ({ task_id }, context) => (
        <a href={context.href('/dashboard/data/tasks', { workspace: context.workspace.id, id: task_id })}>
          {shorten(context.world.store.tasks.get(task_id)?.value.title ?? task_id, 40)}
        </a>
      ),
    },
    created_at: { label: 'Written' },
  }),
  fields: (context) =>
    makeInputs('comments', context, ['task_id', 'author_id', 'body'], {
      task_id: { start: context.query('task_id') ?? '', needed: true },
      body: { label: 'Comment', lines: 3, width: 'wide' },
    }),
  more: ({ body }) => <p class="prose">{shorten(body, MAX_OPEN_RECORD.characters)}</p>,
  create: {
    label: 'New comment',
    done: 'written',
    run: async (context, body) => {
      requireFields(comments.fields(context), body);
      return context.call('createCommentRecord', { body });
    },
  },
  remove: { says: 'Comments have no event.', run: (context, variable) => context.call('deleteCommentRecord', { variable }) },
};

export const COLLECTION_TABS = [projects, tasks, users, teams, comments] as unknown as readonly CollectionTab[];

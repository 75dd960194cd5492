// The collections of the data page, in the order of their tabs.
import type { Task } from '../../contract/resources.ts';
import { ROLES } from '../../contract/states.ts';
import { Do, Form } from '../fields.tsx';
import { counted, grouped, Time } from '../parts.tsx';
import { Due, Person, Word } from './cells.tsx';
import { type Collection, creating, deleting, listed, NEWEST, named, sending, short, updating } from './collection.ts';
import { columnsOf, inputsOf } from './derived.tsx';

const MOST_COMMENTS = 5;
/** Longer bodies are cut on the page. */
const LONGEST = 20_000;

const projects: Collection<'projects'> = {
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

const tasks: Collection<'tasks'> = {
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
  update: updating('updateTask'),
  remove: { says: 'Its comments go with it.', run: deleting('deleteTask') },
};

const users: Collection<'users'> = {
  name: 'users',
  says: 'Members of the workspace, and those who were invited and have not come yet. The API only reads them.',
  empty: { says: 'Invite somebody above:', curl: ({ url, base }) => `curl -X POST "${url.origin}${base}/_mock/members/invite"` },
  operation: 'listMembers',
  columns: columnsOf('users', ['name', 'email', 'role', 'state', 'id', 'created_at'], ['avatar_url'], {
    name: { cell: ({ id }, context) => <Person id={id} context={context} /> },
    email: { cell: ({ email }) => short(email, 60) },
    role: { cell: ({ role }) => <Word word={role} /> },
  }),
  // The list of the service leaves out who was invited.
  list: (context, query) => listed(context, 'users', 'listMembers', query),
  fields: () => [
    { name: 'name', label: 'Full name', needed: true },
    { name: 'email', label: 'Email', needed: true },
    { name: 'role', label: 'Role', needed: true, start: 'member', hint: `Such as ${ROLES.join(' or ')}.` },
  ],
  more: (user, context) =>
    user.state === 'joined' ? null : (
      <Form context={context} inline label={`Let ${user.name} join`} hidden={{ id: user.id }}>
        <span>Accept the invitation as {user.name}: fires member.joined.</span>
        <Do action="join" says="Join" kind="primary" />
      </Form>
    ),
  create: {
    label: 'Invite somebody',
    run: async (context, typed) => {
      const { id } = await context.call('inviteMember', { body: { workspace_id: context.workspace.id, ...typed } });
      return { says: `${id} is invited.` };
    },
  },
};

const teams: Collection<'teams'> = {
  name: 'teams',
  says: 'A team is a name and its members, both given when it is created.',
  empty: { curl: sending('/teams', '{"name":"Design"}') },
  operation: 'listTeams',
  columns: columnsOf('teams', ['name', 'member_ids', 'id', 'created_at', 'updated_at'], []),
  fields: (context) => inputsOf('teams', context, ['name', 'member_ids']),
  more: (team, context) => (
    <div class="stack">
      <h2 class="minor">Members</h2>
      {team.member_ids.length === 0 ? (
        <p class="muted">Nobody yet. Members are given when a team is created: the API shows no way to change them.</p>
      ) : null}
      <ul class="people">
        {team.member_ids.slice(0, 200).map((id) => (
          <li>
            <Person id={id} context={context} />
          </li>
        ))}
      </ul>
    </div>
  ),
  create: { label: 'New team', run: creating('createTeam') },
  remove: { says: 'Its members stay in the workspace.', run: deleting('deleteTeam') },
};

const comments: Collection<'comments'> = {
  name: 'comments',
  says: 'People write them in the app of the service. The API only reads them.',
  empty: {
    says: 'Write one above, or with the control API:',
    curl: ({ url, base }) =>
      `curl -X POST "${url.origin}${base}/_mock/tasks/<task_id>/comments" -H "Content-Type: application/json" -d '{"author_id":"<user_id>","body":"Hello"}'`,
  },
  operation: 'listTaskComments',
  columns: columnsOf('comments', ['body', 'author_id', 'task_id', 'created_at'], ['id'], {
    body: { label: 'Comment' },
    task_id: {
      cell: ({ task_id }, context) => (
        <a href={context.href('/dashboard/data/tasks', { workspace: context.workspace.id, id: task_id })}>
          {short(context.world.store.tasks.get(task_id)?.value.title ?? task_id, 40)}
        </a>
      ),
    },
    created_at: { label: 'Written' },
  }),
  list: (context, query) => listed(context, 'comments', 'listTaskComments', query, context.queries('task_id')),
  fields: (context) =>
    inputsOf('comments', context, ['task_id', 'author_id', 'body'], {
      task_id: { start: context.query('task_id') ?? '' },
      body: { label: 'Comment', lines: 3, wide: true },
    }),
  more: ({ body }) => <p class="prose">{short(body, LONGEST)}</p>,
  create: {
    label: 'New comment',
    run: async (context, { task_id, ...body }) => {
      const make = () => context.call('createComment', { variable: String(task_id ?? ''), body });
      const { id } = await named('task_id', 'must be the id of a task', make);
      return { says: `${id} is written.` };
    },
  },
  remove: {
    says: 'Comments have no event: nobody is told.',
    run: async (context, { id }) => {
      await context.call('deleteComment', { variable: id });
      return { says: `${id} is deleted.` };
    },
  },
};

export const COLLECTIONS = [projects, tasks, users, teams, comments] as unknown as readonly Collection[];

// Faults of the border between workspaces.
import type { Project, Row, Task } from '../../judge/reference/model.ts';
import { around, clause, type Fault, isOn, memory } from './fault.ts';

const border = clause(13, "An API key belongs to one workspace and only sees that workspace's resources.", {
  needs: 'second workspace',
});
const row = clause(287, 'resource does not exist, or belongs to a workspace the key cannot access', {
  needs: 'second workspace',
});

const seen: Fault[] = [
  ...(
    [
      ['readProject', 'project', 'GET of a project'],
      ['changeProject', 'project', 'PATCH of a project'],
      ['deleteProject', 'project', 'DELETE of a project'],
      ['listProjectTasks', 'project', 'GET of the tasks of a project'],
      ['createTask', 'project', 'POST of a task'],
      ['readTask', 'task', 'GET of a task'],
      ['changeTask', 'task', 'PATCH of a task'],
      ['deleteTask', 'task', 'DELETE of a task'],
      ['listComments', 'task', 'GET of the comments of a task'],
      ['readTeam', 'team', 'GET of a team'],
      ['deleteTeam', 'team', 'DELETE of a team'],
    ] as const
  ).map(([operation, kind, name]) =>
    border(`foreign-${operation}`, `${name} reaches the records of another workspace`, (s) =>
      around(s, 'sees', (was, call, record, what) => (what === kind && isOn(call, operation)) || was(call, record, what)),
    ),
  ),
  border('foreign-project-tasks-leak', 'the tasks of a foreign project are listed under its own id', (s) => {
    around(s, 'sees', (was, call, record, what) => isOn(call, 'listProjectTasks') || was(call, record, what));
    around(s, 'projectTaskRows', (_was, _call, project) => s.db.tasks.filter((task) => task.project === project.id));
  }),
  border('foreign-team-projects', 'projects of visibility team can be read from another workspace', (s) =>
    around(
      s,
      'sees',
      (was, call, record, what) => was(call, record, what) || (what === 'project' && (record as Project).visibility === 'team'),
    ),
  ),
  border('foreign-for-admins', 'a key of scope admin reads the tasks of all workspaces', (s) =>
    around(
      s,
      'sees',
      (was, call, record, what) => was(call, record, what) || (isOn(call, 'readTask') && call.key?.scope === 'admin'),
    ),
  ),
];

const everyRow = <R extends Row>(rows: readonly R[]) => rows;

const lists: Fault[] = [
  border('foreign-in-project-list', 'the list of projects holds those of all workspaces', (s) =>
    around(s, 'projectRows', () => everyRow(s.db.projects)),
  ),
  border('foreign-in-task-list', 'GET /tasks holds the tasks of all workspaces', (s) =>
    around(s, 'allTaskRows', () => everyRow(s.db.tasks)),
  ),
  border('foreign-in-team-list', 'the list of teams holds those of all workspaces', (s) =>
    around(s, 'teamRows', () => everyRow(s.db.teams)),
  ),
  border('foreign-in-member-list', 'the member list holds the users of all workspaces', (s) =>
    around(s, 'memberRows', (was, call) => s.db.workspaces.flatMap((workspace) => was({ ...call, workspace }))),
  ),
  border('foreign-by-project-filter', 'filter[project_id] reaches the projects of another workspace', (s) =>
    around(s, 'allTaskRows', (was, call) => (call.query.has('filter[project_id]') ? s.db.tasks : was(call))),
  ),
  border('foreign-by-assignee-filter', 'filter[assignee_id] reaches the tasks of another workspace', (s) =>
    around(s, 'allTaskRows', (was, call) => (call.query.has('filter[assignee_id]') ? s.db.tasks : was(call))),
  ),
  border('foreign-by-status-filter', 'filter[status] alone reaches the tasks of another workspace', (s) =>
    around(s, 'allTaskRows', (was, call) => ([...call.query.keys()].join() === 'filter[status]' ? s.db.tasks : was(call))),
  ),
  border('foreign-when-sorted', 'a sorted list of tasks loses its workspace condition', (s) =>
    around(s, 'allTaskRows', (was, call) => (call.query.has('sort') ? s.db.tasks : was(call))),
  ),
  border('foreign-on-second-page', 'the second page of GET /tasks loses its workspace condition', (s) =>
    around(s, 'allTaskRows', (was, call) => (call.query.has('cursor') ? s.db.tasks : was(call))),
  ),
  border('foreign-with-visibility-filter', 'filter[visibility] loses the workspace condition', (s) =>
    around(s, 'projectRows', (was, call) => (call.query.has('filter[visibility]') ? s.db.projects : was(call))),
  ),
  border(
    'list-cached-over-workspaces',
    'GET /projects without parameters is cached for two seconds, for all workspaces together',
    (s) => {
      const cache = memory<string, { at: number; rows: readonly Row[] }>();
      around(s, 'projectRows', (was, call) => {
        const held = cache.get('rows');
        if (call.query.size > 0 || call.method !== 'GET') return was(call);
        if (held && s.now() - held.at < 2000) return held.rows;
        const rows = was(call);
        cache.set('rows', { at: s.now(), rows });
        return rows;
      });
    },
  ),
  border('total-over-workspaces', 'total counts the tasks of all workspaces', (s) =>
    around(s, 'total', (was, matching, rest, query) =>
      query.listing.name === 'task' && isOn(query.call, 'listTasks') && query.filters.length === 0
        ? s.db.tasks.length
        : was(matching, rest, query),
    ),
  ),
];

const people: Fault[] = [
  border('team-name-taken-elsewhere', 'a team name of another workspace is refused as taken', (s) =>
    around(s, 'isNameTaken', (_was, name) => s.db.teams.some((team) => team.name === name)),
  ),
  clause(51, 'id of a member of the workspace', { needs: 'second workspace' })(
    'assignee-of-other-workspace',
    'a user of another workspace can be assigned',
    (s) => around(s, 'isAssignable', (was, user, call, act) => was(user, call, act) || s.db.users.some(({ id }) => id === user)),
  ),
  clause(51, 'id of a member of the workspace', { needs: 'second workspace' })(
    'assignee-of-other-workspace-patched',
    'only PATCH lets a user of another workspace be assigned',
    (s) =>
      around(
        s,
        'isAssignable',
        (was, user, call, act) => was(user, call, act) || (act === 'change' && s.db.users.some(({ id }) => id === user)),
      ),
  ),
  clause(79, 'user ids added as members at creation', { needs: 'second workspace' })(
    'team-member-of-other-workspace',
    'a user of another workspace becomes a member of a team',
    (s) => {
      const known = (user: string) => s.db.users.some(({ id }) => id === user);
      around(s, 'isMember', (was, user, workspace) => was(user, workspace) || known(user));
      around(s, 'isAssignable', (_was, user, call) =>
        s.db.memberships.some((each) => each.user === user && each.workspace === call.workspace?.id),
      );
    },
  ),
  row('foreign-403-project', 'a project of another workspace answers 403', (s) => {
    around(s, 'projectOf', (was, call) => {
      if (s.db.projects.some(({ id, workspace }) => id === call.ids.project && workspace !== call.workspace?.id))
        throw s.forbidden(call);
      return was(call);
    });
  }),
  row('foreign-403-task', 'a task of another workspace answers 403', (s) => {
    around(s, 'taskOf', (was, call) => {
      if (s.db.tasks.some(({ id, workspace }) => id === call.ids.task && workspace !== call.workspace?.id))
        throw s.forbidden(call);
      return was(call);
    });
  }),
  row('foreign-403-team-deleted', 'DELETE of a team of another workspace answers 403', (s) => {
    around(s, 'deleteTeam', (was, call) => {
      if (s.db.teams.some(({ id, workspace }) => id === call.ids.team && workspace !== call.workspace?.id))
        throw s.forbidden(call);
      return was(call);
    });
  }),
  row('foreign-comments-empty', 'the comments of a task of another workspace are an empty list', (s) => {
    around(s, 'listComments', (was, call) => {
      const foreign = s.db.tasks.some(({ id, workspace }) => id === call.ids.task && workspace !== call.workspace?.id);
      return foreign ? s.list(call, { name: 'comment', rows: () => [], filters: [], show: () => ({}) }) : was(call);
    });
  }),
  row('foreign-tasks-empty', 'the tasks of a project of another workspace are an empty list', (s) => {
    around(s, 'listProjectTasks', (was, call) => {
      const foreign = s.db.projects.some(({ id, workspace }) => id === call.ids.project && workspace !== call.workspace?.id);
      return foreign ? s.list(call, { name: 'task', rows: () => [], filters: [], show: () => ({}) }) : was(call);
    });
    around(s, 'locate', (was, call) => (isOn(call, 'listProjectTasks') ? undefined : was(call)));
  }),
  row('foreign-delete-silent', 'DELETE of a task of another workspace answers 204 and does nothing', (s) => {
    around(s, 'deleteTask', (was, call) => {
      const foreign = s.db.tasks.some(({ id, workspace }) => id === call.ids.task && workspace !== call.workspace?.id);
      return foreign ? s.empty() : was(call);
    });
    around(s, 'locate', (was, call) => (isOn(call, 'deleteTask') ? undefined : was(call)));
  }),
];

/** What reaches over the border by way of a team's or a project's other uses. */
const indirect: Fault[] = [
  border('foreign-project-gets-task', 'POST of a task into a foreign project answers 201 and files it there', (s) => {
    around(s, 'sees', (was, call, record, what) => isOn(call, 'createTask') || was(call, record, what));
    around(
      s,
      'newTask',
      (was, values, project, call) => ({ ...was(values, project, call), workspace: project.workspace }) satisfies Task,
    );
  }),
  border('profile-of-other-workspace', 'GET /users/me of any admin key answers the first admin of all', (s) =>
    around(s, 'profileOf', (was, call) => (call.key?.scope === 'admin' ? (s.db.keys[0]?.user ?? '') : was(call))),
  ),
];

export const faults: readonly Fault[] = [...seen, ...lists, ...people, ...indirect];

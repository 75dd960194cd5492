// Faults of projects and tasks: their fields, changes and deletions.

import type { Fields } from '../../judge/reference/model.ts';
import { around, clause, type Fault, rule } from '../faults/fault.ts';

const name = clause(35, '| name | string | yes | 1 to 150 characters |');
const words = clause(36, '| description | string | no | plain text, at most 1000 characters |');
const visibility = clause(37, 'default `private` |');
const subset = clause(144, 'body: any subset of name, description, visibility; omitted fields unchanged');
const moved = clause(39, 'changes when the project is updated');
const serverSet = clause(38, '| created_at | string (datetime) | no (server-set) | |');
const wiped = clause(147, 'Deleting a project is permanent: its tasks, comments and attachments are deleted immediately');
const title = clause(49, '| title | string | yes | 1 to 255 characters |');
const long = clause(50, '| description | string | no | plain text, at most 10000 characters |');
const assignee = clause(51, '| assignee_id | string | no | id of a member of the workspace |');
const due = clause(52, 'omitted means no due date');
const status = clause(116, 'Initial state on create: the supplied `status`, default `backlog`');
const set = clause(116, 'The status can be set by `PATCH /tasks/{task_id}`');
const combination = clause(157, 'body: any combination of the create fields; omitted fields unchanged');
const updated = clause(157, '`data` = updated task');
const gone = clause(158, 'the task and all its comments are permanently deleted');
const path = clause(48, '| project_id | string | no (from path) | the containing project |');
const utc = clause(28, 'Timestamps are ISO 8601 datetime strings in UTC');
const priority = clause(53, '| priority | string | no | `low`, `medium`, `high`, `urgent`; default `medium` |');

/** Changes the values of a body after they were checked. */
const values =
  (resource: string, act: string, change: (values: Fields) => Fields): Fault['alter'] =>
  (service) =>
    around(service, 'readFields', (was, call, which, doing) => {
      const read = was(call, which, doing);
      return which === resource && doing === act ? change(read) : read;
    });

export const faults: readonly Fault[] = [
  name('names-in-bytes', 'the 150 characters of a name of a project are bytes', (service) =>
    around(service, 'checkValue', (was, one, value, call, act) =>
      one.max === 150 && typeof value === 'string' && Buffer.byteLength(value) > 150
        ? { field: one.name, issue: 'is too long', kind: 'length' as const }
        : was(one, value, call, act),
    ),
  ),
  name('names-bounded-on-create', 'a change may give a project a name of up to 255 characters', (service) =>
    rule(service, 'project', 'name', { max: 255 }, 'change'),
  ),
  name('names-empty-on-change', 'a change may leave a project without a name', (service) =>
    rule(service, 'project', 'name', { min: 0 }, 'change'),
  ),
  words('descriptions-one-short', 'a description of 1000 characters is refused in a change', (service) =>
    rule(service, 'project', 'description', { max: 999 }, 'change'),
  ),
  words('descriptions-cut', 'a longer description is cut at 1000 characters and taken', (service) => {
    rule(service, 'project', 'description', { max: 1_000_000 });
    around(service, 'takeText', (was, one, value, call, act) =>
      was(one, one.max === 1_000_000 ? value.slice(0, 1000) : value, call, act),
    );
  }),
  words('spaces-in-a-row', 'white space within a description becomes one space', (service) =>
    around(service, 'takeText', (was, one, value, call, act) =>
      was(one, one.name === 'description' ? value.replace(/\s+/g, ' ') : value, call, act),
    ),
  ),
  words('descriptions-in-html', 'a description is escaped when it is changed', (service) =>
    around(service, 'takeText', (was, one, value, call, act) =>
      was(
        one,
        one.name === 'description' && act === 'change' ? value.replace(/&/g, '&amp;').replace(/</g, '&lt;') : value,
        call,
        act,
      ),
    ),
  ),
  visibility(
    'visibility-default-after-null-like',
    'a project with a description is for the team unless it says otherwise',
    (service) =>
      around(service, 'newProject', (was, sent, call) =>
        was(sent.description && !sent.visibility ? { ...sent, visibility: 'team' } : sent, call),
      ),
  ),
  subset(
    'defaults-on-change',
    'a change that does not name the visibility makes the project private',
    values('project', 'change', (sent) => ('name' in sent ? { visibility: 'private', ...sent } : sent)),
  ),
  subset(
    'put-for-patch',
    'a change of the visibility clears the description',
    values('project', 'change', (sent) => ('visibility' in sent ? { description: null, ...sent } : sent)),
  ),
  subset(
    'falsy-not-set',
    'an empty description in a change is taken for one that was not sent',
    values('project', 'change', ({ description, ...sent }) =>
      description === '' || description === undefined ? sent : { ...sent, description },
    ),
  ),
  subset(
    'first-field-wins',
    'of several fields of a project only the first is changed',
    values('project', 'change', (sent) => Object.fromEntries(Object.entries(sent).slice(0, 1))),
  ),
  moved('visibility-moves-nothing', 'a change of the visibility does not move updated_at', (service) =>
    around(service, 'touch', (was, row, what, sent) =>
      what === 'project' && Object.keys(sent).join() === 'visibility' ? undefined : was(row, what, sent),
    ),
  ),
  moved('updated-null-at-first', 'updated_at is null until the first change', (service) =>
    around(service, 'showProject', (was, project, place) => ({
      ...was(project, place),
      ...(project.updated === project.created ? { updated_at: null } : {}),
    })),
  ),
  moved('reading-touches', 'reading a project moves its updated_at', (service) =>
    around(service, 'readProject', (was, call) => {
      const answer = was(call);
      service.touch(service.projectOf(call), 'project', {});
      return answer;
    }),
  ),
  serverSet('created-again', 'created_at of a project moves with each change', (service) =>
    around(service, 'touch', (was, row, what, sent) => {
      was(row, what, sent);
      if (what === 'project') (row as { created?: number }).created = service.now();
    }),
  ),
  serverSet(
    'created-from-body',
    'created_at of a task is taken from the body, where there is one',
    (service) => {
      around(service, 'newTask', (was, sent, project, call) => {
        const made = was(sent, project, call);
        const at = Date.parse(JSON.parse(call.text).created_at);
        return Number.isNaN(at) ? made : { ...made, created: at };
      });
    },
    { style: 'a' },
  ),
  wiped('tasks-in-the-whole-list', 'the tasks of a deleted project stay in GET /tasks', (service) => {
    const past: typeof service.db.tasks = [];
    around(service, 'removeTask', (was, task, because) => {
      if (because === 'project') past.push(task);
      was(task, because);
    });
    around(service, 'allTaskRows', (was, call) =>
      call.path === '/tasks' ? [...was(call), ...past.filter(({ workspace }) => workspace === call.workspace?.id)] : was(call),
    );
  }),
  wiped('first-five-tasks', 'five tasks go with a project at most', (service) =>
    around(service, 'tasksOfDeleted', (was, project) => was(project).slice(0, 5)),
  ),
  wiped('done-tasks-stay', 'tasks that are done are kept when their project goes', (service) =>
    around(service, 'tasksOfDeleted', (was, project) => was(project).filter((task) => task.status !== 'done')),
  ),
  wiped('project-in-the-list', 'a deleted project stays in the list until another is saved', (service) => {
    let past: typeof service.db.projects = [];
    around(service, 'removeProject', (was, project, call) => {
      past.push(project);
      was(project, call);
    });
    around(service, 'saveProject', (was, project, call) => {
      past = [];
      was(project, call);
    });
    around(service, 'projectRows', (was, call) => [
      ...was(call),
      ...past.filter(({ workspace }) => workspace === call.workspace?.id),
    ]);
  }),
  title('titles-cut', 'a longer title is cut at 255 characters and taken', (service) => {
    rule(service, 'task', 'title', { max: 1_000_000 });
    around(service, 'takeText', (was, one, value, call, act) =>
      was(one, one.name === 'title' ? value.slice(0, 255) : value, call, act),
    );
  }),
  title('titles-without-emoji', 'characters beyond the first plane become question marks', (service) =>
    around(service, 'takeText', (was, one, value, call, act) =>
      was(one, value.replace(/[\u{10000}-\u{10ffff}]/gu, '?'), call, act),
    ),
  ),
  title('titles-254-on-change', 'a title of 255 characters is refused in a change', (service) =>
    rule(service, 'task', 'title', { max: 254 }, 'change'),
  ),
  long('description-of-projects', 'a change bounds the description of a task at 1000 characters', (service) =>
    rule(service, 'task', 'description', { max: 1000 }, 'change'),
  ),
  long('description-10001', 'a description of 10001 characters is taken', (service) =>
    rule(service, 'task', 'description', { max: 10_001 }),
  ),
  assignee('assignee-unchecked-on-change', 'a change takes any assignee', (service) =>
    around(service, 'isAssignable', (was, user, call, act) => act === 'change' || was(user, call, act)),
  ),
  assignee(
    'assignee-of-any-workspace',
    'an assignee may be a user of another workspace',
    (service) => around(service, 'isAssignable', (_was, user) => service.db.users.some(({ id }) => id === user)),
    { needs: 'second workspace' },
  ),
  assignee('assignee-admins-only', 'a task is assigned to members with the role member, not to admins', (service) =>
    around(
      service,
      'isAssignable',
      (was, user, call, act) => was(user, call, act) && service.roleOf(user, call.workspace?.id ?? '') !== 'admin',
    ),
  ),
  due('due-epoch-in-lists', 'in lists a task without a due date is due in 1970', (service) =>
    around(service, 'showTask', (was, task, place) => ({
      ...was(task, place),
      ...(place === 'row' && task.due === null ? { due_date: '1970-01-01T00:00:00.000Z' } : {}),
    })),
  ),
  due('due-offset-lost', 'the offset of a due date is cut off', (service) =>
    around(service, 'moment', (was, text, act) => was(text.replace(/[+-]\d\d:\d\d$/, 'Z'), act)),
  ),
  due('due-at-midnight', 'a due date loses its time', (service) =>
    around(service, 'moment', (was, text, act) => {
      const at = was(text, act);
      return at === undefined ? undefined : at - (at % 86_400_000);
    }),
  ),
  due('due-tomorrow', 'a task that is urgent is due in a day, unless it says otherwise', (service) =>
    around(service, 'newTask', (was, sent, project, call) =>
      was(sent.priority === 'urgent' ? { due_date: service.now() + 86_400_000, ...sent } : sent, project, call),
    ),
  ),
  status(
    'todo-when-assigned',
    'a task that is assigned starts as todo, though no status was sent',
    values('task', 'create', (sent) => (sent.assignee_id ? { status: 'todo', ...sent } : sent)),
  ),
  status(
    'backlog-when-due',
    'a task with a due date starts in the backlog, whatever was sent',
    values('task', 'create', (sent) => (sent.due_date ? { ...sent, status: 'backlog' } : sent)),
  ),
  set('no-way-to-review', 'in_review cannot be set by a change', (service) =>
    around(service, 'isChoice', (was, one, value, act) => was(one, value, act) && !(act === 'change' && value === 'in_review')),
  ),
  combination(
    'done-is-unassigned',
    'a task that gets done loses its assignee',
    values('task', 'change', (sent) => (sent.status === 'done' ? { ...sent, assignee_id: null } : sent)),
  ),
  combination(
    'priority-reset',
    'a change of the status sets the priority to medium',
    values('task', 'change', (sent) => ('status' in sent ? { priority: 'medium', ...sent } : sent)),
  ),
  combination(
    'due-cleared-with-assignee',
    'a change of the assignee clears the due date',
    values('task', 'change', (sent) => ('assignee_id' in sent ? { due_date: null, ...sent } : sent)),
  ),
  combination(
    'title-or-the-rest',
    'a change of the title ignores what else was sent',
    values('task', 'change', (sent) => ('title' in sent ? { title: sent.title } : sent)),
  ),
  combination('half-a-change', 'a refused change of a task keeps its title', (service) =>
    around(service, 'refuse', (was, issues, call, resource, act) => {
      if (resource === 'task' && act === 'change' && !issues.some(({ field }) => field === 'title')) {
        const sent = JSON.parse(call.text).title;
        if (typeof sent === 'string') service.taskOf(call).title = sent;
      }
      return was(issues, call, resource, act);
    }),
  ),
  updated('change-answers-before', 'a change answers the due date and the assignee that were', (service) =>
    around(service, 'changeTask', (was, call) => {
      const { due_date, assignee_id } = service.showTask(service.taskOf(call), 'read');
      const answer = was(call);
      const { data } = answer.body as { data: Fields };
      return {
        ...answer,
        body: { data: { ...data, ...(due_date ? { due_date } : {}), ...(assignee_id ? { assignee_id } : {}) } },
      };
    }),
  ),
  updated('list-keeps-old-status', 'the list of a project shows the status with which a task was created', (service) => {
    const first = new Map<string, string>();
    around(service, 'saveTask', (was, task, call) => {
      first.set(task.id, task.status);
      was(task, call);
    });
    around(service, 'showTask', (was, task, place) => ({
      ...was(task, place),
      ...(place === 'row' ? { status: first.get(task.id) ?? task.status } : {}),
    }));
  }),
  gone('task-in-the-project', 'a deleted task stays in the list of its project', (service) => {
    const past: typeof service.db.tasks = [];
    around(service, 'removeTask', (was, task, because) => {
      past.push(task);
      was(task, because);
    });
    around(service, 'projectTaskRows', (was, call, project) => [
      ...was(call, project),
      ...past.filter((task) => task.project === project.id),
    ]);
  }),
  gone(
    'comments-of-the-gone',
    'the comments of a deleted task are an empty list',
    (service) => {
      const past: typeof service.db.tasks = [];
      around(service, 'removeTask', (was, task, because) => {
        past.push(task);
        was(task, because);
      });
      around(service, 'listComments', (was, call) => {
        const old = past.find(({ id, workspace }) => id === call.ids.task && workspace === call.workspace?.id);
        if (old) service.db.tasks.push(old);
        try {
          return was(call);
        } finally {
          service.db.tasks = service.db.tasks.filter((task) => task !== old);
        }
      });
    },
    { style: 'c' },
  ),
  path(
    'project-from-body',
    'a change with project_id moves the task',
    (service) =>
      around(service, 'assignTask', (was, task, sent, call) => {
        const { project_id } = JSON.parse(call.text);
        if (service.db.projects.some(({ id }) => id === project_id)) task.project = project_id;
        return was(task, sent, call);
      }),
    { style: 'a' },
  ),
  utc(
    'comments-without-zone',
    'the times of comments have no zone',
    (service) =>
      around(service, 'stamp', (was, at, what) =>
        what === 'comment.created_at' ? String(was(at, what)).slice(0, 19) : was(at, what),
      ),
    { needs: 'comments' },
  ),
  utc('times-of-the-machine', 'the times of projects are those of a zone two hours ahead, with a Z', (service) =>
    around(service, 'stamp', (was, at, what) => was(what.startsWith('project') ? at + 7_200_000 : at, what)),
  ),
  utc('due-in-the-zone-sent', 'a due date is shown with an offset of two hours', (service) =>
    around(service, 'stamp', (was, at, what) =>
      what === 'task.due_date' ? new Date(at + 7_200_000).toISOString().replace('Z', '+02:00') : was(at, what),
    ),
  ),
  priority('priority-by-number', 'the priority of tasks in lists is a number', (service) =>
    around(service, 'showTask', (was, task, place) => ({
      ...was(task, place),
      ...(place === 'row' ? { priority: ['low', 'medium', 'high', 'urgent'].indexOf(task.priority ?? 'medium') } : {}),
    })),
  ),
];

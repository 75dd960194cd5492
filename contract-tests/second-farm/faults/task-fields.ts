// Faults of the fields of a task.
import type { Fields, Task } from '../model.ts';
import type { Act } from '../service/input.ts';
import type { Service } from '../service/service.ts';
import { around, clause, type Fault, isOn, rule, without } from './fault.ts';

const title = clause(49, '| title | string | yes | 1 to 255 characters |');
const titleLimit = clause(334, '| task title | 1 to 255 characters |');
const description = clause(50, 'plain text, at most 10000 characters');
const assignee = clause(51, '| assignee_id | string | no | id of a member of the workspace |');
const user = clause(179, 'The `assignee_id` of a task must be a user, not a team.');
const due = clause(52, '| due_date | string (ISO 8601 datetime) | no |');
const noDue = clause(52, 'omitted means no due date');
const priority = clause(53, '`low`, `medium`, `high`, `urgent`; default `medium`');
const old = clause(58, 'Tasks that existed before `priority` was introduced read as `medium`.');
const status = clause(54, '`backlog`, `todo`, `in_progress`, `in_review`, `done`; default `backlog`');
const initial = clause(116, 'Initial state on create: the supplied `status`, default `backlog`.');
const settable = clause(116, 'The status can be set by `PATCH /tasks/{task_id}`.');
const utc = clause(28, 'Timestamps are ISO 8601 datetime strings in UTC.');
const opaque = clause(28, 'Identifiers are opaque strings');

const show = (service: Service, change: (fields: Fields, task: Task) => Fields, ...places: string[]): void =>
  around(service, 'showTask', (was, task, place) => {
    const fields = was(task, place);
    return places.length === 0 || places.includes(place) ? change(fields, task) : fields;
  });

const stored = (service: Service, field: string, change: (text: string) => string, only?: Act): void =>
  around(service, 'takeText', (was, each, value, call, act) => {
    const text = was(each, value, call, act);
    return each.name === field && isOn(call, 'createTask', 'changeTask') && (!only || only === act) ? change(text) : text;
  });

const anything = (service: Service, field: string, only?: Act): void =>
  around(
    service,
    'isChoice',
    (was, each, value, act) => (each.name === field && (!only || only === act)) || was(each, value, act),
  );

const born = (service: Service, change: (task: Task, sent: Fields) => Partial<Task>): void =>
  around(service, 'newTask', (was, sent, project, call) => {
    const made = was(sent, project, call);
    return { ...made, ...change(made, sent) };
  });

const texts: Fault[] = [
  title('task-title-empty', 'an empty title is accepted', (s) => rule(s, 'task', 'title', { min: 0 }, 'create')),
  title('task-title-empty-patched', 'PATCH accepts an empty title', (s) => rule(s, 'task', 'title', { min: 0 }, 'change')),
  title('task-title-256', '256 characters are accepted', (s) => rule(s, 'task', 'title', { max: 256 }, 'create')),
  title('task-title-unlimited-patched', 'PATCH has no upper limit', (s) => rule(s, 'task', 'title', { max: 100_000 }, 'change')),
  titleLimit('task-title-254', '255 characters are refused', (s) => rule(s, 'task', 'title', { max: 254 })),
  titleLimit('task-title-as-project', 'the limit of a project name, 150, applies', (s) => rule(s, 'task', 'title', { max: 150 })),
  titleLimit('task-title-150-patched', 'PATCH has the limit of a project name', (s) =>
    rule(s, 'task', 'title', { max: 150 }, 'change'),
  ),
  title('task-title-truncated', 'a title of more than 255 characters is cut and accepted', (s) => {
    rule(s, 'task', 'title', { max: 5000 });
    stored(s, 'title', (text) => text.slice(0, 255));
  }),
  title('task-title-optional', 'a task without a title is created', (s) => {
    rule(s, 'task', 'title', { required: false });
    born(s, ({ title: sent }) => ({ title: sent ?? 'Untitled task' }));
  }),
  title(
    'task-title-null-patched',
    'PATCH with title null clears the title',
    (s) => rule(s, 'task', 'title', { clearable: true }, 'change'),
    { style: 'c' },
  ),
  title('task-title-markup-stripped', 'tags in a title are stripped', (s) =>
    stored(s, 'title', (text) => text.replace(/<[^>]*>/g, '')),
  ),
  title('task-title-markup-patched', 'PATCH writes titles with HTML entities', (s) =>
    stored(s, 'title', (text) => text.replace(/"/g, '&quot;'), 'change'),
  ),
  title('task-title-no-backslash', 'backslashes in a title are lost', (s) =>
    stored(s, 'title', (text) => text.replace(/\\/g, '')),
  ),
  title('task-title-ascii-patched', 'PATCH replaces characters beyond Latin-1 in a title', (s) =>
    stored(s, 'title', (text) => text.replace(/[\u{100}-\u{10ffff}]/gu, '?'), 'change'),
  ),
  title('task-title-cut-in-rows', 'rows of a list cut titles after 100 characters', (s) =>
    show(s, (all) => ({ ...all, title: String(all.title).slice(0, 100) }), 'row'),
  ),
  description('task-description-10001', '10001 characters are accepted', (s) => rule(s, 'task', 'description', { max: 10_001 })),
  description('task-description-unlimited-patched', 'PATCH has no limit', (s) =>
    rule(s, 'task', 'description', { max: 1_000_000 }, 'change'),
  ),
  clause(335, '| task description | 10000 characters |')(
    'task-description-as-project',
    'the limit of a project description, 1000, applies',
    (s) => rule(s, 'task', 'description', { max: 1000 }),
  ),
  clause(335, '| task description | 10000 characters |')(
    'task-description-8192-patched',
    'PATCH refuses more than 8192 characters',
    (s) => rule(s, 'task', 'description', { max: 8192 }, 'change'),
  ),
  clause(335, '| task description | 10000 characters |')(
    'task-description-in-bytes',
    'the length of a description is counted in bytes',
    (s) => around(s, 'length', (was, text) => (text.length > 5000 ? Buffer.byteLength(text) : was(text))),
  ),
  description('task-description-cut', 'descriptions are stored with 4096 characters', (s) =>
    stored(s, 'description', (text) => text.slice(0, 4096)),
  ),
  description('task-description-html', 'line breaks become <br>', (s) =>
    stored(s, 'description', (text) => text.replace(/\n/g, '<br>')),
  ),
  description('task-description-not-in-rows', 'rows of the lists have no description', (s) =>
    show(s, (all) => without(all, 'description'), 'row'),
  ),
  description('task-description-empty-in-answer', 'the answer of a creation has no description', (s) =>
    show(s, (all) => without(all, 'description'), 'created'),
  ),
];

const people: Fault[] = [
  assignee('assignee-unknown', 'an unknown user can be assigned', (s) => around(s, 'isAssignable', () => true)),
  assignee('assignee-unknown-patched', 'PATCH lets an unknown user be assigned', (s) =>
    around(s, 'isAssignable', (was, id, call, act) => act === 'change' || was(id, call, act)),
  ),
  assignee('assignee-unknown-dropped', 'an unknown user is silently dropped at creation', (s) => {
    around(s, 'isAssignable', (was, id, call, act) => act === 'create' || was(id, call, act));
    born(s, (task) => ({ assignee: task.assignee && s.isMember(task.assignee, task.workspace) ? task.assignee : null }));
  }),
  assignee('assignee-lost', 'the assignee of a creation is lost', (s) => born(s, () => ({ assignee: null }))),
  assignee('assignee-default-creator', 'a task without assignee is assigned to its creator', (s) => {
    around(s, 'newTask', (was, sent, project, call) => was({ assignee_id: call.key?.user, ...sent }, project, call));
  }),
  assignee('assignee-object', 'assignee_id is an object in the single task', (s) =>
    show(s, (all) => ({ ...all, assignee_id: all.assignee_id ? { id: all.assignee_id } : all.assignee_id }), 'read'),
  ),
  assignee('assignee-name', 'rows of the lists have the name of the assignee as assignee_id', (s) =>
    show(
      s,
      (all, task) => ({ ...all, assignee_id: s.db.users.find(({ id }) => id === task.assignee)?.name ?? all.assignee_id }),
      'row',
    ),
  ),
  assignee('assignee-only-members-refused', 'a user of role admin cannot be assigned', (s) =>
    around(s, 'isAssignable', (was, id, call, act) => was(id, call, act) && s.roleOf(id, call.workspace?.id ?? '') !== 'admin'),
  ),
  assignee('assignee-only-self', 'PATCH lets only the user of the key be assigned', (s) =>
    around(s, 'isAssignable', (was, id, call, act) => was(id, call, act) && (act === 'create' || id === call.key?.user)),
  ),
  assignee('assignee-not-in-rows', 'rows of GET /tasks have no assignee_id', (s) =>
    show(s, (all) => without(all, 'assignee_id'), 'row'),
  ),
  user('assignee-team', 'a team can be assigned', (s) =>
    around(s, 'isAssignable', (was, id, call, act) => was(id, call, act) || s.db.teams.some((team) => team.id === id)),
  ),
  user('assignee-team-patched', 'PATCH lets a team be assigned', (s) =>
    around(
      s,
      'isAssignable',
      (was, id, call, act) => was(id, call, act) || (act === 'change' && s.db.teams.some((team) => team.id === id)),
    ),
  ),
];

const HOUR = 3_600_000;
const wallClock = (text: string) => Date.parse(text.replace(/(Z|[+-]\d\d:\d\d)$/, 'Z'));

const dates: Fault[] = [
  due('due-date-anything', 'any text is accepted and read as no due date', (s) => {
    around(s, 'moment', (was, text, act) => was(text, act) ?? (null as unknown as number));
  }),
  due('due-date-anything-patched', 'PATCH accepts any text as due_date and stores the present', (s) =>
    around(s, 'moment', (was, text, act) => was(text, act) ?? (act === 'change' ? s.now() : undefined)),
  ),
  due('due-date-numbers', 'seconds since 1970 are accepted as due_date', (s) => {
    around(
      s,
      'hasType',
      (was, each, value, act) => was(each, value, act) || (each.kind === 'moment' && typeof value === 'number'),
    );
    around(s, 'moment', (was, text, act) => (typeof text === 'number' ? text * 1000 : was(text, act)));
  }),
  due('due-date-rolls-over', '30 February is accepted as 2 March', (s) =>
    around(
      s,
      'moment',
      (was, text, act) =>
        was(text, act) ?? (/^\d{4}-\d\d-\d\dT.*Z$/.test(text) && !Number.isNaN(Date.parse(text)) ? Date.parse(text) : undefined),
    ),
  ),
  due('due-date-american', 'month/day/year is accepted', (s) =>
    around(
      s,
      'moment',
      (was, text, act) => was(text, act) ?? (/^\d\d\/\d\d\/\d{4}$/.test(text) ? Date.parse(`${text} UTC`) : undefined),
    ),
  ),
  due('due-date-lost', 'the due date of a creation is lost', (s) => born(s, () => ({ due: null }))),
  due('due-date-day-only', 'due_date is shown without its time', (s) =>
    around(s, 'stamp', (was, at, what) => (what === 'task.due_date' ? String(was(at, what)).slice(0, 10) : was(at, what))),
  ),
  due('due-date-midnight', 'due dates are stored at midnight', (s) =>
    around(s, 'moment', (was, text, act) => {
      const at = was(text, act);
      return at === undefined ? at : at - (at % (24 * HOUR));
    }),
  ),
  due('due-date-without-seconds', 'due dates lose their seconds', (s) =>
    around(s, 'moment', (was, text, act) => {
      const at = was(text, act);
      return at === undefined ? at : at - (at % 60_000);
    }),
  ),
  due('due-date-end-of-day-patched', 'PATCH stores the end of the day', (s) =>
    around(s, 'moment', (was, text, act) => {
      const at = was(text, act);
      return at === undefined || act === 'create' ? at : at - (at % (24 * HOUR)) + 24 * HOUR - 1;
    }),
  ),
  utc('due-date-offset-dropped', 'the offset of a due date is dropped: 23:30+02:00 is stored as 23:30Z', (s) =>
    around(s, 'moment', (was, text, act) => (was(text, act) === undefined ? undefined : wallClock(text))),
  ),
  utc('due-date-summer-time', 'due dates from April to September are an hour off', (s) =>
    around(s, 'stamp', (was, at, what) =>
      was(what === 'task.due_date' && [3, 4, 5, 6, 7, 8].includes(new Date(at).getUTCMonth()) ? at + HOUR : at, what),
    ),
  ),
  utc('due-date-in-local-time', 'due_date is shown with the offset +02:00', (s) =>
    around(s, 'stamp', (was, at, what) =>
      what === 'task.due_date' ? new Date(at + 2 * HOUR).toISOString().replace('Z', '+02:00') : was(at, what),
    ),
  ),
  utc('due-date-epoch-in-rows', 'due_date is a number in rows', (s) =>
    show(s, (all, task) => (task.due === null ? all : { ...all, due_date: task.due / 1000 }), 'row'),
  ),
  noDue('due-date-default', 'a task without due date is due in seven days', (s) =>
    born(s, (task) => ({ due: task.due ?? task.created + 168 * HOUR })),
  ),
  noDue('due-date-default-when-urgent', 'an urgent task without due date is due tomorrow', (s) =>
    born(s, (task) => ({ due: task.due ?? (task.priority === 'urgent' ? task.created + 24 * HOUR : null) })),
  ),
  noDue('due-date-epoch-zero', 'no due date reads as 1970', (s) =>
    show(s, (all, task) => ({ ...all, due_date: task.due === null ? s.stamp(0, 'task.due_date') : all.due_date })),
  ),
  noDue('due-date-empty-text', 'no due date reads as an empty text in rows', (s) =>
    show(s, (all, task) => ({ ...all, due_date: task.due === null ? '' : all.due_date }), 'row'),
  ),
];

const choices: Fault[] = [
  priority('priority-default-low', 'the default is low', (s) =>
    around(s, 'newTask', (was, sent, project, call) => was({ priority: 'low', ...sent }, project, call)),
  ),
  priority('priority-default-null', 'a task without priority has none', (s) => {
    around(s, 'newTask', (was, sent, project, call) => ({
      ...was(sent, project, call),
      priority: sent.priority as string | undefined,
    }));
    around(s, 'priorityOf', (_was, task) => task.priority ?? null);
  }),
  priority('priority-default-by-due-date', 'a task with a due date is high by default', (s) =>
    born(s, (task, sent) => ({ priority: sent.priority === undefined && task.due !== null ? 'high' : task.priority })),
  ),
  priority('priority-ignored', 'the priority of a creation is ignored', (s) => born(s, () => ({ priority: 'medium' }))),
  priority('priority-anything', 'any text is accepted', (s) => anything(s, 'priority')),
  priority('priority-anything-patched', 'PATCH accepts any text', (s) => anything(s, 'priority', 'change')),
  priority('priority-any-case', 'HIGH is accepted and stored as high', (s) => {
    around(s, 'isChoice', (was, each, value, act) => was(each, each.name === 'priority' ? value.toLowerCase() : value, act));
    stored(s, 'priority', (text) => text.toLowerCase());
  }),
  priority('priority-urgent-refused', 'urgent is refused', (s) =>
    rule(s, 'task', 'priority', { values: ['low', 'medium', 'high'] }),
  ),
  priority('priority-urgent-refused-patched', 'PATCH refuses urgent', (s) =>
    rule(s, 'task', 'priority', { values: ['low', 'medium', 'high'] }, 'change'),
  ),
  priority('priority-urgent-as-high', 'urgent is stored as high', (s) =>
    stored(s, 'priority', (text) => (text === 'urgent' ? 'high' : text)),
  ),
  priority('priority-numbers', 'the priority is shown as a number in rows', (s) =>
    show(s, (all) => ({ ...all, priority: ['low', 'medium', 'high', 'urgent'].indexOf(String(all.priority)) }), 'row'),
  ),
  priority('priority-not-patched', 'PATCH ignores the priority', (s) =>
    around(s, 'assignTask', (was, task, sent, call) => was(task, without(sent, 'priority'), call)),
  ),
  priority('priority-low-falsy', 'PATCH to low is ignored, as a value of zero', (s) =>
    around(s, 'assignTask', (was, task, sent, call) =>
      was(task, sent.priority === 'low' ? without(sent, 'priority') : sent, call),
    ),
  ),
  priority('priority-empty-accepted', 'an empty priority is accepted as the default', (s) => {
    anything(s, 'priority', 'create');
    around(s, 'checkValue', (was, each, value, call, act) =>
      each.name === 'priority' && typeof value === 'string' && value !== '' && !each.values?.includes(value)
        ? { field: 'priority', issue: 'is unknown', kind: 'value' as const }
        : was(each, value, call, act),
    );
    stored(s, 'priority', (text) => text || 'medium', 'create');
  }),
  old(
    'old-priority-null',
    'an old task reads with priority null',
    (s) =>
      around(s, 'priorityOf', (was, task, place) =>
        task.priority === undefined && place !== 'filter' ? null : was(task, place),
      ),
    { style: 'a' },
  ),
  old('old-priority-null-in-rows', 'an old task has no priority in lists', (s) =>
    around(s, 'priorityOf', (was, task, place) => (task.priority === undefined && place === 'row' ? null : was(task, place))),
  ),
  old('old-priority-none', 'an old task reads as none', (s) =>
    around(s, 'priorityOf', (was, task, place) => (task.priority === undefined && place === 'read' ? 'none' : was(task, place))),
  ),
  old('old-priority-not-filtered', 'filter[priority]=medium misses old tasks', (s) =>
    around(s, 'priorityOf', (was, task, place) => (place === 'filter' ? (task.priority ?? null) : was(task, place))),
  ),
  status('status-default-todo', 'the default is todo', (s) =>
    around(s, 'newTask', (was, sent, project, call) => was({ status: 'todo', ...sent }, project, call)),
  ),
  status('status-default-with-assignee', 'a task with an assignee is todo by default', (s) =>
    born(s, (task, sent) => ({ status: sent.status === undefined && task.assignee ? 'todo' : task.status })),
  ),
  initial('status-ignored', 'the status of a creation is ignored', (s) => born(s, () => ({ status: 'backlog' }))),
  initial('status-done-ignored', 'a task cannot be created done: it is backlog', (s) =>
    born(s, (task) => ({ status: task.status === 'done' ? 'backlog' : task.status })),
  ),
  initial('status-in-review-refused-at-creation', 'a creation with in_review answers an error', (s) =>
    rule(s, 'task', 'status', { values: ['backlog', 'todo', 'in_progress', 'done'] }, 'create'),
  ),
  status('status-anything', 'any text is accepted', (s) => anything(s, 'status')),
  status('status-anything-patched', 'PATCH accepts any text', (s) => anything(s, 'status', 'change')),
  status('status-hyphen-shown', 'in_progress is shown as in-progress', (s) =>
    show(s, (all) => ({ ...all, status: String(all.status).replace('in_p', 'in-p') })),
  ),
  status('status-hyphen-shown-in-rows', 'in_review is shown as in-review in rows', (s) =>
    show(s, (all) => ({ ...all, status: String(all.status).replace('in_r', 'in-r') }), 'row'),
  ),
  status('status-number', 'an unknown status given as a number is stored as the state of that index', (s) => {
    around(s, 'checkValue', (was, each, value, call, act) =>
      each.name === 'status' && typeof value === 'number' ? undefined : was(each, value, call, act),
    );
    around(s, 'takeText', (was, each, value, call, act) =>
      typeof value === 'number' ? (each.values?.[value % 5] ?? 'todo') : was(each, value, call, act),
    );
  }),
  settable('status-not-patched', 'PATCH ignores the status', (s) =>
    around(s, 'assignTask', (was, task, sent, call) => was(task, without(sent, 'status'), call)),
  ),
  settable('status-not-patched-with-title', 'PATCH ignores the status when a title comes with it', (s) =>
    around(s, 'assignTask', (was, task, sent, call) => was(task, 'title' in sent ? without(sent, 'status') : sent, call)),
  ),
  settable('status-in-review-refused', 'PATCH refuses in_review', (s) =>
    rule(s, 'task', 'status', { values: ['backlog', 'todo', 'in_progress', 'done'] }, 'change'),
  ),
  settable('status-done-stays-in-review', 'PATCH to done stores in_review', (s) =>
    stored(s, 'status', (text) => (text === 'done' ? 'in_review' : text), 'change'),
  ),
  settable('status-patched-for-all', 'PATCH of a status changes it for all tasks of the project', (s) => {
    around(s, 'assignTask', (was, task, sent, call) => {
      if (typeof sent.status === 'string')
        for (const each of s.db.tasks) if (each.project === task.project) each.status = sent.status;
      return was(task, sent, call) || true;
    });
  }),
];

const marks: Fault[] = [
  opaque('task-id-number', 'ids of tasks are numbers in rows', (s) => show(s, (all, task) => ({ ...all, id: task.nth }), 'row')),
  clause(47, '| id | string | no (server-set) | |')(
    'task-id-adopted',
    'an id in the body is adopted',
    (s) => {
      around(s, 'newTask', (was, sent, project, call) => {
        const { id } = JSON.parse(call.text) as { id?: string };
        return { ...was(sent, project, call), ...(id ? { id } : {}) };
      });
    },
    { style: 'a' },
  ),
  clause(48, '| project_id | string | no (from path) | the containing project |')(
    'task-project-id-missing-in-rows',
    'rows of a project list have no project_id',
    (s) => show(s, (all) => without(all, 'project_id'), 'row'),
  ),
  clause(48, '| project_id | string | no (from path) | the containing project |')(
    'task-project-id-null-when-created',
    'project_id is null in the answer of a creation',
    (s) => show(s, (all) => ({ ...all, project_id: null }), 'created'),
  ),
  clause(48, 'the containing project')(
    'task-project-object',
    'project_id is missing and project is an object in the single task',
    (s) => show(s, (all) => ({ ...without(all, 'project_id'), project: { id: all.project_id } }), 'read'),
  ),
  clause(55, '| created_at | string (datetime) | no (server-set) | |')(
    'task-created-at-adopted',
    'created_at of a PATCH is adopted',
    (s) => {
      around(s, 'assignTask', (was, task, sent, call) => {
        const { created_at } = JSON.parse(call.text) as { created_at?: string };
        if (created_at) task.created = Date.parse(created_at);
        return was(task, sent, call);
      });
    },
    { style: 'a' },
  ),
  clause(55, '| created_at | string (datetime) |')('task-created-at-missing', 'rows of the lists have no created_at', (s) =>
    show(s, (all) => without(all, 'created_at'), 'row'),
  ),
  clause(55, '| created_at | string (datetime) |')('task-created-at-moves', 'created_at moves with the status', (s) => {
    around(s, 'assignTask', (was, task, sent, call) => {
      if ('status' in sent) task.created = s.now();
      return was(task, sent, call);
    });
  }),
  clause(56, '| updated_at | string (datetime) |')('task-updated-at-missing', 'the answer of a creation has no updated_at', (s) =>
    show(s, (all) => without(all, 'updated_at'), 'created'),
  ),
  clause(56, '| updated_at | string (datetime) |')('task-updated-at-null', 'updated_at is null until the first update', (s) =>
    show(s, (all, task) => (task.updated === task.created ? { ...all, updated_at: null } : all), 'read'),
  ),
  clause(56, '| updated_at | string (datetime) | no (server-set) | |')(
    'task-updated-at-adopted',
    'updated_at of a PATCH is adopted',
    (s) => {
      around(s, 'changeTask', (was, call) => {
        const answer = was(call);
        const { updated_at } = JSON.parse(call.text) as { updated_at?: string };
        if (updated_at) s.taskOf(call).updated = Date.parse(updated_at);
        return answer;
      });
    },
    { style: 'a' },
  ),
  utc('task-times-local', 'created_at of a task is local time of UTC+1, written with Z', (s) =>
    around(s, 'stamp', (was, at, what) => was(what === 'task.created_at' ? at + HOUR : at, what)),
  ),
  utc('project-times-epoch', 'the times of projects are seconds since 1970', (s) =>
    around(s, 'stamp', (was, at, what) => (what.startsWith('project.') ? Math.floor(at / 1000) : was(at, what))),
  ),
  utc('team-times-rfc-1123', 'created_at of a team is an HTTP date', (s) =>
    around(s, 'stamp', (was, at, what) => (what === 'team.created_at' ? new Date(at).toUTCString() : was(at, what))),
  ),
  utc('team-updated-at-millis', 'updated_at of a team is a text of milliseconds', (s) =>
    around(s, 'stamp', (was, at, what) => (what === 'team.updated_at' ? String(at) : was(at, what))),
  ),
  utc('profile-created-day', 'created_at of the profile is a day without time', (s) =>
    around(s, 'stamp', (was, at, what) => (what === 'user.created_at' ? new Date(at).toISOString().slice(0, 10) : was(at, what))),
  ),
  utc(
    'comment-created-local',
    'created_at of a comment has the offset -05:00',
    (s) =>
      around(s, 'stamp', (was, at, what) =>
        what === 'comment.created_at' ? new Date(at - 5 * HOUR).toISOString().replace('Z', '-05:00') : was(at, what),
      ),
    { needs: 'comments' },
  ),
  utc('twelve-hour-times', 'hours are written from 1 to 12', (s) =>
    around(s, 'stamp', (was, at, what) =>
      String(was(at, what)).replace(/T(\d\d)/, (_, hour) => `T${String(((Number(hour) + 11) % 12) + 1).padStart(2, '0')}`),
    ),
  ),
];

export const faults: readonly Fault[] = [...texts, ...people, ...dates, ...choices, ...marks];

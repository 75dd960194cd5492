// Faults of the fields of tasks.

import type { Call, Fields } from '../../judge/reference/model.ts';
import type { Service } from '../../judge/reference/service/service.ts';
import { around, clause, type Fault, isOn, rule, without } from '../faults/fault.ts';
import { rowsOf, takenText } from '../faults-third/tools.ts';
import { showsTask } from './tools.ts';

const title = clause(49, '| title | string | yes | 1 to 255 characters |');
const description = clause(50, '| description | string | no | plain text, at most 10000 characters |');
const assignee = clause(51, '| assignee_id | string | no | id of a member of the workspace |');
const due = clause(52, '| due_date | string (ISO 8601 datetime) | no | omitted means no due date |');
const priority = clause(53, '`low`, `medium`, `high`, `urgent`; default `medium`');
const old = clause(58, 'Tasks that existed before `priority` was introduced read as `medium`.');
const wrongType = clause(300, '400 for structural problems (missing required field, wrong type)');
const DAY = 86_400_000;

const taken = (service: Service, field: string, change: (text: string) => string): void =>
  takenText(service, change, (each, call) => each === field && isOn(call, 'createTask', 'changeTask'));
/** Reads the bodies of tasks otherwise. */
const bodies = (service: Service, change: (body: Fields, call: Call) => Fields): void =>
  around(service, 'parse', (was, text, call) => {
    const body = was(text, call);
    return /\/tasks(\/[^/]+)?$/.test(call.path) && typeof body === 'object' && body !== null && !Array.isArray(body)
      ? change(body as Fields, call)
      : body;
  });
const converts = (service: Service, field: string, convert: (value: unknown, call: Call) => unknown): void =>
  bodies(service, (body, call) => (field in body ? { ...body, [field]: convert(body[field], call) } : body));

const texts: Fault[] = [
  title('task-title-255-refused-patched', 'PATCH refuses 255 characters', (s) =>
    rule(s, 'task', 'title', { max: 254 }, 'change'),
  ),
  title('task-title-cut-patched', 'PATCH cuts a title of more than 255 characters, and accepts it', (s) => {
    rule(s, 'task', 'title', { max: 1_000_000 }, 'change');
    taken(s, 'title', (text) => text.slice(0, 255));
  }),
  title('task-title-entities-decoded', 'entities in titles are decoded', (s) =>
    taken(s, 'title', (text) => text.replaceAll('&amp;', '&').replaceAll('&lt;', '<')),
  ),
  description('task-description-10000-refused', '10000 characters are refused', (s) =>
    rule(s, 'task', 'description', { max: 9999 }),
  ),
  description('task-description-excerpt-in-rows', 'rows have the first 200 characters of the description', (s) =>
    rowsOf(s, ['task'], (row) =>
      typeof row.description === 'string' ? { ...row, description: row.description.slice(0, 200) } : row,
    ),
  ),
  description('task-description-tags-stripped', 'tags in descriptions are stripped', (s) =>
    taken(s, 'description', (text) => text.replace(/<[^>]*>/g, '')),
  ),
  wrongType('task-title-joined', 'an array is taken as title, its entries joined', (s) =>
    converts(s, 'title', (value) => (Array.isArray(value) && value.length > 0 ? value.join(', ') : value)),
  ),
];

const people: Fault[] = [
  assignee('assignee-by-email', 'the email of a member is accepted as assignee_id, and stored', (s) =>
    around(s, 'isAssignable', (was, user, call, act) => was(user, call, act) || s.db.users.some(({ email }) => email === user)),
  ),
  assignee('assignee-defaults-to-maker', 'a task without assignee_id is assigned to the user of the key', (s) =>
    around(s, 'newTask', (was, given, project, call) => ({
      ...was({ assignee_id: call.key?.user, ...given }, project, call),
    })),
  ),
  assignee('assignee-foreign-ignored', 'a user of another workspace as assignee is left out, and the task is made', (s) =>
    bodies(s, (body) =>
      s.db.users.some(({ id }) => id === body.assignee_id) &&
      !s.db.memberships.some(({ user, workspace }) => user === body.assignee_id && workspace === 'ws_north')
        ? without(body, 'assignee_id')
        : body,
    ),
  ),
  assignee('assignee-missing-in-created', 'the answer of a creation has assignee_id null, whatever was stored', (s) =>
    showsTask(s, ['created'], (fields) => ({ ...fields, assignee_id: null })),
  ),
  clause(179, 'The `assignee_id` of a task must be a user, not a team.')(
    'assignee-team-takes-first-member',
    'a team as assignee assigns its first member',
    (s) =>
      bodies(s, (body) => {
        const team = s.db.teams.find(({ id }) => id === body.assignee_id);
        return team?.members[0] ? { ...body, assignee_id: team.members[0] } : body;
      }),
  ),
];

const dates: Fault[] = [
  due('due-date-needs-fraction', 'a due date without a fraction of a second is refused', (s) =>
    around(s, 'moment', (was, text, act) => (/T.*\.\d+/.test(text) ? was(text, act) : undefined)),
  ),
  due('due-date-patched-to-earlier-ignored', 'PATCH to an earlier due date is ignored', (s) =>
    around(s, 'assignTask', (was, task, given, call) => {
      const earlier = typeof given.due_date === 'number' && task.due !== null && given.due_date < task.due;
      return was(task, earlier ? without(given, 'due_date') : given, call);
    }),
  ),
  due('due-date-patched-keeps-time', 'PATCH of a due date changes the day and keeps the old time', (s) =>
    around(s, 'assignTask', (was, task, given, call) => {
      const kept =
        typeof given.due_date === 'number' && task.due !== null
          ? { ...given, due_date: Math.floor(given.due_date / DAY) * DAY + (task.due % DAY) }
          : given;
      return was(task, kept, call);
    }),
  ),
  due('due-date-of-creation-when-none', 'a task without due date reads with its created_at as due_date, in rows', (s) =>
    showsTask(s, ['row'], (fields) => (fields.due_date ? fields : { ...fields, due_date: fields.created_at })),
  ),
  due('due-date-bad-ignored-patched', 'PATCH with an unparsable due_date is accepted and keeps the old one', (s) =>
    converts(s, 'due_date', (value, call) =>
      call.method === 'PATCH' && typeof value === 'string' && Number.isNaN(Date.parse(value)) ? undefined : value,
    ),
  ),
];

const priorities: Fault[] = [
  priority('priority-missing-in-rows', 'rows of the tasks have no priority', (s) =>
    rowsOf(s, ['task'], (row) => without(row, 'priority')),
  ),
  priority('priority-lost-with-status', 'a creation with both priority and status loses the priority', (s) =>
    around(s, 'newTask', (was, given, project, call) => was(given.status ? without(given, 'priority') : given, project, call)),
  ),
  old('old-priority-low', 'an old task reads as low', (s) =>
    around(s, 'priorityOf', (was, task, place) => (task.priority ? was(task, place) : 'low')),
  ),
  old('old-priority-missing-after-patch', 'the answer of PATCH of an old task has no priority', (s) =>
    showsTask(s, ['changed'], (fields, task) => (task.priority ? fields : without(fields, 'priority'))),
  ),
  old('old-task-patch-500', 'PATCH of an old task answers 500', (s) =>
    around(s, 'assignTask', (was, task, given, call) => {
      if (task.priority === undefined) throw new Error('priority of undefined');
      return was(task, given, call);
    }),
  ),
];

export const faults: readonly Fault[] = [...texts, ...people, ...dates, ...priorities];

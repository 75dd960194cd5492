// Faults of the fields of tasks.

import { type Fields, Problem } from '../../judge/reference/model.ts';
import { around, clause, type Fault, rule, without } from '../faults/fault.ts';
import { onSuccess, refuses, sent, showsTask } from '../faults-fourth/tools.ts';

const title = clause(49, '| title | string | yes | 1 to 255 characters |');
const assignee = clause(51, 'id of a member of the workspace');
const noDue = clause(52, 'omitted means no due date');
const due = clause(52, '| due_date | string (ISO 8601 datetime) |');
const priority = clause(53, '`low`, `medium`, `high`, `urgent`; default `medium`');
const status = clause(54, '`backlog`, `todo`, `in_progress`, `in_review`, `done`; default `backlog`');
const old = clause(58, 'Tasks that existed before `priority` was introduced read as `medium`.');
const initial = clause(116, 'Initial state on create: the supplied `status`, default `backlog`.');
const listed = clause(154, '`200` list of tasks');
const user = clause(179, 'The `assignee_id` of a task must be a user, not a team.');
const wrongType = clause(300, '400 for structural problems (missing required field, wrong type)');

const DAY = 86_400_000;
const isAstral = (value: unknown): boolean => typeof value === 'string' && /[\u{10000}-\u{10ffff}]/u.test(value);

export const faults: readonly Fault[] = [
  title('task-title-to-200', 'a title may have 200 characters at most', (s) => rule(s, 'task', 'title', { max: 200 })),
  wrongType('task-title-from-number', 'a number as title is taken for its text', (s) =>
    around(s, 'readBody', (was, call) => {
      const body = was(call);
      return typeof body.title === 'number' ? { ...body, title: String(body.title) } : body;
    }),
  ),
  title('task-title-astral-500', 'a title with an emoji gives 500, on creation and by PATCH', (s) =>
    refuses(
      s,
      ['createTask', 'changeTask'],
      (call) => isAstral(sent(call).title),
      () => new Problem(500, 'internal_error', 'Something broke.'),
    ),
  ),
  user('task-assignee-may-be-team', 'the id of a team is accepted as assignee_id', (s) =>
    around(s, 'isAssignable', (was, id, call, act) => was(id, call, act) || s.db.teams.some((team) => team.id === id)),
  ),
  assignee('task-assignee-unchecked-by-patch', 'PATCH stores any text as assignee_id', (s) =>
    around(s, 'isAssignable', (was, id, call, act) => act === 'change' || was(id, call, act)),
  ),
  assignee(
    'task-assignee-from-elsewhere',
    'a user of another workspace is accepted as assignee',
    (s) => around(s, 'isAssignable', (was, id, call, act) => was(id, call, act) || s.db.users.some((each) => each.id === id)),
    { needs: 'second workspace', style: 'a' },
  ),
  initial('task-status-sent-is-lost', 'each task starts as backlog, whatever status was sent', (s) =>
    around(s, 'newTask', (was, values, project, call) => was(without(values, 'status'), project, call)),
  ),
  status('task-starts-in-review-refused', 'a task cannot be created with the status in_review', (s) =>
    around(s, 'isChoice', (was, each, value, act) => was(each, value, act) && !(act === 'create' && value === 'in_review')),
  ),
  priority('created-task-without-priority', 'the answer to the creation of a task lacks priority when the default applies', (s) =>
    onSuccess(s, ['createTask'], (call, answer) => {
      if (sent(call).priority === undefined) answer.body = { data: without((answer.body as { data: Fields }).data, 'priority') };
    }),
  ),
  old(
    'old-task-no-priority-in-lists',
    'tasks older than the field have the priority null in lists',
    (s) => around(s, 'priorityOf', (was, task, place) => (place === 'row' ? (task.priority ?? null) : was(task, place))),
    { style: 'a' },
  ),
  old('old-task-not-found-as-medium', 'filter[priority]=medium does not find tasks older than the field', (s) =>
    around(s, 'priorityOf', (was, task, place) => (place === 'filter' ? (task.priority ?? null) : was(task, place))),
  ),
  noDue('task-due-when-created', 'a task without due_date is due at the time of its creation', (s) =>
    around(s, 'newTask', (was, values, project, call) => {
      const task = was(values, project, call);
      return { ...task, due: task.due ?? task.created };
    }),
  ),
  due('task-due-at-midnight', 'due_date loses its time of day', (s) =>
    around(s, 'moment', (was, text, act) => {
      const at = was(text, act);
      return at === undefined ? at : Math.floor(at / DAY) * DAY;
    }),
  ),
  listed('task-rows-without-description', 'lists of tasks leave the description out', (s) =>
    showsTask(s, ['row'], (fields) => without(fields, 'description')),
  ),
];

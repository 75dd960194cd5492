// Faults of the fields of tasks: enumerations, time zones and old records.
import { around, clause, rule } from '../faults/fault.ts';
import { dueText } from '../faults-sixth/tools.ts';

const due = clause(52, 'string (ISO 8601 datetime)');
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const LAST_OF_32_BITS = 2_147_483_647_000;

export const faults = [
  clause(49, '1 to 255 characters')('task-title-of-255-refused', 'a title of 255 characters is refused', (service) =>
    rule(service, 'task', 'title', { max: 254 }),
  ),
  clause(50, 'plain text')(
    'task-description-escaped-on-change',
    'a changed description comes back with HTML entities',
    (service) =>
      around(service, 'takeText', (was, given, value, call, act) => {
        const text = was(given, value, call, act);
        return given.max === 10_000 && act === 'change' ? escaped(text) : text;
      }),
  ),
  clause(51, 'id of a member of the workspace')(
    'task-not-for-admins',
    'a task cannot be assigned to a member whose role is `admin`',
    (service) =>
      around(
        service,
        'isAssignable',
        (was, user, call, act) => was(user, call, act) && service.roleOf(user, call.workspace?.id ?? '') !== 'admin',
      ),
  ),
  due('task-due-date-without-its-offset', 'the offset of a due date is dropped, not converted', (service) =>
    dueText(service, (text) => text.replace(/[+-]\d\d:\d\d$/, 'Z')),
  ),
  due('task-due-date-of-32-bits', 'a due date after 2038 becomes the last second of 32 bits', (service) =>
    around(service, 'moment', (was, text, act) => {
      const at = was(text, act);
      return at === undefined ? undefined : Math.min(at, LAST_OF_32_BITS);
    }),
  ),
  clause(53, '`low`, `medium`, `high`, `urgent`')(
    'task-urgent-created-high',
    'a task that is created `urgent` is `high`',
    (service) =>
      around(service, 'newTask', (was, values, project, call) =>
        was(values.priority === 'urgent' ? { ...values, priority: 'high' } : values, project, call),
      ),
  ),
  clause(54, 'default `backlog`')(
    'task-assigned-starts-as-todo',
    'a task that is created with an assignee and no status is `todo`',
    (service) =>
      around(service, 'newTask', (was, values, project, call) =>
        was(values.assignee_id ? { status: 'todo', ...values } : values, project, call),
      ),
  ),
  clause(58, 'read as `medium`')(
    'old-task-without-priority-in-lists',
    'lists show tasks from before `priority` without one',
    (service) =>
      around(service, 'priorityOf', (was, task, place) => (place === 'row' ? (task.priority ?? null) : was(task, place))),
  ),
];

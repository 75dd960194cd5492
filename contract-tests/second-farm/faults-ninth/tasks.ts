// Faults of tasks: their fields, changes and deletion.

import type { Answer, Task } from '../../judge/reference/model.ts';
import { around, clause, isOn, memory, without } from '../faults/fault.ts';
import { changed } from './tools.ts';

const unchanged = clause(157, 'any combination of the create fields; omitted fields unchanged');
const due = clause(52, 'string (ISO 8601 datetime)');
const status = clause(116, 'Initial state on create: the supplied `status`, default `backlog`');
const read = clause(156, '`200` `data` = task');

export const faults = [
  unchanged('priority-default-on-assignment', 'a task that gets another assignee goes back to the default priority', (service) =>
    around(service, 'assignTask', (was, task, values, call) =>
      was(task, values.assignee_id ? { priority: 'medium', ...values } : values, call),
    ),
  ),
  unchanged(
    'quick-changes-overwrite',
    'of two changes within a second the second puts back what the first changed',
    (service) => {
      const before = memory<string, { readonly at: number; readonly task: Partial<Task> }>();
      around(service, 'assignTask', (was, task, values, call) => {
        const { title, description, assignee, due: at, priority, status: state } = task;
        const last = before.get(task.id);
        before.set(task.id, { at: service.now(), task: { title, description, assignee, due: at, priority, status: state } });
        if (last && service.now() - last.at < 1000) Object.assign(task, last.task);
        return was(task, values, call);
      });
    },
  ),
  unchanged('created-at-follows-changes', 'a change of a task sets `created_at` too', (service) =>
    around(service, 'touch', (was, row, what, values) => {
      was(row, what, values);
      if (what === 'task') (row as Task).created = row.updated;
    }),
  ),
  clause(157, '`data` = updated task')(
    'patch-answers-former-title',
    'the answer to PATCH shows the title from before the change',
    (service) => {
      const former = memory<string, string>();
      around(service, 'assignTask', (was, task, values, call) => {
        former.set(task.id, task.title);
        return was(task, values, call);
      });
      around(service, 'showTask', (was, task, place) =>
        was(place === 'changed' ? { ...task, title: former.get(task.id) ?? task.title } : task, place),
      );
    },
  ),
  due('due-offset-dropped', 'the offset of a due date is dropped and its local time taken for UTC', (service) =>
    around(service, 'moment', (was, text, act) => was(text.replace(/[+-]\d\d:\d\d$/, 'Z'), act)),
  ),
  due('due-date-changed-to-midnight', 'PATCH keeps the day of a due date and loses the time', (service) =>
    around(service, 'moment', (was, text, act) => {
      const at = was(text, act);
      return act === 'change' && at !== undefined ? at - (((at % 86_400_000) + 86_400_000) % 86_400_000) : at;
    }),
  ),
  clause(52, 'omitted means no due date')(
    'no-due-date-is-1970',
    'lists show 1970 as the due date of a task that has none',
    (service) =>
      around(service, 'showTask', (was, task, place) =>
        was(place === 'row' && task.due === null ? { ...task, due: 0 } : task, place),
      ),
  ),
  clause(51, 'id of a member of the workspace')(
    'reassigned-to-a-stranger',
    'PATCH takes a user of another workspace as assignee',
    (service) =>
      around(service, 'isAssignable', (was, user, call, act) =>
        act === 'change' ? service.db.users.some(({ id }) => id === user) : was(user, call, act),
      ),
    { needs: 'second workspace' },
  ),
  status('review-created-in-progress', 'a task that is created with `in_review` is `in_progress`', (service) =>
    around(service, 'newTask', (was, values, project, call) =>
      was(values.status === 'in_review' ? { ...values, status: 'in_progress' } : values, project, call),
    ),
  ),
  status('unassigned-starts-in-backlog', 'the supplied status is kept only when there is an assignee as well', (service) =>
    around(service, 'newTask', (was, values, project, call) =>
      was(values.assignee_id ? values : without(values, 'status'), project, call),
    ),
  ),
  clause(58, 'Tasks that existed before `priority` was introduced read as `medium`')(
    'old-tasks-null-in-lists',
    'lists show no priority for tasks that are older than the field',
    (service) =>
      around(service, 'priorityOf', (was, task, place) =>
        place === 'row' && task.priority === undefined ? null : was(task, place),
      ),
  ),
  read('task-cache-cleared-by-status', 'a task that was read is read from a cache until its status changes', (service) => {
    const cache = memory<string, Answer>();
    around(service, 'readTask', (was, call) => {
      const { id } = service.taskOf(call);
      const answer = cache.get(id) ?? was(call);
      cache.set(id, answer);
      return answer;
    });
    around(service, 'assignTask', (was, task, values, call) => {
      if (values.status !== undefined) cache.delete(task.id);
      return was(task, values, call);
    });
  }),
  read(
    'description-escaped-when-read',
    '`GET /tasks/{task_id}` writes `&` and `<` of a description as HTML entities',
    (service) =>
      around(service, 'readTask', (was, call) =>
        changed(was(call), (data) =>
          typeof data.description === 'string'
            ? { ...data, description: data.description.replaceAll('&', '&amp;').replaceAll('<', '&lt;') }
            : data,
        ),
      ),
  ),
  clause(158, 'the task and all its comments are permanently deleted')(
    'comments-of-deleted-task',
    'the comments of a deleted task can still be listed',
    (service) => {
      const deleted: Task[] = [];
      around(service, 'removeTask', (was, task, because) => {
        deleted.push(task);
        was(task, because);
      });
      around(service, 'taskOf', (was, call) => {
        const found = deleted.find((task) => task.id === call.ids.task && task.workspace === call.workspace?.id);
        return isOn(call, 'listComments') && found ? found : was(call);
      });
    },
  ),
];

// Faults of tasks: their fields on creation, and what a change of one does to the others.

import type { Task } from '../../judge/reference/model.ts';
import { around, clause, memory } from '../faults/fault.ts';
import { sentNames, withData } from './tools.ts';

const unchanged = clause(157, 'omitted fields unchanged');
const due = clause(52, 'string (ISO 8601 datetime)');
const DAY = 86_400_000;

export const faults = [
  clause(49, '1 to 255 characters')('title-cut-at-250-on-change', 'a change keeps 250 characters of a longer title', (service) =>
    around(service, 'takeText', (was, rule, value, call, act) => {
      const text = was(rule, value, call, act);
      return rule.name === 'title' && act === 'change' ? [...text].slice(0, 250).join('') : text;
    }),
  ),
  clause(51, 'id of a member of the workspace')(
    'first-assignee-not-checked',
    'a change accepts any id as the assignee of a task that has none',
    (service) => {
      around(service, 'isAssignable', (was, user, call, act) => {
        const task = act === 'change' ? service.db.tasks.find(({ id }) => id === call.ids.task) : undefined;
        return (task !== undefined && task.assignee === null && user.startsWith('user_')) || was(user, call, act);
      });
    },
  ),
  due('due-seconds-lost-with-offset', 'the seconds of a due date with an offset other than UTC are dropped', (service) =>
    around(service, 'moment', (was, text, act) => {
      const at = was(text, act);
      return at !== undefined && /[+-]\d\d:\d\d$/.test(text) && !text.endsWith('+00:00') ? at - (at % 60_000) : at;
    }),
  ),
  due('due-date-keeps-time-of-day', 'a change of the due date keeps the time of day that the task had', (service) =>
    around(service, 'assignTask', (was, task, values, call) => {
      const { due_date } = values;
      const moved = typeof due_date === 'number' && task.due !== null;
      const kept = moved ? due_date - (due_date % DAY) + ((task.due as number) % DAY) : due_date;
      return was(task, moved ? { ...values, due_date: kept } : values, call);
    }),
  ),
  due('due-noon-is-midnight', 'a due date in the hour after noon is stored in the hour after midnight', (service) =>
    around(service, 'moment', (was, text, act) => {
      const at = was(text, act);
      return at !== undefined && new Date(at).getUTCHours() === 12 ? at - DAY / 2 : at;
    }),
  ),
  clause(54, 'default `backlog`')(
    'due-task-defaults-to-todo',
    'a task that is created with an assignee and a due date, without a status, is `todo`',
    (service) =>
      around(service, 'newTask', (was, values, project, call) =>
        was(values.due_date && values.assignee_id ? { status: 'todo', ...values } : values, project, call),
      ),
  ),
  clause(58, 'read as `medium`')(
    'old-task-without-priority-in-project',
    'a task from before `priority` has none in the list of its project',
    (service) =>
      around(service, 'listProjectTasks', (was, call) => {
        const old = new Set(service.db.tasks.filter(({ priority }) => priority === undefined).map(({ id }) => id));
        const answer = was(call);
        const body = answer.body as { items: Record<string, unknown>[] };
        const items = body.items.map((item) => (old.has(String(item.id)) ? { ...item, priority: null } : item));
        return { ...answer, body: { ...body, items } };
      }),
  ),
  clause(116, 'Initial state on create: the supplied `status`')(
    'review-without-assignee-is-todo',
    'a task that is created `in_review` without an assignee is `todo`',
    (service) =>
      around(service, 'newTask', (was, values, project, call) =>
        was(values.status === 'in_review' && !values.assignee_id ? { ...values, status: 'todo' } : values, project, call),
      ),
  ),
  clause(155, '`201` `data` = task')(
    'creation-answers-default-status',
    'a creation with status and priority answers the status `backlog`, though the given one is stored',
    (service) =>
      around(service, 'createTask', (was, call) => {
        const sent = sentNames(call);
        const answer = was(call);
        return sent.includes('status') && sent.includes('priority')
          ? withData(answer, (data) => ({ ...data, status: 'backlog' }))
          : answer;
      }),
  ),
  clause(157, 'any combination of the create fields')(
    'same-status-skips-change',
    'a change that sends the status that the task has already is dropped as a whole',
    (service) =>
      around(service, 'assignTask', (was, task, values, call) => was(task, values.status === task.status ? {} : values, call)),
    { style: 'a' },
  ),
  unchanged('reassigned-urgent-is-medium', 'a change of the assignee alone makes an urgent task `medium`', (service) =>
    around(service, 'assignTask', (was, task, values, call) =>
      was(
        task,
        Object.keys(values).join() === 'assignee_id' && task.priority === 'urgent' ? { ...values, priority: 'medium' } : values,
        call,
      ),
    ),
  ),
  unchanged('reopened-task-loses-assignee', 'a task that leaves `done` loses its assignee', (service) =>
    around(service, 'assignTask', (was, task, values, call) =>
      was(
        task,
        task.status === 'done' && values.status !== undefined && values.status !== 'done'
          ? { assignee_id: null, ...values }
          : values,
        call,
      ),
    ),
  ),
  unchanged('retitled-task-loses-description', 'a change of the title alone empties a description of several lines', (service) =>
    around(service, 'assignTask', (was, task, values, call) => {
      const lines = task.description?.includes('\n') && Object.keys(values).join() === 'title';
      return was(task, lines ? { ...values, description: null } : values, call);
    }),
  ),
  clause(157, '`data` = updated task')(
    'task-change-answers-former-stamp',
    'a change answers the `updated_at` from before it',
    (service) =>
      around(service, 'changeTask', (was, call) => {
        const before = service.stamp(service.taskOf(call).updated, 'task.updated_at');
        return withData(was(call), (data) => ({ ...data, updated_at: before }));
      }),
  ),
  clause(28, 'ISO 8601 datetime strings in UTC')(
    'due-date-answered-in-its-offset',
    'the answer to a change of the due date shows it as it was sent, with its offset',
    (service) =>
      around(service, 'changeTask', (was, call) => {
        const answer = was(call);
        if (!sentNames(call).includes('due_date')) return answer;
        const { due_date } = JSON.parse(call.text) as { due_date: unknown };
        return withData(answer, (data) => ({ ...data, due_date }));
      }),
  ),
  clause(158, 'permanently deleted')(
    'task-in-review-deleted-softly',
    'a task that is deleted while `in_review` can still be read by its id',
    (service) => {
      const kept = memory<string, Task>();
      around(service, 'removeTask', (was, task, because) => {
        if (because === 'itself' && task.status === 'in_review') kept.set(task.id, task);
        was(task, because);
      });
      around(service, 'readTask', (was, call) => {
        const task = kept.get(call.ids.task ?? '');
        return task && task.workspace === call.workspace?.id ? service.single(service.showTask(task, 'read'), 'read') : was(call);
      });
    },
    { style: 'a' },
  ),
  clause(335, '10000 characters')(
    'task-description-of-10000-refused-on-change',
    'a change refuses a description of exactly 10,000 characters',
    (service) =>
      around(service, 'checkValue', (was, rule, value, call, act) =>
        act === 'change' && rule.max === 10_000 && typeof value === 'string' && service.length(value) === 10_000
          ? { field: rule.name, issue: 'has more than 10000 characters', kind: 'length' as const }
          : was(rule, value, call, act),
      ),
  ),
];

// Faults of changes to tasks: partial updates, automations and transactions.

import { type Fields, Problem, STATUSES } from '../../judge/reference/model.ts';
import { around, clause } from '../faults/fault.ts';

const unchanged = clause(157, 'omitted fields unchanged');
const updated = clause(157, '`data` = updated task');
const HOUR = 3_600_000;

export const faults = [
  clause(48, 'no (from path)')(
    'task-change-adopts-project',
    'a `project_id` in a change moves the task',
    (service) =>
      around(service, 'assignTask', (was, task, values, call) => {
        const { project_id } = service.readBody(call);
        const target = service.projectRows(call).find(({ id }) => id === project_id);
        if (target) task.project = target.id;
        return was(task, values, call);
      }),
    { style: 'a' },
  ),
  clause(58, 'read as `medium`')(
    'old-task-saved-as-low',
    'a task from before `priority` is `low` once anything else of it is changed',
    (service) =>
      around(service, 'assignTask', (was, task, values, call) =>
        was(task, task.priority ? values : { priority: 'low', ...values }, call),
      ),
  ),
  clause(116, 'The status can be set by `PATCH /tasks/{task_id}`')(
    'task-change-to-in-review-is-in-progress',
    'a change to `in_review` sets `in_progress`',
    (service) =>
      around(service, 'assignTask', (was, task, values, call) =>
        was(task, values.status === 'in_review' ? { ...values, status: 'in_progress' } : values, call),
      ),
  ),
  updated('done-task-is-read-only', 'a change of a task that is `done` succeeds without effect', (service) =>
    around(service, 'assignTask', (was, task, values, call) => was(task, task.status === 'done' ? {} : values, call)),
  ),
  updated('task-change-answers-what-was-sent', 'a change answers the id and the fields that were sent, no others', (service) =>
    around(service, 'changeTask', (was, call) => {
      const answer = was(call);
      const sent = ['id', 'updated_at', ...Object.keys(service.readBody(call))];
      const { data } = answer.body as { data: Fields };
      return { ...answer, body: { data: Object.fromEntries(Object.entries(data).filter(([name]) => sent.includes(name))) } };
    }),
  ),
  clause(157, 'any combination of the create fields')(
    'task-status-hides-priority',
    'of a status and a priority in one change only the status is set',
    (service) =>
      around(service, 'assignTask', (was, task, values, call) => {
        const { priority: _, ...rest } = values;
        return was(task, values.status === undefined ? values : rest, call);
      }),
  ),
  unchanged('task-done-clears-due-date', 'a change to `done` removes the due date', (service) =>
    around(service, 'assignTask', (was, task, values, call) =>
      was(task, values.status === 'done' ? { due_date: null, ...values } : values, call),
    ),
  ),
  unchanged('task-due-date-converted-on-each-save', 'each change of another field moves the due date back an hour', (service) =>
    around(service, 'assignTask', (was, task, values, call) =>
      was(task, task.due !== null && Object.keys(values).length > 0 ? { due_date: task.due - HOUR, ...values } : values, call),
    ),
  ),
  clause(289, 'well-formed request failing semantic rules')(
    'task-saved-before-assignee-is-checked',
    'a change with an unknown assignee is refused, but its title and status are kept',
    (service) =>
      around(service, 'readFields', (was, call, resource, act) => {
        try {
          return was(call, resource, act);
        } catch (error) {
          const unknown = error instanceof Problem && error.issues?.every(({ kind }) => kind === 'reference');
          if (resource === 'task' && act === 'change' && unknown) {
            const { title, status } = service.readBody(call);
            const task = service.taskOf(call);
            if (typeof title === 'string' && title !== '') task.title = title;
            if (STATUSES.includes(String(status))) task.status = String(status);
          }
          throw error;
        }
      }),
  ),
];

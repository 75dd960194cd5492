// Faults of changes of tasks.
import { around, clause, type Fault, without } from '../faults/fault.ts';
import { onSuccess } from '../faults-fourth/tools.ts';

const setStatus = clause(116, 'The status can be set by `PATCH /tasks/{task_id}`.');
const combination = clause(157, 'body: any combination of the create fields');
const unchanged = clause(157, 'omitted fields unchanged');
const updated = clause(157, '`data` = updated task');

export const faults: readonly Fault[] = [
  unchanged('task-patch-makes-medium', 'a PATCH that leaves priority out sets it to medium', (s) =>
    around(s, 'assignTask', (was, task, values, call) => was(task, { priority: 'medium', ...values }, call)),
  ),
  combination('task-patch-status-drops-assignee', 'a PATCH of status and assignee_id sets the status alone', (s) =>
    around(s, 'assignTask', (was, task, values, call) =>
      was(task, values.status === undefined ? values : without(values, 'assignee_id'), call),
    ),
  ),
  unchanged('task-done-loses-due-date', 'a task that becomes done loses its due_date', (s) =>
    around(s, 'assignTask', (was, task, values, call) => {
      const changed = was(task, values, call);
      if (values.status === 'done' && values.due_date === undefined) task.due = null;
      return changed;
    }),
  ),
  combination('task-patch-empty-description', 'PATCH takes an empty description for none and keeps the old one', (s) =>
    around(s, 'assignTask', (was, task, values, call) =>
      was(task, values.description === '' ? without(values, 'description') : values, call),
    ),
  ),
  setStatus('task-patch-not-to-backlog', 'PATCH does not set the status backlog, the first of the five', (s) =>
    around(s, 'assignTask', (was, task, values, call) =>
      was(task, values.status === 'backlog' ? without(values, 'status') : values, call),
    ),
  ),
  updated('task-patch-204', 'PATCH /tasks/{task_id} answers 204 without a body', (s) =>
    onSuccess(s, ['changeTask'], (_call, answer) => {
      answer.status = 204;
      delete answer.body;
    }),
  ),
];

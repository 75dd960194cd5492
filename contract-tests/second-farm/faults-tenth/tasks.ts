// Faults of tasks after two or three changes, and of ids that are almost one.

import type { Task } from '../../judge/reference/model.ts';
import { around, clause, memory } from '../faults/fault.ts';

const unchanged = clause(157, 'any combination of the create fields; omitted fields unchanged');

export const faults = [
  unchanged(
    'done-frees-the-assignee',
    'a task that is moved to `done` without an assignee in the body has none afterwards',
    (service) =>
      around(service, 'assignTask', (was, task, values, call) => {
        const changed = was(task, values, call);
        if (values.status === 'done' && values.assignee_id === undefined) task.assignee = null;
        return changed;
      }),
  ),
  unchanged('reopening-clears-due-date', 'a task that is moved from `done` to another status loses its due date', (service) =>
    around(service, 'assignTask', (was, task, values, call) => {
      const reopens = task.status === 'done' && values.status !== undefined && values.status !== 'done';
      const changed = was(task, values, call);
      if (reopens && values.due_date === undefined) task.due = null;
      return changed;
    }),
  ),
  unchanged('first-due-date-cannot-come-back', 'a due date that is set back to that of the creation is ignored', (service) => {
    const first = memory<string, number | null>();
    around(service, 'saveTask', (was, task, call) => {
      first.set(task.id, task.due);
      was(task, call);
    });
    around(service, 'assignTask', (was, task, values, call) => {
      const { due } = task;
      const back = typeof values.due_date === 'number' && values.due_date === first.get(task.id);
      const changed = was(task, values, call);
      if (back) task.due = due;
      return changed;
    });
  }),
  unchanged('first-title-cannot-come-back', 'a title that is set back to that of the creation is ignored', (service) => {
    const first = memory<string, string>();
    around(service, 'saveTask', (was, task, call) => {
      first.set(task.id, task.title);
      was(task, call);
    });
    around(service, 'assignTask', (was, task, values, call) => {
      const { title } = task;
      const changed = was(task, values, call);
      if (values.title !== undefined && values.title === first.get(task.id)) task.title = title;
      return changed;
    });
  }),
  unchanged('all-six-fields-at-once', 'a change of all six fields at once keeps the former priority', (service) =>
    around(service, 'assignTask', (was, task, values, call) => {
      const { priority } = task;
      const changed = was(task, values, call);
      if (Object.keys(values).length === 6) task.priority = priority;
      return changed;
    }),
  ),
  unchanged(
    'undated-once-undated-for-good',
    'after `due_date` was cleared, a new one is ignored',
    (service) => {
      const cleared = new Set<string>();
      around(service, 'assignTask', (was, task, values, call) => {
        const changed = was(task, values, call);
        if (values.due_date === null) cleared.add(task.id);
        if (cleared.has(task.id)) task.due = null;
        return changed;
      });
    },
    { style: 'a' },
  ),
  unchanged(
    'description-emptied-stays-empty',
    'after a description was set to an empty text, a new one is ignored',
    (service) => {
      const emptied = new Set<string>();
      around(service, 'assignTask', (was, task, values, call) => {
        const changed = was(task, values, call);
        if (values.description === '') emptied.add(task.id);
        if (emptied.has(task.id)) task.description = '';
        return changed;
      });
    },
  ),
  clause(147, 'its tasks, comments and attachments are deleted immediately and cannot be recovered')(
    'twenty-tasks-go-with-a-project',
    'with a project its first 20 tasks are deleted; the others can still be read',
    (service) => around(service, 'tasksOfDeleted', (was, project) => was(project).slice(0, 20)),
  ),
  clause(299, 'id unknown, deleted, or in another workspace')(
    'ids-are-trimmed',
    'an id with a blank behind it finds the task',
    (service) => around(service, 'sameId', (was, stored, asked, what) => was(stored, asked.trim(), what)),
  ),
  clause(54, 'default `backlog`')('dated-today-is-todo', 'a task whose due date has passed is created as `todo`', (service) =>
    around(service, 'newTask', (was, values, project, call): Task => {
      const task = was(values, project, call);
      const late = values.status === undefined && task.due !== null && task.due < service.now();
      return late ? { ...task, status: 'todo' } : task;
    }),
  ),
];

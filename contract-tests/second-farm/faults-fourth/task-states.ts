// Faults of the status of tasks, and of their changes.

import { type Call, STATUSES, type Task } from '../../judge/reference/model.ts';
import type { Service } from '../../judge/reference/service/service.ts';
import { around, clause, type Fault, memory, without } from '../faults/fault.ts';
import { onPatch, tasksAtFirst } from '../faults-third/tools.ts';
import { onSuccess, refuses, sent, showsTask } from './tools.ts';

const states = clause(54, '`backlog`, `todo`, `in_progress`, `in_review`, `done`; default `backlog`');
const initial = clause(116, 'Initial state on create: the supplied `status`, default `backlog`.');
const settable = clause(116, 'The status can be set by `PATCH /tasks/{task_id}`.');
const patch = clause(157, 'body: any combination of the create fields; omitted fields unchanged');
const answered = clause(157, '`data` = updated task');

const refusedStep = (service: Service, allowed: (from: string, to: string, task: Task) => boolean): void =>
  refuses(
    service,
    ['changeTask'],
    (call) => {
      const { status } = sent(call);
      const task = service.taskOf(call);
      return STATUSES.includes(String(status)) && status !== task.status && !allowed(task.status, String(status), task);
    },
    (call) => service.invalid(422, [{ field: 'status', issue: 'cannot follow the present one', kind: 'value' }], call),
  );
const assigns = (
  service: Service,
  change: (given: Record<string, unknown>, task: Task, call: Call) => Record<string, unknown>,
): void => around(service, 'assignTask', (was, task, given, call) => was(task, change(given, task, call), call));

const statuses: Fault[] = [
  states('status-default-todo-with-due-date', 'the default is todo for a task with a due date', (s) =>
    around(s, 'newTask', (was, given, project, call) =>
      was(given.due_date ? { status: 'todo', ...given } : given, project, call),
    ),
  ),
  states('status-in-words', 'the answer of a creation has blanks for the underscores of status', (s) =>
    showsTask(s, ['created'], (fields) => ({ ...fields, status: String(fields.status).replace('_', ' ') })),
  ),
  states('status-missing-in-created', 'the answer of a creation has no status', (s) =>
    showsTask(s, ['created'], (fields) => without(fields, 'status')),
  ),
  initial('status-in-review-as-in-progress', 'a task that is made in_review is in_progress', (s) =>
    around(s, 'newTask', (was, given, project, call) =>
      was(given.status === 'in_review' ? { ...given, status: 'in_progress' } : given, project, call),
    ),
  ),
  settable('status-not-back-to-backlog', 'PATCH to backlog is refused', (s) => refusedStep(s, (_from, to) => to !== 'backlog')),
  settable('status-done-is-final', 'PATCH of the status of a task that is done is refused', (s) =>
    refusedStep(s, (from) => from !== 'done'),
  ),
  settable('status-back-is-ignored', 'PATCH to an earlier state is answered and not stored', (s) =>
    assigns(s, (given, task) =>
      given.status !== undefined && STATUSES.indexOf(String(given.status)) < STATUSES.indexOf(task.status)
        ? without(given, 'status')
        : given,
    ),
  ),
  settable('status-once-only', 'the second PATCH of the status of a task is answered and not stored', (s) => {
    const count = memory<string, number>();
    assigns(s, (given, task) => {
      if (given.status === undefined) return given;
      count.set(task.id, (count.get(task.id) ?? 0) + 1);
      return count.get(task.id) === 2 ? without(given, 'status') : given;
    });
  }),
];

const patches: Fault[] = [
  patch('patch-task-empty-refused', 'PATCH of a task with an empty object is refused', (s) =>
    refuses(
      s,
      ['changeTask'],
      (call) => call.text === '{}',
      (call) => s.invalid(400, [{ field: 'title', issue: 'give at least one field', kind: 'structure' }], call),
    ),
  ),
  patch('patch-description-255', 'PATCH cuts descriptions after 255 characters', (s) =>
    assigns(s, (given) =>
      typeof given.description === 'string' ? { ...given, description: given.description.slice(0, 255) } : given,
    ),
  ),
  patch('patch-title-clears-assignee', 'PATCH of the title removes the assignee', (s) =>
    onPatch(s, (task, given) => {
      if (given.title !== undefined && given.assignee_id === undefined) task.assignee = null;
    }),
  ),
  patch('patch-priority-clears-due-date', 'PATCH of the priority removes the due date', (s) =>
    onPatch(s, (task, given) => {
      if (given.priority !== undefined && given.due_date === undefined) task.due = null;
    }),
  ),
  patch('patch-description-resets-status', 'PATCH of the description sets the status to the one of the creation', (s) => {
    const first = tasksAtFirst(s);
    onPatch(s, (task, given) => {
      if (given.description !== undefined && given.status === undefined) task.status = first.get(task.id)?.status ?? task.status;
    });
  }),
  patch('patch-status-and-due-date', 'PATCH of status and due_date together loses the status', (s) =>
    assigns(s, (given) => (given.due_date === undefined ? given : without(given, 'status'))),
  ),
  patch('patch-last-field-wins', 'PATCH of more than one field takes the last one only', (s) =>
    assigns(s, (given) => Object.fromEntries(Object.entries(given).slice(-1))),
  ),
  patch('patch-assignee-twice-ignored', 'a second PATCH of the assignee of a task is ignored', (s) => {
    const count = memory<string, number>();
    assigns(s, (given, task) => {
      if (!given.assignee_id) return given;
      count.set(task.id, (count.get(task.id) ?? 0) + 1);
      return count.get(task.id) === 2 ? without(given, 'assignee_id') : given;
    });
  }),
  answered('patch-answer-without-project-id', 'the answer of PATCH has no project_id', (s) =>
    showsTask(s, ['changed'], (fields) => without(fields, 'project_id')),
  ),
  answered('patch-answer-with-old-status', 'the answer of PATCH has the status from before', (s) => {
    const had = memory<string, string>();
    onPatch(s, (task, _given, before) => void had.set(task.id, before.status));
    showsTask(s, ['changed'], (fields, task) => ({ ...fields, status: had.get(task.id) ?? fields.status }));
  }),
  clause(55, '| created_at | string (datetime) | no (server-set) | |')(
    'patch-renews-created-at',
    'PATCH of the title sets created_at to the present',
    (s) =>
      onSuccess(s, ['changeTask'], (call) => {
        if (sent(call).title !== undefined) s.taskOf(call).created = s.now();
      }),
  ),
];

export const faults: readonly Fault[] = [...statuses, ...patches];

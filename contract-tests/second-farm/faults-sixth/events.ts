// Faults of events: callbacks, transactions and snapshots.
import { createHash } from 'node:crypto';
import type { Fields, Task } from '../../judge/reference/model.ts';
import { around, clause, type Fault, memory } from '../faults/fault.ts';
import { onSuccess } from '../faults-fourth/tools.ts';

const RECEIVER = { needs: 'receiver' } as const;
const updated = clause(252, '| task.updated | a task is updated |', RECEIVER);
const gone = clause(253, '| task.deleted | a task is deleted |', RECEIVER);
const project = clause(255, '| project.updated | a project is updated |', RECEIVER);
const removed = clause(256, '| project.deleted | a project is deleted |', RECEIVER);
const id = clause(240, 'unique id of the event', RECEIVER);
const name = clause(241, 'event name in `resource.action` form', RECEIVER);
const time = clause(242, 'UTC time the event was generated', RECEIVER);
const data = clause(243, 'holding a snapshot of the resource', RECEIVER);
const snapshot = clause(245, 'carries at least id, title, project_id, status, assignee_id', RECEIVER);
const own = clause(13, "only sees that workspace's resources", { needs: 'second workspace' });

export const faults: readonly Fault[] = [
  gone('refused-deletion-told', 'a DELETE of a task that the scope forbids fires task.deleted', (s) =>
    around(s, 'authorise', (was, call, operation) => {
      const task = s.db.tasks.find((each) => each.id === call.ids.task && each.workspace === call.workspace?.id);
      if (operation === 'deleteTask' && call.key?.scope === 'read' && task) s.taskEvent('task.deleted', task, call);
      was(call, operation);
    }),
  ),
  name('done-told-as-completed', 'an update that leaves a task done is told as task.completed', (s) =>
    around(s, 'envelope', (was, delivery) => {
      const envelope = Object(was(delivery));
      const done = (delivery.event.data.task as Fields | undefined)?.status === 'done';
      return done && delivery.event.name === 'task.updated' ? { ...envelope, event: 'task.completed' } : envelope;
    }),
  ),
  updated('one-event-per-field', 'a PATCH of a task fires task.updated once for each field', (s) => {
    let fields = 1;
    around(s, 'assignTask', (was, task, values, call) => {
      fields = Object.keys(values).length;
      return was(task, values, call);
    });
    around(s, 'taskEvent', (was, event, task, call) => {
      was(event, task, call);
      for (let more = 1; event === 'task.updated' && more < fields; more += 1) was(event, task, call);
    });
  }),
  data('deletion-shows-no-assignee', 'task.deleted has no assignee, for it was taken away first', (s) =>
    around(s, 'taskSnapshot', (was, task, event) => was(event === 'task.deleted' ? { ...task, assignee: null } : task, event)),
  ),
  removed('deleted-project-with-tasks-untold', 'project.deleted is not fired for a project that has tasks', (s) => {
    let tasks: readonly Task[] = [];
    around(s, 'tasksOfDeleted', (was, row) => {
      tasks = was(row);
      return was(row);
    });
    around(s, 'projectEvent', (was, event, row, call) => {
      if (event !== 'project.deleted' || tasks.length === 0) was(event, row, call);
    });
  }),
  updated('quick-update-untold', 'an update within a second of the event before of the same task is not told', (s) => {
    const last = memory<string, number>();
    around(s, 'taskEvent', (was, event, task, call) => {
      const before = last.get(task.id) ?? 0;
      last.set(task.id, s.now());
      if (event !== 'task.updated' || s.now() - before >= 1000) was(event, task, call);
    });
  }),
  snapshot('created-snapshot-in-camel-case', 'task.created has projectId and assigneeId', (s) =>
    around(s, 'taskSnapshot', (was, task, event) => {
      const { project_id, assignee_id, ...rest } = Object(was(task, event)) as Fields;
      return event === 'task.created' ? { ...rest, projectId: project_id, assigneeId: assignee_id } : was(task, event);
    }),
  ),
  id('event-id-by-resource', 'events of one name on one resource have the same id', (s) =>
    around(s, 'eventId', (_was, event, content) => {
      const of = Object.values(content).map((each) => (each as Fields).id);
      return `evt_${createHash('sha256').update(`${event} ${of}`).digest('hex').slice(0, 24)}`;
    }),
  ),
  time('update-told-with-time-of-task', 'created_at of task.updated is the created_at of the task', (s) =>
    around(s, 'envelope', (was, delivery) => {
      const { name: event, data: content } = delivery.event;
      const task = s.db.tasks.find((each) => each.id === (content.task as Fields | undefined)?.id);
      return event === 'task.updated' && task
        ? { ...Object(was(delivery)), created_at: s.stamp(task.created, 'event.created_at') }
        : was(delivery);
    }),
  ),
  own(
    'deleted-task-told-everywhere',
    'task.deleted goes to the webhooks of all workspaces',
    (s) =>
      around(s, 'hears', (was, hook, event, workspace, call) =>
        event.name === 'task.deleted' ? hook.events.includes(event.name) : was(hook, event, workspace, call),
      ),
    RECEIVER,
  ),
  project('new-task-updates-project', 'a new task fires project.updated', (s) =>
    onSuccess(s, ['createTask'], (call) => s.projectEvent('project.updated', s.projectOf(call), call)),
  ),
  updated('creation-also-updated', 'a new task fires task.updated behind task.created, for it is saved twice', (s) =>
    around(s, 'taskEvent', (was, event, task, call) => {
      was(event, task, call);
      if (event === 'task.created') was('task.updated', task, call);
    }),
  ),
];

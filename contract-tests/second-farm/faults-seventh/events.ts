// Faults of events: when they fire, and what their snapshots hold.

import type { Fields, Task } from '../../judge/reference/model.ts';
import { around, clause, memory } from '../faults/fault.ts';

const receiver = { needs: 'receiver' } as const;
const snapshot = clause(243, 'holding a snapshot of the resource', receiver);
const unique = clause(240, 'unique id of the event', receiver);
const taskUpdated = clause(252, 'a task is updated', receiver);

export const faults = [
  clause(98, 'event names subscribed to', receiver)(
    'webhook-hears-whole-resource',
    'a webhook hears all events of the resources that it subscribed to',
    (service) =>
      around(service, 'hears', (_was, hook, event, workspace) => {
        const resource = event.name.split('.')[0];
        return hook.workspace === workspace && hook.events.some((name) => name.split('.')[0] === resource);
      }),
  ),
  unique('event-id-of-the-record', 'all `task.updated` events of a task have the same id', (service) => {
    const ids = memory<unknown, string>();
    around(service, 'eventId', (was, name, data) => {
      if (name !== 'task.updated') return was(name, data);
      const { id } = data.task as Fields;
      const known = ids.get(id) ?? was(name, data);
      ids.set(id, known);
      return known;
    });
  }),
  clause(242, 'UTC time the event was generated', receiver)(
    'event-time-of-the-attempt',
    '`created_at` of an event is the time of the attempt',
    (service) =>
      around(service, 'envelope', (was, delivery) => ({
        ...(was(delivery) as Fields),
        created_at: service.stamp(service.now(), 'event.created_at'),
      })),
  ),
  clause(243, 'one key named after the resource type', receiver)(
    'deleted-project-flat',
    '`data` of `project.deleted` is the project itself',
    (service) =>
      around(service, 'emit', (was, name, workspace, data, call) =>
        was(name, workspace, name === 'project.deleted' ? (data.project as Fields) : data, call),
      ),
  ),
  snapshot('status-change-shows-old-task', 'the snapshot of a change of status is the task before it', (service) => {
    const before = memory<string, Task>();
    around(service, 'assignTask', (was, task, values, call) => {
      if (values.status === undefined) before.delete(task.id);
      else before.set(task.id, { ...task });
      return was(task, values, call);
    });
    around(service, 'taskSnapshot', (was, task, event) =>
      was(event === 'task.updated' ? (before.get(task.id) ?? task) : task, event),
    );
  }),
  clause(245, 'at least id, title, project_id, status, assignee_id', receiver)(
    'created-task-not-yet-assigned',
    'the snapshot of a created task has no assignee',
    (service) =>
      around(service, 'taskSnapshot', (was, task, event) =>
        was(event === 'task.created' ? { ...task, assignee: null } : task, event),
      ),
  ),
  taskUpdated('refused-change-fires', 'a change of a task that is refused for its values fires `task.updated`', (service) =>
    around(service, 'refuse', (was, issues, call, resource, act) => {
      if (resource === 'task' && act === 'change') service.taskEvent('task.updated', service.taskOf(call), call);
      return was(issues, call, resource, act);
    }),
  ),
  taskUpdated('changes-within-a-second-fire-once', 'a change within a second of the one before fires nothing', (service) => {
    const last = memory<string, number>();
    around(service, 'taskEvent', (was, name, task, call) => {
      const fresh = name === 'task.updated' && service.now() - (last.get(task.id) ?? 0) < 1000;
      if (name === 'task.updated') last.set(task.id, service.now());
      if (!fresh) was(name, task, call);
    });
  }),
  clause(253, 'a task is deleted', receiver)(
    'done-task-deleted-silently',
    'the deletion of a task that is `done` fires nothing',
    (service) =>
      around(service, 'taskEvent', (was, name, task, call) => {
        if (name !== 'task.deleted' || task.status !== 'done') was(name, task, call);
      }),
  ),
  clause(254, 'a project is created', receiver)(
    'project-of-admin-made-silently',
    'projects that an admin key creates fire nothing',
    (service) =>
      around(service, 'projectEvent', (was, name, project, call) => {
        if (name !== 'project.created' || call.key?.scope !== 'admin') was(name, project, call);
      }),
  ),
  clause(255, 'a project is updated', receiver)(
    'project-described-silently',
    'a change of the description of a project alone fires nothing',
    (service) => {
      let quiet = false;
      around(service, 'assignProject', (was, project, values, call) => {
        quiet = Object.keys(values).every((name) => name === 'description');
        return was(project, values, call);
      });
      around(service, 'projectEvent', (was, name, project, call) => {
        if (name !== 'project.updated' || !quiet) was(name, project, call);
      });
    },
  ),
  clause(256, 'a project is deleted', receiver)(
    'project-with-tasks-deleted-silently',
    'the deletion of a project that has tasks does not fire `project.deleted`',
    (service) => {
      let full = false;
      around(service, 'tasksOfDeleted', (was, project) => {
        const tasks = was(project);
        full = tasks.length > 0;
        return tasks;
      });
      around(service, 'projectEvent', (was, name, project, call) => {
        if (name !== 'project.deleted' || !full) was(name, project, call);
      });
    },
  ),
];

// Faults of registrations and events: who is told, and what.

import type { Fields, Hook } from '../../judge/reference/model.ts';
import { around, clause, memory } from '../faults/fault.ts';

const registered = clause(98, 'event names subscribed to', { needs: 'receiver' });
const updated = clause(252, 'a task is updated', { needs: 'receiver' });
const snapshot = clause(245, 'The task event snapshot carries at least id, title, project_id, status, assignee_id', {
  needs: 'receiver',
});
const data = clause(243, 'one key named after the resource type (`task`, `project`, `member`)', { needs: 'receiver' });

export const faults = [
  clause(97, 'publicly reachable HTTPS URL, required on create')(
    'plain-http-registered',
    'a webhook may have an `http` URL',
    (service) => around(service, 'isReachable', (was, text) => was(text.replace(/^http:/, 'https:'))),
  ),
  clause(99, 'signing secret, returned only in the create response and never again')(
    'secret-of-first-registration',
    'later registrations of a workspace return the secret of its first one',
    (service) =>
      around(service, 'showHook', (was, hook) => ({
        ...was(hook),
        secret: service.db.hooks.find(({ workspace }) => workspace === hook.workspace)?.secret,
      })),
  ),
  registered('last-event-of-registration-lost', 'of several events the last one is not subscribed to', (service) =>
    around(
      service,
      'hears',
      (was, hook, event, workspace, call) =>
        was(hook, event, workspace, call) && (hook.events.length < 2 || hook.events.at(-1) !== event.name),
    ),
  ),
  registered('all-events-of-the-resource', 'who subscribes to one event of tasks gets all events of tasks', (service) =>
    around(service, 'hears', (was, hook, event, workspace, call) => {
      const kind = event.name.split('.')[0];
      return (
        was(hook, event, workspace, call) ||
        (hook.workspace === workspace && hook.events.some((name) => name.split('.')[0] === kind))
      );
    }),
  ),
  registered(
    'second-registration-replaces-first',
    'a second registration of a workspace takes the place of the first',
    (service) => {
      const latest = (hook: Hook) => service.db.hooks.findLast(({ workspace }) => workspace === hook.workspace) === hook;
      around(service, 'hears', (was, hook, event, workspace, call) => latest(hook) && was(hook, event, workspace, call));
    },
  ),
  clause(13, "only sees that workspace's resources", { needs: 'second workspace' })(
    'events-of-all-workspaces',
    'a receiver gets the events of other workspaces too',
    (service) => around(service, 'hears', (was, hook, event, _workspace, call) => was(hook, event, hook.workspace, call)),
  ),
  updated('due-date-changes-untold', 'a change of the due date alone fires nothing', (service) => {
    let alone = false;
    around(service, 'assignTask', (was, task, values, call) => {
      alone = Object.keys(values).join() === 'due_date';
      return was(task, values, call);
    });
    around(service, 'taskEvent', (was, name, task, call) => {
      if (name !== 'task.updated' || !alone) was(name, task, call);
    });
  }),
  updated(
    'refused-change-told',
    'a change that is refused with a validation error fires `task.updated` all the same',
    (service) =>
      around(service, 'changeTask', (was, call) => {
        try {
          return was(call);
        } catch (error) {
          service.taskEvent('task.updated', service.taskOf(call), call);
          throw error;
        }
      }),
  ),
  updated('second-change-swallowed', 'a second change of a task within five seconds fires nothing', (service) => {
    const last = memory<string, number>();
    around(service, 'taskEvent', (was, name, task, call) => {
      const before = last.get(task.id) ?? Number.NEGATIVE_INFINITY;
      if (name === 'task.updated') last.set(task.id, service.now());
      if (name !== 'task.updated' || service.now() - before > 5000) was(name, task, call);
    });
  }),
  clause(256, 'a project is deleted', { needs: 'receiver' })(
    'full-projects-leave-silently',
    'the deletion of a project that has tasks fires no `project.deleted`',
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
  snapshot('created-snapshot-unassigned', 'in `task.created` the assignee is null, though the task has one', (service) =>
    around(service, 'taskSnapshot', (was, task, name) =>
      name === 'task.created' ? { ...(was(task, name) as Fields), assignee_id: null } : was(task, name),
    ),
  ),
  data('project-fields-without-key', 'the fields of a project are in `data` itself, without the key `project`', (service) =>
    around(service, 'projectEvent', (_was, name, project, call) =>
      service.emit(name, project.workspace, service.projectSnapshot(project, name) as Fields, call),
    ),
  ),
  clause(241, 'event name in `resource.action` form', { needs: 'receiver' })(
    'removed-for-deleted',
    'the event of a deleted task is called `task.removed`',
    (service) =>
      around(service, 'envelope', (was, delivery) => {
        const envelope = was(delivery) as Fields;
        return envelope.event === 'task.deleted' ? { ...envelope, event: 'task.removed' } : envelope;
      }),
  ),
  clause(240, 'unique id of the event; receivers deduplicate retried deliveries with it', { needs: 'receiver' })(
    'event-id-by-record',
    'all events of one task have one id',
    (service) => {
      const ids = memory<unknown, string>();
      around(service, 'eventId', (was, name, fields) => {
        const record = (fields.task as Fields | undefined)?.id;
        const id = ids.get(record) ?? was(name, fields);
        if (record !== undefined) ids.set(record, id);
        return id;
      });
    },
  ),
];

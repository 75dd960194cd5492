// Faults of events: which are fired, and what they hold.

import type { Fields } from '../../judge/reference/model.ts';
import { around, clause, type Fault } from '../faults/fault.ts';
import { sent } from '../faults-fourth/tools.ts';

const RECEIVER = { needs: 'receiver' } as const;
const id = clause(240, 'unique id of the event', RECEIVER);
const name = clause(241, 'event name in `resource.action` form', RECEIVER);
const created = clause(242, '| created_at | string (datetime) | UTC time the event was generated |', RECEIVER);
const data = clause(243, 'one key named after the resource type (`task`, `project`, `member`)', RECEIVER);
const snapshot = clause(243, 'holding a snapshot of the resource', RECEIVER);
const carries = clause(245, 'The task event snapshot carries at least id, title, project_id, status, assignee_id.', RECEIVER);
const taskCreated = clause(251, '| task.created | a task is created |', RECEIVER);
const taskUpdated = clause(252, '| task.updated | a task is updated |', RECEIVER);
const taskDeleted = clause(253, '| task.deleted | a task is deleted |', RECEIVER);
const projectCreated = clause(254, '| project.created | a project is created |', RECEIVER);

export const faults: readonly Fault[] = [
  taskDeleted('event-task-deleted-never', 'task.deleted is not fired', (s) =>
    around(s, 'taskEvent', (was, event, task, call) => {
      if (event !== 'task.deleted') was(event, task, call);
    }),
  ),
  taskUpdated('event-not-for-status-alone', 'a PATCH of the status alone fires no task.updated', (s) =>
    around(s, 'taskEvent', (was, event, task, call) => {
      if (event !== 'task.updated' || Object.keys(sent(call)).join() !== 'status') was(event, task, call);
    }),
  ),
  projectCreated('event-not-for-private-project', 'a project that is created as private fires no project.created', (s) =>
    around(s, 'projectEvent', (was, event, project, call) => {
      if (event !== 'project.created' || project.visibility !== 'private') was(event, project, call);
    }),
  ),
  taskCreated('event-not-to-its-author', 'a webhook does not hear of what the user did who registered it', (s) => {
    const authors = new Map<string, string>();
    around(s, 'createWebhook', (was, call) => {
      const answer = was(call);
      authors.set(s.db.hooks.at(-1)?.id ?? '', call.key?.user ?? '');
      return answer;
    });
    around(
      s,
      'hears',
      (was, hook, event, workspace, call) =>
        was(hook, event, workspace, call) && !(event.name === 'task.created' && authors.get(hook.id) === call.key?.user),
    );
  }),
  id(
    'event-id-from-resource',
    'the id of an event is made from its name and its resource: two updates of a task have the same',
    (s) =>
      around(s, 'eventId', (_was, event, held) => {
        const resource = Object.values(held)[0] as Fields;
        return `evt_${`${event}-${resource.id}`.replace(/\W|_/g, '-')}`;
      }),
  ),
  created('event-time-in-seconds', 'created_at of events is a number of seconds', (s) =>
    around(s, 'stamp', (was, at, what) => (what === 'event.created_at' ? Math.floor(at / 1000) : was(at, what))),
  ),
  name('event-name-of-project-with-underscore', 'the events of projects are named project_created and so on', (s) =>
    around(s, 'envelope', (was, delivery) => {
      const { event } = delivery;
      return { ...(was(delivery) as Fields), event: event.name.replace('project.', 'project_') };
    }),
  ),
  data('event-project-in-resource', 'the events of projects hold resource in place of project', (s) =>
    around(s, 'envelope', (was, delivery) => {
      const { project, ...others } = delivery.event.data;
      return { ...(was(delivery) as Fields), data: project === undefined ? others : { resource: project } };
    }),
  ),
  carries('event-task-deleted-id-alone', 'the snapshot of task.deleted holds the id alone', (s) =>
    around(s, 'taskSnapshot', (was, task, event) => (event === 'task.deleted' ? { id: task.id } : was(task, event))),
  ),
  snapshot('event-update-shows-before', 'task.updated shows the task as it was before the update', (s) => {
    let before: unknown;
    around(s, 'assignTask', (was, task, values, call) => {
      before = s.taskSnapshot(task, 'before');
      return was(task, values, call);
    });
    around(s, 'taskSnapshot', (was, task, event) => (event === 'task.updated' ? before : was(task, event)));
  }),
];

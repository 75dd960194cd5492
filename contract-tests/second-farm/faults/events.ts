// Faults of events: which there are, and who gets them.
import type { Fields } from '../../judge/reference/model.ts';
import type { Service } from '../../judge/reference/service/service.ts';
import { receiver } from './event-tools.ts';
import { around, clause, type Fault, isOn, memory } from './fault.ts';

const EVENTS = [
  [251, 'task.created', 'a task is created'],
  [252, 'task.updated', 'a task is updated'],
  [253, 'task.deleted', 'a task is deleted'],
  [254, 'project.created', 'a project is created'],
  [255, 'project.updated', 'a project is updated'],
  [256, 'project.deleted', 'a project is deleted'],
] as const;
const mute = (service: Service, when: (name: string, data: Fields) => boolean): void =>
  around(service, 'emit', (was, name, workspace, data, call) =>
    when(name, data) ? undefined : was(name, workspace, data, call),
  );
const renamed = (service: Service, from: string, to: string): void =>
  around(service, 'envelope', (was, delivery) =>
    delivery.event.name === from ? { ...(was(delivery) as Fields), event: to } : was(delivery),
  );
const fired = (line: number) => clause(line, EVENTS.find(([at]) => at === line)?.[2] ?? '', receiver);
const firing: Fault[] = [
  ...EVENTS.map(([line, name]) =>
    fired(line)(`event-missing-${name.replace('.', '-')}`, `${name} is never sent`, (s) => mute(s, (each) => each === name)),
  ),
  ...EVENTS.map(([line, name]) =>
    fired(line)(`event-past-tense-${name.replace('.', '-')}`, `${name} is sent as ${name.replace(/d$/, '')}`, (s) =>
      renamed(s, name, name.replace(/d$/, '')),
    ),
  ),
  fired(252)('event-status-changed', 'a PATCH of the status is sent as task.status_changed', (s) =>
    around(s, 'envelope', (was, delivery) => {
      const all = was(delivery) as Fields;
      return delivery.event.name === 'task.updated' && (delivery.event.data.task as Fields | undefined)?.status === 'in_progress'
        ? { ...all, event: 'task.status_changed' }
        : all;
    }),
  ),
  fired(252)('event-updated-title-only', 'task.updated is sent for changes of the title alone', (s) => {
    let titled = false;
    around(s, 'assignTask', (was, task, sent, call) => {
      titled = 'title' in sent;
      return was(task, sent, call);
    });
    mute(s, (name) => name === 'task.updated' && !titled);
  }),
  fired(252)('event-updated-not-for-due-date', 'task.updated is not sent when the due date changes', (s) => {
    let dated = false;
    around(s, 'assignTask', (was, task, sent, call) => {
      dated = 'due_date' in sent;
      return was(task, sent, call);
    });
    mute(s, (name) => name === 'task.updated' && dated);
  }),
  fired(252)('event-updated-on-read', 'reading a task sends task.updated', (s) => {
    around(s, 'readTask', (was, call) => {
      const answer = was(call);
      s.taskEvent('task.updated', s.taskOf(call), call);
      return answer;
    });
  }),
  fired(252)('event-updated-when-refused', 'a PATCH that is refused sends task.updated', (s) => {
    around(s, 'refuse', (was, issues, call, resource, act) => {
      if (resource === 'task' && act === 'change') s.taskEvent('task.updated', s.taskOf(call), call);
      return was(issues, call, resource, act);
    });
  }),
  fired(253)('event-deleted-when-forbidden', 'a DELETE that is forbidden sends task.deleted', (s) => {
    around(s, 'forbidden', (was, call) => {
      if (isOn(call, 'deleteTask')) s.taskEvent('task.deleted', s.taskOf(call), call);
      return was(call);
    });
  }),
  fired(251)('event-created-when-assigned', 'task.created is sent for tasks with an assignee alone', (s) =>
    mute(s, (name, data) => name === 'task.created' && !(data.task as Fields).assignee_id),
  ),
  fired(251)('event-created-also-updated', 'a creation sends task.updated too', (s) => {
    around(s, 'saveTask', (was, task, call) => {
      was(task, call);
      s.taskEvent('task.updated', task, call);
    });
  }),
  fired(253)('event-deleted-as-updated', 'a deletion sends task.updated', (s) => renamed(s, 'task.deleted', 'task.updated')),
  fired(254)('event-project-created-not-private', 'project.created is not sent for private projects', (s) => {
    around(s, 'projectEvent', (was, name, project, call) =>
      name === 'project.created' && project.visibility === 'private' ? undefined : was(name, project, call),
    );
  }),
  fired(255)('event-project-updated-name-only', 'project.updated is sent for changes of the name alone', (s) => {
    let named = false;
    around(s, 'assignProject', (was, project, sent, call) => {
      named = 'name' in sent;
      return was(project, sent, call);
    });
    mute(s, (name) => name === 'project.updated' && !named);
  }),
  fired(256)('event-project-deleted-without-tasks', 'project.deleted is not sent for a project without tasks', (s) => {
    let tasks = 0;
    around(s, 'tasksOfDeleted', (was, project) => {
      tasks = was(project).length;
      return was(project);
    });
    mute(s, (name) => name === 'project.deleted' && tasks === 0);
  }),
  fired(256)('event-project-deleted-per-task', 'project.deleted is sent for each task of the project', (s) => {
    around(s, 'projectEvent', (was, name, project, call) => was(name, project, call));
    around(s, 'removeTask', (was, task, because) => {
      const project = s.db.projects.find(({ id }) => id === task.project);
      was(task, because);
      if (because === 'project' && project) s.projectEvent('project.deleted', project, { workspace: undefined } as never);
    });
  }),
];
const subscribed = clause(98, '| events | array of string | event names subscribed to |', receiver);
const registration = clause(228, 'by `POST /webhooks` with `url` and `events`', receiver);
const pushes = clause(224, 'Webhooks push events by HTTP POST to registered endpoints.', receiver);
const subscriptions: Fault[] = [
  subscribed('hook-hears-all', 'every registration gets all events', (s) =>
    around(s, 'hears', (_was, hook, _event, workspace) => hook.workspace === workspace),
  ),
  subscribed('hook-hears-resource', 'a registration for one event of a resource gets all of that resource', (s) =>
    around(
      s,
      'hears',
      (_was, hook, { name }, workspace) =>
        hook.workspace === workspace && hook.events.some((each) => each.split('.')[0] === name.split('.')[0]),
    ),
  ),
  subscribed('hook-hears-action', 'a registration for one action gets it for all resources', (s) =>
    around(
      s,
      'hears',
      (_was, hook, { name }, workspace) =>
        hook.workspace === workspace && hook.events.some((each) => each.split('.')[1] === name.split('.')[1]),
    ),
  ),
  subscribed('hook-hears-first', 'a registration for several events gets the first only', (s) =>
    around(s, 'hears', (was, hook, event, workspace, call) => was(hook, event, workspace, call) && hook.events[0] === event.name),
  ),
  subscribed('hook-hears-without-last', 'a registration for several events misses the last', (s) =>
    around(
      s,
      'hears',
      (was, hook, event, workspace, call) =>
        was(hook, event, workspace, call) && (hook.events.length === 1 || hook.events.at(-1) !== event.name),
    ),
  ),
  registration('hook-latest-only', 'only the latest registration of a workspace is called', (s) =>
    around(
      s,
      'hears',
      (was, hook, event, workspace, call) =>
        was(hook, event, workspace, call) && !s.db.hooks.some((each) => each.workspace === workspace && each.nth > hook.nth),
    ),
  ),
  registration('hook-first-only', 'only the first registration of a workspace is called', (s) =>
    around(
      s,
      'hears',
      (was, hook, event, workspace, call) =>
        was(hook, event, workspace, call) && !s.db.hooks.some((each) => each.workspace === workspace && each.nth < hook.nth),
    ),
  ),
  registration('hook-one-per-event', 'an event goes to the first of its registrations only', (s) => {
    let last: string | undefined;
    around(s, 'deliver', (was, event, hook) => {
      if (event.id === last) return;
      last = event.id;
      was(event, hook);
    });
  }),
  registration('hook-path-lost', 'deliveries go to the host, without the path of the url', (s) =>
    around(s, 'post', (was, delivery) => ({ ...was(delivery), url: `${new URL(delivery.hook.url).origin}/` })),
  ),
  clause(13, "An API key belongs to one workspace and only sees that workspace's resources.", { needs: 'receiver' })(
    'hook-hears-other-workspaces',
    'registrations get the events of all workspaces',
    (s) => around(s, 'hears', (_was, hook, event) => hook.events.includes(event.name)),
  ),
  pushes('hook-not-for-other-keys', 'a registration gets only what its own key did', (s) => {
    const makers = memory<string, string>();
    around(s, 'createWebhook', (was, call) => {
      const answer = was(call);
      makers.set(s.db.hooks.at(-1)?.id ?? '', call.key?.value ?? '');
      return answer;
    });
    around(
      s,
      'hears',
      (was, hook, event, workspace, call) => was(hook, event, workspace, call) && makers.get(hook.id) === call.key?.value,
    );
  }),
  pushes('hook-silent-for-own-key', 'a registration does not get what its own key did', (s) => {
    const makers = memory<string, string>();
    around(s, 'createWebhook', (was, call) => {
      const answer = was(call);
      makers.set(s.db.hooks.at(-1)?.id ?? '', call.key?.value ?? '');
      return answer;
    });
    around(
      s,
      'hears',
      (was, hook, event, workspace, call) => was(hook, event, workspace, call) && makers.get(hook.id) !== call.key?.value,
    );
  }),
  pushes('hook-first-event-only', 'a registration is called once', (s) => {
    const called = memory<string, true>();
    around(s, 'hears', (was, hook, event, workspace, call) => {
      if (!was(hook, event, workspace, call) || called.has(hook.id)) return false;
      called.set(hook.id, true);
      return true;
    });
  }),
];

export const faults: readonly Fault[] = [...firing, ...subscriptions];

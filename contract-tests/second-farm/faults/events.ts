// Faults of events: which there are, and what they say.
import type { Fields, Project, Task } from '../model.ts';
import type { Service } from '../service/service.ts';
import { around, clause, type Fault, isOn, memory, without } from './fault.ts';

const receiver = { needs: 'receiver' } as const;
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
const envelope = (service: Service, change: (all: Fields, name: string, attempts: number) => unknown): void =>
  around(service, 'envelope', (was, delivery) => change(was(delivery) as Fields, delivery.event.name, delivery.attempts));

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

const id = clause(240, '| id | string | unique id of the event; receivers deduplicate retried deliveries with it |', receiver);
const name = clause(241, '| event | string | event name in `resource.action` form |', receiver);
const created = clause(242, '| created_at | string (datetime) | UTC time the event was generated |', receiver);
const data = clause(
  243,
  'one key named after the resource type (`task`, `project`, `member`) holding a snapshot of the resource',
  receiver,
);
const carries = clause(245, 'The task event snapshot carries at least id, title, project_id, status, assignee_id.', receiver);
const task = (service: Service, change: (snapshot: Fields, task: Task, event: string) => unknown): void =>
  around(service, 'taskSnapshot', (was, each, event) => change(was(each, event) as Fields, each, event));

const envelopes: Fault[] = [
  id('event-id-missing', 'events have no id', (s) => envelope(s, (all) => without(all, 'id'))),
  id('event-id-number', 'ids of events are numbers', (s) => {
    let count = 0;
    around(s, 'eventId', () => {
      count += 1;
      return count as unknown as string;
    });
  }),
  id('event-id-of-resource', 'the id of an event is that of the task', (s) =>
    around(s, 'eventId', (was, event, each) => ((each.task as Fields | undefined)?.id as string | undefined) ?? was(event, each)),
  ),
  id('event-id-per-second', 'events of the same second have the same id', (s) =>
    around(s, 'eventId', () => `evt_${Math.floor(s.now() / 1000)}`),
  ),
  id('event-id-per-kind', 'all events of one name have the same id', (s) => {
    const ids = memory<string, string>();
    around(s, 'eventId', (was, event, each) => {
      const known = ids.get(event) ?? was(event, each);
      ids.set(event, known);
      return known;
    });
  }),
  id('event-id-null-when-deleted', 'events of deletions have id null', (s) =>
    envelope(s, (all, event) => (event.endsWith('.deleted') ? { ...all, id: null } : all)),
  ),
  id('event-id-per-attempt', 'each attempt has an id of its own', (s) =>
    envelope(s, (all, _event, attempts) => (attempts > 1 ? { ...all, id: `${all.id}r${attempts}` } : all)),
  ),
  id('event-id-new-after-third', 'from the fourth attempt on the id is another', (s) =>
    envelope(s, (all, _event, attempts) => (attempts > 3 ? { ...all, id: `${all.id}r` } : all)),
  ),
  name('event-name-missing', 'events have no name', (s) => envelope(s, (all) => without(all, 'event'))),
  name('event-name-as-type', 'the name is given as type', (s) =>
    envelope(s, (all) => ({ ...without(all, 'event'), type: all.event })),
  ),
  name('event-name-underscore', 'names have an underscore for the dot', (s) =>
    envelope(s, (all) => ({ ...all, event: String(all.event).replace('.', '_') })),
  ),
  name('event-name-plural', 'names begin with the plural', (s) =>
    envelope(s, (all) => ({ ...all, event: String(all.event).replace('.', 's.') })),
  ),
  name('event-name-capitals', 'names of project events are in capitals', (s) =>
    envelope(s, (all, event) => (event.startsWith('project') ? { ...all, event: event.toUpperCase() } : all)),
  ),
  name('event-name-object', 'the name is an object', (s) => envelope(s, (all) => ({ ...all, event: { name: all.event } }))),
  created('event-created-missing', 'events have no created_at', (s) => envelope(s, (all) => without(all, 'created_at'))),
  created('event-created-epoch', 'created_at of an event is a number', (s) =>
    around(s, 'stamp', (was, at, what) => (what === 'event.created_at' ? at : was(at, what))),
  ),
  created('event-created-local', 'created_at of an event is local time with Z', (s) =>
    around(s, 'stamp', (was, at, what) => was(what === 'event.created_at' ? at + 7_200_000 : at, what)),
  ),
  created(
    'event-created-of-task',
    'created_at of a task event is that of the task',
    (s) =>
      envelope(s, (all) => ({
        ...all,
        created_at: ((all.data as Fields).task as Fields | undefined)?.created_at ?? all.created_at,
      })),
    { style: 'a' },
  ),
  created('event-created-per-attempt', 'created_at is the time of the attempt', (s) =>
    envelope(s, (all) => ({ ...all, created_at: s.stamp(s.now(), 'event.created_at') })),
  ),
  created('event-created-day', 'created_at of project events is a day', (s) =>
    envelope(s, (all, event) =>
      event.startsWith('project') ? { ...all, created_at: String(all.created_at).slice(0, 10) } : all,
    ),
  ),
  data('event-data-flat', 'data is the resource itself', (s) =>
    envelope(s, (all) => ({ ...all, data: Object.values(all.data as Fields)[0] })),
  ),
  data('event-data-flat-for-projects', 'data of project events is the project itself', (s) =>
    envelope(s, (all, event) => (event.startsWith('project') ? { ...all, data: Object.values(all.data as Fields)[0] } : all)),
  ),
  data('event-data-object-key', 'the key is named object', (s) =>
    envelope(s, (all) => ({ ...all, data: { object: Object.values(all.data as Fields)[0] } })),
  ),
  data('event-data-plural', 'the key is in the plural', (s) =>
    envelope(s, (all) => ({
      ...all,
      data: Object.fromEntries(Object.entries(all.data as Fields).map(([key, value]) => [`${key}s`, value])),
    })),
  ),
  data('event-data-list', 'the key holds an array', (s) =>
    envelope(s, (all) => ({
      ...all,
      data: Object.fromEntries(Object.entries(all.data as Fields).map(([key, value]) => [key, [value]])),
    })),
  ),
  data('event-data-missing-when-deleted', 'events of deletions have no data', (s) =>
    envelope(s, (all, event) => (event.endsWith('.deleted') ? without(all, 'data') : all)),
  ),
  data('event-data-null-when-deleted', 'the task of task.deleted is null', (s) =>
    envelope(s, (all, event) => (event === 'task.deleted' ? { ...all, data: { task: null } } : all)),
  ),
  data('event-data-json-text', 'data is JSON in a text', (s) =>
    envelope(s, (all) => ({ ...all, data: JSON.stringify(all.data) })),
  ),
  data('event-payload', 'data is named payload', (s) => envelope(s, (all) => ({ ...without(all, 'data'), payload: all.data }))),
  data('event-task-in-project-events', 'project events have their project under task', (s) =>
    envelope(s, (all, event) => (event.startsWith('project') ? { ...all, data: { task: (all.data as Fields).project } } : all)),
  ),
  ...(['id', 'title', 'project_id', 'status', 'assignee_id'] as const).map((field) =>
    carries(`snapshot-without-${field.replace('_', '-')}`, `the snapshot has no ${field}`, (s) =>
      task(s, (all) => without(all, field)),
    ),
  ),
  carries('snapshot-id-only-when-deleted', 'the snapshot of task.deleted has the id alone', (s) =>
    task(s, (all, _task, event) => (event === 'task.deleted' ? { id: all.id } : all)),
  ),
  carries('snapshot-changed-only', 'the snapshot of task.updated has id and title alone', (s) =>
    task(s, (all, _task, event) => (event === 'task.updated' ? { id: all.id, title: all.title } : all)),
  ),
  carries('snapshot-without-null-assignee', 'the snapshot of an unassigned task has no assignee_id', (s) =>
    task(s, (all) => (all.assignee_id === null ? without(all, 'assignee_id') : all)),
  ),
  carries('snapshot-assignee-object', 'assignee_id is an object in snapshots', (s) =>
    task(s, (all) => ({ ...all, assignee_id: all.assignee_id ? { id: all.assignee_id } : null })),
  ),
  carries('snapshot-status-default', 'the snapshot of task.created always has status backlog', (s) =>
    task(s, (all, _task, event) => (event === 'task.created' ? { ...all, status: 'backlog' } : all)),
  ),
  carries('snapshot-title-escaped', 'titles in snapshots have HTML entities', (s) =>
    task(s, (all) => ({ ...all, title: String(all.title).replace(/"/g, '&quot;') })),
  ),
  carries('snapshot-title-ascii', 'titles in snapshots are ASCII', (s) =>
    task(s, (all) => ({ ...all, title: String(all.title).replace(/[^ -~]/g, '?') })),
  ),
  carries('snapshot-is-id', 'the snapshot is the id of the task', (s) => task(s, (all) => all.id)),
  data('snapshot-before-change', 'the snapshot of task.updated is the state before', (s) => {
    const before = memory<string, Task>();
    around(s, 'assignTask', (was, each, sent, call) => {
      before.set(each.id, { ...each });
      return was(each, sent, call);
    });
    around(s, 'taskSnapshot', (was, each, event) => was(event === 'task.updated' ? (before.get(each.id) ?? each) : each, event));
  }),
  data('snapshot-of-first-state', 'snapshots of a task are cached at its creation', (s) => {
    const cache = memory<string, unknown>();
    around(s, 'taskSnapshot', (was, each, event) => {
      const held = cache.get(each.id) ?? was(each, event);
      cache.set(each.id, held);
      return held;
    });
  }),
  data('snapshot-deleted-is-emptied', 'the snapshot of task.deleted has no assignee any more', (s) =>
    task(s, (all, _task, event) => (event === 'task.deleted' ? { ...all, assignee_id: null } : all)),
  ),
  data('snapshot-project-before-change', 'the snapshot of project.updated has the name before', (s) => {
    const before = memory<string, Project>();
    around(s, 'assignProject', (was, each, sent, call) => {
      before.set(each.id, { ...each });
      return was(each, sent, call);
    });
    around(s, 'projectSnapshot', (was, each, event) =>
      was(event === 'project.updated' ? (before.get(each.id) ?? each) : each, event),
    );
  }),
];

export const faults: readonly Fault[] = [...firing, ...subscriptions, ...envelopes];

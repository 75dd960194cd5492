// Faults of what events say.
import type { Fields, Project, Task } from '../../judge/reference/model.ts';
import type { Service } from '../../judge/reference/service/service.ts';
import { receiver } from './event-tools.ts';
import { around, clause, type Fault, memory, without } from './fault.ts';

const envelope = (service: Service, change: (all: Fields, name: string, attempts: number) => unknown): void =>
  around(service, 'envelope', (was, delivery) => change(was(delivery) as Fields, delivery.event.name, delivery.attempts));
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

export const faults: readonly Fault[] = [...envelopes];

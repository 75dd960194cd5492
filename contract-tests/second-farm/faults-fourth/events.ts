// Faults of webhooks: registrations, events and what they hold.

import type { Fields, Hook, Task } from '../../judge/reference/model.ts';
import type { Service } from '../../judge/reference/service/service.ts';
import { around, clause, type Fault, memory, without } from '../faults/fault.ts';
import { answers } from '../faults-third/tools.ts';
import { onSuccess, sent } from './tools.ts';

const receiver = { needs: 'receiver' } as const;
const secret = clause(99, '| secret | string | signing secret, returned only in the create response and never again |');
const subscribed = clause(98, '| events | array of string | event names subscribed to |', receiver);
const created = clause(251, '| task.created | a task is created |', receiver);
const updated = clause(252, '| task.updated | a task is updated |', receiver);
const deleted = clause(253, '| task.deleted | a task is deleted |', receiver);
const projectCreated = clause(254, '| project.created | a project is created |', receiver);
const projectUpdated = clause(255, '| project.updated | a project is updated |', receiver);
const projectDeleted = clause(256, '| project.deleted | a project is deleted |', receiver);
const eventId = clause(240, '| id | string | unique id of the event;', receiver);
const eventName = clause(241, '| event | string | event name in `resource.action` form |', receiver);
const eventTime = clause(242, '| created_at | string (datetime) | UTC time the event was generated |', receiver);
const data = clause(
  243,
  'one key named after the resource type (`task`, `project`, `member`) holding a snapshot of the resource',
  receiver,
);
const snapshot = clause(245, 'The task event snapshot carries at least id, title, project_id, status, assignee_id.', receiver);

const hookOf = (fields: Fields): Fields => (fields.data as Fields | undefined) ?? fields;
/** Changes what POST /webhooks shows, in data or at the top level. */
const shown = (service: Service, change: (hook: Fields) => Fields): void =>
  around(service, 'showHook', (was, hook) => change(was(hook)));
/** Leaves events out. */
const silent = (service: Service, name: string, when: (data: Fields) => boolean): void =>
  around(service, 'emit', (was, each, workspace, content, call) => {
    if (each !== name || !when(content)) was(each, workspace, content, call);
  });
const envelopes = (service: Service, change: (envelope: Fields, hook: Hook, attempts: number) => unknown): void =>
  around(service, 'envelope', (was, delivery) => change(was(delivery) as Fields, delivery.hook, delivery.attempts));
const taskIn = (service: Service, content: Fields): Task | undefined =>
  service.db.tasks.find(({ id }) => id === (content.task as Fields | undefined)?.id);
const snapshots = (service: Service, change: (fields: Fields, task: Task, event: string) => unknown): void =>
  around(service, 'taskSnapshot', (was, task, event) => change(was(task, event) as Fields, task, event));

const registrations: Fault[] = [
  secret('secret-in-header', 'the secret is in a header of the answer, and not in its body', (s) =>
    answers(s, ['createWebhook'], (answer) => {
      const body = answer.body as Fields;
      const value = String(hookOf(body).secret);
      const bare = without(hookOf(body), 'secret');
      return { ...answer, headers: { 'X-Webhook-Secret': value }, body: body.data ? { data: bare } : bare };
    }),
  ),
  secret('secret-once-per-url', 'the secret is missing when the url has been registered before', (s) => {
    const urls = new Set<unknown>();
    shown(s, (hook) => {
      const known = urls.has(hook.url);
      urls.add(hook.url);
      return known ? without(hook, 'secret') : hook;
    });
  }),
  subscribed('hook-of-one-event-deaf', 'a registration for a single event is not called', (s) =>
    around(s, 'hears', (was, hook, event, workspace, call) => hook.events.length > 1 && was(hook, event, workspace, call)),
  ),
  subscribed(
    'hook-of-same-url-keeps-events',
    'a second registration of a url is answered, and keeps the events of the first',
    (s) =>
      onSuccess(s, ['createWebhook'], () => {
        const last = s.db.hooks.at(-1);
        const first = s.db.hooks.find(({ url }) => url === last?.url);
        if (last && first && first !== last) Object.assign(last, { events: first.events });
      }),
  ),
  subscribed('hook-hears-after-refusal', 'a registration that is refused for its events is called for all events', (s) =>
    around(s, 'refuse', (was, issues, call, resource, act) => {
      const { url } = sent(call);
      if (
        resource === 'webhook' &&
        typeof url === 'string' &&
        url.startsWith('https://') &&
        issues.every(({ field }) => field === 'events')
      ) {
        const times = { created: s.now(), updated: s.now(), nth: s.nextNth() };
        const events = ['task.created', 'project.created'];
        s.db.hooks.push({ id: s.newId('hook'), workspace: call.workspace?.id ?? '', url, events, secret: 'none', ...times });
      }
      return was(issues, call, resource, act);
    }),
  ),
];

const names: Fault[] = [
  created('event-not-in-private-projects', 'task.created is not sent for tasks of private projects', (s) =>
    silent(s, 'task.created', (content) => {
      const task = taskIn(s, content);
      return s.db.projects.find(({ id }) => id === task?.project)?.visibility === 'private';
    }),
  ),
  updated('event-updated-twice', 'a PATCH sends task.updated twice, as two events', (s) =>
    around(s, 'taskEvent', (was, name, task, call) => {
      was(name, task, call);
      if (name === 'task.updated') was(name, task, call);
    }),
  ),
  updated('event-not-for-assignee', 'task.updated is not sent when the assignee changes', (s) =>
    around(s, 'taskEvent', (was, name, task, call) => {
      if (!(name === 'task.updated' && sent(call).assignee_id !== undefined)) was(name, task, call);
    }),
  ),
  updated('event-once-per-task', 'task.updated is sent for the first PATCH of a task only', (s) => {
    const seen = new Set<string>();
    around(s, 'taskEvent', (was, name, task, call) => {
      if (name === 'task.updated' && seen.has(task.id)) return;
      if (name === 'task.updated') seen.add(task.id);
      was(name, task, call);
    });
  }),
  deleted('event-deleted-not-for-done', 'task.deleted is not sent for tasks that are done', (s) =>
    silent(s, 'task.deleted', (content) => (content.task as Fields).status === 'done'),
  ),
  projectCreated('event-project-created-with-first-task', 'project.created is sent with the first task of a project', (s) => {
    const waiting = memory<string, Fields>();
    around(s, 'emit', (was, name, workspace, content, call) => {
      const id = String((content.project as Fields | undefined)?.id);
      if (name === 'project.created') {
        waiting.set(id, content);
        return;
      }
      const home = String((content.task as Fields | undefined)?.project_id);
      const held = waiting.get(home);
      if (name === 'task.created' && held) {
        waiting.delete(home);
        was('project.created', workspace, held, call);
      }
      was(name, workspace, content, call);
    });
  }),
  projectUpdated('event-project-updated-when-refused', 'a PATCH of a project that is refused sends project.updated', (s) =>
    around(s, 'refuse', (was, issues, call, resource, act) => {
      if (resource === 'project' && act === 'change') s.projectEvent('project.updated', s.projectOf(call), call);
      return was(issues, call, resource, act);
    }),
  ),
  projectDeleted('event-project-deleted-not-with-tasks', 'project.deleted is not sent for a project that has tasks', (s) => {
    const full = new Set<string>();
    around(s, 'tasksOfDeleted', (was, project) => {
      const tasks = was(project);
      if (tasks.length > 0) full.add(project.id);
      return tasks;
    });
    silent(s, 'project.deleted', (content) => full.has(String((content.project as Fields).id)));
  }),
  clause(258, '| member.joined | an invited user accepts and completes a first login |', receiver)(
    'member-joined-a-team',
    'a new team with members sends member.joined',
    (s) =>
      onSuccess(s, ['createTeam'], (call) => {
        const id = s.db.teams.at(-1)?.members[0];
        if (id) s.emit('member.joined', call.workspace?.id ?? '', { member: { id } }, call);
      }),
  ),
];

const contents: Fault[] = [
  eventId('event-id-per-registration', 'an event has another id for each registration', (s) =>
    envelopes(s, (envelope, { id }) => ({ ...envelope, id: `${envelope.id}${id.slice(-4)}` })),
  ),
  eventId('event-id-null-on-retries', 'retries have id null', (s) =>
    envelopes(s, (envelope, _hook, attempts) => (attempts > 1 ? { ...envelope, id: null } : envelope)),
  ),
  eventName('event-name-reversed', 'names are in the form action.resource', (s) =>
    envelopes(s, (envelope) => ({ ...envelope, event: String(envelope.event).split('.').reverse().join('.') })),
  ),
  eventTime('event-created-at-named-timestamp', 'the time of an event is given as timestamp', (s) =>
    envelopes(s, ({ created_at, ...envelope }) => ({ ...envelope, timestamp: created_at })),
  ),
  data('data-inside-data-of-event', 'data of events is { data: { task } }', (s) =>
    envelopes(s, (envelope) => ({ ...envelope, data: { data: envelope.data } })),
  ),
  data('snapshot-of-project-at-creation', 'the snapshot of project.updated is the project as it was made', (s) => {
    const first = memory<string, unknown>();
    around(s, 'projectSnapshot', (was, project, event) => {
      if (!first.has(project.id)) first.set(project.id, was(project, event));
      return event === 'project.updated' ? first.get(project.id) : was(project, event);
    });
  }),
  snapshot('snapshot-status-before', 'status in the snapshot of task.updated is the one before', (s) => {
    const had = memory<string, string>();
    around(s, 'assignTask', (was, task, given, call) => {
      had.set(task.id, task.status);
      return was(task, given, call);
    });
    snapshots(s, (fields, { id }, event) =>
      event === 'task.updated' ? { ...fields, status: had.get(id) ?? fields.status } : fields,
    );
  }),
  snapshot('snapshot-assignee-name', 'assignee_id in snapshots is the name of the member', (s) =>
    snapshots(s, (fields, { assignee }) => ({
      ...fields,
      assignee_id: s.db.users.find(({ id }) => id === assignee)?.name ?? null,
    })),
  ),
];

export const faults: readonly Fault[] = [...registrations, ...names, ...contents];

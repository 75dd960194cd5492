// Faults of webhooks: registrations, and what is sent for which change.

import type { Call, Fields, Task } from '../../judge/reference/model.ts';
import type { Service } from '../../judge/reference/service/service.ts';
import { around, clause, type Fault, isOn, memory, without } from '../faults/fault.ts';

const needs = { needs: 'receiver' } as const;
const registers = clause(185, '| POST | /webhooks | body: url (string), events (array of event names) |');
const url = clause(97, '| url | string | publicly reachable HTTPS URL, required on create |');
const secret = clause(99, 'signing secret, returned only in the create response');
const subscribed = clause(98, '| events | array of string | event names subscribed to |', needs);
const pushes = clause(224, 'Webhooks push events by HTTP POST to registered endpoints.', needs);
const taskCreated = clause(251, '| task.created | a task is created |', needs);
const taskUpdated = clause(252, '| task.updated | a task is updated |', needs);
const taskDeleted = clause(253, '| task.deleted | a task is deleted |', needs);
const projectCreated = clause(254, '| project.created | a project is created |', needs);
const projectUpdated = clause(255, '| project.updated | a project is updated |', needs);
const projectDeleted = clause(256, '| project.deleted | a project is deleted |', needs);
const data = clause(
  243,
  'one key named after the resource type (`task`, `project`, `member`) holding a snapshot of the resource',
  needs,
);
const carries = clause(245, 'The task event snapshot carries at least id, title, project_id, status, assignee_id.', needs);

const refusedUrl = (service: Service, when: (url: string) => boolean): void =>
  around(service, 'isReachable', (was, text) => was(text) && !when(text));
const renamed = (service: Service, when: (name: string, data: Fields, call: Call) => boolean, to: string): void =>
  around(service, 'emit', (was, name, workspace, fields, call) => {
    was(when(name, fields, call) ? to : name, workspace, fields, call);
  });
const snapshot = (service: Service, change: (all: Fields, task: Task, event: string) => unknown): void =>
  around(service, 'taskSnapshot', (was, task, event) => change(was(task, event) as Fields, task, event));
const sentOf = (call: Call): Fields => {
  try {
    return Object(JSON.parse(call.text));
  } catch {
    return {};
  }
};

const registrations: Fault[] = [
  secret('secret-of-first-only', 'the second registration of a workspace has no secret in its answer', (s) =>
    around(s, 'showHook', (was, hook) => {
      const shown = was(hook);
      const first = !s.db.hooks.some((each) => each.workspace === hook.workspace && each.nth < hook.nth);
      return first ? shown : without(shown, 'secret');
    }),
  ),
  secret('secret-masked', 'the answer of a registration has its secret as null when several events are given', (s) =>
    around(s, 'showHook', (was, hook) => ({ ...was(hook), ...(hook.events.length > 1 ? { secret: null } : {}) })),
  ),
  registers('member-events-refused', 'member.invited and member.joined are refused: the list is that of v1.0', (s) =>
    around(s, 'checkEvents', (was, rule, names) =>
      names.some((name) => name.startsWith('member.')) ? was(rule, ['member.unknown']) : was(rule, names),
    ),
  ),
  registers('deleted-events-refused', 'task.deleted and project.deleted are refused', (s) =>
    around(s, 'checkEvents', (was, rule, names) =>
      names.some((name) => name.endsWith('.deleted')) ? was(rule, ['task.unknown']) : was(rule, names),
    ),
  ),
  url('url-with-port-refused', 'a url with a port is refused', (s) => refusedUrl(s, (text) => new URL(text).port !== '')),
  url('url-with-query-refused', 'a url with a query is refused', (s) => refusedUrl(s, (text) => text.includes('?'))),
  url('url-of-64-at-most', 'a url of more than 64 characters is refused', (s) => refusedUrl(s, (text) => text.length > 64)),
  url('url-prefix-https', 'a url that begins with https and is not one is accepted, as https:hooks', (s) =>
    around(s, 'isReachable', (was, text) => was(text) || /^https/.test(text)),
  ),
  clause(216, 'no create, update or delete', needs)(
    'refused-registration-hears',
    'a registration with a read key answers 403, and is called',
    (s) =>
      around(s, 'authorise', (was, call, operation) => {
        try {
          was(call, operation);
        } catch (error) {
          if (operation === 'createWebhook') s.perform(call, operation);
          throw error;
        }
      }),
  ),
  pushes('registration-deaf-at-first', 'a registration is called from half a minute after it was made', (s) =>
    around(
      s,
      'hears',
      (was, hook, event, workspace, call) => was(hook, event, workspace, call) && s.now() - hook.created > 30_000,
    ),
  ),
  subscribed('events-of-last-registration', 'all registrations of a workspace have the events of the latest', (s) =>
    around(s, 'hears', (was, hook, event, workspace, call) => {
      const last = s.db.hooks.filter((each) => each.workspace === hook.workspace).at(-1);
      return was({ ...hook, events: last?.events ?? hook.events }, event, workspace, call);
    }),
  ),
  subscribed('events-of-two-at-most', 'a registration hears the first two of its events only', (s) =>
    around(s, 'hears', (was, hook, event, workspace, call) =>
      was({ ...hook, events: hook.events.slice(0, 2) }, event, workspace, call),
    ),
  ),
];

const firing: Fault[] = [
  taskUpdated('event-for-each-field', 'a PATCH of several fields sends task.updated for each of them', (s) => {
    around(s, 'taskEvent', (was, name, task, call) => {
      const count = name === 'task.updated' ? Math.max(1, Object.keys(sentOf(call)).length) : 1;
      for (let index = 0; index < count; index += 1) was(name, task, call);
    });
  }),
  taskUpdated('event-of-tasks-of-project', 'PATCH of a project sends task.updated for each of its tasks', (s) =>
    around(s, 'projectEvent', (was, name, project, call) => {
      was(name, project, call);
      if (name !== 'project.updated') return;
      for (const task of s.db.tasks) if (task.project === project.id) s.taskEvent('task.updated', task, call);
    }),
  ),
  taskUpdated('event-for-comments-read', 'reading the comments of a task sends task.updated', (s) =>
    around(s, 'listComments', (was, call) => {
      const answer = was(call);
      s.taskEvent('task.updated', s.taskOf(call), call);
      return answer;
    }),
  ),
  taskUpdated('event-throttled', 'task.updated is sent once in two seconds for a task; what comes between is dropped', (s) => {
    const last = memory<string, number>();
    around(s, 'taskEvent', (was, name, task, call) => {
      if (name !== 'task.updated') return was(name, task, call);
      if (s.now() - (last.get(task.id) ?? 0) < 2000) return;
      last.set(task.id, s.now());
      was(name, task, call);
    });
  }),
  taskUpdated('event-not-for-description', 'a PATCH of the description or the priority alone sends nothing', (s) =>
    around(s, 'taskEvent', (was, name, task, call) => {
      const fields = Object.keys(sentOf(call));
      const minor = fields.length > 0 && fields.every((field) => field === 'description' || field === 'priority');
      if (!(name === 'task.updated' && minor)) was(name, task, call);
    }),
  ),
  taskUpdated('event-assigned', 'a PATCH of the assignee is sent as task.assigned', (s) =>
    renamed(s, (name, _data, call) => name === 'task.updated' && 'assignee_id' in sentOf(call), 'task.assigned'),
  ),
  taskUpdated('event-completed', 'a PATCH to done is sent as task.completed', (s) =>
    renamed(s, (name, _data, call) => name === 'task.updated' && sentOf(call).status === 'done', 'task.completed'),
  ),
  taskCreated('event-of-first-task-only', 'task.created is sent for the first task of a project only', (s) =>
    around(s, 'taskEvent', (was, name, task, call) => {
      const others = s.db.tasks.some(({ project, nth }) => project === task.project && nth < task.nth);
      if (!(name === 'task.created' && others)) was(name, task, call);
    }),
  ),
  taskCreated('event-not-for-done', 'task.created is not sent for a task that is made as done or in_review', (s) =>
    around(s, 'taskEvent', (was, name, task, call) => {
      if (!(name === 'task.created' && /^(done|in_review)$/.test(task.status))) was(name, task, call);
    }),
  ),
  taskDeleted('event-deleted-if-unassigned', 'task.deleted is not sent for a task that is assigned', (s) =>
    around(s, 'taskEvent', (was, name, task, call) => {
      if (!(name === 'task.deleted' && task.assignee !== null && isOn(call, 'deleteTask'))) was(name, task, call);
    }),
  ),
  taskDeleted('event-deleted-twice', 'task.deleted is sent before and after the deletion, as two events', (s) =>
    around(s, 'taskEvent', (was, name, task, call) => {
      was(name, task, call);
      if (name === 'task.deleted') was(name, task, call);
    }),
  ),
  projectCreated('event-of-team', 'a new team is sent as project.created', (s) =>
    around(s, 'createTeam', (was, call) => {
      const answer = was(call);
      const team = s.db.teams.at(-1);
      if (team) s.emit('project.created', team.workspace, { project: { id: team.id, name: team.name } }, call);
      return answer;
    }),
  ),
  projectCreated('event-of-refused-project', 'a project that is refused is sent as project.created', (s) =>
    around(s, 'refuse', (was, issues, call, resource, act) => {
      if (resource === 'project' && act === 'create')
        s.emit('project.created', call.workspace?.id ?? '', { project: { ...sentOf(call), id: s.newId('proj') } }, call);
      return was(issues, call, resource, act);
    }),
  ),
  projectUpdated('event-of-touched-project', 'a new task sends project.updated for its project', (s) =>
    around(s, 'taskEvent', (was, name, task, call) => {
      was(name, task, call);
      const project = s.db.projects.find(({ id }) => id === task.project);
      if (name === 'task.created' && project) s.projectEvent('project.updated', project, call);
    }),
  ),
  projectUpdated('event-before-deletion', 'deleting a project sends project.updated before project.deleted', (s) =>
    around(s, 'projectEvent', (was, name, project, call) => {
      if (name === 'project.deleted') was('project.updated', project, call);
      was(name, project, call);
    }),
  ),
  projectUpdated('event-not-for-visibility', 'a PATCH of the visibility alone sends nothing', (s) =>
    around(s, 'projectEvent', (was, name, project, call) => {
      if (!(name === 'project.updated' && Object.keys(sentOf(call)).join() === 'visibility')) was(name, project, call);
    }),
  ),
  projectDeleted('event-archived', 'a project that has tasks is sent as project.archived when it is deleted', (s) => {
    let tasks = 0;
    around(s, 'tasksOfDeleted', (was, project) => {
      const found = was(project);
      tasks = found.length;
      return found;
    });
    renamed(s, (name) => name === 'project.deleted' && tasks > 0, 'project.archived');
  }),
];

const bodies: Fault[] = [
  data('project-null-when-deleted', 'the project of project.deleted is null: it is read behind its deletion', (s) =>
    around(s, 'projectSnapshot', (was, project, event) => (event === 'project.deleted' ? null : was(project, event))),
  ),
  data('snapshot-of-last-task', 'the snapshot of task.updated is that of the task that was changed before', (s) => {
    let last: Task | undefined;
    around(s, 'taskSnapshot', (was, task, event) => {
      if (event !== 'task.updated') return was(task, event);
      const held = last;
      last = task;
      return was(held && held.workspace === task.workspace ? held : task, event);
    });
  }),
  data('task-under-its-id', 'the key of data is the id of the task', (s) =>
    around(s, 'taskEvent', (_was, name, task, call) =>
      s.emit(name, task.workspace, { [task.id]: s.taskSnapshot(task, name) }, call),
    ),
  ),
  carries('snapshot-with-old-assignee', 'assignee_id in the snapshot of task.updated is the one before', (s) => {
    const before = memory<string, string | null>();
    around(s, 'assignTask', (was, task, sent, call) => {
      before.set(task.id, task.assignee);
      return was(task, sent, call);
    });
    snapshot(s, (all, task, event) =>
      event === 'task.updated' && before.has(task.id) ? { ...all, assignee_id: before.get(task.id) ?? null } : all,
    );
  }),
  carries('snapshot-with-project-object', 'project_id in snapshots is an object with id and name', (s) =>
    snapshot(s, (all, task) => ({
      ...all,
      project_id: { id: task.project, name: s.db.projects.find(({ id }) => id === task.project)?.name ?? null },
    })),
  ),
  carries('snapshot-with-status-label', 'the status in snapshots is a label such as In progress', (s) =>
    snapshot(s, (all) => ({
      ...all,
      status: String(all.status)
        .replace('_', ' ')
        .replace(/^./, (letter) => letter.toUpperCase()),
    })),
  ),
  carries('snapshot-with-short-title', 'titles in snapshots end after twenty characters', (s) =>
    snapshot(s, (all) => ({ ...all, title: String(all.title).slice(0, 20) })),
  ),
  carries('snapshot-in-camel-case', 'snapshots have projectId and assigneeId', (s) =>
    snapshot(s, ({ project_id, assignee_id, ...all }) => ({ ...all, projectId: project_id, assigneeId: assignee_id })),
  ),
  clause(242, '| created_at | string (datetime) | UTC time the event was generated |', needs)(
    'event-time-without-zone',
    'created_at of events has no zone',
    (s) =>
      around(s, 'stamp', (was, at, what) =>
        what === 'event.created_at' ? String(was(at, what)).replace(/(Z|\+00:00)$/, '') : was(at, what),
      ),
  ),
  clause(242, '| created_at | string (datetime) | UTC time the event was generated |', needs)(
    'event-time-of-registration',
    'created_at of events is the time of the registration',
    (s) =>
      around(s, 'envelope', (was, delivery) => ({
        ...(was(delivery) as Fields),
        created_at: s.stamp(delivery.hook.created, 'event.created_at'),
      })),
  ),
  clause(240, 'unique id of the event; receivers deduplicate retried deliveries with it', needs)(
    'event-ids-in-turn',
    'ids of events are counted from 1 on in each minute',
    (s) => {
      let count = 0;
      let hour = 0;
      around(s, 'eventId', () => {
        const now = Math.floor(s.now() / 60_000);
        count = now === hour ? count + 1 : 1;
        hour = now;
        return `evt_${String(count).padStart(12, '0')}`;
      });
    },
  ),
];

export const faults: readonly Fault[] = [...registrations, ...firing, ...bodies];

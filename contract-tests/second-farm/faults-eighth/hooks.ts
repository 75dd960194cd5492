// Faults of webhooks: registrations, and which events say what.

import type { Fields, Hook } from '../../judge/reference/model.ts';
import { around, clause, memory, without } from '../faults/fault.ts';

const secret = clause(99, 'signing secret, returned only in the create response and never again', { needs: 'receiver' });
const names = clause(98, 'event names subscribed to', { needs: 'receiver' });
const updated = clause(252, 'a task is updated', { needs: 'receiver' });
const snapshot = clause(243, 'a snapshot of the resource', { needs: 'receiver' });

const ofTask = (data: Fields): Fields | undefined => data.task as Fields | undefined;

export const faults = [
  secret('second-registration-same-secret', 'a second registration of a URL answers the secret of the first', (service) =>
    around(service, 'createWebhook', (was, call) => {
      const before = [...service.db.hooks];
      const answer = was(call);
      const made = service.db.hooks.at(-1);
      const twin = before.find(({ url, workspace }) => url === made?.url && workspace === made.workspace);
      if (!made || !twin) return answer;
      service.db.hooks = [...before, { ...made, secret: twin.secret }];
      const text = JSON.stringify(answer.body).replace(made.secret, twin.secret);
      return { ...answer, body: JSON.parse(text) as unknown };
    }),
  ),
  clause(185, 'body includes `secret`')(
    'secret-missing-with-many-events',
    'the registration of more than three events answers no secret',
    (service) => around(service, 'showHook', (was, hook) => (hook.events.length > 3 ? without(was(hook), 'secret') : was(hook))),
  ),
  clause(97, 'publicly reachable HTTPS URL')(
    'http-with-port-accepted',
    'a registration accepts a `http:` URL that names a port',
    (service) => around(service, 'isReachable', (was, text) => /^http:\/\/[^/]+:\d+/.test(text) || was(text)),
  ),
  clause(224, 'to registered endpoints')(
    'url-cut-before-query',
    'events go to the URL without its query',
    (service) =>
      around(service, 'post', (was, delivery) => {
        const post = was(delivery);
        return { ...post, url: post.url.split('?')[0] ?? '' };
      }),
    { needs: 'receiver' },
  ),
  names('fourth-event-not-kept', 'of more than three events the registration keeps the first three', (service) =>
    around(service, 'hears', (was, hook, event, workspace, call) =>
      was({ ...hook, events: hook.events.slice(0, 3) }, event, workspace, call),
    ),
  ),
  names('resource-subscribed-whole', 'who subscribes to `task.created` and another event hears all events of tasks', (service) =>
    around(service, 'hears', (was, hook, event, workspace, call) => {
      const whole = hook.workspace === workspace && hook.events.includes('task.created') && hook.events.length > 1;
      return (whole && event.name.startsWith('task.')) || was(hook, event, workspace, call);
    }),
  ),
  clause(13, "only sees that workspace's resources", { needs: 'second workspace' })(
    'deletions-told-to-all-workspaces',
    'the deletion of a project is told to the webhooks of every workspace',
    (service) =>
      around(service, 'hears', (was, hook, event, workspace, call) =>
        was(hook, event, event.name === 'project.deleted' ? hook.workspace : workspace, call),
      ),
  ),
  clause(251, 'a task is created', { needs: 'receiver' })(
    'second-task-at-once-not-told',
    'a task created within a second of another in the same project is not told',
    (service) => {
      const last = memory<string, number>();
      around(service, 'taskEvent', (was, name, task, call) => {
        const before = last.get(task.project) ?? 0;
        if (name === 'task.created') last.set(task.project, service.now());
        if (name !== 'task.created' || service.now() - before > 1000) was(name, task, call);
      });
    },
  ),
  updated('task-due-change-not-told', 'a change of the due date alone is not told', (service) =>
    around(service, 'changeTask', (was, call) => {
      const { hooks } = service.db;
      if (/^\{\s*"due_date":[^,]*\}$/.test(call.text)) service.db.hooks = [];
      try {
        return was(call);
      } finally {
        service.db.hooks = hooks;
      }
    }),
  ),
  updated('refused-task-change-told', 'a change of a task that is refused for its values is told', (service) =>
    around(service, 'changeTask', (was, call) => {
      try {
        return was(call);
      } catch (error) {
        service.taskEvent('task.updated', service.taskOf(call), call);
        throw error;
      }
    }),
  ),
  updated('finished-task-told-by-other-name', 'a change of the status to `done` is told as `task.completed`', (service) =>
    around(service, 'envelope', (was, delivery) => {
      const body = was(delivery) as Fields;
      const done = body.event === 'task.updated' && ofTask(body.data as Fields)?.status === 'done';
      return done ? { ...body, event: 'task.completed' } : body;
    }),
  ),
  clause(255, 'a project is updated', { needs: 'receiver' })(
    'visibility-change-not-told',
    'a change of a project that makes it `private` again is not told',
    (service) =>
      around(service, 'projectEvent', (was, name, project, call) => {
        if (name !== 'project.updated' || project.visibility !== 'private' || !call.text.includes('visibility'))
          was(name, project, call);
      }),
  ),
  clause(256, 'a project is deleted', { needs: 'receiver' })(
    'deletion-of-full-project-not-told',
    'the deletion of a project that has tasks is not told',
    (service) => {
      const full = new Set<string>();
      around(service, 'tasksOfDeleted', (was, project) => {
        const tasks = was(project);
        if (tasks.length > 0) full.add(project.id);
        return tasks;
      });
      around(service, 'projectEvent', (was, name, project, call) => {
        if (name !== 'project.deleted' || !full.has(project.id)) was(name, project, call);
      });
    },
  ),
  clause(254, 'a project is created', { needs: 'receiver' })(
    'admin-projects-not-told',
    'a project that an admin key creates is not told to the webhook that this key registered',
    (service) => {
      const makers = memory<Hook, string | undefined>();
      around(service, 'showHook', (was, hook) => {
        makers.set(hook, currentUser);
        return was(hook);
      });
      let currentUser: string | undefined;
      around(service, 'createWebhook', (was, call) => {
        currentUser = call.key?.scope === 'admin' ? call.key.value : undefined;
        return was(call);
      });
      around(service, 'hears', (was, hook, event, workspace, call) => {
        const own = event.name === 'project.created' && makers.get(hook) === call.key?.value;
        return !own && was(hook, event, workspace, call);
      });
    },
  ),
  snapshot('status-event-shows-former-status', 'the event of a change of status shows the status from before', (service) => {
    let former: { id: string; status: string } | undefined;
    around(service, 'assignTask', (was, task, values, call) => {
      former = { id: task.id, status: task.status };
      return was(task, values, call);
    });
    around(service, 'taskSnapshot', (was, task, event) => {
      const shown = was(task, event) as Fields;
      return event === 'task.updated' && former?.id === task.id ? { ...shown, status: former.status } : shown;
    });
  }),
  snapshot('created-event-before-defaults', 'the event of a task created without a status shows `todo`', (service) =>
    around(service, 'taskEvent', (was, name, task, call) =>
      was(name, name === 'task.created' && !call.text.includes('"status"') ? { ...task, status: 'todo' } : task, call),
    ),
  ),
  clause(243, 'one key named after the resource type', { needs: 'receiver' })(
    'deleted-project-data-flat',
    'the data of `project.deleted` is the project itself, without a key',
    (service) =>
      around(service, 'emit', (was, name, workspace, data, call) =>
        was(name, workspace, name === 'project.deleted' ? (data.project as Fields) : data, call),
      ),
  ),
  clause(245, 'at least id, title, project_id, status, assignee_id', { needs: 'receiver' })(
    'unassigned-snapshot-names-creator',
    'the events of a task without an assignee name the user who made the request as the assignee',
    (service) =>
      around(service, 'taskEvent', (was, name, task, call) =>
        was(name, task.assignee === null ? { ...task, assignee: call.key?.user ?? null } : task, call),
      ),
  ),
];

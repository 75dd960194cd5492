// Faults of events and their deliveries.

import type { Fields } from '../../judge/reference/model.ts';
import { around, clause, type Fault } from '../faults/fault.ts';

const posted = { needs: 'receiver' } as const;
const names = clause(98, '| events | array of string | event names subscribed to |', posted);
const secret = clause(99, 'returned only in the create response and never again', posted);
const url = clause(97, 'publicly reachable HTTPS URL, required on create');
const first = clause(126, 'endpoint answers `2xx` within 10 seconds', posted);
const failed = clause(127, 'timeout, or status `3xx`, `4xx` or `5xx`', posted);
const pauses = clause(128, 'next retry after 2 minutes, 10 minutes, 30 minutes, 2 hours respectively', posted);
const last = clause(129, 'five retries failed', posted);
const stamp = clause(233, 'Unix timestamp in seconds of when the event was generated', posted);
const type = clause(232, 'Method POST, header `Content-Type: application/json`', posted);
const id = clause(240, 'unique id of the event; receivers deduplicate retried deliveries with it', posted);
const created = clause(242, 'UTC time the event was generated', posted);
const data = clause(243, 'one key named after the resource type', posted);
const snapshot = clause(245, 'The task event snapshot carries at least id, title, project_id, status, assignee_id', posted);
const fired = clause(252, '| task.updated | a task is updated |', posted);
const changed = clause(255, '| project.updated | a project is updated |', posted);
const deleted = clause(256, '| project.deleted | a project is deleted |', posted);
const gone = clause(253, '| task.deleted | a task is deleted |', posted);
const workspace = clause(13, "only sees that workspace's resources", posted);

export const faults: readonly Fault[] = [
  names('one-name-hears-nothing', 'a hook with one event name hears nothing', (service) =>
    around(service, 'hears', (was, hook, event, where, call) => hook.events.length > 1 && was(hook, event, where, call)),
  ),
  names('names-by-action', 'a hook for one action of tasks hears it of projects as well', (service) =>
    around(
      service,
      'hears',
      (was, hook, event, where, call) =>
        was(hook, event, where, call) ||
        (hook.workspace === where && hook.events.some((name) => name.split('.')[1] === event.name.split('.')[1])),
    ),
  ),
  names('last-name-lost', 'of three and more event names the last is lost', (service) =>
    around(service, 'hears', (was, hook, event, where, call) =>
      was(hook.events.length > 2 ? { ...hook, events: hook.events.slice(0, -1) } : hook, event, where, call),
    ),
  ),
  names('newest-hook-alone', 'of the hooks of a workspace only the newest hears an event', (service) =>
    around(
      service,
      'hears',
      (was, hook, event, where, call) =>
        was(hook, event, where, call) && service.db.hooks.findLast((each) => was(each, event, where, call)) === hook,
    ),
  ),
  secret('signature-is-the-secret', 'the signature is the secret itself', (service) =>
    around(service, 'sign', (_was, _body, _time, { hook }) => hook.secret),
  ),
  secret('secret-in-event', 'the envelope carries the registration, with its secret', (service) =>
    around(service, 'envelope', (was, delivery) => ({
      ...(was(delivery) as object),
      webhook: { id: delivery.hook.id, secret: delivery.hook.secret },
    })),
  ),
  url('plain-http-taken', 'a webhook may have a url with http', (service) =>
    around(service, 'isReachable', (was, text) => was(text) || /^http:\/\/[^/]+\./.test(text)),
  ),
  url('url-missing-500', 'a registration without a url breaks the server', (service) =>
    around(service, 'createWebhook', (was, call) => {
      if (call.text && !/"url"/.test(call.text)) throw new TypeError('no url');
      return was(call);
    }),
  ),
  first('accepted-is-failure', 'only 200 acknowledges', (service) =>
    around(
      service,
      'acknowledges',
      (was, outcome, delivery) => was(outcome, delivery) && outcome !== 202 && outcome !== 201 && outcome !== 204,
    ),
  ),
  first('patience-of-eight', 'an endpoint has eight seconds', (service) => around(service, 'patience', () => 8_000)),
  first('patience-of-fifteen', 'an endpoint has fifteen seconds', (service) => around(service, 'patience', () => 15_000)),
  failed('client-errors-are-final', 'a 4xx but 429 is not tried again', (service) =>
    around(service, 'pauseAfter', (was, delivery, outcome) =>
      typeof outcome === 'number' && outcome >= 400 && outcome < 500 && outcome !== 429 ? undefined : was(delivery, outcome),
    ),
  ),
  failed('redirects-acknowledge', 'a 3xx acknowledges', (service) =>
    around(
      service,
      'acknowledges',
      (was, outcome, delivery) => was(outcome, delivery) || (typeof outcome === 'number' && outcome >= 300 && outcome < 400),
    ),
  ),
  failed('timeouts-are-final', 'a timeout is not tried again', (service) =>
    around(service, 'pauseAfter', (was, delivery, outcome) => (outcome === 'timeout' ? undefined : was(delivery, outcome))),
  ),
  failed(
    'new-event-replaces-retry',
    'a later event of the same hook takes the place of one that waits for its retry',
    (service) => {
      const newest = new Map<unknown, unknown>();
      around(service, 'deliver', (was, event, hook) => {
        newest.set(hook, event);
        was(event, hook);
      });
      around(service, 'attempt', (was, delivery) => {
        if (delivery.attempts === 0 || newest.get(delivery.hook) === delivery.event) was(delivery);
      });
    },
  ),
  failed('retry-for-one-hook', 'of an event that fails at two hooks only one delivery is tried again', (service) => {
    const tried = new Set<string>();
    around(service, 'pauseAfter', (was, delivery, outcome) => {
      const key = `${delivery.event.id}/${delivery.attempts}`;
      if (tried.has(key)) return undefined;
      tried.add(key);
      return was(delivery, outcome);
    });
  }),
  pauses('pauses-double', 'the pauses double from thirty seconds', (service) =>
    around(service, 'pauseAfter', (was, delivery, outcome) =>
      was(delivery, outcome) === undefined ? undefined : 30_000 * 2 ** (delivery.attempts - 1),
    ),
  ),
  pauses('third-pause-five-minutes', 'retry 3 comes after five minutes', (service) =>
    around(service, 'pauseAfter', (was, delivery, outcome) => (delivery.attempts === 3 ? 300_000 : was(delivery, outcome))),
  ),
  last('six-retries', 'a sixth retry comes after four hours', (service) =>
    around(service, 'pauseAfter', (was, delivery, outcome) => (delivery.attempts === 6 ? 4 * 3_600_000 : was(delivery, outcome))),
  ),
  stamp('stamp-in-local-time', 'X-Service-Timestamp is an hour ahead', (service) =>
    around(service, 'deliveryTime', (was, delivery) => String(Number(was(delivery)) + 3600)),
  ),
  stamp(
    'stamp-of-resource',
    'X-Service-Timestamp is the time at which the resource was created',
    (service) =>
      around(service, 'deliveryTime', (was, delivery) => {
        const made = Object.values(delivery.event.data)[0] as Fields | undefined;
        const at = Date.parse(String(made?.created_at));
        return Number.isNaN(at) ? was(delivery) : String(Math.floor(at / 1000));
      }),
    { style: 'a' },
  ),
  type('type-lost-on-retry', 'a retry has no Content-Type', (service) =>
    around(service, 'post', (was, delivery) => {
      const made = was(delivery);
      const { 'Content-Type': _, ...rest } = made.headers;
      return delivery.attempts > 1 ? { ...made, headers: rest } : made;
    }),
  ),
  type('bodies-of-deletions-as-form', 'events of deletions are sent as text/plain', (service) =>
    around(service, 'post', (was, delivery) => {
      const made = was(delivery);
      return delivery.event.name.endsWith('deleted')
        ? { ...made, headers: { ...made.headers, 'Content-Type': 'text/plain' } }
        : made;
    }),
  ),
  id('id-by-the-second', 'two changes of a resource within a second have the same event id', (service) => {
    const ids = new Map<string, string>();
    around(service, 'eventId', (was, name, about) => {
      const made = Object.values(about)[0] as Fields;
      const key = `${name} ${made?.id} ${Math.floor(service.now() / 1000)}`;
      const known = ids.get(key) ?? was(name, about);
      ids.set(key, known);
      return known;
    });
  }),
  id('retry-with-new-id', 'the third attempt has an id of its own', (service) =>
    around(service, 'envelope', (was, delivery) => ({
      ...(was(delivery) as object),
      ...(delivery.attempts > 2 ? { id: `evt_${delivery.event.id.slice(4)}${delivery.attempts}` } : {}),
    })),
  ),
  created('created-of-attempt', 'created_at of the envelope is the time of the attempt', (service) =>
    around(service, 'envelope', (was, delivery) => ({
      ...(was(delivery) as object),
      created_at: service.stamp(service.now(), 'event.created_at'),
    })),
  ),
  data('snapshot-taken-at-sending', 'a retry carries the name of the project as it is by then', (service) =>
    around(service, 'envelope', (was, delivery) => {
      const body = was(delivery) as { data: { project?: Fields } };
      const now = service.db.projects.find(({ id }) => id === body.data.project?.id);
      return now && delivery.attempts > 1 ? { ...body, data: { project: { ...body.data.project, name: now.name } } } : body;
    }),
  ),
  data('deleted-project-by-id', 'project.deleted carries the id alone, as project_id', (service) =>
    around(service, 'emit', (was, name, where, about, call) =>
      was(name, where, name === 'project.deleted' ? { project_id: (about.project as Fields).id } : about, call),
    ),
  ),
  data('events-in-latin-1', 'bodies of events are UTF-8 encoded twice', (service) =>
    around(service, 'post', (was, delivery) => {
      const made = was(delivery);
      return { ...made, body: Buffer.from(made.body).toString('latin1') };
    }),
  ),
  snapshot('assignee-left-out-of-updates', 'task.updated carries no assignee_id when the assignee did not change', (service) =>
    around(service, 'taskEvent', (was, name, task, call) =>
      name === 'task.updated' && !/assignee_id/.test(call.text)
        ? service.emit(
            name,
            task.workspace,
            { task: { ...(service.taskSnapshot(task, name) as object), assignee_id: undefined } },
            call,
          )
        : was(name, task, call),
    ),
  ),
  snapshot('snapshot-before', 'task.updated shows the task as it was', (service) => {
    let before: Fields | undefined;
    around(service, 'assignTask', (was, task, sent, call) => {
      before = service.taskSnapshot(task, 'task.updated') as Fields;
      return was(task, sent, call);
    });
    around(service, 'taskEvent', (was, name, task, call) =>
      name === 'task.updated' && before ? service.emit(name, task.workspace, { task: before }, call) : was(name, task, call),
    );
  }),
  fired('done-is-completed', 'a task that gets done fires task.completed instead of task.updated', (service) =>
    around(service, 'taskEvent', (was, name, task, call) =>
      was(name === 'task.updated' && /"status":"done"/.test(call.text) ? 'task.completed' : name, task, call),
    ),
  ),
  fired('update-of-description-silent', 'a change of the description alone fires nothing', (service) =>
    around(service, 'taskEvent', (was, name, task, call) =>
      name === 'task.updated' && /^\{"description":[^,]*\}$/.test(call.text) ? undefined : was(name, task, call),
    ),
  ),
  fired('update-of-refused', 'a refused change fires task.updated', (service) =>
    around(service, 'refuse', (was, issues, call, resource, act) => {
      if (resource === 'task' && act === 'change') service.taskEvent('task.updated', service.taskOf(call), call);
      return was(issues, call, resource, act);
    }),
  ),
  changed('visibility-has-its-event', 'a change of the visibility fires project.visibility_changed', (service) =>
    around(service, 'projectEvent', (was, name, project, call) =>
      was(name === 'project.updated' && /"visibility"/.test(call.text) ? 'project.visibility_changed' : name, project, call),
    ),
  ),
  deleted('deleted-silent-with-tasks', 'a project with tasks goes without project.deleted', (service) => {
    let had = false;
    around(service, 'tasksOfDeleted', (was, project) => {
      const tasks = was(project);
      had = tasks.length > 0;
      return tasks;
    });
    around(service, 'projectEvent', (was, name, project, call) =>
      name === 'project.deleted' && had ? undefined : was(name, project, call),
    );
  }),
  gone('deleted-told-when-refused', 'a deletion that is refused for its scope fires task.deleted', (service) =>
    around(service, 'forbidden', (was, call) => {
      if (call.operation === 'deleteTask') service.taskEvent('task.deleted', service.taskOf(call), call);
      return was(call);
    }),
  ),
  gone('deleted-by-second-request', 'a task that is deleted a second time is told again, though with 404', (service) => {
    const past: typeof service.db.tasks = [];
    around(service, 'removeTask', (was, task, because) => {
      past.push(task);
      was(task, because);
    });
    around(service, 'notFound', (was, call, what) => {
      const old = call.method === 'DELETE' ? past.find(({ id }) => id === call.ids.task) : undefined;
      if (old) service.taskEvent('task.deleted', old, call);
      return was(call, what);
    });
  }),
  workspace('deletions-told-everywhere', 'project.deleted goes to the hooks of all workspaces', (service) =>
    around(service, 'hears', (was, hook, event, where, call) =>
      was(hook, event, event.name === 'project.deleted' ? hook.workspace : where, call),
    ),
  ),
  workspace('creations-told-once', 'a second event within one second is not told', (service) => {
    let lastAt = 0;
    around(service, 'emit', (was, name, where, about, call) => {
      if (name === 'task.created' && service.now() - lastAt < 40) return;
      if (name === 'task.created') lastAt = service.now();
      was(name, where, about, call);
    });
  }),
];

// Faults of the eleventh set: errors and events.
import { createHmac } from 'node:crypto';
import type { Fields, Hook } from '../../judge/reference/model.ts';
import { around, clause, type Fault, memory } from '../faults/fault.ts';

const fields = clause(300, '`details.fields` lists each failing field');
const status = clause(275, 'repeating the HTTP status');
const code = clause(211, 'with code `unauthorized`');
const events = clause(249, 'Fired when', { needs: 'receiver' });
const id = clause(240, 'unique id of the event', { needs: 'receiver' });
const time = clause(242, 'UTC time the event was generated', { needs: 'receiver' });
const snapshot = clause(243, 'holding a snapshot of the resource', { needs: 'receiver' });
const retry = clause(127, 'timeout, or status `3xx`, `4xx` or `5xx`', { needs: 'receiver' });
const signature = clause(234, 'signature made with the webhook secret', { needs: 'receiver' });
const chosen = clause(98, 'event names subscribed to', { needs: 'receiver' });

export const faults: readonly Fault[] = [
  fields('camel-fields', 'failing fields of two words are written in camel case', (service) =>
    around(service, 'invalid', (was, status, issues, call) =>
      was(
        status,
        issues.map((issue) => ({ ...issue, field: issue.field.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()) })),
        call,
      ),
    ),
  ),
  fields('one-field-on-change', 'a refused change names one failing field of several', (service) =>
    around(service, 'invalid', (was, status, issues, call) =>
      was(status, call.method === 'PATCH' ? issues.slice(0, 1) : issues, call),
    ),
  ),
  status(
    'status-400-for-422',
    'error.status says 400 with a 422',
    (service) =>
      around(service, 'errorBody', (was, problem) => {
        const body = was(problem) as { error: Fields };
        return problem.status === 422 ? { error: { ...body.error, status: 400 } } : body;
      }),
    { style: 'a' },
  ),
  code('bearer-alone', 'Bearer with nothing behind it gives 400', (service) =>
    around(service, 'unauthorized', (was, call, why) => {
      const problem = was(call, why);
      return /^Bearer\s*$/.test(call.headers.get('authorization') ?? '') ? service.malformed(call, 'No key.') : problem;
    }),
  ),
  events('public-projects-are-silent', 'tasks of public projects fire no events', (service) =>
    around(service, 'taskEvent', (was, name, task, call) => {
      if (service.db.projects.find((each) => each.id === task.project)?.visibility !== 'public') was(name, task, call);
    }),
  ),
  events('own-changes-are-silent', 'a hook is told nothing of what another key than the one that made it does', (service) => {
    const makers = memory<string, string | undefined>();
    around(service, 'createWebhook', (was, call) => {
      const answer = was(call);
      makers.set(service.db.hooks.at(-1)?.id ?? '', call.key?.value);
      return answer;
    });
    around(
      service,
      'hears',
      (was, hook, event, workspace, call) => was(hook, event, workspace, call) && makers.get(hook.id) === call.key?.value,
    );
  }),
  events('one-hook-a-workspace', 'only the registration made last is told', (service) =>
    around(service, 'hears', (was, hook, event, workspace, call) => {
      const last = service.db.hooks.filter((each: Hook) => each.workspace === workspace).at(-1);
      return was(hook, event, workspace, call) && hook === last;
    }),
  ),
  id('id-of-task-and-event', 'the second change of a task has the id of the first', (service) =>
    around(service, 'eventId', (was, name, data) => {
      const task = data.task as { id: string } | undefined;
      return name === 'task.updated' && task ? `evt_${task.id}` : was(name, data);
    }),
  ),
  time('changed-when-created', 'created_at of task.updated is that of the task', (service) =>
    around(service, 'emit', (was, name, workspace, data, call) => {
      const now = service.now;
      const task = service.db.tasks.find((each) => each.id === call.ids.task);
      if (name === 'task.updated' && task) service.now = () => task.created;
      was(name, workspace, data, call);
      service.now = now;
    }),
  ),
  snapshot('letters-lost-in-events', 'what is not ASCII is a question mark in events', (service) =>
    around(service, 'emit', (was, name, workspace, data, call) =>
      // biome-ignore lint/suspicious/noControlCharactersInRegex: all that is not ASCII
      was(name, workspace, JSON.parse(JSON.stringify(data).replace(/[^\x00-\x7f]/g, '?')), call),
    ),
  ),
  snapshot('deleted-is-nobodys', 'task.deleted shows no assignee', (service) =>
    around(service, 'taskSnapshot', (was, task, name) => {
      const shown = was(task, name) as Fields;
      return name === 'task.deleted' && task.assignee ? { ...shown, assignee_id: null } : shown;
    }),
  ),
  retry('gone-is-gone', 'a delivery answered 410 is not tried again', (service) =>
    around(service, 'pauseAfter', (was, delivery, outcome) => (outcome === 410 ? undefined : was(delivery, outcome))),
  ),
  retry('moved-is-delivered', 'a delivery answered 304 counts as delivered', (service) =>
    around(service, 'acknowledges', (was, outcome, delivery) => outcome === 304 || was(outcome, delivery)),
  ),
  signature('one-secret-for-all', 'the signature is made with one secret for all', (service) =>
    around(service, 'sign', (_was, body, at) => createHmac('sha256', 'secret').update(`${at}.${body}`).digest('hex')),
  ),
  chosen('deleted-hears-updated', 'who subscribed to task.deleted alone is told of task.updated', (service) =>
    around(
      service,
      'hears',
      (was, hook, event, workspace, call) =>
        was(hook, event, workspace, call) ||
        (hook.workspace === workspace && event.name === 'task.updated' && hook.events.join() === 'task.deleted'),
    ),
  ),
];

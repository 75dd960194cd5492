// Faults of webhook registrations.
import { around, clause, type Fault, without } from '../faults/fault.ts';

const url = clause(97, '| url | string | publicly reachable HTTPS URL, required on create |');
const events = clause(98, 'event names subscribed to', { needs: 'receiver' });
const read = clause(216, 'no create, update or delete');
const pushed = clause(224, 'Webhooks push events by HTTP POST to registered endpoints.', { needs: 'receiver' });
const secret = clause(185, 'body includes `secret`');
const missing = clause(300, '400 for structural problems (missing required field, wrong type)');

export const faults: readonly Fault[] = [
  url('hook-plain-http', 'a URL with http is accepted', (s) =>
    around(s, 'isReachable', (was, text) => was(text) || was(text.replace(/^http:/, 'https:'))),
  ),
  missing('hook-without-url-422', 'a registration without url gives 422', (s) =>
    around(s, 'refuse', (was, issues, call, resource, act) =>
      resource === 'webhook' && issues.some(({ field, issue }) => field === 'url' && issue === 'is required')
        ? s.invalid(422, issues, call)
        : was(issues, call, resource, act),
    ),
  ),
  read('hook-made-by-read', 'keys of the scope read register webhooks', (s) =>
    around(s, 'authorise', (was, call, operation) => {
      if (operation !== 'createWebhook') was(call, operation);
    }),
  ),
  secret('hook-without-secret', 'the answer to POST /webhooks has no secret', (s) =>
    around(s, 'showHook', (was, hook) => without(was(hook), 'secret')),
  ),
  events('hook-hears-everything', 'each webhook gets every event of its workspace, whatever events it names', (s) =>
    around(s, 'hears', (_was, hook, _event, workspace) => hook.workspace === workspace),
  ),
  events('hook-hears-first-name-alone', 'a webhook gets the first of the events that it names, and no other', (s) =>
    around(s, 'hears', (was, hook, event, workspace, call) =>
      was({ ...hook, events: hook.events.slice(0, 1) }, event, workspace, call),
    ),
  ),
  pushed('hook-only-first', 'an event goes to the first webhook that names it, and to no other', (s) =>
    around(
      s,
      'hears',
      (was, hook, event, workspace, call) => hook === s.db.hooks.find((each) => was(each, event, workspace, call)),
    ),
  ),
];

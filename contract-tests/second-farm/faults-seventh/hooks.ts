// Faults of registrations: what is accepted, and when it takes effect.

import type { Fields } from '../../judge/reference/model.ts';
import { around, clause, memory, rule, without } from '../faults/fault.ts';
import { bodies } from '../faults-sixth/tools.ts';

const url = clause(97, 'publicly reachable HTTPS URL, required on create');
const CACHE_MS = 30_000;

export const faults = [
  url('webhook-over-plain-http', 'a webhook with an http URL is accepted', (service) =>
    around(service, 'isReachable', (was, text) => was(text.replace(/^http:/i, 'https:'))),
  ),
  url('webhook-to-nowhere', 'a webhook without a URL is accepted', (service) => {
    rule(service, 'webhook', 'url', { required: false });
    around(service, 'hears', (was, hook, event, workspace, call) => hook.url !== undefined && was(hook, event, workspace, call));
  }),
  clause(98, 'array of string')('webhook-events-as-text', 'the name of one event is accepted instead of an array', (service) =>
    bodies(service, ['createWebhook'], (body) => (typeof body.events === 'string' ? { ...body, events: [body.events] } : body)),
  ),
  clause(99, 'returned only in the create response')(
    'second-webhook-without-secret',
    'a further webhook with the same URL is created without a secret in the answer',
    (service) =>
      around(service, 'showHook', (was, hook) => {
        const shown: Fields = was(hook);
        return service.db.hooks.some((other) => other !== hook && other.url === hook.url) ? without(shown, 'secret') : shown;
      }),
    { needs: 'receiver' },
  ),
  clause(224, 'Webhooks push events by HTTP POST to registered endpoints')(
    'webhooks-cached',
    'the registrations are read at the first event, and again after 30 seconds at the soonest',
    (service) => {
      const cache = memory<string, { readonly until: number; readonly ids: readonly string[] }>();
      around(service, 'emit', (was, name, workspace, data, call) => {
        const now = service.now();
        if ((cache.get(workspace)?.until ?? 0) <= now)
          cache.set(workspace, { until: now + CACHE_MS, ids: service.db.hooks.map(({ id }) => id) });
        was(name, workspace, data, call);
      });
      around(
        service,
        'hears',
        (was, hook, event, workspace, call) =>
          cache.get(workspace)?.ids.includes(hook.id) === true && was(hook, event, workspace, call),
      );
    },
    { needs: 'receiver' },
  ),
];

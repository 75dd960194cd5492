// Webhook registrations (spec: Endpoints, Webhooks).

import { receiverProblem } from '../contract/receiver-url.ts';
import type { Handlers, Rules } from './handler.ts';

export const webhookRules: Rules = {
  createWebhook: (view, { url, events }) => {
    const problem = url === undefined ? undefined : receiverProblem(url, view.choices['webhook-url']);
    const repeated = events !== undefined && new Set(events).size < events.length && view.choices['repeated-ids'] === 'refused';
    return [
      ...(problem ? [{ field: 'url', issue: problem }] : []),
      ...(repeated ? [{ field: 'events', issue: 'must not repeat a name' }] : []),
    ];
  },
};

export const webhooks: Pick<Handlers, 'createWebhook'> = {
  createWebhook: (view, { body }) => {
    const every = view.terms.contract.events;
    const all = view.choices['webhook-events-absent'] === 'none' ? [] : every;
    const named = (body.events as readonly string[] | undefined)?.includes('*') ? every : body.events;
    const { id, url, events, secret, created_at } = view.insert('webhooks', {
      id: view.newId('webhooks'),
      url: body.url,
      events: named ? [...new Set(named)] : all,
      secret: view.newSecret(),
      created_at: view.now(),
    });
    return { id, url, events, secret, created_at };
  },
};

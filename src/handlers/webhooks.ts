// Webhook registrations (spec: Endpoints, Webhooks).

import { receiverProblem } from '../contract/receiver-url.ts';
import type { Handlers, Rules } from './handler.ts';

export const webhookRules: Rules = {
  createWebhook: (view, { url }) => {
    const issue = url === undefined ? undefined : receiverProblem(url, view.choices['webhook-url']);
    return issue ? [{ field: 'url', issue }] : [];
  },
};

export const webhooks: Pick<Handlers, 'createWebhook'> = {
  createWebhook: (view, { body }) => {
    const every = view.terms.contract.events;
    const all = view.choices['webhook-events-absent'] === 'none' ? [] : every;
    const named = (body.events as readonly string[] | undefined)?.includes('*') ? every : body.events;
    return view.insert('webhooks', {
      id: view.newId('webhooks'),
      url: body.url,
      events: named ?? all,
      secret: view.newSecret(),
      created_at: view.now(),
    });
  },
};

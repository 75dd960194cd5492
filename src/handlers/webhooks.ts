// Webhook registrations (spec: Endpoints, Webhooks).

import { receiverProblem } from '../contract/receiver-url.ts';
import { BLANKS } from '../world/records.ts';
import type { Handlers, Rules } from './handler.ts';
import { showWebhook } from './show.ts';

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
    const id = view.newId('webhooks');
    const secret = view.newSecret();
    const record = { ...BLANKS.webhooks, ...body, id, events: named ?? all, secret, created_at: view.now() };
    return showWebhook(view.insert('webhooks', record));
  },
};

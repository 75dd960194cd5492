// Webhook registrations (spec: Endpoints, Webhooks).
import type { FieldIssue } from '../../contract/errors.ts';
import { receiverProblem } from '../../validation/receiver-url.ts';
import { BLANKS } from '../../world/records.ts';
import type { View } from '../../world/view.ts';
import type { Handlers } from './handler.ts';
import { showWebhook } from './show.ts';

/** The rule of the URL of a registration: events can be sent there. */
export const receiverRule = (view: View, { url }: { readonly url?: string }): readonly FieldIssue[] => {
  const issue = url === undefined ? undefined : receiverProblem(url, view.choices['webhook-url']);
  return issue ? [{ field: 'url', issue }] : [];
};

export const webhooks = {
  createWebhook: (view, { body }) => {
    const every = view.terms.contract.events;
    const all = view.choices['webhook-events-absent'] === 'none' ? [] : every;
    const named = (body.events as readonly string[] | undefined)?.includes('*') ? every : body.events;
    const id = view.newId('webhooks');
    const secret = view.newSecret();
    const record = { ...BLANKS.webhooks, ...body, id, events: named ?? all, secret, created_at: view.now() };
    return showWebhook(view.insert('webhooks', record));
  },
} satisfies Partial<Handlers>;

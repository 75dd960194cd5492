// Registrations, the delivery log, and the built-in receiver.

import { readBody } from '../../http/body.ts';
import type { Row } from '../../world/collection.ts';
import type { WebhookRecord } from '../../world/records.ts';
import { type Call, type Calls, dashboardView, nothingHere } from '../call.ts';

const shown = ({ value: { id, url, events, created_at }, workspace }: Row<WebhookRecord>) => ({
  id,
  workspace_id: workspace,
  url,
  events,
  created_at,
});

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

/** Headers that say how the bytes came, and the one that may carry a secret. */
const LEFT_OUT = ['authorization', 'connection', 'host', 'content-length', 'transfer-encoding'];

const receive = async ({ instance: { inbox, world }, variable, request }: Call<'receive'>): Promise<Response> => {
  const read = await readBody(request);
  const text = 'text' in read ? read.text : `[${read.fault}]`;
  const { pathname, search } = new URL(request.url);
  const headers = Object.fromEntries([...request.headers].filter(([name]) => !LEFT_OUT.includes(name)));
  const { status } = inbox.receive(variable, {
    at: new Date(world.clock.now()).toISOString(),
    method: request.method,
    query: search,
    headers,
    body: text === '' ? null : parsed(text),
    text,
  });
  const bodiless = status === 204 || status === 205 || status === 304 || request.method === 'HEAD';
  const redirect = status >= 300 && status < 400 ? { location: pathname } : {};
  const says =
    status < 400
      ? { status: 'ok' }
      : { error: { code: 'ordered', message: `The inbox was told to answer ${status}.`, details: {} } };
  return new Response(bodiless ? null : JSON.stringify(says), {
    status,
    headers: { ...(bodiless ? {} : { 'content-type': 'application/json' }), ...redirect },
  });
};

export const webhookCalls: Calls<
  | 'listWebhooks'
  | 'deleteWebhook'
  | 'simulateWebhook'
  | 'listDeliveries'
  | 'getDelivery'
  | 'replayDelivery'
  | 'receive'
  | 'listMessages'
  | 'respondWith'
> = {
  listWebhooks: ({ instance: { world } }) => ({ items: world.store.webhooks.all().map(shown) }),

  deleteWebhook: ({ instance: { world }, variable }) => {
    const row = world.store.webhooks.get(variable);
    if (!row) throw nothingHere('registration', variable, 'webhooks');
    dashboardView(world, row.workspace).remove('webhooks', row);
  },

  simulateWebhook: ({ instance: { webhooks, world }, variable, body: { outcomes } }) => {
    if (!world.store.webhooks.get(variable)) throw nothingHere('registration', variable, 'webhooks');
    webhooks.simulate(variable, outcomes);
    return { webhook_id: variable, outcomes };
  },

  listDeliveries: ({ instance: { webhooks }, query: { webhook_id, event, state } }) => ({
    items: webhooks.deliveries.list({ webhook_id, event, state }),
  }),

  getDelivery: ({ instance: { webhooks }, variable }) => {
    const found = webhooks.deliveries.get(variable);
    if (!found) throw nothingHere('delivery', variable, 'deliveries');
    return found;
  },

  replayDelivery: ({ instance: { webhooks }, variable }) => {
    if (!webhooks.deliveries.get(variable)) throw nothingHere('delivery', variable, 'deliveries');
    return webhooks.replay(variable);
  },

  receive,

  listMessages: ({ instance: { inbox }, variable }) => ({ items: inbox.messages(variable) }),

  respondWith: ({ instance: { inbox }, variable, body: { statuses } }) => {
    inbox.respond(variable, statuses);
    return { statuses: inbox.ahead(variable) };
  },
};

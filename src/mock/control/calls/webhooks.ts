// Simulated outcomes, the delivery log, and the built-in receiver.
import { MAX_BODY_BYTES } from '../../../service/contract/limits.ts';
import { readBody, tooManyBodiesProblem } from '../../../service/http/body.ts';
import { HIDDEN, isSecretName, redactPath } from '../../../service/http/redact.ts';
import { SIGNATURE_HEADER } from '../../../service/webhooks/sign.ts';
import { type Call, type Calls, findOr404, pageOfRows, refuse } from '../call.ts';

const MAX_OUTCOMES = 10_000;

/** Receivers need the signature; it does not reveal the secret. */
const SIGNED = [SIGNATURE_HEADER.toLowerCase()];

/** Headers of the connection, not of the event. */
const LEFT_OUT = ['connection', 'host', 'content-length', 'transfer-encoding'];

const receive = async ({ host, instance, variable, request }: Call<'receive'>): Promise<Response> => {
  const read = await readBody(request, { host: host.reading, isStranger: true, max: MAX_BODY_BYTES });
  if ('fault' in read && read.fault === 'too many') throw tooManyBodiesProblem();
  const { recorder } = instance;
  recorder?.noteRequest('control', request, await recorder.nextTurn(read, request));
  const { inbox, world, feed } = instance;
  const text = 'text' in read ? read.text : `[${read.fault}]`;
  const { pathname, search } = new URL(request.url);
  const headers = Object.fromEntries(
    [...request.headers]
      .filter(([name]) => !LEFT_OUT.includes(name) && name !== 'authorization')
      .map(([name, value]) => [name, SIGNED.includes(name) || !isSecretName(name) ? value : HIDDEN]),
  );
  const received = {
    at: new Date(world.clock.now()).toISOString(),
    method: request.method,
    query: redactPath(search, (text) => instance.showing().hidden(text)),
    headers,
    text,
  };
  const message = inbox.receive(variable, received);
  const { inboxBytes } = host.options;
  if (inboxBytes !== undefined) inbox.shrinkTo(inboxBytes);
  feed.tell('state', () => ({ kind: 'inbox', name: variable }));
  const { status } = message;
  const bodiless = status === 204 || status === 205 || status === 304 || request.method === 'HEAD';
  const redirect = status >= 300 && status < 400 ? { location: pathname } : {};
  const says =
    status < 400
      ? { status: 'ok' }
      : { error: { code: 'ordered', message: `The inbox was set to respond with ${status}.`, details: {} } };
  return new Response(bodiless ? null : JSON.stringify(says), {
    status,
    headers: { ...(bodiless ? {} : { 'content-type': 'application/json' }), ...redirect },
  });
};

export const webhookCalls = {
  simulateWebhook: ({ instance: { webhooks, world, timeline }, variable, body: { outcomes } }) => {
    findOr404('registration', variable, world.store.webhooks.get(variable));
    if (webhooks.scripts.of(variable).length + outcomes.length > MAX_OUTCOMES)
      refuse(
        [{ field: 'outcomes', issue: `must leave at most ${MAX_OUTCOMES} to come; let some of those ordered happen, or reset` }],
        409,
      );
    webhooks.simulate(variable, outcomes);
    timeline.note('edit', `the next attempts to ${variable} end ${outcomes.join(', ')}`);
    return { webhook_id: variable, outcomes };
  },

  listDeliveries: ({ instance, query }) =>
    pageOfRows(query, instance.webhooks.deliveries.list(query), 'log', (one) => instance.showing().hidden(one)),

  getDelivery: ({ instance, variable }) =>
    instance.showing().hidden(findOr404('delivery', variable, instance.webhooks.deliveries.get(variable))),

  replayDelivery: ({ instance, variable }) => {
    const { id } = findOr404('delivery', variable, instance.webhooks.deliveries.get(variable));
    const delivery = instance.webhooks.replay(id);
    instance.timeline.note('edit', `${id} is sent once more`, { deliveries: [id] });
    return instance.showing().hidden(delivery);
  },

  receive,
  listMessages: ({ instance, variable, query }) =>
    pageOfRows(query, instance.inbox.messages(variable), 'log', (one) => instance.showing().hidden(one)),

  respondWith: ({ instance: { inbox, timeline, feed }, variable, body: { statuses } }) => {
    inbox.respond(variable, statuses);
    feed.tell('state', () => ({ kind: 'inbox', name: variable }));
    timeline.note('edit', `the inbox ${variable} responds with ${statuses.join(', ')} next`);
    return { statuses };
  },
} satisfies Calls;

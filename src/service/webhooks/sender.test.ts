// A receiver can end a delivery in many ways, on real sockets: the outcome and the log entry of each.
import { describe, expect, test } from 'vitest';
import { keep } from '../../test/closing.ts';
import { deadUrl, openReceiver, type Receiver } from '../../test/receiver.ts';
import { SELF_SIGNED } from '../../test/self-signed.ts';
import { webhookWorld } from '../../test/webhook-world.ts';
import type { Attempt } from './delivery.ts';

const keepReceiver = async (receiver: Promise<Receiver>): Promise<Receiver> => keep(await receiver);

/** The log entry of a first attempt, and the state that it leaves. */
const firstAttempt = async (url: string, deliverPublic = false): Promise<Attempt & { state: string }> => {
  const { webhooks, createTask } = webhookWorld([{ url }], { deliverPublic });
  createTask();
  await webhooks.settled();
  const [delivery] = webhooks.deliveries.list();
  expect(delivery!.attempts).toHaveLength(1);
  return { ...delivery!.attempts[0]!, state: delivery!.state };
};

test('the request is a POST of JSON with the two headers, over a connection of its own', async () => {
  const { url, received } = await keepReceiver(openReceiver(200));
  const { state } = await firstAttempt(url);
  expect(state).toBe('delivered');
  expect(received).toHaveLength(1);
  const [{ method, headers, path }] = received as [(typeof received)[0]];
  expect([method, path, headers['content-type'], headers.connection]).toEqual(['POST', '/hook', 'application/json', 'close']);
  expect(headers['x-service-timestamp']).toMatch(/^\d{10}$/);
  expect(headers['x-service-signature']).toMatch(/^[0-9a-f]{64}$/);
});

describe('a response', () => {
  test.each([200, 201, 204, 299])('%i acknowledges', async (status) => {
    const { url } = await keepReceiver(openReceiver(status));
    expect(await firstAttempt(url)).toMatchObject({
      outcome: 'response',
      status,
      state: 'delivered',
      duration_ms: 0,
      signature_ok: true,
    });
  });

  test.each([300, 304, 400, 404, 410, 429, 500, 503])('%i does not', async (status) => {
    const { url } = await keepReceiver(openReceiver(status));
    expect(await firstAttempt(url)).toMatchObject({ outcome: 'response', status, state: 'retrying' });
  });

  test.each([301, 302, 303, 307, 308])('%i is not followed', async (status) => {
    const elsewhere = await keepReceiver(openReceiver(200));
    const { url, received } = await keepReceiver(
      openReceiver((_, response) => response.writeHead(status, { location: elsewhere.url }).end()),
    );
    expect(await firstAttempt(url)).toMatchObject({ outcome: 'response', status, state: 'retrying' });
    expect([received.length, elsewhere.received.length]).toEqual([1, 0]);
  });

  test('cut off in its body counts by its status; the log notes it', async () => {
    const half = (status: number) =>
      openReceiver((_, response) => {
        response.writeHead(status, { 'content-length': 100 });
        response.write('half');
        setTimeout(() => response.destroy(), 50);
      });
    const good = await keepReceiver(half(200));
    const broken = { outcome: 'response', response_excerpt: 'half', error: 'the body of the response broke off' };
    expect(await firstAttempt(good.url)).toMatchObject({ ...broken, status: 200, state: 'delivered' });
    const bad = await keepReceiver(half(500));
    expect(await firstAttempt(bad.url)).toMatchObject({ ...broken, status: 500, state: 'retrying' });
  });

  test('cut off in its headers is no response', async () => {
    const { url } = await keepReceiver(openReceiver((request) => void request.socket.end('HTTP/1.1 200 OK\r\nContent-Le')));
    const { outcome, state, status } = await firstAttempt(url);
    expect({ outcome, state, status }).toEqual({ outcome: 'reset', state: 'retrying', status: undefined });
  });

  test('other than HTTP is an error', async () => {
    const { url } = await keepReceiver(openReceiver((request) => void request.socket.end('hello\r\n\r\n')));
    expect(await firstAttempt(url)).toMatchObject({ outcome: 'error', state: 'retrying' });
  });
});

describe('no response', () => {
  test('a socket closed without a word is a reset', async () => {
    const { url } = await keepReceiver(openReceiver((request) => void request.socket.destroy()));
    expect(await firstAttempt(url)).toMatchObject({ outcome: 'reset', state: 'retrying', duration_ms: 0 });
  });

  test('a port without a listener refuses', async () => {
    const { outcome, error, state } = await firstAttempt(await deadUrl());
    expect({ outcome, state }).toEqual({ outcome: 'refused', state: 'retrying' });
    expect(error).toMatch(/ECONNREFUSED/);
  });

  test('a name that cannot be resolved is a matter of DNS', async () => {
    // A label over 63 characters: refused before any look-up leaves this machine.
    const unresolvable = `https://${'a'.repeat(64)}.test/hook`;
    expect(await firstAttempt(unresolvable, true)).toMatchObject({ outcome: 'dns', state: 'retrying' });
  });

  test('an untrusted certificate is a matter of TLS, and nothing is sent', async () => {
    const { url, received } = await keepReceiver(openReceiver(200, SELF_SIGNED));
    expect(await firstAttempt(url)).toMatchObject({
      outcome: 'tls',
      state: 'retrying',
      error: expect.stringMatching(/self-signed/),
    });
    expect(received).toEqual([]);
  });

  test('TLS spoken to a receiver that has none is a matter of TLS', async () => {
    const { url } = await keepReceiver(openReceiver(200));
    expect(await firstAttempt(url.replace('http:', 'https:'))).toMatchObject({ outcome: 'tls', state: 'retrying' });
  });

  test('a port that fetch refuses is an error, not an exception', async () => {
    expect(await firstAttempt('http://127.0.0.1:1/')).toMatchObject({ outcome: 'error', state: 'retrying', error: 'bad port' });
  });
});

test('a burst is sent over 64 connections at once, and all of it arrives', async () => {
  let [busy, most] = [0, 0];
  const warnings: Error[] = [];
  process.on('warning', (warning) => warnings.push(warning));
  const { url, received } = await keepReceiver(
    openReceiver((_, response) => {
      most = Math.max(most, ++busy);
      setTimeout(() => response.writeHead(204).end(() => busy--), 5);
    }),
  );
  const { webhooks, createTask } = webhookWorld([{ url }]);
  for (let i = 0; i < 300; i++) createTask();
  await webhooks.settled();
  expect(webhooks.deliveries.list({ state: 'delivered' })).toHaveLength(300);
  expect(new Set(received.map(({ body }) => JSON.parse(body).id)).size).toBe(300);
  expect(most).toBeLessThanOrEqual(64);
  expect(most).toBeGreaterThan(8);
  expect(warnings).toEqual([]);
});

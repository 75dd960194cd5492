// Waits of real time: receivers that hang or never read. Twenty seconds in all.
import { afterAll, describe, expect, test, vi } from 'vitest';
import { type DeafReceiver, openDeafReceiver } from '../../test/deaf-receiver.ts';
import { openReceiver, type Receiver } from '../../test/receiver.ts';
import { START, webhookWorld } from '../../test/webhook-world.ts';
import { wait } from '../world/time.ts';
import { fetchSender } from './sender.ts';

const open: (Receiver | DeafReceiver)[] = [];
const hanging = async (ms: number): Promise<Receiver> => {
  const made = await openReceiver(async (_, response) => {
    await wait(ms);
    response.writeHead(200).end();
  });
  open.push(made);
  return made;
};
afterAll(async () => {
  await Promise.all(open.map((one) => one.close()));
});
const inMs = (ms: number) => new Date(Date.parse(START) + ms).toISOString();

describe.concurrent('a receiver that hangs', () => {
  test('for 11 s is given up after 10: on a frozen clock the attempt counts 10 s, and time stands', {
    timeout: 40_000,
  }, async () => {
    const { url } = await hanging(11_000);
    const { webhooks, createTask, world } = webhookWorld([{ url }]);
    const began = performance.now();
    createTask();
    await webhooks.settled();
    const took = performance.now() - began;
    expect(took).toBeGreaterThan(9_900);
    expect(webhooks.deliveries.list()[0]).toMatchObject({
      state: 'retrying',
      next_attempt_at: inMs(40_000),
      attempts: [
        { outcome: 'timeout', error: 'no response within 10 s', duration_ms: 10_000, at: START, ended_at: inMs(10_000) },
      ],
    });
    expect(webhooks.deliveries.list()[0]!.attempts[0]).not.toHaveProperty('status');
    expect(world.clock.now()).toBe(Date.parse(START));
  });

  test('with half its headers sent is a timeout', { timeout: 40_000 }, async () => {
    const half = await openReceiver((request) => void request.socket.write('HTTP/1.1 200 OK\r\nContent-Le'));
    open.push(half);
    const { webhooks, createTask } = webhookWorld([{ url: half.url }]);
    createTask();
    await webhooks.settled();
    expect(webhooks.deliveries.list()[0]).toMatchObject({ state: 'retrying', attempts: [{ outcome: 'timeout' }] });
  });
});

describe.concurrent('a receiver that never reads', () => {
  const deaf = async (): Promise<DeafReceiver> => {
    const made = await openDeafReceiver();
    open.push(made);
    return made;
  };

  test('is given up after 10 s, by 64 connections at once, and every one of them is closed', { timeout: 60_000 }, async () => {
    const receiver = await deaf();
    const { webhooks, createTask } = webhookWorld([{ url: receiver.url }]);
    for (let i = 0; i < 100; i++) createTask();
    const began = performance.now();
    const settled = webhooks.settled();
    await vi.waitUntil(() => receiver.accepted >= 64, 9000);
    await wait(500);
    expect(receiver.accepted).toBe(64);
    await settled;
    expect(performance.now() - began).toBeGreaterThan(19_900);
    const ended = webhooks.deliveries.list().map(({ state, attempts }) => [state, attempts.map(({ outcome }) => outcome)]);
    expect(ended).toEqual(Array.from({ length: 100 }, () => ['retrying', ['timeout']]));
    expect(await receiver.look()).toEqual({ asked: 100, open: 0 });
  });

  test('is given up in the middle of a body that no buffer holds', { timeout: 40_000 }, async () => {
    const receiver = await deaf();
    const sending = { url: receiver.url, headers: {}, body: 'x'.repeat(50_000_000) };
    expect(await fetchSender(sending, new AbortController().signal)).toMatchObject({ kind: 'timeout', took: 10_000 });
    expect(await receiver.look()).toEqual({ asked: 1, open: 0 });
  });

  test('keeps no closed world waiting, and no connection to it stays', { timeout: 40_000 }, async () => {
    const receiver = await deaf();
    const { webhooks, createTask } = webhookWorld([{ url: receiver.url }]);
    for (let i = 0; i < 200; i++) createTask();
    const settled = webhooks.settled();
    while (receiver.accepted < 64) await wait(5);
    const began = performance.now();
    webhooks.stop();
    await settled;
    expect(performance.now() - began).toBeLessThan(5000);
    // Those that waited for their turn were never sent.
    expect(await receiver.look()).toEqual({ asked: 64, open: 0 });
    expect(webhooks.deliveries.list().every(({ attempts }) => attempts.length === 0)).toBe(true);
  });
});

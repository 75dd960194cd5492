// What takes its real time: receivers that hang, and the first retry of a clock that runs. A minute in all.
import { afterAll, describe, expect, test } from 'vitest';
import { openReceiver, type Receiver } from '../test/receiver.ts';
import { START, webhookWorld } from '../test/webhook-world.ts';
import { wait } from '../world/clock.ts';

const open: Receiver[] = [];
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
  test('for 9 s is in time', { timeout: 40_000 }, async () => {
    const { url, received } = await hanging(9000);
    const { webhooks, createTask } = webhookWorld([{ url }]);
    createTask();
    await webhooks.settled();
    const [delivery] = webhooks.deliveries.list();
    expect(delivery).toMatchObject({ state: 'delivered', attempts: [{ outcome: 'response', status: 200, duration_ms: 0 }] });
    expect(received).toHaveLength(1);
  });

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
      attempts: [{ outcome: 'timeout', error: 'no answer within 10 s', duration_ms: 10_000, at: START, ended_at: inMs(10_000) }],
    });
    expect(webhooks.deliveries.list()[0]!.attempts[0]).not.toHaveProperty('status');
    expect(world.clock.now()).toBe(Date.parse(START));
  });

  test('for 11 s with time running is a timeout of 10 s too', { timeout: 40_000 }, async () => {
    const { url } = await hanging(11_000);
    const { webhooks, createTask } = webhookWorld([{ url }], { now: null });
    createTask();
    await webhooks.settled();
    const [delivery] = webhooks.deliveries.list();
    const [attempt] = delivery!.attempts;
    expect(attempt).toMatchObject({ outcome: 'timeout', duration_ms: 10_000 });
    expect(Date.parse(delivery!.next_attempt_at!) - Date.parse(attempt!.at)).toBe(40_000);
    webhooks.stop();
  });

  test('with half its headers sent is a timeout', { timeout: 40_000 }, async () => {
    const half = await openReceiver((request) => void request.socket.write('HTTP/1.1 200 OK\r\nContent-Le'));
    open.push(half);
    const { webhooks, createTask } = webhookWorld([{ url: half.url }]);
    createTask();
    await webhooks.settled();
    expect(webhooks.deliveries.list()[0]).toMatchObject({ state: 'retrying', attempts: [{ outcome: 'timeout' }] });
  });

  test('nowhere: with time running the first retry comes after 30 s by itself', { timeout: 60_000 }, async () => {
    const receiver = await openReceiver(500);
    open.push(receiver);
    const { webhooks, createTask } = webhookWorld([{ url: receiver.url }], { now: null });
    createTask();
    while (receiver.received.length < 2) await wait(50);
    const [first, second] = receiver.received;
    expect(second!.at - first!.at).toBeGreaterThan(29_900);
    webhooks.stop();
  });
});

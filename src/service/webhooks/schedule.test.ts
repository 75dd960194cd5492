// The schedule of attempts (spec: States, Webhook delivery), against a real receiver and under a frozen clock and a running one.
import { describe, expect, test } from 'vitest';
import { keep } from '../../test/closing.ts';
import { openReceiver, type Receiver } from '../../test/receiver.ts';
import { START, webhookWorld } from '../../test/webhook-world.ts';
import { wait } from '../world/time.ts';

const receiver = async (status: Parameters<typeof openReceiver>[0]): Promise<Receiver> => keep(await openReceiver(status));

const OFFSETS = [0, 30, 150, 750, 2550, 9750];
const seconds = (times: readonly string[]) => times.map((time) => (Date.parse(time) - Date.parse(START)) / 1000);

describe('a receiver that always returns 500', () => {
  test('sees attempts at 0, 30, 150, 750, 2550 and 9750 s, then none for a day, without waiting for them', async () => {
    const { url, received } = await receiver(500);
    const { world, webhooks, createTask } = webhookWorld([{ url }]);
    createTask();
    await world.clock.advance(9_750_000 + 86_400_000);
    const [delivery, ...others] = webhooks.deliveries.list();
    expect(others).toEqual([]);
    expect(seconds(delivery!.attempts.map(({ at }) => at))).toEqual(OFFSETS);
    expect(delivery!.attempts.map(({ trigger }) => trigger)).toEqual(['event', 'retry', 'retry', 'retry', 'retry', 'retry']);
    expect(delivery).toMatchObject({ state: 'failed', next_attempt_at: null });
    expect(world.clock.next).toBeNull();
    expect(received).toHaveLength(6);
    expect(world.clock.now()).toBe(Date.parse(START) + 9_750_000 + 86_400_000);
  });

  test('gets the same id, timestamp, bytes and signature each time; the log warns from the first late one on', async () => {
    const { url, received } = await receiver(500);
    const { world, webhooks, createTask, view } = webhookWorld([{ url }]);
    const { id } = createTask('Before');
    await webhooks.settled();
    view.update('tasks', view.find('tasks', id)!, { ...view.find('tasks', id)!.value, title: 'After' });
    await world.clock.advance(86_400_000);
    const created = received.filter(({ body }) => body.includes('task.created'));
    expect(new Set(created.map(({ body }) => body)).size).toBe(1);
    expect(JSON.parse(created[0]!.body).data.task.title).toBe('Before');
    expect(new Set(created.map(({ headers }) => headers['x-service-timestamp']))).toEqual(
      new Set([String(Date.parse(START) / 1000)]),
    );
    expect(new Set(created.map(({ headers }) => headers['x-service-signature'])).size).toBe(1);
    const late = webhooks.deliveries
      .list({ event: 'task.created' })[0]!
      .attempts.map(({ late_timestamp }) => late_timestamp !== undefined);
    expect(late).toEqual([false, false, false, true, true, true]);
  });
});

test('on a frozen clock the first attempt is made at once, a retry only when time moves', async () => {
  const { url, received } = await receiver(500);
  const { world, webhooks, createTask } = webhookWorld([{ url }]);
  createTask();
  expect(webhooks.deliveries.list()[0]).toMatchObject({ state: 'pending', attempts: [] });
  for (let turns = 0; received.length === 0 && turns < 6000; turns++) await new Promise((done) => setTimeout(done, 5));
  await webhooks.settled();
  expect(webhooks.deliveries.list()[0]).toMatchObject({ state: 'retrying', next_attempt_at: '2025-01-20T09:00:30.000Z' });
  await world.clock.advance(29_999);
  expect(received).toHaveLength(1);
  await world.clock.advance(1);
  expect(received).toHaveLength(2);
});

const until = async (holds: () => boolean): Promise<void> => {
  for (let turn = 0; !holds() && turn < 3000; turn++) await wait(10);
  expect(holds()).toBe(true);
};

test('a receiver that hangs holds up neither the caller nor another receiver, nor the next event for itself', async () => {
  const hung = await receiver(() => {});
  const quick = await receiver(204);
  const { webhooks, createTask, world } = webhookWorld([{ url: hung.url }, { url: quick.url }], { now: null });
  createTask();
  createTask();
  await until(() => webhooks.deliveries.list({ state: 'delivered' }).length === 2 && hung.received.length === 2);
  createTask();
  await until(() => webhooks.deliveries.list({ state: 'delivered' }).length === 3 && hung.received.length === 3);
  const { attempts } = webhooks.deliveries.list({ state: 'delivered' })[0]!;
  expect(attempts[0]!.duration_ms).toBe(Date.parse(attempts[0]!.ended_at) - Date.parse(attempts[0]!.at));
  webhooks.stop();
  expect(world.clock.mode).toBe('running');
});

test('advance brings the retries of hours at once', async () => {
  const { url } = await receiver(500);
  const { webhooks, createTask, world } = webhookWorld([{ url }], { now: null });
  createTask();
  await world.clock.advance(3 * 3_600_000);
  const [delivery] = webhooks.deliveries.list();
  expect(delivery).toMatchObject({ state: 'failed' });
  const start = Date.parse(delivery!.attempts[0]!.at);
  const offsets = delivery!.attempts.map(({ at }) => (Date.parse(at) - start) / 1000);
  // Real time passes beside what was advanced: each retry is due that much later, never the next step.
  expect(offsets.map((offset, i) => Math.max(...OFFSETS.filter((due) => due <= offset)) === OFFSETS[i])).toEqual(
    OFFSETS.map(() => true),
  );
  webhooks.stop();
});

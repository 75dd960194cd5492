// Deliveries while real time runs: by themselves, apart from answers, apart from one another.
import { expect, test } from 'vitest';
import { closing } from '../../test/closing.ts';
import { openReceiver } from '../../test/receiver.ts';
import { webhookWorld } from '../../test/webhook-world.ts';
import { wait } from '../world/time.ts';

const keep = closing();
const SCHEDULE = [0, 30, 150, 750, 2550, 9750];
const until = async (holds: () => boolean): Promise<void> => {
  for (let turn = 0; !holds() && turn < 3000; turn++) await wait(10);
  expect(holds()).toBe(true);
};

test('a receiver that hangs holds up neither the caller nor another receiver, nor the next event for itself', async () => {
  const hung = keep(await openReceiver(() => {}));
  const quick = keep(await openReceiver(204));
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
  const receiver = keep(await openReceiver(500));
  const { webhooks, createTask, world } = webhookWorld([{ url: receiver.url }], { now: null });
  createTask();
  await world.clock.advance(3 * 3_600_000);
  const [delivery] = webhooks.deliveries.list();
  expect(delivery).toMatchObject({ state: 'failed' });
  const start = Date.parse(delivery!.attempts[0]!.at);
  const offsets = delivery!.attempts.map(({ at }) => (Date.parse(at) - start) / 1000);
  // Real time goes on beside what was advanced: each retry is due that much later, never the next step.
  expect(offsets.map((offset, i) => Math.max(...SCHEDULE.filter((due) => due <= offset)) === SCHEDULE[i])).toEqual(
    SCHEDULE.map(() => true),
  );
  webhooks.stop();
});

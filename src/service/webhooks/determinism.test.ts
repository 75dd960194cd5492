// A session always gives the same log, byte for byte: alone, beside others, and however long receivers take to respond.
import { expect, test } from 'vitest';
import { webhookWorld } from '../../test/webhook-world.ts';
import { handlers } from '../http/handlers/index.ts';
import { Random } from '../world/random.ts';
import { wait } from '../world/time.ts';
import type { Sender } from './sender.ts';

/** Fails by the body's content; takes a while that differs from run to run. */
const moody =
  (seed: number): Sender =>
  async ({ url, body }) => {
    const chance = new Random(seed);
    await wait(chance.bits(body + url) % 4);
    const status = [200, 500, 404][(body.length + url.length) % 3]!;
    return { kind: 'response', status, took: chance.bits(url) % 100, excerpt: `${status}` };
  };

const session = async (seed: number): Promise<string> => {
  const registered = ['a', 'bb', 'ccc'].map((name) => ({ url: `http://127.0.0.1:9999/${name}` }));
  const { world, webhooks, view, createTask, deleteWebhook } = webhookWorld(registered, { sender: moody(seed) });
  const changes: string[] = [];
  webhooks.onDelivery(({ id, state, attempts }) => changes.push(`${id} ${state} ${attempts.length}`));
  const chance = new Random(7);
  for (let step = 0; step < 60; step++) {
    const { id } = createTask('x'.repeat(1 + (chance.bits('title') % 9)));
    if (step % 3 === 0) handlers.deleteTask(view, { found: view.find('tasks', id)!, query: undefined, body: undefined });
    if (step % 4 === seed % 4) await wait(1);
    if (step % 5 === 0) await world.clock.advance(chance.bits('by') % 100_000);
    if (step % 7 === 0) world.clock.set(world.clock.now() + 30_000);
    if (step % 11 === 0) webhooks.simulate('wh_1', [503, 'timeout', 'dns']);
    if (step === 50) deleteWebhook('wh_3');
    const failed = webhooks.deliveries.list({ state: 'failed', webhook_id: 'wh_2' })[0];
    if (step % 10 === 9 && failed) webhooks.replay(failed.id);
  }
  await world.clock.advance(86_400_000);
  return JSON.stringify([webhooks.deliveries.list(), [...changes].sort(), world.clock.now()]);
};

test('eight sessions at once and one alone leave the same log', async () => {
  const together = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(session));
  const alone = await session(9);
  for (const log of together) expect(log).toBe(alone);
  const [deliveries] = JSON.parse(alone);
  const states = new Set(deliveries.map(({ state }: { state: string }) => state));
  expect(states).toEqual(new Set(['delivered', 'failed']));
});

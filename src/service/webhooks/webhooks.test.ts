// The powers over deliveries: simulate, replay, delete, listen, fork, stop; and that the log keeps no secret.
import { describe, expect, test } from 'vitest';
import { type Acting, acting, SECRET, START, type WorldOptions, webhookWorld } from '../../test/webhook-world.ts';
import type { Delivery } from './delivery.ts';
import type { Sender, Sending } from './sender.ts';
import { Webhooks } from './webhooks.ts';

const url = 'http://127.0.0.1:9999/hook';
const remote = 'https://hooks.example.com/x';
const DAY = 86_400_000;

/** Responds in order, the last one again and again; keeps what was sent. */
const responding = (...statuses: number[]) => {
  const sent: Sending[] = [];
  const sender: Sender = async (sending) => {
    sent.push(sending);
    return { kind: 'response', status: statuses.length > 1 ? statuses.shift()! : statuses[0]!, took: 5 };
  };
  return { sender, sent };
};
const only = ({ webhooks }: Acting): Delivery => {
  const [delivery, ...others] = webhooks.deliveries.list();
  expect(others).toEqual([]);
  return delivery!;
};
/** A world with a registration for each URL, whose receivers respond so. */
const begin = (statuses: readonly number[], urls: readonly string[] = [url], options: WorldOptions = {}) => {
  const receiver = responding(...statuses);
  const one = webhookWorld(
    urls.map((receiver) => ({ url: receiver })),
    { sender: receiver.sender, ...options },
  );
  return { ...receiver, one };
};
const copied = (one: Acting, sender: Sender, world = one.world.fork(), saved = one.webhooks.save()) =>
  acting(world, new Webhooks(world, sender, {}, saved));
describe('receivers that are not on this machine', () => {
  test('are simulated, and the log says so', async () => {
    const { one, sent } = begin([500], [remote]);
    one.createTask();
    await one.webhooks.settled();
    expect(only(one)).toMatchObject({
      state: 'delivered',
      attempts: [{ outcome: 'response', status: 200, simulated: true, signature_ok: true }],
    });
    expect(sent).toEqual([]);
  });

  test('are sent to when that is wanted', async () => {
    const { one, sent } = begin([200], [remote], { deliverPublic: true });
    one.createTask();
    await one.webhooks.settled();
    expect(sent.map((sending) => sending.url)).toEqual([remote]);
    expect(only(one).attempts[0]).not.toHaveProperty('simulated');
  });
});

describe('a deleted registration', () => {
  test('is not tried again', async () => {
    const { one, sent } = begin([500]);
    one.createTask();
    await one.world.clock.advance(30_000);
    one.deleteWebhook('wh_1');
    expect(only(one)).toMatchObject({ state: 'failed', next_attempt_at: null, stopped: 'the registration was deleted' });
    await one.world.clock.advance(DAY);
    expect([sent.length, one.world.clock.next]).toEqual([2, null]);
  });

  test('gets what was due before, and no retry of it', async () => {
    const { one, sent } = begin([500]);
    one.createTask();
    one.deleteWebhook('wh_1');
    await one.world.clock.advance(DAY);
    expect(sent).toHaveLength(1);
    expect(only(one)).toMatchObject({ state: 'failed', attempts: [{ status: 500 }], stopped: 'the registration was deleted' });
  });
});

describe('a fork', () => {
  test('carries on with what was pending, apart from its origin', async () => {
    const { one, sender, sent } = begin([500]);
    one.webhooks.simulate('wh_1', [503, 503]);
    one.createTask();
    await one.webhooks.settled();
    const copy = copied(one, sender);
    await copy.world.clock.advance(DAY);
    expect(only(copy)).toMatchObject({
      state: 'failed',
      attempts: [{ status: 503 }, { status: 503 }, ...Array(4).fill({ status: 500 })],
    });
    expect(only(one)).toMatchObject({ state: 'retrying', attempts: [{ status: 503 }] });
    await one.world.clock.advance(DAY);
    expect(only(one)).toEqual(only(copy));
    expect(sent).toHaveLength(8);
  });

  test('made while attempts are under way makes them itself, with the outcomes that were ordered', async () => {
    const { one, sender, sent } = begin([200], [url, url]);
    one.webhooks.simulate('wh_1', [500, 501, 502]);
    one.createTask();
    one.createTask();
    one.world.clock.startDue();
    const copy = copied(one, sender);
    await Promise.all([one.webhooks.settled(), copy.webhooks.settled()]);
    expect(copy.webhooks.deliveries.list()).toEqual(one.webhooks.deliveries.list());
    const retrying = copy.webhooks.deliveries.list({ state: 'retrying' });
    expect(retrying.map(({ attempts }) => attempts[0]!.status)).toEqual([500, 501]);
    expect(sent).toHaveLength(4);
  });

  test('from a saved state runs nothing before it is made', async () => {
    const { one, sender, sent } = begin([500]);
    one.createTask();
    await one.webhooks.settled();
    const [kept, saved] = [one.world.fork(), one.webhooks.save()];
    await kept.clock.advance(DAY);
    expect(sent).toHaveLength(1);
    const world = kept.fork();
    world.clock.set(Date.parse(START));
    const back = copied(one, sender, world, saved);
    await back.world.clock.advance(30_000);
    expect(only(back).attempts).toHaveLength(2);
    expect(only(one).attempts).toHaveLength(1);
  });
});

test('stop gives up what is under way and runs nothing more', async () => {
  const sender: Sender = (_, signal) =>
    new Promise((done) => signal.addEventListener('abort', () => done({ kind: 'error', error: 'given up', took: 0 })));
  const one = webhookWorld([{ url }], { sender });
  one.createTask();
  one.world.clock.startDue();
  one.createTask();
  const settled = one.webhooks.settled();
  one.webhooks.stop();
  await settled;
  await one.world.clock.advance(DAY);
  expect(one.webhooks.deliveries.list().map(({ state, attempts }) => [state, attempts.length])).toEqual([
    ['pending', 0],
    ['pending', 0],
  ]);
});

test('the log holds the signature, never the secret', async () => {
  const { one } = begin([500]);
  one.createTask();
  await one.world.clock.advance(DAY);
  const text = JSON.stringify(one.webhooks.deliveries.list());
  expect(text).toMatch(/"X-Service-Signature":"[0-9a-f]{64}"/);
  expect(text).not.toContain(SECRET);
});

// The delivery log: bounded, oldest settled ones first to go; a copy costs nothing until somebody writes.
import { expect, test } from 'vitest';
import { handlers } from '../http/handlers/index.ts';
import { acting, plantWorld, START } from '../test/webhook-world.ts';
import { Deliveries } from './deliveries.ts';
import type { Delivery } from './delivery.ts';
import { Scripts } from './scripts.ts';
import type { Sender } from './sender.ts';
import { Webhooks } from './webhooks.ts';

const entry = (due: number) => ({ due, sequence: due, job: { kind: 'event', id: `dlv_${due}` } });
const delivery = (n: number, state: Delivery['state']) => ({ id: `dlv_${n}`, state }) as Delivery;
const ids = (log: Deliveries) => log.list().map(({ id }) => id);

test('what is over the limit goes: the oldest settled one, else the oldest, with its place on the agenda', () => {
  const log = new Deliveries(new Map(), 3);
  log.put(delivery(1, 'retrying'), entry(1));
  log.put(delivery(2, 'delivered'));
  expect(log.put(delivery(3, 'failed'))).toBeUndefined();
  expect(log.put(delivery(4, 'pending'), entry(4))?.delivery.id).toBe('dlv_2');
  expect(log.put(delivery(5, 'pending'), entry(5))?.delivery.id).toBe('dlv_3');
  expect(log.put(delivery(6, 'pending'), entry(6))?.entry).toEqual(entry(1));
  expect(ids(log)).toEqual(['dlv_4', 'dlv_5', 'dlv_6']);
  expect(log.put(delivery(5, 'delivered'))).toBeUndefined();
  expect(ids(log)).toEqual(['dlv_4', 'dlv_5', 'dlv_6']);
});

test('when none is settled, the oldest of the registration that has the most goes: a receiver that is down costs no other its retries', () => {
  const log = new Deliveries(new Map(), 4);
  const of = (webhook_id: string, n: number, state: Delivery['state'] = 'retrying') => ({ ...delivery(n, state), webhook_id });
  for (const one of [of('up', 1), of('down', 2), of('down', 3), of('up', 4)]) log.put(one);
  // As many of each: those whose registration came first.
  expect(log.fork().put(of('third', 5))?.delivery.id).toBe('dlv_1');
  expect(log.put(of('down', 5))?.delivery.id).toBe('dlv_2');
  expect(log.put(of('down', 6))?.delivery.id).toBe('dlv_3');
  expect(ids(log)).toEqual(['dlv_1', 'dlv_4', 'dlv_5', 'dlv_6']);
  // What is settled no longer counts, nor does what is gone.
  const copy = log.fork();
  copy.put(of('down', 5, 'failed'));
  expect(copy.put(of('third', 7))?.delivery.id).toBe('dlv_5');
  expect(copy.put(of('third', 8))?.delivery.id).toBe('dlv_1');
  expect(log.put(of('third', 9))?.delivery.id).toBe('dlv_1');
  expect(Deliveries.from(log.held()).list()).toEqual(log.list());
});

test('a retry is made however many deliveries to a receiver that is down come after it', async () => {
  const tried: string[] = [];
  const sender: Sender = async ({ url }) => {
    if (url.includes(':9998')) tried.push(url);
    return { kind: 'refused', error: 'refused', took: 0 };
  };
  const world = plantWorld([{ url: 'http://127.0.0.1:9999/' }, { url: 'http://127.0.0.1:9998/', events: ['project.updated'] }]);
  const saved = { deliveries: new Deliveries(new Map(), 20), scripts: new Scripts() };
  const { webhooks, createTask, view } = acting(world, new Webhooks(world, sender, {}, saved));
  handlers.updateProject(view, { found: view.find('projects', 'proj_one')!, query: undefined, body: { name: 'Two' } });
  for (let i = 0; i < 60; i++) createTask();
  await webhooks.settled();
  await world.clock.advance(30_000);
  expect(tried).toHaveLength(2);
});

test('copies of copies do not hear of one another', () => {
  const one = new Deliveries();
  one.put(delivery(1, 'pending'));
  const two = one.fork();
  const three = two.fork();
  one.put(delivery(2, 'pending'));
  three.put(delivery(3, 'pending'));
  two.put(delivery(1, 'failed'));
  expect([ids(one), ids(two), ids(three)]).toEqual([['dlv_1', 'dlv_2'], ['dlv_1'], ['dlv_1', 'dlv_3']]);
  expect([one, two, three].map((log) => log.get('dlv_1')?.state)).toEqual(['pending', 'failed', 'pending']);
});

test('a dead receiver and a clock that never moves do not fill the memory, and what went is not tried again', async () => {
  const sender: Sender = async () => ({ kind: 'refused', error: 'refused', took: 0 });
  const world = plantWorld([{ url: 'http://127.0.0.1:9999/' }]);
  const saved = { deliveries: new Deliveries(new Map(), 50), scripts: new Scripts() };
  const { webhooks, createTask } = acting(world, new Webhooks(world, sender, {}, saved));
  for (let i = 0; i < 70; i++) createTask();
  await webhooks.settled();
  expect(webhooks.deliveries.list()).toHaveLength(50);
  await world.clock.advance(30_000);
  expect(webhooks.deliveries.list({ state: 'retrying' })).toHaveLength(50);
  expect(new Set(webhooks.deliveries.list().map(({ attempts }) => attempts.length))).toEqual(new Set([2]));
  await world.clock.advance(86_400_000);
  expect([webhooks.deliveries.list({ state: 'failed' }).length, world.clock.next]).toEqual([50, null]);
});

test('what went leaves the agenda: the next moment is one that somebody waits for', async () => {
  const world = plantWorld([{ url: 'http://127.0.0.1:9999/' }]);
  const saved = { deliveries: new Deliveries(new Map(), 1), scripts: new Scripts() };
  const sender: Sender = async () => ({ kind: 'refused', error: 'refused', took: 0 });
  const { webhooks, createTask } = acting(world, new Webhooks(world, sender, {}, saved));
  createTask();
  await world.clock.advance(10_000);
  createTask();
  await webhooks.settled();
  expect(world.clock.next).toBe(Date.parse(START) + 40_000);
});

// The delivery log: bounded, oldest settled ones first to go; a copy costs nothing until it or its origin is written.
import { expect, test } from 'vitest';
import { acting, plantWorld, type Registered, START } from '../../test/webhook-world.ts';
import { handlers } from '../http/handlers/index.ts';
import { Deliveries } from './deliveries.ts';
import { Scripts } from './scripts.ts';
import type { Sender } from './sender.ts';
import { Webhooks } from './webhooks.ts';

const DEAD = { url: 'http://127.0.0.1:9999/' };
const refusing: Sender = async () => ({ kind: 'refused', error: 'refused', took: 0 });
/** Webhooks of a world whose log holds no more deliveries than that. */
const limited = (max: number, registered: readonly Registered[] = [DEAD], sender = refusing) => {
  const world = plantWorld(registered);
  const saved = { deliveries: new Deliveries([], max), scripts: new Scripts() };
  return acting(world, new Webhooks(world, sender, {}, saved));
};

test('a retry is made however many deliveries to a receiver that is down come after it', async () => {
  const tried: string[] = [];
  const sender: Sender = async (sending, signal) => {
    if (sending.url.includes(':9998')) tried.push(sending.url);
    return refusing(sending, signal);
  };
  const other: Registered = { url: 'http://127.0.0.1:9998/', events: ['project.updated'] };
  const { world, webhooks, createTask, view } = limited(20, [DEAD, other], sender);
  handlers.updateProject(view, { found: view.find('projects', 'proj_one')!, query: undefined, body: { name: 'Two' } });
  for (let i = 0; i < 60; i++) createTask();
  await webhooks.settled();
  await world.clock.advance(30_000);
  expect(tried).toHaveLength(2);
});

test('a dead receiver and a clock that never moves do not fill the memory, and what went is not tried again', async () => {
  const { world, webhooks, createTask } = limited(50);
  for (let i = 0; i < 70; i++) createTask();
  await webhooks.settled();
  expect(webhooks.deliveries.list()).toHaveLength(50);
  await world.clock.advance(30_000);
  expect(webhooks.deliveries.list({ state: 'retrying' })).toHaveLength(50);
  expect(new Set(webhooks.deliveries.list().map(({ attempts }) => attempts.length))).toEqual(new Set([2]));
  await world.clock.advance(86_400_000);
  expect([webhooks.deliveries.list({ state: 'failed' }).length, world.clock.next]).toEqual([50, null]);
});

test('an evicted delivery leaves the agenda: the next moment is one that the clock waits for', async () => {
  const { world, webhooks, createTask } = limited(1);
  createTask();
  await world.clock.advance(10_000);
  createTask();
  await webhooks.settled();
  expect(world.clock.next).toBe(Date.parse(START) + 40_000);
});

// The delivery log: bounded, oldest settled ones first to go; a copy costs nothing until somebody writes.
import { expect, test } from 'vitest';
import { acting, plantWorld, START } from '../../test/webhook-world.ts';
import { handlers } from '../http/handlers/index.ts';
import { Deliveries } from './deliveries.ts';
import { Scripts } from './scripts.ts';
import type { Sender } from './sender.ts';
import { Webhooks } from './webhooks.ts';

test('a retry is made however many deliveries to a receiver that is down come after it', async () => {
  const tried: string[] = [];
  const sender: Sender = async ({ url }) => {
    if (url.includes(':9998')) tried.push(url);
    return { kind: 'refused', error: 'refused', took: 0 };
  };
  const world = plantWorld([{ url: 'http://127.0.0.1:9999/' }, { url: 'http://127.0.0.1:9998/', events: ['project.updated'] }]);
  const saved = { deliveries: new Deliveries([], 20), scripts: new Scripts() };
  const { webhooks, createTask, view } = acting(world, new Webhooks(world, sender, {}, saved));
  handlers.updateProject(view, { found: view.find('projects', 'proj_one')!, query: undefined, body: { name: 'Two' } });
  for (let i = 0; i < 60; i++) createTask();
  await webhooks.settled();
  await world.clock.advance(30_000);
  expect(tried).toHaveLength(2);
});

test('a dead receiver and a clock that never moves do not fill the memory, and what went is not tried again', async () => {
  const sender: Sender = async () => ({ kind: 'refused', error: 'refused', took: 0 });
  const world = plantWorld([{ url: 'http://127.0.0.1:9999/' }]);
  const saved = { deliveries: new Deliveries([], 50), scripts: new Scripts() };
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
  const saved = { deliveries: new Deliveries([], 1), scripts: new Scripts() };
  const sender: Sender = async () => ({ kind: 'refused', error: 'refused', took: 0 });
  const { webhooks, createTask } = acting(world, new Webhooks(world, sender, {}, saved));
  createTask();
  await world.clock.advance(10_000);
  createTask();
  await webhooks.settled();
  expect(world.clock.next).toBe(Date.parse(START) + 40_000);
});

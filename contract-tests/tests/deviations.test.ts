// What a conforming server may do beyond the open points blames nobody.
import { expect, test } from 'vitest';
import { DEVIATIONS } from '../judge/faults.ts';
import { VirtualClock } from '../judge/reference/clock.ts';
import { createReferenceServer } from '../judge/reference/server.ts';
import { runContract } from '../run.ts';

const TOGETHER = ['ping', 'letters-in-pairs-rarely', 'more-in-events', 'texts-composed'];

test('a ping of a registration, duplicates, further members of an envelope and composed letters blame nobody', async () => {
  const chosen = DEVIATIONS.filter(({ id }) => TOGETHER.includes(id));
  expect(chosen.map(({ id }) => id).sort()).toEqual([...TOGETHER].sort());
  const clock = new VirtualClock(Date.now());
  const HOOKS = 'https://hooks.reference.test';
  const receiverPort = 20_000 + Math.floor(Math.random() * 20_000);
  const resolve = (url: string) => url.replace(HOOKS, `http://127.0.0.1:${receiverPort}`);
  const alter: (typeof chosen)[0]['alter'] = (service) => {
    for (const { alter } of chosen) alter(service);
  };
  const server = createReferenceServer({ clock, resolve, alter });
  const report = await runContract({
    baseUrl: server.baseUrl,
    keys: server.keys,
    fetch: (input, init) => (input.startsWith(HOOKS) ? fetch(resolve(input), init) : server.fetch(input, init)),
    time: clock,
    receiverUrl: HOOKS,
    receiverPort,
    allow: ['webhooks', 'slow'],
    reportDir: false,
  });
  expect(report.failures).toEqual([]);
});

// Pacing on a small plan with a rolling window: what is looked at in a row is not blurred by requests that age out meanwhile.
import { expect, test } from 'vitest';
import { Pace } from '../engine/pace.ts';

const MINUTE = 60_000;

test.each([0, 1, 900, 5000, 59_000])(
  'after room is made, two requests in a row lower a rolling count (spacing %i ms)',
  async (spacing) => {
    let now = 1_000_000;
    const log: number[] = [];
    const sleep = async (ms: number) => {
      now += ms;
    };
    const time = { virtual: true, now: () => now, sleep };
    const pace = new Pace(time as never, undefined);
    const remaining = async () => {
      await pace.turn();
      log.push(now);
      const left = 60 - log.filter((at) => at > now - MINUTE).length;
      pace.learn(60, left, (now + MINUTE) / 1000);
      now += 20;
      return left;
    };
    for (let i = 0; i < 130; i++) {
      await remaining();
      now += spacing;
    }
    await pace.room(2);
    const first = await remaining();
    expect(await remaining()).toBe(first - 1);
  },
);

const clock = () => {
  const time = {
    at: 1_000_000,
    virtual: true,
    now: () => time.at,
    sleep: async (ms: number) => {
      time.at += ms;
    },
  };
  return time;
};

test('a Remaining near 0 is waited out until its Reset, and a minute where its Reset cannot be', async () => {
  for (const [reset, waited] of [
    [30_000, 30_000],
    [-300_000, MINUTE],
    [400_000, MINUTE],
  ] as const) {
    const time = clock();
    const pace = new Pace(time as never, undefined);
    const began = time.at;
    await pace.turn();
    pace.learn(60, 2, (began + reset) / 1000);
    await pace.turn();
    expect(time.at - began).toBe(waited + 1000);
  }
});

test('a Remaining that is near 0 however long one waits is no longer believed', async () => {
  const time = clock();
  const pace = new Pace(time as never, undefined);
  for (let n = 0; n < 40; n++) {
    await pace.turn();
    pace.learn(1000, 0, (time.at + 30_000) / 1000);
  }
  expect(time.at - 1_000_000).toBeLessThan(2 * MINUTE);
});

test.each([
  [60, 54],
  [300, 240],
  [1000, 800],
])('of %i requests a minute %i are taken', async (limit, taken) => {
  const time = clock();
  const pace = new Pace(time as never, undefined);
  const at: number[] = [];
  for (let n = 0; n < 3 * limit; n++) {
    await pace.turn();
    at.push(time.at);
    pace.learn(limit, limit, 0);
    time.at += 5;
  }
  const busiest = Math.max(...at.map((from) => at.filter((moment) => moment >= from && moment < from + MINUTE).length));
  expect(busiest).toBe(taken);
});

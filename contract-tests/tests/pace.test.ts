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

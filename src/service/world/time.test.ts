// Turns: what is put off to the next one comes when all that follows from this one is done, in its order, in any runtime.
import { describe, expect, test } from 'vitest';
import { afterAwake, FIRST_MOMENT, LAST_MOMENT, momentText, onNextTurn, schedulerOf } from './time.ts';

const channels = () => {
  const posted: (() => void)[] = [];
  let made = 0;
  class Channel {
    readonly port1: { onmessage?: () => void } = {};
    readonly port2 = { postMessage: () => void posted.push(() => this.port1.onmessage!()) };
    constructor() {
      made += 1;
    }
  }
  return { Channel: Channel as unknown as typeof MessageChannel, pass: () => posted.shift()!(), made: () => made };
};

describe('a callback of the next turn', () => {
  test('comes after all that follows from this one, and in its order', async () => {
    const diary: string[] = [];
    const done = new Promise<void>((end) => {
      onNextTurn(() => diary.push('next'));
      onNextTurn(() => {
        diary.push('and next');
        end();
      });
    });
    let follows = Promise.resolve();
    for (let i = 0; i < 50; i++) follows = follows.then(() => {});
    void follows.then(() => diary.push('follows'));
    await done;
    expect(diary).toEqual(['follows', 'next', 'and next']);
  });

  test('is a message of one channel in a page, which is opened when it is first needed', () => {
    const { Channel, pass, made } = channels();
    const onTurn = schedulerOf({ MessageChannel: Channel });
    expect(made()).toBe(0);
    const diary: string[] = [];
    onTurn(() => diary.push('a'));
    onTurn(() => diary.push('b'));
    expect(diary).toEqual([]);
    pass();
    expect(diary).toEqual(['a']);
    pass();
    expect([...diary, made()]).toEqual(['a', 'b', 1]);
  });

  test('is what the runtime itself calls so, else a timer', async () => {
    const calls: string[] = [];
    schedulerOf({ setImmediate: (call) => call(), MessageChannel: channels().Channel })(() => calls.push('at once'));
    await new Promise<void>((done) => schedulerOf({})(done));
    expect(calls).toEqual(['at once']);
  });
});

test('a moment is written with a year of four digits, the nearest there is', () => {
  expect([FIRST_MOMENT, LAST_MOMENT]).toEqual([-62_167_219_200_000, 253_402_300_799_999]);
  const texts = [0, 0.4, 0.5, FIRST_MOMENT - 1, FIRST_MOMENT, LAST_MOMENT, LAST_MOMENT + 1].map(momentText);
  const [epoch, first, last] = ['1970-01-01T00:00:00.000Z', '0000-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z'];
  expect(texts).toEqual([epoch, epoch, '1970-01-01T00:00:00.001Z', first, first, last, last]);
});

test('a pause of the process is one step of the patience with others, who may have responded meanwhile', async () => {
  const late = new Promise((done) => void afterAwake(400, () => done(true), 100));
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
  const soon = new Promise((turn) => setTimeout(() => setImmediate(turn, false)));
  expect([await Promise.race([late, soon]), await late]).toEqual([false, true]);
});

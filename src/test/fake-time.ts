// Fake real time for tests: `Date.now` and the timers of the mock stand still until the test lets time pass.
import { afterEach, beforeEach, vi } from 'vitest';

/** Everything that can run without time. */
const rest = async (): Promise<void> => {
  for (let i = 0; i < 3; i++) await new Promise((done) => setImmediate(done));
};

/** Browsers, sockets and deliveries of earlier tests in this process wait as well: their timers stay real, and those that these start. */
const isOfTheMock = (): boolean => {
  const stack = new Error().stack ?? '';
  return /\bworld\/time\.ts\b/.test(stack) && !/Timeout\._onTimeout \(\S*\bworld\/time\.ts\b/.test(stack);
};

const replaceTime = () => {
  const real = { now: Date.now, setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout };
  const timers = new Map<object, { readonly at: number; readonly call: () => void }>();
  const waits: number[] = [];
  let now = real.now();
  const unreferenced = vi.fn();
  Date.now = () => now;
  const start = (call: () => void, ms = 0): object => {
    if (!isOfTheMock()) return real.setTimeout(call, ms);
    const timer = { unref: unreferenced };
    waits.push(ms);
    timers.set(timer, { at: now + ms, call });
    return timer;
  };
  globalThis.setTimeout = start as never;
  globalThis.clearTimeout = ((timer: object) => timers.delete(timer) || real.clearTimeout(timer as never)) as never;
  return {
    /** Lets real milliseconds pass, timer by timer, with all that follows from each. */
    pass: async (ms: number): Promise<void> => {
      const until = now + ms;
      await rest();
      for (;;) {
        const [first] = [...timers].sort(([, a], [, b]) => a.at - b.at);
        if (!first || first[1].at > until) break;
        timers.delete(first[0]);
        now = Math.max(now, first[1].at);
        first[1].call();
        await rest();
      }
      now = until;
      await rest();
    },
    /** Ends of the waits in progress, milliseconds from now, in order. */
    get pending(): readonly number[] {
      return [...timers.values()].map(({ at }) => at - now).sort((a, b) => a - b);
    },
    /** Durations of all waits, milliseconds. */
    waits,
    /** Counts the timers that were told to keep no process alive. */
    unreferenced,
    restore: () => {
      Date.now = real.now;
      globalThis.setTimeout = real.setTimeout;
      globalThis.clearTimeout = real.clearTimeout;
    },
  };
};

type FakeTime = ReturnType<typeof replaceTime>;

/** Replaces the time during each test of the suite that calls this. */
export const useFakeTime = (): FakeTime => {
  let taken: FakeTime;
  beforeEach(() => {
    taken = replaceTime();
  });
  afterEach(() => taken.restore());
  return new Proxy({} as FakeTime, { get: (_, name) => taken[name as keyof FakeTime] });
};

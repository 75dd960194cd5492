// The real time and real waiting, apart from the clock of any world. The only file that reads the one or does the other.
import type { Closing } from './closing.ts';

/** What timers can hold: 31 bits. */
const LONGEST_TIMER = 0x7fff_ffff;

/** Milliseconds since 1970. */
export const realNow = (): number => Date.now();

/** Where a clock has its time from, and what it waits with. */
export interface Time {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls after milliseconds. @returns what calls it off */
  after(ms: number, call: () => void): () => void;
}

/** Waits for milliseconds, or until something closes. @param time real time unless told */
export const wait = (ms: number, closing?: Closing, { after: begin }: Pick<Time, 'after'> = AWAITED): Promise<void> =>
  new Promise((done) => {
    const callOff = begin(ms, () => {
      leave?.();
      done();
    });
    const leave = closing?.tell(() => {
      callOff();
      done();
    });
  });

/** Keeps the process alive while somebody waits. */
const AWAITED: Pick<Time, 'after'> = {
  after: (ms, call) => {
    const timer = setTimeout(call, ms);
    return () => clearTimeout(timer);
  },
};

/** Calls after real milliseconds; keeps no process alive. @returns what calls it off. */
export const after = (ms: number, call: () => void): (() => void) => {
  const timer = setTimeout(call, Math.min(ms, LONGEST_TIMER)) as unknown as { unref?: () => void };
  timer.unref?.();
  return () => clearTimeout(timer as unknown as number);
};

/** The time of this machine. */
export const REAL: Time = { now: realNow, after };

/** What a runtime has turns from. */
interface Turns {
  readonly setImmediate?: (call: () => void) => unknown;
  readonly MessageChannel?: typeof MessageChannel;
}

/** Calls on the next turn, by the quickest means there is: a timer takes a millisecond, and four in a page. */
export const turnsOf = ({ setImmediate, MessageChannel: Channel }: Turns): ((call: () => void) => void) => {
  if (setImmediate) return (call) => void setImmediate(call);
  if (!Channel) return (call) => void after(0, call);
  const waiting: (() => void)[] = [];
  let port: MessagePort | undefined;
  const open = () => {
    const { port1, port2 } = new Channel();
    port1.onmessage = () => waiting.shift()!();
    return port2;
  };
  return (call) => {
    waiting.push(call);
    port ??= open();
    port.postMessage(null);
  };
};

/** Calls on the next turn, when all that follows from this one is done; whoever fakes timers later does not stop it. */
export const onNextTurn = turnsOf(globalThis as unknown as Turns);

// The real time: waiting, what ends a wait, and moments as texts. Only this file may read or await it.

/** First and last moment that has such a year, milliseconds since 1970. */
export const FIRST_MOMENT = Date.parse('0000-01-01T00:00:00.000Z');
export const LAST_MOMENT = Date.parse('9999-12-31T23:59:59.999Z');

/** A moment as a world stores it; the nearest that can be represented. @param ms milliseconds since 1970. */
export const momentText = (ms: number): string =>
  new Date(Math.min(LAST_MOMENT, Math.max(FIRST_MOMENT, Math.round(ms)))).toISOString();

export class CloseSignal {
  readonly #waiting = new Set<() => void>();
  #closed = false;

  /** Calls when it closes; at once when it has. @returns what calls it off. */
  tell(call: () => void): () => void {
    if (this.#closed) call();
    else this.#waiting.add(call);
    return () => void this.#waiting.delete(call);
  }

  close(): void {
    this.#closed = true;
    for (const call of this.#waiting) call();
    this.#waiting.clear();
  }
}

export const realNow = (): number => Date.now();

/** How a clock reads the time and waits. */
export interface Time {
  now(): number;
  /** Calls after milliseconds. @returns what calls it off */
  after(ms: number, call: () => void): () => void;
}

/** Waits for milliseconds, or until something closes. @param time real time unless told */
export const wait = (ms: number, closing?: CloseSignal, { after: begin }: Pick<Time, 'after'> = BLOCKING_TIMER): Promise<void> =>
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

/** Keeps the process alive while something waits. */
const BLOCKING_TIMER: Pick<Time, 'after'> = { after: (ms, call) => after(ms, call, true) };

/** Calls after real milliseconds, at most the 31 bits of timers. @param blocking keeps the process alive @returns what calls it off */
export const after = (ms: number, call: () => void, blocking = false): (() => void) => {
  const timer = setTimeout(call, Math.min(ms, 0x7fff_ffff)) as unknown as { unref?: () => void };
  if (!blocking) timer.unref?.();
  return () => clearTimeout(timer as unknown as number);
};

/** Calls after milliseconds that this process was awake: a pause of it, as in a debugger, counts as one step. */
export const afterAwake = (ms: number, call: () => void, step = 1000): (() => void) => {
  let callOff = after(Math.min(ms, step), () => {
    if (ms <= step) call();
    else callOff = afterAwake(ms - step, call, step);
  });
  return () => callOff();
};

export const REAL: Time = { now: realNow, after };

interface Turns {
  readonly setImmediate?: (call: () => void) => unknown;
  readonly MessageChannel?: typeof MessageChannel;
}

/** Calls on the next turn, by the fastest means: a timer takes a millisecond, and four in a page. */
export const schedulerOf = (turns: Turns): ((call: () => void) => void) => {
  const { setImmediate } = turns;
  if (setImmediate) return (call) => void setImmediate(call);
  // Node loads its streams when it is asked for this.
  const { MessageChannel: Channel } = turns;
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

/** Calls on the next turn, after all effects of this one; fake timers installed later do not affect it. */
export const onNextTurn = schedulerOf(globalThis as unknown as Turns);

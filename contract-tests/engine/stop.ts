// Ends a run that is told to stop at whatever it waits for, and lets it clean up after itself.
import { RunError } from './terms.ts';
import type { Time } from './time.ts';

export class Stop {
  readonly #signal: AbortSignal | undefined;
  #cleaning = false;

  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal;
  }

  /** Cleans up, which no stop ends; but after one it may take so long only. @returns whether it was finished */
  async clean(work: () => Promise<void>, graceMs: number): Promise<boolean> {
    this.#cleaning = true;
    if (!this.#signal?.aborted) return work().then(() => true);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<boolean>((done) => {
      timer = setTimeout(() => done(false), graceMs);
    });
    return Promise.race([work().then(() => true), late]).finally(() => clearTimeout(timer));
  }

  /** A clock whose waits end with the run. */
  time(clock: Time): Time {
    return {
      now: () => clock.now(),
      sleep: (ms) => this.or(() => clock.sleep(ms)),
      after: (ms, job) => clock.after(ms, job),
      settle: () => this.or(() => clock.settle()),
      virtual: clock.virtual,
    };
  }

  /** Begins something and waits for it. @param graceMs how much longer, once told to stop @throws RunError when that came first */
  async or<T>(begin: () => Promise<T>, graceMs = 0): Promise<T> {
    const signal = this.#signal;
    if (this.#cleaning || !signal) return begin();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let tell = () => {};
    const interruption = new Promise<never>((_, reject) => {
      const stop = () => reject(new RunError('the run was told to stop'));
      tell = () => {
        timer = setTimeout(stop, graceMs);
      };
      if (signal.aborted) stop();
      else signal.addEventListener('abort', tell);
    });
    try {
      return await Promise.race(signal.aborted ? [interruption] : [begin(), interruption]);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', tell);
    }
  }
}

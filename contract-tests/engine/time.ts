// Who says what time it is and who waits: the real clock, or the clock of a wm-mock through its control API.
import type { Control } from './control.ts';

export interface Time {
  /** Milliseconds since 1970, on the target's clock. */
  now(): number;
  sleep(ms: number): Promise<void>;
  /** Runs a job after a delay, on the same clock. */
  after(ms: number, job: () => void): void;
  /** Lets what has been sent arrive, without a wait that counts. */
  settle(): Promise<void>;
  /** True when a wait costs no real time. */
  readonly virtual: boolean;
}

/** Calls after real milliseconds; keeps no process alive. */
const later = (ms: number, job: () => void): void => {
  const timer: { unref?: () => void } | number = setTimeout(job, ms);
  if (typeof timer === 'object') timer.unref?.();
};

export const realTime = (): Time => {
  const sleep = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));
  return {
    now: () => Date.now(),
    sleep,
    after: later,
    settle: () => sleep(200),
    virtual: false,
  };
};

/** The clock of a wm-mock: to wait is to advance it. */
export const controlTime = async (control: Control): Promise<Time> => {
  const read = (reading: { now: string; mode?: string }) => ({
    at: Date.parse(reading.now),
    seen: performance.now(),
    running: reading.mode === 'running',
  });
  let last = read(await control.clock());
  const advance = async (ms: number) => {
    last = read(await control.advance(`${Math.max(0, Math.round(ms / 1000))}s`));
  };
  return {
    now: () => last.at + (last.running ? performance.now() - last.seen : 0),
    sleep: (ms) => advance(Math.ceil(ms / 1000) * 1000),
    after: later,
    settle: () => advance(0),
    virtual: true,
  };
};

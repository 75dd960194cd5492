// The clocks of the reference server: a virtual one, on which a wait costs no real time, and the real one.
import type { Time } from '../../engine/time.ts';

export interface Clock extends Time {
  /** A request takes its time. */
  tick(): void;
  /** Runs a job after a delay in milliseconds, unless it is called off. */
  later(ms: number, job: () => void): () => void;
  /** Counts work as under way until it ends. */
  track(work: Promise<unknown>): void;
}

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

/** Turns of the event loop within which work ends, unless it is held back on purpose. */
const TURNS = 40;

interface Timer {
  readonly due: number;
  readonly job: () => void;
}

/** Moves by a step with each request, and as far as anyone sleeps; meanwhile it runs every job that falls due, in order. */
export class VirtualClock implements Clock {
  readonly virtual = true;
  /** Work that may still end by itself. */
  private readonly flying = new Set<Promise<unknown>>();
  private readonly held = new Set<Promise<unknown>>();
  private timers: Timer[] = [];
  private at: number;
  private readonly step: number;

  constructor(start = Date.now(), { step = 15 } = {}) {
    this.at = start;
    this.step = step;
  }

  now(): number {
    return this.at;
  }

  tick(): void {
    this.at += this.step;
    for (let timer = this.next(this.at); timer; timer = this.next(this.at)) timer.job();
  }

  later(ms: number, job: () => void): () => void {
    const timer = { due: this.at + ms, job };
    const place = this.timers.findIndex((other) => other.due > timer.due);
    this.timers.splice(place < 0 ? this.timers.length : place, 0, timer);
    return () => {
      this.timers = this.timers.filter((other) => other !== timer);
    };
  }

  after(ms: number, job: () => void): void {
    this.later(ms, job);
  }

  track(work: Promise<unknown>): void {
    this.flying.add(work);
    const settle = () => {
      this.flying.delete(work);
      this.held.delete(work);
    };
    work.then(settle, settle);
  }

  async sleep(ms: number): Promise<void> {
    const end = this.at + Math.max(0, ms);
    await this.settle();
    for (let timer = this.next(end); timer; timer = this.next(end)) {
      this.at = Math.max(this.at, timer.due);
      timer.job();
      for (const work of this.held) this.flying.add(work);
      this.held.clear();
      await this.settle();
    }
    this.at = Math.max(this.at, end);
  }

  async settle(): Promise<void> {
    for (let turn = 0; turn <= TURNS && this.flying.size > 0; turn++) {
      const before = this.flying.size;
      await Promise.race([Promise.allSettled(this.flying), pause(1)]);
      if (this.flying.size !== before) turn = 0;
    }
    for (const work of this.flying) this.held.add(work);
    this.flying.clear();
    await new Promise((done) => setImmediate(done));
  }

  /** Takes the first timer that is due by then. */
  private next(by: number): Timer | undefined {
    const first = this.timers[0];
    return first && first.due <= by ? this.timers.shift() : undefined;
  }
}

export const realClock = (): Clock => ({
  virtual: false,
  now: () => Date.now(),
  tick: () => undefined,
  sleep: pause,
  settle: () => pause(200),
  after: (ms, job) => void setTimeout(job, ms).unref(),
  later: (ms, job) => {
    const timer = setTimeout(job, ms).unref();
    return () => clearTimeout(timer);
  },
  track: () => undefined,
});

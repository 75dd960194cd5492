// A clock that a test advances: jobs run in order of time, and what they have sent is waited for.
import type { Time } from '../engine/time.ts';

/** What is not held back arrives within so many turns of the event loop, however long a busy machine takes for each. */
const TURNS = 40;

export class VirtualClock implements Time {
  readonly virtual: boolean = true;
  #now: number;
  #jobs: { at: number; job: () => void }[] = [];
  readonly #pending = new Set<Promise<unknown>>();

  constructor(start = Date.UTC(2030, 0, 7, 9, 0, 0)) {
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  after(ms: number, job: () => void): void {
    this.#jobs.push({ at: this.#now + ms, job });
  }

  /** Work that an advance waits for, unless it is held back on this very clock. */
  pend(work: Promise<unknown>): void {
    this.#pending.add(work);
    work.finally(() => this.#pending.delete(work)).catch(() => {});
  }

  async sleep(ms: number): Promise<void> {
    const until = this.#now + ms;
    await this.#quiet();
    for (;;) {
      const due = this.#jobs.filter((entry) => entry.at <= until).sort((a, b) => a.at - b.at)[0];
      if (!due) break;
      this.#jobs.splice(this.#jobs.indexOf(due), 1);
      this.#now = Math.max(this.#now, due.at);
      due.job();
      await this.#quiet();
    }
    // Somebody else may have waited longer meanwhile.
    this.#now = Math.max(this.#now, until);
  }

  async settle(): Promise<void> {
    await this.sleep(0);
  }

  async #quiet(): Promise<void> {
    for (let turn = 0; this.#pending.size > 0 && turn < TURNS; turn++)
      await Promise.race([Promise.allSettled(this.#pending), new Promise((done) => setTimeout(done, 1))]);
  }
}

/** The real clock, for a server that is met over a socket. */
export class RealClock extends VirtualClock {
  override readonly virtual = false;

  override now(): number {
    return Date.now();
  }

  override after(ms: number, job: () => void): void {
    setTimeout(job, ms).unref();
  }

  override sleep(ms: number): Promise<void> {
    return new Promise((done) => setTimeout(done, ms));
  }
}

// Running jobs, and the order in which their ends are recorded.
import type { Entry, Job } from './agenda.ts';

/** Starts a job synchronously; resolves, when it has ended, to a function that records its end. Never rejects. */
export type JobRunner = (job: Job) => Promise<() => void>;

export class RunningJobs {
  readonly #ends = new Map<Entry, Promise<void>>();
  #lastEnd: Promise<void> = Promise.resolve();
  #closed = false;

  get entries(): Iterable<Entry> {
    return this.#ends.keys();
  }

  get size(): number {
    return this.#ends.size;
  }

  /** Starts a job. @param inOrder records its end after those of all that started before. */
  start(entry: Entry, runner: JobRunner, inOrder: boolean): void {
    const before = this.#lastEnd;
    this.#lastEnd = runner(entry.job).then(async (write) => {
      if (inOrder) await before.catch(() => {});
      this.#ends.delete(entry);
      if (!this.#closed) write();
    });
    this.#ends.set(entry, this.#lastEnd);
  }

  /** Resolves when all currently running jobs have ended. @returns whether there were any. */
  async ended(): Promise<boolean> {
    const { size } = this.#ends;
    await Promise.all(this.#ends.values());
    return size > 0;
  }

  close(): void {
    this.#closed = true;
  }
}

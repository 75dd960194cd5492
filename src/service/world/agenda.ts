// Jobs and when they are due, as plain entries that a copy continues; and the jobs that run.
import { Tree } from './tree.ts';

/** A job as data; the owner of the agenda interprets it. */
export interface Job {
  readonly kind: string;
  readonly id: string;
}

export interface Entry {
  readonly due: number;
  /** Order of scheduling; breaks ties. */
  readonly sequence: number;
  readonly job: Job;
}

export interface SavedAgenda {
  readonly entries: readonly Entry[];
  readonly sequence: number;
}

const compareEntries = (a: Entry, b: Entry): number => a.due - b.due || a.sequence - b.sequence;

export class Agenda {
  #entries: Tree<Entry>;
  #sequence: number;

  constructor(entries = new Tree<Entry>(compareEntries), sequence = 0) {
    this.#entries = entries;
    this.#sequence = sequence;
  }

  fork(): Agenda {
    return new Agenda(this.#entries.fork(), this.#sequence);
  }

  save(): SavedAgenda {
    return { entries: this.#entries.toArray(), sequence: this.#sequence };
  }

  static from({ entries, sequence }: SavedAgenda): Agenda {
    return new Agenda(new Tree<Entry>(compareEntries, entries), sequence);
  }

  add(due: number, job: Job): Entry {
    const entry = { due, sequence: ++this.#sequence, job };
    this.#entries.insert(entry);
    return entry;
  }

  /** Schedules an entry again, in its old place. */
  restore(entry: Entry): void {
    this.#entries.insert(entry);
  }

  /** @returns whether the entry was still pending. */
  cancel(entry: Entry): boolean {
    return this.#entries.remove(entry);
  }

  first(): Entry | undefined {
    return this.#entries.slice(0, 1)[0];
  }

  ahead(most: number): Entry[] {
    return this.#entries.slice(0, most);
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Removes and returns the next entry if it is due by a time. */
  take(now: number): Entry | undefined {
    const first = this.first();
    if (!first || first.due > now) return undefined;
    this.#entries.remove(first);
    return first;
  }
}

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

// Jobs and when they are due, in order: plain entries, so that a copy of a world continues independently.
import { Tree } from './tree.ts';

/** A job as data; the owner of the agenda interprets it. */
export interface Job {
  readonly kind: string;
  readonly id: string;
}

export interface Entry {
  /** Milliseconds since 1970. */
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

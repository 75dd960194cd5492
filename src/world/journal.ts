// The journal of a world: its last thousand exchanges, the oldest overwritten, numbered from one.
import type { Change } from './world.ts';

const MOST = 1000;

export class Journal<E> {
  #ring: E[] = [];
  /** Number of the oldest exchange that is kept, and of the next to come. */
  #first = 1;
  #next = 1;
  #changes: Change[] | undefined;
  /** Told of each exchange once it has ended. */
  readonly observers: ((exchange: E) => void)[] = [];

  /** An independent copy without the observers. */
  fork(): Journal<E> {
    return Journal.from(this.all(), this.#next);
  }

  /** A journal that goes on behind these exchanges. @param next the number of the one to come. */
  static from<E>(exchanges: readonly E[], next: number): Journal<E> {
    const journal = new Journal<E>();
    journal.#next = next;
    journal.#first = next - exchanges.length;
    exchanges.forEach((exchange, i) => {
      journal.#ring[(journal.#first - 1 + i) % MOST] = exchange;
    });
    return journal;
  }

  /** Begins to gather what a request changes. */
  begin(): void {
    this.#changes = undefined;
  }

  /** Notes a change for the exchange under way. */
  note(change: Change): void {
    this.#changes ??= [];
    this.#changes.push(change);
  }

  /** What has changed since `begin`. */
  changes(): readonly Change[] {
    return this.#changes ?? NONE;
  }

  /** The number of the oldest exchange that is kept; `next` when none is. */
  get first(): number {
    return this.#first;
  }

  /** The number that the next exchange will have. */
  get next(): number {
    return this.#next;
  }

  add(exchange: E): void {
    this.#ring[(this.#next - 1) % MOST] = exchange;
    this.#next += 1;
    if (this.#next - this.#first > MOST) this.#first += 1;
    for (const observer of this.observers) observer(exchange);
  }

  /** The exchange with a number, if it is still kept. */
  get(number: number): E | undefined {
    return number >= this.#first && number < this.#next ? this.#ring[(number - 1) % MOST] : undefined;
  }

  /** Every kept exchange, oldest first. */
  all(): E[] {
    return Array.from({ length: this.#next - this.#first }, (_, i) => this.#ring[(this.#first - 1 + i) % MOST]!);
  }

  /** Forgets every exchange; the numbers go on. */
  clear(): void {
    this.#ring = [];
    this.#first = this.#next;
  }
}

const NONE: readonly Change[] = [];

// The journal of a world: its last thousand exchanges, the oldest overwritten, numbered from one.
import { type Log, nextTurn } from './turn.ts';
import type { Change } from './world.ts';

export const MOST_EXCHANGES = 1000;

export class Journal<E> implements Log<E> {
  #ring: (E | undefined)[] = [];
  /** When each exchange came. */
  #turns: number[] = [];
  /** The number of the oldest kept exchange; `next` if there is none. */
  first = 1;
  /** The number that the next exchange will have. */
  next = 1;
  #changes: Change[] | undefined;
  /** Called before and after a request is handled. */
  hears: { begin(): number; end(): void } | undefined;
  /** Called with each finished exchange. */
  readonly observers: ((exchange: E) => void)[] = [];

  fork(): Journal<E> {
    const copy = new Journal<E>();
    copy.#ring = [...this.#ring];
    copy.#turns = [...this.#turns];
    copy.first = this.first;
    copy.next = this.next;
    return copy;
  }

  /** A journal that continues after these exchanges. @param next the number of the next one. */
  static from<E>(exchanges: readonly E[], next: number): Journal<E> {
    const journal = new Journal<E>();
    journal.first = next - exchanges.length;
    journal.next = journal.first;
    for (const exchange of exchanges) journal.add(exchange);
    return journal;
  }

  /** Begins to collect the changes of a request. @returns its number on the timeline, if there is one */
  begin(): number | undefined {
    this.#changes = undefined;
    return this.hears?.begin();
  }

  note(change: Change): void {
    this.#changes ??= [];
    this.#changes.push(change);
  }

  /** The changes of the request, now that it was handled. */
  changes(): readonly Change[] {
    this.hears?.end();
    return this.#changes ?? NONE;
  }

  add(exchange: E): void {
    const place = (this.next - 1) % MOST_EXCHANGES;
    this.#ring[place] = exchange;
    this.#turns[place] = nextTurn();
    this.next += 1;
    if (this.next - this.first > MOST_EXCHANGES) this.first += 1;
    for (const observer of this.observers) observer(exchange);
  }

  /** The exchange with a number, if it is still kept. */
  get(number: number): E | undefined {
    return number >= this.first && number < this.next ? this.#ring[(number - 1) % MOST_EXCHANGES] : undefined;
  }

  all(): E[] {
    return Array.from({ length: this.next - this.first }, (_, i) => this.#ring[(this.first - 1 + i) % MOST_EXCHANGES]!);
  }

  each(tell: (exchange: E, turn: number, needed: boolean) => void): void {
    for (let number = this.first; number < this.next; number++) {
      const place = (number - 1) % MOST_EXCHANGES;
      tell(this.#ring[place]!, this.#turns[place]!, false);
    }
  }

  forget(upTo: number): void {
    for (; this.first < this.next && this.#turns[(this.first - 1) % MOST_EXCHANGES]! <= upTo; this.first++)
      this.#ring[(this.first - 1) % MOST_EXCHANGES] = undefined;
  }

  /** Forgets every exchange; numbers continue. */
  clear(): void {
    this.#ring = [];
    this.first = this.next;
  }
}

const NONE: readonly Change[] = [];

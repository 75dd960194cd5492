// The journal: a log of the exchanges of a world, numbered from 1, the newest thousand.
import { Log } from './log.ts';

export const MAX_EXCHANGES = 1000;

export class Journal<E> extends Log<number, E> {
  next: number;

  /** @param exchanges the ones before the next */
  constructor(bytesOf: (exchange: E) => number, next = 1, exchanges: readonly E[] = []) {
    const newest = exchanges.slice(-MAX_EXCHANGES);
    super(
      { bytesOf, max: MAX_EXCHANGES },
      newest.map((exchange, i) => [next - newest.length + i, exchange]),
    );
    this.next = next;
  }

  override fork(): Journal<E> {
    return this.shareWith(new Journal<E>(this.rules.bytesOf, this.next));
  }

  /** The number of the oldest exchange; the next number if there is none. */
  get first(): number {
    return this.firstId ?? this.next;
  }

  add(exchange: E): void {
    this.put(this.next, exchange);
    this.next += 1;
  }
}

// A log: entries by id in the order they came; it counts their bytes and evicts the oldest. The journal is one.

export interface LogEntry<T> {
  readonly value: T;
  readonly bytes: number;
  /** The order in which entries of all logs are evicted. */
  readonly turn: number;
}

export interface LogRules<T> {
  readonly bytesOf: (value: T) => number;
  /** The count from which each new entry evicts the oldest. */
  readonly max?: number;
  /** Whether an entry is evicted after all others, because its outcome is still awaited. */
  readonly isAwaited?: (value: T) => boolean;
}

/** Added to the turns of awaited entries. */
const AWAITED = 2 ** 50;

const NO_ENTRIES = new Map<never, never>();

let turns = 0;

export class Log<Id extends string | number, T> {
  onAppend: ((bytes: number) => void) | undefined;
  protected readonly rules: LogRules<T>;
  #entries: Map<Id, LogEntry<T>> = NO_ENTRIES;
  #isShared = true;
  /** An iterator that stays before the oldest entry: a new one would pass the holes of all that were evicted. */
  #oldest: Iterator<Id> | undefined;

  /** @param values restored ones, which are evicted before all new ones */
  constructor(rules: LogRules<T>, values: Iterable<readonly [Id, T]> = []) {
    this.rules = rules;
    for (const [id, value] of values) {
      this.#ownEntries();
      this.#entries.set(id, this.#entry(value, 0));
    }
  }

  fork(): Log<Id, T> {
    return this.shareWith(new Log<Id, T>(this.rules));
  }

  protected shareWith<L extends Log<Id, T>>(copy: L): L {
    const log: Log<Id, T> = copy;
    log.#entries = this.#entries;
    this.#isShared = true;
    return copy;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(id: Id): T | undefined {
    return this.#entries.get(id)?.value;
  }

  get firstId(): Id | undefined {
    return this.#entries.keys().next().value;
  }

  entries(): Iterable<readonly [Id, LogEntry<T>]> {
    return this.#entries;
  }

  all(): T[] {
    return Array.from(this.#entries.values(), ({ value }) => value);
  }

  /** Appends an entry, or replaces the one with its id in its place. */
  put(id: Id, value: T): void {
    this.#ownEntries();
    turns += 1;
    const entry = this.#entry(value, turns);
    this.#entries.set(id, entry);
    if (this.#entries.size > (this.rules.max ?? Number.POSITIVE_INFINITY)) this.#evictOldest();
    this.onAppend?.(entry.bytes);
  }

  remove(id: Id): void {
    if (!this.#entries.has(id)) return;
    this.#ownEntries();
    this.#entries.delete(id);
  }

  /** Evicts entries up to a turn; forks that share them lose the same. */
  evict(upTo: number): void {
    for (const [id, { turn }] of this.#entries) if (turn <= upTo) this.#entries.delete(id);
  }

  clear(): void {
    this.#entries = NO_ENTRIES;
    this.#isShared = true;
  }

  #evictOldest(): void {
    this.#oldest ??= this.#entries.keys();
    this.#entries.delete(this.#oldest.next().value);
  }

  #entry(value: T, turn: number): LogEntry<T> {
    const { bytesOf, isAwaited } = this.rules;
    return { value, bytes: bytesOf(value), turn: isAwaited?.(value) ? turn + AWAITED : turn };
  }

  #ownEntries(): void {
    if (!this.#isShared) return;
    this.#entries = new Map(this.#entries);
    this.#oldest = undefined;
    this.#isShared = false;
  }
}

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

// The timeline of one world: what came in from outside and what followed from it, in one order, each with its number.
import { type Touched, touchedBy } from '../../service/http/differences.ts';
import type { Exchange } from '../../service/http/exchange.ts';
import type { Delivery } from '../../service/webhooks/delivery.ts';
import type { Clock } from '../../service/world/clock.ts';
import { type Log, nextTurn } from '../../service/world/turn.ts';
import type { Change } from '../../service/world/world.ts';

export const TIMELINE_KINDS = ['request', 'event', 'attempt', 'clock', 'fault', 'choice', 'edit'] as const;
export type TimelineKind = (typeof TIMELINE_KINDS)[number];

/** What happened, as it is kept. */
export interface Happened {
  readonly n: number;
  readonly turn: number;
  readonly kind: TimelineKind;
  /** On the clock of the world, and in real time: milliseconds since 1970. */
  readonly at: number;
  readonly real: number;
  /** The numbers of what it follows from. */
  readonly causes: readonly number[];
  readonly title: string;
  readonly records: readonly Touched[];
  /** The id of its event. */
  readonly event?: string;
  /** The deliveries of an event, or the one that was attempted. */
  readonly deliveries?: readonly string[];
  /** The fault that was ordered, or that struck. */
  readonly fault?: string | undefined;
}

/** So many of the newest are kept. */
export const MOST_HAPPENED = 3000;
/** What one weighs, bytes, about. */
export const WEIGHT = 400;
const NONE: readonly never[] = [];

/** Attempts that were told of: a delivery is told again when it is stopped. */
const attempted = new WeakSet<object>();

/** What is being done, and its number once it has done something. */
interface Doing {
  readonly title: string;
  n?: number;
}

/** A request as the number of its exchange, which the journal has anyway; 0 while its response is kept back. */
export type Kept = Happened | number;

export class Timeline implements Log<Happened> {
  /** The oldest is overwritten. */
  readonly #ring: (Kept | undefined)[] = [];
  /** The number of the oldest that is kept; `next` when none is. */
  first: number;
  /** The number that the next one will have. */
  next: number;
  /** The places in the recording, by numbers, where the world is recorded. */
  readonly places: Map<number, number>;
  /** The numbers of events by their ids. */
  readonly #events = new Map<string, number>();
  /** The request that is being answered. */
  #request: number | undefined;
  #doing: Doing | undefined;
  /** A change that nothing of that has made. */
  #loose: Doing | undefined;
  /** The record that was changed last. */
  #last: Touched | undefined;
  /** When the clock was moved last. */
  #moved: number | undefined;
  /** The clock of its world. */
  clock: Clock | undefined;
  /** The place in the recording at which things are now. */
  place: () => number | undefined = () => undefined;
  /** Told of each that is written down, and is no request. */
  readonly observers: (() => void)[] = [];
  /** Told of these, and when one has more to say. */
  onTouch: ((n: number) => void) | undefined;
  /** @param kept one after the other, up to the next */
  constructor(kept: readonly Kept[] = NONE, next = 1, places: Iterable<readonly [number, number]> = NONE) {
    this.next = next;
    this.first = next - kept.length;
    this.places = new Map(places);
    for (const [i, one] of kept.entries()) {
      const n = this.first + i;
      this.#ring[n % MOST_HAPPENED] = one;
      if (typeof one === 'number') continue;
      if (one.kind === 'event') this.#events.set(one.event!, n);
      if (one.kind === 'clock') this.#moved = n;
    }
  }

  fork(): Timeline {
    return new Timeline(this.all(), this.next, this.places);
  }

  get(n: number): Kept | undefined {
    return n >= this.first && n < this.next ? this.#ring[n % MOST_HAPPENED] : undefined;
  }

  /** What is kept, oldest first, the first of which has the number `first`. */
  all(): Kept[] {
    return Array.from({ length: this.next - this.first }, (_, i) => this.#ring[(this.first + i) % MOST_HAPPENED]!);
  }

  each(tell: (one: Happened, turn: number, needed: boolean) => void): void {
    for (const one of this.all()) if (typeof one !== 'number') tell(one, one.turn, false);
  }

  /** Requests go with what came behind them. */
  forget(upTo: number): void {
    const last = this.all().findLastIndex((one) => typeof one !== 'number' && one.turn <= upTo);
    for (let i = 0; i <= last; i++) this.#drop();
  }

  /** Forgets the oldest. */
  #drop(): void {
    const place = this.first % MOST_HAPPENED;
    const one = this.#ring[place];
    this.#ring[place] = undefined;
    if (typeof one === 'object' && one.kind === 'event') this.#events.delete(one.event!);
    this.places.delete(this.first);
    this.first += 1;
  }

  #number(): number {
    if (this.next - this.first === MOST_HAPPENED) this.#drop();
    const place = this.place();
    if (place !== undefined) this.places.set(this.next, place);
    return this.next++;
  }

  #note(kind: TimelineKind, title: string, more: Partial<Happened> = {}): number {
    const n = this.#number();
    const [at, real] = [this.clock?.now() ?? 0, this.clock?.time.now() ?? 0];
    this.#set({ n, turn: nextTurn(), kind, at, real, causes: NONE, title, records: NONE, ...more });
    for (const observer of this.observers) observer();
    return n;
  }

  #put(n: number, more: (one: Happened) => Partial<Happened>): void {
    const one = this.get(n) as Happened | undefined;
    if (one) this.#set({ ...one, ...more(one) });
  }

  #set(one: Happened): void {
    this.#ring[one.n % MOST_HAPPENED] = one;
    this.onTouch?.(one.n);
  }

  /** A request is about to be answered. @returns its number */
  begin(): number {
    const n = this.#number();
    this.#ring[n % MOST_HAPPENED] = 0;
    this.#request = n;
    return n;
  }

  /** What follows does not follow from that request. */
  end(): void {
    this.#request = undefined;
  }

  /** A request was answered. */
  answered({ place, number }: Exchange): void {
    if (place !== undefined && place >= this.first) this.#ring[place % MOST_HAPPENED] = number;
  }

  /** What is done by a call, a form or a program: what it changes before it first waits follows from it. */
  act<T>(title: string, act: () => T): T {
    const outer = this.#doing;
    this.#doing = { title };
    try {
      return act();
    } finally {
      this.#doing = outer;
    }
  }

  /** Something was done that no record tells of. */
  says(kind: TimelineKind, title: string, more: Pick<Partial<Happened>, 'fault' | 'deliveries'> = {}): void {
    const n = this.#note(kind, title, more);
    if (kind === 'clock') this.#moved = n;
    if (this.#doing) this.#doing.n ??= n;
  }

  /** A record was changed. A request tells of its changes when it has been answered. */
  changed(change: Change): void {
    this.#last = touchedBy(change);
    this.#loose = undefined;
    if (this.#request !== undefined) return;
    if (!this.#doing) this.#loose = { title: 'mock.world' };
    const doing = this.#doing ?? this.#loose!;
    doing.n ??= this.#note('edit', doing.title);
    this.#put(doing.n, ({ records }) => ({ records: [...records, this.#last!] }));
  }

  /** A delivery was announced, attempted, put off or stopped. */
  told(delivery: Delivery): void {
    if (delivery.attempts.length > 0) this.#attempted(delivery);
    else this.#announced(delivery);
  }

  #announced({ id, event, fault }: Delivery): void {
    const known = this.#events.get(event.id);
    if (known !== undefined) {
      this.#put(known, ({ deliveries = NONE }) => ({ deliveries: [...new Set([...deliveries, id])] }));
      return;
    }
    const cause = this.#request ?? (this.#doing ?? this.#loose)?.n;
    // One that came before this world began, and is put off or stopped.
    if (cause === undefined) return;
    const records = [this.#last!];
    const told = { causes: [cause], event: event.id, deliveries: [id], fault, records };
    this.#events.set(event.id, this.#note('event', `${event.event} of ${this.#last!.id}`, told));
  }

  #attempted({ id, event, url, attempts }: Delivery): void {
    const attempt = attempts.at(-1)!;
    if (attempted.has(attempt)) return;
    attempted.add(attempt);
    const due = Date.parse(attempts.at(-2)?.at ?? event.created_at);
    // On a frozen clock time passes by calls alone.
    const isMoved = this.clock?.mode === 'frozen' && Date.parse(attempt.at) > due;
    const again = attempt.trigger === 'replay' ? this.#orderedAgain(id) : undefined;
    const causes = [this.#events.get(event.id), isMoved ? this.#moved : undefined, again];
    this.#note('attempt', `attempt ${attempt.n} to ${url} → ${attempt.status ?? attempt.outcome}`, {
      causes: causes.filter((one) => one !== undefined),
      deliveries: [id],
    });
  }

  /** The number of what has asked for a delivery once more. */
  #orderedAgain(delivery: string): number | undefined {
    const isIt = (one: Kept) => typeof one === 'object' && one.kind === 'edit' && one.deliveries?.includes(delivery) === true;
    return (this.all().findLast(isIt) as Happened | undefined)?.n;
  }
}

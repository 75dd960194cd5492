// The timeline of one world: what came in from outside and what followed from it, in one order, each with its number.
import type { Exchange } from '../http/exchange.ts';
import type { Delivery } from '../webhooks/delivery.ts';
import type { Clock } from '../world/clock.ts';
import { type Log, nextTurn } from '../world/turn.ts';
import type { Change, RecordName } from '../world/world.ts';

export const TIMELINE_KINDS = ['request', 'event', 'attempt', 'clock', 'fault', 'choice', 'edit'] as const;
export type TimelineKind = (typeof TIMELINE_KINDS)[number];

/** A record that something has touched. */
export interface Touched {
  readonly collection: RecordName;
  readonly id: string;
  readonly kind: 'created' | 'updated' | 'deleted';
}

export const touchedBy = ({ name, before, after }: Change): Touched => ({
  collection: name,
  id: (after ?? before)!.id,
  kind: !before ? 'created' : after ? 'updated' : 'deleted',
});

/** When something happened, in milliseconds since 1970. */
export interface When {
  /** On the clock of the world. */
  readonly at: number;
  readonly real: number;
  /** The place in the recording, where the world is recorded. */
  readonly place?: number | undefined;
}

/** What happened, as it is kept: what a log has already is looked up there when it is shown. */
export interface Happened extends When {
  readonly n: number;
  readonly turn: number;
  readonly kind: TimelineKind;
  /** The numbers of what it follows from. */
  readonly causes: readonly number[];
  /** Empty for what the journal and the delivery log have words for. */
  readonly title: string;
  readonly records: readonly Touched[];
  /** The number of its exchange; absent while the response is kept back. */
  readonly request?: number;
  /** The id of its event. */
  readonly event?: string;
  /** The deliveries of an event, or the one that was attempted. */
  readonly deliveries?: readonly string[];
  /** Which attempt of its delivery. */
  readonly attempt?: number;
  /** The fault that was ordered, or that struck. */
  readonly fault?: string | undefined;
}

/** So many of the newest are kept. */
const MOST = 3000;
/** What one weighs, bytes, about. */
export const WEIGHT = 300;
const NONE: readonly never[] = [];

/** Attempts that were told of: a delivery is told again when it is stopped. */
const attempted = new WeakSet<object>();

/** What is being done, and its number once it has done something. */
interface Doing {
  readonly title: string;
  n?: number;
}

type Told = Partial<Happened> & Pick<Happened, 'kind'>;

export class Timeline implements Log<Happened> {
  readonly #kept: Map<number, Happened>;
  /** The numbers of events by their ids. */
  readonly #events: Map<string, number>;
  /** The number that the next one will have. */
  next: number;
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
  /** Told of each that is written down. */
  readonly observers: (() => void)[] = [];

  constructor(kept: Iterable<Happened> = NONE, next = 1) {
    this.#kept = new Map([...kept].map((one) => [one.n, one]));
    this.#events = new Map();
    for (const { n, kind, event } of this.#kept.values()) {
      if (kind === 'event') this.#events.set(event!, n);
      if (kind === 'clock') this.#moved = n;
    }
    this.next = next;
  }

  fork(): Timeline {
    return new Timeline(this.#kept.values(), this.next);
  }

  all(): Iterable<Happened> {
    return this.#kept.values();
  }

  each(tell: (one: Happened, turn: number, needed: boolean) => void): void {
    for (const one of this.#kept.values()) tell(one, one.turn, false);
  }

  forget(upTo: number): void {
    for (const one of this.#kept.values()) if (one.turn <= upTo) this.#drop(one);
  }

  #drop({ n, kind, event }: Happened): void {
    this.#kept.delete(n);
    if (kind === 'event') this.#events.delete(event!);
  }

  #when(): When {
    const { clock } = this;
    return { at: clock?.now() ?? 0, real: clock?.time.now() ?? 0, place: this.place() };
  }

  #note(told: Told): number {
    const n = this.next;
    this.next += 1;
    this.#kept.set(n, { n, turn: nextTurn(), ...this.#when(), causes: NONE, title: '', records: NONE, ...told });
    if (this.#kept.size > MOST) this.#drop(this.#kept.values().next().value!);
    for (const observer of this.observers) observer();
    return n;
  }

  #put(n: number, more: (one: Happened) => Partial<Happened>): void {
    const one = this.#kept.get(n);
    if (one) this.#kept.set(n, { ...one, ...more(one) });
  }

  /** A request is about to be answered. @returns its number */
  begin(): number {
    const n = this.#note({ kind: 'request' });
    this.#doing = { title: '', n };
    return n;
  }

  /** What follows does not follow from that request. */
  end(): void {
    this.#doing = undefined;
  }

  /** A request was answered. */
  answered({ place, number, changes, fault }: Exchange): void {
    if (place !== undefined) this.#put(place, () => ({ request: number, records: changes.map(touchedBy), fault }));
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
    const n = this.#note({ kind, title, ...more });
    if (kind === 'clock') this.#moved = n;
    if (this.#doing) this.#doing.n ??= n;
  }

  /** A record was changed. A request tells of its changes when it has been answered. */
  changed(change: Change): void {
    this.#last = touchedBy(change);
    this.#loose = undefined;
    if (this.#doing?.title === '') return;
    if (!this.#doing) this.#loose = { title: 'mock.world' };
    const doing = this.#doing ?? this.#loose!;
    doing.n ??= this.#note({ kind: 'edit', title: doing.title });
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
    const cause = (this.#doing ?? this.#loose)?.n;
    // One that came before this world began, and is put off or stopped.
    if (cause === undefined) return;
    const records = [this.#last!];
    const told = { event: event.id, title: `${event.event} of ${this.#last!.id}`, deliveries: [id], fault, records };
    this.#events.set(event.id, this.#note({ kind: 'event', causes: [cause], ...told }));
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
    this.#note({
      kind: 'attempt',
      causes: causes.filter((one) => one !== undefined),
      title: `attempt ${attempt.n} to ${url} → ${attempt.status ?? attempt.outcome}`,
      deliveries: [id],
      attempt: attempt.n,
    });
  }

  #orderedAgain(delivery: string): number | undefined {
    return [...this.#kept.values()].findLast(({ kind, deliveries }) => kind === 'edit' && deliveries?.includes(delivery))?.n;
  }
}

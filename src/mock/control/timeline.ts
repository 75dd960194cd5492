// The timeline of one world: what came in from outside and what followed from it, in one order, each with its number.
import { type Touched, touchedBy } from '../../service/http/differences.ts';
import type { Delivery } from '../../service/webhooks/delivery.ts';
import type { Clock } from '../../service/world/clock.ts';
import { Log } from '../../service/world/log.ts';
import type { Change } from '../../service/world/world.ts';

export const TIMELINE_KINDS = ['request', 'event', 'attempt', 'clock', 'fault', 'choice', 'edit'] as const;
export type TimelineKind = (typeof TIMELINE_KINDS)[number];

/** An entry of the timeline; requests are in the journal. `at`: world time, `real`: real time, both in milliseconds since 1970. */
export interface Occurrence {
  readonly n: number;
  readonly kind: TimelineKind;
  readonly at: number;
  readonly real: number;
  /** Numbers of the entries that it follows from. */
  readonly causes: readonly number[];
  readonly title: string;
  readonly records: readonly Touched[];
  /** A number in the recording. */
  readonly step?: number | undefined;
  readonly event?: string;
  readonly deliveries?: readonly string[];
  readonly fault?: string | undefined;
}

export const MAX_OCCURRENCES = 3000;
const BYTES = 400;
const NONE: readonly never[] = [];
const TIMELINE_RULES = { bytesOf: () => BYTES, max: MAX_OCCURRENCES };

/** Noted attempts: a stopped delivery is reported again. */
const seenAttempts = new WeakSet<object>();

/** A source of changes; numbered by its first change. */
interface TimelineAction {
  readonly title: string;
  readonly isRequest?: boolean;
  n?: number;
}

export class Timeline {
  readonly log: Log<number, Occurrence>;
  next: number;
  readonly #events = new Log<string, number>({ bytesOf: () => 0, max: MAX_OCCURRENCES });
  #action: TimelineAction | undefined;
  #loose: TimelineAction | undefined;
  #last: Touched | undefined;
  #moved: number | undefined;
  clock: Clock | undefined;
  /** The current step of the recording. */
  step: () => number | undefined = () => undefined;

  constructor(log = new Log<number, Occurrence>(TIMELINE_RULES), next = 1) {
    this.log = log;
    this.next = next;
    for (const one of log.all()) {
      if (one.kind === 'event') this.#events.put(one.event!, one.n);
      if (one.kind === 'clock') this.#moved = one.n;
    }
  }

  static from(occurrences: readonly Occurrence[], next: number): Timeline {
    const rows = occurrences.map((one) => [one.n, one] as const);
    return new Timeline(new Log(TIMELINE_RULES, rows), next);
  }

  fork(): Timeline {
    return new Timeline(this.log.fork(), this.next);
  }

  #append(kind: TimelineKind, title: string, more: Partial<Occurrence> = {}): number {
    const n = this.next++;
    const [at, real] = [this.clock?.now() ?? 0, this.clock?.time.now() ?? 0];
    this.log.put(n, { n, kind, at, real, causes: NONE, title, records: NONE, step: this.step(), ...more });
    return n;
  }

  #update(n: number, more: (one: Occurrence) => Partial<Occurrence>): void {
    const one = this.log.get(n);
    if (one) this.log.put(n, { ...one, ...more(one) });
  }

  /** Runs a request: its changes follow from it. @returns its number and step too */
  request<T>(act: () => T): { readonly value: T; readonly n: number; readonly step: number | undefined } {
    const [n, step] = [this.next++, this.step()];
    return { value: this.#within({ title: '', isRequest: true, n }, act), n, step };
  }

  /** Runs a call, a form or a program: its changes until the first await follow from it. */
  act<T>(title: string, act: () => T): T {
    return this.#within({ title }, act);
  }

  #within<T>(action: TimelineAction, act: () => T): T {
    const outer = this.#action;
    this.#action = action;
    try {
      return act();
    } finally {
      this.#action = outer;
    }
  }

  /** Notes an action that changes no record. */
  note(kind: TimelineKind, title: string, more: Pick<Partial<Occurrence>, 'fault' | 'deliveries'> = {}): void {
    const n = this.#append(kind, title, more);
    if (kind === 'clock') this.#moved = n;
    if (this.#action) this.#action.n ??= n;
  }

  /** Notes a change of a record. Changes of requests are in the journal. */
  change(change: Change): void {
    this.#last = touchedBy(change);
    this.#loose = this.#action ? undefined : { title: 'mock.world' };
    const action = this.#action ?? this.#loose!;
    if (action.isRequest) return;
    action.n ??= this.#append('edit', action.title);
    this.#update(action.n, ({ records }) => ({ records: [...records, this.#last!] }));
  }

  /** Notes a delivery that was announced, attempted, delayed or stopped. */
  deliver(delivery: Delivery): void {
    if (delivery.attempts.length > 0) this.#noteAttempt(delivery);
    else this.#noteEvent(delivery);
  }

  #eventNumber(id: string): number | undefined {
    const n = this.#events.get(id);
    return n !== undefined && this.log.get(n) ? n : undefined;
  }

  #noteEvent({ id, event, fault }: Delivery): void {
    const known = this.#eventNumber(event.id);
    if (known !== undefined) {
      this.#update(known, ({ deliveries = NONE }) => ({ deliveries: [...new Set([...deliveries, id])] }));
      return;
    }
    const cause = (this.#action ?? this.#loose)?.n;
    // It is older than this world, and was delayed or stopped.
    if (cause === undefined) return;
    const more = { causes: [cause], event: event.id, deliveries: [id], fault, records: [this.#last!] };
    this.#events.put(event.id, this.#append('event', `${event.event} of ${this.#last!.id}`, more));
  }

  #noteAttempt({ id, event, url, attempts }: Delivery): void {
    const attempt = attempts.at(-1)!;
    if (seenAttempts.has(attempt)) return;
    seenAttempts.add(attempt);
    const due = Date.parse(attempts.at(-2)?.at ?? event.created_at);
    // A frozen clock advances by calls alone.
    const isMoved = this.clock?.mode === 'frozen' && Date.parse(attempt.at) > due;
    const isReplay = ({ kind, deliveries }: Occurrence) => kind === 'edit' && deliveries?.includes(id);
    const again = attempt.trigger === 'replay' ? this.log.all().findLast(isReplay)?.n : undefined;
    const causes = [this.#eventNumber(event.id), isMoved ? this.#moved : undefined, again];
    this.#append('attempt', `attempt ${attempt.n} of ${event.event} to ${url} → ${attempt.status ?? attempt.outcome}`, {
      causes: causes.filter((one) => one !== undefined),
      deliveries: [id],
    });
  }
}

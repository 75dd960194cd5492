// The delivery log of one world: bounded, and shared with its copies until one writes.
import type { Entry } from '../world/agenda.ts';
import { type Log, stamped, turnOf } from '../world/turn.ts';
import type { Delivery } from './delivery.ts';

export const DELIVERIES_KEPT = 5000;

export interface DeliveryFilter {
  readonly webhook_id?: string | undefined;
  readonly event?: string | undefined;
  readonly state?: string | undefined;
}

/** A delivery with its place on the agenda, if it has one. */
export interface Held {
  readonly delivery: Delivery;
  readonly entry: Entry | undefined;
}

const settled = ({ delivery }: Held): boolean => delivery.state === 'delivered' || delivery.state === 'failed';

export class Deliveries implements Log<Held> {
  #held: Map<string, Held>;
  /** How many are unsettled, by registration. */
  #unsettled: Map<string, number>;
  #shared = false;
  readonly #most: number;

  constructor(held = new Map<string, Held>(), most = DELIVERIES_KEPT) {
    this.#held = held;
    this.#unsettled = new Map();
    this.#most = most;
    for (const one of held.values()) this.#count(one, 1);
  }

  /** An independent copy; whoever writes first copies the log. */
  fork(): Deliveries {
    const copy = new Deliveries(undefined, this.#most);
    copy.#held = this.#held;
    copy.#unsettled = this.#unsettled;
    this.#shared = true;
    copy.#shared = true;
    return copy;
  }

  held(): Iterable<Held> {
    return this.#held.values();
  }

  static from(held: Iterable<Held>): Deliveries {
    return new Deliveries(new Map([...held].map((one) => [one.delivery.id, one])));
  }

  get size(): number {
    return this.#held.size;
  }

  list({ webhook_id, event, state }: DeliveryFilter = {}): Delivery[] {
    const found: Delivery[] = [];
    for (const { delivery: one } of this.#held.values()) {
      const fits =
        (webhook_id === undefined || one.webhook_id === webhook_id) &&
        (event === undefined || one.event.event === event) &&
        (state === undefined || one.state === state);
      if (fits) found.push(one);
    }
    return found;
  }

  get(id: string): Delivery | undefined {
    return this.#held.get(id)?.delivery;
  }

  /** Those of a registration that will be retried. */
  ahead(webhook: string): Held[] {
    return [...this.#held.values()].filter(({ delivery, entry }) => delivery.webhook_id === webhook && entry !== undefined);
  }

  /**
   * Stores a delivery, in its old position if it has one.
   * @returns what was evicted for it: the oldest settled one, else the oldest of the registration that has the most, so that a
   *   receiver that is down costs no other its retries
   */
  put(delivery: Delivery, entry?: Entry): Held | undefined {
    if (this.#shared) {
      this.#held = new Map(this.#held);
      this.#unsettled = new Map(this.#unsettled);
      this.#shared = false;
    }
    const before = this.#held.get(delivery.id);
    if (before) this.#count(before, -1);
    const held = stamped({ delivery, entry });
    this.#held.set(delivery.id, held);
    this.#count(held, 1);
    if (this.#held.size <= this.#most) return undefined;
    const gone = this.#oldest();
    this.#held.delete(gone.delivery.id);
    this.#count(gone, -1);
    return gone;
  }

  each(tell: (held: Held, turn: number, needed: boolean) => void): void {
    for (const held of this.#held.values()) tell(held, turnOf(held), !settled(held));
  }

  /** Copies that share the log forget the same. An attempt that is still on an agenda finds no delivery and is not made. */
  forget(upTo: number, needed: number): void {
    for (const [id, held] of this.#held) {
      if (turnOf(held) > (settled(held) ? upTo : needed)) continue;
      this.#held.delete(id);
      this.#count(held, -1);
    }
  }

  #count(held: Held, by: number): void {
    if (settled(held)) return;
    const { webhook_id } = held.delivery;
    const count = (this.#unsettled.get(webhook_id) ?? 0) + by;
    if (count === 0) this.#unsettled.delete(webhook_id);
    else this.#unsettled.set(webhook_id, count);
  }

  #oldest(): Held {
    const most = [...this.#unsettled].sort(([, a], [, b]) => b - a)[0]?.[0];
    return this.#first(settled) ?? this.#first(({ delivery }) => delivery.webhook_id === most)!;
  }

  #first(fits: (held: Held) => boolean): Held | undefined {
    for (const held of this.#held.values()) if (fits(held)) return held;
    return undefined;
  }
}

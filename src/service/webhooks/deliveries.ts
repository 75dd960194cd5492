// The delivery log of one world, each delivery with its place on the agenda.
import type { Entry } from '../world/clock.ts';
import { Log } from '../world/log.ts';
import type { Delivery } from './delivery.ts';

export const MAX_DELIVERIES = 5000;

export type DeliveryFilter = { readonly [F in 'webhook_id' | 'event' | 'state']?: string | undefined };

export interface LoggedDelivery {
  readonly delivery: Delivery;
  readonly entry: Entry | undefined;
}

const isSettled = ({ delivery }: LoggedDelivery): boolean => delivery.state === 'delivered' || delivery.state === 'failed';

/** An event and its body are the same texts, once as values and once as JSON. */
const bytesOfDelivery = ({ delivery: { url, request, attempts } }: LoggedDelivery): number => {
  let sum = 2000 + 2 * url.length + 4 * request.body.length;
  for (const { response_excerpt = '', error = '' } of attempts) sum += 500 + 2 * (response_excerpt.length + error.length);
  return sum;
};

const DELIVERY_LOG_RULES = { bytesOf: bytesOfDelivery, isAwaited: (held: LoggedDelivery) => !isSettled(held) };

export class Deliveries {
  readonly log: Log<string, LoggedDelivery>;
  readonly #max: number;

  constructor(log: Iterable<LoggedDelivery> | Log<string, LoggedDelivery> = [], max = MAX_DELIVERIES) {
    const entries = () => Array.from(log as Iterable<LoggedDelivery>, (held) => [held.delivery.id, held] as const);
    this.log = log instanceof Log ? log : new Log(DELIVERY_LOG_RULES, entries());
    this.#max = max;
  }

  fork(): Deliveries {
    return new Deliveries(this.log.fork(), this.#max);
  }

  get size(): number {
    return this.log.size;
  }

  list({ webhook_id, event, state }: DeliveryFilter = {}): Delivery[] {
    const fits = (wanted: string | undefined, given: string) => wanted === undefined || wanted === given;
    const all = this.log.all().map(({ delivery }) => delivery);
    return all.filter((one) => fits(webhook_id, one.webhook_id) && fits(event, one.event.event) && fits(state, one.state));
  }

  get(id: string): Delivery | undefined {
    return this.log.get(id)?.delivery;
  }

  ahead(webhook: string): LoggedDelivery[] {
    return this.log.all().filter(({ delivery, entry }) => delivery.webhook_id === webhook && entry !== undefined);
  }

  /** Stores a delivery. @returns the one that was evicted for it */
  put(delivery: Delivery, entry?: Entry): LoggedDelivery | undefined {
    this.log.put(delivery.id, { delivery, entry });
    if (this.log.size <= this.#max) return undefined;
    const evicted = this.#leastNeeded();
    this.log.remove(evicted.delivery.id);
    return evicted;
  }

  /** The oldest settled one, else the oldest of the registration that awaits most: a dead receiver costs no other its retries. */
  #leastNeeded(): LoggedDelivery {
    const awaited = new Map<string, LoggedDelivery[]>();
    for (const [, { value }] of this.log.entries()) {
      if (isSettled(value)) return value;
      const { webhook_id } = value.delivery;
      if (!awaited.get(webhook_id)?.push(value)) awaited.set(webhook_id, [value]);
    }
    return [...awaited.values()].reduce((most, held) => (held.length > most.length ? held : most))[0]!;
  }
}

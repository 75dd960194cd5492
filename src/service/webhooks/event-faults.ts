// How faults change the delivery of an event: twice, late, after the next one, with a wrong signature.
import { drawDelayMs, type Fault, type Faults } from '../world/faults.ts';
import { newId } from '../world/random.ts';
import { momentText } from '../world/time.ts';
import type { World } from '../world/world.ts';
import type { Delivery } from './delivery.ts';

/** How long a reordered delivery waits for the next one at most, milliseconds of the world. */
const WAITS_MS = 5000;

export const isWaiting = ({ reordered, state, attempts }: Delivery): boolean =>
  reordered === true && state === 'pending' && attempts.length === 0;

export class ReorderQueue {
  readonly #ids = new Map<string, readonly string[]>();

  constructor(log: readonly Delivery[]) {
    const waiting = log.filter(isWaiting);
    if (waiting.length === 0) return;
    const placed = new Set(log.flatMap(({ ahead_of = [] }) => ahead_of));
    for (const delivery of waiting) if (!placed.has(delivery.id)) this.add(delivery);
  }

  has(webhook: string): boolean {
    return this.#ids.has(webhook);
  }

  add({ id, webhook_id }: Delivery): void {
    this.#ids.set(webhook_id, [...(this.#ids.get(webhook_id) ?? []), id]);
  }

  /** Takes those of a registration, whose next one has come. */
  take(webhook: string): readonly string[] {
    const ids = this.#ids.get(webhook) ?? [];
    this.#ids.delete(webhook);
    return ids;
  }

  forget({ id, webhook_id }: Delivery): void {
    const ids = this.take(webhook_id).filter((one) => one !== id);
    if (ids.length > 0) this.#ids.set(webhook_id, ids);
  }
}

const applyEventFault = (world: World, { id, effect }: Fault, delivery: Delivery, waits: boolean): Delivery[] => {
  const { duplicate, reorder, bad_signature, delay_ms, latency } = effect;
  const told = delay_ms !== undefined || latency !== undefined;
  const reordered = reorder === true && !waits;
  const late = reordered && !told ? WAITS_MS : drawDelayMs(effect, world.random, id);
  const one: Delivery = {
    ...delivery,
    next_attempt_at: momentText(Date.parse(delivery.next_attempt_at!) + late),
    fault: id,
    ...(reordered ? { reordered } : {}),
    ...(bad_signature ? { bad_signature } : {}),
  };
  return duplicate ? [one, { ...one, id: newId(world.random, 'deliveries') }] : [one];
};

/**
 * The deliveries of a change, with the faults of its events applied.
 * @param waits whether a delivery to this registration waits for the next one: then this is the next one.
 */
export const disturbDelivery = (
  world: World,
  faults: Faults,
  deliveries: readonly Delivery[],
  waits: (webhook: string) => boolean,
) => {
  const met = new Map<string, Fault | undefined>();
  return deliveries.flatMap((delivery) => {
    const { id, event } = delivery.event;
    const meet = () => faults.meetEvent(event, (fault) => world.random.fraction(`fault:${fault}`));
    const fault = met.has(id) ? met.get(id) : meet();
    met.set(id, fault);
    return fault ? applyEventFault(world, fault, delivery, waits(delivery.webhook_id)) : [delivery];
  });
};

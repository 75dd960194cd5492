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

/** The deliveries of a log that wait for the next one of their registration: its id by theirs. */
export const waitingIn = (log: readonly Delivery[]): Map<string, string> => {
  const placed = new Set(log.flatMap(({ ahead_of = [] }) => ahead_of));
  return new Map(log.flatMap((one) => (isWaiting(one) && !placed.has(one.id) ? [[one.id, one.webhook_id] as const] : [])));
};

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

/** The deliveries of a change, with the faults of its events applied. @param waiting those that wait for the next one: this */
export const disturbDelivery = (
  world: World,
  faults: Faults,
  deliveries: readonly Delivery[],
  waiting: ReadonlyMap<string, string>,
) => {
  const met = new Map<string, Fault | undefined>();
  return deliveries.flatMap((delivery) => {
    const { id, event } = delivery.event;
    const meet = () => faults.meetEvent(event, (fault) => world.random.fraction(`fault:${fault}`));
    const fault = met.has(id) ? met.get(id) : meet();
    met.set(id, fault);
    return fault ? applyEventFault(world, fault, delivery, [...waiting.values()].includes(delivery.webhook_id)) : [delivery];
  });
};

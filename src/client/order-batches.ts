// Many worlds in one run: each run of a command tries an order in every world that has one to try.
import { wait } from '../service/world/time.ts';
import type { Order } from './delayed-responses.ts';
import type { AttemptOptions, TryOrder, WorldRun } from './order-search.ts';

export type WorldOrders = ReadonlyMap<string, Order>;

export interface BatchOptions {
  readonly run: (orders: WorldOrders) => Promise<ReadonlyMap<string, WorldRun>>;
  readonly workers: number;
  /** Whether a world needs a run of its own: without a test a failure could come from another. */
  readonly isAlone: (world: string) => boolean;
}

interface OrderTask extends AttemptOptions {
  readonly world: string;
  readonly order: Order;
  readonly done: (ran: WorldRun | undefined) => void;
  readonly fail: (error: unknown) => void;
}

/** Worlds choose their next order after the last run: time for others to join, milliseconds. */
const GATHER_MS = 50;

/** @returns how to try an order in a world */
export const batchOrders = ({ run, workers, isAlone }: BatchOptions): ((world: string) => TryOrder) => {
  const waiting: OrderTask[] = [];
  let running = 0;
  const gather = () => void wait(GATHER_MS).then(next);

  const fits = ({ world }: OrderTask, batch: ReadonlyMap<string, OrderTask>): boolean =>
    batch.size === 0 || (!batch.has(world) && ![world, ...batch.keys()].some(isAlone));

  /** One order for each world, oldest first. */
  const takeBatch = (): readonly OrderTask[] => {
    const batch = new Map<string, OrderTask>();
    for (const task of waiting.splice(0)) {
      if (task.isWanted?.() === false) task.done(undefined);
      else if (!fits(task, batch)) waiting.push(task);
      else batch.set(task.world, task);
    }
    return [...batch.values()];
  };

  const next = (): void => {
    if (running >= workers) return;
    const batch = takeBatch();
    if (batch.length === 0) return;
    running += 1;
    run(new Map(batch.map(({ world, order }) => [world, order])))
      .then((ran) => batch.map(({ world, done }) => done(ran.get(world))))
      .catch((error) => batch.map(({ fail }) => fail(error)))
      .finally(() => {
        running -= 1;
        gather();
      });
    next();
  };

  return (world) =>
    (order, how = {}) =>
      new Promise((done, fail) => {
        waiting[how.again ? 'unshift' : 'push']({ world, order, done, fail, ...how });
        gather();
      });
};

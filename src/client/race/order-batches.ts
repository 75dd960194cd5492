// Many worlds in one run: each run of a command tries an order in every world that has one to try.
import { wait } from '../../service/world/time.ts';
import type { Order } from './delayed-responses.ts';
import type { AttemptOptions, TryOrder } from './order-search.ts';
import type { WorldRun } from './world-log.ts';

export type WorldOrders = ReadonlyMap<string, Order>;

export interface BatchOptions {
  readonly run: (orders: WorldOrders) => Promise<ReadonlyMap<string, WorldRun>>;
  readonly workers: number;
  /** Whether a world needs a run of its own: without a test a failure could come from another. */
  readonly isAlone: (world: string) => boolean;
  /** Limit of orders in all. */
  readonly most: number;
  /** Wait for other worlds to join a run, milliseconds. */
  readonly gatherMs?: number;
}

interface OrderTask extends AttemptOptions {
  readonly world: string;
  readonly order: Order;
  readonly done: (ran: WorldRun | undefined) => void;
  readonly fail: (error: unknown) => void;
}

/** Worlds choose their next order after the last run. */
const GATHER_MS = 50;

export class OrderBatches {
  readonly #with: BatchOptions;
  readonly #waiting: OrderTask[] = [];
  #running = 0;
  tried = 0;

  constructor(given: BatchOptions) {
    this.#with = given;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  of(world: string): TryOrder {
    return (order, how = {}) =>
      new Promise((done, fail) => {
        const task = { world, order, done, fail, ...how };
        if (how.again) this.#waiting.unshift(task);
        else this.#waiting.push(task);
        void this.#gathered().then(() => this.#next());
      });
  }

  #gathered(): Promise<void> {
    return wait(this.#with.gatherMs ?? GATHER_MS);
  }

  #next(): void {
    if (this.#running >= this.#with.workers) return;
    const batch = this.#batch();
    if (batch.length === 0) return;
    this.#running += 1;
    this.tried += batch.filter(({ again }) => !again).length;
    const run = this.#with.run(new Map(batch.map(({ world, order }) => [world, order])));
    const reported = run.then((ran) => batch.map(({ world, done }) => done(ran.get(world))));
    reported
      .catch((error) => batch.map(({ fail }) => fail(error)))
      .finally(() => {
        this.#running -= 1;
        void this.#gathered().then(() => this.#next());
      });
    this.#next();
  }

  /** One order for each world, oldest first. */
  #batch(): readonly OrderTask[] {
    const batch = new Map<string, OrderTask>();
    const waiting = this.#waiting.splice(0);
    for (const task of waiting) {
      const isLate = !task.again && this.tried + batch.size >= this.#with.most;
      if (isLate || task.isWanted?.() === false) task.done(undefined);
      else if (!this.#fits(task, batch)) this.#waiting.push(task);
      else batch.set(task.world, task);
    }
    return [...batch.values()];
  }

  #fits({ world }: OrderTask, batch: ReadonlyMap<string, OrderTask>): boolean {
    if (batch.size === 0) return true;
    return ![world, ...batch.keys()].some(this.#with.isAlone) && !batch.has(world);
  }
}

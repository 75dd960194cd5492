// Many worlds in one run: each run of a command tries an order in every world that has one to try.
import { wait } from '../world/clock.ts';
import type { Attempt, How, Ran } from './orders.ts';
import type { Order } from './raced.ts';

/** The orders of a run, by world. */
export type Orders = ReadonlyMap<string, Order>;

export interface Batching {
  /** @returns how each world ended */
  readonly run: (orders: Orders) => Promise<ReadonlyMap<string, Ran>>;
  /** So many runs at once. */
  readonly workers: number;
  /** So many worlds have an order in a run at most: one where it is not known which of them a failure comes from. */
  readonly worlds: number;
  /** So many orders in all. */
  readonly most: number;
}

interface Task extends How {
  readonly world: string;
  readonly order: Order;
  readonly done: (ran: Ran | undefined) => void;
  readonly fail: (error: unknown) => void;
}

/** So long a run waits for others that want to take part, milliseconds: each world says what comes next once it has heard of the last run. */
const GATHER_MS = 50;

export class Batches {
  readonly #with: Batching;
  readonly #waiting: Task[] = [];
  #running = 0;
  /** How many orders were tried. */
  tried = 0;

  constructor(given: Batching) {
    this.#with = given;
  }

  /** How many orders wait. */
  get waiting(): number {
    return this.#waiting.length;
  }

  of(world: string): Attempt {
    return (order, how = {}) =>
      new Promise((done, fail) => {
        const task = { world, order, done, fail, ...how };
        if (how.again) this.#waiting.unshift(task);
        else this.#waiting.push(task);
        void wait(GATHER_MS).then(() => this.#next());
      });
  }

  #next(): void {
    if (this.#running >= this.#with.workers) return;
    const batch = this.#batch();
    if (batch.length === 0) return;
    this.#running += 1;
    this.tried += batch.filter(({ again }) => !again).length;
    const run = this.#with.run(new Map(batch.map(({ world, order }) => [world, order])));
    const told = run.then((ran) => batch.map(({ world, done }) => done(ran.get(world))));
    told
      .catch((error) => batch.map(({ fail }) => fail(error)))
      .finally(() => {
        this.#running -= 1;
        void wait(GATHER_MS).then(() => this.#next());
      });
    this.#next();
  }

  /** One order of each world that has one, those first that wait for the longest. */
  #batch(): readonly Task[] {
    const batch = new Map<string, Task>();
    const waiting = this.#waiting.splice(0);
    for (const task of waiting) {
      const isLate = !task.again && this.tried + batch.size >= this.#with.most;
      if (isLate || task.isWanted?.() === false) task.done(undefined);
      else if (batch.has(task.world) || batch.size >= this.#with.worlds) this.#waiting.push(task);
      else batch.set(task.world, task);
    }
    return [...batch.values()];
  }
}

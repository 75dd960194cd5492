// Which orders of responses break something: requests that are under way together are found, then put in other orders, few delays first.

import { EVERY_REQUEST, type Order, type RaceNote } from './delayed-responses.ts';
import { hasGivenUp, isMet, listArrivals, listLaterArrivals, listOvertaking, type WorldRun } from './world-log.ts';

/** @returns undefined when it was not tried */
export type TryOrder = (order: Order, how?: AttemptOptions) => Promise<WorldRun | undefined>;

export interface AttemptOptions {
  /** Goes first and counts as no new order. */
  readonly again?: boolean;
  readonly isWanted?: () => boolean;
}

export interface FoundRace {
  readonly order: Order;
  readonly ran: WorldRun;
}

export interface SearchResult {
  readonly races: readonly FoundRace[];
  readonly unsteady: readonly Order[];
  /** Number of possible orders. */
  readonly of: number;
  /** Orders that cannot be: the client waits for one response before the other request. */
  readonly pruned: number;
}

export interface SearchOptions {
  readonly attempt: TryOrder;
  readonly repeat: number;
  /** Limit of orders for one world. */
  readonly most: number;
  readonly lost?: boolean | undefined;
}

/** Reads can be repeated at any time. */
const isWrite = (name: string): boolean => !/^(GET|HEAD) /.test(name);

const REPEATED = { again: true };

class OrderSearch {
  readonly #with: SearchOptions;
  readonly #only: string | undefined;
  readonly #tried = new Set<string>();
  readonly #tests = new Set<string | undefined>();
  readonly races: FoundRace[] = [];
  readonly unsteady: Order[] = [];
  pruned = 0;

  constructor(given: SearchOptions, only: string | undefined) {
    this.#with = given;
    this.#only = only;
  }

  /** One race hides others of its test. */
  async #try(order: Order): Promise<WorldRun | undefined> {
    const key = JSON.stringify(order);
    if (this.#tried.has(key) || this.#tried.size >= this.#with.most) return undefined;
    this.#tried.add(key);
    const isWanted = () => this.#only === undefined || !this.#tests.has(this.#only);
    let ran = await this.#with.attempt(order, { isWanted });
    // Requests may arrive in another order.
    if (ran?.passed && !isMet(order, ran) && !hasGivenUp(ran)) ran = await this.#with.attempt(order, REPEATED);
    if (!ran) return undefined;
    if (ran.passed) {
      if (!isMet(order, ran)) this.pruned += 1;
      return ran;
    }
    if (this.#tests.has(ran.test)) return ran;
    const shortest = await this.#confirmed(order, ran);
    if (!shortest) {
      this.unsteady.push(order);
      return ran;
    }
    // A concurrent attempt may have found the same.
    if (!this.#tests.has(ran.test)) this.races.push(shortest);
    this.#tests.add(ran.test);
    return ran;
  }

  /** @returns undefined when it fails intermittently */
  async #confirmed(order: Order, first: WorldRun): Promise<FoundRace | undefined> {
    if (!(await this.#failsAgain(order))) return undefined;
    let shortest: FoundRace = { order, ran: first };
    for (const shorter of this.#shorter(shortest)) {
      const ran = await this.#failing(shorter);
      if (!ran || !isMet(shorter, ran) || !(await this.#failsAgain(shorter))) continue;
      shortest = { order: shorter, ran };
      break;
    }
    return shortest;
  }

  /** A slow client may pass once with an order that breaks it. */
  async #failing(order: Order): Promise<WorldRun | undefined> {
    for (let i = 0; i < 2; i++) {
      const ran = await this.#with.attempt(order, REPEATED);
      if (!ran?.passed) return ran;
    }
    return undefined;
  }

  async #failsAgain(order: Order): Promise<boolean> {
    for (let i = 0; i < this.#with.repeat; i++) {
      if ((await this.#with.attempt(order, REPEATED))?.passed !== false) return false;
    }
    return true;
  }

  #shorter({ order, ran }: FoundRace): Order[] {
    const last = order.filter(({ after, lost }) => after === undefined && !lost);
    return last.flatMap(({ held }) => listOvertaking(ran.log, held).map((after) => [{ held, after }]));
  }

  /** @param log of a run with nothing held */
  async explore(log: readonly RaceNote[]): Promise<SearchResult> {
    const all = listArrivals(log);
    // With every response held, later arrivals do not depend on it.
    const late = await this.#with.attempt([{ held: EVERY_REQUEST }], REPEATED);
    const alone = (name: string) => late?.passed === true && listLaterArrivals(late.log, name).length === 0;
    const together = all.filter((name) => !alone(name));
    this.pruned += all.length - together.length;
    const tails = await Promise.all(together.map(async (held) => ({ held, ran: await this.#try([{ held }]) })));
    const pairs = tails.flatMap(({ held, ran }) =>
      listOvertaking(ran?.log ?? [], held)
        .filter((after) => all.includes(after))
        .map((after) => ({ held, after })),
    );
    await Promise.all(pairs.map((pair) => this.#try([pair])));
    const lost = this.#with.lost ? all.filter(isWrite).map((held): Order => [{ held, lost: true }]) : [];
    await Promise.all(lost.map((order) => this.#try(order)));
    const { races, unsteady, pruned } = this;
    return { races, unsteady, of: together.length + pairs.length + lost.length, pruned };
  }
}

/** @param first the run with nothing held */
export const searchOrders = (first: WorldRun, given: SearchOptions): Promise<SearchResult> =>
  new OrderSearch(given, first.test).explore(first.log);

// Which orders of responses break something: requests that are under way together are found, then put in other orders, few delays first.

import { EVERY_REQUEST, type Order, type RaceNote } from './delayed-responses.ts';
import { hasGivenUp, isMet, listArrivals, listLaterArrivals, listOvertaking, type WorldRun } from './world-log.ts';

/** Tries an order. @returns undefined when it was not, for want of time or because nobody wants it any more */
export type TryOrder = (order: Order, how?: AttemptOptions) => Promise<WorldRun | undefined>;

export interface AttemptOptions {
  /** It is tried before all that waits, and counts as no new order. */
  readonly again?: boolean;
  /** Asked when its turn has come. */
  readonly isWanted?: () => boolean;
}

export interface FoundRace {
  readonly order: Order;
  readonly ran: WorldRun;
}

export interface SearchResult {
  readonly races: readonly FoundRace[];
  /** Orders that failed now and then. */
  readonly unsteady: readonly Order[];
  /** How many orders there are, of requests that are under way together and with so many delays. */
  readonly of: number;
  /** How many orders are none: the client waits for the one response before it asks the other. */
  readonly pruned: number;
}

export interface SearchOptions {
  readonly attempt: TryOrder;
  /** How often what failed has to fail again. */
  readonly repeat: number;
  /** So many orders of one world at most. */
  readonly most: number;
  /** Whether responses to changes are lost too. */
  readonly lost?: boolean | undefined;
}

/** What only reads can be asked again at any time. */
const isWrite = (name: string): boolean => !/^(GET|HEAD) /.test(name);

const orderKey = (order: Order): string => JSON.stringify(order);

const REPEATED = { again: true };

class OrderSearch {
  readonly #with: SearchOptions;
  /** The test that this world is of, where it has one. */
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

  /** A test that one race breaks tells nothing of others. @returns the run; undefined when there was none */
  async #try(order: Order): Promise<WorldRun | undefined> {
    const key = orderKey(order);
    if (this.#tried.has(key) || this.#tried.size >= this.#with.most) return undefined;
    this.#tried.add(key);
    const isWanted = () => this.#only === undefined || !this.#tests.has(this.#only);
    let ran = await this.#with.attempt(order, { isWanted });
    // Requests may come in another order than they were sent.
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
    // While it was looked for, the same may have been found from elsewhere.
    if (!this.#tests.has(ran.test)) this.races.push(shortest);
    this.#tests.add(ran.test);
    return ran;
  }

  /** What fails each time, as short as it can be; undefined when it fails now and then. */
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

  /** A client that was slow for a moment may pass with an order that breaks it. */
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

  /** Orders in which a response waits for one request in place of all. */
  #shorter({ order, ran }: FoundRace): Order[] {
    const last = order.filter(({ after, lost }) => after === undefined && !lost);
    return last.flatMap(({ held }) => listOvertaking(ran.log, held).map((after) => [{ held, after }]));
  }

  /** @param log of a run in which nothing was held */
  async explore(log: readonly RaceNote[]): Promise<number> {
    const all = listArrivals(log);
    // Each response waits: what comes meanwhile does not need it.
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
    return together.length + pairs.length + lost.length;
  }
}

/** Looks for orders of the responses of one world that break what runs in it. @param first how it ran when nothing was held */
export const searchOrders = async (first: WorldRun, given: SearchOptions): Promise<SearchResult> => {
  const exploration = new OrderSearch(given, first.test);
  const of = await exploration.explore(first.log);
  const { races, unsteady, pruned } = exploration;
  return { races, unsteady, of, pruned };
};

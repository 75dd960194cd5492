// Which orders of responses break something: requests that are under way together are found, then put in other orders, few delays first.
import { Random } from '../world/random.ts';
import { EACH, type Hold, type Note, type Order } from './raced.ts';

/** How what was tried ended, and what happened in its world. */
export interface Ran {
  readonly passed: boolean;
  /** The test that failed, where its name is known. */
  readonly test?: string;
  readonly log: readonly Note[];
}

/** Tries an order. @returns undefined when it was not, for want of time or because nobody wants it any more */
export type Attempt = (order: Order, how?: How) => Promise<Ran | undefined>;

export interface How {
  /** It is tried before all that waits, and counts as no new order. */
  readonly again?: boolean;
  /** Asked when its turn has come. */
  readonly isWanted?: () => boolean;
}

export interface Race {
  readonly order: Order;
  readonly ran: Ran;
}

export interface Explored {
  readonly races: readonly Race[];
  /** Orders that failed now and then. */
  readonly unsteady: readonly Order[];
  /** How many orders there are, of requests that are under way together and with so many delays. */
  readonly of: number;
  /** How many orders are none: the client waits for the one response before it asks the other. */
  readonly pruned: number;
}

export interface Exploring {
  readonly attempt: Attempt;
  readonly seed: number;
  /** How often what failed has to fail again. */
  readonly repeat: number;
  /** So many orders of one world at most. */
  readonly most: number;
}

/** Of so many requests that are under way together all orders are tried. */
const FEW = 4;
/** Delays of an order that is drawn: a race that needs more is rare (Emmi, Qadeer and Rakamarić, Delay-Bounded Scheduling, POPL 2011). */
const MOST_DELAYS = 3;

const cameIn = (log: readonly Note[]): readonly string[] => log.flatMap(({ what, name }) => (what === 'came' ? [name] : []));

/** The requests that were answered between the coming and the going of another, in the order of their responses. */
export const overtaking = (log: readonly Note[], name: string): readonly string[] => {
  const [from, to] = ['came', 'went'].map((what) => log.findIndex((note) => note.what === what && note.name === name));
  if (from === undefined || to === undefined || from < 0 || to < 0) return [];
  const later = new Set(cameIn(log.slice(from + 1, to)));
  return log.slice(from, to).flatMap((note) => (note.what === 'went' && later.has(note.name) ? [note.name] : []));
};

const hasGivenUp = ({ log }: Ran): boolean => log.some(({ what }) => what === 'gave up');

/** Whether each response waited for what it was to wait for, and what it waited for came while it did. */
const isMet = (order: Order, ran: Ran): boolean => {
  const came = cameIn(ran.log);
  const holds = ({ held, after }: Hold) =>
    held === EACH ||
    (after === undefined ? overtaken(ran.log, held).length > 0 : came.includes(held) && came.indexOf(held) < came.indexOf(after));
  return order.every(holds) && !hasGivenUp(ran);
};

const keyOf = (order: Order): string => JSON.stringify(order);

const permutations = <T>(all: readonly T[]): readonly (readonly T[])[] =>
  all.length === 0 ? [[]] : all.flatMap((one, i) => permutations(all.toSpliced(i, 1)).map((rest) => [one, ...rest]));

/** The holds that bring responses into an order. @param came how the requests come */
const holdsOf = (wanted: readonly string[], came: readonly string[]): Order =>
  wanted.flatMap((held, place): Hold[] => {
    const later = wanted.slice(0, place).filter((other) => came.indexOf(other) > came.indexOf(held));
    return later.length > 0 ? [{ held, after: later.at(-1)! }] : [];
  });

/** Requests that are under way together, directly or by others. */
const clustersOf = (pairs: readonly Required<Hold>[]): readonly ReadonlySet<string>[] => {
  const clusters: Set<string>[] = [];
  for (const { held, after } of pairs) {
    const touched = clusters.filter((one) => one.has(held) || one.has(after));
    const joined = new Set([held, after, ...touched.flatMap((one) => [...one])]);
    for (const one of touched) clusters.splice(clusters.indexOf(one), 1);
    clusters.push(joined);
  }
  return clusters;
};

const AGAIN = { again: true };

class Exploration {
  readonly #with: Exploring;
  /** The test that this world is of, where it has one. */
  readonly #only: string | undefined;
  readonly #tried = new Set<string>();
  readonly #tests = new Set<string | undefined>();
  readonly races: Race[] = [];
  readonly unsteady: Order[] = [];
  pruned = 0;

  constructor(given: Exploring, only: string | undefined) {
    this.#with = given;
    this.#only = only;
  }

  /** A test that one race breaks tells nothing of others. @returns the run; undefined when there was none */
  async #try(order: Order): Promise<Ran | undefined> {
    const key = keyOf(order);
    if (this.#tried.has(key) || this.#tried.size >= this.#with.most) return undefined;
    this.#tried.add(key);
    const isWanted = () => this.#only === undefined || !this.#tests.has(this.#only);
    let ran = await this.#with.attempt(order, { isWanted });
    // Requests may come in another order than they were sent.
    if (ran?.passed && !isMet(order, ran) && !hasGivenUp(ran)) ran = await this.#with.attempt(order, AGAIN);
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
  async #confirmed(order: Order, first: Ran): Promise<Race | undefined> {
    if (!(await this.#failsAgain(order))) return undefined;
    let shortest: Race = { order, ran: first };
    for (const shorter of this.#shorter(shortest)) {
      const ran = await this.#failing(shorter);
      if (!ran || !isMet(shorter, ran) || !(await this.#failsAgain(shorter))) continue;
      shortest = { order: shorter, ran };
      break;
    }
    return shortest;
  }

  /** A client that was slow for a moment may pass with an order that breaks it. */
  async #failing(order: Order): Promise<Ran | undefined> {
    for (let i = 0; i < 2; i++) {
      const ran = await this.#with.attempt(order, AGAIN);
      if (!ran?.passed) return ran;
    }
    return undefined;
  }

  async #failsAgain(order: Order): Promise<boolean> {
    for (let i = 0; i < this.#with.repeat; i++) {
      if ((await this.#with.attempt(order, AGAIN))?.passed !== false) return false;
    }
    return true;
  }

  /** Orders that say less: one delay alone, behind one request in place of all. */
  *#shorter({ order, ran }: Race): Generator<Order> {
    for (const hold of order) {
      if (hold.after !== undefined && order.length > 1) yield [hold];
      if (hold.after === undefined) for (const after of overtaking(ran.log, hold.held)) yield [{ held: hold.held, after }];
    }
    if (order.length > 2) for (const [i] of order.entries()) yield order.toSpliced(i, 1);
  }

  /** @param log of a run in which nothing was held */
  async explore(log: readonly Note[]): Promise<number> {
    const all = cameIn(log);
    // Each response waits: what comes meanwhile does not need it.
    const late = await this.#with.attempt([{ held: EACH }], AGAIN);
    const alone = (name: string) => late?.passed === true && overtaken(late.log, name).length === 0;
    const together = all.filter((name) => !alone(name));
    this.pruned += all.length - together.length;
    const tails = await Promise.all(together.map(async (held) => ({ held, ran: await this.#try([{ held }]) })));
    const pairs = tails.flatMap(({ held, ran }) =>
      overtaking(ran?.log ?? [], held)
        .filter((after) => all.includes(after))
        .map((after) => ({ held, after })),
    );
    await Promise.all(pairs.map((pair) => this.#try([pair])));
    const clusters = clustersOf(pairs);
    const wanted = clusters.flatMap((cluster) => this.#orders(cluster, all, pairs));
    await Promise.all(wanted.map((order) => this.#try(order)));
    return together.length + pairs.length + this.#more(clusters, pairs, wanted);
  }

  #more(clusters: readonly ReadonlySet<string>[], pairs: readonly Hold[], wanted: readonly Order[]): number {
    const isLarge = clusters.some(({ size }) => size > FEW);
    const of = pairs.length;
    const [two, three] = [(of * (of - 1)) / 2, (of * (of - 1) * (of - 2)) / 6];
    return isLarge ? two + three : wanted.length;
  }

  /** Orders with several delays: all of them where they are few, else drawn. */
  #orders(cluster: ReadonlySet<string>, came: readonly string[], pairs: readonly Required<Hold>[]): readonly Order[] {
    const names = came.filter((name) => cluster.has(name));
    const own = pairs.filter(({ held }) => cluster.has(held));
    const can = ({ held, after }: Hold) => own.some((pair) => pair.held === held && pair.after === after);
    if (names.length <= FEW) {
      const orders = permutations(names).map((wanted) => holdsOf(wanted, came));
      return orders.filter((order) => order.length > 1 && order.every(can));
    }
    const random = new Random(this.#with.seed);
    const draw = (most: number) => random.bits('race') % most;
    return Array.from({ length: this.#with.most }, () => {
      const holds = new Map<string, Hold>();
      const delays = 2 + draw(MOST_DELAYS - 1);
      for (let i = 0; i < delays; i++) {
        const hold = own[draw(own.length)]!;
        holds.set(hold.held, hold);
      }
      return [...holds.values()];
    }).filter((order) => order.length > 1);
  }
}

/** The requests that came while another was under way. */
const overtaken = (log: readonly Note[], name: string): readonly string[] => {
  const [from, to] = ['came', 'went'].map((what) => log.findIndex((note) => note.what === what && note.name === name));
  return from === undefined || to === undefined || from < 0 ? [] : cameIn(log.slice(from + 1, to < 0 ? undefined : to));
};

/** Looks for orders of the responses of one world that break what runs in it. @param first how it ran when nothing was held */
export const explore = async (first: Ran, given: Exploring): Promise<Explored> => {
  const exploration = new Exploration(given, first.test);
  const of = await exploration.explore(first.log);
  const { races, unsteady, pruned } = exploration;
  return { races, unsteady, of, pruned };
};

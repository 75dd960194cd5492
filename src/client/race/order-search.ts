// Which orders of responses break something: requests that are under way together are found, then put in other orders, few delays first.
import { EVERY_REQUEST, type Hold, LOST_STATUS, type Order, type RaceNote } from './delayed-responses.ts';

export interface WorldRun {
  readonly passed: boolean;
  /** The failed test, if known. */
  readonly test?: string;
  readonly log: readonly RaceNote[];
}

const listArrivals = (log: readonly RaceNote[]): readonly string[] =>
  log.flatMap(({ what, name }) => (what === 'came' ? [name] : []));

/** Requests that arrived and got a response while another was in progress. */
export const listOvertaking = (log: readonly RaceNote[], name: string): readonly string[] => {
  const [from, to] = ['came', 'went'].map((what) => log.findIndex((note) => note.what === what && note.name === name));
  if (from === undefined || to === undefined || from < 0 || to < 0) return [];
  const later = new Set(listArrivals(log.slice(from + 1, to)));
  return log.slice(from, to).flatMap((note) => (note.what === 'went' && later.has(note.name) ? [note.name] : []));
};

export const hasGivenUp = ({ log }: WorldRun): boolean => log.some(({ what }) => what === 'gave up');

/** Whether each hold took effect, or its response was lost. */
export const isMet = (order: Order, ran: WorldRun): boolean => {
  const came = listArrivals(ran.log);
  const holds = ({ held, after, lost }: Hold) =>
    held === EVERY_REQUEST ||
    (lost && ran.log.some(({ what, name, status }) => what === 'went' && name === held && status === LOST_STATUS)) ||
    (after === undefined
      ? listLaterArrivals(ran.log, held).length > 0
      : came.includes(held) && came.indexOf(held) < came.indexOf(after));
  return order.every(holds) && !hasGivenUp(ran);
};

/** Requests that arrived while another was in progress. */
export const listLaterArrivals = (log: readonly RaceNote[], name: string): readonly string[] => {
  const [from, to] = ['came', 'went'].map((what) => log.findIndex((note) => note.what === what && note.name === name));
  return from === undefined || to === undefined || from < 0 ? [] : listArrivals(log.slice(from + 1, to < 0 ? undefined : to));
};

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

/** A slow client may pass once with an order that breaks it. */
const findFailure = async (attempt: TryOrder, order: Order): Promise<WorldRun | undefined> => {
  for (let i = 0; i < 2; i++) {
    const ran = await attempt(order, REPEATED);
    if (!ran?.passed) return ran;
  }
  return undefined;
};

/** @returns the shortest order that fails each time; undefined when it fails intermittently */
const confirmRace = async (order: Order, ran: WorldRun, { attempt, repeat }: SearchOptions): Promise<FoundRace | undefined> => {
  const failsAgain = async (one: Order): Promise<boolean> => {
    for (let i = 0; i < repeat; i++) if ((await attempt(one, REPEATED))?.passed !== false) return false;
    return true;
  };
  if (!(await failsAgain(order))) return undefined;
  const last = order.filter(({ after, lost }) => after === undefined && !lost);
  for (const { held } of last) {
    for (const after of listOvertaking(ran.log, held)) {
      const shorter = [{ held, after }];
      const failure = await findFailure(attempt, shorter);
      if (failure && isMet(shorter, failure) && (await failsAgain(shorter))) return { order: shorter, ran: failure };
    }
  }
  return { order, ran };
};

/** @param first the run with nothing held */
export const searchOrders = async (first: WorldRun, given: SearchOptions): Promise<SearchResult> => {
  const { attempt, most } = given;
  const tried = new Set<string>();
  const tests = new Set<string | undefined>();
  const races: FoundRace[] = [];
  const unsteady: Order[] = [];
  let pruned = 0;

  /** One race hides others of its test. */
  const tryOrder = async (order: Order): Promise<WorldRun | undefined> => {
    const key = JSON.stringify(order);
    if (tried.has(key) || tried.size >= most) return undefined;
    tried.add(key);
    const isWanted = () => first.test === undefined || !tests.has(first.test);
    let ran = await attempt(order, { isWanted });
    // Requests may arrive in another order.
    if (ran?.passed && !isMet(order, ran) && !hasGivenUp(ran)) ran = await attempt(order, REPEATED);
    if (ran?.passed && !isMet(order, ran)) pruned += 1;
    if (!ran || ran.passed || tests.has(ran.test)) return ran;
    const race = await confirmRace(order, ran, given);
    if (!race) unsteady.push(order);
    // A concurrent attempt may have found the same.
    else if (!tests.has(ran.test)) races.push(race);
    if (race) tests.add(ran.test);
    return ran;
  };

  const all = listArrivals(first.log);
  // With every response held, later arrivals do not depend on it.
  const late = await attempt([{ held: EVERY_REQUEST }], REPEATED);
  const together = all.filter((name) => !(late?.passed === true && listLaterArrivals(late.log, name).length === 0));
  pruned += all.length - together.length;
  const tails = await Promise.all(together.map(async (held) => ({ held, ran: await tryOrder([{ held }]) })));
  const pairs = tails.flatMap(({ held, ran }) => {
    const others = listOvertaking(ran?.log ?? [], held).filter((after) => all.includes(after));
    return others.map((after) => ({ held, after }));
  });
  await Promise.all(pairs.map((pair) => tryOrder([pair])));
  const lost = given.lost ? all.filter(isWrite).map((held): Order => [{ held, lost: true }]) : [];
  await Promise.all(lost.map(tryOrder));
  return { races, unsteady, of: together.length + pairs.length + lost.length, pruned };
};

// Which orders of responses break something: requests that are under way together are found, then put in other orders, few delays first.
import { EVERY_REQUEST, type Hold, type Order, type TimedNote } from './delayed-responses.ts';

export interface WorldRun {
  readonly passed: boolean;
  /** The failed test, if known. */
  readonly test?: string;
  readonly log: readonly TimedNote[];
}
type OrderLog = WorldRun['log'];

const listArrivals = (log: OrderLog): readonly string[] => log.flatMap(({ what, name }) => (what === 'came' ? [name] : []));

const spanInLog = (log: OrderLog, name: string) => {
  const [from, to] = ['came', 'went'].map((what) => log.findIndex((note) => note.what === what && note.name === name));
  return { from: from!, to: to! };
};

/** Requests that came and got a response while another was in progress. */
export const listOvertaking = (log: OrderLog, name: string): readonly string[] => {
  const { from, to } = spanInLog(log, name);
  if (from < 0 || to < 0) return [];
  const later = new Set(listArrivals(log.slice(from + 1, to)));
  return log.slice(from, to).flatMap((note) => (note.what === 'went' && later.has(note.name) ? [note.name] : []));
};

/** Requests that came while another was in progress. */
export const listLaterArrivals = (log: OrderLog, name: string): readonly string[] => {
  const { from, to } = spanInLog(log, name);
  return from < 0 ? [] : listArrivals(log.slice(from + 1, to < 0 ? undefined : to));
};

/** Milliseconds that a request was in progress. */
const measureHold = (log: OrderLog, name: string): number => {
  const { from, to } = spanInLog(log, name);
  return from < 0 || to < 0 ? 0 : Math.ceil(log[to]!.at - log[from]!.at);
};

const hasGivenUp = ({ log }: WorldRun): boolean => log.some(({ what }) => what === 'gave up');

/** Whether each hold took effect. */
export const isMet = (order: Order, ran: WorldRun): boolean => {
  const arrivals = listArrivals(ran.log);
  const holds = ({ held, after }: Hold) =>
    held === EVERY_REQUEST ||
    (after === undefined
      ? listLaterArrivals(ran.log, held).length > 0
      : arrivals.includes(held) && arrivals.indexOf(held) < arrivals.indexOf(after));
  return order.every(holds) && !hasGivenUp(ran);
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
  /** It fails as well when the order stays and the responses are only later: the test is slow. */
  readonly isSlow: boolean;
}

export interface SearchResult {
  readonly races: readonly FoundRace[];
  readonly unsteady: readonly Order[];
  /** Requests that were under way together with others. */
  readonly together: number;
}

export interface SearchOptions {
  readonly attempt: TryOrder;
  /** Runs in which a failure must repeat. */
  readonly repeat: number;
  /** Limit of orders for one world. */
  readonly max: number;
}

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
    for (let i = 1; i < repeat; i++) if ((await attempt(one, REPEATED))?.passed !== false) return false;
    return true;
  };
  const compareWithLateness = async (found: Omit<FoundRace, 'isSlow'>): Promise<FoundRace> => {
    const { held } = found.order[0]!;
    const late = await attempt([{ held, inOrder: measureHold(found.ran.log, held) }], REPEATED);
    return { ...found, isSlow: late?.passed === false };
  };
  if (!(await failsAgain(order))) return undefined;
  const last = order.filter(({ after }) => after === undefined);
  for (const { held } of last) {
    for (const after of listOvertaking(ran.log, held)) {
      const shorter = [{ held, after }];
      const failure = await findFailure(attempt, shorter);
      if (failure && isMet(shorter, failure) && (await failsAgain(shorter)))
        return compareWithLateness({ order: shorter, ran: failure });
    }
  }
  return compareWithLateness({ order, ran });
};

/** All waits of a world in the run that finds what is under way together, milliseconds. */
const ALL_WAITS_MS = 3000;
const probeHoldMs = (requests: number): number => Math.min(250, Math.max(60, ALL_WAITS_MS / Math.max(1, requests)));

/** @param first the run with nothing held */
export const searchOrders = async (first: WorldRun, given: SearchOptions): Promise<SearchResult> => {
  const { attempt, max } = given;
  const tried = new Set<string>();
  const tests = new Set<string | undefined>();
  const races: FoundRace[] = [];
  const unsteady: Order[] = [];

  let earlier: Promise<WorldRun | undefined> = Promise.resolve(first);

  /** One race hides others of its test; a slow test does not. */
  const tryInTurn = async (order: Order, others: Promise<unknown>): Promise<WorldRun | undefined> => {
    const key = JSON.stringify(order);
    if (tried.has(key) || tried.size >= max) return undefined;
    tried.add(key);
    let ran = await attempt(order, { isWanted: () => first.test === undefined || !tests.has(first.test) });
    // Requests may arrive in another order.
    if (ran?.passed && !isMet(order, ran) && !hasGivenUp(ran)) ran = await attempt(order, REPEATED);
    // When several orders break a test, the first is told, whichever ran first.
    await others;
    if (!ran || ran.passed || tests.has(ran.test)) return ran;
    const race = await confirmRace(order, ran, given);
    if (race) races.push(race);
    else unsteady.push(order);
    if (race && !race.isSlow) tests.add(ran.test);
    return ran;
  };

  const tryOrder = (order: Order) => (earlier = tryInTurn(order, earlier));

  const all = listArrivals(first.log);
  if (all.length < 2) return { races, unsteady, together: 0 };
  // With every response held a little, later arrivals do not depend on it.
  const late = await attempt([{ held: EVERY_REQUEST, inOrder: probeHoldMs(all.length) }], REPEATED);
  const together = all.filter((name) => !late || listLaterArrivals(late.log, name).length > 0);
  // All in reverse, then every second one last: where that breaks nothing, none is tried alone.
  const groups: Order[] = [0, 1].map((half) => together.filter((_, i) => i % 2 === half).map((held) => ({ held })));
  groups.push(together.map((held) => ({ held, reversed: true })));
  const ended = together.length > 2 ? await Promise.all(groups.map((order) => attempt(order))) : [];
  const suspects = ended.length > 0 && ended.every((ran) => ran?.passed) ? [] : together;
  const tails = await Promise.all(suspects.map(async (held) => ({ held, ran: await tryOrder([{ held }]) })));
  const pairs = tails.flatMap(({ held, ran }) => {
    const others = listOvertaking(ran?.log ?? [], held).filter((after) => all.includes(after));
    return others.map((after) => ({ held, after }));
  });
  await Promise.all(pairs.map((pair) => tryOrder([pair])));
  return { races, unsteady, together: together.length };
};

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

export type TryOrder = (order: Order) => Promise<WorldRun>;

export interface FoundRace {
  readonly order: Order;
  readonly ran: WorldRun;
  /** It fails as well when the order stays and the responses are only later: the test is slow. */
  readonly isSlow: boolean;
}

export interface SearchResult {
  readonly races: readonly FoundRace[];
  readonly unsteady: readonly Order[];
}

export interface SearchOptions {
  readonly attempt: TryOrder;
  /** Runs in which a failure must repeat. */
  readonly repeat: number;
  /** Limit of orders for one world. */
  readonly max: number;
}

/** A slow client may pass once with an order that breaks it. */
const findFailure = async (attempt: TryOrder, order: Order): Promise<WorldRun | undefined> => {
  for (let i = 0; i < 2; i++) {
    const ran = await attempt(order);
    if (!ran.passed) return ran;
  }
  return undefined;
};

/** @returns the shortest order that fails each time; undefined when it fails intermittently */
const confirmRace = async (order: Order, ran: WorldRun, { attempt, repeat }: SearchOptions): Promise<FoundRace | undefined> => {
  const failsAgain = async (one: Order): Promise<boolean> => {
    for (let i = 1; i < repeat; i++) if ((await attempt(one)).passed) return false;
    return true;
  };
  const compareWithLateness = async (found: Omit<FoundRace, 'isSlow'>): Promise<FoundRace> => {
    const { held } = found.order[0]!;
    const late = await attempt([{ held, inOrder: measureHold(found.ran.log, held) }]);
    return { ...found, isSlow: !late.passed };
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

/** Each response is held a little, three seconds in all, so that later arrivals do not depend on it. */
export const probeOrder = (log: OrderLog): Order => [
  { held: EVERY_REQUEST, inOrder: Math.min(250, Math.max(60, 3000 / Math.max(1, listArrivals(log).length))) },
];

/** Requests that are under way together with others. @param late the run with the order of `probeOrder` */
export const listTogether = (first: WorldRun, late: WorldRun): readonly string[] =>
  listArrivals(first.log).filter((name) => listLaterArrivals(late.log, name).length > 0);

/** @param first the run with nothing held @param together the requests that are held */
export const searchOrders = async (first: WorldRun, together: readonly string[], given: SearchOptions): Promise<SearchResult> => {
  const { attempt, max } = given;
  const tried = new Set<string>();
  const tests = new Set<string | undefined>();
  const races: FoundRace[] = [];
  const unsteady: Order[] = [];

  /** One race hides others of its test; a slow test does not. */
  const tryOrder = async (order: Order): Promise<WorldRun | undefined> => {
    const key = JSON.stringify(order);
    if (tried.has(key) || tried.size >= max || (first.test !== undefined && tests.has(first.test))) return undefined;
    tried.add(key);
    let ran = await attempt(order);
    // Requests may arrive in another order.
    if (ran.passed && !isMet(order, ran) && !hasGivenUp(ran)) ran = await attempt(order);
    if (ran.passed || tests.has(ran.test)) return ran;
    const race = await confirmRace(order, ran, given);
    if (race) races.push(race);
    else unsteady.push(order);
    if (race && !race.isSlow) tests.add(ran.test);
    return ran;
  };

  const all = listArrivals(first.log);
  // Every second one last and in reverse, then the others: where that breaks nothing, none is tried alone.
  const halves = [0, 1].map((half) => together.filter((_, i) => i % 2 === half)).filter((names) => names.length > 0);
  const ends = await Promise.all(halves.map((names) => attempt(names.map((held) => ({ held, reversed: true })))));
  const suspects = halves.filter((_, i) => !ends[i]!.passed).flat();
  const pairs: Order[] = [];
  for (const name of suspects) {
    const overtaking = listOvertaking((await tryOrder([{ held: name }]))?.log ?? [], name);
    pairs.push(...overtaking.filter((after) => all.includes(after)).map((after) => [{ held: name, after }]));
  }
  for (const pair of pairs) await tryOrder(pair);
  if (suspects.length > 0 && races.length + unsteady.length === 0) unsteady.push(suspects.map((held) => ({ held })));
  return { races, unsteady };
};

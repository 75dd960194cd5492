// Orders with several delays: all of them where requests that are under way together are few, else drawn ones.
import { Random } from '../../service/world/random.ts';
import type { Hold, Order } from './raced.ts';

/** A response that goes out behind another. */
type Delay = Hold & { readonly after: string };

/** Of so many requests that are under way together all orders are tried. */
const FEW = 4;
/** Delays of an order that is drawn: a race that needs more is rare (Emmi, Qadeer and Rakamarić, Delay-Bounded Scheduling, POPL 2011). */
const MOST_DELAYS = 3;

const permutations = <T>(all: readonly T[]): readonly (readonly T[])[] =>
  all.length === 0 ? [[]] : all.flatMap((one, i) => permutations(all.toSpliced(i, 1)).map((rest) => [one, ...rest]));

/** The holds that bring responses into an order. @param came how the requests come */
const holdsOf = (wanted: readonly string[], came: readonly string[]): Order =>
  wanted.flatMap((held, place): Hold[] => {
    const later = wanted.slice(0, place).filter((other) => came.indexOf(other) > came.indexOf(held));
    return later.length > 0 ? [{ held, after: later.at(-1)! }] : [];
  });

/** Requests that are under way together, directly or by others. */
export const clustersOf = (pairs: readonly Delay[]): readonly ReadonlySet<string>[] => {
  const clusters: Set<string>[] = [];
  for (const { held, after } of pairs) {
    const touched = clusters.filter((one) => one.has(held) || one.has(after));
    const joined = new Set([held, after, ...touched.flatMap((one) => [...one])]);
    for (const one of touched) clusters.splice(clusters.indexOf(one), 1);
    clusters.push(joined);
  }
  return clusters;
};

/** So often in a row a known order is drawn before no more are looked for. */
const MOST_MISSES = 1000;

/** How many ways there are to delay two responses or three, each behind one of those that can overtake it. */
const waysOf = (pairs: readonly Hold[]): number => {
  const ways = [1, 0, 0, 0];
  for (const name of new Set(pairs.map(({ held }) => held))) {
    const own = pairs.filter(({ held }) => held === name).length;
    for (let delays = MOST_DELAYS; delays > 0; delays--) ways[delays]! += ways[delays - 1]! * own;
  }
  return ways[2]! + ways[3]!;
};

export interface Drawing {
  /** How the requests come. */
  readonly came: readonly string[];
  /** Which responses can be overtaken by which. */
  readonly pairs: readonly Delay[];
  readonly seed: number;
  /** So many at most are drawn. */
  readonly most: number;
}

/** Orders with several delays, no two of them alike. @returns them, and how many there are */
export const ordersOf = (cluster: ReadonlySet<string>, { came, pairs, seed, most }: Drawing) => {
  const names = came.filter((name) => cluster.has(name));
  const own = pairs.filter(({ held }) => cluster.has(held));
  const can = ({ held, after }: Hold) => own.some((pair) => pair.held === held && pair.after === after);
  if (names.length <= FEW) {
    const orders = permutations(names).map((wanted) => holdsOf(wanted, came));
    const several = orders.filter((order) => order.length > 1 && order.every(can));
    return { orders: several, of: several.length };
  }
  const random = new Random(seed);
  const draw = (below: number) => random.bits('race') % below;
  const drawn = new Map<string, Order>();
  for (let misses = 0; drawn.size < most && misses < MOST_MISSES; misses++) {
    const holds = new Map<string, Hold>();
    const delays = 2 + draw(MOST_DELAYS - 1);
    for (let i = 0; i < delays; i++) {
      const hold = own[draw(own.length)]!;
      holds.set(hold.held, hold);
    }
    const order = names.flatMap((name) => holds.get(name) ?? []);
    const key = JSON.stringify(order);
    if (order.length < 2 || drawn.has(key)) continue;
    drawn.set(key, order);
    misses = 0;
  }
  return { orders: [...drawn.values()], of: waysOf(own) };
};

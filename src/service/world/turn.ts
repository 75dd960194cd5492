// The order in which data arrived, across worlds: for lack of memory the oldest is evicted.

let turns = 0;

/** A number above all previous ones of this process. */
export const nextTurn = (): number => {
  turns += 1;
  return turns;
};

const stamps = new WeakMap<object, number>();

/** Stamps a thing with the current turn. @returns the thing */
export const stamped = <T extends object>(thing: T): T => {
  stamps.set(thing, nextTurn());
  return thing;
};

/** A thing's turn; restored things come before all others. */
export const turnOf = (thing: object): number => stamps.get(thing) ?? 0;

/** A store that may evict its oldest things. */
export interface Log<T> {
  /** Calls with each stored thing and its turn. @param needed whether something still waits for its outcome */
  each(tell: (thing: T, turn: number, needed: boolean) => void): void;
  /** Evicts what came up to a turn. @param needed up to which turn also things that are waited for */
  forget(upTo: number, needed: number): void;
}

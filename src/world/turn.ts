// The order in which things came, whichever world they came to: what is forgotten for want of memory is the oldest.

let turns = 0;

/** A number above all that were given before, in this process. */
export const nextTurn = (): number => {
  turns += 1;
  return turns;
};

const stamps = new WeakMap<object, number>();

/** Notes that a thing comes now. @returns the thing */
export const stamped = <T extends object>(thing: T): T => {
  stamps.set(thing, nextTurn());
  return thing;
};

/** When a thing came; what was saved came before everything. */
export const turnOf = (thing: object): number => stamps.get(thing) ?? 0;

/** What keeps things for a while and may forget the oldest of them. */
export interface Log<T> {
  /** Calls with each thing that is kept and its turn. @param needed whether somebody still waits for what becomes of it */
  each(tell: (thing: T, turn: number, needed: boolean) => void): void;
  /** Forgets what came up to a turn. @param needed up to which turn also what somebody waits for */
  forget(upTo: number, needed: number): void;
}

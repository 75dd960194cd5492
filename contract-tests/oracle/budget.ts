// How far Remaining falls from one request of the run to the next: what the whole run shows of how requests are counted.
import { type Exchange, succeeded } from '../engine/exchange.ts';

interface Fall {
  readonly by: number;
  readonly x: Exchange;
  readonly before: Exchange;
}

export interface Miscount {
  readonly message: string;
  readonly shown: readonly [Exchange, Exchange];
}

/** Fewer falls may be what others do at the same time. */
const ENOUGH = { steps: 100, ofKind: 6, hidden: 12 } as const;
/** A place or two in the window may come free at any time, and runs side by side may take turns. */
const REFILL = 5;
/** So many of the other requests cost something: no window lets as many go as come. */
const MOSTLY = 0.8;

const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b));
const left = (x: Exchange): number => Number(x.headers.get('x-ratelimit-remaining') ?? Number.NaN);

/** Requests that a service may count in a way of its own, and whether they were carried out. */
const KINDS: readonly (readonly [string, (x: Exchange) => boolean])[] = [
  ...['GET', 'POST', 'PATCH', 'DELETE'].map((method) => [method, (x: Exchange) => x.method === method && succeeded(x)] as const),
  ['a page of 100', (x) => x.query.includes('limit=100') && succeeded(x)],
  ...[400, 404, 422].map((status) => [`a request that is answered ${status}`, (x: Exchange) => x.status === status] as const),
];

export class Budget {
  /** The most that was ever left. */
  most = 0;
  readonly #falls: Fall[] = [];
  #last: Exchange | undefined;

  observe(x: Exchange): void {
    if (x.url.includes('/worlds/') || x.as === 'other' || x.as === 'nobody' || x.as === 'revoked') return;
    const before = this.#last;
    this.#last = x;
    if (!Number.isInteger(left(x))) return;
    this.most = Math.max(this.most, left(x));
    if (before && x.number === before.number + 1 && !x.lost) this.#falls.push({ by: left(before) - left(x), x, before });
  }

  /** What no other client at work can have caused. */
  miscounts(): Miscount[] {
    if (this.#falls.length < ENOUGH.steps) return [];
    const costly = this.#falls.filter(({ by, x }) => by > 0 && succeeded(x));
    const step = costly.reduce((common, { by }) => divisor(by, common), 0);
    const [one] = costly;
    if (one && costly.length >= ENOUGH.ofKind && step >= REFILL)
      return [{ message: `Remaining falls in steps of ${step} alone`, shown: [one.before, one.x] }];
    return KINDS.flatMap(([name, is]) => {
      const mine = this.#falls.filter(({ x }) => is(x));
      const others = this.#falls.filter(({ x }) => !is(x) && succeeded(x));
      const [first] = mine;
      const usual = others.filter(({ by }) => by === 1).length >= MOSTLY * others.length;
      if (!first || mine.length < ENOUGH.ofKind || !usual) return [];
      const least = Math.min(...mine.map(({ by }) => by));
      const most = Math.max(...mine.map(({ by }) => by));
      const shown = [first.before, first.x] as const;
      // Whether a request that is refused counts is open; that it costs more than one, or gives back, is not.
      if (least >= 2) return [{ message: `${name} takes at least ${least} of the budget each time`, shown }];
      if (most <= -REFILL) return [{ message: `${name} leaves more than was there, each time`, shown }];
      // A place that comes free now and then hides the cost of a few, never that of each.
      const free = least === 0 || mine.length >= ENOUGH.hidden;
      if (most <= 0 && free && succeeded(first.x)) return [{ message: `${name} costs nothing, ${mine.length} times`, shown }];
      return [];
    });
  }
}

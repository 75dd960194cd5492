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
const ENOUGH = { steps: 100, ofMethod: 6 } as const;
/** So many of the other requests cost something: no window lets as many go as come. */
const MOSTLY = 0.8;

const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b));
const left = (x: Exchange): number => Number(x.headers.get('x-ratelimit-remaining') ?? Number.NaN);

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
    if (before && x.number === before.number + 1 && !x.lost && succeeded(x)) {
      const by = left(before) - left(x);
      if (by >= 0) this.#falls.push({ by, x, before });
    }
  }

  /** What no other client at work can have caused. */
  miscounts(): Miscount[] {
    const found: Miscount[] = [];
    const costly = this.#falls.filter(({ by }) => by > 0);
    const step = costly.reduce((common, { by }) => divisor(by, common), 0);
    const [one] = costly;
    if (one && this.#falls.length >= ENOUGH.steps && step > 1)
      found.push({ message: `Remaining falls in steps of ${step} alone`, shown: [one.before, one.x] });
    for (const method of ['GET', 'POST', 'PATCH', 'DELETE']) {
      const mine = this.#falls.filter(({ x }) => x.method === method);
      const others = this.#falls.filter(({ x }) => x.method !== method);
      const counted = others.filter(({ by }) => by > 0).length >= MOSTLY * others.length;
      if (mine.length < ENOUGH.ofMethod || others.length < ENOUGH.steps || !counted) continue;
      const [free] = mine;
      if (free && mine.every(({ by }) => by === 0))
        found.push({
          message: `${method} costs nothing: ${mine.length} times Remaining stays as it was`,
          shown: [free.before, free.x],
        });
    }
    return found;
  }
}

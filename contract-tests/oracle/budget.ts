// How far Remaining falls from one request of the run to the next: what the whole run shows of how requests are counted.
import { type Exchange, succeeded } from '../engine/exchange.ts';
import { OPERATIONS } from '../engine/operations.ts';

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
/** So long after it a request of ours may come free in a rolling window. */
const AGED_MS = { from: 58_000, to: 62_000 } as const;
/** What others do hides the cost of an operation once or twice, hardly at so many separate times while nearly all else costs one. */
const SEPARATE = { times: 3, usual: 0.95 } as const;
/** So many of the other requests cost something: no window lets as many go as come. */
const MOSTLY = 0.8;

const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b));
const left = (x: Exchange): number => Number(x.headers.get('x-ratelimit-remaining') ?? Number.NaN);

/** Requests that a service may count in a way of its own, and whether they were carried out. */
const KINDS: readonly (readonly [string, (x: Exchange) => boolean])[] = [
  ...['GET', 'POST', 'PATCH', 'DELETE'].map((method) => [method, (x: Exchange) => x.method === method && succeeded(x)] as const),
  ['a page of 100', (x) => x.query.includes('limit=100') && succeeded(x)],
  ...[400, 403, 404, 409, 422].map(
    (status) => [`a request that is answered ${status}`, (x: Exchange) => x.status === status] as const,
  ),
];

export class Budget {
  /** The most that was ever left. */
  most = 0;
  readonly #falls: Fall[] = [];
  /** When each request was answered. */
  readonly #times: number[] = [];
  #last: Exchange | undefined;

  observe(x: Exchange): void {
    if (x.world !== undefined || x.as === 'other' || x.as === 'nobody' || x.as === 'revoked') return;
    const before = this.#last;
    this.#last = x;
    this.#times.push(x.came);
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
    return [
      ...this.#free(),
      ...KINDS.flatMap(([name, is]) => {
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
      }),
    ];
  }

  /** Operations that cost nothing whenever they are served, where nothing of ours comes free meanwhile. */
  #free(): Miscount[] {
    const aged = ({ before, x }: Fall) => this.#times.some((at) => at >= before.sent - AGED_MS.to && at <= x.came - AGED_MS.from);
    const served = this.#falls.filter((fall) => succeeded(fall.x) && !aged(fall));
    return OPERATIONS.flatMap(({ id, method, path }) => {
      const [mine, others] = [true, false].map((own) => served.filter(({ x }) => (x.operation?.id === id) === own)) as [
        Fall[],
        Fall[],
      ];
      const times = mine.filter(({ x }, i) => x.number !== (mine[i - 1]?.x.number ?? 0) + 1).length;
      const usual = others.filter(({ by }) => by === 1).length >= SEPARATE.usual * others.length;
      if (times < SEPARATE.times || !usual || mine.some(({ by }) => by > 0)) return [];
      const [{ before, x }] = mine as [Fall];
      return [{ message: `${method} ${path} costs nothing, ${mine.length} times`, shown: [before, x] as const }];
    });
  }
}

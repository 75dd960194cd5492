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
const ENOUGH = { steps: 100, ofKind: 6, hidden: 12, blips: 2, sharedBlips: 3, rises: 20 } as const;
/** A place or two in the window may come free at any time, and runs side by side may take turns. */
const REFILL = 5;
/** So long after it a request of ours may come free in a rolling window. */
const AGED_MS = { from: 58_000, to: 62_000 } as const;
/** Other clients hide the cost of an operation once or twice, hardly at this many separate times. */
const SEPARATE = { times: 3, usual: 0.95 } as const;
/** A pause in which a minute ends, but not two, and how many requests before it tell how often that what they used is not given back. */
const OVERDUE = { from: 61_000, to: 110_000, few: 5, many: 20 } as const;
const SLACK_MS = 2000;
/** By this much a window ends later than at once. */
const LATER_MS = 10_000;
/** Steps, and requests, that are judged together: traffic has no end. */
const MAX = { steps: 1000, requests: 20_000 } as const;
const REFUSALS = [400, 403, 404, 409, 422];

interface Pause {
  readonly before: Exchange;
  readonly x: Exchange;
  readonly used: number;
  readonly sent: readonly number[];
}

/** This many of the other requests cost something: no window lets as many go as come. */
const MOSTLY = 0.8;

const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b));
const limitOf = (x: Exchange): number => Number(x.headers.get('x-ratelimit-limit') ?? Number.NaN);
const resetOf = (x: Exchange): number => Number(x.headers.get('x-ratelimit-reset') ?? Number.NaN) * 1000;
const left = (x: Exchange): number => Number(x.headers.get('x-ratelimit-remaining') ?? Number.NaN);

/** Requests that a service may count in a way of its own, and whether they were carried out. */
const KINDS: readonly (readonly [string, (x: Exchange) => boolean])[] = [
  ...['GET', 'POST', 'PATCH', 'DELETE'].map((method) => [method, (x: Exchange) => x.method === method && succeeded(x)] as const),
  ...Object.entries({
    'a page of 100': 'limit=100',
    'a page behind a cursor': 'cursor=',
    'a sorted list': 'sort=',
    'a filtered list': 'filter',
  }).map(([name, part]) => [name, (x: Exchange) => x.query.includes(part) && succeeded(x)] as const),
  ['a body of more than 2,000 characters', (x) => (x.requestBody?.length ?? 0) > 2000 && succeeded(x)],
  ...REFUSALS.map((status) => [`a request that gets ${status}`, (x: Exchange) => x.status === status] as const),
];

export class Budget {
  /** The most that was ever left. */
  most = 0;
  readonly #falls: Fall[] = [];
  /** When each response came. */
  readonly #times: number[] = [];
  readonly #sent: Exchange[] = [];
  readonly #pauses: Pause[] = [];
  readonly #alone: boolean;
  #last: Exchange | undefined;

  /** @param alone else another client may act whenever this one does, and each key may have a ceiling of its own */
  constructor(alone = true) {
    this.#alone = alone;
  }

  get isFull(): boolean {
    return this.#falls.length >= MAX.steps || this.#times.length >= MAX.requests;
  }

  observe(x: Exchange): void {
    if (x.world !== undefined || x.as === 'keyless' || x.as === 'revoked') return;
    const before = this.#last;
    this.#last = x;
    this.#times.push(x.came);
    if (before && this.#alone) this.#pause(before, x);
    if (this.#alone) this.#sent.push(x);
    if (!Number.isInteger(left(x))) return;
    this.most = Math.max(this.most, left(x));
    if (before && x.number === before.number + 1 && !x.lost && !x.beside && !before.beside)
      this.#falls.push({ by: left(before) - left(x), x, before });
  }

  /** How many requests of our workspace were sent since a moment and served. */
  servedSince(moment: number): number {
    return this.#sent.filter((x) => x.sent >= moment && succeeded(x)).length;
  }

  /** Findings that no other client at work can have caused. */
  miscounts(): Miscount[] {
    const plain = this.#falls.filter(({ before, x }) => this.#alone || before.as === x.as);
    const quiet = this.#falls.filter((fall) => !this.#aged(fall));
    const rises = quiet.filter(({ by }) => by === -1);
    const [rise] = rises;
    if (rise && rises.length >= ENOUGH.rises && rises.length >= MOSTLY * quiet.length)
      return [{ message: 'Remaining rises by one with most requests', shown: [rise.before, rise.x] }];
    if (plain.length < ENOUGH.steps) return [];
    const costly = plain.filter(({ by, x }) => by > 0 && succeeded(x));
    const step = costly.reduce((common, { by }) => divisor(by, common), 0);
    const [one] = costly;
    if (one && costly.length >= ENOUGH.ofKind && step >= REFILL)
      return [{ message: `Remaining falls in steps of ${step} alone`, shown: [one.before, one.x] }];
    const shared = this.#falls.filter((fall) => this.#isShared(fall));
    const falls = quiet.filter((fall) => shared.includes(fall));
    return [
      ...(this.#alone ? this.#priced(falls) : []),
      ...KINDS.flatMap(([name, is]) => {
        const mine = falls.filter(({ x }) => is(x));
        const others = falls.filter(({ x }) => !is(x) && succeeded(x));
        const [first] = mine;
        const usual = others.filter(({ by }) => by === 1).length >= MOSTLY * others.length;
        if (!first || !usual) return [];
        const shown = [first.before, first.x] as const;
        const all = this.#alone
          ? mine
          : shared.filter((fall) => is(fall.x) && !is(fall.before) && !is(this.#next(fall)?.x ?? fall.x));
        const blips = all.filter((fall) => this.#isBlip(fall)).length;
        if (blips >= (this.#alone ? ENOUGH.blips : ENOUGH.sharedBlips) && blips >= MOSTLY * all.length)
          return [{ message: `${name} shows more or less than is left, which the next response takes back`, shown }];
        if (mine.length < ENOUGH.ofKind) return [];
        const least = Math.min(...mine.map(({ by }) => by));
        const most = Math.max(...mine.map(({ by }) => by));
        // Whether a request that is refused counts is open; that it costs more than one, or gives back, is not.
        if (least >= 2 && this.#alone) return [{ message: `${name} takes at least ${least} of the budget each time`, shown }];
        if (most <= -REFILL) return [{ message: `${name} leaves more than was there, each time`, shown }];
        // A place that comes free now and then hides the cost of a few, never that of each.
        const free = least === 0 || mine.length >= ENOUGH.hidden;
        if (most <= 0 && free && succeeded(first.x)) return [{ message: `${name} costs nothing, ${mine.length} times`, shown }];
        return [];
      }),
    ];
  }

  /** Whether a place of ours may have come free meanwhile. */
  #aged({ before, x }: Fall): boolean {
    return this.#times.some((at) => at >= before.sent - AGED_MS.to && at <= x.came - AGED_MS.from);
  }

  #next({ x }: Fall): Fall | undefined {
    return this.#falls.find((fall) => fall.before === x);
  }

  /** More is left than before, or far less, and after the next request it is as if nothing had been. */
  #isBlip(one: Fall): boolean {
    const [{ by }, next] = [one, this.#next(one)];
    if (!this.#alone) return next !== undefined && Math.abs(by) > REFILL && Math.abs(next.by + by) <= REFILL;
    return by < 0 && next !== undefined && [1, 2].includes(next.by + by);
  }

  /** Two keys have one budget, as most steps from the first to the second tell: each may have a ceiling of its own. */
  #isShared({ before, x }: Fall): boolean {
    if (this.#alone || before.as === x.as) return true;
    const alike = this.#falls.filter((fall) => fall.before.as === before.as && fall.x.as === x.as);
    return alike.filter(({ by }) => by === 1).length * 2 > alike.length;
  }

  /** Operations that cost nothing, or more than one, whenever they are served. @param falls while nothing of ours came free */
  #priced(falls: readonly Fall[]): Miscount[] {
    const served = falls.filter((fall) => succeeded(fall.x));
    return OPERATIONS.flatMap(({ id, method, path }) => {
      const [mine, others] = [true, false].map((own) => served.filter(({ x }) => (x.operation?.id === id) === own)) as [
        Fall[],
        Fall[],
      ];
      const times = mine.filter(({ x }, i) => x.number !== (mine[i - 1]?.x.number ?? 0) + 1).length;
      const usual = others.filter(({ by }) => by === 1).length >= SEPARATE.usual * others.length;
      if (times < SEPARATE.times || !usual) return [];
      const [{ before, x }] = mine as [Fall];
      const shown = [before, x] as const;
      const least = Math.min(...mine.map(({ by }) => by));
      if (least >= 2)
        return [{ message: `${method} ${path} takes at least ${least} of the budget, ${mine.length} times`, shown }];
      if (mine.some(({ by }) => by > 0)) return [];
      return [{ message: `${method} ${path} costs nothing, ${mine.length} times`, shown }];
    });
  }

  /** A request of more than a minute ago still counts beyond Reset, while no other client is seen at work. */
  overdue(): Miscount | undefined {
    const [served, seen] = [
      this.#falls.filter(({ x }) => succeeded(x)),
      this.#pauses.filter(({ sent }) => sent[0]! >= OVERDUE.few),
    ];
    // Where many were sent, one may have been on either side of the minute.
    const late = seen.filter(({ sent, used }) => sent.some((n) => Math.abs(n - used) <= (n >= OVERDUE.many ? 1 : 0)));
    const one = late.find(({ sent }) => sent[0]! >= OVERDUE.many) ?? late[1];
    const usual = served.filter(({ by }) => by === 1).length >= SEPARATE.usual * served.length;
    if (!one || !usual || late.length < seen.length) return undefined;
    return { message: `${one.used} requests of more than a minute ago still count`, shown: [one.before, one.x] };
  }

  /** Reset is the moment of the response on each of one status, though the response before names a later one. */
  hasty(): Miscount | undefined {
    for (const status of REFUSALS) {
      const mine = this.#falls.filter(({ x, before }) => x.status === status && resetOf(before) > x.at + LATER_MS);
      const [one] = mine;
      if (!one || mine.length < ENOUGH.ofKind || !mine.every(({ x }) => resetOf(x) <= x.at + SLACK_MS)) continue;
      return {
        message: `X-RateLimit-Reset of a ${status} is its own moment, ${mine.length} times, though the response before it names a later one`,
        shown: [one.before, one.x],
      };
    }
    return undefined;
  }

  /** A request after a minute of silence: how many came in the minute before that, and how much more than itself the budget has lost. */
  #pause(before: Exchange, x: Exchange): void {
    const [silent, used] = [x.sent - before.came, limitOf(x) - left(x) - 1];
    const over = silent >= OVERDUE.from && silent <= OVERDUE.to && resetOf(before) + SLACK_MS / 2 <= x.at;
    if (!over || !Number.isInteger(used)) return;
    const mine = this.#sent.filter((one) => one.came > x.sent - 2 * OVERDUE.from + SLACK_MS && one !== x);
    const sent = [mine.length, mine.filter(succeeded).length, mine.filter(({ status }) => status !== 429).length];
    this.#pauses.push({ before, x, used, sent });
  }
}

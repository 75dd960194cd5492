// The rate-limit window, by default a minute, exact to the request (spec: Limits, Rate limits).

/** The values of the three quota headers after a request. */
export interface Quota {
  readonly limit: number;
  readonly remaining: number;
  readonly reset: number;
  readonly passes: boolean;
}

export interface WindowRules {
  readonly kind: 'rolling' | 'fixed';
  readonly countsRefused: boolean;
  readonly ms: number;
}

export interface SavedWindow {
  readonly limit: number;
  /** Deltas in milliseconds, after the first: short, because they are written with every change. */
  readonly gaps?: readonly number[];
  /** As earlier formats have them. */
  readonly times?: readonly number[];
  /** Absent: one each. */
  readonly counts?: readonly number[];
}

/** Above this limit requests are counted per second, so that the log stays short. */
const EXACT_BELOW = 10_000;

export class Window {
  readonly #limit: number;
  /** Times of counted requests in order, and how many at each. */
  #times: number[] = [];
  #counts: number[] = [];
  #used = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  fork(): Window {
    return Window.from({ limit: this.#limit, times: this.#times, counts: this.#counts });
  }

  save(): SavedWindow {
    const gaps = this.#times.map((time, i) => time - (this.#times[i - 1] ?? 0));
    return { limit: this.#limit, gaps, ...(this.#used > gaps.length && { counts: this.#counts.slice() }) };
  }

  static from({ limit, gaps = [], times, counts }: SavedWindow): Window {
    const window = new Window(limit);
    let time = 0;
    window.#times = times ? [...times] : gaps.map((gap) => (time += gap));
    window.#counts = counts ? [...counts] : window.#times.map(() => 1);
    window.#used = window.#counts.reduce((sum, count) => sum + count, 0);
    return window;
  }

  count(now: number, rules: WindowRules): Quota {
    const expired = this.#expired(now, rules);
    for (let i = 0; i < expired; i++) this.#used -= this.#counts[i]!;
    this.#times.splice(0, expired);
    this.#counts.splice(0, expired);
    const passes = this.#used < this.#limit;
    if (passes || rules.countsRefused) this.#add(now);
    return this.#quota(now, rules, 0, passes);
  }

  /** Changes nothing: a look is not recorded, and a replay does without it. */
  look(now: number, rules: WindowRules): Quota {
    return this.#quota(now, rules, this.#expired(now, rules));
  }

  #quota(now: number, { kind, ms }: WindowRules, expired: number, passes?: boolean): Quota {
    const times = this.#times;
    let used = this.#used;
    for (let i = 0; i < expired; i++) used -= this.#counts[i]!;
    const counted = expired < times.length ? times[kind === 'fixed' ? expired : times.length - 1] : undefined;
    const reset = Math.ceil(((counted ?? now) + ms) / 1000);
    return { limit: this.#limit, remaining: Math.max(0, this.#limit - used), reset, passes: passes ?? used < this.#limit };
  }

  #add(now: number): void {
    const time = this.#limit < EXACT_BELOW ? now : now - (now % 1000);
    const last = this.#times.length - 1;
    if (this.#times[last] === time) this.#counts[last]! += 1;
    else {
      this.#times.push(time);
      this.#counts.push(1);
    }
    this.#used += 1;
  }

  /** How many of the times, from the oldest on, no longer count. */
  #expired(now: number, { kind, ms }: WindowRules): number {
    const times = this.#times;
    const isOld = (time: number) => time <= now - ms || time > now;
    // A missing time is not an old one.
    if (kind === 'fixed') return isOld(times[0]!) ? times.length : 0;
    // A clock that was set back leaves future times, which do not count.
    if ((times[times.length - 1] ?? 0) > now) return times.length;
    let expired = 0;
    while (isOld(times[expired]!)) expired++;
    return expired;
  }
}

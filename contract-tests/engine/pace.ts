// Good manners on a shared target: never faster than 80 % of its limit, 90 % of a small one, and never down to the last request.
import { type Skew, type Time, WORTH_TELLING_MS } from './time.ts';

const MINUTE = 60_000;
/** How long a few requests in a row may take, and how far the clocks of both sides may differ about it. */
const BURST = 1500;
const SLACK = 250;
const MAX_TURNS = 100;
/** Up to this limit the larger share is taken: else a whole run would take too long. */
const SMALL = 60;
/** After this many waits in vain a Remaining near 0 is no longer believed: a 429 would say it, too. */
const VAIN = 2;
/** No wait is longer: a window has a minute. */
const MAX_MS = 65_000;

export class Pace {
  waitedMs = 0;
  readonly #time: Time;
  readonly #tell: (line: string) => void;
  readonly #maxRpm: number;
  readonly #skew: Skew | undefined;
  #sent: number[] = [];
  #limit: number | undefined;
  #emptyUntil = 0;
  /** Waits for a window that was as empty after them, in a row. */
  #vain = 0;
  #waited = false;

  /** @param skew what is known of the target's clock; absent: it is the run's own @param tell hears of long waits */
  constructor(time: Time, maxRpm: number | undefined, skew?: Skew, tell: (line: string) => void = () => {}) {
    this.#time = time;
    this.#tell = tell;
    this.#maxRpm = maxRpm ?? Number.POSITIVE_INFINITY;
    this.#skew = skew;
  }

  /** Waits until one request more is polite. */
  async turn(): Promise<void> {
    const cap = this.#cap();
    this.#sent = this.#sent.filter((at) => at > this.#time.now() - MINUTE - SLACK);
    if (this.#sent.length >= cap) await this.wait(this.#sent[this.#sent.length - cap]! + MINUTE + SLACK - this.#time.now() + 50);
    if (this.#emptyUntil > this.#time.now()) {
      await this.wait(this.#emptyUntil - this.#time.now() + 1000);
      this.#waited = true;
    }
    this.#sent.push(this.#time.now());
  }

  /**
   * Waits until this many requests can follow each other at once and none of ours ages out of a rolling window meanwhile:
   * only then does every one of them show in Remaining.
   */
  async room(requests: number): Promise<void> {
    for (let turns = 0; turns < MAX_TURNS; turns++) {
      const now = this.#time.now();
      this.#sent = this.#sent.filter((at) => at > now - MINUTE - SLACK);
      const over = this.#sent.length + requests - this.#cap();
      const ageing = this.#sent.findLast((at) => at + MINUTE < now + BURST);
      const last = over > 0 ? this.#sent[Math.min(over, this.#sent.length) - 1] : ageing;
      if (last === undefined) return;
      await this.wait(last + MINUTE + SLACK - now + 50);
    }
  }

  /** Learns from the headers of a response. @param reset seconds since 1970 on the target's clock */
  learn(limit: number, remaining: number, reset: number): void {
    if (Number.isInteger(limit) && limit > 0) this.#limit = limit;
    const reserve = Math.max(2, Math.floor((this.#limit ?? 0) * 0.05));
    const empty = remaining <= reserve;
    this.#vain = empty && this.#waited ? this.#vain + 1 : empty ? this.#vain : 0;
    this.#waited = false;
    if (empty && this.#vain < VAIN) this.#emptyUntil = this.until(reset);
  }

  /** When a window that ends at a reset is over, on our clock; a reset that cannot be is taken as a minute from now. */
  until(reset: number): number {
    const now = this.#time.now();
    const known = this.#skew?.now().within ?? 0;
    const at = (this.#skew?.ours(reset * 1000) ?? reset * 1000) + Math.min(known, 5000);
    return known < MINUTE && at > now && at < now + 2 * MINUTE ? at : now + MINUTE;
  }

  /** This many requests a minute are polite. */
  #cap(): number {
    const share = (this.#limit ?? 0) <= SMALL ? 0.9 : 0.8;
    const polite = this.#limit === undefined ? 240 : Math.max(1, Math.floor(this.#limit * share));
    return Math.min(polite, this.#maxRpm);
  }

  async wait(ms: number): Promise<void> {
    const bounded = Math.min(Math.max(0, ms), MAX_MS);
    this.waitedMs += bounded;
    if (bounded >= WORTH_TELLING_MS && !this.#time.virtual)
      this.#tell(`waiting ${Math.ceil(bounded / 1000)} s, for the workspace has few requests a minute`);
    await this.#time.sleep(bounded);
  }
}

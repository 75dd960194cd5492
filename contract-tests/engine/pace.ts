// Good manners on a shared target: never faster than 80 % of its limit, never down to the last request.
import type { Time } from './time.ts';

const MINUTE = 60_000;
/** How long a few requests in a row may take, and how far the clocks of both sides may differ about it. */
const BURST = 1500;
const SKEW = 250;
const MOST_TURNS = 100;

export class Pace {
  waitedMs = 0;
  readonly #time: Time;
  readonly #maxRpm: number;
  #sent: number[] = [];
  #limit: number | undefined;
  #emptyUntil = 0;

  constructor(time: Time, maxRpm: number | undefined) {
    this.#time = time;
    this.#maxRpm = maxRpm ?? Number.POSITIVE_INFINITY;
  }

  /** Waits until one request more is polite. */
  async turn(): Promise<void> {
    const cap = this.#cap();
    this.#sent = this.#sent.filter((at) => at > this.#time.now() - MINUTE);
    if (this.#sent.length >= cap) await this.wait(this.#sent[this.#sent.length - cap]! + MINUTE - this.#time.now() + 50);
    if (this.#emptyUntil > this.#time.now()) await this.wait(this.#emptyUntil - this.#time.now() + 1000);
    this.#sent.push(this.#time.now());
  }

  /**
   * Waits until so many requests can follow each other at once and none of ours ages out of a rolling window meanwhile:
   * only then does every one of them show in Remaining.
   */
  async room(requests: number): Promise<void> {
    for (let turns = 0; turns < MOST_TURNS; turns++) {
      const now = this.#time.now();
      this.#sent = this.#sent.filter((at) => at > now - MINUTE - SKEW);
      const over = this.#sent.length + requests - this.#cap();
      const ageing = this.#sent.findLast((at) => at + MINUTE < now + BURST);
      const last = over > 0 ? this.#sent[Math.min(over, this.#sent.length) - 1] : ageing;
      if (last === undefined) return;
      await this.wait(last + MINUTE + SKEW - now + 50);
    }
  }

  /** Learns from the headers of an answer. */
  learn(limit: number, remaining: number, reset: number): void {
    if (Number.isInteger(limit) && limit > 0) this.#limit = limit;
    const reserve = Math.max(2, Math.floor((this.#limit ?? 0) * 0.05));
    const at = reset * 1000;
    if (remaining <= reserve && at > this.#time.now() && at < this.#time.now() + 2 * MINUTE) this.#emptyUntil = at;
  }

  /** So many requests a minute are polite. */
  #cap(): number {
    const polite = this.#limit === undefined ? 240 : Math.max(1, Math.floor(this.#limit * 0.8));
    return Math.min(polite, this.#maxRpm);
  }

  async wait(ms: number): Promise<void> {
    const bounded = Math.min(Math.max(0, ms), 65_000);
    this.waitedMs += bounded;
    await this.#time.sleep(bounded);
  }
}

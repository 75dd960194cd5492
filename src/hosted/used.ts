// What a world uses of its tenant's quotas: reported to the directory every few seconds, which says what is used up.
import { Problem } from '../contract/errors.ts';
import { type Over, REPORT_MS, type Usage } from './directory.ts';
import type { Storage } from './engine.ts';

const ASK = 'or ask the owner of this service for more; docs/hosted.md of wm-mock says how.';

export class Used {
  readonly #storage: Storage;
  readonly #report: (usage: Usage) => Promise<Over | undefined>;
  #requests = 0;
  #told = 0;
  #now = 0;
  #over: Over | undefined;

  constructor(storage: Storage, report: (usage: Usage) => Promise<Over | undefined>) {
    this.#storage = storage;
    this.#report = report;
  }

  /** Counts a request. @param now milliseconds since 1970 */
  asked(now: number): void {
    this.#now = now;
    this.#requests += 1;
    if (now - this.#told < REPORT_MS) return;
    this.#told = now;
    const { kv, sql } = this.#storage;
    const usage = { requests: this.#requests, bytes: sql.databaseSize, used: now };
    this.#requests = 0;
    kv.put('used', now);
    // Not awaited: requests of the next seconds go by what is known.
    void this.#report(usage).then(
      (over) => {
        this.#over = over;
      },
      () => {
        this.#requests += usage.requests;
      },
    );
  }

  /** @param adds whether the request may store more @throws Problem 429 or 507 when a quota is used up */
  mayAsk(adds: boolean): void {
    if (!this.#over) return;
    const { what, most, until } = this.#over;
    if (what === 'requests' && until > this.#now) {
      const headers = { 'retry-after': String(Math.ceil((until - this.#now) / 1000)) };
      throw new Problem(429, 'quota_exceeded', `The ${most} requests of today are used up. Try again tomorrow (UTC), ${ASK}`, {
        headers,
      });
    }
    if (what === 'bytes' && adds)
      throw new Problem(507, 'quota_exceeded', `All worlds together store more than ${most} bytes. Delete some, ${ASK}`);
  }
}

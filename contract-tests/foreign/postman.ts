// How the foreign server delivers its events: an attempt, five retries, one signature scheme.
import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import type { VirtualClock } from './clock.ts';
import { bornAt, delayOf, envelopeWith, heard, macOf, type News, newsOf, snapshotIn, strays, toldOf } from './event-faults.ts';
import type { Hook } from './records.ts';
import { when } from './records.ts';

const WAITS = [30, 120, 600, 1800, 7200];

/** Sends a letter; the status of the answer, 0 when none came before the signal. */
export type Carry = (
  letter: { url: string; method: string; headers: Readonly<Record<string, string>>; body: string },
  signal: AbortSignal,
) => Promise<number>;

const overHttp: Carry = ({ url, method, headers, body }, signal) =>
  new Promise((done) => {
    const call = request(url, { method, headers, agent: false, signal }, (answer) => {
      answer.resume();
      answer.on('end', () => done(answer.statusCode ?? 0));
    });
    call.on('error', () => done(0));
    call.end(body);
  });

interface Parcel {
  readonly hook: Hook;
  readonly news: News;
  readonly born: number;
  readonly id: string;
  readonly number: number;
  /** The secret of the registration before all others. */
  readonly first: string;
}

export class Postman {
  readonly #clock: VirtualClock;
  readonly #has: (fault: string) => boolean;
  readonly #carry: Carry;
  readonly #tardy: () => number;
  #made = 0;

  /** @param tardy how long an event waits for its first attempt, milliseconds */
  constructor(clock: VirtualClock, has: (fault: string) => boolean, carry: Carry = overHttp, tardy: () => number = () => 0) {
    this.#clock = clock;
    this.#carry = carry;
    this.#tardy = tardy;
    this.#has = has;
  }

  announce(hooks: readonly Hook[], told: News): void {
    for (const news of newsOf(this.#has, told)) {
      const shared = randomUUID();
      for (const hook of toldOf(this.#has, hooks, news)) {
        const born = bornAt(this.#has, news, this.#clock.now());
        const parcel = { hook, news, born, id: this.#idOf(shared), number: this.#made, first: hooks[0]!.secret };
        this.#made++;
        this.#clock.after(delayOf(this.#has, this.#made) + this.#tardy(), () => this.#attempt(parcel, 0));
      }
    }
  }

  #idOf(shared: string): string {
    if (this.#has('hook-same-id')) return 'evt-same';
    return this.#has('manner-one-id') ? shared : randomUUID();
  }

  #letter({ hook, news, born, id }: Parcel, tries: number): Record<string, unknown> {
    const { event } = news;
    const snapshot = snapshotIn(this.#has, news, tries);
    const name = this.#has('hook-snake-name') ? event.replace('.', '_') : event;
    const kind = event.split('.')[0]!;
    const data = this.#has('hook-bare-data')
      ? snapshot
      : { [kind]: snapshot, ...(this.#has('hook-two-keys') ? { extra: {} } : {}) };
    const label = this.#has('hook-type-key') ? 'type' : 'event';
    const created_at = when(this.#has('hook-late-created-at') ? born + 90_000 : born);
    return envelopeWith(this.#has, { id, [label]: name, created_at, data }, hook);
  }

  #attempt(parcel: Parcel, tries: number): void {
    const has = this.#has;
    const { hook, news, born, first } = parcel;
    const letter = this.#letter(parcel, tries);
    const sent = has('hook-new-id-on-retry') && tries > 0 ? { ...letter, id: randomUUID() } : letter;
    const at = has('hook-attempt-timestamp') ? this.#clock.now() : born;
    const stamp = has('hook-ms-timestamp')
      ? String(at)
      : has('hook-iso-timestamp')
        ? new Date(at).toISOString()
        : String(Math.floor(at / 1000));
    const body = has('hook-spaced-signature') ? JSON.stringify(sent, null, 2) : JSON.stringify(sent);
    const signed = has('hook-spaced-signature') ? JSON.stringify(sent) : body;
    const mac = macOf(has, stamp, signed, hook.secret, first, tries);
    const headers: Record<string, string> = {
      'content-type': has('hook-form') ? 'application/x-www-form-urlencoded' : 'application/json',
      'content-length': String(Buffer.byteLength(body)),
    };
    if (!has('hook-no-timestamp')) headers['x-service-timestamp'] = stamp;
    if (!(has('hook-no-signature') || (has('hook-unsigned-retry') && tries > 0)))
      headers['x-service-signature'] = `t=${stamp},v1=${mac}`;
    if (has('event-tells-key')) headers['x-triggered-by'] = news.key;
    const limit = has('hook-timeout-5') ? 5 : has('hook-timeout-30') ? 30 : 10;
    const outcome = this.#send(hook.url, has('hook-put') ? 'PUT' : 'POST', headers, body, limit);
    this.#clock.pend(outcome.then((status) => this.#judge(parcel, tries, status)));
  }

  #judge(parcel: Parcel, tries: number, status: number): void {
    const has = this.#has;
    let good = heard(has, status) ?? (status >= 200 && status < 300);
    if (has('hook-only-200') && status !== 200) good = false;
    if (has('hook-redirect-is-fine') && status >= 300 && status < 400) good = true;
    if (has('hook-client-error-is-final') && status >= 400 && status < 500) good = true;
    if (has('hook-server-error-is-final') && status >= 500) good = true;
    if (has('hook-timeout-is-final') && status === 0) good = true;
    if (has('hook-repeats-success') && good && tries < 2) good = false;
    if (has('hook-repeats-after-retry') && good && tries === 1) good = false;
    if (good && strays(has, parcel.number, tries)) this.#clock.after(5000, () => this.#attempt(parcel, 1));
    if (good) return;
    const waits = [...WAITS];
    if (has('hook-retry-1-early')) waits[0] = 5;
    if (has('hook-retry-2-early')) waits[1] = 60;
    if (has('hook-retry-3-late')) waits[2] = 1200;
    if (has('hook-retry-4-early')) waits[3] = 600;
    if (has('hook-retry-5-early')) waits[4] = 3600;
    if (has('hook-four-retries')) waits.pop();
    if (has('hook-six-retries')) waits.push(7200);
    const wait = waits[tries];
    if (wait !== undefined) this.#clock.after(wait * 1000, () => this.#attempt(parcel, tries + 1));
  }

  /** The status, 0 when none came in time. */
  #send(url: string, method: string, headers: Record<string, string>, body: string, limit: number): Promise<number> {
    const late = new AbortController();
    this.#clock.after(limit * 1000, () => late.abort());
    return this.#carry({ url, method, headers, body }, late.signal);
  }

  get made(): number {
    return this.#made;
  }
}

// How the foreign server delivers its events: an attempt, five retries, one signature scheme.
import { createHmac, randomUUID } from 'node:crypto';
import { request } from 'node:http';
import type { VirtualClock } from './clock.ts';
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

  announce(hooks: readonly Hook[], event: string, snapshot: object): void {
    for (const hook of hooks) {
      if (!hook.events.includes(event) && !this.#has('hook-unsubscribed')) continue;
      const born = this.#clock.now();
      const name = this.#has('hook-snake-name') ? event.replace('.', '_') : event;
      const kind = event.split('.')[0]!;
      const data = this.#has('hook-bare-data')
        ? snapshot
        : { [kind]: snapshot, ...(this.#has('hook-two-keys') ? { extra: {} } : {}) };
      const id = this.#has('hook-same-id') ? 'evt-same' : randomUUID();
      const label = this.#has('hook-type-key') ? 'type' : 'event';
      const created_at = when(this.#has('hook-late-created-at') ? born + 90_000 : born);
      this.#made++;
      this.#clock.after(this.#tardy(), () => this.#attempt(hook, { id, [label]: name, created_at, data }, born, 0));
    }
  }

  #attempt(hook: Hook, letter: Record<string, unknown>, born: number, tries: number): void {
    const has = this.#has;
    const sent = has('hook-new-id-on-retry') && tries > 0 ? { ...letter, id: randomUUID() } : letter;
    const at = has('hook-attempt-timestamp') ? this.#clock.now() : born;
    const stamp = has('hook-ms-timestamp')
      ? String(at)
      : has('hook-iso-timestamp')
        ? new Date(at).toISOString()
        : String(Math.floor(at / 1000));
    const body = has('hook-spaced-signature') ? JSON.stringify(sent, null, 2) : JSON.stringify(sent);
    const signed = has('hook-spaced-signature') ? JSON.stringify(sent) : body;
    const key = has('hook-fixed-secret') ? 'fixed' : hook.secret;
    const mac = has('hook-constant-signature')
      ? 'constant'
      : createHmac('sha256', key).update(`${stamp}.${signed}`).digest('hex');
    const headers: Record<string, string> = {
      'content-type': has('hook-form') ? 'application/x-www-form-urlencoded' : 'application/json',
      'content-length': String(Buffer.byteLength(body)),
    };
    if (!has('hook-no-timestamp')) headers['x-service-timestamp'] = stamp;
    if (!(has('hook-no-signature') || (has('hook-unsigned-retry') && tries > 0)))
      headers['x-service-signature'] = `t=${stamp},v1=${mac}`;
    const limit = has('hook-timeout-5') ? 5 : has('hook-timeout-30') ? 30 : 10;
    const outcome = this.#send(hook.url, has('hook-put') ? 'PUT' : 'POST', headers, body, limit);
    this.#clock.pend(outcome.then((status) => this.#judge(hook, letter, born, tries, status)));
  }

  #judge(hook: Hook, letter: Record<string, unknown>, born: number, tries: number, status: number): void {
    const has = this.#has;
    let good = status >= 200 && status < 300;
    if (has('hook-only-200') && status !== 200) good = false;
    if (has('hook-redirect-is-fine') && status >= 300 && status < 400) good = true;
    if (has('hook-client-error-is-final') && status >= 400 && status < 500) good = true;
    if (has('hook-server-error-is-final') && status >= 500) good = true;
    if (has('hook-timeout-is-final') && status === 0) good = true;
    if (has('hook-repeats-success') && good && tries < 2) good = false;
    if (has('hook-repeats-after-retry') && good && tries === 1) good = false;
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
    if (wait !== undefined) this.#clock.after(wait * 1000, () => this.#attempt(hook, letter, born, tries + 1));
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

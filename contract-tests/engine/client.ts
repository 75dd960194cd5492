// The suite's only way to the target: paces itself, repeats lost requests where that is safe, hands each response on.
import { type Exchange, resource, type Sent, succeeded } from './exchange.ts';
import { Cursors } from './follow.ts';
import { gatewayFailure, Infra, NoResponse, REPEAT_AFTER } from './infra.ts';
import { undoCreate } from './lost.ts';
import { createdId, placeOf, Strangers } from './made.ts';
import { operationOf } from './operations.ts';
import type { Pace } from './pace.ts';
import { checkPath, pathOf } from './paths.ts';
import { fateOf, reasonOf } from './reason.ts';
import type { Redactor } from './redact.ts';
import { instant } from './shapes.ts';
import type { Fetch, Role } from './terms.ts';
import { RunError } from './terms.ts';
import type { Skew, Time } from './time.ts';
import { inOrder, type Waiting } from './together.ts';
import { Blocked } from './unjudged.ts';
import { parsed, wire } from './wire.ts';

export interface Call {
  readonly as?: Role | 'keyless' | undefined;
  readonly body?: unknown;
  /** A body sent as it stands. */
  readonly raw?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Another base URL: a world of the control API. */
  readonly base?: string | undefined;
  /** A key that is no role of the run. */
  readonly key?: string | undefined;
  /** Takes a 429 as the response and does not wait for the pace. */
  readonly unpaced?: boolean | undefined;
  /** The response is handed to no judge: the caller hands it on. */
  readonly quiet?: boolean | undefined;
  /** Never repeated: beside another request a repeat would be a third one. */
  readonly once?: boolean | undefined;
}

/** The outcome of one try: a response of the service, or why there is none. */
type Try =
  | { readonly x: Exchange; readonly failure?: undefined }
  | { readonly x?: undefined; readonly failure: { readonly kind: string; readonly unsent: boolean; readonly reason: string } };

/** A 500 is bad luck when one of this many repeats gets another status. */
const REPEATS_500 = 2;
/** A 429 is waited out so often. */
const MAX_WAITS = 3;
/** Characters of a long body, and of all long bodies of a run, for it keeps many of them. */
const LONG = 1_000_000;
const MAX_LONG = 500_000_000;

export interface ClientParts {
  readonly fetch: Fetch;
  readonly base: string;
  readonly keys: { [R in Role]?: string | undefined };
  readonly pace: Pace;
  readonly time: Time;
  readonly skew: Skew;
  readonly redactor: Redactor;
  readonly timeoutMs: number;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The role that looks after what got lost, and what every name of the run contains. */
  readonly main: Role;
  readonly mark: string;
}

export class Client {
  requests = 0;
  quotaRequests = 0;
  onResponse: (x: Exchange) => void = () => {};
  onNoResponse: (sent: Sent) => void = () => {};
  readonly infra = new Infra();
  /** Ids of what a create made whose response was lost; each was removed again. Events may tell of them. */
  readonly orphans = new Set<string>();
  readonly cursors = new Cursors();
  /** True after a create of which it is unknown what it made, or by which id. */
  uncertain = false;
  readonly #parts: ClientParts;
  /** Paths of what responses said was made, and of it what no response said was deleted. */
  readonly #made = new Set<string>();
  readonly #alive = new Set<string>();
  /** Operations whose last DELETE returned 5xx though it was done: a second time is no bad luck. */
  readonly halfDone = new Set<string>();
  /** Credentials of no workspace that get 429 whatever the budget is. */
  readonly #limited = new Set<string>();
  #hasResponded = false;
  #long = 0;
  readonly #strangers: Strangers;
  /** Requests under way, and the responses that wait until none is: see Exchange.beside. */
  #underWay = 0;
  #waiting: Waiting[] = [];

  constructor(parts: ClientParts) {
    this.#parts = parts;
    this.#strangers = new Strangers(parts.mark);
  }

  /** Waits until this many requests can follow each other, and each shows in Remaining. */
  room(requests: number): Promise<void> {
    return this.#parts.pace.room(requests);
  }

  /**
   * One request and its response.
   * @throws NoResponse when no response came and no repeat is safe, InfraError past the limits of infrastructure failures, RunError, URIError
   */
  async send(method: string, target: string, call: Call = {}): Promise<Exchange> {
    const path = target.split('?', 1)[0]!;
    checkPath(path);
    if (method !== 'GET' && !call.base && !this.#made.has(path) && this.#strangers.has(path, call.as ?? 'keyless'))
      throw new Blocked(path.startsWith('/projects/') ? 'WM-PROJ-027' : 'WM-GEN-016');
    this.#underWay++;
    const from = this.requests + 1;
    try {
      const { x, read } = await this.#known(await this.#ask(method, target, call), call);
      for (const one of read ? [x, read] : [x]) {
        this.#strangers.notice(one, this.#made);
        if (!call.quiet) this.#hand({ sent: one, x: one, from, until: this.requests });
      }
      this.#remember(x);
      // Whether it was our lost DELETE that removed it, or one that removes nothing, cannot be told.
      if (x.lost && x.method === 'DELETE' && x.status === 404 && this.#alive.delete(x.path))
        throw new NoResponse('lost-answer', true);
      return x;
    } catch (cause) {
      const { as = 'keyless', base: world } = call;
      const sent: Sent = { method, path, as, operation: operationOf(method, path), requestBody: bodyOf(call), noResponse: true };
      this.#hand({ sent: world === undefined ? sent : { ...sent, world }, from, until: this.requests });
      throw cause;
    } finally {
      this.#underWay--;
      if (this.#underWay === 0) this.#pass(this.#waiting.splice(0));
    }
  }

  /** Hands a response to those who judge: at once if it came alone, else with all that were under way beside it. */
  #hand(one: Waiting): void {
    if (this.#underWay > 1 || this.#waiting.length > 0) this.#waiting.push(one);
    else this.#pass([one]);
  }

  #pass(waiting: readonly Waiting[]): void {
    for (const x of inOrder(waiting)) this.onResponse(x);
    for (const { x, sent } of waiting) if (!x) this.onNoResponse(sent);
  }

  /** Holds the first created record against its read. @returns false when it is another's, which the run never changes */
  confirm(path: string, read: Exchange): boolean {
    if (!this.#strangers.belongsToOthers(read)) return true;
    this.#made.delete(path);
    this.#alive.delete(path);
    this.#strangers.add(path, read.as);
    this.uncertain = true;
    return false;
  }

  /** Looks at what a create says that it made, where that may be another's record. */
  async #known(x: Exchange, { as, base, key, unpaced }: Call): Promise<{ x: Exchange; read?: Exchange }> {
    const [items, id] = [placeOf(x), createdId(x)];
    const path = items !== undefined && id !== undefined ? pathOf(items, id) : undefined;
    if (path === undefined || this.#made.has(path) || !this.#strangers.doubts(x, path)) return { x };
    const read = await this.#ask('GET', path, { as, base, key, unpaced });
    return { x: this.#strangers.isOurs(x, read) ? x : { ...x, strange: true }, read };
  }

  /** Sends until the service responds: waits out a 429, repeats lost requests where that is safe, a 500 twice. */
  async #ask(method: string, target: string, call: Call): Promise<Exchange> {
    let busy = 0;
    let lost = 0;
    let broken: Exchange | undefined;
    let failed = 0;
    for (;;) {
      const tried = await this.#try(method, target, call);
      if (!tried.x) {
        await this.#repeatable(method, target, call, tried.failure, lost++);
        continue;
      }
      const { x } = tried;
      if (x.status === 429 && !call.unpaced) {
        if (this.#limited.has(x.as)) return { ...x, persists: true };
        if (++busy >= MAX_WAITS) {
          if (await this.#onlyKeyless(method, target, call)) continue;
          throw new RunError('the target keeps returning 429: its budget is used up by others; give --max-rpm or run later');
        }
        await this.#waitOut(x);
        continue;
      }
      if (x.status < 500) {
        if (broken) this.#note(`flaky-${broken.status}`, method, target);
        if (broken && method === 'DELETE' && x.status === 404 && this.#alive.delete(x.path)) {
          const operation = x.operation?.id ?? '';
          // Done and 500 returned: bad luck once, a fault the second time.
          if (this.halfDone.has(operation)) return broken;
          this.halfDone.add(operation);
        }
        const before = lost + failed;
        return before > 0 ? { ...x, lost: before } : x;
      }
      if (call.once) {
        this.#note(`flaky-${x.status}`, method, target);
        this.uncertain ||= method === 'POST';
        throw new NoResponse(String(x.status), false, x);
      }
      await this.#undone(method, target, call);
      if (failed++ === REPEATS_500) return x;
      broken = x;
    }
  }

  /** Whether a request without a valid key gets 429 each time right after the run's own key was served, with more left. */
  async #onlyKeyless(method: string, target: string, call: Call): Promise<boolean> {
    const { as = 'keyless', base, key } = call;
    if ((as !== 'keyless' && as !== 'revoked') || key !== undefined) return false;
    for (let round = 0; round < MAX_WAITS; round++) {
      const served = (await this.#try('GET', '/users/me', { as: this.#parts.main, base })).x;
      if (!served || !succeeded(served) || !(Number(served.headers.get('x-ratelimit-remaining')) > 1)) return false;
      if ((await this.#try(method, target, call)).x?.status !== 429) return false;
    }
    this.#limited.add(as);
    return true;
  }

  /** Notes that a try got no response, and waits before the next. @throws when there may be none */
  async #repeatable(
    method: string,
    target: string,
    call: Call,
    failure: NonNullable<Try['failure']>,
    lost: number,
  ): Promise<void> {
    const { kind, unsent, reason } = failure;
    const path = target.split('?', 1)[0];
    // A target that never responded is a wrong address rather than a bad day.
    if (!this.#hasResponded && (unsent || lost > 0)) throw new RunError(`no response to ${method} ${path}: ${reason}`);
    this.#note(kind, method, target);
    if (call.once) {
      this.uncertain ||= method === 'POST' && !unsent;
      throw new NoResponse(kind);
    }
    const pause = REPEAT_AFTER[lost];
    if (pause !== undefined) await this.#parts.pace.wait(pause + Math.random() * 100);
    const undone = unsent || (await this.#undone(method, target, call));
    if (pause === undefined || !undone) throw new NoResponse(kind);
  }

  /** True when a request can be sent again and only that one has an effect. */
  async #undone(method: string, target: string, call: Call): Promise<boolean> {
    if (method !== 'POST') return true;
    const as = call.as === undefined || call.as === 'keyless' || call.as === 'revoked' ? this.#parts.main : call.as;
    const { base, key, unpaced } = call;
    const before = this.uncertain;
    this.uncertain = true;
    const known = { mark: this.#parts.mark, made: this.#made, cursors: this.cursors };
    const ids = await undoCreate(target, bodyOf(call), known, (verb, path) => this.#ask(verb, path, { as, base, key, unpaced }));
    for (const id of ids ?? []) this.orphans.add(id);
    this.uncertain = before || ids === undefined;
    return ids !== undefined;
  }

  /** Ends a run that is told more than it can keep; once, for it is then to clean up. @throws RunError */
  #bound(text: string): void {
    if (text.length < LONG || this.#long > MAX_LONG) return;
    this.#long += text.length;
    if (this.#long > MAX_LONG)
      throw new RunError(
        `the responses of more than ${LONG / 1_000_000} MB come to more than ${MAX_LONG / 1_000_000} MB: a run keeps what it is told, and this is too much. ` +
          'Run a part of the suite with --only, or on a workspace with less in it (contract-tests/README.md of the repository, Infrastructure)',
      );
  }

  #note(kind: string, method: string, target: string): void {
    this.infra.note(kind, this.#parts.redactor.clean(`${method} ${target}`), this.requests);
  }

  async #waitOut(x: Exchange): Promise<void> {
    const { pace, time } = this.#parts;
    const reset = Number(x.headers.get('x-ratelimit-reset') ?? Number.NaN);
    await pace.wait(pace.until(reset) - time.now() + 1000 + Math.random() * 2000);
  }

  #remember(x: Exchange): void {
    const { skew } = this.#parts;
    if (x.method === 'DELETE' && x.status === 204) {
      this.#alive.delete(x.path);
      this.halfDone.delete(x.operation?.id ?? '');
    }
    const items = placeOf(x);
    if (items === undefined || !succeeded(x)) return;
    const id = createdId(x);
    if (id === undefined) {
      this.uncertain = true;
      return;
    }
    const path = pathOf(items, id);
    this.#made.add(path);
    this.#alive.add(path);
    if (x.world === undefined) skew.made(instant(resource(x).created_at), x.sent, x.came);
  }

  async #try(method: string, target: string, call: Call): Promise<Try> {
    const { keys, time, pace, skew, redactor, timeoutMs, fetch } = this.#parts;
    if (!call.unpaced) await pace.turn();
    const url = `${call.base ?? this.#parts.base}${target}`;
    const [path = '', query = ''] = target.split('?', 2);
    const headers: Record<string, string> = { accept: 'application/json', ...this.#parts.headers };
    const as = call.as ?? 'keyless';
    const key = call.key ?? (as === 'keyless' ? undefined : keys[as]);
    if (key !== undefined) headers.authorization = `Bearer ${key}`;
    const body = bodyOf(call);
    if (body !== undefined) headers['content-type'] = 'application/json';
    Object.assign(headers, call.headers);
    const number = ++this.requests;
    if (call.unpaced) this.quotaRequests++;
    const sent = time.now();
    let response: Awaited<ReturnType<typeof wire>>;
    try {
      response = await wire(fetch, url, body === undefined ? { method, headers } : { method, headers, body }, timeoutMs);
    } catch (cause) {
      if (cause instanceof RunError) throw cause;
      return { failure: { ...fateOf(cause), reason: redactor.clean(reasonOf(cause)) } };
    }
    const arrival = time.now();
    const { status, text } = response;
    const { json, flaw = response.flaw } = parsed(text);
    this.#bound(text);
    // A world of the control API has a clock of its own.
    if (!call.base) skew.date(response.headers.get('date'), sent, arrival);
    const x: Exchange = {
      number,
      method,
      path,
      query,
      url,
      as,
      operation: operationOf(method, path),
      requestHeaders: headers,
      requestBody: body,
      status,
      headers: response.headers,
      text,
      json,
      sent,
      came: arrival,
      at: skew.now().at,
      ...(call.base !== undefined && { world: call.base }),
      ...(call.key !== undefined && { keyed: true }),
      ...(flaw ? { flaw } : {}),
    };
    const gateway = gatewayFailure(x);
    if (gateway) return { failure: { kind: gateway, unsent: false, reason: `a gateway responded with ${status}` } };
    this.#hasResponded = true;
    this.infra.responded();
    const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) => {
      const value = response.headers.get(`x-ratelimit-${name}`);
      return value === null ? Number.NaN : Number(value);
    }) as [number, number, number];
    if (status !== 401 && as !== 'other' && !call.base && !this.#limited.has(as)) pace.learn(limit, remaining, reset);
    return { x };
  }
}

const bodyOf = (call: Call): string | undefined => call.raw ?? (call.body === undefined ? undefined : JSON.stringify(call.body));

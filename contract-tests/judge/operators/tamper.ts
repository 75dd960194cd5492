// How an operator mutant is made: a layer between the suite and a target that spoils one thing and counts how often it did.
import { operationOf } from '../../engine/operations.ts';
import type { Fetch } from '../../engine/terms.ts';
import type { Keys } from '../targets.ts';
import { Answer, parse } from './answer.ts';
import { as, type Call, get, idIn, isOp, keyOf } from './call.ts';
import { Mail } from './mail.ts';
import { Memory } from './memory.ts';

export type Next = (call: Call) => Promise<Answer>;
export type Layer = (call: Call, next: Next) => Promise<Answer>;
/** Made anew for each run, so that a layer may remember. */
export type Make = (lab: Lab) => Layer;

/** What a layer knows of its run. */
export class Lab {
  hits = 0;
  readonly keys: Keys;
  readonly now: () => number;
  readonly mail: Mail;
  readonly #memories = new Map<string, Memory>();
  #remembers = false;
  #people: Promise<string[]> | undefined;

  /** @param resolve where a receiver's URL really leads to */
  constructor(keys: Keys, now: () => number, resolve: (url: string) => string) {
    this.keys = keys;
    this.now = now;
    this.mail = new Mail(now, resolve);
  }

  /** Counts that the target's behaviour really became another one. */
  hit(times: boolean | number = 1): void {
    this.hits += Number(times);
  }

  /** Asked for when a layer is made: from then on every answer of the target is learnt. */
  remember(): (call: Call) => Memory {
    this.#remembers = true;
    return (call) => this.memory(call);
  }

  memory(call: Call): Memory {
    const known = this.#memories.get(call.base) ?? new Memory(this.keys.other);
    this.#memories.set(call.base, known);
    return known;
  }

  learn(call: Call, answer: Answer): void {
    if (call.op?.id === 'create_webhook' && answer.ok) {
      const secret = answer.json?.data?.secret ?? answer.json?.secret;
      const { url, events } = call.body;
      if (typeof secret === 'string')
        this.mail.hooks.push({ url, events, secret, foreign: keyOf(call) === this.keys.other, home: call.home });
    }
    if (this.#remembers) this.memory(call).learn(call, answer);
  }

  /** The ids of the members of the workspace, asked for once. */
  people(call: Call, next: Next): Promise<string[]> {
    this.#people ??= next(admin(this, get(call, '/workspace/members', { limit: '100' }))).then((answer) =>
      answer.rows.map((row) => String(row.id)),
    );
    return this.#people;
  }
}

export const admin = (lab: Lab, call: Call): Call => as(call, lab.keys.admin);

/** A request that changes nothing, for an answer to be built on: it carries the headers of the target. */
export const blank = async (lab: Lab, call: Call, next: Next): Promise<Answer> => {
  const answer = await next(admin(lab, get(call, '/users/me')));
  answer.headers['content-type'] = 'application/json';
  return answer;
};

/** Makes a write, and says whether it had an effect: an update may set what is already so. */
export const effectOf = async (call: Call, next: Next): Promise<{ answer: Answer; effect: boolean }> => {
  if (call.method !== 'PATCH') {
    const answer = await next(call);
    return { answer, effect: answer.ok };
  }
  const before = await next(get(call, call.path));
  const answer = await next(call);
  return { answer, effect: answer.ok && JSON.stringify(before.json?.data) !== JSON.stringify(answer.json?.data) };
};

const CODES: Readonly<Record<number, string>> = {
  400: 'validation_error',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
  422: 'validation_error',
  429: 'rate_limit_exceeded',
};

/** Makes an answer a refusal of that status, as the target words its refusals. */
export const refuse = (answer: Answer, status: number, field?: string): Answer => {
  const details = field === undefined ? {} : { fields: [{ field, issue: 'is not allowed' }] };
  answer.status = status;
  answer.headers['content-type'] = 'application/json';
  answer.json = { error: { code: CODES[status] ?? 'internal_error', message: 'That is not possible.', details } };
  return answer;
};

/** Keeps the rate headers what they were without the requests that a layer adds. */
class Ledger {
  readonly #extras: { space: string; at: number }[] = [];
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  add(space: string): void {
    this.#extras.push({ space, at: this.#now() });
  }

  mend(headers: Record<string, string>, space: string): void {
    if (this.#extras.length === 0) return;
    const since = this.#now() - 60_000;
    const extra = this.#extras.filter((entry) => entry.space === space && entry.at > since).length;
    const [left, limit] = [Number(headers['x-ratelimit-remaining']), Number(headers['x-ratelimit-limit'])];
    if (extra > 0 && Number.isInteger(left)) headers['x-ratelimit-remaining'] = String(Math.min(limit, left + extra));
  }
}

/** A run that asks more often has no end. */
const MOST_CALLS = 6000;

/** A fetch with a layer round it; calls outside /v1 pass untouched. */
export const tampered = (fetch: Fetch, lab: Lab, make: Make, home: string): Fetch => {
  const layer = make(lab);
  const ledger = new Ledger(lab.now);
  let calls = 0;
  return async (input, init = {}) => {
    if (++calls > MOST_CALLS) throw new Error(`a run of more than ${MOST_CALLS} requests`);
    const url = new URL(input);
    const at = url.pathname.indexOf('/v1/');
    if (at < 0) return fetch(input, init);
    const headers = new Headers(init.headers);
    const path = url.pathname.slice(at + 3);
    const base = url.origin + url.pathname.slice(0, at + 3);
    const method = init.method ?? 'GET';
    const raw = typeof init.body === 'string' ? init.body : undefined;
    const call: Call = {
      method,
      path,
      query: url.searchParams,
      raw,
      body: parse(raw),
      authorization: headers.get('authorization') ?? undefined,
      op: operationOf(method, path),
      id: idIn(path),
      base,
      home: base === home,
      encoded: /%5b/i.test(url.search),
    };
    let sends = 0;
    const next: Next = async (sent) => {
      const own = new Headers(headers);
      if (sent.authorization === undefined) own.delete('authorization');
      else own.set('authorization', sent.authorization);
      if (sent.raw === undefined) own.delete('content-type');
      else if (!own.has('content-type') && sent.raw !== call.raw) own.set('content-type', 'application/json');
      const text = sent.query.toString();
      const query = text === url.searchParams.toString() ? url.search : text ? `?${text}` : '';
      const space = keyOf(sent) === lab.keys.other ? 'other' : `${sent.base} main`;
      const response = await fetch(`${sent.base}${sent.path}${query}`, {
        ...init,
        method: sent.method,
        headers: own,
        body: sent.raw ?? null,
      });
      const answer = new Answer(response.status, Object.fromEntries(response.headers), await response.text());
      if (sends++ > 0 && answer.status !== 401) ledger.add(space);
      ledger.mend(answer.headers, space);
      lab.learn(sent, answer);
      return answer;
    };
    const answer = await layer(call, next);
    const empty = [204, 205, 304].includes(answer.status);
    return new Response(empty ? null : answer.sent, { status: answer.status, headers: answer.headers });
  };
};

/** Spoils answers: change says whether it changed anything. */
export const spoil =
  (test: (call: Call, answer: Answer) => boolean, change: (answer: Answer, call: Call) => boolean): Make =>
  (lab) =>
  async (call, next) => {
    const answer = await next(call);
    if (test(call, answer)) lab.hit(change(answer, call));
    return answer;
  };

export const good =
  (...ids: readonly string[]) =>
  (call: Call, answer: Answer): boolean =>
    isOp(...ids)(call) && answer.ok;

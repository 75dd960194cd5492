// How an operator's fault is made: a layer between the suite and a server that spoils one thing and counts how often it did.
import { operationOf } from '../../engine/operations.ts';
import type { Allowance } from '../../engine/options.ts';
import type { Fetch } from '../../engine/terms.ts';
import type { Host, Keys } from '../targets.ts';
import { as, type Call, get, idIn, isOp, keyOf, type Loose, Memory, parse, ServedResponse } from './exchange.ts';
import { Mail } from './mail.ts';

export type Next = (call: Call) => Promise<ServedResponse>;
export type Layer = (call: Call, next: Next) => Promise<ServedResponse>;
/** Made again for each run, so that a layer may remember. */
export type Make = (lab: Lab) => Layer;

export interface OperatorMutant {
  readonly id: string;
  /** The part of the spec whose clause it breaks. */
  readonly clause: string;
  readonly make: Make;
  /** Options that the run must allow for the fault to show. */
  readonly allow?: readonly Allowance[];
  /** It shows only on one of the servers, or only with a control API. */
  readonly on?: Host;
  readonly control?: boolean;
  /** It shows only in a workspace with many records. */
  readonly crowded?: boolean;
}

export type Extra = Omit<OperatorMutant, 'id' | 'clause' | 'make'>;

/** A response that an operator looks at. */
export interface Scene {
  readonly lab: Lab;
  readonly call: Call;
  readonly response: ServedResponse;
  readonly next: Next;
}

/** The change of an operator, as data: where, when, and how. */
export interface Rule {
  /** The operations; absent: all. */
  readonly at?: string | readonly string[] | undefined;
  /** The status of the response, success, or a refusal of what was sent; absent: any. */
  readonly on?: number | 'ok' | 'refused';
  readonly when?: (scene: Scene) => unknown;
  /** Changes the response, gives another in its place, or says with a boolean whether the server did anything else. */
  readonly does: (scene: Scene) => unknown;
}

const hasStatus = ({ ok, status }: ServedResponse, on: Rule['on']): boolean => {
  if (on === 'refused') return status === 400 || status === 422;
  return on === undefined || (on === 'ok' ? ok : status === on);
};

const made =
  ({ at, on, when, does }: Rule): Make =>
  (lab) =>
  async (call, next) => {
    const response = await next(call);
    const scene = { lab, call, response, next };
    const mine = (at === undefined || isOp(...[at].flat())(call)) && hasStatus(response, on) && (!when || when(scene));
    if (!mine) return response;
    const before = response.print;
    const done = await does(scene);
    const another = done instanceof ServedResponse ? done : response;
    lab.hit(typeof done === 'boolean' ? done : another !== response || response.print !== before);
    return another;
  };

/** Makes the faults of one operator: ids are the operator, a colon and what it was applied to. */
export const operator =
  (name: string, clause: string, extra: Extra = {}) =>
  (applied: string, rule: Rule | Make, more: Extra = {}): OperatorMutant => ({
    id: `${name}:${applied}`,
    clause,
    make: typeof rule === 'function' ? rule : made(rule),
    ...extra,
    ...more,
  });

/** Only a run that is allowed to registers webhooks. */
export const extraOf = (op: string): Extra => (op === 'create_webhook' ? { allow: ['webhooks'] } : {});

/** A layer's knowledge of its run. */
export class Lab {
  hits = 0;
  readonly keys: Keys;
  readonly now: () => number;
  readonly mail: Mail;
  readonly #memories = new Map<string, Memory>();
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

  memory(call: Call): Memory {
    const known = this.#memories.get(call.base) ?? new Memory(this.keys.other);
    this.#memories.set(call.base, known);
    return known;
  }

  learn(call: Call, response: ServedResponse): void {
    if (call.op?.id === 'create_webhook' && response.ok) {
      const secret = response.json?.data?.secret ?? response.json?.secret;
      const { url, events } = call.body;
      if (typeof secret === 'string')
        this.mail.hooks.push({ url, events, secret, foreign: keyOf(call) === this.keys.other, home: call.home });
    }
    this.memory(call).learn(call, response);
  }

  /** The ids of the members of the workspace, asked for once. */
  people(call: Call, next: Next): Promise<string[]> {
    this.#people ??= next(admin(this, get(call, '/workspace/members', { limit: '100' }))).then((response) =>
      response.rows.map((row) => String(row.id)),
    );
    return this.#people;
  }
}

export const admin = (lab: Lab, call: Call): Call => as(call, lab.keys.admin);

/** A request that changes nothing, for a response to be built on: it carries the headers of the target. */
export const blank = async (lab: Lab, call: Call, next: Next): Promise<ServedResponse> => {
  const response = await next(admin(lab, get(call, '/users/me')));
  response.headers['content-type'] = 'application/json';
  return response;
};

/** Refuses what the target would take. */
export const refused =
  (at: string, status: number, when: (scene: Omit<Scene, 'response'>) => unknown, field?: string): Make =>
  (lab) =>
  async (call, next) => {
    if (!isOp(at)(call) || !(await when({ lab, call, next }))) return next(call);
    lab.hit();
    return refuse(await blank(lab, call, next), status, field);
  };

/** Makes a write, and says whether it had an effect: an update may set what is already so. */
export const effectOf = async (call: Call, next: Next): Promise<{ response: ServedResponse; effect: boolean }> => {
  const before = call.method === 'PATCH' ? await next(get(call, call.path)) : undefined;
  const response = await next(call);
  const same = before && JSON.stringify(before.json?.data) === JSON.stringify(response.json?.data);
  return { response, effect: response.ok && !same };
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

/** Puts another status and body in place of a response's. */
export const become = (response: ServedResponse, status: number, json?: unknown): ServedResponse => {
  response.status = status;
  if (json === undefined) response.replace('');
  else {
    response.headers['content-type'] = 'application/json';
    response.json = json;
  }
  return response;
};

/** Makes a response a refusal of that status, as the target words its refusals. */
export const refuse = (response: ServedResponse, status: number, field?: string): ServedResponse => {
  const details = field === undefined ? {} : { fields: [{ field, issue: 'is not allowed' }] };
  return become(response, status, {
    error: { code: CODES[status] ?? 'internal_error', message: 'That is not possible.', details },
  });
};

/** A list of one page. */
export const listOf = (items: readonly unknown[], limit = 20): object => ({
  items,
  meta: { total: items.length, limit, has_more: false, next_cursor: null },
});

/** Sets a member. */
export const put = (row: object, name: string, value: unknown): void => void Object.assign(row, { [name]: value });

export const isSet = (row: Loose, name: string): boolean => row[name] !== undefined && row[name] !== null;

export const shifted = (value: string, ms: number): string => new Date(Date.parse(value) + ms).toISOString();

export const isObject = (body: unknown): boolean => typeof body === 'object' && body !== null && !Array.isArray(body);

/** A run that asks more often has no end. */
const MAX_CALLS = 6000;
const MINUTE_MS = 60_000;

/** A fetch with a layer round it; calls outside /v1 pass untouched. */
export const tampered = (fetch: Fetch, lab: Lab, make: Make, home: string): Fetch => {
  const layer = make(lab);
  /** Requests that the layer added: rate headers are kept what they were without them. */
  const added: { space: string; at: number }[] = [];
  const mend = (headers: Record<string, string>, space: string): void => {
    const since = lab.now() - MINUTE_MS;
    const extra = added.filter((entry) => entry.space === space && entry.at > since).length;
    const [left, limit] = [Number(headers['x-ratelimit-remaining']), Number(headers['x-ratelimit-limit'])];
    if (extra > 0 && Number.isInteger(left)) headers['x-ratelimit-remaining'] = String(Math.min(limit, left + extra));
  };
  let calls = 0;
  return async (input, init = {}) => {
    if (++calls > MAX_CALLS) throw new Error(`a run of more than ${MAX_CALLS} requests`);
    const url = new URL(input);
    const at = url.pathname.indexOf('/v1/');
    if (at < 0) return fetch(input, init);
    const headers = new Headers(init.headers);
    const path = url.pathname.slice(at + 3);
    const base = url.origin + url.pathname.slice(0, at + 3);
    const method = init.method ?? 'GET';
    const raw = typeof init.body === 'string' ? init.body : undefined;
    const call: Call = {
      ...{ method, path, base, raw, query: url.searchParams, body: parse(raw), op: operationOf(method, path), id: idIn(path) },
      authorization: headers.get('authorization') ?? undefined,
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
      const body = sent.raw ?? null;
      const raw = await fetch(`${sent.base}${sent.path}${query}`, { ...init, method: sent.method, headers: own, body });
      const response = new ServedResponse(raw.status, Object.fromEntries(raw.headers), await raw.text());
      if (sends++ > 0 && response.status !== 401) added.push({ space, at: lab.now() });
      mend(response.headers, space);
      lab.learn(sent, response);
      return response;
    };
    const response = await layer(call, next);
    const empty = [204, 205, 304].includes(response.status);
    return new Response(empty ? null : response.sent, { status: response.status, headers: response.headers });
  };
};

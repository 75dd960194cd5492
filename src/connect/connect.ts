// Connects to a mock in another process: the same typed mock, over its control API. Loads nothing of the mock.

import { authFrom } from '../mock/api/auth.ts';
import type { ForkOptions, Mock, MockClock, MockFaults } from '../mock/api/mock.ts';
import type { MockRecords } from '../mock/api/records.ts';
import type { WorldDiff } from '../mock/control/diff.ts';
import { type ControlCall, callAt, type Refusal, strangerAt, type Transport } from './call.ts';

/** The same members over HTTP: properties are promises, functions return promises. */
type Over<T> = {
  readonly [K in keyof T]: T[K] extends (...given: infer A) => infer R ? (...given: A) => Promise<Awaited<R>> : Promise<T[K]>;
};
type OverEach<T> = { readonly [K in keyof T]: Over<T[K]> };

/** Members that are the same, but asynchronous. */
type Same =
  | 'auth'
  | 'keys'
  | 'requests'
  | 'deliveries'
  | 'timeline'
  | 'compatibility'
  | 'choices'
  | 'choose'
  | 'release'
  | 'become'
  | 'forwardCompat'
  | 'moveAhead';

/** A mock in another process: the members of an in-process mock, but asynchronous. */
export interface RemoteMock extends Over<Pick<Mock, Same>>, OverEach<MockRecords> {
  /** Id of the world; `default` for a mock's first one. */
  readonly id: string;
  /** URL of its service; ends in `/v1`. */
  readonly baseUrl: string;
  /** URL of its control API; ends in `/_mock`. */
  readonly controlUrl: string;
  /** Calls the service. A path is relative to the base URL. */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
  readonly clock: Over<MockClock>;
  readonly faults: Over<MockFaults>;
  readonly webhooks: Over<Pick<Mock['webhooks'], 'settled' | 'replay' | 'simulate'>>;
  /** Saves the state. */
  snapshot(): Promise<{ readonly id: string; restore(): Promise<void> }>;
  /** An independent world of the same mock; closing it deletes it. */
  fork(options?: ForkOptions): Promise<RemoteMock>;
  /** The world as it was after a step of its recording, or before it, as a new world. */
  rewind(step: number, options?: { readonly before?: boolean; readonly id?: string }): Promise<RemoteMock>;
  /** What was created, removed or changed in another world of the same mock: records with their fields, and deliveries. */
  diff(other: Pick<RemoteMock, 'id'>): Promise<WorldDiff>;
  /** Resets to the seed. */
  reset(): Promise<void>;
  /** Deletes its world; a mock's first world stays. */
  close(): Promise<void>;
  /** Every call of the control API. */
  readonly control: ControlCall;
}

export interface ConnectOptions {
  /** The value of `--control-token`, or the token that the mock printed. */
  readonly token?: string;
  /** Used instead of the global one. */
  readonly fetch?: typeof globalThis.fetch;
}

type Call = ReturnType<typeof callAt>;
const nothing = async (asked: Promise<unknown>): Promise<void> => void (await asked);
/** Returns undefined instead of throwing when nothing has the id. */
const orNothing = (asked: Promise<unknown>): Promise<unknown> =>
  asked.catch((error: Refusal) => {
    if (error.status !== 404) throw error;
    return undefined;
  });

interface Page {
  readonly items: readonly unknown[];
  readonly next_cursor?: string;
}

/** A complete list, read page by page: each page of a log precedes the one read before. */
const whole = async (call: Call, stated: string, query: object = {}, log = false): Promise<Page> => {
  const { next_cursor: cursor, ...page } = (await call(stated, query)) as Page;
  if (cursor === undefined) return page;
  const { items } = await whole(call, stated, { ...query, cursor }, log);
  return { ...page, items: log ? [...items, ...page.items] : [...page.items, ...items] };
};
const itemsOf = async (...asked: Parameters<typeof whole>) => (await whole(...asked)).items;
const logOf = (call: Call, stated: string) => itemsOf(call, stated, {}, true);

/** The names of records, singular and plural. */
export const KINDS: { readonly [One in keyof MockRecords['create']]: `${One}s` } = {
  project: 'projects',
  task: 'tasks',
  user: 'users',
  team: 'teams',
  comment: 'comments',
  webhook: 'webhooks',
  key: 'keys',
};

const recordsOver = (call: Call): OverEach<MockRecords> => {
  const every = (name: string, query?: object) => itemsOf(call, `GET /data/${name}`, query);
  const each = (make: (name: string) => unknown) =>
    Object.fromEntries(Object.entries(KINDS).map(([one, name]) => [one, make(name)]));
  const many = Object.fromEntries(Object.values(KINDS).map((name) => [name, (query?: object) => every(name, query)]));
  return {
    create: each((name) => (draft?: object) => call(`POST /data/${name}`, draft ?? {})),
    read: { ...each((name) => (id: string) => orNothing(call(`GET /data/${name}/{id}`, id))), ...many },
    update: each((name) => (id: string, patch: object) => call(`PATCH /data/${name}/{id}`, id, patch)),
    remove: each((name) => (id: string) => call(`DELETE /data/${name}/{id}`, id)),
  } as unknown as OverEach<MockRecords>;
};

const clockOver = (control: ControlCall): RemoteMock['clock'] => {
  const set = (time?: string | number | Date, mode?: 'running' | 'frozen') => {
    const now = time instanceof Date ? time.toISOString() : time;
    return nothing(control('POST /clock', { ...(now === undefined ? {} : { now }), ...(mode && { mode }) }));
  };
  return {
    get now() {
      return control('GET /clock').then(({ now }) => now);
    },
    get mode() {
      return control('GET /clock').then(({ mode }) => mode);
    },
    advance: (by) =>
      control('POST /clock/advance', by === 'next' ? { to: by } : { by }) as unknown as ReturnType<
        RemoteMock['clock']['advance']
      >,
    set,
    freeze: (now) => set(now, 'frozen'),
    run: () => set(undefined, 'running'),
  };
};

const faultsOver = (control: ControlCall): RemoteMock['faults'] => ({
  add: (fault) => control('POST /faults', fault) as ReturnType<RemoteMock['faults']['add']>,
  list: () => itemsOf(control as Call, 'GET /faults') as ReturnType<RemoteMock['faults']['list']>,
  remove: async (id) => (await orNothing(control('DELETE /faults/{id}', id).then(() => true))) === true,
  clear: () => control('DELETE /faults'),
  release: (id, request) => nothing(control('POST /faults/{id}/release', id, request === undefined ? {} : { request })),
});

const webhooksOver = (control: ControlCall): RemoteMock['webhooks'] => ({
  // Nothing is due later than now: what is due ends before the answer.
  settled: () => nothing(control('POST /clock/advance', { by: 0 })),
  replay: (delivery) =>
    control('POST /deliveries/{id}/replay', delivery) as unknown as ReturnType<RemoteMock['webhooks']['replay']>,
  simulate: (webhook, outcomes) => nothing(control('POST /webhooks/{id}/simulate', webhook, { outcomes })),
});

const snapshotOver = async (control: ControlCall): ReturnType<RemoteMock['snapshot']> => {
  const { id } = await control('POST /snapshots');
  return { id, restore: () => nothing(control('POST /snapshots/{id}/restore', id)) };
};

const mockAt = (transport: Transport): RemoteMock => {
  const { url, fetch } = transport;
  const call = callAt(transport);
  const control = call as ControlCall;
  const records = recordsOver(call);
  const [root, world] = url.replace(/\/_mock$/, '').split('/worlds/') as [string, string?];
  const baseUrl = url.replace(/_mock$/, 'v1');
  const at = (id: string) => mockAt({ ...transport, url: `${root}/worlds/${encodeURIComponent(id)}/_mock` });
  const keysOf = () => records.read.keys({ revoked: false }) as Promise<readonly unknown[]> as RemoteMock['keys'];
  const released = () => control('GET /release');
  return {
    ...records,
    id: world ?? 'default',
    baseUrl,
    controlUrl: url,
    control,
    fetch: (input, init) => fetch(typeof input === 'string' && input.startsWith('/') ? baseUrl + input : input, init),
    auth: async (scope, workspace) => authFrom(await keysOf(), scope, workspace),
    get keys() {
      return keysOf();
    },
    get requests() {
      return logOf(call, 'GET /requests') as RemoteMock['requests'];
    },
    get deliveries() {
      return logOf(call, 'GET /deliveries') as RemoteMock['deliveries'];
    },
    get timeline() {
      return logOf(call, 'GET /timeline') as RemoteMock['timeline'];
    },
    get compatibility() {
      return control('GET /compatibility');
    },
    get choices() {
      return control('GET /choices').then(({ answers }) => answers as unknown as Awaited<RemoteMock['choices']>);
    },
    choose: (answers) => nothing(control('PATCH /choices', answers as Readonly<Record<string, string>>)),
    get release() {
      return released().then(({ release }) => release);
    },
    become: (release) => nothing(control('PATCH /release', { release })),
    get forwardCompat() {
      return released().then(({ forward_compat: kinds }) => kinds);
    },
    moveAhead: (kinds) => nothing(control('PATCH /release', { forward_compat: typeof kinds === 'string' ? [kinds] : kinds })),
    clock: clockOver(control),
    faults: faultsOver(control),
    webhooks: webhooksOver(control),
    snapshot: () => snapshotOver(control),
    fork: async ({ from = 'current', mintKeys = false, ...named } = {}) =>
      at((await control('POST /worlds', { from, mint_keys: mintKeys, ...named })).id),
    rewind: async (step, options) => at((await control('POST /worlds', { ...options, at: step })).id),
    diff: (other) => whole(call, 'GET /diff', { from: world ?? 'default', to: other.id }) as Promise<Page> as Promise<WorldDiff>,
    reset: () => nothing(control('POST /reset')),
    close: async () => {
      if (world !== undefined) await callAt({ ...transport, url: `${root}/_mock` })('DELETE /worlds/{id}', world);
    },
  };
};

/** `http://…`, `http://…/_mock` and `http://…/v1` all lead to the control API. */
const controlUrlOf = (given: string | URL): string => {
  const text = String(given);
  if (!/^https?:/.test(text) || !URL.canParse(text))
    throw new TypeError(
      `connect: expected the control_url that a mock prints at its start, such as http://127.0.0.1:4700/_mock, got ${JSON.stringify(given)}. docs/connect.md of wm-mock has more.`,
    );
  return `${text.replace(/[?#].*/s, '').replace(/\/*(_mock|v1)?\/*$/, '')}/_mock`;
};

/**
 * The mock, or world, whose control API is at an address. @throws TypeError when the address is invalid, or an option is
 * unknown, Error when no mock responds there or the token is wrong
 */
export const connect = async (
  controlUrl: string | URL,
  { token, fetch = globalThis.fetch, ...others }: ConnectOptions = {},
): Promise<RemoteMock> => {
  const [unknown] = Object.keys(others);
  if (unknown !== undefined)
    throw new TypeError(
      `connect is refused: ${unknown}: unknown field, expected token or fetch. docs/connect.md of wm-mock has more.`,
    );
  const url = controlUrlOf(controlUrl);
  const mock = mockAt({ url, token, fetch });
  const clock: unknown = await mock.control('GET /clock');
  if (typeof clock !== 'object') throw strangerAt(url);
  return mock;
};

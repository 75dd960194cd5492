// Connects to a mock in another process: the same typed mock, over its control API. Loads nothing of the mock.
import { bearer, CHANGES, chooseKey, type MemberCall, type MemberCalls, READS, RECORDS, RESTORE } from '../mock/api/members.ts';
import type { Mock, MockRecords } from '../mock/api/mock.ts';
import type { WorldDiff } from '../mock/control/diff.ts';
import type { CallInput } from '../mock/control/recorder.ts';
import { mapValues } from '../service/contract/keyed.ts';
import { type ControlCall, createCaller, createStrangerError, type Refusal, type Transport } from './call.ts';

/** Result of a member over HTTP. */
type Far<R> = R extends Mock ? RemoteMock : R extends { restore(): void } ? Omit<R, 'restore'> & { restore(): Promise<void> } : R;
/** These members over HTTP: properties are promises, functions return promises. */
type Over<T> = {
  readonly [K in keyof T]: T[K] extends (...given: infer A) => infer R
    ? (...given: A) => Promise<Far<Awaited<R>>>
    : Promise<T[K]>;
};
type Own = keyof typeof CHANGES.mock | keyof typeof READS.mock | 'auth' | 'key' | 'close';
type Part<P extends 'clock' | 'faults' | 'webhooks'> = Over<
  Pick<Mock[P], (keyof (typeof CHANGES)[P] | keyof (typeof READS)[P]) & keyof Mock[P]>
>;

/** A mock in another process: the members of an in-process mock, but asynchronous. `close` deletes its world, but for the first one. */
export interface RemoteMock extends Over<Pick<Mock, Own>> {
  /** Id of the world; `default` for a mock's first one. */
  readonly id: string;
  /** URL of its service; ends in `/v1`. */
  readonly baseUrl: string;
  /** URL of its control API; ends in `/_mock`. */
  readonly controlUrl: string;
  /** Calls the service. A path is relative to the base URL. */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
  readonly clock: Part<'clock'>;
  readonly faults: Part<'faults'>;
  readonly webhooks: Part<'webhooks'>;
  readonly create: Over<MockRecords['create']>;
  readonly read: Over<MockRecords['read']>;
  readonly update: Over<MockRecords['update']>;
  readonly remove: Over<MockRecords['remove']>;
  /** Differences in another world of the same mock: records with their fields, and deliveries. */
  diff(other: Pick<RemoteMock, 'id'>): Promise<WorldDiff>;
  /** Every call of the control API. */
  readonly control: ControlCall;
}

export interface ConnectOptions {
  /** The value of `--control-token`, or the token that the mock printed. */
  readonly token?: string | undefined;
  /** Used instead of the global one. */
  readonly fetch?: typeof globalThis.fetch;
}

interface RemotePage {
  readonly items: readonly unknown[];
  readonly next_cursor?: string;
}

/** A complete list, read page by page. */
const readPages = async (
  read: (query: object) => Promise<unknown>,
  query: object,
  kind?: 'list' | 'log',
): Promise<RemotePage> => {
  const { next_cursor: cursor, ...page } = (await read(query)) as RemotePage;
  if (cursor === undefined) return page;
  const { items } = await readPages(read, { ...query, cursor }, kind);
  return { ...page, items: kind === 'log' ? [...items, ...page.items] : [...page.items, ...items] };
};

const createRemoteMock = (transport: Transport): RemoteMock => {
  const { url, fetch } = transport;
  const call = createCaller(transport);
  const [root, world] = url.replace(/\/_mock$/, '').split('/worlds/') as [string, string?];
  const baseUrl = url.replace(/_mock$/, 'v1');
  const at = (id: string) => createRemoteMock({ ...transport, url: `${root}/worlds/${encodeURIComponent(id)}/_mock` });
  const ask = async (member: MemberCall, given: readonly unknown[]): Promise<unknown> => {
    const { variable, query, body } = (member.input as (...given: readonly unknown[]) => CallInput)(...given);
    const filled = variable === undefined ? [] : [variable];
    try {
      const response = member.pages
        ? await readPages((asked) => call(member.call, ...filled, asked), query ?? {}, member.pages)
        : await call(member.call, ...filled, body);
      return member.result?.(response as never, owner);
    } catch (error) {
      if ('missing' in member && (error as Refusal).status === 404) return member.missing;
      throw error;
    }
  };
  const owner = { at, restore: (id: string) => ask(RESTORE, [id]) };
  const membersOf = (members: MemberCalls) =>
    Object.defineProperties(
      {},
      mapValues(members, (member): PropertyDescriptor => {
        const value = (...given: unknown[]) => ask(member, given);
        return { enumerable: true, ...(member.isProperty ? { get: value } : { value }) };
      }),
    );
  const mock = membersOf({ ...CHANGES.mock, ...READS.mock }) as RemoteMock;
  const choose = async (member: 'auth' | 'key', scope: string, workspace?: string) =>
    chooseKey(member, await mock.keys, scope, workspace);
  return Object.assign(mock, {
    ...mapValues(RECORDS, membersOf),
    clock: membersOf({ ...CHANGES.clock, ...READS.clock }),
    faults: membersOf({ ...CHANGES.faults, ...READS.faults }),
    webhooks: membersOf({ ...CHANGES.webhooks, ...READS.webhooks }),
    id: world ?? 'default',
    baseUrl,
    controlUrl: url,
    control: call as ControlCall,
    fetch: (input: string | URL | Request, init?: RequestInit) =>
      fetch(typeof input === 'string' && input.startsWith('/') ? baseUrl + input : input, init),
    auth: async (scope: string, workspace?: string) => bearer(await choose('auth', scope, workspace)),
    key: (scope: string, workspace?: string) => choose('key', scope, workspace),
    diff: ({ id }: Pick<RemoteMock, 'id'>) =>
      readPages((query) => call('GET /diff', query), { from: world ?? 'default', to: id }),
    close: async () => {
      if (world !== undefined) await createCaller({ ...transport, url: `${root}/_mock` })('DELETE /worlds/{id}', world);
    },
  });
};

/** `http://…`, `http://…/_mock` and `http://…/v1` all lead to the control API. */
const controlUrlOf = (given: string | URL): string => {
  const text = String(given);
  if (!/^https?:/.test(text) || !URL.canParse(text))
    throw new TypeError(
      `connect: expected the control_url that a mock prints at its start, such as http://127.0.0.1:4700/_mock, got ${JSON.stringify(given)}. docs/exec.md of wm-mock has more.`,
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
  const says = `connect is refused: ${unknown}: unknown field, expected token or fetch. docs/exec.md of wm-mock has more.`;
  if (unknown !== undefined) throw new TypeError(says);
  if (/[^\x20-\x7e]/.test(token ?? ''))
    throw new TypeError('connect is refused: token: expected ASCII. docs/exec.md of wm-mock has more.');
  const url = controlUrlOf(controlUrl);
  const mock = createRemoteMock({ url, token, fetch });
  const clock: unknown = await mock.control('GET /clock');
  if (typeof clock !== 'object') throw createStrangerError(url);
  return mock;
};

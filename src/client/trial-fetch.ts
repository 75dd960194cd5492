// The requests of a mock under trial: refused or late once, with cursors in another form, in other orders; and noted.
import type { App, Mock } from '../mock/api/mock.ts';
import { Problem } from '../service/contract/errors.ts';
import { PAGE_LIMIT } from '../service/contract/limits.ts';
import { OPERATION_IDS, type OperationId, operation } from '../service/contract/operations.ts';
import { isBelow, pathFits, rawPath, WORLD_PREFIX, worldIn } from '../service/http/paths.ts';
import { problemResponse, shareWithOrigin } from '../service/http/respond.ts';
import { isClosed } from '../service/http/respond-with-fault.ts';
import { readJson } from '../service/validation/json-text.ts';
import { hash32 } from '../service/world/random.ts';
import { wait } from '../service/world/time.ts';
import type { Behaviour, RequestChange, RequestEffect } from './conditions.ts';
import { delayResponses, type Order } from './delayed-responses.ts';
import type { ExchangeNote, Note } from './notes.ts';

/** How late a response comes that is to show whether lateness alone breaks a test. */
export const LATE_MS = 1500;
const MAX_NOTED_CHARACTERS = 20_000;

const findOperation = (method: string, path: string): OperationId | undefined =>
  OPERATION_IDS.find((id) => operation(id).method === method && pathFits(operation(id).path, path));

/** The path below `/v1`, and the world before it. */
const readTarget = (request: Request) => {
  const path = rawPath(request.url);
  const below = path.replace(WORLD_PREFIX, '').slice('/v1'.length);
  const query = request.url.slice(request.url.indexOf(path) + path.length).replace(/#.*/s, '');
  return { world: worldIn(path), path: below, query, operation: findOperation(request.method, below) };
};
type Target = ReturnType<typeof readTarget>;

const changeHeaders = (response: Response, headers: Readonly<Record<string, string | undefined>>): Response => {
  for (const [name, value] of Object.entries(headers))
    if (value === undefined) response.headers.delete(name);
    else response.headers.set(name, value);
  return response;
};

type FetchTarget = (request: Request, env: object | undefined, target: Target) => Promise<Response>;

/** A window resets at a whole second, between these milliseconds ahead. */
const MIN_RESET_MS = 500;

/** Refuses the first request of an operation in each world, or delays its response. The service itself never hears of what is refused. */
const refuseRequests = (fetch: FetchTarget, mock: Mock, changesIn: (world: string) => readonly RequestChange[]): FetchTarget => {
  /** By world and operation: when its window resets, on the clock of the mock. */
  const met = new Map<string, number>();
  const refuse = (
    request: Request,
    status: number,
    code: string,
    message: string,
    headers: Record<string, string | undefined>,
  ) => {
    const response = changeHeaders(problemResponse(mock.world, new Problem(status, code, message)), headers);
    return request.headers.has('origin') ? shareWithOrigin(request, response) : response;
  };
  const apply: Readonly<Record<RequestEffect, (...given: [...Parameters<FetchTarget>, reset: number]) => Promise<Response>>> = {
    limited: async (request, _, __, reset) =>
      refuse(request, 429, 'rate_limit_exceeded', 'The rate limit of this workspace is exceeded.', {
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': String(reset / 1000),
      }),
    unavailable: async (request) => refuse(request, 503, 'service_unavailable', 'The service is not available.', {}),
    late: async (request, env, target) => {
      const response = await fetch(request, env, target);
      await wait(LATE_MS);
      return response;
    },
  };
  return async (request, env, target) => {
    const effect = changesIn(target.world).find(({ operation }) => operation === target.operation)?.effect;
    if (!effect) return fetch(request, env, target);
    const key = `${target.world} ${target.operation}`;
    const now = mock.world.clock.now();
    const first = !met.has(key);
    const reset = met.get(key) ?? Math.ceil((now + MIN_RESET_MS) / 1000) * 1000;
    met.set(key, reset);
    const isExceeded = effect === 'limited' && mock.world.clock.mode !== 'frozen' && now < reset;
    return first || isExceeded ? apply[effect](request, env, target, reset) : fetch(request, env, target);
  };
};

/** Characters that a client has to encode in a URL. */
const SUFFIX = '+/&=';
const reverse = (text: string): string => [...text].reverse().join('');

interface ListBody {
  readonly items?: readonly { readonly id?: string }[];
  readonly meta?: { readonly limit?: number; readonly next_cursor?: string | null; readonly has_more?: boolean };
}

const withMeta = (response: Response, body: ListBody, meta: ListBody['meta']): Response =>
  changeHeaders(new Response(JSON.stringify({ ...body, meta: { ...body.meta, ...meta } }), response), {
    'content-length': undefined,
  });

/** @param ask changes the query of a list @param change the metadata of its response */
const changeLists =
  (
    fetch: FetchTarget,
    ask: (query: URLSearchParams) => void,
    change: (meta: NonNullable<ListBody['meta']>, before: URLSearchParams) => ListBody['meta'],
  ): FetchTarget =>
  async (request, env, target) => {
    if (target.operation === undefined || !operation(target.operation).list) return fetch(request, env, target);
    const url = new URL(request.url);
    const before = new URLSearchParams(url.searchParams);
    ask(url.searchParams);
    // The URL of a request that stays as it was is not written again: that would change its spelling.
    const isChanged = `${before}` !== `${url.searchParams}`;
    const response = await fetch(isChanged ? new Request(url, request) : request, env, target);
    if (response.status !== 200 || isClosed(response)) return response;
    const text = await response.text();
    const body = Object(readJson(text)) as ListBody;
    return body.meta ? withMeta(response, body, change(body.meta, before)) : new Response(text, response);
  };

/** Cursors go out reversed, and come in as the service made them. */
const changeCursors = (fetch: FetchTarget): FetchTarget =>
  changeLists(
    fetch,
    (query) => {
      const cursor = query.get('cursor');
      if (cursor?.endsWith(SUFFIX)) query.set('cursor', reverse(cursor.slice(0, -SUFFIX.length)));
    },
    ({ next_cursor: next }) => (typeof next === 'string' ? { next_cursor: `${reverse(next)}${SUFFIX}` } : {}),
  );

const limitOf = (query: URLSearchParams): number => Number(query.get('limit') ?? PAGE_LIMIT.default);

/** A page holds one record less than asked for. */
const shortenPages = (fetch: FetchTarget): FetchTarget =>
  changeLists(
    fetch,
    (query) => {
      const limit = limitOf(query);
      if (limit >= 2 && limit <= PAGE_LIMIT.max) query.set('limit', String(limit - 1));
    },
    ({ limit = 0 }, before) => (limit === limitOf(before) - 1 ? { limit: limit + 1 } : {}),
  );

const readAuthorization = (request: Request): Pick<ExchangeNote, 'authorization' | 'key'> => {
  const given = request.headers.get('authorization');
  if (given === null) return { authorization: 'none', key: 0 };
  return { authorization: /^Bearer \S+$/.test(given) ? 'bearer' : 'other', key: hash32(given) };
};

const readPage = (text: string): Pick<ExchangeNote, 'next' | 'more' | 'ids'> => {
  const { items, meta } = Object(readJson(text)) as ListBody;
  if (!Array.isArray(items) || meta === undefined) return {};
  return { next: meta.next_cursor, more: meta.has_more, ids: items.flatMap(({ id }) => id ?? []) };
};

const noteExchanges =
  (fetch: FetchTarget, mock: Mock, note: (note: ExchangeNote) => void, now: () => number): FetchTarget =>
  async (request, env, target) => {
    const at = now();
    const { method } = request;
    const sent = method === 'GET' ? '' : await request.clone().text();
    const about = {
      what: 'exchange' as const,
      world: target.world,
      at,
      method,
      path: target.path + target.query,
      operation: target.operation,
      ...readAuthorization(request),
      ...(sent !== '' && {
        contentType: request.headers.get('content-type') ?? '',
        body: readJson(sent.slice(0, MAX_NOTED_CHARACTERS)) ?? sent.slice(0, 200),
      }),
    };
    try {
      const response = await fetch(request, env, target);
      const { status, headers } = response;
      const isGone = isClosed(response);
      const list = status === 200 && method === 'GET' && !isGone ? readPage(await response.clone().text()) : {};
      const reset = Number(headers.get('x-ratelimit-reset')) * 1000 - mock.world.clock.now();
      const resetsIn = status === 429 && mock.world.clock.mode !== 'frozen' ? { resetsIn: reset } : {};
      note({ ...about, ended: now(), status: isGone ? 0 : status, ...list, ...resetsIn });
      return response;
    } catch (error) {
      note({ ...about, ended: now(), status: 0 });
      throw error;
    }
  };

export interface TrialPlan {
  readonly behaviour: Behaviour;
  /** By world: how it behaves instead. */
  readonly behaviours?: Readonly<Record<string, Behaviour>>;
  /** By world. */
  readonly orders?: Readonly<Record<string, Order>>;
  /** Idle time of a world, milliseconds. */
  readonly quietMs?: number | undefined;
  /** The worlds whose tests run; absent: all. */
  readonly worlds?: readonly string[] | undefined;
  /** Whether to note which conditions each request would notice. */
  readonly watched?: boolean;
}

export const behaviourIn = ({ behaviour, behaviours }: TrialPlan, world: string): Behaviour => behaviours?.[world] ?? behaviour;

/** Replaces the requests of a mock by those of a trial. @param now milliseconds from any origin */
export const tryRequests = (
  mock: Mock,
  plan: TrialPlan,
  note: (note: Note) => void,
  { now, isSentByTest }: { now: () => number; isSentByTest: () => boolean },
): void => {
  const app = mock.app as { fetch: App['fetch'] };
  const plain = app.fetch;
  const served: FetchTarget = async (request, env) => plain(request, env);
  const changes = { cursors: changeCursors, 'short-pages': shortenPages };
  const changed: FetchTarget = (request, env, target) => {
    const { lists = [] } = behaviourIn(plan, target.world);
    return lists.reduce((inner, name) => changes[name](inner), served)(request, env, target);
  };
  let inner = refuseRequests(changed, mock, (world) => behaviourIn(plan, world).requests ?? []);
  const { orders, quietMs } = plan;
  if (orders) {
    const refused = inner;
    const delayed = delayResponses(
      (request, env) => refused(request, env, readTarget(request)),
      (world) => orders[world] ?? [],
      (world, one) => note({ ...one, world, at: now() }),
      () => quietMs,
    );
    inner = async (request, env) => delayed(request, env);
  }
  const outer = noteExchanges(inner, mock, note, now);
  note({ what: 'mock', frozen: mock.world.clock.mode === 'frozen' });
  app.fetch = (request, env) =>
    request.method === 'OPTIONS' || !isBelow('/v1', rawPath(request.url)) || isSentByTest()
      ? plain(request, env)
      : outer(request, env, readTarget(request));
};

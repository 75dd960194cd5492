// The web application: one loop over the table, and what the service says about itself.
import { Hono } from 'hono';
import { OPERATIONS, type OperationId } from '../contract/operations.ts';
import { wait } from '../world/clock.ts';
import type { World } from '../world/world.ts';
import { readBody } from './body.ts';
import { type Asked, answer, type Reply } from './endpoint.ts';
import { anonymousQuota } from './meter.ts';

/** Where worlds are found. */
export interface Host {
  /** The world that a request is meant for; undefined when its path names one that is not there. */
  world(path: string, authorization: string | undefined): World | undefined;
  /** Delay of every answer, milliseconds. */
  readonly latency?: { readonly min: number; readonly max: number };
}

const WORLD_PREFIX = /^\/worlds\/[^/]+(?=\/)/;
const EXPOSED = 'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, WWW-Authenticate, Date';

/** The path of a URL, without its query and without decoding. */
const rawPath = (url: string): string => {
  const start = url.indexOf('/', url.indexOf('://') + 3);
  const end = url.slice(start).search(/[?#]/);
  return end < 0 ? url.slice(start) : url.slice(start, start + end);
};

let second = -1;
let dateText = '';
/** The Date header of a moment; made once a second. */
const dateOf = (now: number): string => {
  const at = Math.floor(now / 1000);
  if (at !== second) [second, dateText] = [at, new Date(at * 1000).toUTCString()];
  return dateText;
};

const respond = (world: World, { status, text, headers, quota }: Reply): Response =>
  new Response(text, {
    status,
    headers: {
      ...(text === null ? {} : { 'content-type': 'application/json' }),
      'x-ratelimit-limit': String(quota.limit),
      'x-ratelimit-remaining': String(quota.remaining),
      'x-ratelimit-reset': String(quota.reset),
      date: dateOf(world.clock.now()),
      'access-control-allow-origin': '*',
      'access-control-expose-headers': EXPOSED,
      ...headers,
    },
  });

/** The answer to a browser's question whether a page may call (CORS); it carries no key and changes nothing. */
const preflight = (world: World, request: Request): Response =>
  respond(world, {
    status: 204,
    text: null,
    quota: anonymousQuota(world),
    headers: {
      'access-control-allow-methods': 'GET, POST, PATCH, DELETE',
      'access-control-allow-headers': request.headers.get('access-control-request-headers') ?? 'authorization, content-type',
      'access-control-max-age': '600',
    },
  });

const noWorld = (): Response =>
  Response.json(
    { error: { code: 'not_found', message: 'No world has this id. It may have been deleted.', details: {} } },
    { status: 404 },
  );

const isPreflight = (request: Request): boolean =>
  request.method === 'OPTIONS' && request.headers.has('access-control-request-method');

type Known = Pick<Asked, 'id' | 'allowed' | 'variable'>;

const serve = (host: Host, request: Request, known: Known): Response | Promise<Response> => {
  const authorization = request.headers.get('authorization') ?? undefined;
  const world = host.world(rawPath(request.url), authorization);
  if (!world) return noWorld();
  if (isPreflight(request)) return preflight(world, request);
  const asked = { ...known, url: request.url, authorization, contentType: request.headers.get('content-type') ?? undefined };
  const takesBody = known.id !== undefined && 'body' in OPERATIONS[known.id];
  if (!takesBody) return respond(world, answer(world, { ...asked, body: undefined }));
  return readBody(request).then((body) => respond(world, answer(world, { ...asked, body })));
};

/** The same, kept back for as long as the host's latency says. */
const serveSlowly = async (host: Host, request: Request, known: Known): Promise<Response> => {
  const { min, max } = host.latency ?? { min: 0, max: 0 };
  const random = host.world(rawPath(request.url), undefined)?.random;
  await wait(min + Math.floor((max - min + 1) * (random?.fraction('latency') ?? 0)));
  return serve(host, request, known);
};

const toPattern = (path: string): string => `/v1${path.replace(/\{(\w+)\}/g, ':$1')}`;

const matches = (pattern: string, path: string): boolean => {
  const [a, b] = [pattern.split('/'), path.split('/')];
  return a.length === b.length && a.every((part, i) => part.startsWith(':') || part === b[i]);
};

/** The service under `/v1`, and under `/worlds/{id}/v1` for every world of the host. */
export const createApp = (host: Host): Hono => {
  const app = new Hono({ getPath: (request) => rawPath(request.url).replace(WORLD_PREFIX, '') });
  const handle = host.latency ? serveSlowly : serve;
  const rows = Object.entries(OPERATIONS) as [OperationId, { method: string; path: string }][];
  for (const [id, { method, path }] of rows) {
    const name = /\{(\w+)\}/.exec(path)?.[1];
    app.on(method, toPattern(path), (c) =>
      handle(host, c.req.raw, { id, allowed: [], variable: name === undefined ? undefined : c.req.param(name) }),
    );
  }
  app.notFound((c) => {
    const allowed = rows.filter(([, row]) => matches(toPattern(row.path), c.req.path)).map(([, row]) => row.method);
    return handle(host, c.req.raw, { id: undefined, allowed, variable: undefined });
  });
  return app;
};

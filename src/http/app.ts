// The web application: one loop over the table, and what the service says about itself.
import { Hono } from 'hono';
import { OPERATIONS, type OperationId } from '../contract/operations.ts';
import { wait } from '../world/clock.ts';
import { type RawBody, readBody } from './body.ts';
import { type Asked, answer } from './endpoint.ts';
import { keptAsked, keptReply, type Realm } from './exchange.ts';
import { bearerOf, keyWithValue } from './identify.ts';
import { pathFits, toPattern, variableOf } from './paths.ts';
import { isPreflight, noWorld, preflight, respond } from './respond.ts';
import { type Socket, strike } from './strike.ts';

/** Where worlds are found. */
export interface Host {
  /** The world that a request is meant for, with what stands round it; undefined when its path names one that is not there. */
  realm(path: string, authorization: string | undefined): Realm | undefined;
  /** Delay of every answer, milliseconds. */
  readonly latency?: { readonly min: number; readonly max: number };
}

/** What stands before the path of a world other than the default one. */
export const WORLD_PREFIX = /^\/worlds\/[^/]+(?=\/)/;
/** The path of a URL, without its query and without decoding. */
export const rawPath = (url: string): string => {
  const start = url.indexOf('/', url.indexOf('://') + 3);
  const end = url.slice(start).search(/[?#]/);
  return end < 0 ? url.slice(start) : url.slice(start, start + end);
};

type Known = Pick<Asked, 'id' | 'allowed' | 'variable'>;

/** What Node tells of a request; nothing elsewhere. */
type Env = (Socket & { readonly incoming?: { readonly rawHeaders: readonly string[] } }) | undefined;

const ask = (request: Request, known: Known, authorization: string | undefined, env: Env, body: RawBody | undefined): Asked => ({
  id: known.id,
  allowed: known.allowed,
  variable: known.variable,
  method: request.method,
  url: request.url,
  headers: env?.incoming?.rawHeaders ?? request.headers,
  authorization,
  contentType: request.headers.get('content-type') ?? undefined,
  body,
});

/** Answers, and writes it down. */
const conclude = (realm: Realm, asked: Asked): Response => {
  const { world, journal } = realm;
  const at = world.clock.now();
  const { choices } = world;
  journal.begin();
  const reply = answer(world, asked);
  const [number, ended, changes] = [journal.next, world.clock.now(), journal.changes()];
  journal.add({
    number,
    at,
    ended,
    asked: keptAsked(asked),
    reply: keptReply(reply),
    choices,
    changes,
    fault: undefined,
    aborted: false,
  });
  return respond(reply, at);
};

/** The fault that strikes a request, and the request without it when none does. */
const meetOrConclude = (realm: Realm, asked: Asked, env: Env): Response | Promise<Response> => {
  const { world, faults } = realm;
  if (faults.size === 0) return conclude(realm, asked);
  const path = rawPath(asked.url).replace(WORLD_PREFIX, '').replace(/^\/v1/, '');
  const key = () => keyWithValue(world, bearerOf(asked.authorization) ?? '')?.value.id;
  const fault = faults.meet({ method: asked.method, path, operation: asked.id, key }, (id) =>
    world.random.fraction(`fault:${id}`),
  );
  return fault ? strike(realm, asked, fault, env) : conclude(realm, asked);
};

const serve = (host: Host, request: Request, known: Known, env: Env): Response | Promise<Response> => {
  const authorization = request.headers.get('authorization') ?? undefined;
  const realm = host.realm(rawPath(request.url), authorization);
  if (!realm) return noWorld();
  if (isPreflight(request)) return preflight(realm.world, request);
  const takesBody = known.id !== undefined && 'body' in OPERATIONS[known.id];
  if (!takesBody) return meetOrConclude(realm, ask(request, known, authorization, env, undefined), env);
  return readBody(request).then((body) => meetOrConclude(realm, ask(request, known, authorization, env, body), env));
};

/** The same, kept back for as long as the host's latency says. */
const serveSlowly = async (host: Host, request: Request, known: Known, env: Env): Promise<Response> => {
  const { min, max } = host.latency ?? { min: 0, max: 0 };
  const random = host.realm(rawPath(request.url), request.headers.get('authorization') ?? undefined)?.world.random;
  await wait(min + Math.floor((max - min + 1) * (random?.fraction('latency') ?? 0)));
  return serve(host, request, known, env);
};

const NONE: readonly string[] = [];

/** The service under `/v1`, and under `/worlds/{id}/v1` for every world of the host. */
export const createApp = (host: Host): Hono => {
  const app = new Hono({ getPath: (request) => rawPath(request.url).replace(WORLD_PREFIX, '') });
  const handle = host.latency ? serveSlowly : serve;
  const rows = Object.entries(OPERATIONS) as [OperationId, { method: string; path: string }][];
  for (const [id, { method, path }] of rows) {
    const name = variableOf(path);
    app.on(method, toPattern(`/v1${path}`), (c) =>
      handle(host, c.req.raw, { id, allowed: NONE, variable: name === undefined ? undefined : c.req.param(name) }, c.env as Env),
    );
  }
  app.notFound((c) => {
    const allowed = rows.filter(([, row]) => pathFits(`/v1${row.path}`, c.req.path)).map(([, row]) => row.method);
    return handle(host, c.req.raw, { id: undefined, allowed, variable: undefined }, c.env as Env);
  });
  app.onError((error) => {
    throw error;
  });
  return app;
};

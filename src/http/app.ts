// The web application: one loop over the table, and what the service says about itself.
import { Hono } from 'hono';
import type { Contract } from '../contract/at-release.ts';
import { OPERATIONS, type OperationId } from '../contract/operations.ts';
import { wait } from '../world/clock.ts';
import { type RawBody, readBody } from './body.ts';
import { answer } from './endpoint.ts';
import { type Asked, keptAsked, type Realm } from './exchange.ts';
import { bearerOf, keyWithValue } from './identify.ts';
import { pathFits, rawPath, toPattern, variableOf, WORLD_PREFIX } from './paths.ts';
import { isPreflight, noWorld, preflight, respond } from './respond.ts';
import { type Socket, strike } from './strike.ts';

export { rawPath, WORLD_PREFIX };

/** Where worlds are found. */
export interface Host {
  /** The world that a request is meant for, with what stands round it; undefined when its path names one that is not there. */
  realm(path: string, authorization: string | undefined): Realm | undefined;
  /** Delay of every answer, milliseconds. */
  readonly latency?: { readonly min: number; readonly max: number };
}

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
  const { terms } = world;
  journal.begin();
  const reply = answer(world, asked);
  const [number, ended, changes] = [journal.next, world.clock.now(), journal.changes()];
  journal.add({
    number,
    at,
    ended,
    asked: keptAsked(asked),
    reply,
    terms,
    changes,
    fault: undefined,
    aborted: false,
  });
  return respond(reply, at, terms);
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
  // Of a world that is not there a page must be able to read so.
  const { world } = realm ?? host.realm('/', undefined)!;
  if (isPreflight(request)) return preflight(world, request);
  if (!realm) return noWorld(world);
  const { operations } = world.terms.contract;
  const there = known.id !== undefined && operations[known.id] ? known : noRoute(operations, request.url);
  const takesBody = there.id !== undefined && 'body' in OPERATIONS[there.id];
  if (!takesBody) return meetOrConclude(realm, ask(request, there, authorization, env, undefined), env);
  return readBody(request).then((body) => meetOrConclude(realm, ask(request, there, authorization, env, body), env));
};

const methodsOf = (operations: Contract['operations'], path: string): string[] =>
  Object.values(operations)
    .filter((row) => pathFits(`/v1${row.path}`, path))
    .map(({ method }) => method);

/** No operation, or one that the release of the world does not have. */
const noRoute = (operations: Contract['operations'], url: string): Known => ({
  id: undefined,
  allowed: methodsOf(operations, rawPath(url).replace(WORLD_PREFIX, '')),
  variable: undefined,
});

/** The same, kept back for as long as the host's latency says. */
const serveSlowly = async (host: Host, request: Request, known: Known, env: Env): Promise<Response> => {
  const { min, max } = host.latency ?? { min: 0, max: 0 };
  const realm = host.realm(rawPath(request.url), request.headers.get('authorization') ?? undefined);
  await wait(min + Math.floor((max - min + 1) * (realm?.world.random.fraction('latency') ?? 0)), realm?.closing);
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
    return handle(host, c.req.raw, { id: undefined, allowed: NONE, variable: undefined }, c.env as Env);
  });
  app.onError((error) => {
    throw error;
  });
  return app;
};

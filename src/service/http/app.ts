// The web application: one loop over the table, and what the service says about itself.
import { Hono } from 'hono';
import type { Contract } from '../contract/at-release.ts';
import { Problem } from '../contract/errors.ts';
import { BODY_BYTES } from '../contract/limits.ts';
import { OPERATIONS, type OperationId } from '../contract/operations.ts';
import { wait } from '../world/time.ts';
import { type RawBody, readBody } from './body.ts';
import { answer } from './endpoint.ts';
import { type Asked, brief, type Service } from './exchange.ts';
import { faultTarget } from './fault-target.ts';
import { isBelow, pathFits, pathIn, rawPath, toPattern, variableOf, WORLD_PREFIX } from './paths.ts';
import { isPreflight, noWorld, preflight, refused, respond } from './respond.ts';
import type { Services } from './services.ts';
import { type Socket, strike } from './strike.ts';

export { isBelow, rawPath, WORLD_PREFIX };

type Known = Pick<Asked, 'id' | 'allowed' | 'variable'>;

/** What Node tells of a request; nothing elsewhere. */
type Env =
  | (Socket & { readonly incoming?: { readonly rawHeaders: readonly string[] }; readonly Response?: typeof Response })
  | undefined;

/** The headers of the last request: a client's next ones mostly have the same, and the journal keeps them once. */
let last: readonly string[] = [];
const shared = (headers: readonly string[]): readonly string[] => {
  const same = headers.length === last.length && headers.every((text, i) => text === last[i]);
  if (!same) last = headers;
  return last;
};

const ask = (request: Request, known: Known, authorization: string | undefined, env: Env, body: RawBody | undefined): Asked => ({
  id: known.id,
  allowed: known.allowed,
  variable: known.variable,
  method: request.method,
  url: request.url,
  headers: env?.incoming ? shared(env.incoming.rawHeaders) : request.headers,
  authorization,
  contentType: request.headers.get('content-type') ?? undefined,
  body,
});

/** Answers, and writes it down. */
const conclude = (service: Service, asked: Asked, env: Env): Response => {
  const { world, journal } = service;
  const at = world.clock.now();
  const real = world.clock.time.now();
  const { terms } = world;
  const place = journal.begin();
  const reply = answer(world, asked);
  const [number, ended, changes] = [journal.next, world.clock.now(), journal.changes()];
  journal.add({ number, place, real, at, ended, asked: brief(asked), reply, terms, changes, fault: undefined, aborted: false });
  return respond(reply, at, terms, env?.Response);
};

/** The fault that strikes a request, and the request without it when none does. */
const meetOrConclude = (service: Service, asked: Asked, env: Env): Response | Promise<Response> => {
  const { world, faults } = service;
  if (faults.size === 0) return conclude(service, asked, env);
  const fault = faults.meet(faultTarget(world, asked), (id) => world.random.fraction(`fault:${id}`));
  return fault ? strike(service, asked, fault, env) : conclude(service, asked, env);
};

const serve = (services: Services, request: Request, known: Known, env: Env): Response | Promise<Response> => {
  const authorization = request.headers.get('authorization') ?? undefined;
  const service = services.service(rawPath(request.url), authorization);
  // Of a world that is not there a page must be able to read so.
  const { world } = service ?? services.service('/', undefined)!;
  if (isPreflight(request)) return preflight(world, request);
  if (!service) return noWorld(world);
  const there = knownTo(service, known, request.url);
  if (there.id === undefined || !('body' in OPERATIONS[there.id]))
    return go(service, ask(request, there, authorization, env, undefined), request, env);
  const read = readBody(request, BODY_BYTES, services.reading);
  // While it was read, the world may have become another one.
  const turned = service.turn ? read.then(service.turn) : read;
  const answered = (body: RawBody) => {
    const now = services.service(rawPath(request.url), authorization);
    return now ? go(now, ask(request, knownTo(now, known, request.url), authorization, env, body), request, env) : noWorld(world);
  };
  return turned.then(answered, (error) => {
    if (error instanceof Problem) return refused(world, error);
    throw error;
  });
};

const go = (service: Service, asked: Asked, request: Request, env: Env): Response | Promise<Response> => {
  service.came?.(request, asked.body);
  return meetOrConclude(service, asked, env);
};

/** The operation, where the release of the world has it. */
const knownTo = ({ world }: Service, known: Known, url: string): Known => {
  const { operations } = world.terms.contract;
  return known.id !== undefined && operations[known.id] ? known : noRoute(operations, url);
};

const methodsOf = (operations: Contract['operations'], path: string): string[] =>
  Object.values(operations)
    .filter((row) => pathFits(`/v1${row.path}`, path))
    .map(({ method }) => method);

/** No operation, or one that the release of the world does not have. */
const noRoute = (operations: Contract['operations'], url: string): Known => {
  return { id: undefined, allowed: methodsOf(operations, pathIn(url)), variable: undefined };
};

/** The same, kept back for as long as the host's latency says. */
const serveSlowly = async (services: Services, request: Request, known: Known, env: Env): Promise<Response> => {
  const { min, max } = services.latency ?? { min: 0, max: 0 };
  const service = services.service(rawPath(request.url), request.headers.get('authorization') ?? undefined);
  await wait(min + Math.floor((max - min + 1) * (service?.world.random.fraction('latency') ?? 0)), service?.closing);
  return serve(services, request, known, env);
};

const NONE: readonly string[] = [];

/** The service under `/v1`, and under `/worlds/{id}/v1` for every world of the host. */
export const createApp = (services: Services): Hono => {
  const app = new Hono({ getPath: (request) => pathIn(request.url) });
  const handle = services.latency ? serveSlowly : serve;
  const rows = Object.entries(OPERATIONS) as [OperationId, { method: string; path: string }][];
  for (const [id, { method, path }] of rows) {
    const name = variableOf(path);
    app.on(method, toPattern(`/v1${path}`), (c) =>
      handle(services, c.req.raw, { id, allowed: NONE, variable: name && c.req.param(name) }, c.env as Env),
    );
  }
  const unknown = { id: undefined, allowed: NONE, variable: undefined };
  app.notFound((c) => handle(services, c.req.raw, unknown, c.env as Env));
  app.onError((error) => {
    throw error;
  });
  return app;
};

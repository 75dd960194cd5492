// The web application: one loop over the table, and what the service says about itself.
import { type Context, Hono } from 'hono';
import { Problem } from '../contract/errors.ts';
import { OPERATION_IDS, operation } from '../contract/operations.ts';
import type { FaultTarget } from '../world/fault-match.ts';
import { wait } from '../world/time.ts';
import type { World } from '../world/world.ts';
import { type RawBody, readBody } from './body.ts';
import { handleRequest } from './endpoint.ts';
import { performExchange, type Service, type Services } from './exchange.ts';
import { keyWithValue } from './identify.ts';
import { pathIn, rawPath, toPattern, variableOf } from './paths.ts';
import { RequestInfo, type Route } from './request-info.ts';
import { isPreflight, preflightResponse, problemResponse, respond, shareWithOrigin, unknownWorldResponse } from './respond.ts';
import { respondWithFault, type Socket } from './respond-with-fault.ts';

const faultTarget = (world: World, request: RequestInfo): FaultTarget => ({
  method: request.method,
  path: request.pathInService,
  operation: request.operation,
  key: () => keyWithValue(world, request.keyValue ?? '')?.value.id,
  query: () => new URLSearchParams(request.parameters.map(([name, value]) => [name, value])),
  headers: () => request.headerMap,
  body: () => (request.text === '' ? undefined : request.json === undefined ? request.text : request.json),
});

/** The parts of Node's context that the service uses; empty elsewhere. */
type NodeEnv =
  | (Socket & { readonly incoming?: { readonly rawHeaders: readonly string[] }; readonly Response?: typeof Response })
  | undefined;

/** Without a route: each world finds that of its own release. */
const requestInfo = (request: Request, env: NodeEnv): RequestInfo =>
  new RequestInfo({
    operation: undefined,
    variable: undefined,
    method: request.method,
    url: request.url,
    headers: env?.incoming?.rawHeaders ?? request.headers,
    authorization: request.headers.get('authorization') ?? undefined,
    contentType: request.headers.get('content-type') ?? undefined,
    body: undefined,
  });

const serveRequest = (services: Services, request: Request, route: Route, env: NodeEnv): Response | Promise<Response> => {
  const info = requestInfo(request, env);
  const service = services.service(info.rawPath, info.authorization);
  // A page must be able to read that its world is missing.
  const { world } = service ?? services.service('/', undefined)!;
  if (isPreflight(request)) return preflightResponse(world, request);
  if (!service) return unknownWorldResponse(world);
  findRoute(info, route, service);
  if (info.operation === undefined || !operation(info.operation).body) return dispatch(service, info, request, env);
  const isStranger = keyWithValue(service.world, info.keyValue ?? '') === undefined;
  const read = readBody(request, { host: services.reading, isStranger });
  const turned = service.nextTurn ? read.then(service.nextTurn) : read;
  const withBody = (body: RawBody) => {
    info.body = body;
    // While the body was read, the world may have been replaced.
    const now = services.service(info.rawPath, info.authorization);
    if (!now) return unknownWorldResponse(world);
    findRoute(info, route, now);
    return dispatch(now, info, request, env);
  };
  return turned.then(withBody, (error) => {
    if (error instanceof Problem) return problemResponse(world, error);
    throw error;
  });
};

const dispatch = (service: Service, info: RequestInfo, request: Request, env: NodeEnv): Response | Promise<Response> => {
  const { world, faults } = service;
  service.noteRequest?.(request, info.body, info);
  const fault =
    faults.size === 0 ? undefined : faults.meet(faultTarget(world, info), (id) => world.random.fraction(`fault:${id}`));
  if (fault) return respondWithFault(service, info, fault, env);
  const exchange = performExchange(service, info, () => handleRequest(world, info));
  service.record(exchange);
  return respond(exchange.response, exchange.at, exchange.terms, env?.Response);
};

/** Sets the route, where the release of the world has its operation. */
const findRoute = (info: RequestInfo, { operation: id, variable }: Route, { world }: Service): void => {
  const known = id !== undefined && world.terms.contract.operations[id] !== undefined;
  info.operation = known ? id : undefined;
  info.variable = known ? variable : undefined;
};

const serveWithLatency = async (services: Services, request: Request, route: Route, env: NodeEnv): Promise<Response> => {
  const { min, max } = services.latency ?? { min: 0, max: 0 };
  const service = services.service(rawPath(request.url), request.headers.get('authorization') ?? undefined);
  await wait(min + Math.floor((max - min + 1) * (service?.world.random.fraction('latency') ?? 0)), service?.closing);
  return serveRequest(services, request, route, env);
};

export const createApp = (services: Services): Hono => {
  const app = new Hono({ getPath: (request) => pathIn(request.url) });
  const serve = services.latency ? serveWithLatency : serveRequest;
  const handle = ({ req: { raw }, env }: Context, route: Route): Response | Promise<Response> => {
    const response = serve(services, raw, route, env as NodeEnv);
    if (!raw.headers.has('origin')) return response;
    return Promise.resolve(response).then((made) => shareWithOrigin(raw, made));
  };
  for (const id of OPERATION_IDS) {
    const { method, path } = operation(id);
    const name = variableOf(path);
    app.on(method, toPattern(`/v1${path}`), (c) => handle(c, { operation: id, variable: name && c.req.param(name) }));
  }
  app.notFound((c) => handle(c, { operation: undefined, variable: undefined }));
  app.onError((error) => {
    throw error;
  });
  return app;
};

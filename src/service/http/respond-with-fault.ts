// The effects of a fault on a request: another response or none, a damaged body, a delay.
import { ERRORS, Problem } from '../contract/errors.ts';
import type { Terms } from '../contract/terms.ts';
import type { FaultEffect } from '../world/fault-draft.ts';
import { drawDelayMs, type Fault, untilReleased } from '../world/faults.ts';
import { CloseSignal, wait } from '../world/time.ts';
import type { World } from '../world/world.ts';
import { handleRequest } from './endpoint.ts';
import { performExchange, type Service, type ServiceResponse, withPageText } from './exchange.ts';
import { callerOf, challengeHeaders } from './identify.ts';
import { anonymousQuota, peekQuota, retryAfterHeaders } from './rate-limit.ts';
import type { RequestInfo } from './request-info.ts';
import { respond } from './respond.ts';
import { writeError } from './write.ts';

const GATEWAY_CODES: Readonly<Record<number, string>> = {
  502: 'bad_gateway',
  503: 'service_unavailable',
  504: 'gateway_timeout',
};

const errorCode = ({ choices }: World, status: number): string => {
  if (status === 404) return choices['not-found-code'];
  if (status === 409) return choices['conflict-code'];
  if (status >= 500) return GATEWAY_CODES[status] ?? choices['internal-code'];
  const row = Object.entries(ERRORS).find(([, { statuses }]) => (statuses as readonly number[]).includes(status));
  return row?.[0] ?? 'bad_request';
};

/** A proxy in front of the service sends no headers of its quota. */
const WITHOUT_QUOTA_HEADERS = { 'x-ratelimit-limit': null, 'x-ratelimit-remaining': null, 'x-ratelimit-reset': null };

const textType = (raw: string): string => `text/${/^\s*</.test(raw) ? 'html' : 'plain'}; charset=utf-8`;

const BODILESS_STATUSES = [204, 205, 304];

const writeOrderedError = (problem: Problem, { error }: FaultEffect, terms: Terms): string => {
  const text = writeError(problem, terms);
  if (!error?.details) return text;
  const body = JSON.parse(text) as { error: object };
  return JSON.stringify({ ...body, error: { ...body.error, details: error.details } });
};

/** The response that a fault orders, as the service would write it. Nothing is performed and nothing counted. */
const faultResponse = (world: World, request: RequestInfo, { id, effect }: Fault): ServiceResponse => {
  const { status = 500, error, raw, retry_after: seconds } = effect;
  const caller = callerOf(world, request.keyValue);
  const seen = caller ? peekQuota(world, caller) : anonymousQuota(world);
  const reset = seconds === undefined ? seen.reset : Math.ceil(world.clock.now() / 1000 + seconds);
  const quota = status === 429 ? { ...seen, remaining: 0, reset, passes: false } : seen;
  const code = error?.code ?? errorCode(world, status);
  const message = error?.message ?? `This response was ordered from the mock: ${id}.`;
  const own = status === 429 ? retryAfterHeaders(world, quota) : status === 401 ? challengeHeaders(world) : {};
  const problem = new Problem(status, code, message, { headers: raw === undefined ? own : {}, check: 'fault' });
  const response = { status, page: undefined, quota, caller, problem };
  if (raw === undefined) return { ...response, text: writeOrderedError(problem, effect, world.terms), headers: own };
  const text = BODILESS_STATUSES.includes(status) ? null : raw;
  const type = text !== null && { 'content-type': textType(raw) };
  return { ...response, text, headers: { ...WITHOUT_QUOTA_HEADERS, ...type } };
};

const applyFault = (
  sound: ServiceResponse,
  terms: Terms,
  { body, headers = {}, content_type: type, retry_after: seconds }: FaultEffect,
): ServiceResponse => {
  const own = {
    ...(type === undefined ? {} : { 'content-type': type }),
    ...(seconds === undefined ? {} : { 'retry-after': String(seconds) }),
    ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
  };
  const adjusted = Object.keys(own).length > 0 ? { ...sound, headers: { ...sound.headers, ...own } } : sound;
  return body === undefined ? adjusted : damageBody(adjusted, terms, body);
};

const DAMAGES: Readonly<Record<NonNullable<FaultEffect['body']>, (text: string) => string>> = {
  empty: () => '',
  truncated: (text) => text.slice(0, Math.ceil(text.length / 2)),
  malformed: (text) => `${text.slice(0, -1)},,`,
};

const damageBody = (sound: ServiceResponse, terms: Terms, body: keyof typeof DAMAGES): ServiceResponse => {
  const { text } = withPageText({ response: sound, terms });
  return text === null ? sound : { ...sound, page: undefined, text: DAMAGES[body](text) };
};

export class ConnectionClosed extends TypeError {
  override readonly name = 'TypeError';

  constructor() {
    super('fetch failed: a fault closed the connection');
  }
}

/** The response of an application, or something else where a fault closes the connection. */
export const fetchUnlessClosed = async <T>(
  app: { fetch(request: Request): Response | Promise<Response> },
  request: Request,
  closed: (error: ConnectionClosed) => T,
): Promise<Response | T> => {
  try {
    return await app.fetch(request);
  } catch (error) {
    if (error instanceof ConnectionClosed) return closed(error);
    throw error;
  }
};

export interface Socket {
  readonly outgoing?: { destroy(): void; once(event: 'close', left: () => void): unknown };
}

const ALREADY_SENT = 'x-hono-already-sent';

/** Ends a connection without a response. @throws ConnectionClosed when it has no socket */
const closeConnection = (socket: Socket | undefined): Response => {
  if (!socket?.outgoing) throw new ConnectionClosed();
  socket.outgoing.destroy();
  return new Response(null, { headers: { [ALREADY_SENT]: 'true' } });
};

/** Whether a response marks a closed connection. */
export const isClosed = ({ headers }: Response): boolean => headers.has(ALREADY_SENT);

/** Responds to a request that a fault applies to. @throws ConnectionClosed when the fault closes a connection that has no socket. */
export const respondWithFault = async (
  service: Service,
  request: RequestInfo,
  fault: Fault,
  socket: Socket | undefined,
): Promise<Response> => {
  const { world, closing } = service;
  const { status, abort: aborted, hold } = fault.effect;
  const number = fault.hits;
  const isHandled = status === undefined && !aborted;
  const act = () => {
    const sound = isHandled ? handleRequest(world, request) : faultResponse(world, request, fault);
    return applyFault(sound, world.terms, fault.effect);
  };
  const exchange = performExchange(service, request, act, fault.id, aborted);
  const late = drawDelayMs(fault.effect, world.random, fault.id);
  if (hold || late > 0) {
    service.held.add(exchange);
    const left = new CloseSignal();
    const callOff = closing.tell(() => left.close());
    socket?.outgoing?.once('close', () => {
      service.noteLeft?.(request);
      left.close();
    });
    if (hold) await untilReleased(fault, number, { method: request.method, path: request.path, since: exchange.at }, left);
    if (late > 0) await wait(late, left, world.clock.time);
    callOff();
    service.held.delete(exchange);
  }
  service.record({ ...exchange, ended: world.clock.now() });
  return aborted ? closeConnection(socket) : respond(exchange.response, exchange.at, exchange.terms);
};

// From a response to a Response: the headers that every response carries (spec: Limits; CORS for pages with a key).
import { Problem } from '../contract/errors.ts';
import type { Terms } from '../contract/terms.ts';
import { isLoopback, parseUrl } from '../validation/receiver-url.ts';
import type { World } from '../world/world.ts';
import type { ServiceResponse } from './exchange.ts';
import { anonymousQuota } from './rate-limit.ts';
import { encodeBody, writeError } from './write.ts';

const EXPOSED_HEADERS =
  'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, WWW-Authenticate, Date, Deprecation';

let dateSecond = -1;
let dateText = '';
const dateHeader = (now: number): string => {
  const at = Math.floor(now / 1000);
  if (at !== dateSecond) [dateSecond, dateText] = [at, new Date(at * 1000).toUTCString()];
  return dateText;
};

export const responseHeaders = (
  { text, page, headers, quota }: Pick<ServiceResponse, 'text' | 'page' | 'headers' | 'quota'>,
  now: number,
) => {
  const all: Record<string, string> = {
    'content-type': 'application/json',
    'x-ratelimit-limit': String(quota.limit),
    'x-ratelimit-remaining': String(quota.remaining),
    'x-ratelimit-reset': String(quota.reset),
    date: dateHeader(now),
    'access-control-allow-origin': '*',
    'access-control-expose-headers': EXPOSED_HEADERS,
  };
  if (text === null && !page) delete all['content-type'];
  for (const name in headers) {
    const value = headers[name]!;
    if (value === null) delete all[name];
    else all[name] = value;
  }
  return all;
};

/** A class of responses, in types that Node's own have too: projects without those of a page read the declarations. */
type ResponseClass = new (
  body: ReturnType<typeof encodeBody> | null,
  how: { status: number; headers: Record<string, string> },
) => Response;

/** @param now the moment of its Date. @param Made a class that the server in front writes sooner than the platform's. */
export const respond = (response: ServiceResponse, now: number, terms: Terms, Made: ResponseClass = Response): Response => {
  const body = response.page ? encodeBody(response.page, terms) : response.text;
  return new Made(body, { status: response.status, headers: responseHeaders(response, now) });
};

export interface PlainResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

export type WriteProblem = (problem: Problem) => PlainResponse;

/** The response to bytes that are no HTTP request; nothing is counted. */
export const writeProblem = (world: World, problem: Problem): PlainResponse => {
  const text = writeError(problem, world.terms);
  const response = { text, page: undefined, headers: problem.headers, quota: anonymousQuota(world) };
  return { status: problem.status, headers: responseHeaders(response, world.clock.now()), text };
};

/** The response to a browser that asks whether a page may call (CORS); it carries no key and changes nothing. */
export const preflightResponse = (world: World, request: Request): Response => {
  // The page is to read how any other is refused.
  const methods = new Set(['GET', 'POST', 'PATCH', 'DELETE', request.headers.get('access-control-request-method')]);
  const headers = {
    'access-control-allow-methods': [...methods].join(', '),
    'access-control-allow-headers': request.headers.get('access-control-request-headers') ?? 'authorization, content-type',
    'access-control-max-age': '600',
  };
  const bare = { text: null, page: undefined, headers, quota: anonymousQuota(world) };
  return new Response(null, { status: 204, headers: responseHeaders(bare, world.clock.now()) });
};

export const isPreflight = (request: Request): boolean =>
  request.method === 'OPTIONS' && request.headers.has('access-control-request-method');

/** A page of this machine may send credentials: no wildcard is allowed then. No cookie is read. */
export const shareWithOrigin = ({ headers }: Pick<Request, 'headers'>, response: Response): Response => {
  const origin = headers.get('origin')!;
  if (response.headers.get('access-control-allow-origin') !== '*' || !isLoopback(parseUrl(origin)?.hostname ?? ''))
    return response;
  response.headers.set('access-control-allow-origin', origin);
  response.headers.set('access-control-allow-credentials', 'true');
  response.headers.append('vary', 'origin');
  return response;
};

export const problemResponse = (world: World, problem: Problem): Response => {
  const { text, ...how } = writeProblem(world, problem);
  return new Response(text, how);
};

export const unknownWorldResponse = (main: World): Response =>
  problemResponse(main, new Problem(404, 'not_found', 'No world has this id. It may have been deleted.'));

// Matches requests and deliveries against patterns, and explains how near misses differ.
import type { OperationId } from '../service/contract/operations.ts';
import type { DeliveryState } from '../service/contract/states.ts';
import type { RequestEntry } from '../service/http/show-exchange.ts';
import { globFitsPath, statusFits } from '../service/world/fault-match.ts';
import { matchesShape, showValue } from './match-shape.ts';

/** Requests that match all given members. */
export interface RequestPattern {
  readonly operation?: OperationId;
  readonly method?: string;
  /** Below the base URL or with `/v1`, `*` for any characters; a query is compared only if one is given. */
  readonly path?: string | RegExp;
  /** Query parameters, decoded; others are allowed. */
  readonly query?: Readonly<Record<string, unknown>>;
  /** `404`, `'4xx'`, or 0 for a connection that a fault closed. */
  readonly status?: number | string;
  /** What the body contains at least. */
  readonly body?: unknown;
  /** What the response body contains at least. */
  readonly answer?: unknown;
  /** Lower-case names. */
  readonly headers?: Readonly<Record<string, unknown>>;
  /** Id of the key. */
  readonly key?: unknown;
}

/** Deliveries that match all given members. */
export interface DeliveryPattern {
  /** Default: `delivered`, that is, acknowledged with a 2xx. */
  readonly state?: DeliveryState;
  readonly webhook?: string;
  readonly url?: string | RegExp;
  /** How many attempts were made. */
  readonly attempts?: number;
  /** What the event's data contains at least, such as `{ task: { status: 'done' } }`. */
  readonly data?: unknown;
  /** The exact number; default: at least one. */
  readonly times?: number;
}

const requestPathFits = (wanted: string | RegExp, path: string): boolean =>
  wanted instanceof RegExp ? path.search(wanted) >= 0 : globFitsPath(wanted, path);

const parsePathQuery = (path: string): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(path.includes('?') ? path.slice(path.indexOf('?')) : ''));

type RequestPatternPart = keyof RequestPattern;

const PATTERN_PARTS: {
  readonly [P in RequestPatternPart]-?: {
    found(request: RequestEntry): unknown;
    fits(wanted: NonNullable<RequestPattern[P]>, request: RequestEntry): boolean;
  };
} = {
  operation: { found: ({ operation }) => operation, fits: (wanted, { operation }) => wanted === operation },
  method: { found: ({ method }) => method, fits: (wanted, { method }) => wanted.toUpperCase() === method },
  path: { found: ({ path }) => path, fits: (wanted, { path }) => requestPathFits(wanted, path) },
  query: { found: ({ path }) => parsePathQuery(path), fits: (wanted, { path }) => matchesShape(wanted, parsePathQuery(path)) },
  status: { found: ({ status }) => status, fits: (wanted, { status }) => statusFits(wanted, status) },
  body: { found: ({ request }) => request.body, fits: (wanted, { request }) => matchesShape(wanted, request.body) },
  answer: { found: ({ response }) => response.body, fits: (wanted, { response }) => matchesShape(wanted, response.body) },
  headers: { found: ({ request }) => request.headers, fits: (wanted, { request }) => matchesShape(wanted, request.headers) },
  key: { found: ({ key_id }) => key_id, fits: (wanted, { key_id }) => matchesShape(wanted, key_id) },
};

const wantedParts = (pattern: RequestPattern): RequestPatternPart[] =>
  (Object.keys(pattern) as RequestPatternPart[]).filter((name) => pattern[name] !== undefined);

const listMisfits = (pattern: RequestPattern, request: RequestEntry): RequestPatternPart[] =>
  wantedParts(pattern).filter((name) => !PATTERN_PARTS[name].fits(pattern[name] as never, request));

export const requestFits = (pattern: RequestPattern, request: RequestEntry): boolean =>
  listMisfits(pattern, request).length === 0;

export const formatPattern = (pattern: RequestPattern): string =>
  wantedParts(pattern)
    .map((name) => `${name} ${showValue(pattern[name])}`)
    .join(', ') || 'any request';

/** A path may differ widely even if method and operation match. */
const PART_WEIGHTS: Readonly<Partial<Record<RequestPatternPart, number>>> = { operation: 4, path: 4, method: 2 };

export const findNearest = (pattern: RequestPattern, requests: readonly RequestEntry[], most: number) =>
  requests
    .map((request) => ({ request, differs: listMisfits(pattern, request) }))
    .filter(({ differs }) => differs.length > 0)
    .map(({ request, differs }) => ({
      request,
      distance: differs.reduce((sum, name) => sum + (PART_WEIGHTS[name] ?? 1), 0),
      says: differs.map(
        (name) => `${name}: expected ${showValue(pattern[name])}, got ${showValue(PATTERN_PARTS[name].found(request))}`,
      ),
    }))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, most);

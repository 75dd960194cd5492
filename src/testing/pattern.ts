// Matches requests and deliveries against patterns, and explains how near misses differ.
import type { OperationId } from '../service/contract/operations.ts';
import { isObject } from '../service/contract/schema.ts';
import type { DeliveryState } from '../service/contract/states.ts';
import type { RequestEntry } from '../service/http/journal-entries.ts';
import { globFitsPath, statusFits } from '../service/world/fault-match.ts';

/** The asymmetric matchers of test runners: `expect.any(String)`, `expect.stringContaining('x')`. */
interface Asymmetric {
  asymmetricMatch(value: unknown): boolean;
}

const isAsymmetric = (value: unknown): value is Asymmetric =>
  typeof value === 'object' && value !== null && typeof (value as Partial<Asymmetric>).asymmetricMatch === 'function';

/** Objects may have other members; lists must have the same length. */
export const matchesShape = (expected: unknown, found: unknown): boolean => {
  if (isAsymmetric(expected)) return expected.asymmetricMatch(found);
  if (expected instanceof RegExp) return typeof found === 'string' && found.search(expected) >= 0;
  if (Array.isArray(expected))
    return Array.isArray(found) && found.length === expected.length && expected.every((one, i) => matchesShape(one, found[i]));
  if (isObject(expected))
    return isObject(found) && Object.entries(expected).every(([name, one]) => matchesShape(one, found[name]));
  return Object.is(expected, found);
};

export const showValue = (value: unknown): string => {
  if (value instanceof RegExp) return String(value);
  if (isAsymmetric(value)) return String(value);
  return JSON.stringify(value, (_name, one) => (one instanceof RegExp || isAsymmetric(one) ? String(one) : one)) ?? 'nothing';
};

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
  /** Parts that the body must contain. */
  readonly body?: unknown;
  /** Parts that the response body must contain. */
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
  /** Counts simulated deliveries as well: those that were sent to no one. Default: false. */
  readonly simulated?: boolean;
  /** How many attempts were made. */
  readonly attempts?: number;
  /** Parts of the event's data, such as `{ task: { status: 'done' } }`. */
  readonly data?: unknown;
  /** The exact number; default: at least one. */
  readonly times?: number;
}

const parsePathQuery = (path: string): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(path.includes('?') ? path.slice(path.indexOf('?')) : ''));

type RequestPatternPart = keyof RequestPattern;

const PART_VALUES: Readonly<Record<RequestPatternPart, (request: RequestEntry) => unknown>> = {
  operation: ({ operation }) => operation,
  method: ({ method }) => method,
  path: ({ path }) => path,
  query: ({ path }) => parsePathQuery(path),
  status: ({ status }) => status,
  body: ({ request }) => request.body,
  answer: ({ response }) => response.body,
  headers: ({ request }) => request.headers,
  key: ({ key_id }) => key_id,
};

/** All others are compared by shape. */
const PART_FITS: Readonly<Partial<Record<RequestPatternPart, (wanted: never, value: never) => boolean>>> = {
  method: (wanted: string, method: string) => wanted.toUpperCase() === method,
  path: (wanted: string | RegExp, path: string) =>
    wanted instanceof RegExp ? path.search(wanted) >= 0 : globFitsPath(wanted, path),
  status: statusFits,
};

const wantedParts = (pattern: RequestPattern): RequestPatternPart[] =>
  (Object.keys(pattern) as RequestPatternPart[]).filter((name) => pattern[name] !== undefined);

const listMisfits = (pattern: RequestPattern, request: RequestEntry): RequestPatternPart[] =>
  wantedParts(pattern).filter(
    (name) => !(PART_FITS[name] ?? matchesShape)(pattern[name] as never, PART_VALUES[name](request) as never),
  );

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
      says: differs.map((name) => `${name}: expected ${showValue(pattern[name])}, got ${showValue(PART_VALUES[name](request))}`),
    }))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, most);

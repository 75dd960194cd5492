// Whether a fault matches a request, or an event.
import { isObject } from '../contract/schema.ts';
import { ANY_EVENT, type FaultOrderMatch, type FaultRequest } from './fault-draft.ts';

/** Whether a text matches a pattern in which `*` matches any characters; linear in the text. */
export const globFits = (pattern: string, text: string): boolean => {
  const [head, ...parts] = pattern.split('*') as [string, ...string[]];
  if (parts.length === 0) return pattern === text;
  const tail = parts.pop()!;
  if (!text.startsWith(head) || !text.endsWith(tail)) return false;
  let at = head.length;
  for (const part of parts) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= text.length - tail.length;
};

/** A path below the base URL, in any spelling. */
const barePath = (path: string): string => path.replace(/^\/?v1(?=[/?]|$)/, '').replace(/^(?=[^/*])/, '/');

/** Whether a path matches a pattern, with or without `/v1`; a query is compared only if the pattern has one. */
export const globFitsPath = (pattern: string, path: string): boolean => {
  const wanted = barePath(pattern);
  return globFits(wanted, wanted.includes('?') ? barePath(path) : barePath(path).replace(/\?.*/s, ''));
};

/** @param wanted such as 404 or `4xx` */
export const statusFits = (wanted: string | number, status: number): boolean =>
  String(wanted) === String(status) || wanted === `${Math.floor(status / 100)}xx`;

/** The subject that faults are matched against. Expensive members are computed only if a fault needs them. */
export type FaultTarget = Pick<FaultRequest, 'method' | 'path' | 'operation'> & {
  readonly [Member in 'key' | 'query' | 'headers' | 'body']: () => FaultRequest[Member];
};

const hasWords = (wanted: FaultOrderMatch['query'], given: (name: string) => readonly string[]): boolean =>
  Object.entries(wanted ?? {}).every(([name, value]) => given(name).some((one) => globFits(String(value), one)));

/** Whether a JSON value contains another: objects at least the same fields, lists at least the same items in any order. */
const contains = (value: unknown, wanted: unknown): boolean => {
  if (typeof wanted !== 'object' || wanted === null) return value === wanted;
  if (Array.isArray(wanted)) return Array.isArray(value) && wanted.every((item) => value.some((one) => contains(one, item)));
  if (!isObject(value)) return false;
  return Object.entries(wanted).every(([name, one]) => Object.hasOwn(value, name) && contains(value[name], one));
};

const meetsPredicate = (id: string, when: NonNullable<FaultOrderMatch['when']>, target: FaultTarget): boolean => {
  const { method, path, operation } = target;
  const request = { method, path, operation, key: target.key(), query: target.query(), headers: target.headers() };
  try {
    return when({ ...request, body: target.body() });
  } catch (error) {
    throw new Error(`${id}: its match.when threw ${String(error)}, asked about ${method} ${path}.`, { cause: error });
  }
};

/** Whether a fault matches a request. @throws Error when its predicate does. */
export const fitsRequest = ({ id, match }: { id: string; match: FaultOrderMatch }, target: FaultTarget): boolean => {
  const { method, path, operation, key, query, header, body, event, when } = match;
  return (
    event === undefined &&
    (method === undefined || method.toUpperCase() === target.method) &&
    (operation === undefined || operation === target.operation) &&
    (path === undefined || globFitsPath(path, target.path)) &&
    (key === undefined || key === target.key()) &&
    (query === undefined || hasWords(query, (name) => target.query().getAll(name))) &&
    (header === undefined || hasWords(header, (name) => [target.headers().get(name) ?? []].flat())) &&
    (body === undefined || contains(target.body(), body)) &&
    (when === undefined || meetsPredicate(id, when, target))
  );
};

export const fitsEvent = ({ event }: FaultOrderMatch, name: string): boolean => event === name || event === ANY_EVENT;

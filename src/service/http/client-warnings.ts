// Warnings: breaches of the contract by a client, found in its exchanges. They never change a response.
import { isLaterValue } from '../contract/forward.ts';
import { OPERATION_IDS, type Operation, operation } from '../contract/operations.ts';
import type { Schemas } from '../contract/schema.ts';
import { isLaterField, LATER_ENDPOINTS } from '../forward-compat/responses.ts';
import { readCursor } from '../lists/cursor.ts';
import { hasParameter, listName, parameterNames } from '../lists/query.ts';
import { didYouMean } from '../validation/show.ts';
import type { Exchange } from './exchange.ts';
import { pathFits } from './paths.ts';
import { isSecretName } from './redact.ts';

/** This many equal requests in a row, within this time, are a loop; fewer look like a client that cannot read the response. */
const LOOP_LIMIT = { requests: 10, ms: 10_000 };
const REPEAT_LIMIT = { requests: 3, ms: 10_000 };
export const WARNING_WINDOW = 50;

const rowAt = ({ request, terms }: Exchange): Operation | undefined =>
  request.operation && terms.contract.operations[request.operation];

const filterField = (parameter: string): string | undefined => /^filter\[(.*)\]$/s.exec(parameter)?.[1];

const parameterWarning = (name: string, row: Operation | undefined, { request, terms }: Exchange): ClientWarning | undefined => {
  if (isSecretName(name))
    return { code: 'secret-in-url', says: `${name} in the query ends up in logs; send keys in the Authorization header alone` };
  if (!row) return undefined;
  if (name === 'page' || name === 'offset') {
    if (!row.list || !hasParameter(name, terms))
      return { code: 'removed-parameter', says: `${name} was removed in v1.2.0; follow meta.next_cursor` };
    if (!hasParameter('cursor', terms)) return undefined;
    return { code: 'deprecated-parameter', says: `${name} is deprecated and goes in v1.2.0; follow meta.next_cursor` };
  }
  const known = row.list ? parameterNames(row, terms) : [];
  if (known.includes(name)) return undefined;
  const hint = known.includes(`filter[${name}]`) ? ` (did you mean filter[${name}]?)` : didYouMean(name, known);
  const says = `${name} is no parameter of ${request.operation} at v${terms.contract.release}${hint}`;
  return { code: 'unknown-parameter', says };
};

const onQuery = (exchange: Exchange): ClientWarning[] => {
  const row = rowAt(exchange);
  return exchange.request.parameters.flatMap(([name]) => parameterWarning(name, row, exchange) ?? []);
};

const onCursor = ({ request, response }: Exchange): ClientWarning[] => {
  if (request.operation === undefined || !operation(request.operation).list) return [];
  const list = listName(response.caller?.workspace, request.operation, request.variable);
  return request.parameters.flatMap(([name, value]): ClientWarning[] => {
    if (name !== 'cursor') return [];
    const kept = readCursor(value);
    if (kept && (kept.list === list || !response.caller)) return [];
    const unissued = 'the service did not issue this cursor; clients must not build or alter cursors';
    return [{ code: 'foreign-cursor', says: kept ? 'the cursor was issued by another list' : unissued }];
  });
};

/** A field that the client was shown before, by a service that is ahead. */
const isEcho = ({ terms }: Exchange, field: string): boolean => terms.forward.length > 0 && isLaterField(field);

const onBody = (exchange: Exchange): ClientWarning[] => {
  const { request, terms } = exchange;
  const properties = rowAt(exchange)?.body?.properties;
  if (request.operation === undefined || !properties) return [];
  if (request.coding) return [{ code: 'encoded-body', says: `${request.coding} is not decoded; send the body without it` }];
  const later = operation(request.operation).body?.properties as Schemas;
  const fields = Object.keys(request.fields).filter((field) => !Object.hasOwn(properties, field) && !isEcho(exchange, field));
  const { release } = terms.contract;
  return fields.map((field) =>
    Object.hasOwn(later, field)
      ? { code: 'later-field', says: `${field} came with v${later[field]!['x-since']}; v${release} does not read it` }
      : { code: 'unknown-field', says: `${field} is no field that ${request.operation} takes; it is not read` },
  );
};

const onRoute = ({ request, terms }: Exchange): ClientWarning[] => {
  if (request.operation !== undefined) return [];
  const { operations, release } = terms.contract;
  const fits = ({ method, path }: Operation) => method === request.method && pathFits(path, request.pathInService);
  const later = OPERATION_IDS.find((id) => fits(operation(id)));
  if (later === undefined || operations[later]) return [];
  return [{ code: 'later-operation', says: `${later} came with v${operation(later).since}; this world is v${release}` }];
};

const onRetry = ({ at, response: { caller } }: Exchange, before: readonly Exchange[]): ClientWarning[] => {
  const refused = before.findLast(({ response }) => response.status === 429 && response.caller?.workspace === caller?.workspace);
  if (!refused || !caller || at < refused.at) return [];
  const { quota, headers } = refused.response;
  // A client may go by either header.
  const until = Math.min(quota.reset * 1000, refused.at + Number(headers['retry-after'] ?? Infinity) * 1000);
  const seconds = Math.ceil((until - at) / 1000);
  if (seconds <= 0) return [];
  return [{ code: 'early-retry', says: `asked ${seconds} s before the window resets, after a 429 in req_${refused.number}` }];
};

/** Equal reads by one key, one right after the other up to this one; undefined when they are fewer or slower than the limit. */
const repeatedBy = (exchange: Exchange, before: readonly Exchange[], { requests, ms }: typeof LOOP_LIMIT) => {
  const own = before.filter(({ response }) => response.caller?.key.id === exchange.response.caller?.key.id);
  const last = [...own.slice(1 - requests), exchange];
  const isEqual = last.every(({ request: { method, url } }) => method === 'GET' && url === exchange.request.url);
  return last.length === requests && isEqual && exchange.at - last[0]!.at <= ms ? last : undefined;
};

const onLoop = (exchange: Exchange, before: readonly Exchange[]): ClientWarning[] =>
  repeatedBy(exchange, before, LOOP_LIMIT)
    ? [{ code: 'tight-loop', says: `the same request ${LOOP_LIMIT.requests} times in a row; webhooks tell of changes` }]
    : [];

const onEcho = ({ request: { fields, parameters } }: Exchange): ClientWarning[] => [
  ...Object.entries(fields).flatMap(([field, given]): ClientWarning[] => {
    if (isLaterField(field))
      return [{ code: 'echoed-field', says: `${field} is a field of a later release, sent back as it came` }];
    if (!isLaterValue(field, given)) return [];
    return [{ code: 'echoed-value', says: `${field} "${given}" is a value of a later release, sent back as it came` }];
  }),
  ...parameters.flatMap(([name, value]): ClientWarning[] =>
    isLaterValue(filterField(name) ?? '', value)
      ? [{ code: 'echoed-value', says: `${name}=${value} asks for a value of a later release` }]
      : [],
  ),
];

const onRepeat = (exchange: Exchange, before: readonly Exchange[]): ClientWarning[] => {
  const repeated = repeatedBy(exchange, before, REPEAT_LIMIT);
  if (!repeated?.every(({ response }) => response.status < 400)) return [];
  const says = `sent ${REPEAT_LIMIT.requests} times in a row, each time with success: it may be unable to read the response`;
  return [{ code: 'repeated-after-unknown', says }];
};

/** On a service that is ahead of its clients. */
const onAhead = (exchange: Exchange, before: readonly Exchange[]): ClientWarning[] => {
  if (exchange.terms.forward.length === 0) return [];
  const path = exchange.request.pathInService;
  const called = LATER_ENDPOINTS.some((known) => known === path)
    ? [{ code: 'later-endpoint', says: `${path} is an endpoint of a later release` } as const]
    : [];
  return [...onEcho(exchange), ...called, ...onRepeat(exchange, before)];
};

/** @param before the exchanges before it, oldest first. */
export const findWarnings = (exchange: Exchange, before: readonly Exchange[]): readonly ClientWarning[] => [
  ...onQuery(exchange),
  ...onCursor(exchange),
  ...onBody(exchange),
  ...onRoute(exchange),
  ...onAhead(exchange, before),
  ...onRetry(exchange, before),
  ...onLoop(exchange, before),
];

/** Warnings of clients that use parts which only a later release knows. */
export const AHEAD_WARNINGS = ['echoed-field', 'echoed-value', 'later-endpoint', 'repeated-after-unknown'] as const;

export const WARNING_CODES = [
  'removed-parameter',
  'deprecated-parameter',
  'later-operation',
  'later-field',
  ...AHEAD_WARNINGS,
  'unknown-parameter',
  'unknown-field',
  'encoded-body',
  'foreign-cursor',
  'early-retry',
  'tight-loop',
  'secret-in-url',
] as const;

export interface ClientWarning {
  readonly code: (typeof WARNING_CODES)[number];
  readonly says: string;
}

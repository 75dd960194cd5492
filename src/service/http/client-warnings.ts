// Warnings: breaches of the contract by a client, found in its exchanges. They never change a response.
import { OPERATION_IDS, type Operation, operation } from '../contract/operations.ts';
import type { Schemas } from '../contract/schema.ts';
import { AHEAD_WARNINGS, filterField, forwardWarnings, isEcho, repeatedBy } from '../forward-compat/compatibility.ts';
import { readCursor } from '../lists/cursor.ts';
import { hasParameter, listName } from '../lists/query.ts';
import type { Exchange } from './exchange.ts';
import { pathFits } from './paths.ts';
import { isSecretName } from './redact.ts';

/** This many equal requests in a row, within this time, are a loop. */
const LOOP_LIMIT = { requests: 10, ms: 10_000 };
export const WARNING_WINDOW = 50;

const rowAt = ({ request, terms }: Exchange): Operation | undefined =>
  request.operation && terms.contract.operations[request.operation];

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
  const filter = filterField(name);
  if (row.list && (hasParameter(name, terms) || (filter !== undefined && Object.hasOwn(row.list.filters, filter))))
    return undefined;
  const says = `${name} is no parameter of ${request.operation} at v${terms.contract.release}`;
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
    const unissued = 'nobody issued this cursor; clients must not build or alter cursors';
    return [{ code: 'foreign-cursor', says: kept ? 'the cursor was issued by another list' : unissued }];
  });
};

const onBody = (exchange: Exchange): ClientWarning[] => {
  const { request, terms } = exchange;
  const properties = rowAt(exchange)?.body?.properties;
  if (request.operation === undefined || !properties) return [];
  if (request.coding) return [{ code: 'encoded-body', says: `${request.coding} is not decoded; send the body without it` }];
  const later = operation(request.operation).body?.properties as Schemas;
  const fields = Object.keys(request.fields).filter((field) => !Object.hasOwn(properties, field) && !isEcho(terms, field));
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
  const reset = (refused?.response.quota.reset ?? 0) * 1000;
  if (!refused || !caller || at >= reset || at < refused.at) return [];
  const seconds = Math.ceil((reset - at) / 1000);
  return [{ code: 'early-retry', says: `asked ${seconds} s before the window resets, after a 429 in req_${refused.number}` }];
};

const onLoop = (exchange: Exchange, before: readonly Exchange[]): ClientWarning[] =>
  repeatedBy(exchange, before, LOOP_LIMIT)
    ? [{ code: 'tight-loop', says: `the same request ${LOOP_LIMIT.requests} times in a row; webhooks tell of changes` }]
    : [];

/** @param before the exchanges before it, oldest first. */
export const findWarnings = (exchange: Exchange, before: readonly Exchange[]): readonly ClientWarning[] => [
  ...onQuery(exchange),
  ...onCursor(exchange),
  ...onBody(exchange),
  ...onRoute(exchange),
  ...forwardWarnings(exchange, before),
  ...onRetry(exchange, before),
  ...onLoop(exchange, before),
];

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

// Warnings: breaches of the contract by a client, found in its exchanges. They never change a response.

import { OPERATION_IDS, operation } from '../contract/operations.ts';
import type { Schema } from '../contract/schema.ts';
import { forwardWarnings, isEcho, type RequestParts } from '../forward-compat/forward-warnings.ts';
import { readCursor } from '../lists/cursor.ts';
import { hasCursors, hasLimit, isNumbered } from '../lists/page-numbers.ts';
import { listName } from '../lists/query.ts';
import type { Exchange } from './exchange.ts';
import { pathFits } from './paths.ts';
import { isSecretName } from './redact.ts';

/** This many equal requests in a row, within this time, are a loop. */
const LOOP_LIMIT = { requests: 10, ms: 10_000 };
export const WARNING_WINDOW = 50;

const onQuery = ({ request, terms }: Exchange, { parameters }: RequestParts): ClientWarning[] => {
  const { operations, release } = terms.contract;
  const row = request.operation === undefined ? undefined : operations[request.operation];
  const taken: readonly string[] = ['sort', ...(hasLimit(terms) ? ['limit'] : []), ...(hasCursors(terms) ? ['cursor'] : [])];
  return parameters.flatMap(([name]): ClientWarning[] => {
    if (isSecretName(name)) {
      return [
        { code: 'secret-in-url', says: `${name} in the query ends up in logs; send keys in the Authorization header alone` },
      ];
    }
    if (!row) return [];
    if (name === 'page' || name === 'offset') {
      if (isNumbered(terms) && row.list && !hasCursors(terms)) return [];
      const deprecated = isNumbered(terms) && row.list;
      return deprecated
        ? [{ code: 'deprecated-parameter', says: `${name} is deprecated and goes in v1.2.0; follow meta.next_cursor` }]
        : [{ code: 'removed-parameter', says: `${name} was removed in v1.2.0; follow meta.next_cursor` }];
    }
    const filter = /^filter\[(.*)\]$/s.exec(name)?.[1];
    const known = row.list && (taken.includes(name) || (filter !== undefined && Object.hasOwn(row.list.filters, filter)));
    return known ? [] : [{ code: 'unknown-parameter', says: `${name} is no parameter of ${request.operation} at v${release}` }];
  });
};

const onCursor = ({ request, response }: Exchange, { parameters }: RequestParts): ClientWarning[] => {
  if (request.operation === undefined || !operation(request.operation).list) return [];
  return parameters.flatMap(([name, value]): ClientWarning[] => {
    if (name !== 'cursor') return [];
    const kept = readCursor(value);
    const list = listName(response.caller?.workspace, `${request.operation}`, request.variable);
    if (kept && (kept.list === list || !response.caller)) return [];
    const unissued = 'nobody issued this cursor; clients must not build or alter cursors';
    return [{ code: 'foreign-cursor', says: kept ? 'the cursor was issued by another list' : unissued }];
  });
};

const onBody = ({ request, terms }: Exchange, { fields: sent }: RequestParts): ClientWarning[] => {
  const { operations, release } = terms.contract;
  const properties = request.operation === undefined ? undefined : operations[request.operation]?.body?.properties;
  if (request.operation === undefined || !properties) return [];
  const later = operation(request.operation).body?.properties as Readonly<Record<string, Schema<unknown>>>;
  const fields = Object.keys(sent).filter((field) => !Object.hasOwn(properties, field) && !isEcho(terms, field));
  return fields.map((field) =>
    Object.hasOwn(later, field)
      ? { code: 'later-field', says: `${field} came with v${later[field]!['x-since']}; v${release} does not read it` }
      : { code: 'unknown-field', says: `${field} is no field that ${request.operation} takes; it is not read` },
  );
};

const onRoute = ({ request, terms }: Exchange): ClientWarning[] => {
  if (request.operation !== undefined) return [];
  const later = OPERATION_IDS.find(
    (id) => operation(id).method === request.method && pathFits(operation(id).path, request.pathInService),
  );
  if (later === undefined || terms.contract.operations[later]) return [];
  const { release } = terms.contract;
  return [{ code: 'later-operation', says: `${later} came with v${operation(later).since}; this world is v${release}` }];
};

const hasSameCaller = (a: Exchange, b: Exchange): boolean => a.response.caller?.key.id === b.response.caller?.key.id;

const onRetry = (exchange: Exchange, before: readonly Exchange[]): ClientWarning[] => {
  const refused = before.findLast(
    (one) => one.response.status === 429 && one.response.caller?.workspace === exchange.response.caller?.workspace,
  );
  const reset = (refused?.response.quota.reset ?? 0) * 1000;
  if (!refused || !exchange.response.caller || exchange.at >= reset || exchange.at < refused.at) return [];
  const seconds = Math.ceil((reset - exchange.at) / 1000);
  return [{ code: 'early-retry', says: `asked ${seconds} s before the window resets, after a 429 in req_${refused.number}` }];
};

const onLoop = (exchange: Exchange, before: readonly Exchange[]): ClientWarning[] => {
  if (exchange.request.method !== 'GET') return [];
  const last = before.filter((one) => hasSameCaller(one, exchange)).slice(1 - LOOP_LIMIT.requests);
  const first = last[0];
  if (last.length < LOOP_LIMIT.requests - 1 || !first || exchange.at - first.at > LOOP_LIMIT.ms) return [];
  if (last.some(({ request }) => request.method !== 'GET' || request.url !== exchange.request.url)) return [];
  return [{ code: 'tight-loop', says: `the same request ${LOOP_LIMIT.requests} times in a row; webhooks tell of changes` }];
};

/** @param before the exchanges before it, oldest first. */
export const findWarnings = (exchange: Exchange, before: readonly Exchange[]): readonly ClientWarning[] => {
  const { pathInService, parameters, fields } = exchange.request;
  const parts = { pathInService, parameters, fields };
  return [
    ...onQuery(exchange, parts),
    ...onCursor(exchange, parts),
    ...onBody(exchange, parts),
    ...onRoute(exchange),
    ...forwardWarnings(exchange, before, parts),
    ...onRetry(exchange, before),
    ...onLoop(exchange, before),
  ];
};

export const WARNING_CODES = [
  'removed-parameter',
  'deprecated-parameter',
  'later-operation',
  'later-field',
  'echoed-field',
  'echoed-value',
  'later-endpoint',
  'repeated-after-unknown',
  'unknown-parameter',
  'unknown-field',
  'foreign-cursor',
  'early-retry',
  'tight-loop',
  'secret-in-url',
] as const;

export interface ClientWarning {
  readonly code: (typeof WARNING_CODES)[number];
  readonly says: string;
}

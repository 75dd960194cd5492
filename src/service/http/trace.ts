// Why a request was answered so: each check in its order, what it found, and the part of the spec that asks for it.
import { type Check, issuesOf } from '../contract/errors.ts';
import { neededScope, type Operation, operation } from '../contract/operations.ts';
import { readCursor } from '../lists/cursor.ts';
import type { Exchange } from './exchange.ts';
import { HIDDEN, isSecretName } from './redact.ts';

type TraceStep = { readonly check: Check; readonly found: string; readonly part: string };

const SPEC_PARTS: Readonly<Record<Check, string>> = {
  fault: 'mock',
  key: 'Authentication',
  limit: 'Limits',
  operation: 'Endpoints',
  scope: 'Authentication',
  record: 'Errors',
  query: 'List rules',
  body: 'Resources and their fields',
  rules: 'Errors',
  answer: 'Endpoints',
};

const checkOrder = (row: Operation, bodyFirst: boolean): readonly Check[] => {
  const record: Check[] = row.finds ? ['record'] : [];
  const input: Check[] = row.body ? ['query', 'body'] : ['query'];
  const rules: Check[] = row.errors.includes('conflict') ? ['rules'] : [];
  const sound = bodyFirst ? [...input, ...record] : [...record, ...input];
  return ['key', 'limit', 'operation', 'scope', ...sound, ...rules, 'answer'];
};

const describeQuery = ({ request }: Exchange, row: Operation): string => {
  const { parameters } = request;
  if (parameters.length === 0) return row.list ? 'no parameters: the first page, 20 records' : 'no parameters';
  const shown = parameters.map(([name, value]) => {
    if (name !== 'cursor') return `${name}=${isSecretName(name) ? HIDDEN : value}`;
    const kept = readCursor(value);
    return kept ? `cursor behind record ${kept.after.sequence}, sort ${kept.sort}` : 'cursor that nobody issued';
  });
  return shown.join(', ');
};

const describePass = (check: Check, exchange: Exchange, row: Operation | undefined): string => {
  const { request, response, terms } = exchange;
  const { caller, quota } = response;
  const scope = row && neededScope(row, terms.choices);
  switch (check) {
    case 'key':
      return `key ${caller?.key.id} of ${caller?.user.id} in workspace ${caller?.workspace}`;
    case 'limit':
      return `request ${quota.limit - quota.remaining} of ${quota.limit} in this window`;
    case 'operation':
      return `${row?.method} ${row?.path} is ${request.operation}`;
    case 'scope':
      return `needs ${scope}, the key has ${caller?.key.scope}`;
    case 'record':
      return `${request.variable} is there and in this workspace`;
    case 'query':
      return row ? describeQuery(exchange, row) : '';
    case 'body':
      return 'every field fits its rules';
    case 'rules':
      return 'no conflict with what is stored';
    default:
      return `${response.status}${exchange.changes.length > 0 ? `, ${exchange.changes.length} changed` : ''}`;
  }
};

const describeRefusal = ({ status, message, fields }: NonNullable<Exchange['response']['problem']>): string => {
  const named = issuesOf(fields);
  return `${status}: ${message.includes(named) ? message : `${message} ${named}`}`;
};

export const traceExchange = (exchange: Exchange): readonly TraceStep[] => {
  const { request, response, terms, fault, aborted } = exchange;
  const ordered = fault !== undefined && (aborted || response.problem?.check === 'fault');
  const struck: TraceStep[] =
    fault === undefined ? [] : [{ check: 'fault', found: describeFault(exchange, ordered === true), part: SPEC_PARTS.fault }];
  if (ordered) return struck;
  const row = request.operation === undefined ? undefined : operation(request.operation);
  const stop = response.problem && (response.problem.check ?? 'answer');
  const order: readonly Check[] = row ? checkOrder(row, terms.choices['check-order'] === 'body') : ['key', 'limit', 'operation'];
  const end = stop === undefined ? order.length : Math.max(0, order.indexOf(stop));
  const before = order
    .slice(0, end)
    .map((check): TraceStep => ({ check, found: describePass(check, exchange, row), part: SPEC_PARTS[check] }));
  const last: TraceStep[] = response.problem
    ? [{ check: stop!, found: describeRefusal(response.problem), part: SPEC_PARTS[stop!] }]
    : [];
  return [...struck, ...before, ...last];
};

const describeFault = ({ fault, aborted, response }: Exchange, ordered: boolean): string => {
  if (aborted) return `${fault} closed the connection; the request was not performed`;
  return ordered
    ? `${fault} ordered ${response.status}; the request was not performed`
    : `${fault} delayed or spoilt the answer below`;
};

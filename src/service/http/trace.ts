// Why a request got its response: each check in its order, what it found, and the part of the spec that asks for it.
import { type Check, issuesOf } from '../contract/errors.ts';
import { neededScope, type Operation, operation } from '../contract/operations.ts';
import { readCursor } from '../lists/cursor.ts';
import type { Exchange } from './exchange.ts';
import { HIDDEN, isSecretName } from './redact.ts';

type TraceStep = { readonly check: Check; readonly found: string; readonly part: string };

const checkOrder = (row: Operation, bodyFirst: boolean): readonly Check[] => {
  const record: Check[] = row.finds ? ['record'] : [];
  const input: Check[] = row.body ? ['query', 'body'] : ['query'];
  const rules: Check[] = row.errors.includes('conflict') ? ['rules'] : [];
  const sound = bodyFirst ? [...input, ...record] : [...record, ...input];
  return ['key', 'limit', 'operation', 'scope', ...sound, ...rules, 'answer'];
};

const describeQuery = ({ request }: Exchange, row: Operation | undefined): string => {
  const { parameters } = request;
  if (parameters.length === 0) return row?.list ? 'no parameters: the first page, 20 records' : 'no parameters';
  const shown = parameters.map(([name, value]) => {
    if (name !== 'cursor') return `${name}=${isSecretName(name) ? HIDDEN : value}`;
    const kept = readCursor(value);
    return kept ? `cursor behind record ${kept.after.sequence}, sort ${kept.sort}` : 'cursor that was not issued';
  });
  return shown.join(', ');
};

const isOrdered = ({ aborted, response }: Exchange): boolean => aborted || response.problem?.check === 'fault';

const describeFault = (exchange: Exchange): string => {
  const { fault, aborted, response } = exchange;
  if (aborted) return `${fault} closed the connection; the request was not performed`;
  return isOrdered(exchange)
    ? `${fault} ordered ${response.status}; the request was not performed`
    : `${fault} delayed or damaged the response below`;
};

/** By check: the part of the spec that asks for it, and what it found in a request that passed. */
const CHECKS: Readonly<
  Record<Check, readonly [part: string, found: (exchange: Exchange, row: Operation | undefined) => string]>
> = {
  fault: ['mock', describeFault],
  key: [
    'Authentication',
    ({ response: { caller } }) => `key ${caller?.key.id} of ${caller?.user.id} in workspace ${caller?.workspace}`,
  ],
  limit: ['Limits', ({ response: { quota } }) => `request ${quota.limit - quota.remaining} of ${quota.limit} in this window`],
  operation: ['Endpoints', ({ request }, row) => `${row?.method} ${row?.path} is ${request.operation}`],
  scope: [
    'Authentication',
    ({ terms, response }, row) => `needs ${row && neededScope(row, terms.choices)}, the key has ${response.caller?.key.scope}`,
  ],
  record: ['Errors', ({ request }) => `${request.variable} is there and in this workspace`],
  query: ['List rules', describeQuery],
  body: ['Resources and their fields', () => 'every field fits its rules'],
  rules: ['Errors', () => 'no conflict with what is stored'],
  answer: [
    'Endpoints',
    ({ response, changes }) => `${response.status}${changes.length > 0 ? `, ${changes.length} changed` : ''}`,
  ],
};

const describeRefusal = ({ status, message, fields }: NonNullable<Exchange['response']['problem']>): string => {
  const named = issuesOf(fields);
  return `${status}: ${message.includes(named) ? message : `${message} ${named}`}`;
};

export const traceExchange = (exchange: Exchange): readonly TraceStep[] => {
  const { request, response, terms, fault } = exchange;
  const row = request.operation === undefined ? undefined : operation(request.operation);
  const step = (check: Check, found = CHECKS[check][1](exchange, row)): TraceStep => ({ check, found, part: CHECKS[check][0] });
  const faults = fault === undefined ? [] : [step('fault')];
  if (fault !== undefined && isOrdered(exchange)) return faults;
  const order: readonly Check[] = row ? checkOrder(row, terms.choices['check-order'] === 'body') : ['key', 'limit', 'operation'];
  const { problem } = response;
  if (!problem) return [...faults, ...order.map((check) => step(check))];
  const { check: stop = 'answer' } = problem;
  const before = order.slice(0, Math.max(0, order.indexOf(stop)));
  return [...faults, ...before.map((check) => step(check)), step(stop, describeRefusal(problem))];
};

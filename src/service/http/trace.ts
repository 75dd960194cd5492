// Why a request was answered so: each check in its order, what it found, and the part of the spec that asks for it.
import { type Check, issuesOf } from '../contract/errors.ts';
import { neededScope, type Operation, operation } from '../contract/operations.ts';
import { readCursor } from '../lists/cursor.ts';
import type { Exchange } from './exchange.ts';
import { HIDDEN, isSecretName } from './redact.ts';

/** One check of a request, what it found, and the part of the spec; `mock` for what is ours. */
type Step = { readonly check: Check; readonly found: string; readonly part: string };

const PARTS: Readonly<Record<Check, string>> = {
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

const orderOf = (row: Operation, bodyFirst: boolean): readonly Check[] => {
  const record: Check[] = row.finds ? ['record'] : [];
  const input: Check[] = row.body ? ['query', 'body'] : ['query'];
  const rules: Check[] = row.errors.includes('conflict') ? ['rules'] : [];
  const sound = bodyFirst ? [...input, ...record] : [...record, ...input];
  return ['key', 'limit', 'operation', 'scope', ...sound, ...rules, 'answer'];
};

const queryOf = ({ asked }: Exchange, row: Operation): string => {
  const { parameters } = asked;
  if (parameters.length === 0) return row.list ? 'no parameters: the first page, 20 records' : 'no parameters';
  const shown = parameters.map(([name, value]) => {
    if (name !== 'cursor') return `${name}=${isSecretName(name) ? HIDDEN : value}`;
    const kept = readCursor(value);
    return kept ? `cursor behind record ${kept.after.sequence}, sort ${kept.sort}` : 'cursor that nobody issued';
  });
  return shown.join(', ');
};

const passed = (check: Check, exchange: Exchange, row: Operation | undefined): string => {
  const { asked, reply, terms } = exchange;
  const { caller, quota } = reply;
  const scope = row && neededScope(row, terms.choices);
  switch (check) {
    case 'key':
      return `key ${caller?.key.id} of ${caller?.user.id} in workspace ${caller?.workspace}`;
    case 'limit':
      return `request ${quota.limit - quota.remaining} of ${quota.limit} in this window`;
    case 'operation':
      return `${row?.method} ${row?.path} is ${asked.id}`;
    case 'scope':
      return `needs ${scope}, the key has ${caller?.key.scope}`;
    case 'record':
      return `${asked.variable} is there and in this workspace`;
    case 'query':
      return row ? queryOf(exchange, row) : '';
    case 'body':
      return 'every field fits its rules';
    case 'rules':
      return 'no conflict with what is stored';
    default:
      return `${reply.status}${exchange.changes.length > 0 ? `, ${exchange.changes.length} changed` : ''}`;
  }
};

const refusal = ({ status, message, fields }: NonNullable<Exchange['reply']['problem']>): string => {
  const named = issuesOf(fields);
  return `${status}: ${message.includes(named) ? message : `${message} ${named}`}`;
};

/** Each check that a request went through, up to the one that decided. */
export const whyOf = (exchange: Exchange): readonly Step[] => {
  const { asked, reply, terms, fault, aborted } = exchange;
  const ordered = fault !== undefined && (aborted || reply.problem?.check === 'fault');
  const struck: Step[] =
    fault === undefined ? [] : [{ check: 'fault', found: struckBy(exchange, ordered === true), part: PARTS.fault }];
  if (ordered) return struck;
  const row = asked.id === undefined ? undefined : operation(asked.id);
  const stop = reply.problem && (reply.problem.check ?? 'answer');
  const order: readonly Check[] = row ? orderOf(row, terms.choices['check-order'] === 'body') : ['key', 'limit', 'operation'];
  const end = stop === undefined ? order.length : Math.max(0, order.indexOf(stop));
  const before = order.slice(0, end).map((check): Step => ({ check, found: passed(check, exchange, row), part: PARTS[check] }));
  const last: Step[] = reply.problem ? [{ check: stop!, found: refusal(reply.problem), part: PARTS[stop!] }] : [];
  return [...struck, ...before, ...last];
};

const struckBy = ({ fault, aborted, reply }: Exchange, ordered: boolean): string => {
  if (aborted) return `${fault} closed the connection; the request was not performed`;
  return ordered
    ? `${fault} ordered ${reply.status}; the request was not performed`
    : `${fault} delayed or spoilt the answer below`;
};

// Warnings of clients that use parts which only a later release knows (`--forward-compat`).
import { isLaterValue } from '../contract/forward.ts';
import type { Terms } from '../contract/terms.ts';
import { isLaterField, LATER_ENDPOINTS } from './responses.ts';

export const AHEAD_WARNINGS = ['echoed-field', 'echoed-value', 'later-endpoint', 'repeated-after-unknown'] as const;

interface ForwardWarning {
  readonly code: (typeof AHEAD_WARNINGS)[number];
  readonly says: string;
}

interface SeenExchange {
  readonly at: number;
  readonly request: { readonly method: string; readonly url: string; readonly body?: object | undefined };
  readonly response: { readonly status: number; readonly caller: { readonly key: { readonly id: string } } | undefined };
  readonly terms: Pick<Terms, 'forward'>;
}

/** So many equal requests, one right after the other, look like a client that cannot read the response. */
const REPEAT_LIMIT = { requests: 3, ms: 10_000 };

/** Whether a field of a body is one that the client was shown before, by a service that is ahead. */
export const isEcho = ({ forward }: Pick<Terms, 'forward'>, field: string): boolean => forward.length > 0 && isLaterField(field);

const echoedIn = (fields: Readonly<Record<string, unknown>>): ForwardWarning[] =>
  Object.entries(fields).flatMap(([field, given]): ForwardWarning[] => {
    if (isLaterField(field))
      return [{ code: 'echoed-field', says: `${field} is a field of a later release, sent back as it came` }];
    if (!isLaterValue(field, given)) return [];
    return [{ code: 'echoed-value', says: `${field} "${given}" is a value of a later release, sent back as it came` }];
  });

const filteredBy = (parameters: readonly (readonly [string, string])[]): ForwardWarning[] =>
  parameters.flatMap(([name, value]): ForwardWarning[] => {
    const field = /^filter\[(.*)\]$/s.exec(name)?.[1];
    if (field === undefined || !isLaterValue(field, value)) return [];
    return [{ code: 'echoed-value', says: `${name}=${value} asks for a value of a later release` }];
  });

const onRepeat = (exchange: SeenExchange, before: readonly SeenExchange[]): ForwardWarning[] => {
  const { request, response } = exchange;
  if (request.method !== 'GET' || response.status >= 400) return [];
  const last = before.filter((one) => one.response.caller?.key.id === response.caller?.key.id).slice(1 - REPEAT_LIMIT.requests);
  const first = last[0];
  if (last.length < REPEAT_LIMIT.requests - 1 || !first || exchange.at - first.at > REPEAT_LIMIT.ms) return [];
  if (last.some((one) => one.request.url !== request.url || one.request.method !== 'GET' || one.response.status >= 400))
    return [];
  const says = `asked ${REPEAT_LIMIT.requests} times in a row, each time with success: it may be unable to read the answer`;
  return [{ code: 'repeated-after-unknown', says }];
};

export interface RequestParts {
  readonly pathInService: string;
  readonly parameters: readonly (readonly [string, string])[];
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Warnings on an exchange with a service that is ahead of its clients; none on one of today. */
export const forwardWarnings = (exchange: SeenExchange, before: readonly SeenExchange[], parts: RequestParts) => {
  if (exchange.terms.forward.length === 0) return [];
  const { pathInService: path, parameters, fields } = parts;
  const called = LATER_ENDPOINTS.some((known) => known === path)
    ? [{ code: 'later-endpoint', says: `${path} is an endpoint of a later release` } as const]
    : [];
  return [...echoedIn(fields), ...filteredBy(parameters), ...called, ...onRepeat(exchange, before)];
};

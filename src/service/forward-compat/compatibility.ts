// Whether a client lives through a service that is ahead of it (`--forward-compat`): what a server can see, and no more.
import { FORWARD_KINDS, type Forward, type ForwardKind, isLaterValue } from '../contract/forward.ts';
import { array, boolean, type Is, integer, nullable, object, oneOf, string } from '../contract/schema.ts';
import type { Terms } from '../contract/terms.ts';
import { isLaterField, LATER_ENDPOINTS } from './responses.ts';

/** Warnings of clients that use parts which only a later release knows. */
export const AHEAD_WARNINGS = ['echoed-field', 'echoed-value', 'later-endpoint', 'repeated-after-unknown'] as const;

interface ForwardWarning {
  readonly code: (typeof AHEAD_WARNINGS)[number];
  readonly says: string;
}

interface SeenExchange {
  readonly at: number;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly pathInService: string;
    readonly parameters: readonly (readonly [name: string, value: string])[];
    readonly fields: Readonly<Record<string, unknown>>;
  };
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

export const filterField = (parameter: string): string | undefined => /^filter\[(.*)\]$/s.exec(parameter)?.[1];

const filteredBy = (parameters: SeenExchange['request']['parameters']): ForwardWarning[] =>
  parameters.flatMap(([name, value]): ForwardWarning[] =>
    isLaterValue(filterField(name) ?? '', value)
      ? [{ code: 'echoed-value', says: `${name}=${value} asks for a value of a later release` }]
      : [],
  );

/** Equal reads by one key, one right after the other up to this one; undefined when they are fewer or slower than the limit. */
export const repeatedBy = <E extends SeenExchange>(
  exchange: E,
  before: readonly E[],
  { requests, ms }: typeof REPEAT_LIMIT,
): readonly E[] | undefined => {
  const own = before.filter(({ response }) => response.caller?.key.id === exchange.response.caller?.key.id);
  const last = [...own.slice(1 - requests), exchange];
  const isEqual = last.every(({ request: { method, url } }) => method === 'GET' && url === exchange.request.url);
  return last.length === requests && isEqual && exchange.at - last[0]!.at <= ms ? last : undefined;
};

const onRepeat = (exchange: SeenExchange, before: readonly SeenExchange[]): ForwardWarning[] => {
  const repeated = repeatedBy(exchange, before, REPEAT_LIMIT);
  if (!repeated?.every(({ response }) => response.status < 400)) return [];
  const says = `asked ${REPEAT_LIMIT.requests} times in a row, each time with success: it may be unable to read the answer`;
  return [{ code: 'repeated-after-unknown', says }];
};

/** Warnings on an exchange with a service that is ahead of its clients; none on one of today. */
export const forwardWarnings = (exchange: SeenExchange, before: readonly SeenExchange[]): readonly ForwardWarning[] => {
  if (exchange.terms.forward.length === 0) return [];
  const { pathInService: path, parameters, fields } = exchange.request;
  const called = LATER_ENDPOINTS.some((known) => known === path)
    ? [{ code: 'later-endpoint', says: `${path} is an endpoint of a later release` } as const]
    : [];
  return [...echoedIn(fields), ...filteredBy(parameters), ...called, ...onRepeat(exchange, before)];
};

export const Compatibility = object({
  forward_compat: array(oneOf(Object.keys(FORWARD_KINDS) as [ForwardKind, ...ForwardKind[]])),
  answers: integer({ description: 'Responses in the journal.' }),
  warnings: array(object({ request: string(), code: string(), says: string() })),
  delivered: integer(),
  refused: array(object({ delivery: string(), event: string(), says: string() })),
  survived: nullable(boolean({ description: 'False when a sign speaks against it; null when nothing was asked.' })),
});
export type Compatibility = Is<typeof Compatibility>;

interface SeenRequest {
  readonly id: string;
  readonly status: number;
  readonly warnings: readonly { readonly code: string; readonly says: string }[];
}
interface SeenDelivery {
  readonly id: string;
  readonly state: string;
  readonly event: { readonly event: string };
  readonly attempts: readonly { readonly outcome: string; readonly status?: number; readonly scripted?: boolean }[];
}

const refusalIn = ({ id, event: { event }, attempts }: SeenDelivery) => {
  const isRefusal = ({ outcome, status = 0, scripted }: SeenDelivery['attempts'][number]) =>
    !scripted && outcome === 'response' && (status < 200 || status > 299);
  const bad = attempts.find(isRefusal);
  return bad ? [{ delivery: id, event, says: `the receiver answered ${bad.status}: it may not know what it got` }] : [];
};

/** The visible signs of compatibility. A client that stops calling cannot be seen from here. */
export const compatibilityOf = (forward: Forward, requests: readonly SeenRequest[], deliveries: readonly SeenDelivery[]) => {
  const answers = requests.filter(({ status }) => status > 0).length;
  const codes: readonly string[] = AHEAD_WARNINGS;
  const warnings = requests.flatMap(({ id, warnings: found }) =>
    found.filter(({ code }) => codes.includes(code)).map(({ code, says }) => ({ request: id, code, says })),
  );
  const refused = deliveries.flatMap(refusalIn);
  const delivered = deliveries.filter(({ state }) => state === 'delivered').length;
  const looked = forward.length > 0 && answers + delivered + refused.length > 0;
  const survived = looked ? warnings.length + refused.length === 0 : null;
  return { forward_compat: forward, answers, warnings, delivered, refused, survived };
};

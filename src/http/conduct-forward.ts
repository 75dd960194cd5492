// What a client did with things that nobody knows (`--forward-compat`): what a server can honestly see of it.
import { isLaterField, isLaterValue, LATER_ENDPOINTS } from '../contract/forward.ts';
import { type Parameters, readParameters } from '../lists/query.ts';
import type { Exchange } from './exchange.ts';
import { rawPath, WORLD_PREFIX } from './paths.ts';
import type { Warning } from './warning.ts';

/** So many equal requests, one right after the other, look like a client that cannot read the answer. */
const REPEATED = { requests: 3, ms: 10_000 };

const echoedIn = (text: string): Warning[] => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return [];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([field, given]): Warning[] => {
    if (isLaterField(field))
      return [{ code: 'echoed-field', says: `${field} is a field of a later release, sent back as it came` }];
    if (!isLaterValue(field, given)) return [];
    return [{ code: 'echoed-value', says: `${field} "${given}" is a value of a later release, sent back as it came` }];
  });
};

const filteredBy = (parameters: Parameters): Warning[] =>
  parameters.flatMap(([name, value]): Warning[] => {
    const field = /^filter\[(.*)\]$/s.exec(name)?.[1];
    if (field === undefined || !isLaterValue(field, value)) return [];
    return [{ code: 'echoed-value', says: `${name}=${value} asks for a value of a later release` }];
  });

const repeated = (exchange: Exchange, before: readonly Exchange[]): Warning[] => {
  const { asked, reply } = exchange;
  if (asked.method !== 'GET' || reply.status >= 400) return [];
  const last = before.filter((one) => one.reply.caller?.key.id === reply.caller?.key.id).slice(1 - REPEATED.requests);
  const first = last[0];
  if (last.length < REPEATED.requests - 1 || !first || exchange.at - first.at > REPEATED.ms) return [];
  if (last.some((one) => one.asked.url !== asked.url || one.asked.method !== 'GET' || one.reply.status >= 400)) return [];
  const says = `asked ${REPEATED.requests} times in a row, each time with success: it may be unable to read the answer`;
  return [{ code: 'repeated-after-unknown', says }];
};

/** Warnings on an exchange with a service that is ahead of its clients; none on one of today. */
export const warningsOfForward = (exchange: Exchange, before: readonly Exchange[]): readonly Warning[] => {
  const { asked, terms } = exchange;
  const { forward } = terms;
  if (forward.length === 0) return [];
  const path = rawPath(asked.url).replace(WORLD_PREFIX, '').replace(/^\/v1/, '');
  const called = (LATER_ENDPOINTS as readonly string[]).includes(path)
    ? [{ code: 'later-endpoint', says: `${path} is an endpoint of a later release` } as const]
    : [];
  return [
    ...(asked.body && 'text' in asked.body ? echoedIn(asked.body.text) : []),
    ...filteredBy(readParameters(asked.url)),
    ...called,
    ...repeated(exchange, before),
  ];
};

// Responses of a service that is ahead of its clients: more fields, other words, other order, more headers and endpoints.

import type { Forward } from '../contract/forward.ts';
import { PAGE_LIMIT } from '../contract/limits.ts';
import { isObject } from '../contract/schema.ts';
import type { Terms } from '../contract/terms.ts';
import type { TaskRecord } from '../world/records.ts';
import type { Change } from '../world/world.ts';
import {
  LATER_ENDPOINTS,
  LATER_FIELDS,
  LATER_HEADERS,
  LATER_ISSUE,
  LATER_MESSAGE,
  LATER_MESSAGES,
  type LaterEvent,
} from './changes.ts';

type JsonFields = Readonly<Record<string, unknown>>;
type ForwardTerms = Pick<Terms, 'forward'>;

/** The fields that an object gets in addition, by its place. */
const moreIn = (value: JsonFields, name: string): JsonFields => {
  if (name === '') return LATER_FIELDS.envelope;
  if (name === 'meta' || name === 'error' || name === 'details') return LATER_FIELDS[name];
  if (name === 'fields') return LATER_FIELDS.issue;
  // The `data` of an event holds one key (spec: Events, Envelope); that of a response is the record.
  return 'id' in value || 'secret' in value ? LATER_FIELDS.record : {};
};

/** A value with what the kinds add to it, at every level; `name` is that of the field it stands in, empty for the whole. */
export const addLaterParts = (value: unknown, forward: Forward, name = ''): unknown => {
  if (Array.isArray(value)) return value.map((one) => addLaterParts(one, forward, name));
  if (!isObject(value)) return value;
  const inner = Object.entries(value).map(([field, one]) => [field, addLaterParts(one, forward, field)] as const);
  const more = forward.includes('fields') ? Object.entries(moreIn(value, name)) : [];
  const all = [...inner, ...more.filter(([field]) => !(field in value))];
  return Object.fromEntries(forward.includes('order') ? all.reverse() : all);
};

export const isAhead = ({ forward }: ForwardTerms): boolean => forward.length > 0;

export const bodyText = (value: unknown, terms: ForwardTerms): string =>
  JSON.stringify(isAhead(terms) ? addLaterParts(value, terms.forward) : value);

/** The words of an error, others where the service is ahead by its messages. */
export const forwardWords = <E extends { readonly status: number; readonly message: string; readonly fields: readonly object[] }>(
  problem: E,
  { forward }: ForwardTerms,
): Pick<E, 'message' | 'fields'> => {
  if (!forward.includes('messages')) return problem;
  const message = LATER_MESSAGES[problem.status] ?? LATER_MESSAGE;
  return { message, fields: problem.fields.map((field) => ({ ...field, issue: LATER_ISSUE })) };
};

/** Headers with those that a later release adds. */
export const forwardHeaders = <H extends Readonly<Record<string, string | null>>>({ forward }: ForwardTerms, headers: H): H =>
  forward.includes('headers') ? { ...headers, ...LATER_HEADERS } : headers;

const EMPTY_LIST = { items: [], meta: { total: 0, limit: PAGE_LIMIT.default, has_more: false, next_cursor: null } };

interface ForwardResponse {
  readonly status: number;
  readonly text: string | null;
  readonly headers: Readonly<Record<string, string | null>>;
  readonly problem: unknown;
}

/** The reply to a request as a service that is ahead gives it. @param path without what stands before `/v1` */
export const forwardResponse = <R extends ForwardResponse>(
  terms: ForwardTerms,
  { method, path }: { method: string; path: string },
  reply: R,
): R => {
  const listed =
    method === 'GET' && terms.forward.includes('endpoints') && LATER_ENDPOINTS.some((known) => path === `/v1${known}`);
  const answered = listed && reply.status === 404 ? { status: 200, text: bodyText(EMPTY_LIST, terms), problem: undefined } : {};
  return { ...reply, ...answered, headers: forwardHeaders(terms, reply.headers) };
};

/** The event of a later release that a change announces; undefined when there is none. */
export const laterEventOf = (
  { forward }: Pick<Terms, 'forward'>,
  { name, before, after }: Pick<Change, 'name' | 'before' | 'after'>,
): LaterEvent | undefined => {
  if (!forward.includes('enums')) return undefined;
  if (name === 'comments' && !before) return 'comment.created';
  if (name !== 'tasks' || !before || !after) return undefined;
  return (before as TaskRecord).status === (after as TaskRecord).status ? undefined : 'task.moved';
};

/** The event that is sent, changed where the service is ahead. */
export const forwardEvent = <E>(terms: Pick<Terms, 'forward'>, envelope: E, headers: Readonly<Record<string, string>>) => {
  const event = isAhead(terms) ? (addLaterParts(envelope, terms.forward) as E) : envelope;
  return { event, request: { headers: forwardHeaders(terms, headers), body: JSON.stringify(event) } };
};

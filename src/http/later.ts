// Writes answers as a later release of v1 might: more fields, other words, other order (`--forward-compat`).
import { type Forward, LATER_FIELDS, LATER_HEADERS, LATER_ISSUE, LATER_MESSAGE, LATER_MESSAGES } from '../contract/forward.ts';
import type { Terms } from '../contract/terms.ts';

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);

/** What stands in an object besides, by where it stands. */
const moreIn = (value: Fields, name: string): Fields => {
  if (name === '') return LATER_FIELDS.envelope;
  if (name === 'meta' || name === 'error' || name === 'details') return LATER_FIELDS[name];
  if (name === 'fields') return LATER_FIELDS.issue;
  // The `data` of an event holds one key (spec: Events, Envelope); that of an answer is the record.
  return 'id' in value || 'secret' in value ? LATER_FIELDS.record : {};
};

/** A value with what the kinds add to it, at every level; `name` is that of the field it stands in, empty for the whole. */
export const later = (value: unknown, forward: Forward, name = ''): unknown => {
  if (Array.isArray(value)) return value.map((one) => later(one, forward, name));
  if (!isObject(value)) return value;
  const inner = Object.entries(value).map(([field, one]) => [field, later(one, forward, field)] as const);
  const more = forward.includes('fields') ? Object.entries(moreIn(value, name)) : [];
  const all = [...inner, ...more.filter(([field]) => !(field in value))];
  return Object.fromEntries(forward.includes('order') ? all.reverse() : all);
};

/** The words of an error. */
export const laterWords = <E extends { readonly status: number; readonly message: string; readonly fields: readonly object[] }>(
  problem: E,
  forward: Forward,
): Pick<E, 'status' | 'message' | 'fields'> => {
  if (!forward.includes('messages')) return problem;
  const message = LATER_MESSAGES[problem.status] ?? LATER_MESSAGE;
  return { status: problem.status, message, fields: problem.fields.map((field) => ({ ...field, issue: LATER_ISSUE })) };
};

/** The headers that a later release adds; undefined when it adds none. */
export const laterHeaders = ({ forward }: Terms): Readonly<Record<string, string>> | undefined =>
  forward.length > 0 && forward.includes('headers') ? LATER_HEADERS : undefined;

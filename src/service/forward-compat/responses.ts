// A service that is ahead of its clients: more fields, values, headers and endpoints, other words, other order.
import { type Forward, LATER_VALUES, type LaterField } from '../contract/forward.ts';
import { PAGE_LIMIT } from '../contract/limits.ts';
import { isObject } from '../contract/schema.ts';
import { DEFAULTS } from '../contract/states.ts';
import type { Terms } from '../contract/terms.ts';
import type { Row } from '../world/collection.ts';
import type { RecordName, TaskRecord } from '../world/records.ts';
import type { Change, World } from '../world/world.ts';

/** Events that a later release might announce, to those who subscribed to all. */
export const LATER_EVENTS = {
  'task.moved': 'the status of a task changes',
  'comment.created': 'a comment is added to a task',
} as const;
export type LaterEvent = keyof typeof LATER_EVENTS;

/** Fields that a later release might add, by the part that holds them: scalars, null, lists and objects. */
export const LATER_FIELDS = {
  envelope: { request_id: 'req_later', included: [] },
  meta: { took_ms: 3, sorted_by: null },
  record: { revision: 1, archived_at: null, tags: ['later'], links: { self: { href: '/later', templated: false } } },
  error: { documentation_url: 'https://docs.example.com/errors', retryable: false },
  details: { hint: 'A later release says more here.' },
  issue: { rule: 'later' },
} as const;

const ALL_FIELDS: ReadonlySet<string> = new Set(Object.values(LATER_FIELDS).flatMap((fields) => Object.keys(fields)));

export const isLaterField = (name: string): boolean => ALL_FIELDS.has(name);

/** Endpoints that a later release might have: lists without records. */
export const LATER_ENDPOINTS = ['/labels', '/workspace/activity'] as const;

const LATER_HEADERS = { 'x-service-release': '1.4.0', 'x-service-region': 'later-1' } as const;

const LATER_MESSAGES: Readonly<Record<number, string>> = {
  400: 'We could not make sense of the request.',
  401: 'Please sign in with a valid key.',
  403: 'Your key is not meant for this.',
  404: 'We looked everywhere and found nothing.',
  405: 'That is not how this address is used.',
  409: 'Something else is in the way.',
  413: 'That is more than we can take.',
  422: 'Some of what you sent does not fit.',
  429: 'Slow down, please.',
  500: 'We are sorry: something broke on our side.',
};
const LATER_MESSAGE = 'It did not work out.';
const LATER_ISSUE = 'does not fit';

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

/** A value with what the kinds add to it, at every level; `name` is that of the field that holds it, empty for the whole. */
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

export const forwardWords = <E extends { readonly status: number; readonly message: string; readonly fields: readonly object[] }>(
  problem: E,
  { forward }: ForwardTerms,
): Pick<E, 'message' | 'fields'> => {
  if (!forward.includes('messages')) return problem;
  const message = LATER_MESSAGES[problem.status] ?? LATER_MESSAGE;
  return { message, fields: problem.fields.map((field) => ({ ...field, issue: LATER_ISSUE })) };
};

const forwardHeaders = <H extends Readonly<Record<string, string | null>>>({ forward }: ForwardTerms, headers: H): H =>
  forward.includes('headers') ? { ...headers, ...LATER_HEADERS } : headers;

const EMPTY_LIST = { items: [], meta: { total: 0, limit: PAGE_LIMIT.default, has_more: false, next_cursor: null } };

interface ForwardResponse {
  readonly status: number;
  readonly text: string | null;
  readonly headers: Readonly<Record<string, string | null>>;
  readonly problem: unknown;
}

/** The response as a service that is ahead gives it. @param path without the part that precedes `/v1` */
export const forwardResponse = <R extends ForwardResponse>(
  terms: ForwardTerms,
  { method, path }: { method: string; path: string },
  response: R,
): R => {
  const listed =
    method === 'GET' && terms.forward.includes('endpoints') && LATER_ENDPOINTS.some((known) => path === `/v1${known}`);
  const later = listed && response.status === 404 ? { status: 200, text: bodyText(EMPTY_LIST, terms), problem: undefined } : {};
  return { ...response, ...later, headers: forwardHeaders(terms, response.headers) };
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

export const forwardEvent = <E>(terms: Pick<Terms, 'forward'>, envelope: E, headers: Readonly<Record<string, string>>) => {
  const event = isAhead(terms) ? (addLaterParts(envelope, terms.forward) as E) : envelope;
  return { event, request: { headers: forwardHeaders(terms, headers), body: JSON.stringify(event) } };
};

/** Every third record from a place on, of those that may have it; the first of them where there is none. */
const someOf = <R extends Row<unknown>>(rows: readonly R[], from: number, may: (row: R) => boolean = () => true) => {
  const some = rows.filter((row, i) => i % 3 === from && may(row));
  return some.length > 0 ? some : rows.filter(may).slice(0, 1);
};

const setField = ({ store }: World, name: RecordName, rows: readonly Row<object>[], field: LaterField): void => {
  for (const { value, workspace, sequence } of rows)
    store[name].put({ value: { ...value, [field]: LATER_VALUES[field] } as never, workspace, sequence });
};

/** Changes records of a world that is ahead by enums without a word to observers. Always the same ones. */
export const putLaterValues = (world: World): void => {
  if (!world.terms.forward.includes('enums')) return;
  const { tasks, projects, users } = world.store;
  setField(world, 'tasks', someOf(tasks.all(), 0), 'status');
  // A task from before there was a priority reads as the default (spec: Resources, Task).
  const urged = someOf(tasks.all(), 1, ({ value }) => value.priority !== DEFAULTS.priority);
  setField(world, 'tasks', urged, 'priority');
  setField(world, 'projects', someOf(projects.all(), 0), 'visibility');
  setField(world, 'users', someOf(users.all(), 1), 'role');
};

/** Puts a world ahead of its clients. Values that were put into records stay when it falls back. */
export const moveAhead = (world: World, forward: Forward): void => {
  const knew = world.terms.forward.includes('enums');
  world.terms = { ...world.terms, forward };
  if (!knew) putLaterValues(world);
};

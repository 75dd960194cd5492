// Tomorrow's service: changes that v1 allows at any time (spec: Versioning 4), made today so that clients meet them in tests.
import { EVENT_NAMES, type EventName } from './resources.ts';

export const FORWARD_KINDS = {
  fields: 'answers and events hold fields that nobody knows, at every level',
  enums: 'role, priority, status, visibility and event names have values that nobody knows',
  messages: 'errors say the same in other words, with the same codes',
  endpoints: 'there are more endpoints',
  headers: 'answers and deliveries carry more headers',
  order: 'the keys of objects come in another order',
} as const;
export type ForwardKind = keyof typeof FORWARD_KINDS;

/** Which of the changes are made, in the order of the table; none: today's service. */
export type Forward = readonly ForwardKind[];

const NAMES = Object.keys(FORWARD_KINDS) as ForwardKind[];

/** Reads which changes are meant: true or `all`, names with commas, a list of names. @throws RangeError naming what is unknown. */
export const forwardNamed = (value: unknown): Forward => {
  if (value === undefined || value === false || value === null) return [];
  const names = value === true ? ['all'] : Array.isArray(value) ? value.map(String) : String(value).split(',');
  const bare = names.map((name) => name.trim()).filter((name) => name !== '' && name !== 'none');
  const unknown = bare.filter((name) => name !== 'all' && !NAMES.includes(name as ForwardKind));
  if (unknown.length > 0) {
    throw new RangeError(`forward-compat: expected all, none or any of ${NAMES.join(', ')}, got "${unknown.join(', ')}"`);
  }
  return NAMES.filter((name) => bare.includes('all') || bare.includes(name));
};

/** Values that a later release might name; one for each list that the spec calls open. */
export const LATER_VALUES = {
  status: 'blocked',
  priority: 'critical',
  visibility: 'organization',
  role: 'guest',
} as const;
export type LaterField = keyof typeof LATER_VALUES;

/** Whether a value of a field is one of a later release. */
export const isLaterValue = (field: string, value: unknown): boolean =>
  Object.hasOwn(LATER_VALUES, field) && LATER_VALUES[field as LaterField] === value;

/** Events that a later release might announce, to those who subscribed to all. */
export const LATER_EVENTS = {
  'task.moved': 'the status of a task changes',
  'comment.created': 'somebody comments on a task',
} as const;
export type LaterEvent = keyof typeof LATER_EVENTS;

export const isLaterEvent = (name: string): boolean =>
  Object.hasOwn(LATER_EVENTS, name) && !EVENT_NAMES.includes(name as EventName);

/** Fields that a later release might add, by where they stand: scalars, null, lists and objects. */
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

export const LATER_HEADERS = { 'x-service-release': '1.4.0', 'x-service-region': 'later-1' } as const;

/** What an error says in a later release, by its status. */
export const LATER_MESSAGES: Readonly<Record<number, string>> = {
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
export const LATER_MESSAGE = 'It did not work out.';
export const LATER_ISSUE = 'does not fit';

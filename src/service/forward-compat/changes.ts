// Parts that a later release might add: events, fields, endpoints, headers, words.

/** Events that a later release might announce, to those who subscribed to all. */
export const LATER_EVENTS = {
  'task.moved': 'the status of a task changes',
  'comment.created': 'somebody comments on a task',
} as const;
export type LaterEvent = keyof typeof LATER_EVENTS;

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

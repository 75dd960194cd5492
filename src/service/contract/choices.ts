// The spec's open points: for each the question, the answers that conform, ours, and why. The only place where we invent.
import type { Span } from './releases.ts';

interface Row extends Span {
  /** Part of the spec that leaves the point open. */
  readonly part: string;
  readonly question: string;
  /** Conforming answers, each with what it means. */
  readonly options: Readonly<Record<string, string>>;
  readonly ours: string;
  readonly because: string;
  /** The requests whose success it gives a status: a method, or a method with its path. */
  readonly status?: string;
}

/** What a row may hold besides: the releases that leave it open, when not all do; the status that it decides; our answer. */
type More<O> = Span & Pick<Row, 'status'> & { readonly ours?: keyof O & string };

/** The rows of a part of the spec. The first option is our answer, unless the row says otherwise. */
const part =
  (name: string) =>
  <const O extends Readonly<Record<string, string>>>(question: string, options: O, because: string, more: More<O> = {}) => ({
    part: name,
    question,
    options,
    ours: Object.keys(options)[0] as keyof O & string,
    because,
    ...more,
  });

const resources = part('Resources');
const states = part('States');
const endpoints = part('Endpoints');
const service = part('What the service does');
const limits = part('Limits');
const lists = part('List rules');
const versioning = part('Versioning');
const authentication = part('Authentication');
const errors = part('Errors');
const events = part('Events');

const BEFORE_LIMIT = { until: '1.1.0' } as const;
const NUMBERED = { until: '1.2.0' } as const;
const SIGNALLED = { since: '1.1.0', until: '1.2.0' } as const;
const WITH_CURSORS = { since: '1.1.0' } as const;
const SINCE_TEAMS = { since: '1.2.0' } as const;

export const CHOICES = {
  'owner-field': resources(
    'Does a project show its owner?',
    { absent: 'no owner field', owner_id: 'an extra field `owner_id`' },
    'The spec says "not shown"; a client must not rely on it.',
  ),
  'id-style': resources(
    'What do identifiers look like?',
    { prefixed: 'the prefix seen in responses, then random characters', opaque: 'no prefix: ids are opaque' },
    'The five prefixes are given as seen in responses.',
  ),
  'absent-values': resources(
    'How do a missing description, assignee or due date look in a response?',
    { null: 'the field is null', 'left-out': 'the field is left out' },
    'One shape for every record is what typed clients expect.',
  ),
  'null-in-body': resources(
    'What does null mean for description, assignee_id and due_date in a body?',
    { clears: 'no value: clears it', refused: '400' },
    'Otherwise nothing could unassign a task.',
  ),
  'datetime-format': resources(
    'How are times written in responses?',
    { milliseconds: '2025-01-20T09:00:00.000Z', seconds: '2025-01-20T09:00:00Z', offset: '2025-01-20T09:00:00+00:00' },
    'It is what JavaScript writes; the others are ISO 8601 in UTC as well.',
  ),
  'date-only': resources(
    'Is a date without a time accepted as due_date?',
    { refused: 'no: a rule violation', midnight: 'yes: midnight UTC' },
    'The field is a datetime; strictness finds the bug.',
  ),
  'length-unit': resources(
    'What is a character?',
    { 'code-points': 'a Unicode code point', 'utf-16': 'a UTF-16 unit' },
    'It is what JSON Schema counts.',
  ),
  'noop-patch': states(
    'Does a PATCH that changes nothing (empty, or equal values) count as an update?',
    { unchanged: 'updated_at stays, no event', touched: 'updated_at moves, the event fires' },
    'Nothing was updated.',
  ),
  'patch-status': endpoints(
    'Which status has the response to a successful PATCH?',
    { '200': '200', '201': '201', '202': '202' },
    'The usual status for an update that responds with the record.',
    { status: 'PATCH' },
  ),
  'webhook-create-status': endpoints(
    'Which status has the response to POST /webhooks?',
    { '201': '201', '200': '200' },
    'The general rule: 201 for creation.',
    { status: 'POST /webhooks', ours: '201' },
  ),
  'webhook-create-shape': endpoints(
    'Where does the response to POST /webhooks hold the secret?',
    {
      data: '`data.secret`, with id, url, events, created_at',
      bare: '`secret` at the top level',
      minimal: '`data` holds `secret` alone',
    },
    'The envelope of a single resource.',
  ),
  'webhook-url': resources(
    'Which receiver URLs are accepted?',
    {
      'loopback-too': 'https, and http inside your network',
      'https-only': 'https with any host',
      'public-https': 'https with a public host',
    },
    'A test bench listens on loopback or in a container; `--strict-webhooks` is the service as written.',
  ),
  'webhook-events-absent': resources(
    'What does a registration without `events` mean?',
    { all: 'all eight events', refused: '400', none: 'no events' },
    'Only `url` is marked as required, and the dashboard offers all events.',
  ),
  'all-events-name': resources(
    'Is `*` accepted as the name of all events?',
    { refused: 'no: an unknown name', star: 'yes' },
    'The spec names eight events and no wildcard.',
  ),
  'repeated-ids': resources(
    'What happens to repeated member_ids or event names?',
    { collapsed: 'they count once', refused: 'a rule violation' },
    'A set is meant.',
  ),
  'team-name-comparison': resources(
    'When are two team names the same?',
    { exact: 'when they are equal', 'ignore-case': 'when they differ only in case' },
    'The spec says unique, no more.',
  ),
  'wrong-method': endpoints(
    'How is a known path with an undocumented method answered?',
    { '404': '404 not_found', '405': '405 with an Allow header' },
    '405 is not in the status table.',
  ),
  'content-type': service(
    'How is a body without `Content-Type: application/json` answered?',
    { required: '400', lenient: 'it is read as JSON all the same' },
    'Clients "send the header"; strictness finds the bug.',
  ),
  'unknown-body-fields': endpoints(
    'What happens to unknown or server-set fields in a body?',
    { ignored: 'they are ignored', refused: '400 naming them' },
    'A newer client must keep working (Versioning 4).',
  ),
  'limit-above-100': limits(
    'How is a limit above 100 answered?',
    { refused: '400', clamped: 'as if it were 100' },
    '`meta.limit` stays the supplied value, and the bug shows.',
  ),
  'limit-below-1': limits(
    'How is a limit below 1 answered?',
    { refused: '400', clamped: 'as if it were 1' },
    'The same as above 100.',
  ),
  'default-order': lists(
    'In which order does a list without `sort` come?',
    { oldest: 'created_at ascending', newest: 'created_at descending' },
    'New records then appear behind the cursor.',
  ),
  'null-due-date': lists(
    'Where do tasks without due date stand when sorted by it?',
    { last: 'last in both directions', first: 'first in both directions', largest: 'as if due after all others' },
    'What is due is wanted first.',
  ),
  'sortable-fields': lists(
    'What may be sorted by what?',
    {
      fitting: 'tasks by all four fields, projects and teams by the two times, comments by created_at',
      tasks: 'tasks by all four fields, projects by the two times, no other list',
      titleless: 'as `fitting`, but tasks not by title',
    },
    'Four fields are named in use, without their resource.',
  ),
  'unknown-filter': lists(
    'How is a filter answered that the list does not name?',
    { refused: '400', ignored: 'it is ignored' },
    'A misspelt filter that shows everything hides the bug.',
  ),
  'filter-value': lists(
    'How is a filter value outside its enumeration answered?',
    { refused: '400', empty: 'an empty list' },
    'The same.',
  ),
  'project-filter-in-project': lists(
    'What does filter[project_id] do on the list of one project?',
    { combined: 'AND with the path', ignored: 'nothing', refused: '400' },
    'The filter table says "tasks"; filters combine with AND.',
  ),
  'unknown-query': lists(
    'How are unknown query parameters answered?',
    { ignored: 'they are ignored', refused: '400' },
    'Cache busters and tracing parameters are common.',
  ),
  'page-and-offset': versioning(
    'How are the removed parameters `page` and `offset` answered?',
    { ignored: 'they are ignored', refused: '400' },
    'Valid requests of v1 are not rejected within v1.',
    SINCE_TEAMS,
  ),
  'page-size': versioning(
    'How does a request of v1.0 say how many records a page has?',
    { fixed: 'not at all: 20', limit: '`limit`, as later', per_page: '`per_page`, from 1 to 100' },
    'The release history brings `limit` with v1.1.0.',
    BEFORE_LIMIT,
  ),
  'page-numbering': versioning(
    'Which `page` is the first?',
    { 'from-1': '1', 'from-0': '0' },
    'People count pages from one.',
    NUMBERED,
  ),
  'page-with-offset': versioning(
    'How is a request with both `page` and `offset` answered?',
    { refused: '400', page: '`page` wins', offset: '`offset` wins' },
    'The two say different places; strictness finds the bug.',
    NUMBERED,
  ),
  'page-beyond-end': versioning(
    'How is a `page` or `offset` beyond the last record answered?',
    { empty: 'with an empty list', 'not-found': '404' },
    'A list without records is a list.',
    NUMBERED,
  ),
  'page-meta': versioning(
    'What does `meta` hold at v1.0?',
    {
      counts: 'total, limit, has_more',
      pages: 'the same, and `page` and `pages`',
      'null-cursor': 'the same, and `next_cursor`, always null',
    },
    'The release history brings `meta.next_cursor` with v1.1.0, and names no other field.',
    BEFORE_LIMIT,
  ),
  'page-with-cursor': versioning(
    'How is a request with `cursor` beside `page` or `offset` answered?',
    { refused: '400', cursor: '`cursor` wins' },
    'The same as `page` with `offset`.',
    SIGNALLED,
  ),
  'deprecation-value': versioning(
    'What is the value of the `Deprecation` header?',
    { date: '`@1725148800`, September 2024, as RFC 9745 writes a date', true: '`true`, as its drafts did' },
    'RFC 9745 is the standard.',
    SIGNALLED,
  ),
  'deprecation-reach': versioning(
    'Which responses carry the `Deprecation` header?',
    { used: 'those to requests with `page` or `offset`', lists: 'those of every list' },
    'It is the two parameters that are deprecated.',
    SIGNALLED,
  ),
  'cursor-conflict': lists(
    'What if a filter or sort contradicts the one that the cursor keeps?',
    { refused: '400', 'cursor-wins': 'the cursor wins' },
    'Such a request is a bug of the client.',
    WITH_CURSORS,
  ),
  'cursor-limit': lists(
    'Does a cursor keep the limit?',
    { fresh: 'no: each request says its own, else 20', kept: 'yes, unless the request says another' },
    'The spec says only that the cursor keeps the filters.',
    WITH_CURSORS,
  ),
  'broken-cursor': lists(
    'How is a cursor answered that nobody issued?',
    { refused: '400', 'first-page': 'with the first page' },
    'Clients must not alter cursors; an endless loop would hide it.',
    WITH_CURSORS,
  ),
  'webhook-scope': authentication(
    'Which scope creates webhooks?',
    { write: 'write', admin: 'admin' },
    'Else "other non-administrative resources" would name nothing.',
  ),
  'team-scope': authentication(
    'Which scope creates and deletes teams?',
    { write: 'write', admin: 'admin' },
    'The same.',
    SINCE_TEAMS,
  ),
  'check-order': errors(
    'Which comes first: is the record in the path looked up, or the body checked?',
    { record: '404 before 400 and 422', body: '400 and 422 before 404' },
    'The path is read before the body.',
  ),
  'www-authenticate': errors(
    'Does a 401 carry WWW-Authenticate?',
    { present: '`Bearer`', absent: 'no' },
    'RFC 9110 asks for it.',
  ),
  'not-found-code': errors(
    'Which of the two codes does a 404 have?',
    { not_found: 'the one in the table', resource_not_found: 'the one in the example' },
    'The table is the rule.',
  ),
  'conflict-code': errors(
    'Which code does a 409 have?',
    { conflict: 'conflict', already_exists: 'already_exists' },
    'The word of the status table.',
  ),
  'internal-code': errors(
    'Which code does a 500 have?',
    { internal_error: 'internal_error', server_error: 'server_error' },
    'A common name.',
  ),
  'unsupported-sort-code': errors(
    'Which code is the response to an unsupported sort field?',
    { validation_error: 'validation_error', unsupported_sort: 'unsupported_sort' },
    'A parameter failed validation.',
  ),
  'error-details': errors(
    'Is `error.details` there when it has nothing to say?',
    { always: 'yes: `{}`', 'when-filled': 'no' },
    'Clients may read through it.',
  ),
  'error-status-field': errors(
    'Does an error repeat its status in `error.status`?',
    { absent: 'no', present: 'yes' },
    'It "may also appear".',
  ),
  'value-fault-status': errors(
    'Which status is the response to a value outside its rules (enumeration, empty text, bad date or URL, unknown reference)?',
    { '422': '422', '400': '400' },
    'The text calls it a rule violation.',
    { ours: '422' },
  ),
  'mixed-faults': errors(
    'How is a body answered with structural faults and rule faults at once?',
    {
      '400-all': '400, all fields listed',
      '400-structural': '400, the structural ones listed',
      '422-all': '422, all fields listed',
    },
    '"Each failing field" is listed.',
  ),
  'rate-window': limits(
    'How does the one-minute window move?',
    {
      rolling: 'a log of 60 s; Reset is when the newest counted request ages out',
      fixed: '60 s from its first request, empty at Reset',
    },
    'Every sentence of the spec is then literally true.',
  ),
  'rate-source': limits(
    'Whose requests count?',
    { workspace: "the workspace's, against its plan", 'workspace-and-key': 'the same, and each key at most 300' },
    '"Limits apply per workspace."',
  ),
  'refused-requests': limits(
    'Does a request answered 429 count?',
    { 'not-counted': 'no', counted: 'yes' },
    'A client that waits until Reset then always gets through.',
  ),
  'anonymous-limit': limits(
    'Which limit does a 401 show?',
    { pro: '300', free: '60' },
    'The default of the spec; a 401 uses up nobody’s budget.',
  ),
  'retry-after': limits(
    'Does a 429 carry Retry-After?',
    { present: 'yes, in seconds', absent: 'no' },
    'HTTP libraries honour it.',
  ),
  'member-snapshot': events(
    'Which shape has the snapshot of a member?',
    { member: 'as the member list shows one', profile: 'as the profile shows one' },
    'The word is member.',
  ),
  'task-snapshot': events(
    'Which shape has the snapshot of a task?',
    { full: 'the whole task', minimal: 'the five fields that the spec names' },
    '"A snapshot of the resource".',
  ),
  'project-delete-events': events(
    'Does deleting a project fire task.deleted for its tasks?',
    { project: 'no, project.deleted alone', each: 'yes, each task first' },
    'One deletion, one event.',
  ),
  signature: events(
    'How is a delivery signed?',
    {
      hex: 'hex HMAC-SHA256 of timestamp, a dot and the raw body',
      stripe: '`t=…,v1=` hex HMAC-SHA256 of the same',
      github: '`sha256=` hex HMAC-SHA256 of the raw body',
      'standard-webhooks': '`v1,` base64 HMAC-SHA256 of id, timestamp and body, joined by dots',
    },
    'The plainest that covers the timestamp.',
  ),
  'signature-before-timestamp': events(
    'What is signed before v1.2.0, when there is no `X-Service-Timestamp`?',
    { body: 'the raw body alone', 'event-time': 'the same as later, with the seconds of the `created_at` of the event' },
    'A receiver can sign only what it got.',
    NUMBERED,
  ),
  'retry-counted-from': events(
    'From when is the delay of a retry counted?',
    { failure: 'from when the attempt is known to have failed', attempt: 'from when the attempt began' },
    'A failure triggers the retry.',
  ),
  'invited-members': events(
    'Is somebody who is invited and has not joined a member?',
    { hidden: 'no: not listed, not assignable', listed: 'yes' },
    'A member has joined.',
  ),
} as const satisfies Readonly<Record<string, Row>>;

export type ChoiceId = keyof typeof CHOICES;

export type Choices = { readonly [Id in ChoiceId]: keyof (typeof CHOICES)[Id]['options'] & string };

export const OURS = Object.fromEntries(Object.entries(CHOICES).map(([id, { ours }]) => [id, ours])) as Choices;

const STATUS_POINTS = new Map(
  Object.entries<Row>(CHOICES).flatMap(([id, { status }]) => (status === undefined ? [] : [[status, id as ChoiceId]])),
);

/** The open point that decides the status of a request's success, if one does. */
export const statusPoint = (method: string, path: string): ChoiceId | undefined =>
  STATUS_POINTS.get(method) ?? STATUS_POINTS.get(`${method} ${path}`);

export const choiceProblems = (answers: Readonly<Record<string, unknown>>): readonly string[] =>
  Object.entries(answers).flatMap(([id, answer]) => {
    if (!Object.hasOwn(CHOICES, id)) return [`${id}: expected one of the open points of \`wm-mock choices\`, got "${id}"`];
    const options = Object.keys(CHOICES[id as ChoiceId].options);
    return options.includes(String(answer)) ? [] : [`${id}: expected one of ${options.join(', ')}, got "${String(answer)}"`];
  });

/** Our answers with some replaced. @throws RangeError when one is unknown. */
export const choose = (answers: Readonly<Record<string, unknown>> = {}, from: Choices = OURS): Choices => {
  const problems = choiceProblems(answers);
  if (problems.length > 0) throw new RangeError(problems.join('; '));
  const asText = Object.entries(answers).map(([id, answer]) => [id, String(answer)]);
  return { ...from, ...Object.fromEntries(asText) };
};

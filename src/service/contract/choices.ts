// The open points of the spec: the question, the options that conform, the default, and why. Nothing else is invented.
import { mapValues } from './keyed.ts';
import { isIn, type Release, type Span, type Version } from './releases.ts';

interface OpenPoint extends Partial<Span> {
  /** Part of the spec that leaves the point open. */
  readonly part: string;
  readonly question: string;
  /** Options that conform, each with its meaning. */
  readonly options: Readonly<Record<string, string>>;
  readonly ours: string;
  readonly because: string;
  /** Requests whose success status it decides: a method, or a method with its path. */
  readonly status?: string;
}

/** Optional parts of a row: the releases that leave it open, the status that it decides, a default that isn't the first option. */
type OpenPointOptions<O> = Pick<OpenPoint, 'status'> & { readonly ours?: keyof O & string };

/** Rows of one part of the spec. The first option is the default, unless the row says otherwise. */
const part =
  (name: string) =>
  (since: Version) =>
  <const O extends Readonly<Record<string, string>>>(
    question: string,
    options: O,
    because: string,
    more: OpenPointOptions<O> = {},
  ) => ({
    part: name,
    question,
    options,
    ours: Object.keys(options)[0] as keyof O & string,
    because,
    ...more,
    ...(since === '1.0.0' ? {} : { since }),
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

export const CHOICES = {
  'owner-field': resources('1.0.0')(
    'Does a project show its owner?',
    { absent: 'no owner field', owner_id: 'an extra field `owner_id`' },
    'The spec says "not shown"; a client must not rely on it.',
  ),
  'id-style': resources('1.0.0')(
    'What do identifiers look like?',
    { prefixed: 'the prefix seen in responses, then random characters', opaque: 'no prefix: ids are opaque' },
    'The five prefixes are given as seen in responses.',
  ),
  'absent-values': resources('1.0.0')(
    'How do a missing description, assignee or due date look in a response?',
    { null: 'the field is null', 'left-out': 'the field is left out' },
    'One shape for every record is what typed clients expect.',
  ),
  'null-in-body': resources('1.0.0')(
    'What does null mean for description, assignee_id and due_date in a body?',
    { clears: 'it clears the field', refused: '400' },
    'Otherwise nothing could unassign a task.',
  ),
  'datetime-format': resources('1.0.0')(
    'How are times written in responses?',
    { milliseconds: '2025-01-20T09:00:00.000Z', seconds: '2025-01-20T09:00:00Z', offset: '2025-01-20T09:00:00+00:00' },
    'JavaScript writes it so; the others are ISO 8601 in UTC as well.',
  ),
  'date-only': resources('1.0.0')(
    'Is a date without a time accepted as due_date?',
    { refused: 'no: a rule violation', midnight: 'yes: midnight UTC' },
    'The field is a datetime; strictness finds the bug.',
  ),
  'length-unit': resources('1.0.0')(
    'What counts as one character?',
    { 'code-points': 'a Unicode code point', 'utf-16': 'a UTF-16 unit' },
    'JSON Schema counts code points.',
  ),
  'noop-patch': states('1.0.0')(
    'Does a PATCH that changes nothing (empty, or equal values) count as an update?',
    { unchanged: 'no: updated_at stays, no event', touched: 'yes: updated_at changes, the event fires' },
    'Nothing was updated.',
  ),
  'patch-status': endpoints('1.0.0')(
    'What status does a successful PATCH return?',
    { '200': '200', '201': '201', '202': '202' },
    'The usual status for an update that responds with the record.',
    { status: 'PATCH' },
  ),
  'webhook-create-status': endpoints('1.0.0')(
    'What status does a successful POST /webhooks return?',
    { '201': '201', '200': '200' },
    'The general rule: 201 for creation.',
    { status: 'POST /webhooks', ours: '201' },
  ),
  'webhook-create-shape': endpoints('1.0.0')(
    'Where in the response to POST /webhooks is the secret?',
    {
      data: '`data.secret`, with id, url, events, created_at',
      bare: '`secret` at the top level',
      minimal: '`data.secret`, and nothing else in `data`',
    },
    'Every single resource has this envelope.',
  ),
  'webhook-url': resources('1.0.0')(
    'Which receiver URLs are accepted?',
    {
      'loopback-too': 'https, and http inside your network',
      'https-only': 'https with any host',
      'public-https': 'https with a public host',
    },
    'Test receivers listen on loopback or in a container; `--strict-webhooks` follows the spec to the letter.',
  ),
  'webhook-events-absent': resources('1.0.0')(
    'What does a registration without `events` mean?',
    { all: 'all eight events', refused: '400', none: 'no events' },
    'Only `url` is marked as required, and the dashboard offers all events.',
  ),
  'all-events-name': resources('1.0.0')(
    'Is `*` accepted as the name of all events?',
    { refused: 'no: an unknown name', star: 'yes' },
    'The spec names eight events and no wildcard.',
  ),
  'repeated-ids': resources('1.0.0')(
    'What happens to repeated member_ids or event names?',
    { collapsed: 'they count once', refused: 'a rule violation' },
    'Both lists are sets.',
  ),
  'team-name-comparison': resources('1.0.0')(
    'When are two team names considered equal?',
    { exact: 'when every character is equal', 'ignore-case': 'also when they differ only in case' },
    'The spec says "unique" and nothing about case.',
  ),
  'wrong-method': endpoints('1.0.0')(
    'What does a known path return for an undocumented method?',
    { '404': '404 not_found', '405': '405 with an Allow header' },
    '405 is not in the status table.',
  ),
  'content-type': service('1.0.0')(
    'What happens to a body without `Content-Type: application/json`?',
    { required: '400', lenient: 'it is still read as JSON' },
    'Clients "send the header"; strictness finds the bug.',
  ),
  'unknown-body-fields': endpoints('1.0.0')(
    'What happens to unknown or server-set fields in a body?',
    { ignored: 'they are ignored', refused: '400, naming them' },
    'A newer client must keep working (Versioning 4).',
  ),
  'limit-above-100': limits('1.0.0')(
    'What happens to a limit above 100?',
    { refused: '400', clamped: 'it is lowered to 100' },
    '`meta.limit` then always repeats the request, and the bug shows.',
  ),
  'limit-below-1': limits('1.0.0')(
    'What happens to a limit below 1?',
    { refused: '400', clamped: 'it is raised to 1' },
    'A limit above 100 is treated the same way.',
  ),
  'default-order': lists('1.0.0')(
    'What is the order of a list without `sort`?',
    { oldest: 'created_at ascending', newest: 'created_at descending' },
    'New records then appear after the cursor, not before it.',
  ),
  'null-due-date': lists('1.0.0')(
    'Where are tasks without a due date when sorted by it?',
    { last: 'last in both directions', first: 'first in both directions', largest: 'as if due after all others' },
    'Readers want the tasks that are due first.',
  ),
  'sortable-fields': lists('1.0.0')(
    'Which lists can be sorted by which fields?',
    {
      fitting: 'tasks by all four fields, projects and teams by the two times, comments by created_at',
      tasks: 'tasks by all four fields, projects by the two times, other lists by none',
      titleless: 'like `fitting`, except tasks by title',
    },
    'The spec names four sort fields without saying for which resources.',
  ),
  'unknown-filter': lists('1.0.0')(
    'What happens to a filter that the list does not have?',
    { refused: '400', ignored: 'it is ignored' },
    'If a misspelt filter were ignored, the full list would hide the bug.',
  ),
  'filter-value': lists('1.0.0')(
    'What happens to a filter value outside its enumeration?',
    { refused: '400', empty: 'the list is empty' },
    'Strictness finds the bug.',
  ),
  'project-filter-in-project': lists('1.0.0')(
    "What does filter[project_id] do on the list of one project's tasks?",
    { combined: 'it combines with the path by AND', ignored: 'nothing', refused: '400' },
    'The filter table says "tasks"; filters combine with AND.',
  ),
  'unknown-query': lists('1.0.0')(
    'What happens to unknown query parameters?',
    { ignored: 'they are ignored', refused: '400' },
    'Cache busters and tracing parameters are common.',
  ),
  'page-and-offset': versioning('1.2.0')(
    'What happens to the removed parameters `page` and `offset`?',
    { ignored: 'they are ignored', refused: '400' },
    'A request that was valid in v1 is never rejected within v1.',
  ),
  'cursor-conflict': lists('1.1.0')(
    'What happens if a filter or sort contradicts the one in the cursor?',
    { refused: '400', 'cursor-wins': 'the cursor wins' },
    'Such a request is a bug in the client.',
  ),
  'cursor-limit': lists('1.1.0')(
    'Does a cursor keep the limit?',
    { fresh: 'no: each request gives its own, or gets 20', kept: 'yes, unless the request gives another' },
    'The spec says only that the cursor keeps the filters.',
  ),
  'broken-cursor': lists('1.1.0')(
    'What happens to a cursor that the service never issued?',
    { refused: '400', 'first-page': 'it returns the first page' },
    'Clients must not alter cursors; the first page again would loop forever.',
  ),
  'webhook-scope': authentication('1.0.0')(
    'Which scope creates webhooks?',
    { write: 'write', admin: 'admin' },
    'Otherwise "other non-administrative resources" would name nothing.',
  ),
  'team-scope': authentication('1.2.0')(
    'Which scope creates and deletes teams?',
    { write: 'write', admin: 'admin' },
    'Teams, too, are non-administrative.',
  ),
  'check-order': errors('1.0.0')(
    'Which comes first: looking up the record in the path, or checking the body?',
    { record: '404 before 400 and 422', body: '400 and 422 before 404' },
    'The path is read before the body.',
  ),
  'www-authenticate': errors('1.0.0')(
    'Does a 401 have a WWW-Authenticate header?',
    { present: '`Bearer`', absent: 'no' },
    'RFC 9110 requires it.',
  ),
  'not-found-code': errors('1.0.0')(
    'Which of the two documented codes does a 404 have?',
    { not_found: 'the one in the table', resource_not_found: 'the one in the example' },
    'The table is normative; the example only illustrates.',
  ),
  'conflict-code': errors('1.0.0')(
    'Which code does a 409 have?',
    { conflict: 'conflict', already_exists: 'already_exists' },
    'The status table uses this word.',
  ),
  'internal-code': errors('1.0.0')(
    'Which code does a 500 have?',
    { internal_error: 'internal_error', server_error: 'server_error' },
    'It is a common name.',
  ),
  'unsupported-sort-code': errors('1.0.0')(
    'Which code does an unsupported sort field get?',
    { validation_error: 'validation_error', unsupported_sort: 'unsupported_sort' },
    'A parameter failed validation.',
  ),
  'error-details': errors('1.0.0')(
    'Is `error.details` present when it is empty?',
    { always: 'yes: `{}`', 'when-filled': 'no' },
    'Clients may read its members without a check.',
  ),
  'error-status-field': errors('1.0.0')(
    'Does an error repeat its status in `error.status`?',
    { absent: 'no', present: 'yes' },
    'The spec says it "may also appear".',
  ),
  'value-fault-status': errors('1.0.0')(
    'What status does a value that breaks a rule get (enumeration, empty text, bad date or URL, unknown reference)?',
    { '422': '422', '400': '400' },
    'The spec calls it a rule violation.',
    { ours: '422' },
  ),
  'mixed-faults': errors('1.0.0')(
    'What status does a body with both structural errors and rule violations get?',
    {
      '400-all': '400, listing all fields',
      '400-structural': '400, listing the structural errors',
      '422-all': '422, listing all fields',
    },
    'The spec lists "each failing field".',
  ),
  'rate-window': limits('1.0.0')(
    'How does the one-minute window move?',
    {
      rolling: 'over the last 60 s; Reset is when the newest counted request leaves it',
      fixed: 'it starts at its first request and ends 60 s later, at Reset',
    },
    'Only this makes every sentence of the spec literally true.',
  ),
  'rate-source': limits('1.0.0')(
    'Which requests count toward a limit?',
    { workspace: 'those of the workspace, against its plan', 'workspace-and-key': 'the same, and at most 300 for each key' },
    'The spec says "limits apply per workspace".',
  ),
  'refused-requests': limits('1.0.0')(
    'Does a request that got 429 count?',
    { 'not-counted': 'no', counted: 'yes' },
    'A client that waits until Reset then always succeeds.',
  ),
  'anonymous-limit': limits('1.0.0')(
    'Which limit does a 401 show?',
    { pro: '300', free: '60' },
    'It is the default plan of the spec; a 401 counts against no workspace.',
  ),
  'retry-after': limits('1.0.0')(
    'Does a 429 have a Retry-After header?',
    { present: 'yes, in seconds', absent: 'no' },
    'HTTP libraries honour the header.',
  ),
  'member-snapshot': events('1.0.0')(
    'What does the snapshot of a member look like?',
    { member: 'like an item of the member list', profile: 'like the profile' },
    'The spec uses the word "member".',
  ),
  'task-snapshot': events('1.0.0')(
    'What does the snapshot of a task look like?',
    { full: 'the whole task', minimal: 'the five fields that the spec names' },
    'The spec says "a snapshot of the resource".',
  ),
  'project-delete-events': events('1.0.0')(
    'Does deleting a project fire task.deleted for its tasks?',
    { project: 'no, only project.deleted', each: 'yes, for each task first' },
    'One deletion, one event.',
  ),
  signature: events('1.0.0')(
    'How is a delivery signed?',
    {
      hex: 'hex HMAC-SHA256 of timestamp, a dot and the raw body',
      stripe: '`t=…,v1=` hex HMAC-SHA256 of the same',
      github: '`sha256=` hex HMAC-SHA256 of the raw body',
      'standard-webhooks': '`v1,` base64 HMAC-SHA256 of id, timestamp and body, joined by dots',
    },
    'It is the simplest one that covers the timestamp.',
  ),
  'retry-counted-from': events('1.0.0')(
    'When does the delay of a retry begin?',
    { failure: 'when the attempt has failed', attempt: 'when the attempt began' },
    'The failure is what triggers the retry.',
  ),
  'invited-members': events('1.0.0')(
    'Is an invited user who has not joined a member?',
    { hidden: 'no: not listed, not assignable', listed: 'yes' },
    'A member is a user who has joined.',
  ),
} as const satisfies Readonly<Record<string, OpenPoint>>;

export type ChoiceId = keyof typeof CHOICES;

export type Choices = { readonly [Id in ChoiceId]: keyof (typeof CHOICES)[Id]['options'] & string };

export const DEFAULT_CHOICES = mapValues(CHOICES, ({ ours }) => ours) as Choices;

const STATUS_POINTS = new Map(
  Object.entries<OpenPoint>(CHOICES).flatMap(([id, { status }]) => (status === undefined ? [] : [[status, id as ChoiceId]])),
);

export const isOpenAt = (point: ChoiceId, release: Release): boolean =>
  isIn({ since: '1.0.0', ...(CHOICES[point] as Partial<Span>) }, release);

/** The open point that decides the status of a request's success, if one does. */
export const statusPoint = (method: string, path: string): ChoiceId | undefined =>
  STATUS_POINTS.get(method) ?? STATUS_POINTS.get(`${method} ${path}`);

export const choiceProblems = (choices: Readonly<Record<string, unknown>>): readonly string[] =>
  Object.entries(choices).flatMap(([id, choice]) => {
    const longer = Object.keys(CHOICES).find((one) => one.startsWith(`${id}-`));
    const hint = longer === undefined ? '' : ` (did you mean ${longer}?)`;
    if (!Object.hasOwn(CHOICES, id)) return [`${id}: expected one of the open points of \`wm-mock choices\`, got "${id}"${hint}`];
    const options = Object.keys(CHOICES[id as ChoiceId].options);
    return options.includes(String(choice)) ? [] : [`${id}: expected one of ${options.join(', ')}, got "${String(choice)}"`];
  });

/** Replaces some choices. @throws RangeError if one is unknown. */
export const choose = (changes: Readonly<Record<string, unknown>> = {}, from: Choices = DEFAULT_CHOICES): Choices => {
  const problems = choiceProblems(changes);
  if (problems.length > 0) throw new RangeError(problems.join('; '));
  return { ...from, ...mapValues(changes, String) };
};

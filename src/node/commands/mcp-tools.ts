// The tools of `wm-mock mcp`, as one table over a connected mock: what each is for, what it takes, what it does.
import type { RemoteMock } from '../../connect/connect.ts';
import { KINDS } from '../../mock/api/members.ts';
import { anyOf, array, closed, type Is, integer, map, oneOf, type Schema, string } from '../../service/contract/schema.ts';
import { FaultDraft } from '../../service/world/fault-draft.ts';

export interface Tool {
  readonly title: string;
  readonly description: string;
  readonly input: Schema<object>;
  readonly readOnly: boolean;
  readonly run: (mock: RemoteMock, given: never) => Promise<unknown>;
}

const defineTool = <S extends Schema<object>>(
  title: string,
  description: string,
  input: S,
  run: (mock: RemoteMock, given: Is<S>) => Promise<unknown>,
  readOnly = false,
): Tool => ({ title, description, input, readOnly, run: run as Tool['run'] });

const recordKindInput = oneOf(Object.keys(KINDS) as (keyof typeof KINDS)[], { description: 'What kind of record.' });
const recordIdInput = string({ minLength: 1, description: 'Its id.' });
const fieldsInput = map('Fields by name, as in the OpenAPI document; omitted ones are filled in.');
const keyScopeInput = oneOf(['admin', 'write', 'read', 'none'], { description: 'Scope of the key to use (default admin).' });
const textInput = (description: string, keywords = {}) => string({ description, ...keywords });
const limitInput = integer({ minimum: 1, maximum: 100, description: 'How many, newest first (default 20).' });

/** A long list would fill the agent's context. */
const MAX_SHOWN_CHARS = 20_000;
const truncateBody = (text: string) => {
  if (text.length > MAX_SHOWN_CHARS)
    return `${text.slice(0, MAX_SHOWN_CHARS)}… (${text.length} characters; ask for less with limit or a filter)`;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
};

const SHOWN_HEADERS = /^(?:x-|retry-after|location|etag|www-authenticate)/;

const callApi = async (mock: RemoteMock, { method, path, body, as = 'admin' }: ApiCallInput) => {
  const headers = as === 'none' ? {} : await mock.auth(as);
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  const response = await mock.fetch(path, { method: method ?? 'GET', headers: { ...headers, ...type }, ...sent });
  return {
    status: response.status,
    headers: Object.fromEntries([...response.headers].filter(([name]) => SHOWN_HEADERS.test(name))),
    body: truncateBody(await response.text()),
  };
};

const ApiCallInput = closed(
  {
    path: string({ pattern: '^/', description: 'Below /v1, with the query.', examples: ['/tasks?filter[status]=todo&limit=5'] }),
  },
  { method: oneOf(['GET', 'POST', 'PATCH', 'DELETE']), body: map('Sent as JSON.'), as: keyScopeInput },
);
type ApiCallInput = Is<typeof ApiCallInput>;

const describeMock = async (mock: RemoteMock) => {
  const [now, mode, release, keys, faults] = await Promise.all([
    mock.clock.now,
    mock.clock.mode,
    mock.release,
    mock.keys,
    mock.faults.list(),
  ]);
  const counts = await Promise.all(
    Object.values(KINDS).map(async (name) => [name, (await (mock.read[name] as () => Promise<readonly unknown[]>)()).length]),
  );
  return {
    base_url: mock.baseUrl,
    control_url: mock.controlUrl,
    dashboard: mock.controlUrl.replace(/_mock$/, ''),
    keys: keys.map(({ value, scope, user_id, workspace_id }) => ({ value, scope, user_id, workspace_id })),
    clock: { now, mode },
    release,
    records: Object.fromEntries(counts),
    faults: faults.length,
  };
};

const noInput = closed({});
const orDone = async (asked: Promise<unknown>): Promise<unknown> => (await asked) ?? 'done';

export const TOOLS: Readonly<Record<string, Tool>> = {
  describe_mock: defineTool(
    'Describe the mock',
    'Addresses, API keys, clock, release and how many records there are. Call it first: an app under test needs base_url and a key.',
    noInput,
    describeMock,
    true,
  ),
  call_api: defineTool(
    'Call the API',
    'Sends a request to /v1 as an app would, with a key of the given scope.',
    ApiCallInput,
    callApi,
  ),
  list_requests: defineTool(
    'Requests of the app',
    'The newest requests to the mock, one line each, with warnings where the client broke the contract.',
    closed(
      {},
      { status: textInput('Such as 404, or a class: 4xx.'), operation: textInput('Such as listTasks.'), most: limitInput },
    ),
    async (mock, { most: limit = 20, ...query }) => {
      const { items } = await mock.control('GET /requests', { ...query, limit });
      return items.map(({ id, at, method, path, operation, status, fault, warnings }) => ({
        id,
        at,
        request: `${method} ${path}`,
        operation,
        status,
        ...(fault === null ? {} : { fault }),
        ...(warnings.length === 0 ? {} : { warnings }),
      }));
    },
    true,
  ),
  explain_request: defineTool(
    'Why a request got its response',
    'One request in full: headers, bodies, each check with its part of the specification, and what it changed.',
    closed({ id: recordIdInput }),
    (mock, { id: request }) => mock.control('GET /requests/{id}', request),
    true,
  ),
  list_timeline: defineTool(
    'What happened, in order',
    'The newest entries, newest last, with causes, effects and changed records.',
    closed(
      {},
      {
        kind: textInput('request, event, attempt, clock, fault, choice or edit.'),
        from: integer({ minimum: 1, description: 'Number of an entry: it and everything that followed from it.' }),
        record: textInput('Id of a record: everything about it.'),
        most: limitInput,
      },
    ),
    async (mock, { most: limit = 20, from, ...query }) =>
      (await mock.control('GET /timeline', { ...query, ...(from && { from: String(from) }), limit })).items,
    true,
  ),
  read_records: defineTool(
    'Read records',
    'Stored records of a kind that match every field of `where`, bypassing scopes, quota and journal.',
    closed({ kind: recordKindInput }, { where: map('Fields by name, with the values to match.') }),
    (mock, { kind: one, where }) => (mock.read[KINDS[one]] as (query?: object) => Promise<unknown>)(where),
    true,
  ),
  create_record: defineTool(
    'Create a record',
    'Creates a record of any kind, also comments, users and keys, bypassing scopes, quota and journal. Times may be relative: -2h, +3d.',
    closed({ kind: recordKindInput }, { fields: fieldsInput }),
    (mock, { kind: one, fields: draft = {} }) => (mock.create[one] as (draft: object) => Promise<unknown>)(draft),
  ),
  update_record: defineTool(
    'Change a record',
    'Changes fields of a record, bypassing scopes, quota and journal.',
    closed({ kind: recordKindInput, id: recordIdInput, fields: fieldsInput }),
    (mock, { kind: one, id: record, fields: patch }) =>
      (mock.update[one] as (id: string, patch: object) => Promise<unknown>)(record, patch),
  ),
  remove_record: defineTool(
    'Remove a record',
    'Removes a record, and those that cannot exist without it.',
    closed({ kind: recordKindInput, id: recordIdInput }),
    (mock, { kind: one, id: record }) => orDone(mock.remove[one](record)),
  ),
  add_fault: defineTool(
    'Add a fault',
    'Makes requests or events fail: a status, an error code, a delay, a closed connection, an event twice. Returns its id.',
    FaultDraft as Schema<object>,
    (mock, given) => mock.faults.add(given as Parameters<RemoteMock['faults']['add']>[0]),
  ),
  clear_faults: defineTool('Remove every fault', 'Removes every fault.', noInput, (mock) => orDone(mock.faults.clear())),
  advance_clock: defineTool(
    'Advance the clock',
    'Advances time by a duration or to the next event: runs due webhook attempts, reopens rate limits.',
    closed({ by: anyOf<string>(string({ description: 'A duration: 500ms, 30s, 90m, 2h, 3d.', examples: ['2h', 'next'] })) }),
    (mock, { by }) => mock.clock.advance(by),
  ),
  list_deliveries: defineTool(
    'Webhook deliveries',
    'Deliveries, newest last: event, address, attempts with outcomes, when the next one is due.',
    closed({}, { state: textInput('pending, retrying, delivered or failed.'), event: string() }),
    async (mock, query) => (await mock.control('GET /deliveries', query)).items,
    true,
  ),
  choose: defineTool(
    'Choose at an open point',
    'Sets how the mock behaves at points that the specification leaves open; without `answers` it lists them all.',
    closed(
      {},
      {
        answers: map<string>('Choices by the name of the open point.'),
        parts: array(textInput('Show only points of these parts.')),
      },
    ),
    async (mock, { answers, parts }) => {
      if (answers) await mock.choose(answers);
      const { items } = await mock.control('GET /choices');
      return items.filter(({ part }) => !parts || parts.includes(part));
    },
  ),
  reset: defineTool('Go back to the seed', 'Resets data, clock, faults, journal and deliveries.', noInput, (mock) =>
    orDone(mock.reset()),
  ),
};

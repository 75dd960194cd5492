// The tools of `wm-mock mcp` over a connected mock: rows of the control table that name one, and those that make more calls.
import type { RemoteMock } from '../../connect/connect.ts';
import { KINDS } from '../../mock/api/members.ts';
import { CONTROL_IDS, type ControlRow, controlRow } from '../../mock/control/operations.ts';
import { array, closed, type Is, integer, map, oneOf, type Schema, string } from '../../service/contract/schema.ts';
import { readJson } from '../../service/validation/json-text.ts';

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

/** A long list would fill the agent's context. */
const MAX_SHOWN_CHARS = 20_000;
const truncateBody = (text: string) => {
  if (text.length > MAX_SHOWN_CHARS)
    return `${text.slice(0, MAX_SHOWN_CHARS)}… (${text.length} characters; ask for less with limit or a filter)`;
  return readJson(text, text);
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

/** No segment of dots, in any spelling that a URL resolves, and nothing that it leaves out. */
const BELOW = '^(?![^?#]*[/\\\\](?:\\.|%2[eE]){1,2}(?:[/\\\\?#]|$))/[^\\t\\n\\r]*$';
const ApiCallInput = closed(
  {
    path: string({ pattern: BELOW, description: 'Below /v1, with the query.', examples: ['/tasks?filter[status]=todo&limit=5'] }),
  },
  { method: oneOf(['GET', 'POST', 'PATCH', 'DELETE']), body: map('Sent as JSON.'), as: keyScopeInput },
);
type ApiCallInput = Is<typeof ApiCallInput>;

const describeMock = async (mock: RemoteMock) => {
  const counts = await Promise.all(
    Object.values(KINDS).map(async (name) => [name, (await (mock.read[name] as () => Promise<readonly unknown[]>)()).length]),
  );
  return {
    base_url: mock.baseUrl,
    control_url: mock.controlUrl,
    dashboard: mock.controlUrl.replace(/_mock$/, ''),
    keys: (await mock.keys).map(({ value, scope, user_id, workspace_id }) => ({ value, scope, user_id, workspace_id })),
    clock: { now: await mock.clock.now, mode: await mock.clock.mode },
    release: await mock.release,
    records: Object.fromEntries(counts),
    faults: (await mock.faults.list()).length,
  };
};

const DEFAULT_LIMIT = 20;
const limitInput = integer({
  minimum: 1,
  maximum: 100,
  description: `How many, of a log the newest (default ${DEFAULT_LIMIT}).`,
});

type RequestEntry = Awaited<RemoteMock['requests']>[number];
/** One line each: a model reads the whole entry by `explain_request`. */
const showRequest = ({ id, at, method, path, operation, status, fault, warnings }: RequestEntry) => ({
  id,
  at,
  request: `${method} ${path}`,
  operation,
  status,
  ...(fault !== null && { fault }),
  ...(warnings.length > 0 && { warnings }),
});

/** Path variable, query and body as one object. */
const inputOfRow = ({ query = {}, body }: ControlRow, variable: string | undefined): Schema<object> => {
  if (body && !variable) return body as Schema<object>;
  const { properties = {}, required = [] } = (body ?? {}) as { properties?: object; required?: readonly string[] };
  const { limit, cursor: _, ...filters } = query;
  const own = { ...(variable && { [variable]: recordIdInput }), ...filters, ...(limit && { limit: limitInput }) };
  return {
    type: 'object',
    properties: { ...own, ...properties },
    required: [...(variable ? [variable] : []), ...required],
    additionalProperties: false,
  } as Schema<object>;
};

const toolOfRow = (row: ControlRow): Tool => {
  const { call, path, method, summary, description = '', query } = row;
  const [, variable] = /\{(\w+)\}/.exec(path) ?? [];
  const run = async ({ control }: RemoteMock, given: object): Promise<unknown> => {
    const entries = Object.entries(given as object);
    const value = entries.find(([name]) => name === variable)?.[1] as unknown;
    const fields = Object.fromEntries(entries.filter(([name]) => name !== variable));
    const sent = query?.limit ? { limit: DEFAULT_LIMIT, ...fields } : fields;
    const make = control as (call: string, ...given: readonly unknown[]) => Promise<unknown>;
    const response = await make(call, ...(variable ? [value] : []), sent);
    if (!query?.limit) return response ?? 'done';
    const { items } = response as { readonly items: readonly RequestEntry[] };
    return row.tool === 'list_requests' ? items.map(showRequest) : items;
  };
  return defineTool(summary, `${summary}. ${description}`.trim(), inputOfRow(row, variable), run, method === 'GET');
};

const ROW_TOOLS = Object.fromEntries(
  CONTROL_IDS.map(controlRow).flatMap((row): [string, Tool][] => (row.tool ? [[row.tool, toolOfRow(row)]] : [])),
);

type ByKind<V extends 'create' | 'update' | 'remove'> = (...given: Parameters<RemoteMock[V]['task']>) => Promise<unknown>;

export const TOOLS: Readonly<Record<string, Tool>> = {
  describe_mock: defineTool(
    'Describe the mock',
    'Addresses, API keys, clock, release and how many records there are. Call it first: an app under test needs base_url and a key.',
    closed({}),
    describeMock,
    true,
  ),
  call_api: defineTool(
    'Call the API',
    'Sends a request to /v1 as an app would, with a key of the given scope.',
    ApiCallInput,
    callApi,
  ),
  ...ROW_TOOLS,
  read_records: defineTool(
    'Read records',
    'Stored records of a kind that match every field of `where`, bypassing scopes, quota and journal.',
    closed({ kind: recordKindInput }, { where: map('Fields by name, with the values to match.') }),
    (mock, { kind, where }) => (mock.read[KINDS[kind]] as (query?: object) => Promise<unknown>)(where),
    true,
  ),
  create_record: defineTool(
    'Create a record',
    'Creates a record of any kind, also comments, users and keys, bypassing scopes, quota and journal. Times may be relative: -2h, +3d.',
    closed({ kind: recordKindInput }, { fields: fieldsInput }),
    (mock, { kind, fields = {} }) => (mock.create[kind] as ByKind<'create'>)(fields),
  ),
  update_record: defineTool(
    'Change a record',
    'Changes fields of a record, bypassing scopes, quota and journal.',
    closed({ kind: recordKindInput, id: recordIdInput, fields: fieldsInput }),
    (mock, { kind, id, fields }) => (mock.update[kind] as ByKind<'update'>)(id, fields),
  ),
  remove_record: defineTool(
    'Remove a record',
    'Removes a record, and those that cannot exist without it.',
    closed({ kind: recordKindInput, id: recordIdInput }),
    async (mock, { kind, id }) => (await mock.remove[kind](id)) ?? 'done',
  ),
  choose: defineTool(
    'Choose at an open point',
    'Sets how the mock behaves at points that the specification leaves open; without `answers` it lists them all.',
    closed(
      {},
      {
        answers: map<string>('Choices by the name of the open point.'),
        parts: array(string({ description: 'Show only points of these parts.' })),
      },
    ),
    async (mock, { answers: choices, parts }) => {
      if (choices) await mock.choose(choices);
      const { items } = await mock.control('GET /choices');
      return items.filter(({ part }) => !parts || parts.includes(part));
    },
  ),
};

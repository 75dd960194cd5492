// The OpenAPI 3.1 document of the control API, made from its table.
import { COMPONENTS as OF_API } from '../../service/contract/resources.ts';
import type { Schema } from '../../service/contract/schema.ts';
import { RequestEntry } from '../../service/http/journal-entries.ts';
import { schemaOf, usedBy } from '../../service/openapi/schemas.ts';
import { Compatibility } from '../../service/webhooks/compatibility.ts';
import { Effect, FaultDraft, Match } from '../../service/world/fault-draft.ts';
import { textOrder } from '../../service/world/records.ts';
import { EventWord, NestedComment, NestedTask } from '../seed/format.ts';
import { Different } from './diff.ts';
import { InboxMessage } from './inbox.ts';
import { CONTROL, CONTROL_IDS, type ControlId, type ControlRow, controlRow, TAGS } from './operations.ts';
import { RECORD_COMPONENTS } from './record-rows.ts';
import * as is from './shapes.ts';
import { TimelineEntry, TouchedRecord } from './timeline-entries.ts';

const PROBLEMS = {
  400: ['Malformed', 'The call is malformed: what is not JSON, lacks a field or has one of a wrong type.'],
  401: ['Unauthorized', 'The token is missing or wrong.'],
  403: ['Forbidden', 'The host or the origin is foreign.'],
  404: ['NotFound', 'Nothing has this id.'],
  409: ['Conflict', 'The call conflicts with the state.'],
  415: ['UnsupportedMediaType', 'The body is not application/json.'],
  422: ['Unprocessable', 'A field breaks a rule.'],
} as const;
const problems = (...codes: readonly (keyof typeof PROBLEMS)[]) =>
  Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/responses/${PROBLEMS[code][0]}` }]));

const { FieldFault, ErrorDetails, ErrorInfo, ErrorResponse } = OF_API;
const OTHERS = {
  FaultDraft,
  FaultMatch: Match,
  FaultEffect: Effect,
  InboxMessage,
  RequestEntry,
  Compatibility,
  Difference: Different,
  TimelineEntry,
  TouchedRecord,
  NestedTask,
  NestedComment,
  EventWord,
  FieldFault,
  ErrorDetails,
  ErrorInfo,
  ErrorResponse,
};
/** Named schemas; others are written inline. */
const CONTROL_COMPONENTS: Record<string, Schema<unknown>> = Object.fromEntries(
  Object.entries<unknown>({ ...is, ...RECORD_COMPONENTS, ...OTHERS })
    .filter((one): one is [string, Schema<unknown>] => typeof one[1] === 'object')
    .map(([name, schema]): [string, Schema<unknown>] => [name.replace(/Shape$/, ''), schema])
    .sort(([a], [b]) => textOrder(a, b)),
);
const COMPONENT_NAMES = new Map<unknown, string>(Object.entries(CONTROL_COMPONENTS).map(([name, schema]) => [schema, name]));
const referTo = (schema: Schema<unknown>) => schemaOf(schema, COMPONENT_NAMES);

for (const { response } of CONTROL_IDS.map(controlRow)) {
  const { items } = (response?.properties ?? {}) as { readonly items?: Schema<unknown> };
  const one = COMPONENT_NAMES.get(items?.items);
  if (!one || COMPONENT_NAMES.has(response)) continue;
  CONTROL_COMPONENTS[`${one}List`] = response!;
  COMPONENT_NAMES.set(response, `${one}List`);
}

const responsesOf = ({ method, status, response, type, errors, body, open }: ControlRow) => {
  const schema = response ? referTo(response) : { type: 'string' };
  const content = { ...(response && { 'application/json': { schema } }), ...(type && { [type]: { schema } }) };
  return {
    [status]: {
      description: status === 204 ? 'Done.' : status === 201 ? 'Created.' : 'Fine.',
      ...((response || type) && { content }),
    },
    ...(method === 'ANY' ? { default: { description: 'What the inbox was told to respond.' } } : open ? {} : problems(400, 401)),
    ...problems(403, ...errors, ...(method === 'POST' || body ? [415 as const] : [])),
  };
};

const callParameters = ({ path, query = {} }: ControlRow) => [
  ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
  ...Object.entries(query).map(([name, schema]) => ({ name, in: 'query', required: false, schema })),
];

const objectOf = (id: ControlId, suffix = '') => {
  const row = controlRow(id);
  const { summary, description, tag, body } = row;
  const parameters = callParameters(row);
  const content = body && { 'application/json': { schema: referTo(body) } };
  return {
    operationId: `${id}${suffix}`,
    tags: [tag],
    summary,
    ...(description && { description }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: { required: is.needsFields(body), content } }),
    responses: responsesOf(row),
    ...(row.open && { security: [] }),
  };
};

const ANY_METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

export const controlOpenApi = (server = '/_mock') => {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const id of CONTROL_IDS) {
    const { method, path } = CONTROL[id];
    paths[path] ??= {};
    for (const one of method === 'ANY' ? ANY_METHODS : [method.toLowerCase()]) {
      const isOther = method === 'ANY' && one !== 'post';
      paths[path][one] = objectOf(id, isOther ? `With${one[0]!.toUpperCase()}${one.slice(1)}` : '');
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'wm-mock control API',
      version: '1.0.0',
      license: { name: 'MIT', identifier: 'MIT' },
      description:
        "What the service's dashboard can do, and what a test needs. It isn't part of `/v1` and doesn't count toward rate limits. Every world has its own, at `/worlds/{id}/_mock`.",
    },
    servers: [{ url: server }],
    security: [{}, { token: [] }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer', description: 'Asked for when the mock was given one.' } },
      responses: Object.fromEntries(
        Object.values(PROBLEMS).map(([name, description]) => [
          name,
          { description, content: { 'application/json': { schema: referTo(ErrorResponse) } } },
        ]),
      ),
      schemas: usedBy([paths, referTo(ErrorResponse)], CONTROL_COMPONENTS, COMPONENT_NAMES),
    },
  };
};

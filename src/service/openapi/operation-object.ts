// One row of the table as an OpenAPI Operation Object: its parameters, and links to the operations that follow.
import { mapValues } from '../contract/keyed.ts';
import { PAGE_LIMIT } from '../contract/limits.ts';
import {
  neededScope,
  OPERATION_IDS,
  type Operation,
  type OperationId,
  operation,
  successStatus,
} from '../contract/operations.ts';
import { isIn, LIST_PARAMETERS, type Version } from '../contract/releases.ts';
import { RESOURCES } from '../contract/resources.ts';
import type { Terms } from '../contract/terms.ts';
import { hasParameter } from '../lists/query.ts';
import { errorsOf, headersOf } from './errors.ts';
import { exampleOf, type Json, jsonContent, schemaOf } from './schemas.ts';

const pathVariables = (path: string): readonly string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);

const withCapital = (text: string): string => text[0]!.toUpperCase() + text.slice(1);

const inPaths = (): Readonly<Record<string, Json>> => {
  const collections = new Set(OPERATION_IDS.flatMap((id) => operation(id).finds ?? []));
  return Object.fromEntries(
    [...collections].map((collection) => {
      const { schema } = RESOURCES[collection].id;
      const { description, examples: _, ...rest } = schema;
      const one = collection.slice(0, -1);
      const parameter = { name: `${one}_id`, in: 'path', required: true, description, schema: rest, example: exampleOf(schema) };
      return [`${withCapital(one)}Id`, parameter];
    }),
  );
};

/** @param sample stays out of requests: the page at /docs would otherwise send the examples of all optional parameters at once */
const inQuery = (name: string, description: unknown, schema: Json, sample?: unknown): Json => ({
  name,
  in: 'query',
  description,
  schema,
  ...(sample !== undefined && { examples: { default: { value: sample, 'x-disabled': true } } }),
});

const { min: minimum, max: maximum, default: usual } = PAGE_LIMIT;

/** Parameters that several operations share in some release, by component name. */
const PARAMETERS: Readonly<Record<string, Json>> = {
  ...inPaths(),
  Limit: inQuery('limit', 'How many records a page holds at most.', { type: 'integer', minimum, maximum, default: usual }, usual),
  Page: inQuery('page', 'Number of the page.', { type: 'integer', minimum: 1 }, 1),
  Offset: inQuery('offset', 'How many records stand before the page; in place of `page`.', { type: 'integer', minimum: 0 }, 0),
  Cursor: inQuery(
    'cursor',
    'The `meta.next_cursor` of the page before; leave it out for the first page. Opaque; keeps the active filters.',
    { type: 'string' },
  ),
};

const pagingAt = ({ contract }: Terms): readonly string[] =>
  (['limit', 'cursor', 'page', 'offset'] as const).filter((name) => isIn(LIST_PARAMETERS[name], contract.release));

/** All parameters as a release has them; it may use fewer. */
export const parametersAt = ({ contract }: Terms): Readonly<Record<string, Json>> =>
  mapValues(PARAMETERS, (parameter) => {
    const span = (LIST_PARAMETERS as Readonly<Record<string, { deprecated?: Version }>>)[String(parameter.name)];
    const deprecated = span?.deprecated !== undefined && isIn({ since: span.deprecated }, contract.release);
    return { ...parameter, ...(deprecated && { deprecated }) };
  });

const reference = (wanted: string): Json => {
  const name = Object.entries(PARAMETERS).find(([, parameter]) => parameter.name === wanted)?.[0];
  if (!name)
    throw new Error(
      `The path variable {${wanted}} is described nowhere: call it by a collection of RESOURCES, as in {task_id}, or add it to PARAMETERS in src/service/openapi/operation-object.ts.`,
    );
  return { $ref: `#/components/parameters/${name}` };
};

// Without x-enum-varnames: kubb gives all enumerations that have them here one name.
const sortSchema = (fields: readonly string[]): Json => ({
  type: 'string',
  enum: fields.flatMap((field) => [field, `-${field}`]),
});

const SORT_WORDS = 'A field sorts ascending, with a leading `-` descending. An unsupported field is answered `400`.';

const listParameters = ({ filters, sorts }: NonNullable<Operation['list']>): readonly Json[] => {
  const filter = Object.entries(filters).map(([field, { description, ...schema }]) => {
    const sample = schema.enum ? exampleOf(schema) : `${field === 'assignee_id' ? 'user' : 'proj'}_4k2m9x7q1wzt`;
    return inQuery(`filter[${field}]`, description, schemaOf(schema), sample);
  });
  return sorts.length > 0 ? [...filter, inQuery('sort', SORT_WORDS, sortSchema(sorts), `-${sorts[0]}`)] : filter;
};

export const parametersOf = ({ path, list }: Operation, terms: Terms): readonly Json[] => [
  ...pathVariables(path).map(reference),
  ...(list ? [...pagingAt(terms).map(reference), ...listParameters(list)] : []),
];

const linksOf = (id: OperationId, row: Operation, terms: Terms): Json => {
  const filled = (path: string, fill: (name: string) => string): Json =>
    Object.fromEntries(pathVariables(path).map((name) => [name, fill(name)]));
  if (row.list && hasParameter('cursor', terms)) {
    const parameters = { ...filled(row.path, (name) => `$request.path.${name}`), cursor: '$response.body#/meta/next_cursor' };
    return { NextPage: { operationId: id, description: 'The next page, while `meta.has_more` is true.', parameters } };
  }
  if (row.method !== 'POST') return {};
  const followers = Object.entries(terms.contract.operations).filter(([, { finds }]) => finds === row.tag.toLowerCase());
  const link = (operationId: string, { summary, path }: Operation): Json => ({
    operationId,
    description: `${summary}: the one just created.`,
    parameters: filled(path, () => '$response.body#/data/id'),
  });
  return Object.fromEntries(followers.map(([follower, of]) => [withCapital(follower), link(follower, of)]));
};

const SAYS: Readonly<Record<Operation['method'], string>> = {
  GET: 'The record, or a page of the list.',
  POST: 'Created.',
  PATCH: 'Updated.',
  DELETE: 'Deleted; the body is empty.',
};

const success = (id: OperationId, row: Operation, terms: Terms): Json => {
  const bare = id === 'createWebhook' && terms.choices['webhook-create-shape'] === 'bare';
  const schema = bare ? terms.contract.components.Webhook : row.response;
  const links = linksOf(id, row, terms);
  return {
    description: SAYS[row.method],
    headers: headersOf(row.status, terms, row.list !== undefined),
    ...(schema && { content: jsonContent(schema) }),
    ...(Object.keys(links).length > 0 && { links }),
  };
};

// Examples must succeed as they are, so they have no ids that no workspace has.
const EMPTY_IDS: Json = { assignee_id: null, member_ids: [] };

const requestBody = ({ body }: Operation): Json => {
  if (!body) return {};
  const whole = Object.entries(exampleOf(body) as Json);
  const example = Object.fromEntries(whole.map(([field, value]) => [field, field in EMPTY_IDS ? EMPTY_IDS[field] : value]));
  return { requestBody: { required: true, content: jsonContent(body, example) } };
};

const describe = ({ description, announces }: Operation, scope: string): string => {
  const event = announces.map((name) => `Announces \`${name}\`.`);
  return [...(description ? [description] : []), `Needs a key of scope \`${scope}\`.`, ...event].join(' ');
};

export const operationObject = (id: OperationId, row: Operation, terms: Terms): Json => {
  const parameters = parametersOf(row, terms);
  const scope = neededScope(row, terms.choices);
  return {
    operationId: id,
    tags: [row.tag],
    summary: row.summary,
    description: describe(row, scope),
    ...(parameters.length > 0 && { parameters }),
    ...requestBody(row),
    responses: { [successStatus(row, terms.choices)]: success(id, row, terms), ...errorsOf(row, terms) },
    'x-scope': scope,
    'x-since': row.since,
    'x-open-points': row.open,
  };
};

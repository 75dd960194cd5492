// One row of the table as an OpenAPI Operation Object, with links to the operations that follow.
import type { Choices } from '../contract/choices.ts';
import { neededScope, type Operation, type OperationId, successStatus } from '../contract/operations.ts';
import type { Terms } from '../contract/terms.ts';
import { hasCursors } from '../lists/page-numbers.ts';
import { errorsOf, headersOf } from './errors.ts';
import { parametersOf } from './parameters.ts';
import { exampleOf, type Json, schemaOf } from './schemas.ts';

const pathVariables = (path: string): readonly string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);

const upper = (text: string): string => text[0]!.toUpperCase() + text.slice(1);

const ofCreated = ({ tag }: Operation, { contract }: Terms): Readonly<Record<string, Json>> => {
  const followers = Object.entries(contract.operations).filter(([, { finds }]) => finds === tag.toLowerCase());
  return Object.fromEntries(
    followers.map(([id, row]) => [
      upper(id),
      {
        operationId: id,
        description: `${row.summary}: the one just created.`,
        parameters: Object.fromEntries(pathVariables(row.path).map((name) => [name, '$response.body#/data/id'])),
      },
    ]),
  );
};

const ofPage = (id: OperationId, { path }: Operation): Readonly<Record<string, Json>> => ({
  NextPage: {
    operationId: id,
    description: 'The next page, while `meta.has_more` is true.',
    parameters: {
      ...Object.fromEntries(pathVariables(path).map((name) => [name, `$request.path.${name}`])),
      cursor: '$response.body#/meta/next_cursor',
    },
  },
});

export const linksOf = (id: OperationId, terms: Terms): Readonly<Record<string, Json>> | undefined => {
  const row = terms.contract.operations[id]!;
  const page = row.list && hasCursors(terms) ? ofPage(id, row) : {};
  const links = row.list ? page : row.method === 'POST' ? ofCreated(row, terms) : {};
  return Object.keys(links).length > 0 ? links : undefined;
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
  const links = linksOf(id, terms);
  return {
    description: SAYS[row.method],
    headers: headersOf(row.status, terms, row.list !== undefined),
    ...(schema && { content: { 'application/json': { schema: schemaOf(schema), example: exampleOf(schema) } } }),
    ...(links && { links }),
  };
};

// Examples must succeed as they are, so they have no ids that no workspace has.
const EMPTY_IDS: Json = { assignee_id: null, member_ids: [] };

const requestBody = ({ body }: Operation): Json => {
  if (!body) return {};
  const whole = Object.entries(exampleOf(body) as Json);
  const example = Object.fromEntries(whole.map(([field, value]) => [field, field in EMPTY_IDS ? EMPTY_IDS[field] : value]));
  return { requestBody: { required: true, content: { 'application/json': { schema: schemaOf(body), example } } } };
};

const describe = (row: Operation, choices: Choices): string => {
  const { description, announces } = row;
  const event = announces.map((name) => `Announces \`${name}\`.`);
  return [...(description ? [description] : []), `Needs a key of scope \`${neededScope(row, choices)}\`.`, ...event].join(' ');
};

export const operationObject = (id: OperationId, row: Operation, terms: Terms): Json => {
  const { choices } = terms;
  const parameters = parametersOf(row, terms);
  return {
    operationId: id,
    tags: [row.tag],
    summary: row.summary,
    description: describe(row, choices),
    ...(parameters.length > 0 && { parameters }),
    ...requestBody(row),
    responses: { [successStatus(row, choices)]: success(id, row, terms), ...errorsOf(row, terms) },
    'x-scope': neededScope(row, choices),
    'x-since': row.since,
    'x-open-points': row.open,
  };
};

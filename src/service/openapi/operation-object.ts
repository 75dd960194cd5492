// One row of the table as an OpenAPI Operation Object.
import type { Choices } from '../contract/choices.ts';
import { neededScope, type Operation, type OperationId, successStatus } from '../contract/operations.ts';
import type { Terms } from '../contract/terms.ts';
import { errorsOf } from './errors.ts';
import { headersOf } from './headers.ts';
import { linksOf } from './links.ts';
import { parametersOf } from './parameters.ts';
import { exampleOf, type Json, schemaOf } from './schemas.ts';

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
const NOBODY: Json = { assignee_id: null, member_ids: [] };

const requestBody = ({ body }: Operation): Json => {
  if (!body) return {};
  const whole = Object.entries(exampleOf(body) as Json);
  const example = Object.fromEntries(whole.map(([field, value]) => [field, field in NOBODY ? NOBODY[field] : value]));
  return { requestBody: { required: true, content: { 'application/json': { schema: schemaOf(body), example } } } };
};

const describe = (row: Operation, choices: Choices): string => {
  const { description, announces } = row;
  const event = announces.map((name) => `Announces \`${name}\`.`);
  return [...(description ? [description] : []), `Needs a key of scope \`${neededScope(row, choices)}\`.`, ...event].join(' ');
};

/** The Operation Object of one row. */
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

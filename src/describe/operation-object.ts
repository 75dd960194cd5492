// One row of the table as an OpenAPI Operation Object.
import type { Choices } from '../contract/choices.ts';
import type { Operation, OperationId } from '../contract/operations.ts';
import type { Scope } from '../contract/scopes.ts';
import type { Terms } from '../contract/terms.ts';
import { errorsOf } from './errors.ts';
import { headersOf } from './headers.ts';
import { linksOf } from './links.ts';
import { parametersOf } from './parameters.ts';
import { exampleOf, type Json, schemaOf } from './schemas.ts';

/** The status of an operation's success under these choices. */
export const statusOf = ({ method, path, status }: Operation, choices: Choices): number => {
  if (method === 'PATCH') return Number(choices['patch-status']);
  return path === '/webhooks' ? Number(choices['webhook-create-status']) : status;
};

/** The least scope that an operation needs under these choices. */
export const scopeOf = ({ scope }: Operation, choices: Choices): Scope =>
  scope === 'team-scope' || scope === 'webhook-scope' ? choices[scope] : scope;

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

// Ids that no workspace has would be refused; so sent as it stands, an example succeeds.
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
  return [...(description ? [description] : []), `Needs a key of scope \`${scopeOf(row, choices)}\`.`, ...event].join(' ');
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
    responses: { [statusOf(row, choices)]: success(id, row, terms), ...errorsOf(row, terms) },
    'x-scope': scopeOf(row, choices),
    'x-since': row.since,
    'x-open-points': row.open,
  };
};

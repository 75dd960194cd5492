// One row of the table as an OpenAPI Operation Object, with links to the operations that follow.
import { neededScope, type Operation, type OperationId, successStatus } from '../contract/operations.ts';
import type { Terms } from '../contract/terms.ts';
import { hasParameter } from '../lists/page-numbers.ts';
import { errorsOf, headersOf } from './errors.ts';
import { parametersOf, pathVariables, withCapital } from './parameters.ts';
import { exampleOf, type Json, jsonContent } from './schemas.ts';

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

// The fields that the OpenAPI document gives an operation: what a request may hold, and the members of its success bodies.
import { isRecord, type Json } from './exchange.ts';

export interface DocumentedField {
  readonly operation: string;
  readonly where: 'request' | 'response';
  readonly field: string;
}

const DEEPEST = 4;

const pointed = (document: Json, ref: string): unknown =>
  ref
    .slice(2)
    .split('/')
    .reduce<unknown>(
      (node, part) => (isRecord(node) ? node[part.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined),
      document,
    );

/** A node with its reference followed, and with what is beside the reference. */
export const resolved = (document: Json, node: unknown, turns = 10): Json => {
  if (!isRecord(node)) return {};
  const { $ref, ...beside } = node;
  if (typeof $ref !== 'string' || turns === 0) return node;
  return { ...resolved(document, pointed(document, $ref), turns - 1), ...beside };
};

const membersOf = (document: Json, node: unknown, at = '', depth = 0): string[] => {
  if (depth > DEEPEST) return [];
  const schema = resolved(document, node);
  const several = [schema.allOf, schema.anyOf, schema.oneOf].flatMap((list) => (Array.isArray(list) ? list : []));
  const properties = Object.entries(isRecord(schema.properties) ? schema.properties : {}).flatMap(([name, inner]) => {
    const path = at === '' ? name : `${at}.${name}`;
    return [path, ...membersOf(document, inner, path, depth + 1)];
  });
  const items = schema.items === undefined ? [] : membersOf(document, schema.items, `${at}[]`, depth);
  return [...several.flatMap((one) => membersOf(document, one, at, depth)), ...properties, ...items];
};

const bodyOf = (document: Json, holder: unknown): string[] => {
  const { content } = resolved(document, holder);
  const json = isRecord(content) ? content['application/json'] : undefined;
  return isRecord(json) ? membersOf(document, json.schema) : [];
};

/** @param shared parameters of the path, which hold for each of its operations */
export const fieldsOf = (document: Json, operation: string, call: Json, shared: unknown): DocumentedField[] => {
  const parameters = [shared, call.parameters].flatMap((list) => (Array.isArray(list) ? list : []));
  const query = parameters
    .map((parameter) => resolved(document, parameter))
    .filter((parameter) => parameter.in === 'query')
    .map(({ name }) => String(name));
  const responses = isRecord(call.responses) ? call.responses : {};
  const sent = [...query, ...bodyOf(document, call.requestBody)];
  const responseFields = Object.keys(responses)
    .filter((status) => /^2/.test(status))
    .flatMap((status) => bodyOf(document, responses[status]));
  const row = (where: DocumentedField['where']) => (field: string) => ({ operation, where, field });
  return [...[...new Set(sent)].map(row('request')), ...[...new Set(responseFields)].map(row('response'))];
};

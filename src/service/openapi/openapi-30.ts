// The document in OpenAPI 3.0, for tools that do not read 3.1.
import { mapValues } from '../contract/keyed.ts';
import { isObject } from '../contract/schema.ts';
import type { Json } from './schemas.ts';

/** Members that hold data, not keywords. */
const DATA = new Set(['example', 'value', 'default', 'enum']);
const NAMED = new Set(['properties', 'schemas', 'responses', 'parameters', 'headers', 'examples', 'links', 'paths', 'variables']);

/** Converts a part: null becomes `nullable`, a schema has one example, siblings of a reference become an `allOf` around it. */
const convertPart = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(convertPart);
  if (!isObject(value)) return value;
  const { $ref, ...beside } = value;
  if (typeof $ref === 'string')
    return Object.keys(beside).length === 0 ? value : { allOf: [{ $ref }], ...(convertPart(beside) as Json) };
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, held]): [string, unknown][] => {
      if (key === 'type' && Array.isArray(held)) {
        const [type] = held.filter((one) => one !== 'null');
        return [['type', type], ...(held.includes('null') ? ([['nullable', true]] as [string, unknown][]) : [])];
      }
      if (key === 'const') return [['enum', [held]]];
      if (key === 'examples' && Array.isArray(held)) return [['example', held[0]]];
      if (DATA.has(key) || key.startsWith('x-')) return [[key, held]];
      if (NAMED.has(key) && isObject(held)) return [[key, mapValues(held, convertPart)]];
      return [[key, convertPart(held)]];
    }),
  );
};

/** Converts a document of 3.1. What 3.0 lacks becomes an extension (`x-webhooks`) or is left out (`info.summary`). */
export const inOpenApi30 = ({ openapi: _, info, webhooks, ...rest }: Json): Json => {
  const { summary, license, ...said } = info as Json;
  const { name, identifier, url = `https://spdx.org/licenses/${identifier}.html` } = (license ?? {}) as Json;
  return {
    openapi: '3.0.4',
    info: { ...said, ...(license ? { license: { name, url } } : {}) },
    ...(convertPart(rest) as Json),
    ...(webhooks ? { 'x-webhooks': convertPart(webhooks) } : {}),
  };
};

// The document again, for tools that know OpenAPI 3.0 and not 3.1.
import { isObject } from '../contract/schema.ts';
import type { Json } from './schemas.ts';

/** What holds data, in which nothing is a keyword. */
const DATA = new Set(['example', 'value', 'default', 'enum']);
/** What holds parts by names of their own. */
const NAMED = new Set(['properties', 'schemas', 'responses', 'parameters', 'headers', 'examples', 'links', 'paths', 'variables']);

/** A part in words of 3.0: null is `nullable`, a schema has one example, and what stands beside a reference is put around it. */
const part = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(part);
  if (!isObject(value)) return value;
  const { $ref, ...beside } = value;
  if (typeof $ref === 'string')
    return Object.keys(beside).length === 0 ? value : { allOf: [{ $ref }], ...(part(beside) as Json) };
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, held]): [string, unknown][] => {
      if (key === 'type' && Array.isArray(held)) {
        const [type] = held.filter((one) => one !== 'null');
        return [['type', type], ...(held.includes('null') ? ([['nullable', true]] as [string, unknown][]) : [])];
      }
      if (key === 'const') return [['enum', [held]]];
      if (key === 'examples' && Array.isArray(held)) return [['example', held[0]]];
      if (DATA.has(key) || key.startsWith('x-')) return [[key, held]];
      if (NAMED.has(key) && isObject(held))
        return [[key, Object.fromEntries(Object.entries(held).map(([name, one]) => [name, part(one)]))]];
      return [[key, part(held)]];
    }),
  );
};

/**
 * A document of OpenAPI 3.1 in words of 3.0. What 3.0 has no place for is kept as an extension (`x-webhooks`) or left out
 * (`info.summary`).
 */
export const inOpenApi30 = ({ openapi: _, info, webhooks, ...rest }: Json): Json => {
  const { summary, license, ...said } = info as Json;
  const { name, identifier, url = `https://spdx.org/licenses/${identifier}.html` } = (license ?? {}) as Json;
  return {
    openapi: '3.0.4',
    info: { ...said, ...(license ? { license: { name, url } } : {}) },
    ...(part(rest) as Json),
    ...(webhooks ? { 'x-webhooks': part(webhooks) } : {}),
  };
};

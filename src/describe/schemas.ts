// Schemas as the OpenAPI document prints them: a component stands as a reference, anything else inline.
import { contractAt } from '../contract/at-release.ts';
import { RELEASE_NAMES } from '../contract/releases.ts';
import type { Schema } from '../contract/schema.ts';

export type Json = Readonly<Record<string, unknown>>;

/** The name of each component, in whichever form a release has it. */
const NAMES = new Map<unknown, string>(
  RELEASE_NAMES.flatMap((release) =>
    Object.entries(contractAt(release).components).map(([name, schema]) => [schema, name] as const),
  ),
);

/** The same by the list of words that it takes: a field that has a default is another schema with the same list. */
const WORDS = new Map<unknown, string>(
  [...NAMES].flatMap(([schema, name]) => ((schema as Json).enum ? [[(schema as Json).enum, name]] : [])),
);

/** A reference when the schema is a component, else the schema with references inside. */
export const schemaOf = (schema: Schema<unknown>): Json => {
  const name = NAMES.get(schema) ?? WORDS.get(schema.enum);
  if (!name) return spelledOut(schema);
  return { $ref: `#/components/schemas/${name}`, ...('default' in schema ? { default: schema.default } : {}) };
};

/** The schema itself, with references inside. */
export const spelledOut = (schema: Schema<unknown>): Json => {
  const { properties, items } = schema as { properties?: Readonly<Record<string, Schema<unknown>>>; items?: Schema<unknown> };
  return {
    ...schema,
    ...(properties && { properties: Object.fromEntries(Object.entries(properties).map(([name, of]) => [name, schemaOf(of)])) }),
    ...(items && { items: schemaOf(items) }),
  };
};

/** A value that fits the schema, made of the examples in it. */
export const exampleOf = (schema: Schema<unknown>): unknown => {
  const { examples, properties, items, type, minimum } = schema as {
    examples?: readonly unknown[];
    properties?: Readonly<Record<string, Schema<unknown>>>;
    items?: Schema<unknown>;
    type?: unknown;
    minimum?: number;
  };
  if (examples) return examples[0];
  if (Array.isArray(schema.enum)) return schema.enum[0];
  if (properties) return Object.fromEntries(Object.entries(properties).map(([name, of]) => [name, exampleOf(of)]));
  if (items) return [exampleOf(items)];
  if (Array.isArray(type)) return null;
  return type === 'integer' ? (minimum ?? 0) : type === 'boolean' ? false : '';
};

// Schemas as the OpenAPI document prints them: components as references, others inline.
import { contractAt } from '../contract/at-release.ts';
import { mapValues } from '../contract/keyed.ts';
import { ALL_RELEASES } from '../contract/releases.ts';
import type { Schema, Schemas } from '../contract/schema.ts';

export type Json = Readonly<Record<string, unknown>>;

type Names = ReadonlyMap<unknown, string>;

const COMPONENT_NAMES: Names = new Map(
  ALL_RELEASES.flatMap((release) =>
    Object.entries(contractAt(release).components).map(([name, schema]) => [schema, name] as const),
  ),
);

/** Names of enumerations by their values: a field with a default is another schema with the same values. */
const ENUM_NAMES = new Map<unknown, string>(
  [...COMPONENT_NAMES].flatMap(([schema, name]) => ((schema as Json).enum ? [[(schema as Json).enum, name]] : [])),
);

/** A reference when the schema is a component, else the schema with references inside. */
export const schemaOf = (schema: Schema<unknown>, names = COMPONENT_NAMES): Json => {
  const name = names.get(schema) ?? (names === COMPONENT_NAMES ? ENUM_NAMES.get(schema.enum) : undefined);
  if (!name) return spelledOut(schema, names);
  return { $ref: `#/components/schemas/${name}`, ...('default' in schema ? { default: schema.default } : {}) };
};

/** Keywords that hold schemas, examples or bounds. */
interface SchemaParts {
  readonly properties?: Schemas;
  readonly items?: Schema<unknown>;
  readonly anyOf?: readonly Schema<unknown>[];
  readonly examples?: readonly unknown[];
  readonly minimum?: number;
}

const spelledOut = (schema: Schema<unknown>, names = COMPONENT_NAMES): Json => {
  const { properties, items, anyOf } = schema as SchemaParts;
  return {
    ...schema,
    ...(properties && { properties: mapValues(properties, (one) => schemaOf(one, names)) }),
    ...(items && { items: schemaOf(items, names) }),
    // openapi-generator's Java of a union does not compile if one of its members has a format.
    ...(anyOf && { anyOf: anyOf.map(({ format: _, ...one }) => schemaOf(one, names)) }),
  };
};

/** Components that a part of a document refers to, directly or not, in the order of the table. */
export const usedBy = (part: unknown, components: Schemas, names = COMPONENT_NAMES): Json => {
  const used = new Map<string, Json>();
  const visit = (from: unknown): void => {
    for (const [, name] of JSON.stringify(from).matchAll(/#\/components\/schemas\/(\w+)/g)) {
      if (used.has(name!)) continue;
      const spelled = spelledOut(components[name!]!, names);
      used.set(name!, spelled);
      visit(spelled);
    }
  };
  visit(part);
  return Object.fromEntries(Object.keys(components).flatMap((name) => (used.has(name) ? [[name, used.get(name)]] : [])));
};

/** Valid value of the schema, made of its examples. */
export const exampleOf = (schema: Schema<unknown>): unknown => {
  const { examples, properties, items, minimum = 0 } = schema as SchemaParts;
  if (examples) return examples[0];
  if (Array.isArray(schema.enum)) return schema.enum[0];
  if (properties) return mapValues(properties, exampleOf);
  if (items) return [exampleOf(items)];
  if (Array.isArray(schema.type)) return null;
  return schema.type === 'integer' ? minimum : schema.type === 'boolean' ? false : '';
};

export const jsonContent = (schema: Schema<unknown>, example = exampleOf(schema)): Json => ({
  'application/json': { schema: schemaOf(schema), example },
});

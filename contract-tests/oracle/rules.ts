// What the OpenAPI document says of request bodies and filters, read once: the table that situations and the oracle work from.
import { resolved } from '../engine/document-fields.ts';
import { isRecord, type Json } from '../engine/exchange.ts';
import { operationsOf } from '../engine/operations.ts';
import type { Release } from '../engine/releases.ts';

export type Kind = 'text' | 'word' | 'words' | 'time' | 'id' | 'ids' | 'url' | 'integer' | 'number' | 'boolean' | 'other';

/** A field of a request body. */
export interface FieldRule {
  readonly name: string;
  readonly kind: Kind;
  readonly required: boolean;
  /** Lengths in characters. */
  readonly min: number;
  readonly max: number | undefined;
  readonly values: readonly string[];
  /** What a create without it shows; undefined: nothing. */
  readonly fallback: unknown;
}

export type Written = 'project' | 'task' | 'team' | 'webhook';

/** A filter of a list; without values any text may be asked for. */
export interface Filter {
  readonly field: string;
  readonly values: readonly string[];
}

export interface Rules {
  readonly create: { readonly [W in Written]: readonly FieldRule[] };
  readonly update: { readonly [W in Written]: readonly FieldRule[] };
  /** The filters of a list operation. */
  readonly filters: (operation: string) => readonly Filter[];
}

const texts = (value: unknown): string[] => (Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : []);

const kindOf = (name: string, schema: Json, items: Json): Kind => {
  const types = texts(Array.isArray(schema.type) ? schema.type : [schema.type]).filter((type) => type !== 'null');
  if (types.includes('array')) return items.enum ? 'words' : 'ids';
  if (types.includes('string')) {
    if (schema.enum) return 'word';
    if (schema.format === 'date-time') return 'time';
    if (schema.format === 'uri') return 'url';
    return name.endsWith('_id') ? 'id' : 'text';
  }
  return (['integer', 'number', 'boolean'] as const).find((type) => types.includes(type)) ?? 'other';
};

/** In words of OpenAPI 3.0, a reference with something beside it is the one part of `allOf`. */
const whole = (document: Json, node: unknown): Json => {
  const { allOf, ...own } = resolved(document, node);
  return Object.assign({}, ...(Array.isArray(allOf) ? allOf.map((part) => whole(document, part)) : []), own);
};

const fieldsOf = (document: Json, call: unknown): readonly FieldRule[] => {
  const body = resolved(document, resolved(document, call).requestBody);
  const content = isRecord(body.content) ? resolved(document, body.content['application/json']) : {};
  const schema = resolved(document, content.schema);
  const required = texts(schema.required);
  return Object.entries(isRecord(schema.properties) ? schema.properties : {}).map(([name, node]) => {
    const property = whole(document, node);
    const items = resolved(document, property.items);
    return {
      name,
      kind: kindOf(name, property, items),
      required: required.includes(name),
      min: typeof property.minLength === 'number' ? property.minLength : 0,
      max: typeof property.maxLength === 'number' ? property.maxLength : undefined,
      values: texts(property.enum ?? items.enum),
      fallback: property.default,
    };
  });
};

const FILTER = /^filter\[(\w+)\]$/;

const filtersOf = (document: Json, call: unknown): readonly Filter[] => {
  const parameters = resolved(document, call).parameters;
  return (Array.isArray(parameters) ? parameters : []).flatMap((node) => {
    const parameter = resolved(document, node);
    const field = FILTER.exec(String(parameter.name))?.[1];
    return field === undefined ? [] : [{ field, values: texts(resolved(document, parameter.schema).enum) }];
  });
};

export const rulesOf = (document: object | undefined, release: Release): Rules => {
  const root = (document ?? {}) as Json;
  const paths = isRecord(root.paths) ? root.paths : {};
  const shape = (path: string) => path.replace(/\{[^}]+\}/g, '{}').replace(/^\/v1/, '');
  const calls = new Map<string, unknown>();
  for (const { id, method, path } of operationsOf(release)) {
    const found = Object.entries(paths).find(([candidate]) => shape(candidate) === shape(path))?.[1];
    if (isRecord(found)) calls.set(id, found[method.toLowerCase()]);
  }
  const fields = (id: string) => fieldsOf(root, calls.get(id));
  const filters = new Map([...calls].map(([id, call]) => [id, filtersOf(root, call)]));
  return {
    create: {
      project: fields('create_project'),
      task: fields('create_task'),
      team: fields('create_team'),
      webhook: fields('create_webhook'),
    },
    update: { project: fields('update_project'), task: fields('update_task'), team: [], webhook: [] },
    filters: (operation) => filters.get(operation) ?? [],
  };
};

// Rules of the OpenAPI document for request bodies and filters: the table of situations and the oracle.
import { fieldsOf as documentedFields, resolved } from '../engine/document-fields.ts';
import { isRecord, type Json } from '../engine/exchange.ts';
import { operationsOf } from '../engine/operations.ts';
import type { Release } from '../engine/releases.ts';
import { SHAPES } from '../engine/shapes.ts';

type Plain = 'text' | 'word' | 'time' | 'id' | 'url' | 'integer' | 'number' | 'boolean' | 'other';
/** Lists are of words, of ids, or of anything else. */
export type Kind = Plain | 'words' | 'ids' | 'list';
/** Whose ids a field holds. */
export type Refers = 'users' | 'projects' | 'tasks';

/** A field of a request body. */
export interface FieldRule {
  readonly name: string;
  readonly kind: Kind;
  readonly required: boolean;
  /** Lengths: of a text in characters, of a list in entries. */
  readonly min: number;
  readonly max: number | undefined;
  /** Bounds of a number. */
  readonly minimum: number;
  readonly maximum: number;
  readonly values: readonly string[];
  /** The value that a create without it shows; undefined: none. */
  readonly fallback: unknown;
  readonly nullable: boolean;
  /** The type of each entry of a list. */
  readonly items: FieldRule | undefined;
  readonly refers: Refers;
  /** Values that the document gives as examples. */
  readonly examples: readonly unknown[];
  /** The specification names it; otherwise the document alone does. */
  readonly named: boolean;
  /** The response to the request shows it. */
  readonly shown: boolean;
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

const typesOf = ({ type }: Json): readonly string[] => texts(Array.isArray(type) ? type : [type]);

const kindOf = (name: string, schema: Json, items: Json): Kind => {
  const types = typesOf(schema);
  const refers = schema['x-refers'] !== undefined;
  if (types.includes('array')) {
    if (items.enum) return 'words';
    return typesOf(items).includes('string') && (refers || name.endsWith('_ids')) ? 'ids' : 'list';
  }
  if (types.includes('string')) {
    if (schema.enum) return 'word';
    if (schema.format === 'date-time') return 'time';
    if (schema.format === 'uri') return 'url';
    if (schema.format !== undefined || schema.pattern !== undefined) return 'other';
    return refers || name.endsWith('_id') ? 'id' : 'text';
  }
  if (schema.enum) return 'other';
  return (['integer', 'number', 'boolean'] as const).find((type) => types.includes(type)) ?? 'other';
};

/** In words of OpenAPI 3.0, a reference with something beside it is the one part of `allOf`. */
const whole = (document: Json, node: unknown): Json => {
  const { allOf, ...own } = resolved(document, node);
  return Object.assign({}, ...(Array.isArray(allOf) ? allOf.map((part) => whole(document, part)) : []), own);
};

/** Fields that clients send and responses need not show. */
const SENT: { readonly [W in Written]?: readonly string[] } = { team: ['member_ids'], webhook: ['url', 'events'] };

const isNamed = (written: Written, name: string): boolean =>
  SHAPES[written].some((field) => field.name === name) || SENT[written]?.includes(name) === true;

const numberOr = <T>(value: unknown, otherwise: T): number | T => (typeof value === 'number' ? value : otherwise);

type Outside = Pick<FieldRule, 'required' | 'named' | 'shown'>;

const ruleOf = (document: Json, name: string, node: unknown, outside: Outside): FieldRule => {
  const property = whole(document, node);
  const items = resolved(document, property.items);
  const types = typesOf(property);
  const isList = types.includes('array');
  const { examples, example, enum: listed } = property;
  const nullable = types.includes('null') || property.nullable === true;
  // A list that cannot be null is empty when nothing is said.
  const none = isList && !nullable && !outside.required ? [] : undefined;
  return {
    name,
    kind: kindOf(name, property, items),
    min: numberOr(isList ? property.minItems : property.minLength, 0),
    max: numberOr(isList ? property.maxItems : property.maxLength, undefined),
    minimum: numberOr(property.minimum, Number.NEGATIVE_INFINITY),
    maximum: numberOr(property.maximum, Number.POSITIVE_INFINITY),
    values: texts(listed ?? items.enum),
    fallback: property.default ?? none,
    nullable,
    items: isList ? ruleOf(document, name, items, outside) : undefined,
    refers: (['projects', 'tasks'] as const).find((records) => records === property['x-refers']) ?? 'users',
    examples: [listed, examples, [example]].flatMap((list) => (Array.isArray(list) ? list : [])).filter((one) => one != null),
    ...outside,
  };
};

const fieldsOf = (document: Json, written: Written, id: string, call: unknown): readonly FieldRule[] => {
  const documented = documentedFields(document, id, resolved(document, call), undefined);
  const inResponses = new Set(documented.filter(({ where }) => where === 'response').map(({ field }) => field));
  const body = resolved(document, resolved(document, call).requestBody);
  const content = isRecord(body.content) ? resolved(document, body.content['application/json']) : {};
  const schema = resolved(document, content.schema);
  const required = texts(schema.required);
  return Object.entries(isRecord(schema.properties) ? schema.properties : {}).map(([name, node]) =>
    ruleOf(document, name, node, {
      required: required.includes(name),
      named: isNamed(written, name),
      shown: inResponses.has(`data.${name}`) || (inResponses.size === 0 && !SENT[written]?.includes(name)),
    }),
  );
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
  const fields = (id: string, written: Written) => fieldsOf(root, written, id, calls.get(id));
  const filters = new Map([...calls].map(([id, call]) => [id, filtersOf(root, call)]));
  return {
    create: {
      project: fields('create_project', 'project'),
      task: fields('create_task', 'task'),
      team: fields('create_team', 'team'),
      webhook: fields('create_webhook', 'webhook'),
    },
    update: { project: fields('update_project', 'project'), task: fields('update_task', 'task'), team: [], webhook: [] },
    filters: (operation) => filters.get(operation) ?? [],
  };
};

// The contract of a release: the tables without what was added later or removed before.
import { CHOICES, type ChoiceId, isOpenAt, statusPoint } from './choices.ts';
import type { Fields } from './fields.ts';
import { getOrMake, mapValues } from './keyed.ts';
import { OPERATION_IDS, type Operation, type OperationId, operation } from './operations.ts';
import { ALL_RELEASES, isIn, LATEST, type Release, type Span, type Version } from './releases.ts';
import { COMPONENTS, EVENT_NAMES, EVENTS, type EventName, RESOURCES } from './resources.ts';
import type { Schema, Schemas } from './schema.ts';

export interface Contract {
  readonly release: Release;
  readonly operations: Readonly<Partial<Record<OperationId, Operation>>>;
  /** Schemas that its OpenAPI document lists by name. */
  readonly components: Readonly<Record<string, Schema<unknown>>>;
  readonly events: readonly EventName[];
  /** Names of fields that no schema of the release has yet. */
  readonly unknownFields: ReadonlySet<string>;
  /** Fields of each kind of record that the release does not have yet. */
  readonly unknownIn: Readonly<Record<keyof typeof RESOURCES, ReadonlySet<string>>>;
  readonly openPoints: readonly ChoiceId[];
}

const spanOf = (schema: Schema<unknown>): Span => ({ since: (schema['x-since'] as Version | undefined) ?? '1.0.0' });

interface Inside {
  readonly properties?: Schemas;
  readonly items?: Schema<unknown>;
  readonly required?: readonly string[];
}

/** Removes what a release lacks; an unchanged schema stays the same object. */
const pruningTo = (release: Release) => {
  const known = new Map<Schema<unknown>, Schema<unknown>>();

  const of = (schema: Schema<unknown>): Schema<unknown> => getOrMake(known, schema, () => inside(schema));

  const all = (schemas: Schemas): Schemas => {
    const has = (schema: Schema<unknown>) => schema['x-since'] === undefined || isIn(spanOf(schema), release);
    const names = Object.keys(schemas).filter((name) => has(schemas[name]!));
    const all = Object.fromEntries(names.map((name) => [name, of(schemas[name]!)]));
    return Object.keys(schemas).every((name) => all[name] === schemas[name]) ? schemas : all;
  };

  const inside = (schema: Schema<unknown>): Schema<unknown> => {
    const { properties, items, required } = schema as Inside;
    const inner = properties && all(properties);
    const item = items && of(items);
    const kept = values(schema);
    if (inner === properties && item === items && !kept) return schema;
    return {
      ...schema,
      ...kept,
      ...(inner && { properties: inner }),
      ...(inner && required && { required: required.filter((name) => Object.hasOwn(inner, name)) }),
      ...(item && { items: item }),
    };
  };

  const values = (schema: Schema<unknown>): Record<string, unknown> | undefined => {
    const since = schema['x-since-by-value'] as Readonly<Record<string, Version>> | undefined;
    const has = (value: unknown) => isIn({ since: since?.[String(value)] ?? '1.0.0' }, release);
    if (!since || Object.keys(since).every(has)) return undefined;
    const lists = ['enum', 'x-extensible-enum'].filter((keyword) => Array.isArray(schema[keyword]));
    return {
      ...Object.fromEntries(lists.map((keyword) => [keyword, (schema[keyword] as unknown[]).filter(has)])),
      'x-since-by-value': Object.fromEntries(Object.entries(since).filter(([value]) => has(value))),
    };
  };

  return { of, all };
};

const pointsOf = (id: OperationId, release: Release) => {
  const { open, method, path } = operation(id);
  const status = statusPoint(method, path);
  return [...new Set(status ? [...open, status] : open)].filter((point) => isOpenAt(point, release));
};

const operationAt = (row: Operation, pruning: ReturnType<typeof pruningTo>): Operation => {
  const { body, response, list } = row;
  return {
    ...row,
    ...(body && { body: pruning.of(body) as Schema<object> }),
    ...(response && { response: pruning.of(response) }),
    ...(list && { list: { ...list, filters: pruning.all(list.filters) as typeof list.filters } }),
  };
};

const bodyName = (id: OperationId): string => {
  const [, verb, noun = ''] = /^(create|update)(\w+)$/.exec(id) ?? [];
  if (!verb) return `${id[0]!.toUpperCase()}${id.slice(1)}Body`;
  return `${noun}${verb === 'create' ? 'Draft' : 'Patch'}`;
};

/** Bodies that no table names, by the rule of those that do: `TeamPatch`. */
const BODIES: Schemas = Object.fromEntries(
  OPERATION_IDS.flatMap((id) => {
    const { body } = operation(id);
    const isNamed = !body || Object.values<unknown>(COMPONENTS).includes(body);
    return isNamed ? [] : [[bodyName(id), body]];
  }),
);

const ALL_COMPONENTS = { ...COMPONENTS, ...BODIES };

const fieldsIn = (components: Schemas): ReadonlySet<string> =>
  new Set(Object.values(components).flatMap(({ properties = {} }) => Object.keys(properties as object)));

const ALL_FIELDS = fieldsIn(ALL_COMPONENTS);

const unknownFieldsAt = (release: Release): Contract['unknownIn'] => {
  const later = (fields: Fields) =>
    Object.entries(fields).flatMap(([name, { schema }]) => (isIn(spanOf(schema), release) ? [] : [name]));
  return mapValues(RESOURCES, (fields) => new Set(later(fields)));
};

/** Derives from the release after it, so that both share the objects that did not change; the latest from the tables. */
const deriveContract = (release: Release): Contract => {
  const after = release === LATEST ? undefined : ALL_RELEASES[ALL_RELEASES.indexOf(release) + 1];
  const later = after && contractAt(after);
  const pruning = pruningTo(release);
  const components = mapValues(later?.components ?? ALL_COMPONENTS, pruning.of);
  const operations = OPERATION_IDS.flatMap((id) => {
    const row = isIn(operation(id), release) ? (later?.operations[id] ?? operation(id)) : undefined;
    return row ? [[id, { ...operationAt(row, pruning), open: pointsOf(id, release) }]] : [];
  });
  const known = fieldsIn(components);
  return {
    release,
    operations: Object.fromEntries(operations),
    components,
    events: EVENT_NAMES.filter((name) => isIn(EVENTS[name], release)),
    unknownFields: new Set([...ALL_FIELDS].filter((name) => !known.has(name))),
    unknownIn: unknownFieldsAt(release),
    openPoints: (Object.keys(CHOICES) as ChoiceId[]).filter((point) => isOpenAt(point, release)),
  };
};

const CONTRACTS = new Map<Release, Contract>();

export const contractAt = (release: Release = LATEST): Contract => getOrMake(CONTRACTS, release, () => deriveContract(release));

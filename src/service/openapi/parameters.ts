// Parameters of an operation, in its path and query.
import { PAGE_LIMIT } from '../contract/limits.ts';
import { OPERATION_IDS, type Operation, operation } from '../contract/operations.ts';
import { isIn, LIST_PARAMETERS, type Version } from '../contract/releases.ts';
import { RESOURCES } from '../contract/resources.ts';
import type { Schema } from '../contract/schema.ts';
import type { Terms } from '../contract/terms.ts';
import { exampleOf, type Json, schemaOf } from './schemas.ts';

const inPaths = (): Readonly<Record<string, Json>> => {
  const collections = new Set(OPERATION_IDS.flatMap((id) => operation(id).finds ?? []));
  return Object.fromEntries(
    [...collections].map((collection) => {
      const { description, examples = [], ...schema } = RESOURCES[collection].id.schema as Documented;
      const one = collection.slice(0, -1);
      const parameter = { name: `${one}_id`, in: 'path', required: true, description, schema, example: examples[0] };
      return [`${one[0]!.toUpperCase()}${one.slice(1)}Id`, parameter];
    }),
  );
};

interface Documented {
  readonly description?: string;
  readonly examples?: readonly string[];
}

// The page at /docs would otherwise send the examples of all optional parameters at once.
const unsent = (value: unknown): Json => ({ default: { value, 'x-disabled': true } });

const LIMIT: Json = {
  name: 'limit',
  in: 'query',
  description: 'How many records a page holds at most.',
  schema: { type: 'integer', minimum: PAGE_LIMIT.min, maximum: PAGE_LIMIT.max, default: PAGE_LIMIT.default },
  examples: unsent(PAGE_LIMIT.default),
};

const numbered = (name: 'page' | 'offset', description: string, first: number): Json => ({
  name,
  in: 'query',
  description,
  schema: { type: 'integer', minimum: first },
  examples: unsent(first),
});

/** Parameters that several operations share in some release, by component name. */
const PARAMETERS: Readonly<Record<string, Json>> = {
  ...inPaths(),
  Limit: LIMIT,
  Page: numbered('page', 'Number of the page.', 1),
  Offset: numbered('offset', 'How many records stand before the page; in place of `page`.', 0),
  Cursor: {
    name: 'cursor',
    in: 'query',
    description: 'The `meta.next_cursor` of the page before; leave it out for the first page. Opaque; keeps the active filters.',
    schema: { type: 'string' },
  },
};

const DEPRECATED = { deprecated: true } as const;

const pagingAt = (terms: Terms): readonly string[] => {
  const { release } = terms.contract;
  return (['limit', 'cursor', 'page', 'offset'] as const).filter((name) => isIn(LIST_PARAMETERS[name], release));
};

export const parametersAt = (terms: Terms): Readonly<Record<string, Json>> => {
  const { release } = terms.contract;
  const paging = pagingAt(terms);
  return Object.fromEntries(
    Object.entries(PARAMETERS).flatMap(([name, parameter]) => {
      const wanted = String(parameter.name);
      if (parameter.in === 'path') return usesPath(wanted, terms) ? [[name, parameter]] : [];
      if (!paging.includes(wanted)) return [];
      const span = LIST_PARAMETERS[wanted as keyof typeof LIST_PARAMETERS] as { deprecated?: Version } | undefined;
      const old = span?.deprecated !== undefined && isIn({ since: span.deprecated }, release);
      return [[name, { ...parameter, ...(old ? DEPRECATED : {}) }]];
    }),
  );
};

const usesPath = (variable: string, { contract }: Terms): boolean =>
  Object.values(contract.operations).some(({ path }) => path.includes(`{${variable}}`));

const reference = (wanted: string): Json => {
  const name = Object.entries(PARAMETERS).find(([, parameter]) => parameter.name === wanted)?.[0];
  if (!name)
    throw new Error(
      `The path variable {${wanted}} is described nowhere: call it by a collection of RESOURCES, as in {task_id}, or add it to PARAMETERS in src/service/openapi/parameters.ts.`,
    );
  return { $ref: `#/components/parameters/${name}` };
};

const filterBy = (field: string, schema: Schema<string>): Json => {
  const { description, ...rest } = schema;
  const of = schemaOf(rest);
  const example = schema.enum ? exampleOf(schema) : `${field === 'assignee_id' ? 'user' : 'proj'}_4k2m9x7q1wzt`;
  return { name: `filter[${field}]`, in: 'query', description, schema: of, examples: unsent(example) };
};

const sortBy = (fields: readonly string[]): Json => ({
  name: 'sort',
  in: 'query',
  description: 'A field sorts ascending, with a leading `-` descending. An unsupported field is answered `400`.',
  // Without x-enum-varnames: kubb gives all enumerations that have them here one name.
  schema: { type: 'string', enum: fields.flatMap((field) => [field, `-${field}`]) },
  examples: unsent(`-${fields[0]}`),
});

/** The parameters of one operation, in the order of its row. */
export const parametersOf = ({ path, list }: Operation, terms: Terms): readonly Json[] => [
  ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => reference(name!)),
  ...(list
    ? [
        ...pagingAt(terms).map(reference),
        ...Object.entries(list.filters).map(([field, schema]) => filterBy(field, schema)),
        ...(list.sorts.length > 0 ? [sortBy(list.sorts)] : []),
      ]
    : []),
];

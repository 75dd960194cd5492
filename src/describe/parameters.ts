// What an operation takes in its path and query.
import { PAGE } from '../contract/limits.ts';
import type { Operation } from '../contract/operations.ts';
import { COMPONENTS } from '../contract/resources.ts';
import type { Schema } from '../contract/schema.ts';
import { exampleOf, type Json, schemaOf } from './schemas.ts';

const idOf = ({ properties }: Schema<unknown>): Schema<string> => (properties as { id: Schema<string> }).id;

const inPath = (name: string, resource: Schema<unknown>): Json => {
  const { description, examples, ...schema } = idOf(resource) as { description: string; examples: readonly string[] };
  return { name, in: 'path', required: true, description, schema, example: examples[0] };
};

// The page at /docs would otherwise send the examples of all optional parameters at once.
const unsent = (value: unknown): Json => ({ default: { value, 'x-disabled': true } });

/** Parameters that several operations share, by component name. */
export const PARAMETERS: Readonly<Record<string, Json>> = {
  ProjectId: inPath('project_id', COMPONENTS.Project),
  TaskId: inPath('task_id', COMPONENTS.Task),
  TeamId: inPath('team_id', COMPONENTS.Team),
  Limit: {
    name: 'limit',
    in: 'query',
    description: 'How many records a page holds at most.',
    schema: { type: 'integer', minimum: PAGE.least, maximum: PAGE.most, default: PAGE.usual },
    examples: unsent(PAGE.usual),
  },
  Cursor: {
    name: 'cursor',
    in: 'query',
    description: 'The `meta.next_cursor` of the page before; leave it out for the first page. Opaque; keeps the active filters.',
    schema: { type: 'string' },
    examples: unsent('bGlzdFRhc2tz'),
  },
};

const reference = (wanted: string): Json => {
  const name = Object.entries(PARAMETERS).find(([, parameter]) => parameter.name === wanted)?.[0];
  if (!name) throw new Error(`No parameter is named ${wanted}`);
  return { $ref: `#/components/parameters/${name}` };
};

const filterBy = (field: string, schema: Schema<string>): Json => {
  const { description, ...of } = schemaOf(schema);
  const example = of.enum ? exampleOf(schema) : `${field === 'assignee_id' ? 'user' : 'proj'}_4k2m9x7q1wzt`;
  return { name: `filter[${field}]`, in: 'query', description, schema: of, examples: unsent(example) };
};

const sortBy = (fields: readonly string[]): Json => ({
  name: 'sort',
  in: 'query',
  description: 'A field sorts ascending, with a leading `-` descending. An unsupported field is answered `400`.',
  schema: { type: 'string', enum: fields.flatMap((field) => [field, `-${field}`]) },
  examples: unsent(`-${fields[0]}`),
});

/** The parameters of one operation, in the order of its row. */
export const parametersOf = ({ path, list }: Operation): readonly Json[] => [
  ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => reference(name!)),
  ...(list
    ? [
        reference('limit'),
        reference('cursor'),
        ...Object.entries(list.filters).map(([field, schema]) => filterBy(field, schema)),
        ...(list.sorts.length > 0 ? [sortBy(list.sorts)] : []),
      ]
    : []),
];

// Tables that the operators are generated from: resources and bodies of the document, operations, lists and their filters.
import { OPERATIONS, type Operation, type Shape } from '../../engine/operations.ts';
import { readShippedDocument } from '../../engine/register.ts';
import type { Loose } from './exchange.ts';

export type Kind =
  | 'id'
  | 'text'
  | 'enum'
  | 'date'
  | 'count'
  | 'url'
  | 'email'
  | 'reference'
  | 'references'
  | 'members'
  | 'events';

/** A field of a resource or of a body. */
export interface Part {
  readonly name: string;
  readonly kind: Kind;
  /** Required on create, or always there in a response. */
  readonly needed: boolean;
  readonly max?: number;
  readonly values?: readonly string[];
  readonly preset?: string;
}

const document = readShippedDocument() as Loose;
if (!document) throw new Error('openapi/openapi.json is missing: build the package first');

const kindOf = (name: string, schema: Loose): Kind => {
  if (name === 'id') return 'id';
  if (name === 'members' || name === 'events') return name;
  if (name === 'email') return 'email';
  if (name.endsWith('_ids')) return 'references';
  if (name.endsWith('_id')) return 'reference';
  if (name.endsWith('url')) return 'url';
  if (schema.format === 'date-time') return 'date';
  if (schema.type === 'integer') return 'count';
  return schema.enum || schema['x-extensible-enum'] ? 'enum' : 'text';
};

const resolved = ({ $ref, ...beside }: Loose): Loose =>
  $ref ? { ...document.components.schemas[$ref.split('/').at(-1)], ...beside } : beside;

const partsOf = (name: string): readonly Part[] => {
  const { properties, required = [] } = document.components.schemas[name];
  return Object.entries(properties as Record<string, Loose>).map(([field, node]) => {
    const schema = resolved(node);
    const of = resolved(schema.items ?? schema);
    const values = of.enum ?? of['x-extensible-enum'];
    return {
      name: field,
      kind: kindOf(field, schema),
      needed: required.includes(field),
      ...(schema.maxLength ? { max: schema.maxLength } : {}),
      ...(values ? { values } : {}),
      ...(schema.default ? { preset: schema.default } : {}),
    };
  });
};

/** The fields that a resource shows. */
export const SHOWN = {
  project: partsOf('Project'),
  task: partsOf('Task'),
  profile: partsOf('Profile'),
  member: partsOf('Member'),
  team: partsOf('Team'),
  'team-read': partsOf('TeamDetail'),
  comment: partsOf('Comment'),
} as const satisfies Readonly<Record<Exclude<Shape, 'webhook'>, readonly Part[]>>;

/** The body of each operation that takes one; the fields of an update are those of the create. */
export const BODIES: Readonly<Record<string, readonly Part[]>> = {
  create_project: partsOf('ProjectDraft'),
  update_project: partsOf('ProjectDraft'),
  create_task: partsOf('TaskDraft'),
  update_task: partsOf('TaskDraft'),
  create_team: partsOf('TeamDraft'),
  create_webhook: partsOf('WebhookDraft'),
};

export const isCreate = (op: string): boolean => op.startsWith('create_');

type Shown = Operation & { readonly shape: Exclude<Shape, 'webhook'> };
const showing = (returns: Operation['returns']) =>
  OPERATIONS.filter((op) => op.returns === returns && op.shape !== 'webhook') as readonly Shown[];
export const SINGLES = showing('one');
export const LISTS = showing('list');
/** The operations that show records. */
export const SHOWING = [...SINGLES, ...LISTS];
export const WITH_ID = OPERATIONS.filter(({ path }) => path.includes('{'));
export const WRITES = OPERATIONS.filter(({ method }) => method !== 'GET');

/** The values of an enumeration, by the field that has it. */
export const VALUES: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  [...SHOWN.project, ...SHOWN.task].flatMap(({ name, values }) => (values ? [[name, values]] : [])),
);

const IDS: Readonly<Record<string, string>> = { getMe: 'read_profile', listTaskComments: 'list_comments' };
const ours = (id: string): string =>
  IDS[id] ?? id.replace(/^get/, 'read').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The document's part on each operation. */
const DOCUMENTED: readonly (readonly [op: string, operation: Loose])[] = Object.values(document.paths as Loose)
  .flatMap((methods) => Object.values(methods as Loose))
  .filter((operation: Loose) => operation?.operationId)
  .map((operation: Loose) => [ours(operation.operationId), operation] as const);

/** The values that the parameters of each list's query allow. */
const ofLists = (pick: (parameter: Loose, op: string) => readonly string[]): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    DOCUMENTED.map(([op, { parameters = [] }]) => [op, parameters.flatMap((each: Loose) => pick(resolved(each), op))]).filter(
      ([, all]) => all.length > 0,
    ),
  );
export const FILTERS = ofLists(({ name }) => (name?.startsWith('filter[') ? [name.slice(7, -1)] : []));
/** Fields by which both targets sort; sorting of the lists without filters is open. */
export const SORTS = ofLists(({ name, schema }, op) =>
  name === 'sort' && FILTERS[op] ? schema.enum.filter((sort: string) => !sort.startsWith('-')) : [],
);

/** The refusals that the document has for an operation; a body too large and a fault of the server are left out. */
export const REFUSALS: readonly { readonly op: string; readonly status: number }[] = DOCUMENTED.flatMap(([op, { responses }]) =>
  Object.keys(responses)
    .map(Number)
    .filter((status) => status >= 400 && status !== 413 && status !== 500)
    .map((status) => ({ op, status })),
);

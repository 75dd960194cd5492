// The calls that read, create, change and delete records of any kind: five for each, made of the one table of fields.
import { type Schema, string } from '../../service/contract/schema.ts';
import { FIELDS, NAMES, type RecordName } from '../../service/world/records.ts';
import { RECORD_SHAPES } from './record-shapes.ts';
import { type Kept, type One, oneOf, titleOf } from './record-types.ts';
import { PAGE, type Page } from './shapes.ts';
import type { Stated } from './stated.ts';

export const RECORD_VERBS = ['list', 'get', 'create', 'update', 'delete'] as const;
export type RecordVerb = (typeof RECORD_VERBS)[number];

type Id<V extends RecordVerb, N extends RecordName> = `${V}${Capitalize<One<N>>}Record${V extends 'list' ? 's' : ''}`;
export type RecordCallId = { [N in RecordName]: { [V in RecordVerb]: Id<V, N> }[RecordVerb] }[RecordName];

/** `createTaskRecord`, `listTaskRecords`. */
export const recordCallId = (verb: RecordVerb, name: RecordName): RecordCallId =>
  `${verb}${titleOf(name)}Record${verb === 'list' ? 's' : ''}` as RecordCallId;

type Pair = { [N in RecordName]: { [V in RecordVerb]: readonly [V, N] }[RecordVerb] }[RecordName];
type Shown<V extends RecordVerb, N extends RecordName> = V extends 'list' ? Page<Kept<N>> : Kept<N>;
type RowOf<V extends RecordVerb, N extends RecordName> = V extends 'delete' ? Stated : Stated & { response: Schema<Shown<V, N>> };
type RecordRows = { readonly [P in Pair as Id<P[0], P[1]>]: RowOf<P[0], P[1]> };

const GONE: Readonly<Partial<Record<RecordName, string>>> = {
  projects: 'Also deletes its tasks and their comments.',
  tasks: 'Also deletes its comments.',
  users: 'Refused while another record refers to the user.',
};

const rowsOf = (name: RecordName): Readonly<Record<RecordVerb, Stated>> => {
  const { kept, page, fields } = RECORD_SHAPES[name];
  const [one, errors] = [oneOf(name), [409] as const];
  const asked = ['workspace_id', ...FIELDS[name].map((field) => field.name)];
  return {
    list: {
      call: `GET /data/${name}`,
      summary: `List ${name} as they are stored`,
      description: 'Oldest first; returns records that match every given field. An empty value matches null.',
      query: { ...Object.fromEntries(asked.map((field) => [field, string()])), ...PAGE },
      response: page,
    },
    get: { call: `GET /data/${name}/{id}`, summary: `Read a ${one} as it is stored`, response: kept },
    create: { call: `POST /data/${name}`, summary: `Create a ${one}`, body: fields, status: 201, errors, response: kept },
    update: { call: `PATCH /data/${name}/{id}`, summary: `Change any field of a ${one}`, body: fields, errors, response: kept },
    delete: {
      call: `DELETE /data/${name}/{id}`,
      summary: `Delete a ${one}`,
      ...(GONE[name] ? { description: GONE[name] } : {}),
      errors,
    },
  };
};

export const RECORD_ROWS = Object.fromEntries(
  NAMES.flatMap((name) => Object.entries(rowsOf(name)).map(([verb, row]) => [recordCallId(verb as RecordVerb, name), row])),
) as RecordRows;

// The calls that read, create, change and delete records of any kind: five for each, made of the one table of fields.
import { responseSchema } from '../../service/contract/fields.ts';
import { nullable, object, partial, type Schema, string, time } from '../../service/contract/schema.ts';
import { FIELDS, NAMES, ofEach, type RecordName } from '../../service/world/records.ts';
import { RECORD_FILES } from '../seed/format.ts';
import { componentName, type RecordId, type RecordVerb, recordCallId, type StoredRecord, singularOf } from './record-types.ts';
import { type ListPage, listOf, PAGE } from './shapes.ts';

/** A row of the control table before defaults. */
export interface RowDraft {
  /** Method and path below `/_mock`; `{...}` marks a path variable, `ANY` takes every method. */
  readonly call: `${'GET' | 'POST' | 'PATCH' | 'DELETE' | 'ANY'} /${string}`;
  /** Name of its tool in `wm-mock mcp`, if it is one. */
  readonly tool?: string;
  readonly summary: string;
  readonly description?: string;
  readonly query?: Readonly<Record<string, Schema<unknown>>>;
  readonly body?: Schema<unknown>;
  /** By default 200, or 204 for DELETE. */
  readonly status?: 201;
  readonly response?: Schema<unknown>;
  /** Content type of a response other than JSON. */
  readonly type?: string;
  /** Besides 400, 401 and 403; 404 of `{id}`; 422 of bodies and lists. */
  readonly errors?: readonly (404 | 409)[];
  /** Any content type, any page, no token: for senders of events. */
  readonly open?: boolean;
  /** Changes nothing in its world, so it is not recorded. */
  readonly aside?: boolean;
  /** Needs no token. */
  readonly tokenless?: boolean;
}

const kept = ofEach((name) => {
  const fields = Object.fromEntries(FIELDS[name].map(({ name: field, schema }) => [field, responseSchema(schema)]));
  const used = name === 'keys' ? { last_used_at: nullable(time('When it was last used; null: never.')) } : {};
  return object({ ...fields, workspace_id: string({ description: 'Its workspace.' }), ...used });
});

const workspace_id = string({ description: 'Its workspace; left out: that of what it refers to, or the first.' });

const taken = ofEach((name) => {
  const { properties, ...file } = partial(RECORD_FILES[name] as Schema<object>) as { readonly properties?: object };
  return { ...file, properties: { ...properties, workspace_id } } as Schema<unknown>;
});

/** Schemas of a kind: a stored record, a page, a draft. */
export const RECORD_SHAPES = ofEach((name) => ({
  kept: kept[name],
  page: listOf(kept[name]),
  fields: taken[name],
})) as unknown as {
  readonly [N in RecordName]: Readonly<Record<'page' | 'fields', Schema<unknown>>> & { readonly kept: Schema<StoredRecord<N>> };
};

export const RECORD_COMPONENTS: Readonly<Record<string, Schema<unknown>>> = Object.fromEntries(
  NAMES.flatMap((name) => [
    [componentName(name), kept[name]],
    [`${componentName(name)}Fields`, taken[name]],
  ]),
);

type Pair = { [N in RecordName]: { [V in RecordVerb]: readonly [V, N] }[RecordVerb] }[RecordName];
type RecordResponse<V extends RecordVerb, N extends RecordName> = V extends 'list' ? ListPage<StoredRecord<N>> : StoredRecord<N>;
type RecordRow<V extends RecordVerb, N extends RecordName> = V extends 'delete'
  ? RowDraft
  : RowDraft & { response: Schema<RecordResponse<V, N>> };
type RecordRows = { readonly [P in Pair as RecordId<P[0], P[1]>]: RecordRow<P[0], P[1]> };

const GONE: Readonly<Partial<Record<RecordName, string>>> = {
  projects: 'Also deletes its tasks and their comments.',
  tasks: 'Also deletes its comments.',
  users: 'Refused while another record refers to the user.',
};

const rowsOf = (name: RecordName): Readonly<Record<RecordVerb, RowDraft>> => {
  const { kept, page, fields } = RECORD_SHAPES[name];
  const [one, errors] = [singularOf(name), [409] as const];
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

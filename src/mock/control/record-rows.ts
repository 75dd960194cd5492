// The calls that read, create, change and delete records of any kind: five for each, made of the one table of fields.
import { type Schema, string } from '../../service/contract/schema.ts';
import { FIELDS, NAMES, type RecordName } from '../../service/world/records.ts';
import { RECORD_SHAPES } from './record-shapes.ts';
import { type RecordId, type RecordVerb, recordCallId, type StoredRecord, singularOf } from './record-types.ts';
import { type ListPage, PAGE } from './shapes.ts';

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

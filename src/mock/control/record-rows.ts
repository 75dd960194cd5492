// A row of the control table; those that read, create, change and delete records: five for each kind, made of the table of fields.
import { responseSchema } from '../../service/contract/fields.ts';
import { array, type Is, nullable, object, partial, type Schema, string, time } from '../../service/contract/schema.ts';
import { FIELDS, NAMES, ofEach, type RecordName } from '../../service/world/records.ts';
import { RECORD_FILES } from '../seed/format.ts';
import { componentName, type RecordId, type RecordVerb, recordCallId, type StoredRecord, singularOf } from './record-types.ts';

/** The columns of the control table beside call and summary. */
export interface RowTraits {
  /** Name of its tool in `wm-mock mcp`, if it is one. */
  readonly tool?: string;
  readonly description?: string;
  readonly query?: Readonly<Record<string, Schema<unknown>>>;
  readonly body?: Schema<unknown>;
  /** By default 200, or 204 for DELETE. */
  readonly status?: 200 | 201 | 204;
  readonly response?: Schema<unknown>;
  /** Content type of a response other than JSON. */
  readonly type?: string;
  /** Besides 400, 401 and 403; 404 of `{id}`; 422 of bodies and lists. */
  readonly errors?: readonly (404 | 409 | 422)[];
  /** Any content type, any page, no token: for senders of events. */
  readonly open?: boolean;
  /** Changes nothing in its world, so it is not recorded. */
  readonly aside?: boolean;
  /** Needs no token. */
  readonly tokenless?: boolean;
  /** A button of the dashboard, on a row that requires no input. */
  readonly button?: CallButton;
}

export interface CallButton {
  /** Id of its page: it is in the head, or in the card of that id. */
  readonly page: string;
  readonly card?: string;
  readonly label: string;
  /** Its note when it is done, with fields of the response as `{name}`. */
  readonly says: string;
}

type RowCall = `${'GET' | 'POST' | 'PATCH' | 'DELETE' | 'ANY'} /${string}`;

export interface RowHead<C> extends Required<Pick<RowTraits, 'status' | 'errors'>> {
  readonly call: C;
  readonly summary: string;
  readonly method: string;
  readonly path: string;
}
export type UntaggedRow<C = RowCall, T = RowTraits> = RowHead<C> & Omit<T, 'status' | 'errors'>;

type NoButton = { readonly button?: undefined };
/** A row that requires input has no button. */
type ButtonRule<C, T> = C extends `${string}{${string}`
  ? NoButton
  : T extends { readonly body: infer S }
    ? Record<never, never> extends Is<S>
      ? unknown
      : NoButton
    : unknown;

/** @param call method and path below `/_mock`; `{...}` marks a path variable, `ANY` takes every method */
export const controlCall = <C extends RowCall, const T extends RowTraits = Record<never, never>>(
  call: C,
  summary: string,
  traits: T & ButtonRule<C, T> = {} as T & ButtonRule<C, T>,
): UntaggedRow<C, T> => {
  const [method, path] = call.split(' ') as [string, string];
  const { status = method === 'DELETE' ? 204 : 200, errors = [], body, query = {} }: RowTraits = traits;
  const more = [...(path.includes('{id}') ? [404 as const] : []), ...(body || 'cursor' in query ? [422 as const] : [])];
  return { ...traits, call, summary, method, path, status, errors: [...errors, ...more] };
};

export interface ListPage<T> {
  readonly items: readonly T[];
  readonly next_cursor?: string;
}
export const listOf = <T>(item: Schema<T>): Schema<ListPage<T>> =>
  object(
    { items: array(item) },
    { next_cursor: string({ description: 'Pass it as `cursor` to get the next page; the last page has none.' }) },
  );

export const pageLimit = (description: string) =>
  string({ pattern: '^[1-9][0-9]{0,3}$', 'x-says': 'must be a whole number from 1 to 9999', description });

export const PAGE = {
  limit: pageLimit('How many to return; by default all, up to 16 MB.'),
  cursor: string({ minLength: 1, description: 'The `next_cursor` of the previous page.' }),
};

const responseShapes = ofEach((name) => {
  const fields = Object.fromEntries(FIELDS[name].map(({ name: field, schema }) => [field, responseSchema(schema)]));
  const used = name === 'keys' ? { last_used_at: nullable(time('When it was last used; null: never.')) } : {};
  return object({ ...fields, workspace_id: string({ description: 'Its workspace.' }), ...used });
});

const workspace_id = string({ description: 'Its workspace; left out: that of what it refers to, or the first.' });

const draftShapes = ofEach((name) => {
  const { properties, ...file } = partial(RECORD_FILES[name] as Schema<object>) as { readonly properties?: object };
  return { ...file, properties: { ...properties, workspace_id } } as Schema<unknown>;
});

export const RECORD_COMPONENTS: Readonly<Record<string, Schema<unknown>>> = Object.fromEntries(
  NAMES.flatMap((name) => [
    [componentName(name), responseShapes[name]],
    [`${componentName(name)}Fields`, draftShapes[name]],
  ]),
);

type Pair = { [N in RecordName]: { [V in RecordVerb]: readonly [V, N] }[RecordVerb] }[RecordName];
type RecordResponse<V extends RecordVerb, N extends RecordName> = V extends 'list' ? ListPage<StoredRecord<N>> : StoredRecord<N>;
type RecordRow<V extends RecordVerb, N extends RecordName> = V extends 'delete'
  ? UntaggedRow
  : UntaggedRow & { response: Schema<RecordResponse<V, N>> };
type RecordRows = { readonly [P in Pair as RecordId<P[0], P[1]>]: RecordRow<P[0], P[1]> };

const GONE: Readonly<Partial<Record<RecordName, string>>> = {
  projects: 'Also deletes its tasks and their comments.',
  tasks: 'Also deletes its comments.',
  users: 'Refused while another record refers to the user.',
};

const rowsOf = (name: RecordName): Readonly<Record<RecordVerb, UntaggedRow>> => {
  const [one, response, body, errors] = [singularOf(name), responseShapes[name], draftShapes[name], [409] as const];
  const filters = ['workspace_id', ...FIELDS[name].map((field) => field.name)];
  return {
    list: controlCall(`GET /data/${name}`, `List ${name} as they are stored`, {
      description: 'Oldest first; returns records that match every given field. An empty value matches null.',
      query: { ...Object.fromEntries(filters.map((field) => [field, string()])), ...PAGE },
      response: listOf(response),
    }),
    get: controlCall(`GET /data/${name}/{id}`, `Read a ${one} as it is stored`, { response }),
    create: controlCall(`POST /data/${name}`, `Create a ${one}`, { body, status: 201, errors, response }),
    update: controlCall(`PATCH /data/${name}/{id}`, `Change any field of a ${one}`, { body, errors, response }),
    delete: controlCall(`DELETE /data/${name}/{id}`, `Delete a ${one}`, {
      ...(GONE[name] ? { description: GONE[name] } : {}),
      errors,
    }),
  };
};

export const RECORD_ROWS = Object.fromEntries(
  NAMES.flatMap((name) => Object.entries(rowsOf(name)).map(([verb, row]) => [recordCallId(verb as RecordVerb, name), row])),
) as unknown as RecordRows;

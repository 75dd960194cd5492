// A collection as the data page shows it, what its forms send, and the records that a field can choose from.
import type { Child } from 'hono/jsx';
import { Problem } from '../../service/contract/errors.ts';
import { OPERATION_IDS, type OperationId } from '../../service/contract/operations.ts';
import type { RecordName, Records } from '../../service/world/world.ts';
import type { Context } from '../context.ts';
import type { FieldRow, SelectOptions } from '../fields.tsx';
import { addUtcZone, shownTime, TIME_INPUT } from '../form.ts';

export interface RecordField extends FieldRow {
  /** Value of a new record; absent: none. */
  readonly start?: string | readonly string[];
  /** Fixed once the record is created. */
  readonly once?: boolean;
  /** A record always has it: emptied, it is sent empty, and the service refuses it. */
  readonly needed?: boolean;
  /** Numbers and booleans are sent as such, not as text. */
  readonly json?: boolean;
  readonly listed?: boolean;
  /** Emptied, a new record holds null, not the default. */
  readonly nullable?: boolean;
}

export interface RecordColumn<N extends RecordName = RecordName> {
  readonly label: string;
  /** The field that the list can be sorted by, if it can. */
  readonly sort: string;
  readonly number?: boolean;
  readonly cell: (record: Records[N], context: Context) => Child;
}

type TypedItem = string | number | boolean;
/** Values of a form: texts, numbers, lists of what was chosen, null for what was emptied. */
export type Typed = Readonly<Record<string, TypedItem | readonly TypedItem[] | null>>;

export interface CollectionTab<N extends RecordName = RecordName> {
  readonly name: N;
  readonly says: string;
  /** Advice where there are no records, and a path and body that make one. */
  readonly empty: { readonly says?: string; readonly post: readonly [path: string, body: string] };
  /** The list of the service whose filters and sorts it has. */
  readonly operation: OperationId;
  /** Shows records that this list leaves out, narrowed by these fields where the address names them. */
  readonly narrowedBy?: readonly string[];
  readonly columns: readonly RecordColumn<N>[];
  /** Second line of a record's heading. */
  readonly under?: (record: Records[N], context: Context) => Child;
  readonly fields: (context: Context) => readonly RecordField[];
  /** Part of an open row after its form. */
  readonly more?: (record: Records[N], context: Context) => Child;
  readonly create: {
    readonly label: string;
    readonly done?: string;
    readonly run: (context: Context, typed: Typed) => Promise<{ readonly id: string }>;
  };
  readonly remove?: {
    readonly says: string;
    readonly done?: string;
    readonly run: (context: Context, id: string) => Promise<unknown>;
  };
}

/** The operation that changes a record of this collection; undefined where the release of the world has none. */
export const findPatch = (name: RecordName, { world }: Context): OperationId | undefined =>
  OPERATION_IDS.find((id) => {
    const { method, path } = world.terms.contract.operations[id] ?? {};
    return method === 'PATCH' && path?.replace(/\{\w+\}$/, '') === `/${name}/`;
  });

/** The fields of a record that exists; none where nothing changes it. */
export const listEditableFields = ({ name, fields }: CollectionTab, context: Context): readonly RecordField[] =>
  findPatch(name, context) ? fields(context).filter(({ once }) => !once) : [];

const JSONS = /^(true|false|-?(0|[1-9]\d*)(\.\d+)?)$/;

/** Reads a form into a body: emptied fields are left out of a new record and null in an old one. */
export const readTyped = (
  form: URLSearchParams,
  fields: readonly RecordField[],
  record?: Readonly<Record<string, unknown>>,
): Typed => {
  const typed: Record<string, Typed[string]> = {};
  for (const { name, start, multiple, listed, needed, json, nullable, type } of fields) {
    const read = (text: string): TypedItem => (json && JSONS.test(text) ? JSON.parse(text) : text);
    if (multiple || listed) {
      const lines = form.getAll(name).flatMap((value) => value.split(/\r?\n/));
      const items = lines.map((line) => line.trim()).filter((line) => line !== '');
      const before = [(record ? record[name] : start) ?? []].flat().map(String);
      if (items.length === before.length && items.every((item, i) => item === before[i])) continue;
      typed[name] = items.length === 0 && nullable ? null : items.map(read);
      continue;
    }
    const value = (form.get(name) ?? '').replaceAll('\r\n', '\n');
    if (record && value === shownTime(type, String(record[name] ?? ''))) continue;
    if (value !== '') typed[name] = type === TIME_INPUT.type ? addUtcZone(value) : read(value);
    else if (needed) typed[name] = '';
    else if (record || (nullable && form.has(name))) typed[name] = null;
  }
  return typed;
};

/** Refuses emptied fields that a record always has. @throws Problem 422 naming each */
export const requireFields = (fields: readonly Pick<RecordField, 'name' | 'needed'>[], typed: Typed): void => {
  const empty = fields.filter(({ name, needed }) => needed && (typed[name] ?? '') === '');
  const issue = 'must not be empty';
  if (empty.length === 0) return;
  const says = `${empty.map(({ name }) => name).join(', ')} ${issue}.`;
  throw new Problem(422, 'validation_error', says, { fields: empty.map(({ name }) => ({ field: name, issue })) });
};

/** Turns a 404 into an issue of the field that named the missing record. */
export const blameField = async <T>(field: string, issue: string, run: () => T | Promise<T>): Promise<T> => {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 404) throw error;
    throw new Problem(422, 'validation_error', `${field} ${issue}.`, { fields: [{ field, issue }] });
  }
};

/** The order of lists that have no other. */
export const NEWEST_FIRST = { equal: [], by: 'created_at', descending: true, nulls: 'last' } as const;

const MAX_OFFERED = 200;

/** Records that have a name to choose them by. */
export type NamedCollection = 'users' | 'projects' | 'teams';

/** The members, projects or teams of a workspace to choose from; undefined when there are too many. */
export const listOffered = ({ world, workspace }: Context, name: NamedCollection): SelectOptions | undefined => {
  const list = world.store[name].list({ ...NEWEST_FIRST, by: 'name', descending: false }, workspace.id, []);
  if (list.total > MAX_OFFERED) return undefined;
  return list.rows(0, MAX_OFFERED).map(({ value }) => [value.id, shorten(value.name, 40)] as const);
};

/** Cuts a text to a number of characters at which a row stays a row. */
export const shorten = (text: string, limit = 72): string => {
  const start = text.slice(0, limit * 2 + 1);
  const characters = [...start];
  if (start.trim() === '') return '(blank)';
  return characters.length > limit ? `${characters.slice(0, limit - 1).join('')}…` : start;
};

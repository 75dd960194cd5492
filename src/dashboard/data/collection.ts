// A collection as the data page shows it: its columns, filters and fields, and the calls that change its records.
import type { Child } from 'hono/jsx';
import { Problem } from '../../service/contract/errors.ts';
import { type OperationId, operation } from '../../service/contract/operations.ts';
import { listPage, type PageOf } from '../../service/lists/page.ts';
import { listName, readList } from '../../service/lists/query.ts';
import type { RecordName, Records } from '../../service/world/world.ts';
import type { Context } from '../context.ts';
import type { FieldRow, SelectOptions } from '../fields.tsx';
import type { Done } from '../notes.ts';

/** A field of the forms that create and edit a record. */
export interface RecordField extends FieldRow {
  /** What it holds before anybody types; absent: the record's field of this name, or nothing. */
  readonly start?: string | readonly string[];
  /** Asked for when a record is created, and fixed from then on. */
  readonly once?: boolean;
  /** A record always has it: emptied, it is sent empty, and the service says so. */
  readonly needed?: boolean;
  /** A number, true or false is meant, not the text of it. */
  readonly json?: boolean;
  /** A list, of which an item is typed a line. */
  readonly listed?: boolean;
  /** Emptied, a new record holds null in it, and not what new records start with. */
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
/** What was typed: texts, numbers, lists of what was chosen, null for what was emptied. */
export type Typed = Readonly<Record<string, TypedItem | readonly TypedItem[] | null>>;

export interface CollectionTab<N extends RecordName = RecordName> {
  readonly name: N;
  readonly says: string;
  /** What to do when there is nothing, and what to send. */
  readonly empty: { readonly says?: string; readonly curl: (context: Context) => string };
  /** The list of the service whose filters and sorts it has. */
  readonly operation: OperationId;
  /** The first heads its row. */
  readonly columns: readonly RecordColumn<N>[];
  /** Where it shows other records than that list. */
  readonly list?: (context: Context, query: Readonly<Record<string, string>>) => PageOf<unknown>;
  /** What stands under a record's heading. */
  readonly under?: (record: Records[N], context: Context) => Child;
  /** The fields of its forms. */
  readonly fields: (context: Context) => readonly RecordField[];
  /** What stands beside the form of an open row. */
  readonly more?: (record: Records[N], context: Context) => Child;
  readonly create: { readonly label: string; readonly run: (context: Context, typed: Typed) => Promise<Done> | Done };
  readonly update?: (context: Context, record: Records[N], typed: Typed) => Promise<Done> | Done;
  readonly remove?: { readonly says: string; readonly run: (context: Context, record: Records[N]) => Promise<Done> | Done };
}

/** The fields of a record that is there already; none where nothing changes it. */
export const listEditableFields = ({ update, fields }: CollectionTab, context: Context): readonly RecordField[] =>
  update ? fields(context).filter(({ once }) => !once) : [];

const JSONS = /^(true|false|-?(0|[1-9]\d*)(\.\d+)?)$/;

/** What a list becomes; undefined when it stays what it is. */
const readListField = (
  form: URLSearchParams,
  { name, nullable, start }: RecordField,
  read: (text: string) => TypedItem,
  before?: LooseRecord,
) => {
  const items = form.getAll(name).flatMap((value) => value.split(/\r?\n/));
  const given = items.map((item) => item.trim()).filter((item) => item !== '');
  const held = [(before ? before[name] : start) ?? []].flat().map(String);
  if (given.length === held.length && given.every((one, i) => one === held[i])) return undefined;
  return given.length === 0 && nullable ? null : given.map(read);
};

type LooseRecord = Readonly<Record<string, unknown>>;

/** Reads a form into what it is about: emptied fields are left out of a new record and null in an old one. */
export const readTyped = (form: URLSearchParams, fields: readonly RecordField[], record?: LooseRecord): Typed => {
  const typed: Record<string, Typed[string]> = {};
  for (const field of fields) {
    const { name, multiple, listed, needed, json, nullable } = field;
    const read = (text: string): TypedItem => (json && JSONS.test(text) ? JSON.parse(text) : text);
    if (multiple || listed) {
      const list = readListField(form, field, read, record);
      if (list !== undefined) typed[name] = list;
      continue;
    }
    const value = (form.get(name) ?? '').replaceAll('\r\n', '\n');
    if (record && value === String(record[name] ?? '')) continue;
    if (value !== '') typed[name] = read(value);
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

/** A line of shell that sends a record to the service. */
export const curlToCreate =
  (path: string, body: string) =>
  ({ baseUrl }: Context): string =>
    `curl -X POST "${baseUrl}${path}" -H "Authorization: Bearer <key>" -H "Content-Type: application/json" -d '${body}'`;

/** Records in the way of a list of the service that shows fewer of them. @param equal what they must hold @param most in place of the page's limit */
export const listInWorkspace = (
  context: Context,
  name: RecordName,
  operationId: OperationId,
  query: Readonly<Record<string, string>>,
  equal: Readonly<Record<string, string>> = {},
  most?: number,
): PageOf<unknown> => {
  const view = context.viewOf(context.workspace.id);
  const kept = listName(context.workspace.id, `dashboard ${name}`, Object.values(equal)[0]);
  const read = readList(operation(operationId), kept, Object.entries(query), view.terms);
  return listPage(view, name, (record) => record, { ...read, limit: most ?? read.limit }, equal);
};

/** Shows at a field that what it names is not there. */
export const blameField = async <T>(field: string, issue: string, run: () => T | Promise<T>): Promise<T> => {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 404) throw error;
    throw new Problem(422, 'validation_error', `${field} ${issue}.`, { fields: [{ field, issue }] });
  }
};

/** What operations of the service do to a record, and what is said of it. @param parent the field that names what it is created in, and what that must be */
export const creating =
  (operation: OperationId, [parent = '', must = '']: readonly string[] = []) =>
  (context: Context, { [parent]: variable = '', ...body }: Typed) =>
    blameField(parent, must, async () => {
      const { data } = (await context.perform(operation, { variable: String(variable), body })) as {
        readonly data: { readonly id: string };
      };
      return { says: `${data.id} is created.` };
    });
export const updating =
  (operation: OperationId) =>
  async (context: Context, { id }: { readonly id: string }, body: Typed) => {
    await context.perform(operation, { variable: id, body });
    return { says: `${id} is updated.` };
  };
export const deleting =
  (operation: OperationId, besides = '') =>
  async (context: Context, { id }: { readonly id: string }) => {
    await context.perform(operation, { variable: id });
    return { says: `${id} is deleted${besides}.` };
  };

/** The order of lists that have no other. */
export const NEWEST_FIRST = { equal: [], by: 'created_at', descending: true, nulls: 'last' } as const;

/** So many records are offered in a select; beyond that an id is typed. */
const MAX_OFFERED = 200;

/** Records that have a name to choose them by. */
export type NamedCollection = 'users' | 'projects' | 'teams';

/** The members, projects or teams of a workspace to choose from; undefined when there are too many. */
export const listOffered = ({ world, workspace }: Context, name: NamedCollection): SelectOptions | undefined => {
  const list = world.store[name].list({ ...NEWEST_FIRST, by: 'name', descending: false }, workspace.id, []);
  if (list.total > MAX_OFFERED) return undefined;
  return list.rows(0, MAX_OFFERED).map(({ value }) => [value.id, shorten(value.name, 40)] as const);
};

/** A text cut to a length at which a row stays a row. */
export const shorten = (text: string, most = 72): string => {
  const characters = text.slice(0, most * 2 + 1);
  const points = [...characters];
  return points.length > most ? `${points.slice(0, most - 1).join('')}…` : characters;
};

// How the data page shows a field by default: its label, its column, its place in the forms.
import type { Child } from 'hono/jsx';
import type { Referred } from '../../service/contract/fields.ts';
import { operation } from '../../service/contract/operations.ts';
import { FIELDS, type RecordName, type Records } from '../../service/world/records.ts';
import type { Context } from '../context.ts';
import { type FieldRow, offerAny, type SelectOptions } from '../fields.tsx';
import { TIME_INPUT } from '../form.ts';
import { Muted, RelativeTime } from '../parts.tsx';
import { Person, WordChip, WordSelect } from './cells.tsx';
import {
  type CollectionTab,
  findPatch,
  listOffered,
  type NamedCollection,
  type RecordColumn,
  type RecordField,
  shorten,
} from './collection.ts';

type FieldNames<N extends RecordName> = readonly (keyof Records[N] & string)[];
type FieldOverrides<N extends RecordName, T> = { readonly [F in keyof Records[N]]?: Partial<T> };

interface SchemaRules {
  readonly type?: string | readonly string[];
  readonly enum?: readonly (string | null)[];
  readonly format?: string;
  readonly maxLength?: number;
}

/** A field with the rules of its schema; a list with those of an item. */
const findField = (kind: RecordName, name: string) => {
  const field = FIELDS[kind].find((one) => one.name === name)!;
  const { type, items, ...rules } = field.schema as SchemaRules & { readonly items?: SchemaRules };
  const of = items ? { enum: items.enum, format: items.format, itemType: [items.type].flat()[0] } : {};
  return { ...field, ...rules, ...of, type: [type].flat()[0]!, nullable: [type].flat().includes('null') };
};
type KnownField = ReturnType<typeof findField>;

/** `assignee_id` → `Assignee`, `member_ids` → `Members`. */
export const labelOf = (name: string): string => {
  const bare = name.replace(/_ids$/, 's').replace(/_(id|at|date)$/, '');
  return bare.charAt(0).toUpperCase() + bare.slice(1).replaceAll('_', ' ');
};

export const renderCell = ({ name, refers, type, format, ...field }: KnownField, value: unknown, context: Context): Child => {
  if (name === 'id') return <span class="mono muted">{shorten(String(value), 30)}</span>;
  if (refers === 'users' && type !== 'array') return <Person id={value as string | null} context={context} />;
  if (value === null) return <Muted>none</Muted>;
  if (Array.isArray(value)) return value.length;
  if (format === 'date-time') return <RelativeTime at={String(value)} context={context} />;
  return field.enum ? <WordChip word={String(value)} /> : shorten(String(value));
};

/**
 * The columns of a collection, each with what the page says of it itself. A field that has no place in the order, and is not
 * shown elsewhere, comes before the times.
 */
export const makeColumns = <N extends RecordName>(
  kind: N,
  order: FieldNames<N>,
  elsewhere: FieldNames<N>,
  own: FieldOverrides<N, RecordColumn<N>> = {},
): readonly RecordColumn<N>[] => {
  const placed: readonly string[] = [...order, ...elsewhere];
  const others = FIELDS[kind].map(({ name }) => name).filter((name) => !placed.includes(name));
  const times = order.indexOf('created_at');
  return [...order.slice(0, times), ...others, ...order.slice(times)].map((name) => {
    const field = findField(kind, name);
    return {
      label: labelOf(name),
      sort: name,
      ...(['integer', 'number', 'array'].includes(field.type) ? { number: true } : {}),
      cell: (record, context) => renderCell(field, record[name as keyof Records[N]], context),
      ...own[name as keyof Records[N]],
    };
  });
};

/** A cell whose word is changed in its place, where the release of the world can. */
export const selectCell =
  <N extends RecordName>(kind: N, name: keyof Records[N] & string): RecordColumn<N>['cell'] =>
  (record, context) => {
    const field = findField(kind, name);
    const word = String(record[name]);
    const { unknownIn } = context.world.terms.contract;
    if (!field.enum?.includes(word) || !findPatch(kind, context) || unknownIn[kind].has(name))
      return renderCell(field, record[name], context);
    return <WordSelect field={name} word={word} label={labelOf(name)} />;
  };

const ONES = { users: 'member', projects: 'project', tasks: 'task', teams: 'team', comments: 'comment' };

const isOffered = (refers: Referred): refers is NamedCollection => refers !== 'tasks' && refers !== 'comments';

const choicesOf = ({ type, refers, ...field }: KnownField, context: Context): SelectOptions | undefined => {
  if (refers) return isOffered(refers) ? listOffered(context, refers) : undefined;
  return type === 'boolean' ? ['true', 'false'] : field.enum?.filter((value) => value !== null);
};

const canBeNone = ({ kind, nullable }: KnownField): boolean => kind === 'optional' || nullable;

const listFieldOptions = (field: KnownField, context: Context): SelectOptions | undefined => {
  const options = choicesOf(field, context);
  const open = canBeNone(field) && field.type !== 'array';
  return options && open ? [['', field.refers === 'users' ? 'no one' : 'none'], ...options] : options;
};

/** The filters of a list in the contract: each a select, or an id to type where there are too many options. */
export const makeFilters = ({ name, operation: id }: CollectionTab, context: Context): readonly FieldRow[] =>
  Object.keys(operation(id).list!.filters).map((filter) => {
    const options = choicesOf(findField(name, filter), context);
    const input = options?.length ? { options: offerAny(options) } : { placeholder: 'any: type an id' };
    return { name: `filter[${filter}]`, label: labelOf(filter), ...input };
  });

const hintOf = (field: KnownField, offered: boolean): string | undefined => {
  const { type, refers, format } = field;
  if (type === 'array' && offered) return 'As many as you like: hold Ctrl or Cmd.';
  if (type === 'array') return refers ? `Ids of ${refers}, one a line.` : 'One a line.';
  if (format === 'date-time') return canBeNone(field) ? 'In UTC; empty: none.' : 'In UTC.';
  return refers && !offered ? `The id of a ${ONES[refers]}.` : undefined;
};

const TYPED: Readonly<Record<string, Partial<RecordField>>> = {
  integer: { type: 'number', json: true },
  number: { type: 'number', step: 'any', json: true },
  boolean: { json: true },
};

export const makeInput = (field: KnownField, context: Context): RecordField => {
  const { name, kind, start, type, format, itemType = '', maxLength = 0 } = field;
  const options = listFieldOptions(field, context);
  const hint = hintOf(field, options !== undefined);
  const isList = type === 'array';
  const many = isList && TYPED[itemType]?.json ? { json: true } : {};
  const initial = [start ?? []].flat().map(String);
  return {
    name,
    label: labelOf(name),
    ...(kind === 'required' && !isList ? { needed: true } : {}),
    ...(field.nullable && (isList || initial.length > 0) ? { nullable: true } : {}),
    ...(options ? { options } : {}),
    ...(isList ? (options ? { multiple: true } : { listed: true, lines: 3 }) : {}),
    ...(hint ? { hint } : {}),
    ...(initial.length > 0 ? { start: isList ? initial : initial[0]! } : {}),
    ...(isList ? many : TYPED[type]),
    ...(format === 'date-time' ? TIME_INPUT : {}),
    ...(maxLength > 200 ? { width: 'wide' } : {}),
    ...(maxLength > 255 ? { lines: 3 } : {}),
  };
};

/** The fields of a form at the release of the world, ordered ones first; none for a list with too many options to choose from. */
export const makeInputs = <N extends RecordName>(
  kind: N,
  context: Context,
  order: FieldNames<N>,
  own: FieldOverrides<N, RecordField> = {},
) => {
  const later = context.world.terms.contract.unknownIn[kind];
  const sent = FIELDS[kind].flatMap((field) => (field.kind === 'server' ? [] : [field.name]));
  const known = [...new Set<string>([...order, ...sent])].filter((name) => !later.has(name));
  return known.flatMap((name): RecordField[] => {
    const field = findField(kind, name);
    const input = { ...makeInput(field, context), ...own[name as keyof Records[N]] };
    return input.listed && field.refers && isOffered(field.refers) ? [] : [input];
  });
};

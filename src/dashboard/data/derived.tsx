// What the data page makes of a field by itself: its label, its column, its place in the forms.
import type { Child } from 'hono/jsx';
import { operation } from '../../contract/operations.ts';
import { FIELDS, type RecordName, type Records } from '../../world/records.ts';
import type { Context } from '../context.ts';
import { anyOf, type FieldRow, type Options } from '../fields.tsx';
import { Muted, Time } from '../parts.tsx';
import { Person, Word } from './cells.tsx';
import { type Collection, type ColumnOf, type FieldOf, offered, short } from './collection.ts';

type Names<N extends RecordName> = readonly (keyof Records[N] & string)[];
type Own<N extends RecordName, T> = { readonly [F in keyof Records[N]]?: Partial<T> };

/** A field with what its schema says of it. */
const fieldOf = (kind: RecordName, name: string) => {
  const field = FIELDS[kind].find((one) => one.name === name)!;
  const { type, ...rules } = field.schema as { type: string | [string]; enum?: string[]; format?: string; maxLength?: number };
  return { ...field, ...rules, type: [type].flat()[0]! };
};
type Known = ReturnType<typeof fieldOf>;

/** `assignee_id` → `Assignee`, `member_ids` → `Members`. */
const labelOf = (name: string): string => {
  const bare = name.replace(/_ids$/, 's').replace(/_(id|at|date)$/, '');
  return bare.charAt(0).toUpperCase() + bare.slice(1).replaceAll('_', ' ');
};

/** A field as a cell shows it. */
export const cellOf = ({ name, refers, type, format, ...field }: Known, value: unknown, context: Context): Child => {
  if (name === 'id') return <span class="mono muted">{short(String(value), 30)}</span>;
  if (refers === 'users' && type !== 'array') return <Person id={value as string | null} context={context} />;
  if (value === null) return <Muted>none</Muted>;
  if (Array.isArray(value)) return value.length;
  if (format === 'date-time') return <Time at={String(value)} context={context} />;
  return field.enum ? <Word word={String(value)} /> : short(String(value));
};

/**
 * The columns of a collection, each with what the page says of it itself. A field that has no place in the order, and is not
 * shown elsewhere, comes before the times.
 */
export const columnsOf = <N extends RecordName>(
  kind: N,
  order: Names<N>,
  elsewhere: Names<N>,
  own: Own<N, ColumnOf<N>> = {},
): readonly ColumnOf<N>[] => {
  const placed: readonly string[] = [...order, ...elsewhere];
  const others = FIELDS[kind].map(({ name }) => name).filter((name) => !placed.includes(name));
  const times = order.indexOf('created_at');
  return [...order.slice(0, times), ...others, ...order.slice(times)].map((name) => {
    const field = fieldOf(kind, name);
    return {
      label: labelOf(name),
      sort: name,
      ...(field.type === 'integer' || field.type === 'array' ? { number: true } : {}),
      cell: (record, context) => cellOf(field, record[name as keyof Records[N]], context),
      ...own[name as keyof Records[N]],
    };
  });
};

const ONES = { users: 'member', projects: 'project', tasks: 'task' };

/** What a field may hold, where that can be offered. */
const choicesOf = ({ type, refers, ...field }: Known, context: Context): Options | undefined =>
  refers === 'tasks'
    ? undefined
    : refers
      ? offered(context, refers)
      : type === 'boolean'
        ? ['true', 'false']
        : field.enum?.filter(Boolean);

const optionsOf = (field: Known, context: Context): Options | undefined => {
  const options = choicesOf(field, context);
  const open = field.kind === 'optional' && field.type !== 'array';
  return options && open ? [['', field.refers ? 'nobody' : 'none'], ...options] : options;
};

/** The filters of a list, as its row in the contract has them: each a select, or an id to type where there are too many. */
export const filtersOf = ({ name, operation: id }: Collection, context: Context): readonly FieldRow[] =>
  Object.keys(operation(id).list!.filters).map((filter) => {
    const options = choicesOf(fieldOf(name, filter), context);
    const input = options?.length ? { options: anyOf(options) } : { placeholder: 'any: type an id' };
    return { name: `filter[${filter}]`, label: labelOf(filter), ...input };
  });

const hintOf = ({ type, refers, format }: Known, offered: boolean): string | undefined => {
  if (format === 'date-time') return 'With its time zone; empty: none.';
  if (refers && !offered) return `The id of a ${ONES[refers]}.`;
  return type === 'array' ? 'As many as you like: hold Ctrl or Cmd.' : undefined;
};

/** A field as a form asks for it. */
export const inputOf = (field: Known, context: Context): FieldOf => {
  const { name, kind, start, type, format, maxLength = 0 } = field;
  const options = optionsOf(field, context);
  const hint = hintOf(field, options !== undefined);
  return {
    name,
    label: labelOf(name),
    ...(kind === 'required' ? { needed: true } : {}),
    ...(options ? { options } : {}),
    ...(type === 'array' ? { multiple: true } : {}),
    ...(hint ? { hint } : {}),
    ...(typeof start === 'string' ? { start } : {}),
    ...(type === 'integer' ? { type: 'number', json: true } : type === 'boolean' ? { json: true } : {}),
    ...(format === 'date-time' ? { placeholder: '2025-02-01T17:00:00Z' } : {}),
    ...(maxLength > 200 ? { wide: true } : {}),
    ...(maxLength > 255 ? { lines: 3 } : {}),
  };
};

/** The fields of a form, those first that have a place in its order. Nobody is asked to type a list of ids. */
export const inputsOf = <N extends RecordName>(kind: N, context: Context, order: Names<N>, own: Own<N, FieldOf> = {}) => {
  const sent = FIELDS[kind].flatMap((field) => (field.kind === 'server' ? [] : [field.name]));
  return [...new Set<string>([...order, ...sent])]
    .map((name): FieldOf => ({ ...inputOf(fieldOf(kind, name), context), ...own[name as keyof Records[N]] }))
    .filter(({ multiple, options }) => !multiple || options);
};

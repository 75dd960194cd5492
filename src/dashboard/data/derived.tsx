// What the data page makes of a field by itself: its label, its column, its place in the forms.
import type { Child } from 'hono/jsx';
import type { Field } from '../../contract/fields.ts';
import { FIELDS, type RecordName, type Records } from '../../world/records.ts';
import type { Context } from '../context.ts';
import { Time } from '../parts.tsx';
import { Person, Word } from './cells.tsx';
import { type Column, type FieldOf, type Options, people, projectsOf, short } from './collection.ts';

interface Named extends Field {
  readonly name: string;
}
interface Rules {
  readonly type?: string | readonly string[];
  readonly enum?: readonly (string | null)[];
  readonly format?: string;
  readonly maxLength?: number;
}
const rulesOf = ({ schema }: Field) => schema as Rules;
const typeOf = (field: Field): string => [rulesOf(field).type ?? 'string'].flat()[0]!;

/** `assignee_id` → `Assignee`, `member_ids` → `Members`. */
const labelOf = (name: string): string => {
  const words = name
    .replace(/_ids$/, 's')
    .replace(/_(id|at|date)$/, '')
    .replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

const cellOf = (field: Named, value: unknown, context: Context): Child => {
  if (field.name === 'id') return <span class="mono muted">{short(String(value), 30)}</span>;
  if (field.refers === 'users' && typeOf(field) !== 'array') return <Person id={value as string | null} context={context} />;
  if (value === null || value === undefined) return <span class="muted">none</span>;
  if (Array.isArray(value)) return value.length;
  if (rulesOf(field).format === 'date-time') return <Time at={String(value)} context={context} />;
  return rulesOf(field).enum ? <Word word={String(value)} /> : short(String(value));
};

const columnOf = <N extends RecordName>(field: Named): Column<N> => ({
  label: labelOf(field.name),
  sort: field.name,
  ...(['integer', 'array'].includes(typeOf(field)) ? { number: true } : {}),
  cell: (record, context) => cellOf(field, (record as Readonly<Record<string, unknown>>)[field.name], context),
});

/**
 * The columns of a collection: those that are laid out, in their order, and before the times one for each other field that is
 * not shown elsewhere.
 */
export const columnsOf = <N extends RecordName>(
  name: N,
  layout: Readonly<Partial<Record<keyof Records[N] & string, Partial<Column<N>>>>>,
  elsewhere: readonly (keyof Records[N] & string)[],
): readonly Column<N>[] => {
  const fields = new Map<string, Named>(FIELDS[name].map((field) => [field.name, field]));
  const stated = Object.keys(layout);
  const others = [...fields.keys()].filter((field) => ![...stated, ...elsewhere].includes(field));
  const times = stated.indexOf('created_at');
  return [...stated.slice(0, times), ...others, ...stated.slice(times)].map((field) => ({
    ...columnOf<N>(fields.get(field)!),
    ...(layout as Record<string, Partial<Column<N>>>)[field],
  }));
};

const OF_IDS = { users: people, projects: projectsOf, tasks: () => undefined } as const;
const ONES = { users: 'member', projects: 'project', tasks: 'task' } as const;

/** What is chosen from, or why nothing is. */
const choiceOf = (field: Field, context: Context): Partial<FieldOf> => {
  const { refers, kind } = field;
  const multiple = typeOf(field) === 'array';
  if (refers) {
    const options: Options | undefined = OF_IDS[refers](context);
    if (!options) return { hint: `The id of a ${ONES[refers]}.` };
    if (multiple) return { options, multiple, hint: 'As many as you like: hold Ctrl or Cmd.' };
    return { options: kind === 'optional' ? [['', 'nobody'], ...options] : options };
  }
  const values = typeOf(field) === 'boolean' ? ['true', 'false'] : rulesOf(field).enum?.filter((value) => value !== null);
  return values ? { options: kind === 'optional' ? ['', ...values] : values } : {};
};

/** A field as a form asks for it. */
const inputOf = (field: Named, context: Context): FieldOf => {
  const { name, kind, start } = field;
  const { format, maxLength = 0 } = rulesOf(field);
  return {
    name,
    label: labelOf(name),
    ...(kind === 'required' ? { needed: true } : {}),
    ...choiceOf(field, context),
    ...(typeof start === 'string' ? { start } : {}),
    ...(typeOf(field) === 'integer' ? { type: 'number' } : {}),
    ...(['integer', 'boolean'].includes(typeOf(field)) ? { json: true } : {}),
    ...(format === 'date-time' ? { placeholder: '2025-02-01T17:00:00Z', hint: 'With its time zone; empty: none.' } : {}),
    ...(maxLength > 200 ? { wide: true } : {}),
    ...(maxLength > 255 ? { lines: 3 } : {}),
  };
};

/** Whether the members are too many to choose several of them: nobody types a list of ids. */
const isAskable = (field: Field, { options }: FieldOf): boolean => typeOf(field) !== 'array' || options !== undefined;

/** The fields of a form: those that are laid out, in their order, then those that clients send besides. */
export const inputsOf = <N extends RecordName>(
  name: N,
  context: Context,
  layout: Readonly<Partial<Record<keyof Records[N] & string, Partial<FieldOf>>>>,
): readonly FieldOf[] => {
  const stated = Object.keys(layout);
  const order = (field: Named) => (stated.indexOf(field.name) + 1 || Number.POSITIVE_INFINITY) as number;
  const sent = (field: Named) => stated.includes(field.name) || ['required', 'optional', 'preset'].includes(field.kind);
  return FIELDS[name]
    .filter(sent)
    .sort((a, b) => order(a) - order(b) || 0)
    .map((field) => ({ field, input: { ...inputOf(field, context), ...(layout as Record<string, object>)[field.name] } }))
    .flatMap(({ field, input }) => (isAskable(field, input) ? [input] : []));
};

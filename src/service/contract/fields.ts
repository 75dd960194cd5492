// What a field of a resource is: who says what it holds, and where it is shown. All that is done with a field follows from that.
import { type Keywords, nullable, object, open, partial, type Schema } from './schema.ts';

/**
 * `server`: the service says it. `required`: whoever creates the record says it. `optional`: null until somebody says it, and null
 * again when it is cleared. `preset`: it holds something from the start. `derived`: no record holds it, responses work it out.
 */
export type FieldKind = 'server' | 'required' | 'optional' | 'preset' | 'derived';

/** The collections whose records others may name. */
export type Referred = 'users' | 'projects' | 'tasks' | 'teams' | 'comments';

interface More {
  /** The collection whose ids it holds. When one of those is deleted, what names it is cleared: users that are named stay. */
  readonly refers?: Referred;
  /** The record stands within the one that it names, and is deleted with it. */
  readonly within?: true;
  /** How the schema of what a client sends differs. */
  readonly sent?: Keywords;
  /** Its description in seed files, where it differs. */
  readonly inSeeds?: string;
}

/** What cannot be cleared either names nobody who can be deleted, or goes with what it names. */
type MoreOf<T> = null extends T
  ? More
  : T extends readonly unknown[]
    ? More
    : More & ({ readonly refers?: 'users' } | { readonly within: true });

/** Whether responses show a field: an open point may decide. */
type Shown = boolean | 'owner-field';

export interface Field<T = unknown, K extends FieldKind = FieldKind, S extends Shown = Shown> extends More {
  readonly kind: K;
  /** What a record holds in it. */
  readonly schema: Schema<T>;
  /** What it holds when nobody has said anything; null for what always is said. */
  readonly start: unknown;
  readonly shown: S;
}

export type Fields = Readonly<Record<string, Field>>;

type Show<T> = { [K in keyof T]: T[K] } & {};
type Of<F extends Fields, K extends FieldKind> = keyof { [N in keyof F as F[N]['kind'] extends K ? N : never]: 1 };
type Held<F> = F extends Field<infer T> ? T : never;
/** What the fields of some kinds hold, and those of others may. */
type Holding<F extends Fields, Always extends FieldKind, Maybe extends FieldKind = never> = Show<
  { readonly [N in Of<F, Always>]: Held<F[N]> } & { readonly [N in Of<F, Maybe>]?: Held<F[N]> }
>;

export type RecordOf<F extends Fields> = Holding<F, Exclude<FieldKind, 'derived'>>;
/** What a record holds when nobody has said anything. */
export type BlankOf<F extends Fields> = Holding<F, 'optional' | 'preset'>;
/** What has to be said of every record. */
export type NeededOf<F extends Fields> = Holding<F, 'server' | 'required'>;
type DraftOf<F extends Fields> = Holding<F, 'required', 'optional' | 'preset'>;

type Visible<F extends Fields> = { [N in keyof F as F[N]['shown'] extends true ? N : never]: F[N] };
/** Enumerations may grow within v1 (spec: Versioning 4). */
type Open<T> = T extends string
  ? string extends T
    ? T
    : T | (string & {})
  : T extends readonly (infer I)[]
    ? readonly Open<I>[]
    : T;
type Opened<T> = { [N in keyof T]: Open<T[N]> };
type ShownOf<F extends Fields> = Show<Opened<Holding<Visible<F>, Exclude<FieldKind, 'optional'>, 'optional'>>>;

const field =
  <K extends FieldKind>(kind: K) =>
  <T>(schema: Schema<T>, more?: MoreOf<NoInfer<T>>): Field<T, K, true> => ({ kind, schema, start: null, shown: true, ...more });

export const server = field('server');
export const required = field('required');
export const derived = field('derived');

/** @param schema of what is said; null besides means that nothing is. */
export const optional = <T>(schema: Schema<T>, more?: More) =>
  field('optional')<T | null>(nullable(schema), more as MoreOf<T | null> | undefined);

/** @param start what it holds from the start; a schema needs no word of an empty list or of null. */
export const preset = <T>(schema: Schema<T>, start: NoInfer<T>, more?: MoreOf<NoInfer<T>>): Field<T, 'preset', true> => {
  const { type, enum: values, ...rest } = schema;
  const none = start === null || (Array.isArray(start) && start.length === 0);
  const said = none ? {} : { default: start };
  return { ...field('preset')({ type, ...(values ? { enum: values } : {}), ...said, ...rest } as Schema<T>, more), start };
};

/** A field that responses do not show, or only where an open point says so. */
export const hidden = <T, K extends FieldKind, S extends Shown = false>(field: Field<T, K>, point?: S): Field<T, K, S> => ({
  ...field,
  shown: point ?? (false as S),
});

export const pick = <F extends Fields, N extends keyof F & string>(fields: F, ...names: N[]): Pick<F, N> =>
  Object.fromEntries(names.map((name) => [name, fields[name]])) as Pick<F, N>;

export const without = <F extends Fields, N extends keyof F & string>(fields: F, ...names: N[]): Omit<F, N> =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name as N))) as Omit<F, N>;

type Schemas = Readonly<Record<string, Schema<unknown>>>;

/** The schema of what a client sends in a field. */
export const sentIn = <T>({ schema, sent }: Field<T>): Schema<T> => (sent ? { ...schema, ...sent } : schema);

/** The same in a body. Ids are those of users, unless it says otherwise. */
const inBody = <T>(field: Field<T>): Schema<T> =>
  field.refers && field.refers !== 'users' ? { ...sentIn(field), 'x-refers': field.refers } : sentIn(field);

/** The same schema as a response has it: lists of words may grow, and defaults are the business of who sends. */
export const opened = (schema: Schema<unknown>): Schema<unknown> => {
  const {
    type,
    enum: values,
    default: start,
    items,
    ...rest
  } = schema as Schema<unknown> & { enum?: unknown[]; items?: Schema<unknown> };
  const inner = items && opened(items);
  if (!values && start === undefined && inner === items) return schema;
  const words = values && { 'x-extensible-enum': values.filter((value) => value !== null) };
  return { type, ...words, ...(inner && { items: inner }), ...rest };
};

/** What a response has in each field that is shown. */
export const properties = <F extends Fields>(fields: F) =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, { schema, shown }]) => (shown === true ? [[name, opened(schema)]] : [])),
  ) as {
    readonly [N in keyof Visible<F>]: Schema<Open<Held<F[N]>>>;
  };

/** A record as a response shows it: what may be null may be left out as well. */
export const shown = <F extends Fields>(fields: F, description: string): Schema<ShownOf<F>> => {
  const all = Object.entries(properties(fields) as Schemas);
  const [absent, always] = [true, false].map((may) => all.filter(([name]) => (fields[name]!.kind === 'optional') === may));
  return open(Object.fromEntries(always!), Object.fromEntries(absent!), { description }) as Schema<ShownOf<F>>;
};

/** What creates a record. */
export const draft = <F extends Fields>(fields: F): Schema<DraftOf<F>> => {
  const sent = (...kinds: FieldKind[]) =>
    Object.fromEntries(Object.entries(fields).flatMap(([name, one]) => (kinds.includes(one.kind) ? [[name, inBody(one)]] : [])));
  return object(sent('required'), sent('optional', 'preset')) as Schema<DraftOf<F>>;
};

/** What changes one. */
export const patch = <F extends Fields>(fields: F): Schema<Partial<DraftOf<F>>> => partial(draft(fields));

// Fields of resources: a field states who sets its value and where it is shown; everything else is derived from that.
import type { Version } from './releases.ts';
import { type Keywords, nullable, object, open, partial, type Schema, type Schemas } from './schema.ts';

/** Set by the service; by the client that creates; by any client, else null; by any client, else its default; computed for responses. */
export type FieldKind = 'server' | 'required' | 'optional' | 'preset' | 'derived';

/** Collections to whose records other records may refer. */
export type Referred = 'users' | 'projects' | 'tasks' | 'teams' | 'comments';

interface FieldOptions {
  /** Collection whose ids it holds. Deleting that record clears the field; a user with references can't be deleted. */
  readonly refers?: Referred;
  /** The record belongs to the one that the field refers to, and is deleted with it. */
  readonly within?: true;
  /** Keywords in which the schema of requests differs. */
  readonly sent?: Keywords;
  /** Description in seed files, if it differs. */
  readonly inSeeds?: string;
}

/** A field that can't be null must refer to users, which stay, or belong to the record it refers to. */
type FieldOptionsOf<T> = null extends T
  ? FieldOptions
  : T extends readonly unknown[]
    ? FieldOptions
    : FieldOptions & ({ readonly refers?: 'users' } | { readonly within: true });

/** Whether responses show a field; an open point may decide. */
type Shown = boolean | 'owner-field';

export interface Field<T = unknown, K extends FieldKind = FieldKind, S extends Shown = Shown> extends FieldOptions {
  readonly kind: K;
  /** Schema of the stored value. */
  readonly schema: Schema<T>;
  /** Default value; null where a value is always set. */
  readonly start: unknown;
  readonly shown: S;
}

export type Fields = Readonly<Record<string, Field>>;

type Show<T> = { [K in keyof T]: T[K] } & {};
type Of<F extends Fields, K extends FieldKind> = keyof { [N in keyof F as F[N]['kind'] extends K ? N : never]: 1 };
type ValueOf<F> = F extends Field<infer T> ? T : never;
/** Values of the fields of some kinds, and optionally of others. */
type ValuesOf<F extends Fields, Always extends FieldKind, Maybe extends FieldKind = never> = Show<
  { readonly [N in Of<F, Always>]: ValueOf<F[N]> } & { readonly [N in Of<F, Maybe>]?: ValueOf<F[N]> }
>;

export type RecordOf<F extends Fields> = ValuesOf<F, Exclude<FieldKind, 'derived'>>;
/** Values of a new record that have a default. */
export type BlankOf<F extends Fields> = ValuesOf<F, 'optional' | 'preset'>;
/** Values that must be set for every record. */
export type NeededOf<F extends Fields> = ValuesOf<F, 'server' | 'required'>;
type DraftOf<F extends Fields> = ValuesOf<F, 'required', 'optional' | 'preset'>;

type Visible<F extends Fields> = { [N in keyof F as F[N]['shown'] extends true ? N : never]: F[N] };
/** Enumerations may grow within v1 (spec: Versioning 4). */
type Open<T> = T extends string
  ? string extends T
    ? T
    : T | (string & {})
  : T extends readonly (infer I)[]
    ? readonly Open<I>[]
    : T;
type OpenValues<T> = { [N in keyof T]: Open<T[N]> };
type ShownOf<F extends Fields> = Show<OpenValues<ValuesOf<Visible<F>, Exclude<FieldKind, 'optional'>, 'optional'>>>;

const field =
  <K extends FieldKind>(kind: K, version: Version) =>
  <T>(schema: Schema<T>, more?: FieldOptionsOf<NoInfer<T>>): Field<T, K, true> => ({
    kind,
    schema: version === '1.0.0' ? schema : { ...schema, 'x-since': version },
    start: null,
    shown: true,
    ...more,
  });

/** The constructors of the fields that a release brought, or that a resource had when it came. */
export const since = (version: Version) => ({
  server: field('server', version),
  required: field('required', version),
  derived: field('derived', version),
  /** @param schema without null, which is added. */
  optional: <T>(schema: Schema<T>, more?: FieldOptions) =>
    field('optional', version)<T | null>(nullable(schema), more as FieldOptionsOf<T | null> | undefined),
  /** @param start default value; the schema states it unless it is null or an empty list. */
  preset: <T>(schema: Schema<T>, start: NoInfer<T>, more?: FieldOptionsOf<NoInfer<T>>): Field<T, 'preset', true> => {
    const { type, enum: values, ...rest } = schema;
    const none = start === null || (Array.isArray(start) && start.length === 0);
    const stated = none ? {} : { default: start };
    const whole = { type, ...(values ? { enum: values } : {}), ...stated, ...rest } as Schema<T>;
    return { ...field('preset', version)(whole, more), start };
  },
});

/** Field that responses don't show, or only by choice at an open point. */
export const hidden = <T, K extends FieldKind, S extends Shown = false>(field: Field<T, K>, point?: S): Field<T, K, S> => ({
  ...field,
  shown: point ?? (false as S),
});

export const pick = <F extends object, N extends keyof F & string>(fields: F, ...names: N[]): Pick<F, N> =>
  Object.fromEntries(names.map((name) => [name, fields[name]])) as Pick<F, N>;

export const without = <F extends Fields, N extends keyof F & string>(fields: F, ...names: N[]): Omit<F, N> =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name as N))) as Omit<F, N>;

export const requestSchema = <T>({ schema, sent }: Field<T>): Schema<T> => (sent ? { ...schema, ...sent } : schema);

/** Schema in a body. Ids are those of users unless `x-refers` names another collection. */
const bodySchema = <T>(field: Field<T>): Schema<T> =>
  field.refers && field.refers !== 'users' ? { ...requestSchema(field), 'x-refers': field.refers } : requestSchema(field);

/** Schema of the value in a response: enumerations may grow, and there are no defaults. */
export const responseSchema = (schema: Schema<unknown>): Schema<unknown> => {
  const {
    type,
    enum: values,
    default: start,
    items,
    ...rest
  } = schema as Schema<unknown> & { enum?: unknown[]; items?: Schema<unknown> };
  const inner = items && responseSchema(items);
  if (!values && start === undefined && inner === items) return schema;
  const words = values && { 'x-extensible-enum': values.filter((value) => value !== null) };
  return { type, ...words, ...(inner && { items: inner }), ...rest };
};

export const properties = <F extends Fields>(fields: F) =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, { schema, shown }]) => (shown === true ? [[name, responseSchema(schema)]] : [])),
  ) as {
    readonly [N in keyof Visible<F>]: Schema<Open<ValueOf<F[N]>>>;
  };

/** Schema of a record in a response; a field that may be null may also be missing. */
export const shown = <F extends Fields>(fields: F, description: string): Schema<ShownOf<F>> => {
  const all = Object.entries(properties(fields) as Schemas);
  const [absent, always] = [true, false].map((may) => all.filter(([name]) => (fields[name]!.kind === 'optional') === may));
  return open(Object.fromEntries(always!), Object.fromEntries(absent!), { description }) as Schema<ShownOf<F>>;
};

export const draft = <F extends Fields>(fields: F): Schema<DraftOf<F>> => {
  const sent = (...kinds: FieldKind[]) =>
    Object.fromEntries(
      Object.entries(fields).flatMap(([name, one]) => (kinds.includes(one.kind) ? [[name, bodySchema(one)]] : [])),
    );
  return object(sent('required'), sent('optional', 'preset')) as Schema<DraftOf<F>>;
};

export const patch = <F extends Fields>(fields: F): Schema<Partial<DraftOf<F>>> => partial(draft(fields));

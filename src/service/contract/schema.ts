// Constructors of plain JSON Schema whose TypeScript type says what a valid value is.
import type { Version } from './releases.ts';

/** A JSON Schema (2020-12) that carries the type of its valid values as a phantom. */
export interface Schema<T> {
  readonly '~is'?: T;
  readonly [keyword: string]: unknown;
}

export type Is<S> = S extends Schema<infer T> ? T : never;

export type Format = 'date-time' | 'uri';

/** Additional keywords; an unknown one does not compile. */
export interface Keywords {
  readonly [keyword: string]: unknown;
  /** A format of `validation/formats.ts`. */
  readonly format?: Format;
  /** Release that added it. */
  readonly 'x-since'?: Version;
  /** Only rows are ever removed within v1, never fields or values. */
  readonly 'x-until'?: never;
}
export type Schemas = Readonly<Record<string, Schema<unknown>>>;
type Flat<T> = { [K in keyof T]: T[K] } & {};

export const string = (keywords: Keywords = {}): Schema<string> => ({ type: 'string', ...keywords });

export const integer = (keywords: Keywords = {}): Schema<number> => ({ type: 'integer', ...keywords });

export const boolean = (keywords: Keywords = {}): Schema<boolean> => ({ type: 'boolean', ...keywords });

/** Closed enumeration, for requests. */
export const oneOf = <const V extends readonly string[]>(values: V, keywords: Keywords = {}): Schema<V[number]> => ({
  type: 'string',
  enum: values,
  ...keywords,
});

/** Enumeration that may grow within v1 (spec: Versioning 4), for responses. */
export const openEnum = <const V extends readonly string[]>(
  values: V,
  keywords: Keywords = {},
): Schema<V[number] | (string & {})> => ({ type: 'string', 'x-extensible-enum': values, ...keywords });

export const array = <T>(items: Schema<T>, keywords: Keywords = {}): Schema<readonly T[]> => ({
  type: 'array',
  items,
  ...keywords,
});

export const nullable = <T>(schema: Schema<T>): Schema<T | null> => {
  const { type, enum: values, ...rest } = schema as { type: string; enum?: readonly unknown[] };
  return { type: [type, 'null'], ...(values ? { enum: [...values, null] } : {}), ...rest };
};

const objectWith =
  (fixed: Keywords) =>
  <R extends Schemas, O extends Schemas = Record<never, never>>(
    required: R,
    optional: O = {} as O,
    keywords: Keywords = {},
  ): Schema<Flat<{ readonly [K in keyof R]: Is<R[K]> } & { readonly [K in keyof O]?: Is<O[K]> }>> => ({
    type: 'object',
    ...(Object.keys(required).length > 0 ? { required: Object.keys(required) } : {}),
    properties: { ...required, ...optional },
    ...fixed,
    ...keywords,
  });

/** Object with required and optional properties; each validator decides whether to accept others. */
export const object = objectWith({});
export const closed = objectWith({ additionalProperties: false });
/** Object in a response: v1 may add properties (spec: Versioning 4), which generated clients must accept. */
export const open = objectWith({ additionalProperties: true });

export const anyOf = <T>(...options: readonly Schema<unknown>[]): Schema<T> => ({ anyOf: options });
export const number = (keywords: Keywords = {}): Schema<number> => ({ type: 'number', ...keywords });
export const time = (description: string) => string({ format: 'date-time', description, examples: ['2025-01-20T09:00:00.000Z'] });
export const any = (description: string): Schema<unknown> => ({ description });
export const map = <T = unknown>(description: string): Schema<Readonly<Record<string, T>>> => ({ type: 'object', description });

/** Object of a PATCH: every property optional, without defaults. */
export const partial = <T extends object>(draft: Schema<T>): Schema<Partial<T>> => {
  const { required: _, properties, ...rest } = draft as unknown as { required: unknown; properties: Record<string, Keywords> };
  const bare = Object.entries(properties).map(([name, { default: _default, ...schema }]) => [name, schema]);
  return { ...rest, properties: Object.fromEntries(bare) };
};

/** Whether a value is an object, as JSON means it. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

// Words that the schemas of the control API are made of.
import { array, object, type Schema, string } from '../contract/schema.ts';

type Properties = Readonly<Record<string, Schema<unknown>>>;
/** An object that takes no other fields. */
export const closed = <R extends Properties, O extends Properties = Record<never, never>>(
  required: R,
  optional: O = {} as O,
  keywords = {},
) => object(required, optional, { additionalProperties: false, ...keywords });
export const anyOf = <T>(...options: readonly Schema<unknown>[]): Schema<T> => ({ anyOf: options });
export const text = (description: string, keywords = {}) => string({ minLength: 1, maxLength: 1000, description, ...keywords });
export const map = (description: string): Schema<Readonly<Record<string, unknown>>> => ({ type: 'object', description });
export const any = (description: string): Schema<unknown> => ({ description });
export const time = (description: string) => string({ format: 'date-time', description, examples: ['2025-01-20T09:00:00.000Z'] });

export const listOf = <T>(item: Schema<T>): Schema<{ readonly items: readonly T[] }> => object({ items: array(item) });

/** Whether an empty object does not fit. */
export const needsFields = ({ required, minProperties }: Schema<unknown>): boolean =>
  required !== undefined || minProperties !== undefined;

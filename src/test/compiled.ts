// The validator of one schema, made while a test runs as the generated ones are made for the package.
import { Ajv } from 'ajv';
import { bare, DIALECT } from '../../documents/compile.ts';
import type { Schema } from '../service/contract/schema.ts';
import type { Validate } from '../service/validation/check.ts';

const known = new WeakMap<Schema<unknown>, Validate>();

export const compiled = (schema: Schema<unknown>): Validate => {
  const validate = known.get(schema) ?? (new Ajv(DIALECT).compile(bare(schema, new Map())) as unknown as Validate);
  known.set(schema, validate);
  return validate;
};

// What the generated validators call: the formats of the contract, the length of a text, and the making and joining of errors.
import type { Format } from '../contract/schema.ts';
import { parseUrl } from './receiver-url.ts';
import { toUtc } from './times.ts';

export const formats: Readonly<Record<Format, (text: string) => boolean>> = {
  'date-time': (text) => toUtc(text) !== undefined,
  uri: (text) => parseUrl(text) !== undefined,
};

/** Length in Unicode code points, which is how JSON Schema counts: a pair of surrogates is one. */
export const codePoints = (text: string): number => text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);

/** Adds an error to those that were told before. @param schemaPath stands in branches of an anyOf alone */
export const addError = (
  before: object[] | null,
  instancePath: string,
  keyword: string,
  params: object,
  parentSchema: object,
  data: unknown,
  schemaPath?: string,
): object[] => addErrors(before, [{ instancePath, ...(schemaPath && { schemaPath }), keyword, params, parentSchema, data }]);

export const addErrors = (before: object[] | null, more: object[]): object[] => {
  if (!before) return more;
  for (const one of more) before.push(one);
  return before;
};

// What the generated validators call: the formats of the contract, the length of a text, and the making and joining of errors.
import type { Format } from '../contract/schema.ts';
import { parseUrl } from './receiver-url.ts';
import { toUtc } from './times.ts';

export const formats: Readonly<Record<Format, (text: string) => boolean>> = {
  'date-time': (text) => toUtc(text) !== undefined,
  uri: (text) => parseUrl(text) !== undefined,
};

/** Length in Unicode code points, which is how JSON Schema counts. */
export const codePoints = (text: string): number => {
  let count = text.length;
  for (let at = 0; at < text.length - 1; at++) {
    if ((text.charCodeAt(at) & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00) {
      count--;
      at++;
    }
  }
  return count;
};

/** Adds an error to those that were told before. @param schemaPath stands in branches of an anyOf alone */
export const addError = (
  before: object[] | null,
  instancePath: string,
  keyword: string,
  params: object,
  parentSchema: object,
  data: unknown,
  schemaPath?: string,
): object[] => {
  const all = before ?? [];
  all.push({ instancePath, ...(schemaPath && { schemaPath }), keyword, params, parentSchema, data });
  return all;
};

export const addErrors = (before: object[] | null, more: object[]): object[] => {
  if (!before) return more;
  for (const one of more) before.push(one);
  return before;
};

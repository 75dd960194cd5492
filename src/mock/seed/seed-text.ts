// The text of a seed file: JSON when it can be, else YAML; and where in it a value stands.
import { parseJson } from '../../service/http/body.ts';
import type { SeedText } from './yaml-source.ts';

/** A JSON text longer than this is not read a second time to find where its values stand: that takes 40 times its memory. */
const MAX_PLACED_CHARS = 16_000_000;

const DUPLICATE_KEY = { path: '', what: 'duplicate key', expected: 'each key once', got: 'a key twice in one object' } as const;

/** Reads the text of a seed file, whichever its language. */
export const readSeedText = async (text: string, longest = MAX_PLACED_CHARS): Promise<SeedText> => {
  const bare = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  const value = bare.trimStart().startsWith('{') ? parseJson(bare) : undefined;
  const asYaml = async () => (await import('./yaml-source.ts')).readYaml(bare);
  if (value === undefined) return asYaml();
  const keys = countKeys(value);
  const repeats = mayHaveDuplicateKeys(bare, keys) && countTextKeys(bare) !== keys;
  const isShort = bare.length <= longest;
  if (repeats && isShort) return asYaml();
  const placeOf = async () => (isShort ? (await asYaml()).placeOf() : () => undefined);
  return { value, problems: repeats ? [DUPLICATE_KEY] : [], more: 0, placeOf };
};

/** False when a valid JSON text cannot write more keys than so many: each is followed by a colon, and few texts within it look like one. */
const mayHaveDuplicateKeys = (text: string, keys: number): boolean => {
  let found = 0;
  for (let at = text.indexOf('":'); at !== -1; at = text.indexOf('":', at + 2)) found++;
  return found !== keys || /"\s+:/.test(text);
};

/** How many keys a valid JSON text writes. A parsed value with fewer tells of a duplicate, which JSON.parse hides. */
const countTextKeys = (text: string): number => {
  let keys = 0;
  // Without what is escaped no text holds a quotation mark.
  for (const [, colon] of text.replaceAll(/\\./g, '').matchAll(/"[^"]*"(\s*:)?/g)) if (colon) keys++;
  return keys;
};

/** How many keys all objects of a parsed value have together. */
const countKeys = (value: unknown): number => {
  let keys = 0;
  const open: unknown[] = [value];
  const note = (one: unknown) => {
    if (typeof one === 'object') open.push(one);
  };
  // The list grows while it is walked.
  for (const one of open) {
    if (Array.isArray(one)) one.forEach(note);
    else {
      for (const name in one as object) {
        keys++;
        note((one as Readonly<Record<string, unknown>>)[name]);
      }
    }
  }
  return keys;
};

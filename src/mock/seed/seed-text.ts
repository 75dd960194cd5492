// The text of a seed file: JSON when it can be, else YAML; and where in it a value stands.
import type { Path } from '../../service/validation/show.ts';
import type { ProblemPlace, SeedProblem } from './seed-error.ts';
import type { YamlSource } from './yaml-source.ts';

export interface SeedText {
  /** What the text says; undefined when it cannot be read at all. */
  readonly value: unknown;
  readonly readable: boolean;
  /** Mistakes of writing: syntax, duplicate keys. As many as are listed. */
  readonly problems: readonly SeedProblem[];
  /** How many more there are. */
  readonly more: number;
  /** Line and column of a value, or of its key. Only called when something is wrong. */
  readonly placeOf: () => Promise<(path: Path, atKey: boolean) => ProblemPlace | undefined>;
}

/** A JSON text longer than this is not read a second time to find where its values stand: that takes 40 times its memory. */
const MAX_PLACED_CHARS = 16_000_000;

const DUPLICATE_KEY = { path: '', what: 'duplicate key', expected: 'each key once', got: 'a key twice in one object' } as const;

/** Reads the text of a seed file, whichever its language. */
export const readSeedText = async (text: string, longest = MAX_PLACED_CHARS): Promise<SeedText> => {
  const bare = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  const value = bare.trimStart().startsWith('{') ? parseJson(bare) : undefined;
  const asYaml = async () => (await import('./yaml-source.ts')).readYaml(bare);
  if (value === undefined) return sourceOf(await asYaml());
  const keys = countKeys(value);
  const repeats = mayHaveDuplicateKeys(bare, keys) && countTextKeys(bare) !== keys;
  if (bare.length > longest)
    return { value, readable: true, problems: repeats ? [DUPLICATE_KEY] : [], more: 0, placeOf: async () => () => undefined };
  if (repeats) return sourceOf(await asYaml());
  return { value, readable: true, problems: [], more: 0, placeOf: async () => placesIn(await asYaml()) };
};

const placesIn = (written: YamlSource) => (path: Path, atKey: boolean) => written.place(path, atKey);
const sourceOf = (written: YamlSource): SeedText => ({ ...written, placeOf: async () => placesIn(written) });

/** A text read as JSON; undefined where it is none. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** False when a valid JSON text cannot write more keys than so many: each is followed by a colon, and few texts within it look like one. */
const mayHaveDuplicateKeys = (text: string, keys: number): boolean => {
  let found = 0;
  for (let at = text.indexOf('":'); at !== -1; at = text.indexOf('":', at + 2)) found++;
  return found !== keys || /"\s+:/.test(text);
};

/** How many keys a valid JSON text writes. A parsed value with fewer tells of a duplicate, which JSON.parse hides. */
export const countTextKeys = (text: string): number => {
  let keys = 0;
  // Without what is escaped no text holds a quotation mark.
  for (const [, colon] of text.replaceAll(/\\./g, '').matchAll(/"[^"]*"(\s*:)?/g)) if (colon) keys++;
  return keys;
};

/** How many keys all objects of a parsed value have together. */
export const countKeys = (value: unknown): number => {
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

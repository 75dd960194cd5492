// From a text to its JSON value. One guard for all that comes from outside: nesting is counted before anything is parsed.

/** Comparing, copying and showing recurse into each level. */
export const MAX_LEVELS = 100;

/** One wording wherever a text is refused. */
export const TEXT_FAULTS = {
  syntax: 'must be valid JSON',
  nesting: `must have at most ${MAX_LEVELS} levels`,
  keys: 'must have each key once',
} as const;

/** The number of keys that a valid JSON text writes; undefined if it nests too deep. */
const countWrittenKeys = (text: string): number | undefined => {
  let [levels, keys, inString] = [0, 0, false];
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (inString) {
      if (char === '\\') at += 1;
      else inString = char !== '"';
    } else if (char === '"') inString = true;
    else if (char === ':') keys += 1;
    else if (char === '[' || char === '{') {
      levels += 1;
      if (levels > MAX_LEVELS) return undefined;
    } else if (char === ']' || char === '}') levels -= 1;
  }
  return keys;
};

const countKeys = (value: unknown): number => {
  if (typeof value !== 'object' || value === null) return 0;
  const inner = Object.values(value);
  return inner.reduce((sum: number, one) => sum + countKeys(one), Array.isArray(value) ? 0 : inner.length);
};

/** Editors of Windows begin a file with a byte order mark. */
export const withoutMark = (text: string): string => (text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);

export interface JsonText {
  /** Keeps the last value of a repeated key. */
  readonly value?: unknown;
  readonly fault?: keyof typeof TEXT_FAULTS;
}

export const readJsonText = (given: string): JsonText => {
  const text = withoutMark(given);
  const keys = countWrittenKeys(text);
  if (keys === undefined) return { fault: 'nesting' };
  const value = parseJson(text);
  if (value === undefined) return { fault: 'syntax' };
  return countKeys(value) === keys ? { value } : { value, fault: 'keys' };
};

export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** For what is shown. @param otherwise when it is no JSON, or nests too deep */
export const readJson = (text: string, otherwise?: unknown): unknown => {
  const value = countWrittenKeys(text) === undefined ? undefined : parseJson(text);
  return value === undefined ? otherwise : value;
};

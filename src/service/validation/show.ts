// Words of messages: paths, values, and the known word nearest to a misspelt one.

export type Path = readonly (string | number)[];

export const pathText = (path: Path): string =>
  path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`;
    if (!/^[\w$-]+$/.test(step)) return `${text}[${JSON.stringify(step)}]`;
    return text === '' ? step : `${text}.${step}`;
  }, '');

const MAX_SHOWN_CHARACTERS = 60;
const MAX_SHOWN_ITEMS = 4;
const PLAIN_NAME = ['string', 'number', 'boolean'];

/** A value, short enough for a sentence: a long or deep one is named by its type. */
export const valueText = (value: unknown): string => {
  if (value === undefined) return 'nothing';
  if (typeof value === 'function') return 'a function';
  if (value instanceof RegExp) return String(value);
  if (typeof value === 'object' && value !== null) return shownObject(value);
  if (typeof value !== 'string') return String(value);
  const short =
    value.length > MAX_SHOWN_CHARACTERS ? `${[...value.slice(0, MAX_SHOWN_CHARACTERS)].slice(0, -1).join('')}…` : value;
  return JSON.stringify(short);
};

const shownObject = (value: object): string => {
  const items = Object.values(value);
  const plain = items.length <= MAX_SHOWN_ITEMS && items.every((item) => item === null || PLAIN_NAME.includes(typeof item));
  const text = plain ? JSON.stringify(value) : undefined;
  if (text !== undefined && text.length <= MAX_SHOWN_CHARACTERS) return text;
  return Array.isArray(value) ? 'an array' : 'an object';
};

/** How many letters have to be put in, taken out or replaced to make one word of the other; no more than that it is above the most. */
const editDistance = (a: string, b: string, most: number): number => {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1));
    }
    if (Math.min(...next) > most) return most + 1;
    row = next;
  }
  return row[b.length]!;
};

/** @returns the known word that is most like another; undefined when none is near, or for a number */
export const nearestWord = (word: string, known: Iterable<string>): string | undefined => {
  const most = /\p{L}/u.test(word) ? Math.min(3, Math.ceil(word.length / 3)) : 0;
  const ranked = [...known].map((one) => ({ one, far: editDistance(word.toLowerCase(), one.toLowerCase(), most) }));
  return ranked.filter(({ far }) => far <= most).sort((a, b) => a.far - b.far)[0]?.one;
};

/** A question to put behind a complaint, or nothing when no known word is near. */
export const didYouMean = (word: string, known: Iterable<string>): string => {
  const nearest = nearestWord(word, known);
  return nearest === undefined ? '' : ` (did you mean ${nearest}?)`;
};

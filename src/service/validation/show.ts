// How a path and a value stand in a sentence.

export type Path = readonly (string | number)[];

export const showPath = (path: Path): string =>
  path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`;
    if (!/^[\w$-]+$/.test(step)) return `${text}[${JSON.stringify(step)}]`;
    return text === '' ? step : `${text}.${step}`;
  }, '');

const MAX_SHOWN_CHARACTERS = 60;
const MAX_SHOWN_ITEMS = 4;
const PLAIN_NAME = ['string', 'number', 'boolean'];

/** A value, short enough for a sentence: a long or deep one is named by its type. */
export const show = (value: unknown): string => {
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

// Ids and cursors as parts of a URL: which can be there, and the paths of records.

/** A URL of this many octets every server should take (RFC 9110, 4.1). */
const MAX_LENGTH = 8000;

const isStep = (part: string): boolean => part === '.' || part === '..';

/** A text as its decoder reads it; one that is no part of a URL as it is. */
export const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** Whether a text, or what a careless proxy makes of it, leads elsewhere. */
const leads = (text: string): boolean => [text, decoded(text)].some((one) => one.split(/[/\\]/).some(isStep));

/** Why a text that the target gave cannot be a part of a URL; undefined when it can. */
export const unfit = (text: string, place: 'path' | 'query' = 'path'): string | undefined => {
  if (text === '') return 'it is empty';
  if (text.length > MAX_LENGTH) return `it has ${text.length} characters, and a URL has room for ${MAX_LENGTH}`;
  if (place === 'path' && leads(text)) return 'a URL takes it for a step to another path';
  if (text.includes('\ufffd')) return 'it is no Unicode text: it holds bytes that are not UTF-8';
  try {
    return encodeURIComponent(text).length > MAX_LENGTH ? `a URL has room for ${MAX_LENGTH} octets` : undefined;
  } catch {
    return 'it is no Unicode text: half of a surrogate pair stands alone';
  }
};

/** The path of a record; of one whose id is no text, a path that is not there. */
export const pathOf = (items: string, id: string): string => `${items}/${unfit(id) ? 'wmct-no-id' : encodeURIComponent(id)}`;

/** @throws URIError when a path has a step in it: sent, it would name something else */
export const checkPath = (path: string): void => {
  if (path.split('/').some(isStep)) throw new URIError(`${path} leads to another path`);
};

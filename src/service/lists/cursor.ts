// Cursors: opaque tokens that hold the query and the last record's position, with a checksum.
import type { Place } from '../world/collection.ts';
import { hash32 } from '../world/random.ts';

export interface ListPosition {
  /** Workspace, operation and containing record of the list: a cursor of another one is refused. */
  readonly list: string;
  /** Field and value, in the order of the operation's own filters. */
  readonly filters: Readonly<Record<string, string>>;
  /** A field, `-` before it when descending. */
  readonly sort: string;
  readonly limit: number;
}

export interface CursorPosition extends ListPosition {
  readonly after: Place;
}

const toUrl = (text: string): string => btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
const fromUrl = (token: string): string => atob(token.replaceAll('-', '+').replaceAll('_', '/'));
const checksum = (text: string): string => hash32(text, 0x5bd1e995).toString(36);
const BEYOND_LATIN = /[^\0-\x7f]/g;

export const writeCursor = ({ list, filters, sort, limit }: ListPosition, after: Place): string => {
  const text = JSON.stringify([list, filters, sort, limit, after.value, after.sequence]);
  const ascii = text.replace(BEYOND_LATIN, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return toUrl(`${checksum(ascii)}.${ascii}`);
};

/** @returns undefined for a token that the service did not issue. */
export const readCursor = (token: string): CursorPosition | undefined => {
  if (!/^[\w-]+$/.test(token)) return undefined;
  try {
    const text = fromUrl(token);
    const dot = text.indexOf('.');
    const ascii = text.slice(dot + 1);
    // Base64 has several spellings of the last letters, of which only one was issued.
    const tail = toUrl(text.slice(-(text.length % 3 || 3)));
    if (text.slice(0, dot) !== checksum(ascii) || !token.endsWith(tail)) return undefined;
    const [list, filters, sort, limit, value, sequence] = JSON.parse(ascii);
    return { list, filters, sort, limit, after: { value, sequence } };
  } catch {
    return undefined;
  }
};

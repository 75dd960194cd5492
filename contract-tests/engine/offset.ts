// Lists of v1.0, which has no cursors and no limit: read by offset, whatever the size of a page is.
import { type Exchange, isRecord, metaOf, records, succeeded } from './exchange.ts';
import type { Walk } from './follow.ts';

type Get = (path: string) => Promise<Exchange>;

const withOffset = (path: string, offset: number): string => {
  if (offset === 0) return path;
  return `${path}${path.includes('?') ? '&' : '?'}offset=${offset}`;
};

const LIMIT = /([?&])limit=(\d+)(&|$)/;

/** A path without the size of its pages. */
const sizeless = (path: string): string =>
  path.replace(LIMIT, (_, before, __, after) => (after === '&' ? before : '')).replace(/[?&]$/, '');

/** Reads a list to its end, or as many pages as are allowed. */
export const walkByOffset = async (get: Get, path: string, maxPages: number): Promise<Walk> => {
  const pages: Exchange[] = [];
  let read = 0;
  for (;;) {
    const x = await get(withOffset(sizeless(path), read));
    pages.push(x);
    read += records(x).length;
    const more = succeeded(x) && metaOf(x).has_more === true && records(x).length > 0;
    if (!more || pages.length >= maxPages) {
      const moved = pages.some((page) => metaOf(page).total !== metaOf(pages[0]!).total);
      return { pages, items: pages.flatMap(records), ended: succeeded(x) && metaOf(x).has_more === false, moved };
    }
  }
};

/** The result of one request with a limit, later: this many records of a list, as one response. */
export const wholeByOffset = async (get: Get, path: string): Promise<Exchange> => {
  const wanted = Number(LIMIT.exec(path)?.[2] ?? 0);
  if (wanted === 0) return get(path);
  const { pages, items } = await walkByOffset(get, path, Math.ceil(wanted / 20));
  const [first] = pages as [Exchange];
  if (!succeeded(first) || !isRecord(first.json)) return first;
  return { ...first, json: { ...first.json, items: items.slice(0, wanted), meta: metaOf(pages.at(-1)!) } };
};

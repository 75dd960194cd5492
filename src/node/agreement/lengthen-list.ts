// Lengthens a list for a second page to what the first page has of it: pages that it has joined, records that it has changed.
import type { PastRequest } from './world-history.ts';

interface List {
  readonly items?: readonly { readonly id?: string }[];
  readonly meta?: { readonly next_cursor?: string | null };
}

/** Equal for the pages of a list. */
const cursorless = (path: string): string => path.replace(/cursor=[^&]*&?/, '').replace(/[?&]$/, '');

/** Ids of the records that the page has read of a list since its first page, or has changed since. */
const knownIds = (past: readonly PastRequest[], path: string): ReadonlySet<string | undefined> => {
  const first = past.findLastIndex((one) => one.method === 'GET' && one.path.endsWith(path));
  const ids = past.slice(first).flatMap(({ method, path: other, entry }) => {
    if (method !== 'GET') return entry.changes.map(({ id }) => id);
    return cursorless(other).endsWith(path) ? ((entry.response.body as List | null)?.items ?? []).map(({ id }) => id) : [];
  });
  return new Set(first < 0 ? [] : ids);
};

/** @param path below `/v1` @param fetch reads another page of the list */
export const lengthenList = async (
  past: readonly PastRequest[],
  path: string,
  body: unknown,
  fetch: (path: string) => Promise<unknown>,
): Promise<unknown> => {
  const list = body as List | null | undefined;
  const known = knownIds(past, path);
  let cursor = list?.meta?.next_cursor;
  if (!list?.items || !cursor || path !== cursorless(path) || known.size === 0) return list;
  const items = [...list.items];
  while (cursor) {
    const next = (await fetch(`${path}${path.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(cursor)}`)) as Required<List>;
    items.push(...next.items);
    cursor = next.meta.next_cursor;
  }
  const count = items.filter(({ id }) => known.has(id)).length;
  // Any cursor says that there is more.
  const next_cursor = count < items.length ? list.meta!.next_cursor : null;
  return { ...list, items: items.slice(0, count), meta: { ...list.meta, next_cursor } };
};

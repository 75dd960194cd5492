// Lengthens a list for a second page to what the first page has of it: pages that it has joined, records that it has changed.
import type { PastRequest } from './world-history.ts';

interface List {
  readonly items?: readonly { readonly id?: string }[];
  readonly meta?: { readonly next_cursor?: string | null };
}

/** Equal for the pages of a list. */
const cursorless = (path: string): string => path.replace(/cursor=[^&]*&?/, '').replace(/[?&]$/, '');

/** Ids of the records that the page has read of a list since its first page, and of those that it has changed since. */
const knownIds = (past: readonly PastRequest[], path: string) => {
  const first = past.findLastIndex((one) => one.method === 'GET' && one.path.endsWith(path));
  const [read, changed] = [new Set<string | undefined>(), new Set<string | undefined>()];
  for (const { method, path: other, entry } of first < 0 ? [] : past.slice(first)) {
    const rows = cursorless(other).endsWith(path) ? ((entry.response.body as List | null)?.items ?? []) : [];
    if (method !== 'GET') for (const { id } of entry.changes) changed.add(id);
    else for (const { id } of rows) read.add(id);
  }
  return { read, changed };
};

/** @param path below `/v1` @param fetch reads another page of the list */
export const lengthenList = async (
  past: readonly PastRequest[],
  path: string,
  body: unknown,
  fetch: (path: string) => Promise<unknown>,
): Promise<unknown> => {
  const list = body as List | null | undefined;
  const { read, changed } = knownIds(past, path);
  let cursor = list?.meta?.next_cursor;
  if (!list?.items || !cursor || path !== cursorless(path) || read.size === 0) return list;
  const items = [...list.items];
  while (cursor) {
    const next = (await fetch(`${path}${path.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(cursor)}`)) as Required<List>;
    items.push(...next.items);
    cursor = next.meta.next_cursor;
  }
  let count = items.filter(({ id }) => read.has(id)).length;
  // One that the page made is among what it shows where it belongs there, or right behind.
  for (const [i, { id }] of items.entries()) if (i <= count && changed.has(id) && !read.has(id)) count += 1;
  // Any cursor says that there is more.
  const next_cursor = count < items.length ? list.meta!.next_cursor : null;
  return { ...list, items: items.slice(0, count), meta: { ...list.meta, next_cursor } };
};

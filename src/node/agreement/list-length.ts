// Lengthens a list for a second page to what the first page has of it: pages that it has joined, records that it has changed.
import type { TrackedPage, TrackedRequest } from './tracked-page.ts';
import { recordIdOf, type WorldHistory } from './world-history.ts';

const cursorless = (url: string): string => {
  const { origin, pathname, searchParams } = new URL(url);
  searchParams.delete('cursor');
  searchParams.sort();
  return `${origin}${pathname}?${searchParams}`;
};

const hasCursor = (url: string): boolean => new URL(url).searchParams.has('cursor');

/** The reads of a list that the first page has joined: the last one without a cursor, and those after it. */
const joinedReads = (requests: readonly TrackedRequest[], url: string): readonly TrackedRequest[] => {
  const same = requests.filter((one) => one.method === 'GET' && one.past && cursorless(one.url) === cursorless(url));
  const first = same.findLastIndex((one) => !hasCursor(one.url));
  const joined = same.slice(Math.max(0, first));
  return joined.filter((one, i) => joined.findIndex(({ url: known }) => known === one.url) === i);
};

const idOfItem = (item: unknown): string => (item as { readonly id?: string } | null)?.id ?? '';

export interface FreshList {
  readonly items?: readonly unknown[];
  readonly meta?: { readonly next_cursor?: string | null };
}

/**
 * How long lists are that the first page has loaded in part. `as read`: as many pages as it read; `as changed`: so many records,
 * with what it has changed since; `as asked`: one page each time.
 */
export type ListLength = 'as read' | 'as changed' | 'as asked';

interface ListsOfPage {
  readonly first: TrackedPage;
  readonly history: WorldHistory;
  readonly length: ListLength;
}

/** Records that the first page changed after a read. */
const changedSince = ({ first, history }: ListsOfPage, { past }: TrackedRequest): ReadonlySet<string> => {
  const own = new Set(first.requests.map((one) => one.past));
  const isOwnSince = ({ n, request }: WorldHistory['changes'][number]) =>
    n > past!.after && request !== undefined && own.has(request);
  return new Set(history.changes.filter(isOwnSince).map(({ change }) => recordIdOf(change)));
};

/** @returns undefined for what is no such list */
export const lengthenList = async (
  lists: ListsOfPage,
  url: string,
  rest: string,
  list: FreshList,
  fetch: (path: string) => Promise<Response>,
): Promise<FreshList | undefined> => {
  const read = joinedReads(lists.first.requests, url);
  if (lists.length === 'as asked' || hasCursor(url) || !list.items || !list.meta?.next_cursor || read.length === 0)
    return undefined;
  const had = read.flatMap(({ past }) => (past!.entry().response.body as FreshList | null)?.items?.map(idOfItem) ?? []);
  const changed = changedSince(lists, read[0]!);
  let [items, meta, cursor] = [list.items, list.meta, list.meta.next_cursor as string | null | undefined];
  const want = lists.length === 'as read' ? read.length * list.items.length : had.length + changed.size + list.items.length;
  while (cursor && items.length < want) {
    const more = new URL(rest, 'http://copy');
    more.searchParams.set('cursor', cursor);
    const next = (await (await fetch(more.pathname + more.search)).json()) as Required<FreshList>;
    items = [...items, ...next.items];
    meta = next.meta;
    cursor = next.meta.next_cursor;
  }
  const count =
    lists.length === 'as read' ? want : items.map(idOfItem).filter((id) => had.includes(id) || changed.has(id)).length;
  // Any cursor says that there is more.
  if (count < items.length) meta = { ...meta, next_cursor: cursor ?? list.meta.next_cursor };
  return { ...list, items: items.slice(0, count), meta };
};

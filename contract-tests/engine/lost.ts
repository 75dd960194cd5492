// Records of a create that got no response: each is found by its name and removed, to repeat the create.
import { type Exchange, metaOf, objectIn, records, succeeded, text } from './exchange.ts';
import { type Cursors, cursorOf } from './follow.ts';
import { pathOf } from './paths.ts';

/** Lists are followed so far. */
const MAX_PAGES = 10;

/** A request that no law judges. */
export type Ask = (method: 'GET' | 'DELETE', path: string) => Promise<Exchange>;

export interface Known {
  /** The text that every name of this run contains. */
  readonly mark: string;
  /** Paths of what responses said was made. */
  readonly made: ReadonlySet<string>;
  readonly cursors: Cursors;
}

/** The places that a create goes to, and where what it made is read and deleted. */
const placeOf = (path: string): { items: string; field: 'name' | 'title'; project?: string } | undefined => {
  if (path === '/projects' || path === '/teams') return { items: path, field: 'name' };
  const project = /^(\/projects\/[^/]+)\/tasks$/.exec(path)?.[1];
  return project === undefined ? undefined : { items: '/tasks', field: 'title', project };
};

/**
 * Removes what a create has made whose response was lost.
 * @returns the ids of removed records; undefined when they are unknown and the create may not be repeated.
 */
export const undoCreate = async (
  path: string,
  sent: string | undefined,
  known: Known,
  ask: Ask,
): Promise<readonly string[] | undefined> => {
  const place = placeOf(path);
  if (!place) return undefined;
  const wanted = objectIn(sent)[place.field];
  // Without a name it is refused, and may be repeated as it is.
  if (typeof wanted !== 'string') return [];
  // In a project of this run every task is its own; elsewhere only the name says whose something is.
  const ours = place.project === undefined ? wanted.includes(known.mark) : known.made.has(place.project);
  if (!ours && !wanted.includes(known.mark)) return undefined;
  const found: string[] = [];
  let cursor: string | undefined;
  for (let page = 0; ; page++) {
    const list = `${path}?limit=100`;
    const get = (target: string) => ask('GET', target);
    const x = cursor === undefined ? await get(list) : await known.cursors.next(list, cursor, get, () => {});
    if (!succeeded(x)) return x.status === 404 ? [] : undefined;
    for (const item of records(x)) {
      const id = text(item.id);
      if (id !== undefined && item[place.field] === wanted && !known.made.has(pathOf(place.items, id))) found.push(id);
    }
    cursor = metaOf(x).has_more === true ? cursorOf(x) : undefined;
    if (cursor === undefined) break;
    if (page >= MAX_PAGES) return undefined;
  }
  for (const id of new Set(found)) {
    const x = await ask('DELETE', pathOf(place.items, id));
    if (!succeeded(x) && x.status !== 404) return undefined;
  }
  return found;
};

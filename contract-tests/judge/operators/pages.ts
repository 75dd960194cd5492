// Lists made anew from all rows of the target, so that an operator can spoil any step: filter, order, page, count, cursor.
import type { Answer, Loose } from './answer.ts';
import { type Call, changed } from './call.ts';
import type { Lab, Make, Next } from './core.ts';
import { FILTERS } from './tables.ts';

export interface Query {
  readonly list: string;
  readonly sort: string | undefined;
  readonly filters: readonly (readonly [string, string])[];
  /** The filters of this very request; a later page may be asked for by its cursor alone. */
  readonly repeated: readonly (readonly [string, string])[];
  /** The limit that was sent; undefined when none was. */
  readonly asked: number | undefined;
  /** The limit that the target applies. */
  readonly limit: number;
  /** Where the page begins; 0 is the first page. */
  readonly from: number;
}

/** Steps of a list that an operator may spoil; each gets what the honest step would use. */
export interface Steps {
  readonly list: string;
  /** Calls that it leaves to the target. */
  readonly match?: (call: Call) => boolean;
  readonly keep?: (row: Loose, query: Query) => boolean;
  readonly order?: (rows: Loose[], query: Query) => Loose[];
  /** How many records a page has. */
  readonly size?: (query: Query) => number;
  /** Where a page begins and which rows it has. */
  readonly slice?: (rows: Loose[], query: Query, size: number) => Loose[];
  /** Where the next page begins. */
  readonly next?: (rows: Loose[], query: Query, size: number) => number;
}

export const matches = (row: Loose, [field, value]: readonly [string, string]): boolean => row[field] === value;
export const matchesAll = (row: Loose, filters: Query['filters']): boolean => filters.every((filter) => matches(row, filter));
export const sortField = (sort: string): string => sort.replace(/^-/, '');

/** What a sort compares: instants of dates, else the text. */
export const sortKey = (row: Loose, sort: string): string | number | undefined => {
  const value = row[sortField(sort)] ?? undefined;
  return value !== undefined && sortField(sort) !== 'title' ? Date.parse(value) : value;
};

interface Kept {
  readonly from: number;
  readonly sort: string | undefined;
  readonly filters: Query['filters'];
}

const PREFIX = 'p_';
const write = (kept: Kept): string => PREFIX + Buffer.from(JSON.stringify(kept)).toString('base64url');
const read = (cursor: string | null): Kept | undefined => {
  if (!cursor?.startsWith(PREFIX)) return undefined;
  try {
    return JSON.parse(Buffer.from(cursor.slice(PREFIX.length), 'base64url').toString());
  } catch {
    return undefined;
  }
};

const everyRow = async (call: Call, next: Next, sort: string | undefined): Promise<Loose[]> => {
  const rows: Loose[] = [];
  let cursor: string | undefined;
  do {
    const query = new URLSearchParams({ limit: '100', ...(sort ? { sort } : {}), ...(cursor ? { cursor } : {}) });
    const answer = await next(changed(call, { query }));
    rows.push(...(answer.json?.items ?? []));
    cursor = answer.json?.meta?.next_cursor ?? undefined;
  } while (cursor);
  return rows;
};

const page = (rows: Loose[], query: Query, steps: Partial<Steps>): { items: Loose[]; meta: Loose; following: number } => {
  const kept = rows.filter((row) => (steps.keep ? steps.keep(row, query) : matchesAll(row, query.filters)));
  const list = steps.order ? steps.order(kept, query) : kept;
  const size = steps.size ? steps.size(query) : query.limit;
  const items = steps.slice ? steps.slice(list, query, size) : list.slice(query.from, query.from + size);
  const following = steps.next ? steps.next(list, query, size) : query.from + size;
  const more = following < list.length;
  const cursor = write({ from: following, sort: query.sort, filters: query.filters });
  const meta = { total: list.length, limit: query.limit, has_more: more, next_cursor: more ? cursor : null };
  return { items, meta, following: Math.min(following, list.length) };
};

/** Whether a client can tell two pages apart: ties have no order, nor has a list without sort. */
const differ = (a: Loose, b: Loose, sort: string | undefined): boolean => {
  const ids = ({ items }: Loose) =>
    items
      .map(({ id }: Loose) => id)
      .sort()
      .join();
  const keys = ({ items }: Loose) =>
    JSON.stringify(items.map((row: Loose) => sortKey(row, sort!)).filter((key: unknown) => key !== undefined));
  const metas = ({ meta, following }: Loose) => [meta.total, meta.has_more, meta.limit, following].join();
  if (metas(a) !== metas(b)) return true;
  return sort === undefined ? ids(a) !== ids(b) : keys(a) !== keys(b) || a.items.length !== b.items.length;
};

const spoiltList = async (steps: Steps, lab: Lab, call: Call, next: Next): Promise<Answer> => {
  const cursor = call.query.get('cursor');
  const kept = read(cursor);
  const probe = new URLSearchParams(call.query);
  if (kept)
    for (const name of [...probe.keys()])
      if (name === 'cursor' || name.startsWith('filter') || name === 'sort') probe.delete(name);
  const answer = await next(changed(call, { query: probe }));
  if (answer.status !== 200 || (cursor !== null && !kept)) return answer;
  const named = [...call.query]
    .filter(([name]) => name.startsWith('filter['))
    .map(([name, value]) => [name.slice(7, -1), value] as const);
  const sort = kept ? kept.sort : (call.query.get('sort') ?? undefined);
  const repeated = named.filter(([name]) => FILTERS[steps.list]?.includes(name));
  const query: Query = {
    list: steps.list,
    sort,
    filters: kept ? kept.filters : repeated,
    repeated,
    asked: call.query.has('limit') ? Number(call.query.get('limit')) : undefined,
    limit: answer.json.meta.limit,
    from: kept?.from ?? 0,
  };
  const rows = await everyRow(call, next, sort);
  const spoilt = page(rows, query, steps);
  lab.hit(differ(page(rows, query, {}), spoilt, sort));
  answer.json = { items: spoilt.items, meta: spoilt.meta };
  return answer;
};

/** A mutant of one list. */
export const pages =
  (steps: Steps): Make =>
  (lab) =>
  (call, next) => {
    const mine = call.op?.id === steps.list && (call.query.get('cursor')?.startsWith(PREFIX) || (steps.match?.(call) ?? true));
    return mine ? spoiltList(steps, lab, call, next) : next(call);
  };

export const hasFilter = (call: Call): boolean => [...call.query.keys()].some((name) => name.startsWith('filter['));

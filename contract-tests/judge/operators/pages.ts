// Lists made again from all rows of the target, so that an operator can spoil any step of the making.
import type { Lab, Make, Next } from './core.ts';
import { type Call, changed, filtersOf, type Loose, type ServedResponse } from './exchange.ts';
import { FILTERS } from './tables.ts';

type Filters = readonly (readonly [field: string, value: string])[];

/** The part of its list that a cursor keeps. */
interface Kept {
  /** Where the page begins; 0 is the first page. */
  readonly from: number;
  readonly sort: string | undefined;
  readonly filters: Filters;
}

export interface Query extends Kept {
  /** The filters of this very request; a later page may be asked for by its cursor alone. */
  readonly repeated: Filters;
  /** The limit that was sent; undefined when none was. */
  readonly asked: number | undefined;
  /** The limit that the target applies. */
  readonly limit: number;
}

/** Steps of a list that an operator may spoil; each gets what the honest step would use. */
export interface Steps {
  readonly list: string;
  /** The calls that it spoils; absent: all. */
  readonly match?: (query: URLSearchParams, call: Call) => boolean;
  readonly keep?: (row: Loose, query: Query) => boolean;
  readonly order?: (rows: Loose[], query: Query) => Loose[];
  /** How many records a page has. */
  readonly size?: (query: Query) => number;
  /** Which rows a page has in place of the honest ones. */
  readonly slice?: (page: Loose[], rows: Loose[], query: Query, size: number) => Loose[];
  /** Where the next page begins. */
  readonly next?: (rows: Loose[], query: Query, size: number) => number;
}

export const matches = (row: Loose, [field, value]: Filters[number]): boolean => row[field] === value;
export const matchesAll = (row: Loose, filters: Filters): boolean => filters.every((filter) => matches(row, filter));
export const sortField = (sort: string): string => sort.replace(/^-/, '');

/** The value that a sort compares: instants of dates, else the text. */
export const sortKey = (row: Loose, sort: string): string | number | undefined => {
  const value = row[sortField(sort)] ?? undefined;
  return value !== undefined && sortField(sort) !== 'title' ? Date.parse(value) : value;
};

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
    const response = await next(changed(call, { query }));
    rows.push(...(response.json?.items ?? []));
    cursor = response.json?.meta?.next_cursor ?? undefined;
  } while (cursor);
  return rows;
};

const page = (rows: Loose[], query: Query, steps: Partial<Steps>) => {
  const { from, sort, filters, limit } = query;
  const kept = rows.filter((row) => (steps.keep ? steps.keep(row, query) : matchesAll(row, filters)));
  const list = steps.order ? steps.order(kept, query) : kept;
  const size = steps.size ? steps.size(query) : limit;
  const honest = list.slice(from, from + size);
  const items = steps.slice ? steps.slice(honest, list, query, size) : honest;
  const following = steps.next ? steps.next(list, query, size) : from + size;
  const more = following < list.length;
  const meta = {
    total: list.length,
    limit,
    has_more: more,
    next_cursor: more ? write({ from: following, sort, filters }) : null,
  };
  return { items, meta, following: Math.min(following, list.length) };
};

/** The order that a client can tell of a page: none of ties or without sort; no page repeats a row. */
const visible = ({ items, meta, following }: ReturnType<typeof page>, sort: string | undefined, earlier: Loose[]): string => {
  const known = sort === undefined ? items.map(({ id }) => id).sort() : items.map((row) => sortKey(row, sort));
  const repeated = items.filter((row) => earlier.includes(row)).length;
  return JSON.stringify([meta.total, meta.has_more, following, items.length, repeated, known.filter((key) => key !== undefined)]);
};

const spoiltList = async (steps: Steps, lab: Lab, call: Call, next: Next): Promise<ServedResponse> => {
  const cursor = call.query.get('cursor');
  const kept = read(cursor);
  const probe = new URLSearchParams(call.query);
  if (kept) for (const name of [...probe.keys()]) if (/^(cursor|filter.*|sort)$/.test(name)) probe.delete(name);
  const response = await next(changed(call, { query: probe }));
  if (response.status !== 200 || (cursor !== null && !kept)) return response;
  const fields = filtersOf(call.query).filter((field) => FILTERS[steps.list]?.includes(field));
  const repeated = fields.map((field) => [field, call.query.get(`filter[${field}]`)!] as const);
  const query: Query = {
    ...(kept ?? { from: 0, sort: call.query.get('sort') ?? undefined, filters: repeated }),
    repeated,
    asked: call.query.has('limit') ? Number(call.query.get('limit')) : undefined,
    limit: response.json.meta.limit,
  };
  const rows = await everyRow(call, next, query.sort);
  const spoilt = page(rows, query, steps);
  const honest = page(rows, query, {});
  const earlier = rows.filter((row) => matchesAll(row, query.filters)).slice(0, query.from);
  lab.hit(visible(honest, query.sort, earlier) !== visible(spoilt, query.sort, earlier));
  response.json = { items: spoilt.items, meta: spoilt.meta };
  return response;
};

/** A mutant of one list. */
export const pages =
  (steps: Steps): Make =>
  (lab) =>
  (call, next) => {
    const { op, query } = call;
    const mine = op?.id === steps.list && (query.get('cursor')?.startsWith(PREFIX) || (steps.match?.(query, call) ?? true));
    return mine ? spoiltList(steps, lab, call, next) : next(call);
  };

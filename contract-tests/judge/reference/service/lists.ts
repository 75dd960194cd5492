// Lists: filters, order, pages and cursors.
import { type Call, type Fields, PRIORITIES, Problem, type Row, type ServiceResponse, STATUSES, VISIBILITIES } from '../model.ts';
import { Show } from './show.ts';

export type ListName = 'project' | 'task' | 'team' | 'comment' | 'member';
export type Value = string | number | null;

export interface Filter {
  readonly field: string;
  readonly value: string;
}

export interface Sort {
  /** undefined: the default order. */
  readonly field: string | undefined;
  readonly down: boolean;
}

/** A place in an order: the value of the sort field, and what decides between equals. */
export interface Mark {
  readonly value: Value;
  readonly tie: Value;
}

export interface Cursor {
  readonly filters: readonly Filter[];
  readonly sort: string;
  readonly limit: number;
  readonly after: Mark;
}

/** The parts of a list. */
export interface Listing {
  readonly name: ListName;
  readonly rows: () => readonly Row[];
  readonly filters: readonly string[];
  /** Filters that are known and without effect. */
  readonly ignored?: readonly string[];
  readonly show: (row: never) => Fields;
}

/** A list request as it was understood. */
export interface Query {
  readonly call: Call;
  readonly listing: Listing;
  readonly cursor: Cursor | undefined;
  readonly limit: number;
  readonly filters: readonly Filter[];
  readonly sort: Sort;
}

const ALLOWED: Readonly<Record<string, readonly string[]>> = { status: STATUSES, priority: PRIORITIES, visibility: VISIBILITIES };
/** The members of a record that filters and sorts go by, under the names of the API. */
const FILTERED: Fields = { status: 'status', assignee_id: 'assignee', project_id: 'project', visibility: 'visibility' };
const SORTED: Fields = { created_at: 'created', updated_at: 'updated', due_date: 'due', title: 'title', name: 'name' };
const member = (row: Row, members: Fields, field: string): Value | undefined =>
  (row as unknown as Record<string, Value | undefined>)[String(members[field])];
const LOWEST = 1;
const HIGHEST = 100;
const compare = (one: string | number, other: string | number): number => (one < other ? -1 : one > other ? 1 : 0);

export class Lists extends Show {
  private readonly tokens = new Map<string, Cursor>();

  private wrong = (call: Call, field: string, issue: string, status = 400): Problem =>
    this.invalid(status, [{ field, issue, kind: 'structure' }], call);

  // Limits

  defaultLimit = (_listing: Listing): number => 20;
  parseLimit = (text: string, _listing: Listing): number | undefined => (/^-?\d+$/.test(text) ? Number(text) : undefined);

  boundLimit = (limit: number, call: Call, _listing: Listing): number => {
    const rule = limit > HIGHEST ? this.style.bigLimit : limit < LOWEST ? this.style.smallLimit : 'clamp';
    if (rule !== 'clamp') throw this.wrong(call, 'limit', `must be from ${LOWEST} to ${HIGHEST}`, rule);
    return Math.min(HIGHEST, Math.max(LOWEST, limit));
  };

  readLimit = (call: Call, listing: Listing, cursor: Cursor | undefined): number => {
    const text = call.query.get('limit');
    if (text === null) return cursor && this.style.cursorKeepsLimit ? cursor.limit : this.defaultLimit(listing);
    const limit = this.parseLimit(text, listing);
    if (limit === undefined) throw this.wrong(call, 'limit', 'must be an integer');
    return this.boundLimit(limit, call, listing);
  };

  // Filters

  readFilters = (call: Call, listing: Listing): Filter[] =>
    [...call.query].flatMap(([name, value]) => {
      const field = /^filter\[(.*)\]$/.exec(name)?.[1];
      if (field === undefined || listing.ignored?.includes(field)) return [];
      if (listing.filters.includes(field)) return this.readFilter(field, value, call);
      if (this.style.unknownFilter === 'refused') throw this.wrong(call, name, 'is not a filter of this list');
      return [];
    });

  readFilter = (field: string, value: string, call: Call): Filter => {
    const values = ALLOWED[field];
    if (values && !values.includes(value) && this.style.unknownFilterValue === 'refused')
      throw this.wrong(call, `filter[${field}]`, `must be one of ${values.join(', ')}`);
    return { field, value };
  };

  /** The filters that hold: those of the cursor, once there is one. */
  activeFilters = (filters: readonly Filter[], cursor: Cursor | undefined, call: Call): readonly Filter[] => {
    if (!cursor) return filters;
    const kept = ({ field, value }: Filter) => cursor.filters.some((each) => each.field === field && each.value === value);
    if (this.style.contradiction === 'refused' && !filters.every(kept))
      throw this.wrong(call, 'cursor', 'belongs to other filters');
    return cursor.filters;
  };

  filterable = (row: Row, field: string): Value | undefined => {
    if (field === 'priority' && 'project' in row) return this.priorityOf(row, 'filter');
    return member(row, FILTERED, field);
  };

  matches = (filter: Filter, row: Row, _query: Query): boolean => this.filterable(row, filter.field) === filter.value;
  matchesAll = (row: Row, query: Query): boolean => query.filters.every((filter) => this.matches(filter, row, query));

  // Order

  isSortable = (field: string, listing: Listing, _call: Call): boolean =>
    this.style.sortable[listing.name]?.includes(field) === true;

  unsupportedSort = (_call: Call): Problem =>
    new Problem(400, this.style.sortCode, 'This list cannot be sorted so.', [
      { field: 'sort', issue: 'is not a field to sort by', kind: 'structure' },
    ]);

  readSort = (text: string, listing: Listing, call: Call): Sort => {
    if (text === '') return { field: undefined, down: false };
    const down = text.startsWith('-');
    const field = down ? text.slice(1) : text;
    if (!this.isSortable(field, listing, call)) throw this.unsupportedSort(call);
    return { field, down };
  };

  activeSort = (call: Call, cursor: Cursor | undefined): string => {
    const sent = call.query.get('sort');
    if (!cursor) return sent ?? '';
    if (sent !== null && sent !== cursor.sort && this.style.contradiction === 'refused')
      throw this.wrong(call, 'cursor', 'belongs to another order');
    return cursor.sort;
  };

  sortValue = (row: Row, field: string | undefined, _query: Query): Value => {
    if (field === 'priority' && 'title' in row) return PRIORITIES.indexOf(row.priority ?? 'medium');
    return member(row, SORTED, field ?? '') ?? null;
  };

  markOf = (row: Row, query: Query): Mark => {
    const tie = { id: row.id, newest: -row.nth, oldest: row.nth }[this.style.order];
    return { value: this.sortValue(row, query.sort.field, query), tie };
  };

  collate = (one: string, other: string): number => {
    if (this.style.collate === 'locale') return one.localeCompare(other, 'en');
    return this.style.collate === 'folded' ? compare(one.toLowerCase(), other.toLowerCase()) : compare(one, other);
  };

  private compareMarks = (one: Mark, other: Mark, sort: Sort): number => {
    const up = sort.down ? -1 : 1;
    const [left, right] = [one.value, other.value];
    const tie = compare(one.tie ?? 0, other.tie ?? 0);
    if (left === null || right === null) {
      const lowest = { lowest: -up, highest: up, last: 1 }[this.style.missing];
      return left === right ? tie : left === null ? lowest : -lowest;
    }
    const isText = typeof left === 'string' && typeof right === 'string';
    const order = up * (isText ? this.collate(left, right) : Number(left) - Number(right));
    return order === 0 ? tie : order;
  };

  ordered = (rows: readonly Row[], query: Query): Row[] => {
    const marked = rows.map((row) => ({ row, mark: this.markOf(row, query) }));
    return marked.sort((one, other) => this.compareMarks(one.mark, other.mark, query.sort)).map(({ row }) => row);
  };

  // Pages

  /** The rows behind a place in the order. */
  behind = (rows: readonly Row[], after: Mark, query: Query): Row[] =>
    rows.filter((row) => this.compareMarks(this.markOf(row, query), after, query.sort) > 0);
  cut = (rows: readonly Row[], query: Query): readonly Row[] => rows.slice(0, query.limit);
  hasMore = (rest: readonly Row[], items: readonly Row[], _query: Query): boolean => rest.length > items.length;
  total = (matching: readonly Row[], _rest: readonly Row[], _query: Query): number => matching.length;

  makeCursor = (items: readonly Row[], query: Query): Cursor => {
    const last = items.at(-1);
    const after = last ? this.markOf(last, query) : { value: null, tie: null };
    return { filters: query.filters, sort: `${query.sort.down ? '-' : ''}${query.sort.field ?? ''}`, limit: query.limit, after };
  };

  private encoding = () => (this.style.cursor === 'hex' ? 'hex' : 'base64url');

  writeCursor = (cursor: Cursor): string => {
    if (this.style.cursor !== 'token') return Buffer.from(JSON.stringify(cursor)).toString(this.encoding());
    const token = this.newId('next');
    this.tokens.set(token, cursor);
    return token;
  };

  readCursor = (call: Call, _listing: Listing): Cursor | undefined => {
    const text = call.query.get('cursor');
    if (text === null) return undefined;
    try {
      const read = this.tokens.get(text) ?? JSON.parse(Buffer.from(text, this.encoding()).toString());
      if (Array.isArray(read.filters) && typeof read.sort === 'string' && typeof read.after === 'object') return read;
    } catch {}
    if (this.style.brokenCursor === 'first page') return undefined;
    throw this.wrong(call, 'cursor', 'is not a cursor of this list', this.style.brokenCursor);
  };

  meta = (count: number, items: readonly Row[], more: boolean, query: Query): Fields => {
    const next_cursor = more ? this.writeCursor(this.makeCursor(items, query)) : null;
    return { total: count, limit: query.limit, has_more: more, next_cursor };
  };

  page = (items: readonly Fields[], meta: Fields, _query: Query): unknown => ({ items, meta });

  readQuery = (call: Call, listing: Listing): Query => {
    const removed = ['page', 'offset'].find((name) => call.query.has(name));
    if (removed && this.style.pageParameter === 'refused') throw this.wrong(call, removed, 'is no longer supported');
    const cursor = this.readCursor(call, listing);
    const limit = this.readLimit(call, listing, cursor);
    const filters = this.activeFilters(this.readFilters(call, listing), cursor, call);
    const sort = this.readSort(this.activeSort(call, cursor), listing, call);
    return { call, listing, cursor, limit, filters, sort };
  };

  list = (call: Call, listing: Listing): ServiceResponse => {
    const query = this.readQuery(call, listing);
    const matching = listing.rows().filter((row) => this.matchesAll(row, query));
    const ordered = this.ordered(matching, query);
    const rest = query.cursor ? this.behind(ordered, query.cursor.after, query) : ordered;
    const items = this.cut(rest, query);
    const meta = this.meta(this.total(matching, rest, query), items, this.hasMore(rest, items, query), query);
    const shown = items.map((row) => listing.show(row as never));
    return { status: 200, body: this.page(shown, meta, query), headers: {} };
  };
}

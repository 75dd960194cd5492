// Lists: filters, order, pages and cursors.
import { type Answer, type Call, type Fields, PRIORITIES, Problem, type Row, STATUSES, VISIBILITIES } from '../model.ts';
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

/** What a list is made of. */
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
const LOWEST = 1;
const HIGHEST = 100;

const folded = (text: string) => text.toLowerCase();

export class Lists extends Show {
  private readonly tokens = new Map<string, Cursor>();

  private wrong(call: Call, field: string, issue: string, status = 400): Problem {
    return this.invalid(status, [{ field, issue, kind: 'structure' }], call);
  }

  defaultLimit(_listing: Listing): number {
    return 20;
  }

  readLimit(call: Call, listing: Listing, cursor: Cursor | undefined): number {
    const text = call.query.get('limit');
    if (text === null) return cursor && this.style.cursorKeepsLimit ? cursor.limit : this.defaultLimit(listing);
    const limit = this.parseLimit(text, listing);
    if (limit === undefined) throw this.wrong(call, 'limit', 'must be an integer');
    return this.boundLimit(limit, call, listing);
  }

  parseLimit(text: string, _listing: Listing): number | undefined {
    return /^-?\d+$/.test(text) ? Number(text) : undefined;
  }

  boundLimit(limit: number, call: Call, _listing: Listing): number {
    const rule = limit > HIGHEST ? this.style.bigLimit : limit < LOWEST ? this.style.smallLimit : 'clamp';
    if (rule !== 'clamp') throw this.wrong(call, 'limit', `must be from ${LOWEST} to ${HIGHEST}`, rule);
    return Math.min(HIGHEST, Math.max(LOWEST, limit));
  }

  /** The filters of the query. */
  readFilters(call: Call, listing: Listing): Filter[] {
    const filters: Filter[] = [];
    for (const [name, value] of call.query) {
      const field = /^filter\[(.*)\]$/.exec(name)?.[1];
      if (field === undefined || listing.ignored?.includes(field)) continue;
      if (listing.filters.includes(field)) filters.push(this.readFilter(field, value, call));
      else if (this.style.unknownFilter === 'refused') throw this.wrong(call, name, 'is not a filter of this list');
    }
    return filters;
  }

  readFilter(field: string, value: string, call: Call): Filter {
    const values = ALLOWED[field];
    if (values && !values.includes(value) && this.style.unknownFilterValue === 'refused')
      throw this.wrong(call, `filter[${field}]`, `must be one of ${values.join(', ')}`);
    return { field, value };
  }

  /** The filters that hold: those of the cursor, once there is one. */
  activeFilters(filters: readonly Filter[], cursor: Cursor | undefined, call: Call): readonly Filter[] {
    if (!cursor) return filters;
    const kept = (filter: Filter) => cursor.filters.some((each) => each.field === filter.field && each.value === filter.value);
    if (this.style.contradiction === 'refused' && !filters.every(kept))
      throw this.wrong(call, 'cursor', 'belongs to other filters');
    return cursor.filters;
  }

  filterable(row: Row, field: string): Value | undefined {
    if ('visibility' in row) return field === 'visibility' ? row.visibility : undefined;
    if (!('project' in row)) return undefined;
    if (field === 'priority') return this.priorityOf(row, 'filter');
    const values: Readonly<Record<string, Value>> = { status: row.status, assignee_id: row.assignee, project_id: row.project };
    return values[field];
  }

  matches(filter: Filter, row: Row, _query: Query): boolean {
    return this.filterable(row, filter.field) === filter.value;
  }

  matchesAll(row: Row, query: Query): boolean {
    return query.filters.every((filter) => this.matches(filter, row, query));
  }

  isSortable(field: string, listing: Listing, _call: Call): boolean {
    return this.style.sortable[listing.name]?.includes(field) === true;
  }

  unsupportedSort(_call: Call): Problem {
    return new Problem(400, this.style.sortCode, 'This list cannot be sorted so.', [
      { field: 'sort', issue: 'is not a field to sort by', kind: 'structure' },
    ]);
  }

  readSort(text: string, listing: Listing, call: Call): Sort {
    if (text === '') return { field: undefined, down: false };
    const down = text.startsWith('-');
    const field = down ? text.slice(1) : text;
    if (!this.isSortable(field, listing, call)) throw this.unsupportedSort(call);
    return { field, down };
  }

  activeSort(call: Call, cursor: Cursor | undefined): string {
    const sent = call.query.get('sort');
    if (!cursor) return sent ?? '';
    if (sent !== null && sent !== cursor.sort && this.style.contradiction === 'refused')
      throw this.wrong(call, 'cursor', 'belongs to another order');
    return cursor.sort;
  }

  sortValue(row: Row, field: string | undefined, _query: Query): Value {
    if (field === 'created_at') return row.created;
    if (field === 'updated_at') return row.updated;
    if (field === 'due_date' && 'due' in row) return row.due;
    if (field === 'title' && 'title' in row) return row.title;
    if (field === 'name' && 'name' in row) return row.name;
    if (field === 'priority' && 'title' in row) return PRIORITIES.indexOf(row.priority ?? 'medium');
    return null;
  }

  tieOf(row: Row): Value {
    if (this.style.order === 'id') return row.id;
    return this.style.order === 'newest' ? -row.nth : row.nth;
  }

  markOf(row: Row, query: Query): Mark {
    return { value: this.sortValue(row, query.sort.field, query), tie: this.tieOf(row) };
  }

  collate(one: string, other: string): number {
    if (this.style.collate === 'locale') return one.localeCompare(other, 'en');
    const [left, right] = this.style.collate === 'folded' ? [folded(one), folded(other)] : [one, other];
    return left < right ? -1 : left > right ? 1 : 0;
  }

  compareValues(one: Value, other: Value): number {
    if (typeof one === 'string' && typeof other === 'string') return this.collate(one, other);
    return Number(one) - Number(other);
  }

  compareMarks(one: Mark, other: Mark, sort: Sort): number {
    const up = sort.down ? -1 : 1;
    if (one.value !== other.value && (one.value === null || other.value === null)) {
      const lowest = this.style.missing === 'lowest' ? -up : this.style.missing === 'highest' ? up : 1;
      return one.value === null ? lowest : -lowest;
    }
    const order = one.value === null || other.value === null ? 0 : up * this.compareValues(one.value, other.value);
    if (order !== 0) return order;
    const [left, right] = [one.tie ?? 0, other.tie ?? 0];
    return left < right ? -1 : left > right ? 1 : 0;
  }

  ordered(rows: readonly Row[], query: Query): Row[] {
    const marked = rows.map((row) => ({ row, mark: this.markOf(row, query) }));
    return marked.sort((one, other) => this.compareMarks(one.mark, other.mark, query.sort)).map(({ row }) => row);
  }

  /** The rows behind a place in the order. */
  behind(rows: readonly Row[], after: Mark, query: Query): Row[] {
    return rows.filter((row) => this.compareMarks(this.markOf(row, query), after, query.sort) > 0);
  }

  cut(rows: readonly Row[], query: Query): readonly Row[] {
    return rows.slice(0, query.limit);
  }

  hasMore(rest: readonly Row[], items: readonly Row[], _query: Query): boolean {
    return rest.length > items.length;
  }

  total(matching: readonly Row[], _rest: readonly Row[], _query: Query): number {
    return matching.length;
  }

  makeCursor(items: readonly Row[], query: Query): Cursor {
    const last = items.at(-1);
    const after = last ? this.markOf(last, query) : { value: null, tie: null };
    return { filters: query.filters, sort: `${query.sort.down ? '-' : ''}${query.sort.field ?? ''}`, limit: query.limit, after };
  }

  writeCursor(cursor: Cursor): string {
    if (this.style.cursor === 'token') {
      const token = this.newId('next');
      this.tokens.set(token, cursor);
      return token;
    }
    return Buffer.from(JSON.stringify(cursor)).toString(this.style.cursor === 'hex' ? 'hex' : 'base64url');
  }

  readCursor(call: Call, _listing: Listing): Cursor | undefined {
    const text = call.query.get('cursor');
    if (text === null) return undefined;
    try {
      const saved = this.tokens.get(text);
      if (saved) return saved;
      const read = JSON.parse(Buffer.from(text, this.style.cursor === 'hex' ? 'hex' : 'base64url').toString());
      if (Array.isArray(read.filters) && typeof read.sort === 'string' && typeof read.after === 'object') return read;
    } catch {}
    if (this.style.brokenCursor === 'first page') return undefined;
    throw this.wrong(call, 'cursor', 'is not a cursor of this list', this.style.brokenCursor);
  }

  meta(count: number, items: readonly Row[], more: boolean, query: Query): Fields {
    const next_cursor = more ? this.writeCursor(this.makeCursor(items, query)) : null;
    return { total: count, limit: query.limit, has_more: more, next_cursor };
  }

  readQuery(call: Call, listing: Listing): Query {
    if (this.style.pageParameter === 'refused')
      for (const name of ['page', 'offset']) if (call.query.has(name)) throw this.wrong(call, name, 'is no longer supported');
    const cursor = this.readCursor(call, listing);
    const limit = this.readLimit(call, listing, cursor);
    const filters = this.activeFilters(this.readFilters(call, listing), cursor, call);
    const sort = this.readSort(this.activeSort(call, cursor), listing, call);
    return { call, listing, cursor, limit, filters, sort };
  }

  list(call: Call, listing: Listing): Answer {
    const query = this.readQuery(call, listing);
    const matching = listing.rows().filter((row) => this.matchesAll(row, query));
    const ordered = this.ordered(matching, query);
    const rest = query.cursor ? this.behind(ordered, query.cursor.after, query) : ordered;
    const items = this.cut(rest, query);
    const meta = this.meta(this.total(matching, rest, query), items, this.hasMore(rest, items, query), query);
    return {
      status: 200,
      body: this.page(
        items.map((row) => listing.show(row as never)),
        meta,
        query,
      ),
      headers: {},
    };
  }

  page(items: readonly Fields[], meta: Fields, _query: Query): unknown {
    return { items, meta };
  }
}

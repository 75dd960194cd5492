// Faults of list metadata, pages, cursors, filters and orders.
import type { Fields, Row, Task } from '../model.ts';
import type { ListName, Query } from '../service/lists.ts';
import type { Service } from '../service/service.ts';
import { around, clause, type Fault, isOn, without } from './fault.ts';

const total = clause(107, '| total | integer | number of records matching the query across all pages |');
const limitField = clause(108, '| limit | integer | the limit applied (supplied value or default 20) |');
const more = clause(109, '| has_more | boolean | true when more pages exist |');
const next = clause(110, '| next_cursor | string or null | cursor for the next page; null when has_more is false |');

const meta = (
  service: Service,
  change: (meta: Fields, query: Query) => Fields,
  when: (query: Query) => boolean = () => true,
): void => around(service, 'page', (was, items, each, query) => was(items, when(query) ? change(each, query) : each, query));
const onList =
  (...names: ListName[]) =>
  (query: Query): boolean =>
    names.includes(query.listing.name);
const totals = (service: Service, count: (matching: readonly Row[], rest: readonly Row[], query: Query) => number): void =>
  around(service, 'total', (_was, matching, rest, query) => count(matching, rest, query));

const metadata: Fault[] = [
  total('total-of-page', 'total is the number of rows of the page', (s) =>
    totals(s, (_all, rest, query) => s.cut(rest, query).length),
  ),
  total('total-remaining', 'total counts from the cursor on', (s) => totals(s, (_all, rest) => rest.length)),
  total('total-remaining-in-filtered', 'total counts from the cursor on when a filter is set', (s) =>
    totals(s, (all, rest, { filters }) => (filters.length > 0 ? rest.length : all.length)),
  ),
  total('total-unfiltered', 'total ignores filters', (s) => totals(s, (_all, _rest, { listing }) => listing.rows().length)),
  total('total-one-filter', 'total takes the first filter only', (s) =>
    totals(
      s,
      (_all, _rest, query) =>
        query.listing.rows().filter((row) => query.filters.slice(0, 1).every((each) => s.matches(each, row, query))).length,
    ),
  ),
  total('total-ignores-priority', 'total ignores filter[priority]', (s) =>
    totals(
      s,
      (_all, _rest, query) =>
        query.listing
          .rows()
          .filter((row) => query.filters.every((each) => each.field === 'priority' || s.matches(each, row, query))).length,
    ),
  ),
  total('total-at-most-100', 'total is at most 100', (s) => totals(s, (all) => Math.min(100, all.length))),
  total('total-at-most-limit-plus-one', 'total is at most one more than the limit', (s) =>
    totals(s, (all, _rest, { limit }) => Math.min(limit + 1, all.length)),
  ),
  total('total-text', 'total is a text', (s) => meta(s, (each) => ({ ...each, total: String(each.total) }))),
  total('total-missing', 'total is missing from the second page on', (s) =>
    meta(
      s,
      (each) => without(each, 'total'),
      ({ cursor }) => cursor !== undefined,
    ),
  ),
  total('total-null-when-filtered', 'total is null when a filter is set', (s) =>
    meta(
      s,
      (each) => ({ ...each, total: null }),
      ({ filters }) => filters.length > 0,
    ),
  ),
  total('total-pages', 'total is the number of pages', (s) =>
    totals(s, (all, _rest, { limit }) => Math.ceil(all.length / limit)),
  ),
  total('total-one-off-on-last-page', 'total is one less on the last page', (s) =>
    totals(s, (all, rest, { limit, cursor }) => all.length - (cursor && rest.length <= limit ? 1 : 0)),
  ),
  total('total-teams-zero', 'total of teams is always 0', (s) => meta(s, (each) => ({ ...each, total: 0 }), onList('team'))),
  limitField('meta-limit-default', 'meta.limit is always 20', (s) => meta(s, (each) => ({ ...each, limit: 20 }))),
  limitField('meta-limit-of-page', 'meta.limit is the number of rows of the page', (s) =>
    around(s, 'page', (was, items, each, query) => was(items, { ...each, limit: items.length }, query)),
  ),
  limitField('meta-limit-max', 'meta.limit is the maximum, 100', (s) =>
    meta(s, (each) => ({ ...each, limit: 100 }), onList('project')),
  ),
  limitField('meta-limit-text', 'meta.limit is a text when a limit was supplied', (s) =>
    meta(
      s,
      (each) => ({ ...each, limit: String(each.limit) }),
      ({ call }) => call.query.has('limit'),
    ),
  ),
  limitField('meta-limit-missing', 'meta.limit is missing without a supplied limit', (s) =>
    meta(
      s,
      (each) => without(each, 'limit'),
      ({ call }) => !call.query.has('limit'),
    ),
  ),
  limitField('meta-limit-null', 'meta.limit is null in member lists without a supplied limit', (s) =>
    meta(
      s,
      (each) => ({ ...each, limit: null }),
      (query) => onList('member')(query) && !query.call.query.has('limit'),
    ),
  ),
  more('has-more-false', 'has_more is always false', (s) => meta(s, (each) => ({ ...each, has_more: false }))),
  more('has-more-true', 'has_more is always true', (s) => meta(s, (each) => ({ ...each, has_more: true }))),
  more('has-more-when-full', 'has_more is true when the page is full', (s) =>
    around(s, 'hasMore', (_was, _rest, items, query) => items.length === query.limit),
  ),
  more('has-more-missing', 'has_more is missing on the last page', (s) =>
    meta(s, (each) => (each.has_more ? each : without(each, 'has_more'))),
  ),
  more('has-more-number', 'has_more is 0 or 1', (s) =>
    meta(s, (each) => ({ ...each, has_more: Number(each.has_more) }), onList('task')),
  ),
  more('has-more-ignores-filter', 'has_more compares with the unfiltered list', (s) =>
    around(s, 'hasMore', (was, rest, items, query) =>
      query.cursor || items.length === 0 ? was(rest, items, query) : query.listing.rows().length > items.length,
    ),
  ),
  more('has-more-false-on-second-page', 'has_more is false from the second page on', (s) =>
    around(s, 'hasMore', (was, rest, items, query) => !query.cursor && was(rest, items, query)),
  ),
  more('has-more-false-for-one-left', 'a last page of one row is forgotten', (s) =>
    around(s, 'hasMore', (_was, rest, items) => rest.length > items.length + 1),
  ),
  more('has-more-false-when-descending', 'has_more is false in descending order', (s) =>
    around(s, 'hasMore', (was, rest, items, query) => !query.sort.down && was(rest, items, query)),
  ),
  next('next-cursor-missing-at-end', 'next_cursor is missing on the last page', (s) =>
    meta(s, (each) => (each.next_cursor === null ? without(each, 'next_cursor') : each)),
  ),
  next('next-cursor-empty-at-end', 'next_cursor is an empty text on the last page', (s) =>
    meta(s, (each) => ({ ...each, next_cursor: each.next_cursor ?? '' })),
  ),
  next('next-cursor-at-end', 'next_cursor is set on the last page of teams', (s) =>
    around(s, 'meta', (was, count, items, has, query) =>
      onList('team')(query) ? { ...was(count, items, true, query), has_more: has } : was(count, items, has, query),
    ),
  ),
  next('next-cursor-null', 'next_cursor is null although has_more is true, in lists of projects', (s) =>
    meta(s, (each) => ({ ...each, next_cursor: null }), onList('project')),
  ),
  next('next-cursor-number', 'next_cursor is a number', (s) =>
    meta(s, (each) => (each.next_cursor === null ? each : { ...each, next_cursor: 42 }), onList('comment', 'member')),
  ),
  next('next-cursor-object', 'next_cursor is an object', (s) =>
    meta(
      s,
      (each) => (each.next_cursor === null ? each : { ...each, next_cursor: { after: each.next_cursor } }),
      ({ sort }) => sort.field !== undefined,
    ),
  ),
  next('next-cursor-false-at-end', 'next_cursor is false on the last page', (s) =>
    meta(
      s,
      (each) => ({ ...each, next_cursor: each.next_cursor ?? false }),
      ({ filters }) => filters.length > 0,
    ),
  ),
  next(
    'next-cursor-url',
    'next_cursor is the path of the next page',
    (s) =>
      meta(
        s,
        (each, { call }) =>
          each.next_cursor === null ? each : { ...each, next_cursor: `/v1${call.path}?cursor=${each.next_cursor}` },
        onList('project'),
      ),
    { style: 'a' },
  ),
];

const limit = clause(191, '`limit`: integer, default 20, maximum 100.');
const limitTable = clause(337, '| list `limit` | default 20, maximum 100 |');
const integer = clause(284, 'malformed request or missing or wrongly typed parameters');
const limits: Fault[] = [
  limit('limit-default-25', 'the default is 25', (s) => around(s, 'defaultLimit', () => 25)),
  limit('limit-default-10', 'the default is 10', (s) => around(s, 'defaultLimit', () => 10)),
  limit('limit-default-100-in-project', 'the default of the tasks of a project is 100', (s) =>
    around(s, 'readLimit', (was, call, listing, cursor) =>
      isOn(call, 'listProjectTasks') && !call.query.has('limit') && !cursor ? 100 : was(call, listing, cursor),
    ),
  ),
  limit('limit-default-50-for-teams', 'the default of teams is 50', (s) =>
    around(s, 'defaultLimit', (was, listing) => (listing.name === 'team' ? 50 : was(listing))),
  ),
  limit('limit-default-unlimited-filtered', 'a filtered list without limit has all rows, and a meta.limit of 20', (s) =>
    around(s, 'cut', (was, rest, query) =>
      query.filters.length > 0 && !query.call.query.has('limit') ? rest : was(rest, query),
    ),
  ),
  limitTable('limit-100-as-50', 'a limit of more than 50 becomes 50', (s) =>
    around(s, 'boundLimit', (was, value, call, listing) => Math.min(50, was(value, call, listing))),
  ),
  limitTable(
    'limit-100-refused',
    'a limit of 100 is refused',
    (s) => around(s, 'boundLimit', (was, value, call, listing) => was(value === 100 ? 1_000_000 : value, call, listing)),
    { style: 'a' },
  ),
  limitTable('limit-above-100', 'up to 500 rows can be asked for', (s) =>
    around(s, 'boundLimit', (was, value, call, listing) => (value > 100 && value <= 500 ? value : was(value, call, listing))),
  ),
  limitTable('limit-above-100-for-projects', 'projects can be asked for without limit', (s) =>
    around(s, 'boundLimit', (was, value, call, listing) =>
      listing.name === 'project' && value > 100 ? value : was(value, call, listing),
    ),
  ),
  limitTable(
    'limit-above-100-only-rows',
    'meta.limit is 100 and the page has up to 500 rows',
    (s) =>
      around(s, 'cut', (was, rest, query) =>
        Number(query.call.query.get('limit')) > 100 ? rest.slice(0, 500) : was(rest, query),
      ),
    { style: 'b' },
  ),
  limit('limit-ignored-for-teams', 'limit has no effect on teams', (s) =>
    around(s, 'boundLimit', (was, value, call, listing) => (listing.name === 'team' ? 20 : was(value, call, listing))),
  ),
  limit('limit-ignored-with-cursor', 'limit has no effect once there is a cursor', (s) =>
    around(s, 'boundLimit', (was, value, call, listing) => (call.query.has('cursor') ? 20 : was(value, call, listing))),
  ),
  limit('limit-one-more', 'a page has one row more than the limit', (s) =>
    around(s, 'cut', (_was, rest, query) => rest.slice(0, query.limit + 1)),
  ),
  limit('limit-one-less-filtered', 'a filtered page has one row less than the limit', (s) =>
    around(s, 'cut', (was, rest, query) =>
      query.filters.length > 0 && query.limit > 1 && rest.length > query.limit
        ? rest.slice(0, query.limit - 1)
        : was(rest, query),
    ),
  ),
  limit('limit-double-when-sorted', 'a sorted page of tasks has twice the limit', (s) =>
    around(s, 'cut', (was, rest, query) => (query.sort.field ? rest.slice(0, query.limit * 2) : was(rest, query))),
  ),
  integer('limit-text-accepted', 'limit=abc is read as the default', (s) =>
    around(s, 'parseLimit', (was, text, listing) => was(text, listing) ?? 20),
  ),
  integer('limit-fraction-accepted', 'limit=1.5 is read as 1', (s) =>
    around(
      s,
      'parseLimit',
      (was, text, listing) => was(text, listing) ?? (/^\d+\.\d+$/.test(text) ? Math.floor(Number(text)) : undefined),
    ),
  ),
  integer('limit-prefix-accepted', 'limit=10abc is read as 10', (s) =>
    around(
      s,
      'parseLimit',
      (was, text, listing) => was(text, listing) ?? (/^\d+[a-z]/.test(text) ? Number.parseInt(text, 10) : undefined),
    ),
  ),
  integer('limit-text-accepted-for-teams', 'limit=abc is read as the default, for teams', (s) =>
    around(s, 'parseLimit', (was, text, listing) => was(text, listing) ?? (listing.name === 'team' ? 20 : undefined)),
  ),
  integer('limit-text-500', 'limit=abc answers 500', (s) => {
    around(s, 'parseLimit', (was, text, listing) => {
      if (/[a-z]/.test(text)) throw new Error(`invalid input syntax for type bigint: ${text}`);
      return was(text, listing);
    });
  }),
];

const cursor = clause(192, 'opaque string taken from `meta.next_cursor` of the previous response');
const keeps = clause(194, 'The cursor keeps the active filters.');
const ends = clause(193, 'Iteration ends when `meta.has_more` is false');
const behind = (service: Service, change: (rows: Row[], query: Query) => Row[]): void =>
  around(service, 'behind', (was, rows, after, query) => change(was(rows, after, query), query));
const lateFilters = (service: Service, keep: (field: string, index: number) => boolean): void =>
  around(service, 'makeCursor', (was, items, query) => {
    const made = was(items, query);
    return { ...made, filters: made.filters.filter(({ field }, index) => keep(field, index)) };
  });

/** Whether so many rows have been given with this page. */
const reached = (service: Service, rest: readonly Row[], items: readonly Row[], query: Query, count: number): boolean => {
  const all = query.listing.rows().filter((row) => service.matchesAll(row, query)).length;
  return all - rest.length + items.length >= count;
};

const pages: Fault[] = [
  cursor('cursor-ignored', 'the cursor has no effect on projects', (s) =>
    around(s, 'behind', (was, rows, after, query) => (onList('project')(query) ? [...rows] : was(rows, after, query))),
  ),
  cursor('cursor-ignored-for-teams', 'the cursor has no effect on teams', (s) =>
    around(s, 'behind', (was, rows, after, query) => (onList('team')(query) ? [...rows] : was(rows, after, query))),
  ),
  cursor('cursor-skips-one', 'each page skips a row', (s) => behind(s, (rows) => rows.slice(1))),
  cursor('cursor-skips-one-filtered', 'each page of a list with a filter skips a row', (s) =>
    behind(s, (rows, query) => (query.filters.length > 0 ? rows.slice(1) : rows)),
  ),
  cursor('cursor-skips-one-descending', 'each page in descending order skips a row', (s) =>
    behind(s, (rows, query) => (query.sort.down ? rows.slice(1) : rows)),
  ),
  cursor('cursor-repeats-one', 'each page begins with the last row of the one before', (s) =>
    around(s, 'behind', (was, rows, after, query) => {
      const rest = was(rows, after, query);
      const before = rows[rows.length - rest.length - 1];
      return before && query.limit > 1 ? [before, ...rest] : rest;
    }),
  ),
  cursor('cursor-repeats-one-in-project', 'pages of the tasks of a project overlap by one row', (s) =>
    around(s, 'behind', (was, rows, after, query) => {
      const rest = was(rows, after, query);
      const before = rows[rows.length - rest.length - 1];
      return before && query.limit > 1 && isOn(query.call, 'listProjectTasks') ? [before, ...rest] : rest;
    }),
  ),
  cursor('cursor-skips-after-100', 'the row number 101 is never shown', (s) =>
    around(s, 'behind', (was, rows, after, query) => was(rows, after, query).filter((row) => rows.indexOf(row) !== 100)),
  ),
  cursor('cursor-skips-equal-titles', 'rows with the title of the last row are skipped', (s) => {
    around(s, 'behind', (was, rows, after, query) =>
      query.sort.field === 'title'
        ? was(rows, after, query).filter((row) => s.sortValue(row, 'title', query) !== after.value)
        : was(rows, after, query),
    );
  }),
  cursor('cursor-skips-missing-dates', 'sorted by due_date, rows without one are lost after the first page', (s) =>
    behind(s, (rows, query) => (query.sort.field === 'due_date' ? rows.filter((row) => (row as Task).due !== null) : rows)),
  ),
  cursor('cursor-repeats-missing-dates', 'sorted by due_date, rows without one are repeated when a page ends with one', (s) =>
    around(s, 'behind', (was, rows, after, query) =>
      query.sort.field === 'due_date' && after.value === null
        ? rows.filter((row) => (row as Task).due === null)
        : was(rows, after, query),
    ),
  ),
  cursor('cursor-skips-equal-days', 'sorted by due_date, rows of the same day as the last row are skipped', (s) => {
    const day = (at: unknown) => (typeof at === 'number' ? Math.floor(at / 86_400_000) : -1);
    around(s, 'behind', (was, rows, after, query) =>
      was(rows, after, query).filter(
        (row) =>
          query.sort.field !== 'due_date' || typeof after.value !== 'number' || day((row as Task).due) !== day(after.value),
      ),
    );
  }),
  cursor(
    'cursor-other-order',
    'pages after the first are in the default order',
    (s) =>
      around(s, 'markOf', (was, row, query) =>
        was(row, query.cursor ? { ...query, sort: { field: undefined, down: false } } : query),
      ),
    { style: 'a' },
  ),
  cursor('cursor-second-page-again', 'the third page repeats the second', (s) => {
    around(s, 'makeCursor', (was, items, query) => (query.cursor ? query.cursor : was(items, query)));
  }),
  keeps('cursor-drops-filters', 'the cursor alone answers unfiltered rows', (s) => lateFilters(s, () => false), { style: 'b' }),
  keeps('cursor-drops-priority', 'the cursor loses filter[priority]', (s) => lateFilters(s, (field) => field !== 'priority'), {
    style: 'c',
  }),
  keeps('cursor-drops-status', 'the cursor loses filter[status]', (s) => lateFilters(s, (field) => field !== 'status'), {
    style: 'b',
  }),
  keeps(
    'cursor-drops-visibility',
    'the cursor loses filter[visibility]',
    (s) => lateFilters(s, (field) => field !== 'visibility'),
    { style: 'c' },
  ),
  keeps(
    'cursor-drops-second-filter',
    'the cursor keeps the first filter only',
    (s) => lateFilters(s, (_field, index) => index === 0),
    { style: 'b' },
  ),
  keeps('cursor-needs-filters', 'the cursor without its filters repeated answers the unfiltered list', (s) =>
    around(s, 'activeFilters', (_was, sent) => sent),
  ),
  keeps('cursor-needs-filters-400', 'the cursor without its filters repeated answers 400', (s) => {
    around(s, 'activeFilters', (was, sent, held, call) => {
      if (held && sent.length < held.filters.length)
        throw s.invalid(400, [{ field: 'cursor', issue: 'needs its filters', kind: 'structure' }], call);
      return was(sent, held, call);
    });
  }),
  ends('iteration-ends-after-five', 'iteration ends after five pages', (s) => {
    const depth = new Map<string, number>();
    around(s, 'meta', (was, count, items, has, query) => {
      const at = (depth.get(query.call.query.get('cursor') ?? '') ?? 0) + 1;
      const made = was(count, items, has && at < 5, query);
      if (typeof made.next_cursor === 'string') depth.set(made.next_cursor, at);
      return made;
    });
  }),
  ends('iteration-ends-after-100-rows', 'iteration ends after 100 rows', (s) =>
    around(s, 'hasMore', (was, rest, items, query) => was(rest, items, query) && !reached(s, rest, items, query, 100)),
  ),
  ends('iteration-never-ends', 'after the last page of a filtered list comes the first one again', (s) => {
    around(
      s,
      'hasMore',
      (was, rest, items, query) => was(rest, items, query) || (query.filters.length > 0 && query.cursor !== undefined),
    );
    around(s, 'behind', (was, rows, after, query) => {
      const rest = was(rows, after, query);
      return rest.length === 0 ? [...rows] : rest;
    });
  }),
  ends('iteration-empty-last-page', 'a list whose total is a multiple of the limit ends with an empty page', (s) =>
    around(
      s,
      'hasMore',
      (was, rest, items, query) =>
        was(rest, items, query) || (items.length === query.limit && rest.length === items.length && query.filters.length === 0),
    ),
  ),
];

export const faults: readonly Fault[] = [...metadata, ...limits, ...pages];

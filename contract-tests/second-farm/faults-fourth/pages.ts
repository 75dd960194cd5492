// Faults of pages: limits, cursors and the metadata.

import type { Row } from '../../judge/reference/model.ts';
import type { ListName, Query } from '../../judge/reference/service/lists.ts';
import type { Service } from '../../judge/reference/service/service.ts';
import { around, clause, type Fault, memory, without } from '../faults/fault.ts';
import { LISTS, metaOf, totals } from './tools.ts';

const limit = clause(191, '`limit`: integer, default 20, maximum 100.');
const cursor = clause(192, 'opaque string taken from `meta.next_cursor` of the previous response');
const ends = clause(193, 'Iteration ends when `meta.has_more` is false (`next_cursor` is then null).');
const total = clause(107, '| total | integer | number of records matching the query across all pages |');
const applied = clause(108, '| limit | integer | the limit applied (supplied value or default 20) |');
const more = clause(109, '| has_more | boolean | true when more pages exist |');
const next = clause(110, '| next_cursor | string or null | cursor for the next page; null when has_more is false |');
const wrongType = clause(284, 'malformed request or missing or wrongly typed parameters');
const removed = clause(356, '`page` and `offset` removed');

const limited = (service: Service, change: (limit: number, query: Pick<Query, 'call' | 'listing'>) => number): void =>
  around(service, 'readLimit', (was, call, listing, at) => change(was(call, listing, at), { call, listing }));
const rest = (
  service: Service,
  when: (query: Query) => boolean,
  change: (rows: Row[], all: readonly Row[], query: Query) => Row[],
): void =>
  around(service, 'behind', (was, rows, after, query) =>
    when(query) ? change(was(rows, after, query), rows, query) : was(rows, after, query),
  );
const has = (
  service: Service,
  change: (more: boolean, query: Query, items: readonly Row[], left: readonly Row[]) => boolean,
): void => around(service, 'hasMore', (was, left, items, query) => change(was(left, items, query), query, items, left));
const on =
  (...names: ListName[]) =>
  (query: Pick<Query, 'listing'>) =>
    names.includes(query.listing.name);

const limits: Fault[] = [
  limit('limit-rounded-to-tens', 'limit is rounded up to the next ten', (s) => limited(s, (value) => Math.ceil(value / 10) * 10)),
  limit('limit-100-as-99', 'a limit of 100 answers 99 rows', (s) => limited(s, (value) => Math.min(value, 99))),
  limit('limit-ignored-in-project-tasks', 'limit has no effect on the tasks of a project', (s) =>
    limited(s, (value, { call }) => (call.operation === 'listProjectTasks' ? 20 : value)),
  ),
  limit('limit-default-100-for-members', 'the default of members and teams is 100', (s) =>
    limited(s, (value, query) => (on('member', 'team')(query) && !query.call.query.has('limit') ? 100 : value)),
  ),
  limit('limit-above-100-for-teams', 'teams can be asked for without limit', (s) =>
    around(s, 'boundLimit', (was, value, call, listing) =>
      listing.name === 'team' && value > 100 ? value : was(value, call, listing),
    ),
  ),
  wrongType('limit-empty-500', 'limit= without a value answers 500', (s) =>
    around(s, 'parseLimit', (was, text, listing) => {
      if (text === '') throw new Error('NaN is not a valid LIMIT');
      return was(text, listing);
    }),
  ),
  wrongType('limit-word-ignored-for-projects', 'limit=abc is read as the default, for projects', (s) =>
    around(s, 'parseLimit', (was, text, listing) => was(text, listing) ?? (listing.name === 'project' ? 20 : undefined)),
  ),
];

const iteration: Fault[] = [
  cursor('cursor-needs-limit', 'a cursor without limit is refused', (s) =>
    around(s, 'readCursor', (was, call, listing) => {
      if (call.query.has('cursor') && !call.query.has('limit'))
        throw s.invalid(400, [{ field: 'limit', issue: 'is required', kind: 'structure' }], call);
      return was(call, listing);
    }),
  ),
  cursor('cursor-skips-member', 'each page of members skips one', (s) => rest(s, on('member'), (rows) => rows.slice(1))),
  cursor('cursor-descending-ends', 'the second page of a list in descending order is empty', (s) =>
    rest(
      s,
      ({ sort }) => sort.down,
      () => [],
    ),
  ),
  cursor('cursor-filtered-sorted-500', 'the second page of a list that is filtered and sorted answers 500', (s) =>
    rest(
      s,
      ({ sort, filters }) => sort.field !== undefined && filters.length > 0,
      () => {
        throw new Error('ambiguous column');
      },
    ),
  ),
  cursor('cursor-third-page-skips', 'each page from the third on skips a row', (s) => {
    const pages = new Set<string>();
    around(s, 'meta', (was, count, items, has_more, query) => {
      const meta = was(count, items, has_more, query);
      if (query.cursor && typeof meta.next_cursor === 'string') pages.add(meta.next_cursor);
      return meta;
    });
    rest(
      s,
      ({ call }) => pages.has(call.query.get('cursor') ?? ''),
      (rows) => rows.slice(1),
    );
  }),
  ends('iteration-ends-with-short-page', 'a page with less than ten rows is taken for the last one', (s) =>
    has(s, (value, _query, items) => value && items.length >= 10),
  ),
  ends('iteration-ends-when-filtered', 'a list with filter[assignee_id] has one page', (s) =>
    has(s, (value, query) => value && !query.filters.some(({ field }) => field === 'assignee_id')),
  ),
  ends('iteration-empty-page-behind-sorted', 'a sorted list ends with an empty page', (s) =>
    has(s, (value, query, items) => value || (query.sort.field !== undefined && items.length > 0)),
  ),
];

const metadata: Fault[] = [
  total('total-counts-deleted-projects', 'total of projects never falls', (s) => {
    const highest = memory<string, number>();
    totals(s, ['project'], (value, query) => {
      if (query.filters.length > 0) return value;
      const slot = query.call.workspace?.id ?? '';
      highest.set(slot, Math.max(value, highest.get(slot) ?? 0));
      return highest.get(slot) ?? value;
    });
  }),
  total('total-counts-refused', 'a creation that is refused counts in total of projects', (s) => {
    let refused = 0;
    around(s, 'refuse', (was, issues, call, resource, act) => {
      if (resource === 'project' && act === 'create') refused += 1;
      return was(issues, call, resource, act);
    });
    totals(s, ['project'], (value, query) => (query.filters.length === 0 ? value + refused : value));
  }),
  total('total-minus-one-with-cursor', 'total is one less behind the first page', (s) =>
    totals(s, LISTS, (value, query) => (query.cursor ? value - 1 : value)),
  ),
  applied('meta-limit-one-more', 'meta.limit is one more than the limit: the row that is fetched to look ahead', (s) =>
    metaOf(s, LISTS, (meta, query) => ({ ...meta, limit: query.limit + 1 })),
  ),
  applied('meta-limit-at-most-total', 'meta.limit is at most total', (s) =>
    metaOf(s, ['project', 'task'], (meta, query) => ({ ...meta, limit: Math.min(query.limit, Number(meta.total)) })),
  ),
  more('has-more-null-when-empty', 'has_more of an empty list is null', (s) =>
    metaOf(s, LISTS, (meta) => (meta.total === 0 ? { ...meta, has_more: null } : meta)),
  ),
  more('has-more-counts-page', 'has_more of projects is whether total is more than the rows of the page', (s) =>
    metaOf(s, ['project'], (meta, query) => ({ ...meta, has_more: Number(meta.total) > query.limit })),
  ),
  next('next-cursor-missing-in-members', 'the metadata of members has no next_cursor', (s) =>
    metaOf(s, ['member'], (meta) => without(meta, 'next_cursor')),
  ),
  next('next-cursor-kept-at-end', 'next_cursor on the last page of tasks is the cursor of that page', (s) =>
    metaOf(s, ['task'], (meta, query) => ({ ...meta, next_cursor: meta.next_cursor ?? query.call.query.get('cursor') })),
  ),
  removed(
    'page-still-works-for-teams',
    'page leads to that page of teams',
    (s) =>
      around(s, 'ordered', (was, rows, query) => {
        const page = Number(query.call.query.get('page') ?? 1);
        return query.listing.name === 'team' && page > 1 ? was(rows, query).slice((page - 1) * query.limit) : was(rows, query);
      }),
    { style: 'a' },
  ),
];

export const faults: readonly Fault[] = [...limits, ...iteration, ...metadata];

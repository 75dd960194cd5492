// Faults of list metadata.
import type { Fields, Row } from '../../judge/reference/model.ts';
import type { Query } from '../../judge/reference/service/lists.ts';
import type { Service } from '../../judge/reference/service/service.ts';
import { around, clause, type Fault, without } from './fault.ts';
import { onList } from './list-tools.ts';

const total = clause(107, '| total | integer | number of records matching the query across all pages |');
const limitField = clause(108, '| limit | integer | the limit applied (supplied value or default 20) |');
const more = clause(109, '| has_more | boolean | true when more pages exist |');
const next = clause(110, '| next_cursor | string or null | cursor for the next page; null when has_more is false |');
const meta = (
  service: Service,
  change: (meta: Fields, query: Query) => Fields,
  when: (query: Query) => boolean = () => true,
): void => around(service, 'page', (was, items, each, query) => was(items, when(query) ? change(each, query) : each, query));
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

export const faults: readonly Fault[] = [...metadata];

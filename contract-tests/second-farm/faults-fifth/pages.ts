// Faults of limits, pages, cursors and totals.
import { around, clause, type Fault, without } from '../faults/fault.ts';
import { metaOf, totals } from '../faults-fourth/tools.ts';

const total = clause(107, 'number of records matching the query across all pages');
const applied = clause(108, 'the limit applied (supplied value or default 20)');
const more = clause(109, 'true when more pages exist');
const next = clause(110, 'cursor for the next page; null when has_more is false');
const limit = clause(191, '`limit`: integer, default 20, maximum 100.');
const keeps = clause(194, 'The cursor keeps the active filters.');
const wrong = clause(284, 'malformed request or missing or wrongly typed parameters');
const gone = clause(356, '`page` and `offset` removed', { style: 'a' });

export const faults: readonly Fault[] = [
  wrong('limit-text-ignored', 'a limit that is no number is taken for the default', (s) =>
    around(s, 'parseLimit', (was, text, listing) => was(text, listing) ?? s.defaultLimit(listing)),
  ),
  limit('limit-without-maximum', 'a limit above 100 gives as many items', (s) =>
    around(s, 'boundLimit', (was, asked, call, listing) => (asked > 100 ? asked : was(asked, call, listing))),
  ),
  applied(
    'limit-lost-behind-cursor',
    'pages behind the first have 20 items, whatever limit comes with the cursor',
    (s) =>
      around(s, 'readLimit', (was, call, listing, cursor) => (cursor ? s.defaultLimit(listing) : was(call, listing, cursor))),
    { style: 'a' },
  ),
  gone('offset-still-counts', 'offset still moves the start of a list', (s) =>
    around(s, 'ordered', (was, rows, query) => was(rows, query).slice(Number(query.call.query.get('offset')) || 0)),
  ),
  next('last-page-without-cursor', 'the last page has no next_cursor at all', (s) =>
    metaOf(s, ['project', 'task', 'team', 'comment', 'member'], (meta) =>
      meta.next_cursor === null ? without(meta, 'next_cursor') : meta,
    ),
  ),
  more('full-page-has-more', 'has_more is true after each full page, also after the last one', (s) =>
    around(s, 'hasMore', (_was, _rest, items, { limit: asked }) => items.length === asked),
  ),
  total('total-of-what-is-left', 'behind a cursor total counts what is left, not what is there', (s) =>
    totals(s, ['project', 'task'], (_count, _query, rest) => rest.length),
  ),
  total('total-without-assignee', 'total leaves filter[assignee_id] out of account', (s) =>
    around(s, 'total', (was, matching, rest, query) => {
      if (!query.filters.some(({ field }) => field === 'assignee_id')) return was(matching, rest, query);
      const others = { ...query, filters: query.filters.filter(({ field }) => field !== 'assignee_id') };
      return query.listing.rows().filter((row) => s.matchesAll(row, others)).length;
    }),
  ),
  next('equal-rows-skipped', 'a next page starts behind all rows with the same value of the sort field', (s) =>
    around(s, 'behind', (was, rows, after, query) =>
      was(rows, after, query).filter(
        (row) => query.sort.field === undefined || s.sortValue(row, query.sort.field, query) !== after.value,
      ),
    ),
  ),
  keeps(
    'second-filter-lost-behind-cursor',
    'the cursor keeps the first filter alone',
    (s) =>
      around(s, 'makeCursor', (was, items, query) => {
        const cursor = was(items, query);
        return { ...cursor, filters: cursor.filters.slice(0, 1) };
      }),
    { style: 'c' },
  ),
];

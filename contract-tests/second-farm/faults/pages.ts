// Faults of limits and cursors.
import type { Row, Task } from '../../judge/reference/model.ts';
import type { Query } from '../../judge/reference/service/lists.ts';
import type { Service } from '../../judge/reference/service/service.ts';
import { around, clause, type Fault, isOn } from './fault.ts';
import { onList } from './list-tools.ts';

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

export const faults: readonly Fault[] = [...limits, ...pages];

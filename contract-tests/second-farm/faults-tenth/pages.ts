// Faults of pages and cursors: between two changes, behind rare orders, and beyond the sizes that tests have.
import { around, clause, isOn } from '../faults/fault.ts';
import { written } from './tools.ts';

const total = clause(107, 'number of records matching the query across all pages');
const more = clause(109, 'true when more pages exist');
const next = clause(110, 'cursor for the next page; null when has_more is false');
const limit = clause(191, 'integer, default 20, maximum 100');
const kept = clause(194, 'The cursor keeps the active filters');

export const faults = [
  next(
    'undated-tasks-behind-no-cursor',
    'behind a cursor of `sort=due_date` the tasks without a due date never come',
    (service) =>
      around(service, 'behind', (was, rows, after, query) =>
        was(rows, after, query).filter((row) => written(query) !== 'due_date' || !('due' in row) || row.due !== null),
      ),
    { style: 'a' },
  ),
  next('cursor-counts-pages', 'a cursor holds the number of a page: with another `limit` it leads elsewhere', (service) =>
    around(service, 'behind', (was, rows, after, query) => {
      const rest = was(rows, after, query);
      const size = query.cursor?.limit ?? query.limit;
      if (!query.call.query.has('limit') || size === query.limit) return rest;
      return rows.slice(Math.ceil((rows.length - rest.length) / size) * query.limit);
    }),
  ),
  more('deleted-place-ends-the-list', 'when the last row of a page has been deleted, the next page is empty', (service) =>
    around(service, 'behind', (was, rows, after, query) => {
      const there = rows.some((row) => service.compareMarks(service.markOf(row, query), after, query.sort) === 0);
      return there ? was(rows, after, query) : [];
    }),
  ),
  more(
    'last-comments-promise-more',
    'the last page of comments behind a cursor says that there are more',
    (service) =>
      around(
        service,
        'hasMore',
        (was, rest, items, query) => was(rest, items, query) || (query.listing.name === 'comment' && query.cursor !== undefined),
      ),
    { needs: 'comments' },
  ),
  next(
    'fourth-page-of-comments-skips',
    'after the third page of comments one comment never comes',
    (service) =>
      around(service, 'behind', (was, rows, after, query) => {
        const rest = was(rows, after, query);
        const third = query.listing.name === 'comment' && rows.length - rest.length >= 3 * query.limit;
        return third ? rest.slice(1) : rest;
      }),
    { needs: 'comments' },
  ),
  total('teams-left-behind-cursor', 'behind a cursor the total of teams is what is left', (service) =>
    around(service, 'total', (was, matching, rest, query) =>
      query.listing.name === 'team' ? rest.length : was(matching, rest, query),
    ),
  ),
  limit('projects-in-one-page', 'without `limit` up to 50 projects come on one page', (service) =>
    around(service, 'cut', (was, rows, query) =>
      query.listing.name === 'project' && !query.call.query.has('limit') ? rows.slice(0, 50) : was(rows, query),
    ),
  ),
  total('counted-to-hundred', 'a total is never more than 100', (service) =>
    around(service, 'total', (was, matching, rest, query) => Math.min(100, was(matching, rest, query))),
  ),
  limit('ninety-nine-of-hundred', '`limit=100` gives 99 of more than 99 tasks', (service) =>
    around(service, 'cut', (was, rows, query) => was(rows, { ...query, limit: Math.min(99, query.limit) })),
  ),
  kept('private-forgotten-behind-cursor', 'a cursor keeps `filter[visibility]`, but not when it is `private`', (service) =>
    around(service, 'activeFilters', (was, sent, cursor, call) =>
      was(sent, cursor, call).filter(({ value }) => !cursor || sent.length > 0 || value !== 'private'),
    ),
  ),
  kept(
    'priority-forgotten-behind-cursor-in-project',
    'a cursor alone in the list of a project forgets the filter by priority',
    (service) =>
      around(service, 'activeFilters', (was, sent, cursor, call) =>
        was(sent, cursor, call).filter(
          ({ field }) => !cursor || sent.length > 0 || field !== 'priority' || !isOn(call, 'listProjectTasks'),
        ),
      ),
  ),
  next(
    'creation-order-never-ends',
    'in the list of a project behind a cursor of `sort=created_at` the same page comes again',
    (service) =>
      around(service, 'makeCursor', (was, items, query) => {
        const cursor = was(items, query);
        const stuck = query.cursor && isOn(query.call, 'listProjectTasks') && written(query) === 'created_at';
        return stuck && query.cursor ? { ...cursor, after: query.cursor.after } : cursor;
      }),
  ),
];

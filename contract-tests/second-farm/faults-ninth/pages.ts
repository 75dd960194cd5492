// Faults of pages, cursors, `meta` and the envelopes.

import type { Row } from '../../judge/reference/model.ts';
import { around, clause, isOn } from '../faults/fault.ts';

const more = clause(109, 'true when more pages exist');
const total = clause(107, 'number of records matching the query across all pages');
const _limit = clause(191, 'integer, default 20, maximum 100');
const next = clause(192, 'opaque string taken from `meta.next_cursor` of the previous response');

export const faults = [
  more('exact-page-has-more', 'a list that fills its last page to the brim has one more page, which is empty', (service) => {
    around(service, 'hasMore', (was, rest, items, query) =>
      items.length > 0 && items.length === query.limit ? true : was(rest, items, query),
    );
  }),
  more('two-pages-at-most', 'the second page says that there are no more', (service) =>
    around(service, 'hasMore', (was, rest, items, query) => !query.cursor && was(rest, items, query)),
  ),
  more('one-row-left-forgotten', 'a page behind which one row is left is the last', (service) =>
    around(service, 'hasMore', (was, rest, items, query) => was(rest, items, query) && rest.length > items.length + 1),
  ),
  clause(110, 'null when has_more is false')('no-next-cursor-on-last', 'the last page has no `next_cursor` at all', (service) =>
    around(service, 'meta', (was, count, items, has, query) => {
      const { next_cursor, ...meta } = was(count, items, has, query);
      return has ? { ...meta, next_cursor } : meta;
    }),
  ),
  total('total-left-behind-cursor', 'behind a cursor `meta.total` counts the rows from there on', (service) =>
    around(service, 'total', (was, matching, rest, query) => (query.cursor ? rest.length : was(matching, rest, query))),
  ),
  clause(108, 'the limit applied (supplied value or default 20)')(
    'supplied-limit-as-text',
    '`meta.limit` repeats a supplied limit as text',
    (service) =>
      around(service, 'meta', (was, count, items, has, query) => {
        const meta = was(count, items, has, query);
        return query.call.query.has('limit') ? { ...meta, limit: String(query.limit) } : meta;
      }),
  ),
  next('equal-titles-skipped', 'in the order of titles a page begins behind all rows of the last title', (service) =>
    around(service, 'behind', (was, rows, after, query) =>
      was(rows, after, query).filter(
        (row) => query.sort.field !== 'title' || service.sortValue(row, 'title', query) !== after.value,
      ),
    ),
  ),
  next('descending-cursor-ascends', 'behind a cursor a descending order goes on upwards', (service) =>
    around(service, 'readSort', (was, text, listing, call) => {
      const sort = was(text, listing, call);
      return call.query.has('cursor') ? { ...sort, down: false } : sort;
    }),
  ),
  clause(21, '`{ "items": [ <resource>, ... ], "meta": { total, limit, has_more, next_cursor } }`')(
    'no-rows-null',
    'a list without rows has `null` for `items`',
    (service) =>
      around(service, 'page', (was, items, meta, query) =>
        items.length === 0 ? { items: null, meta } : was(items, meta, query),
      ),
  ),
  clause(20, '`{ "data": { <resource fields> } }`')(
    'created-team-in-team',
    'a created team is in `team`, not in `data`',
    (service) =>
      around(service, 'createTeam', (was, call) => {
        const answer = was(call);
        return { ...answer, body: { team: (answer.body as { data: unknown }).data } };
      }),
  ),
  clause(24, '`204` (empty body) for deletion')(
    'deleted-task-shown',
    'the deletion of a task gives 200 and the task',
    (service) =>
      around(service, 'deleteTask', (was, call) => {
        const shown = service.showTask(service.taskOf(call), 'read');
        return { ...was(call), status: 200, body: { data: shown } };
      }),
  ),
  clause(153, '`200` list of tasks')(
    'project-tasks-newest-hidden',
    'the list of a project lags: the task created last is missing',
    (service) =>
      around(service, 'projectTaskRows', (was, call, project) => {
        const rows = was(call, project);
        const newest = Math.max(...rows.map((row: Row) => row.nth));
        const fresh = (row: Row) => row.nth === newest && service.now() - row.created < 2000;
        return isOn(call, 'listProjectTasks') ? rows.filter((row) => !fresh(row)) : rows;
      }),
  ),
];

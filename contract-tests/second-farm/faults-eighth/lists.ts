// Faults of lists: limits, pages, filters and orders.

import type { Task } from '../../judge/reference/model.ts';
import { around, clause, isOn } from '../faults/fault.ts';

const and = clause(194, 'Several filters combine with AND');
const order = clause(204, 'a field name sorts ascending; a leading `-` sorts descending');
const limit = clause(191, 'integer, default 20, maximum 100');
const next = clause(110, 'cursor for the next page');

export const faults = [
  limit(
    'later-pages-default-to-ten',
    'behind a cursor the default limit is 10',
    (service) =>
      around(service, 'readLimit', (was, call, listing, cursor) =>
        cursor && !call.query.has('limit') ? 10 : was(call, listing, cursor),
      ),
    { style: 'a' },
  ),
  limit('members-limit-100-is-50', 'the list of members takes a limit above 50 for 50', (service) =>
    around(service, 'boundLimit', (was, asked, call, listing) => {
      const bound = was(asked, call, listing);
      return listing.name === 'member' ? Math.min(bound, 50) : bound;
    }),
  ),
  clause(108, 'the limit applied (supplied value or default 20)')(
    'meta-limit-of-last-page',
    'on the last of several pages `meta.limit` is the number of its items',
    (service) =>
      around(service, 'meta', (was, total, items, more, query) => {
        const meta = was(total, items, more, query);
        return query.cursor && !more ? { ...meta, limit: items.length } : meta;
      }),
  ),
  clause(107, 'number of records matching the query across all pages')(
    'total-by-first-filter',
    'of several filters only the first decides about `meta.total`',
    (service) =>
      around(service, 'total', (was, matching, rest, query) =>
        query.filters.length > 1
          ? query.listing.rows().filter((row) => query.filters.slice(0, 1).every((filter) => service.matches(filter, row, query)))
              .length
          : was(matching, rest, query),
      ),
  ),
  clause(109, 'true when more pages exist')(
    'filtered-full-page-has-more',
    'a filtered page that is full has more, even when it is the last',
    (service) =>
      around(service, 'hasMore', (was, rest, items, query) =>
        query.filters.length > 0 && items.length > 0 && items.length === query.limit ? true : was(rest, items, query),
      ),
  ),
  clause(110, 'null when has_more is false')(
    'last-page-keeps-cursor',
    'the last of several pages has a `next_cursor`, while `has_more` is false',
    (service) =>
      around(service, 'meta', (was, total, items, more, query) => {
        const meta = was(total, items, more, query);
        return query.cursor && !more && items.length > 0
          ? { ...meta, next_cursor: service.writeCursor(service.makeCursor(items, query)) }
          : meta;
      }),
  ),
  next('equal-due-dates-skipped', 'behind a cursor in the order of due dates, rows of the same date are skipped', (service) =>
    around(service, 'behind', (was, rows, after, query) => {
      const left = was(rows, after, query);
      if (query.sort.field !== 'due_date' || after.value === null) return left;
      return left.filter((row) => service.markOf(row, query).value !== after.value);
    }),
  ),
  next('members-second-page-short', 'the second page of the members lacks its first row', (service) =>
    around(service, 'behind', (was, rows, after, query) => {
      const left = was(rows, after, query);
      return query.listing.name === 'member' ? left.slice(1) : left;
    }),
  ),
  next('team-page-repeats-last', 'a page of teams begins with the last row of the page before', (service) =>
    around(service, 'behind', (was, rows, after, query) => {
      const left = was(rows, after, query);
      if (query.listing.name !== 'team' || query.limit < 2) return left;
      return rows.slice(Math.max(0, rows.length - left.length - 1));
    }),
  ),
  clause(194, 'The cursor keeps the active filters')(
    'cursor-keeps-first-filter',
    'a cursor alone keeps the first of several filters',
    (service) =>
      around(service, 'activeFilters', (was, sent, cursor, call) => {
        const active = was(sent, cursor, call);
        return cursor && sent.length === 0 ? active.slice(0, 1) : active;
      }),
  ),
  clause(194, 'The cursor keeps the active filters')(
    'visibility-lost-behind-sorted-cursor',
    'a cursor of a sorted list of projects loses the filter by visibility',
    (service) =>
      around(service, 'activeFilters', (was, sent, cursor, call) => {
        const active = was(sent, cursor, call);
        return cursor && cursor.sort !== '' && isOn(call, 'listProjects') ? sent : active;
      }),
  ),
  and('priority-ignored-with-assignee', 'the filter by priority has no effect beside one by assignee', (service) =>
    around(service, 'matches', (was, filter, row, query) =>
      filter.field === 'priority' && query.filters.some(({ field }) => field === 'assignee_id') ? true : was(filter, row, query),
    ),
  ),
  and('project-ignored-when-sorted', 'the filter by project has no effect in a sorted list', (service) =>
    around(service, 'matches', (was, filter, row, query) =>
      filter.field === 'project_id' && query.sort.field !== undefined ? true : was(filter, row, query),
    ),
  ),
  clause(198, 'tasks with the given status')(
    'in-progress-like-in-review',
    'the filter `in_progress` finds `in_review` too',
    (service) =>
      around(service, 'matches', (was, filter, row, query) =>
        filter.value === 'in_progress' && (row as Task).status === 'in_review' ? true : was(filter, row, query),
      ),
  ),
  clause(198, 'tasks with the given status')(
    'status-filter-before-change',
    'the list of a project still finds a task by the status it had before its last change',
    (service) => {
      const former = new Map<string, string>();
      around(service, 'assignTask', (was, task, values, call) => {
        former.set(task.id, task.status);
        return was(task, values, call);
      });
      around(service, 'matches', (was, filter, row, query) =>
        filter.field === 'status' && isOn(query.call, 'listProjectTasks') && former.has(row.id)
          ? former.get(row.id) === filter.value
          : was(filter, row, query),
      );
    },
  ),
  clause(199, 'tasks assigned to the user id')(
    'idle-assignee-means-everyone',
    'the filter by an assignee who has no task finds all tasks',
    (service) =>
      around(service, 'matches', (was, filter, row, query) => {
        const idle = !query.listing.rows().some((each) => (each as Task).assignee === filter.value);
        return filter.field === 'assignee_id' && idle ? true : was(filter, row, query);
      }),
  ),
  clause(201, 'one of `low`, `medium`, `high`, `urgent`')(
    'priority-filter-at-least',
    'in the list of a project the filter `high` finds urgent tasks too',
    (service) =>
      around(service, 'matches', (was, filter, row, query) =>
        filter.value === 'high' && isOn(query.call, 'listProjectTasks') && (row as Task).priority === 'urgent'
          ? true
          : was(filter, row, query),
      ),
  ),
  order('title-order-of-five-letters', 'the order of titles looks at their first five characters', (service) =>
    around(service, 'collate', (was, one, other) => was([...one].slice(0, 5).join(''), [...other].slice(0, 5).join(''))),
  ),
  clause(284, 'also an unsupported sort field')(
    'unknown-sort-with-filter-422',
    'an unsupported sort field beside a filter gives 422',
    (service) =>
      around(service, 'unsupportedSort', (was, call) => {
        const problem = was(call);
        return call.search.includes('filter') ? service.invalid(422, problem.issues ?? [], call) : problem;
      }),
  ),
  clause(21, '`{ "items": [ <resource>, ... ], "meta": { total, limit, has_more, next_cursor } }`')(
    'single-team-not-in-array',
    'a page of teams that has one row shows it as an object, not in an array',
    (service) =>
      around(service, 'page', (was, items, meta, query) =>
        query.listing.name === 'team' && items.length === 1 ? { items: items[0], meta } : was(items, meta, query),
      ),
  ),
  clause(356, '`page` and `offset` removed')(
    'offset-still-skips',
    '`offset` still skips rows of the list of projects',
    (service) =>
      around(service, 'projectRows', (was, call) => {
        const offset = isOn(call, 'listProjects') ? Number(call.query.get('offset') ?? 0) : 0;
        return was(call).slice(offset);
      }),
    { style: 'a' },
  ),
];

// Faults of the eleventh set: filters, orders, pages and totals.

import type { Task } from '../../judge/reference/model.ts';
import { around, clause, type Fault, isOn, memory } from '../faults/fault.ts';

const and = clause(194, 'Several filters combine with AND');
const keeps = clause(194, 'The cursor keeps the active filters');
const ends = clause(193, 'Iteration ends when `meta.has_more` is false');
const total = clause(107, 'number of records matching the query across all pages');
const limit = clause(108, 'the limit applied (supplied value or default 20)');
const sort = clause(204, 'a field name sorts ascending; a leading `-` sorts descending');
const unsortable = clause(204, 'an unsupported sort field returns `400`');

const count = (filters: readonly unknown[], least: number) => filters.length >= least;

export const faults: readonly Fault[] = [
  and('third-filter-forgotten', 'with three filters the third does not hold', (service) =>
    around(service, 'matchesAll', (_was, row, query) =>
      query.filters.slice(0, 2).every((each) => service.matches(each, row, query)),
    ),
  ),
  and('filters-or-when-sorted', 'two filters combine with OR when the list is sorted by updated_at', (service) =>
    around(service, 'matchesAll', (was, row, query) =>
      query.sort.field === 'updated_at' && count(query.filters, 2)
        ? query.filters.some((each) => service.matches(each, row, query))
        : was(row, query),
    ),
  ),
  keeps('second-filter-lost-on-third-page', 'from the third page on the second filter is forgotten', (service) => {
    const depth = memory<string, number>();
    around(service, 'meta', (was, all, items, more, query) => {
      const meta = was(all, items, more, query);
      const at = depth.get(query.call.query.get('cursor') ?? '') ?? 1;
      if (typeof meta.next_cursor === 'string') depth.set(meta.next_cursor, at + 1);
      return meta;
    });
    around(service, 'activeFilters', (was, sent, cursor, call) => {
      const active = was(sent, cursor, call);
      return (depth.get(call.query.get('cursor') ?? '') ?? 1) >= 3 ? active.slice(0, 1) : active;
    });
  }),
  sort('no-due-date-no-second-page', 'sorted by -due_date, what has no due date is missing from the second page on', (service) =>
    around(service, 'behind', (was, rows, after, query) =>
      was(rows, after, query).filter((row) => query.sort.field !== 'due_date' || !query.sort.down || (row as Task).due !== null),
    ),
  ),
  ends(
    'equals-lost-at-the-border',
    'sorted by -title, the equals of the last row of a page are left out of the next',
    (service) =>
      around(service, 'behind', (was, rows, after, query) =>
        was(rows, after, query).filter(
          (row) => query.sort.field !== 'title' || !query.sort.down || service.sortValue(row, 'title', query) !== after.value,
        ),
      ),
  ),
  ends(
    'page-number-in-cursor',
    'a cursor is a number of a page: with another limit on the way rows are left out or come twice',
    (service) => {
      const pages = memory<string, number>();
      around(service, 'meta', (was, all, items, more, query) => {
        const meta = was(all, items, more, query);
        const page = pages.get(query.call.query.get('cursor') ?? '') ?? 1;
        if (typeof meta.next_cursor === 'string') pages.set(meta.next_cursor, page + 1);
        return meta;
      });
      around(service, 'behind', (was, rows, after, query) => {
        const page = pages.get(query.call.query.get('cursor') ?? '');
        return page === undefined ? was(rows, after, query) : rows.slice((page - 1) * query.limit);
      });
    },
  ),
  ends('one-left-is-none', 'has_more is false when one row is left and a filter is set', (service) =>
    around(service, 'hasMore', (was, rest, items, query) =>
      count(query.filters, 1) ? rest.length > items.length + 1 : was(rest, items, query),
    ),
  ),
  total('total-to-one-hundred', 'total is never above 100', (service) =>
    around(service, 'total', (was, matching, rest, query) => Math.min(100, was(matching, rest, query))),
  ),
  total('total-of-deleted-projects', 'total of the list of all tasks counts those of deleted projects', (service) => {
    const gone: Task[] = [];
    around(service, 'removeTask', (was, task, because) => {
      if (because === 'project') gone.push(task);
      was(task, because);
    });
    around(service, 'total', (was, matching, rest, query) => {
      const here = gone.filter((row) => row.workspace === query.call.workspace?.id && service.matchesAll(row, query));
      return was(matching, rest, query) + (isOn(query.call, 'listTasks') ? here.length : 0);
    });
  }),
  limit('default-of-comments', 'comments have a default limit of 50', (service) =>
    around(service, 'defaultLimit', (was, listing) => (listing.name === 'comment' ? 50 : was(listing))),
  ),
  limit('fifty-are-enough', 'no more than 50 rows come, whatever limit is announced', (service) =>
    around(service, 'cut', (was, rows, query) => was(rows, query).slice(0, 50)),
  ),
  limit('limit-with-letters-behind', 'a limit such as 5abc is read as 5', (service) =>
    around(service, 'parseLimit', (_was, text) => {
      const value = Number.parseInt(text, 10);
      return Number.isNaN(value) ? undefined : value;
    }),
  ),
  sort('updated-by-status-stands-still', 'sorted by updated_at, a change of status alone does not move a task', (service) => {
    const places = memory<string, number>();
    around(service, 'touch', (was, row, what, values) => {
      const before = row.updated;
      was(row, what, values);
      const id = (row as Task).id;
      if (what === 'task' && Object.keys(values).join() === 'status') places.set(id, places.get(id) ?? before);
      else places.delete(id);
    });
    around(service, 'sortValue', (was, row, field, query) =>
      field === 'updated_at' ? (places.get(row.id) ?? was(row, field, query)) : was(row, field, query),
    );
  }),
  sort('title-by-first-letters', 'titles are sorted by their first 20 characters alone', (service) =>
    around(service, 'sortValue', (was, row, field, query) => {
      const value = was(row, field, query);
      return field === 'title' && typeof value === 'string' ? value.slice(0, 20) : value;
    }),
  ),
  sort('due-date-by-day', 'due dates are sorted by their day alone', (service) =>
    around(service, 'sortValue', (was, row, field, query) => {
      const value = was(row, field, query);
      return field === 'due_date' && typeof value === 'number' ? Math.floor(value / 86_400_000) : value;
    }),
  ),
  unsortable('unsortable-with-filter', 'an unsupported field to sort by is ignored when a filter is set', (service) =>
    around(service, 'readSort', (was, text, listing, call) =>
      [...call.query.keys()].some((name) => name.startsWith('filter[')) &&
      !service.isSortable(text.replace(/^-/, ''), listing, call)
        ? was('', listing, call)
        : was(text, listing, call),
    ),
  ),
];

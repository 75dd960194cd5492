// Faults of lists: bounds, filters, orders and cursors.
import { around, clause, type Fault, isOn } from '../faults/fault.ts';

const limits = clause(191, '1. `limit`: integer, default 20, maximum 100.');
const cursor = clause(192, '2. `cursor`: opaque string taken from `meta.next_cursor`');
const ends = clause(193, '3. Iteration ends when `meta.has_more` is false');
const filters = clause(194, 'Several filters combine with AND. The cursor keeps the active filters.');
const assignees = clause(199, 'tasks assigned to the user id');
const sort = clause(204, '5. `sort`: a field name sorts ascending; a leading `-` sorts descending.');
const sortable = clause(204, 'an unsupported sort field returns `400`');
const total = clause(107, 'number of records matching the query across all pages');
const meta = clause(108, 'the limit applied (supplied value or default 20)');
const next = clause(110, 'cursor for the next page; null when has_more is false');
const envelope = clause(21, '| List | `{ "items": [ <resource>, ... ], "meta"');
const typed = clause(284, 'malformed request or missing or wrongly typed parameters');
const removed = clause(356, '`page` and `offset` removed');
const visibility = clause(202, 'projects with the given visibility');

export const faults: readonly Fault[] = [
  limits('limit-99-at-most', 'a limit of 100 gives 99', (service) =>
    around(service, 'boundLimit', (was, limit, call, listing) => Math.min(99, was(limit, call, listing))),
  ),
  limits('limit-1-is-no-limit', 'a limit of 1 counts as none', (service) =>
    around(service, 'boundLimit', (was, limit, call, listing) => (limit === 1 ? 20 : was(limit, call, listing))),
  ),
  limits('limit-at-will', 'a limit above 100 is applied as it is', (service) =>
    around(service, 'boundLimit', (was, limit, call, listing) => (limit > 100 ? limit : was(limit, call, listing))),
  ),
  limits('limit-not-for-members', 'the list of members knows no limit', (service) =>
    around(service, 'readLimit', (was, call, listing, from) => (listing.name === 'member' ? 20 : was(call, listing, from))),
  ),
  limits(
    'limit-default-of-comments',
    'comments come by fifty unless a limit is sent',
    (service) => around(service, 'defaultLimit', (was, listing) => (listing.name === 'comment' ? 50 : was(listing))),
    { needs: 'comments' },
  ),
  typed('limit-by-its-start', 'a limit of 10abc is 10', (service) =>
    around(service, 'parseLimit', (_was, text) =>
      Number.isNaN(Number.parseInt(text, 10)) ? undefined : Number.parseInt(text, 10),
    ),
  ),
  typed('limit-rounded', 'a limit of 1.5 is rounded', (service) =>
    around(service, 'parseLimit', (was, text) =>
      /^\d+\.\d+$/.test(text) ? Math.round(Number(text)) : was(text, undefined as never),
    ),
  ),
  cursor('cursor-ties-lost', 'a cursor holds the value of the sort field alone, so equals at a border are left out', (service) =>
    around(service, 'behind', (was, rows, after, query) =>
      query.sort.field
        ? rows.filter(
            (row) => service.compareMarks({ ...service.markOf(row, query), tie: 0 }, { ...after, tie: 0 }, query.sort) > 0,
          )
        : was(rows, after, query),
    ),
  ),
  cursor('cursor-repeats-members', 'a page of members begins with the last one of the page before', (service) =>
    around(service, 'behind', (was, rows, after, query) =>
      query.listing.name === 'member'
        ? rows.filter((row) => service.compareMarks(service.markOf(row, query), after, query.sort) >= 0)
        : was(rows, after, query),
    ),
  ),
  cursor(
    'cursor-not-for-comments',
    'comments ignore the cursor',
    (service) =>
      around(service, 'readCursor', (was, call, listing) => (listing.name === 'comment' ? undefined : was(call, listing))),
    { needs: 'comments' },
  ),
  cursor('cursor-after-deletion', 'a cursor whose last record was deleted starts again', (service) =>
    around(service, 'behind', (was, rows, after, query) => {
      const known = service.db.tasks.some((task) => service.tieOf(task) === after.tie);
      return query.listing.name === 'task' && !known ? [...rows] : was(rows, after, query);
    }),
  ),
  cursor('cursor-of-updates', 'behind a cursor the order by title is that of creation', (service) =>
    around(service, 'sortValue', (was, row, field, query) => (query.cursor && field === 'title' ? null : was(row, field, query))),
  ),
  ends('more-when-full', 'with a filter, a last page that is full says that there is more', (service) =>
    around(
      service,
      'hasMore',
      (was, rest, items, query) => was(rest, items, query) || (query.filters.length > 0 && items.length === query.limit),
    ),
  ),
  ends('more-of-teams-never', 'the list of teams never has more', (service) =>
    around(service, 'hasMore', (was, rest, items, query) => query.listing.name !== 'team' && was(rest, items, query)),
  ),
  next('next-empty-text', 'next_cursor of an empty list is an empty text', (service) =>
    around(service, 'meta', (was, count, items, more, query) => ({
      ...was(count, items, more, query),
      ...(items.length === 0 ? { next_cursor: '' } : {}),
    })),
  ),
  next('next-absent-at-end', 'next_cursor is left out on the last of several pages', (service) =>
    around(service, 'meta', (was, count, items, more, query) => {
      const { next_cursor, ...rest } = was(count, items, more, query);
      return query.cursor && !more ? rest : { ...rest, next_cursor };
    }),
  ),
  next('next-always-of-projects', 'the last page of projects has a next_cursor', (service) =>
    around(service, 'meta', (was, count, items, more, query) => ({
      ...was(count, items, more, query),
      ...(query.listing.name === 'project' && !more && items.length > 0
        ? { next_cursor: service.writeCursor(service.makeCursor(items, query)) }
        : {}),
    })),
  ),
  filters('sort-drops-second-filter', 'with sort only the first filter holds', (service) =>
    around(service, 'matchesAll', (was, row, query) =>
      was(row, query.sort.field ? { ...query, filters: query.filters.slice(0, 1) } : query),
    ),
  ),
  filters('three-filters-two-hold', 'of three filters the last is forgotten', (service) =>
    around(service, 'matchesAll', (was, row, query) => was(row, { ...query, filters: query.filters.slice(0, 2) })),
  ),
  filters('filters-of-project-or', 'in a project, status and priority combine with OR', (service) =>
    around(service, 'matchesAll', (was, row, query) =>
      isOn(query.call, 'listProjectTasks') && query.filters.length > 1
        ? query.filters.some((filter) => service.matches(filter, row, query))
        : was(row, query),
    ),
  ),
  assignees(
    'assignee-by-its-start',
    'filter[assignee_id] finds all whose id begins so',
    (service) =>
      around(service, 'matches', (was, filter, row, query) =>
        filter.field === 'assignee_id' && filter.value
          ? String(service.filterable(row, 'assignee_id')).startsWith(filter.value)
          : was(filter, row, query),
      ),
    { style: 'c' },
  ),
  assignees('assignee-filter-in-project', 'filter[assignee_id] is ignored in a project', (service) =>
    around(
      service,
      'matches',
      (was, filter, row, query) =>
        (filter.field === 'assignee_id' && isOn(query.call, 'listProjectTasks')) || was(filter, row, query),
    ),
  ),
  assignees('assignee-filter-stale', 'filter[assignee_id] knows the assignee of the creation', (service) => {
    const first = new Map<string, string | null>();
    around(service, 'saveTask', (was, task, call) => {
      first.set(task.id, task.assignee);
      was(task, call);
    });
    around(service, 'filterable', (was, row, field) =>
      field === 'assignee_id' && first.has(row.id) ? first.get(row.id) : was(row, field),
    );
  }),
  visibility('visibility-filter-upwards', 'filter[visibility]=team finds public projects as well', (service) =>
    around(
      service,
      'matches',
      (was, filter, row, query) =>
        was(filter, row, query) || (filter.value === 'team' && service.filterable(row, 'visibility') === 'public'),
    ),
  ),
  sort('sort-down-in-projects', 'sort=-created_at of projects sorts upwards', (service) =>
    around(service, 'readSort', (was, text, listing, call) => ({
      ...was(text, listing, call),
      ...(listing.name === 'project' ? { down: false } : {}),
    })),
  ),
  sort('sort-due-as-text', 'due dates sort by their day of the month', (service) =>
    around(service, 'sortValue', (was, row, field, query) =>
      field === 'due_date' && 'due' in row && row.due !== null ? new Date(row.due).getUTCDate() : was(row, field, query),
    ),
  ),
  sort('sort-updated-is-created', 'in GET /tasks updated_at sorts by created_at', (service) =>
    around(service, 'sortValue', (was, row, field, query) =>
      was(row, field === 'updated_at' && isOn(query.call, 'listTasks') ? 'created_at' : field, query),
    ),
  ),
  sort('sort-of-the-page', 'the first page is cut before it is sorted', (service) => {
    around(service, 'list', (was, call, listing) => {
      if (listing.name !== 'task' || !call.query.has('sort') || !call.query.has('limit') || call.query.has('cursor'))
        return was(call, listing);
      const limit = Number(call.query.get('limit'));
      return was(call, { ...listing, rows: () => [...listing.rows()].slice(0, Math.max(limit, 1) + 1) });
    });
  }),
  sort('sort-minus-with-filter', 'with a filter the minus of sort is ignored', (service) =>
    around(service, 'readQuery', (was, call, listing) => {
      const query = was(call, listing);
      return query.filters.length > 0 ? { ...query, sort: { ...query.sort, down: false } } : query;
    }),
  ),
  sortable('sort-unknown-downwards', 'an unknown sort field with a minus is ignored', (service) =>
    around(service, 'readSort', (was, text, listing, call) =>
      text.startsWith('-') && !service.isSortable(text.slice(1), listing, call)
        ? { field: undefined, down: true }
        : was(text, listing, call),
    ),
  ),
  sortable('sort-unknown-in-project', 'an unknown sort field is ignored in a project', (service) =>
    around(service, 'readSort', (was, text, listing, call) =>
      isOn(call, 'listProjectTasks') && !service.isSortable(text.replace('-', ''), listing, call)
        ? { field: undefined, down: false }
        : was(text, listing, call),
    ),
  ),
  total('total-of-deleted', 'total of projects counts the deleted ones', (service) => {
    let past = 0;
    around(service, 'removeProject', (was, project, call) => {
      past += 1;
      was(project, call);
    });
    around(
      service,
      'total',
      (was, matching, rest, query) => was(matching, rest, query) + (query.listing.name === 'project' ? past : 0),
    );
  }),
  total('total-of-first-filter', 'total counts by the first filter alone', (service) =>
    around(service, 'total', (was, matching, rest, query) =>
      query.filters.length > 1
        ? query.listing.rows().filter((row) => service.matchesAll(row, { ...query, filters: query.filters.slice(0, 1) })).length
        : was(matching, rest, query),
    ),
  ),
  total('total-of-the-rest', 'behind a cursor total is what is left', (service) =>
    around(service, 'total', (was, matching, rest, query) => (query.cursor ? rest.length : was(matching, rest, query))),
  ),
  total('total-a-hundred', 'total is 100 at most', (service) =>
    around(service, 'total', (was, matching, rest, query) => Math.min(100, was(matching, rest, query))),
  ),
  meta('meta-limit-20-behind', 'behind a cursor meta.limit is 20', (service) =>
    around(service, 'meta', (was, count, items, more, query) => ({
      ...was(count, items, more, query),
      ...(query.cursor ? { limit: 20 } : {}),
    })),
  ),
  meta('meta-limit-of-items', 'meta.limit is the number of items on the page', (service) =>
    around(service, 'meta', (was, count, items, more, query) => ({ ...was(count, items, more, query), limit: items.length })),
  ),
  envelope('comments-as-data', 'the list of comments is called data', (service) =>
    around(service, 'page', (was, items, about, query) =>
      query.listing.name === 'comment' ? { data: items, meta: about } : was(items, about, query),
    ),
  ),
  removed(
    'page-still-there',
    'page and limit still page',
    (service) =>
      around(service, 'list', (was, call, listing) => {
        const page = Number(call.query.get('page') ?? 1);
        const limit = Number(call.query.get('limit') ?? 20);
        return page > 1 ? was(call, { ...listing, rows: () => listing.rows().slice((page - 1) * limit) }) : was(call, listing);
      }),
    { style: 'c' },
  ),
];

// Faults of filters and orders.

import type { Row, Task } from '../../judge/reference/model.ts';
import { around, clause, isOn, memory } from '../faults/fault.ts';

const and = clause(194, 'Several filters combine with AND');
const kept = clause(194, 'The cursor keeps the active filters');
const status = clause(198, 'tasks with the given status');
const assignee = clause(199, 'tasks assigned to the user id');
const order = clause(204, 'a field name sorts ascending; a leading `-` sorts descending');

export const faults = [
  and('two-filters-either', 'in the list of a project a task that fits one of two filters is found', (service) =>
    around(service, 'matchesAll', (was, row, query) =>
      isOn(query.call, 'listProjectTasks') && query.filters.length > 1
        ? query.filters.some((filter) => service.matches(filter, row, query))
        : was(row, query),
    ),
  ),
  clause(194, 'Filters are written `filter[<field>]=<value>`')(
    'encoded-brackets-unread',
    'a filter whose brackets are percent-encoded has no effect',
    (service) =>
      around(service, 'readFilters', (was, call, listing) => (/filter%5B/i.test(call.search) ? [] : was(call, listing))),
  ),
  kept('cursor-keeps-status-alone', 'behind a cursor only a filter by status holds', (service) =>
    around(service, 'activeFilters', (was, sent, cursor, call) =>
      was(sent, cursor, call).filter(({ field }) => !cursor || field === 'status' || field === 'visibility'),
    ),
  ),
  status(
    'done-found-after-a-move',
    'the filter `done` finds only tasks that were moved there, not those created so',
    (service) => {
      const moved = new Set<string>();
      around(service, 'assignTask', (was, task, values, call) => {
        moved.add(task.id);
        return was(task, values, call);
      });
      around(
        service,
        'matches',
        (was, filter, row, query) =>
          was(filter, row, query) && (filter.field !== 'status' || filter.value !== 'done' || moved.has(row.id)),
      );
    },
  ),
  assignee('assignee-as-created', 'the filter by assignee finds a task by the first assignee it had', (service) => {
    const first = memory<string, string | null>();
    around(service, 'saveTask', (was, task, call) => {
      first.set(task.id, task.assignee);
      was(task, call);
    });
    around(service, 'matches', (was, filter, row, query) =>
      filter.field === 'assignee_id' && first.has(row.id) ? first.get(row.id) === filter.value : was(filter, row, query),
    );
  }),
  assignee('open-tasks-of-assignee', 'the filter by assignee leaves out tasks that are done', (service) =>
    around(service, 'matches', (was, filter, row, query) =>
      filter.field === 'assignee_id' && (row as Task).status === 'done' ? false : was(filter, row, query),
    ),
  ),
  order('due-dates-always-up', '`-due_date` sorts like `due_date`', (service) =>
    around(service, 'readSort', (was, text, listing, call) => {
      const sort = was(text, listing, call);
      return sort.field === 'due_date' ? { ...sort, down: false } : sort;
    }),
  ),
  order('updated-at-by-creation', '`updated_at` sorts tasks by their creation', (service) =>
    around(service, 'sortValue', (was, row, field, query) =>
      was(row, field === 'updated_at' && query.listing.name === 'task' ? 'created_at' : field, query),
    ),
  ),
  order('due-order-by-day', 'due dates on one day are in the order of creation', (service) =>
    around(service, 'sortValue', (was, row, field, query) => {
      const value = was(row, field, query);
      return field === 'due_date' && typeof value === 'number' ? Math.floor(value / 86_400_000) : value;
    }),
  ),
  order('sorted-page-by-page', 'a page is cut in the default order, and only its rows are sorted', (service) =>
    around(service, 'cut', (was, rows, query) => {
      if (query.sort.field === undefined || query.cursor) return was(rows, query);
      const plain = { ...query, sort: { field: undefined, down: false } };
      return service.ordered(was(service.ordered(rows, plain), query) as Row[], query);
    }),
  ),
  clause(204, 'an unsupported sort field returns `400`')(
    'odd-field-downwards',
    'an unsupported sort field with a `-` is ignored',
    (service) =>
      around(service, 'readSort', (was, text, listing, call) =>
        text.startsWith('-') && !service.isSortable(text.slice(1), listing, call)
          ? { field: undefined, down: true }
          : was(text, listing, call),
      ),
  ),
];

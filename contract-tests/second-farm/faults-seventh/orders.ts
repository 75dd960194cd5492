// Faults of orders: what `sort` does and what it refuses.

import { Problem, type Row } from '../../judge/reference/model.ts';
import type { Query } from '../../judge/reference/service/lists.ts';
import { around, clause, isOn } from '../faults/fault.ts';

const ascending = clause(204, 'a field name sorts ascending');
const unsupported = clause(204, 'an unsupported sort field returns `400`');
const DAY = 86_400_000;

export const faults = [
  ascending(
    'created-at-newest-first',
    '`created_at` and `-created_at` of tasks both sort descending',
    (service) =>
      around(service, 'readSort', (was, text, listing, call) => {
        const sort = was(text, listing, call);
        return listing.name === 'task' && sort.field === 'created_at' ? { ...sort, down: true } : sort;
      }),
    { style: 'b' },
  ),
  ascending('due-date-sorted-by-day', '`due_date` sorts by the day alone', (service) =>
    around(service, 'sortValue', (was, row, field, query) => {
      const value = was(row, field, query);
      return field === 'due_date' && typeof value === 'number' ? Math.floor(value / DAY) : value;
    }),
  ),
  ascending('filter-drops-sort', 'a filtered list is not sorted', (service) =>
    around(service, 'sortValue', (was, row, field, query) => (query.filters.length > 0 ? null : was(row, field, query))),
  ),
  ascending('sorted-within-the-page', 'the pages are cut in the default order, and each is sorted by itself', (service) => {
    const sortValue = service.sortValue.bind(service);
    around(service, 'sortValue', () => null);
    const markOf = (row: Row, query: Query) => ({ value: sortValue(row, query.sort.field, query), tie: service.tieOf(row) });
    around(service, 'cut', (was, rows, query) =>
      [...was(rows, query)].sort((one, other) => service.compareMarks(markOf(one, query), markOf(other, query), query.sort)),
    );
    around(service, 'makeCursor', (was, items, query) => was(service.ordered(items, query), query));
  }),
  unsupported('unknown-descending-sort-ignored', 'an unknown field after a `-` is ignored', (service) =>
    around(service, 'readSort', (was, text, listing, call) =>
      was(text.startsWith('-') && !service.isSortable(text.slice(1), listing, call) ? '' : text, listing, call),
    ),
  ),
  unsupported('unsupported-sort-of-teams-422', 'an unsupported sort of teams gives 422', (service) =>
    around(service, 'unsupportedSort', (was, call) => {
      const { code, message, issues } = was(call);
      return new Problem(isOn(call, 'listTeams') ? 422 : 400, code, message, issues);
    }),
  ),
];

// Faults of filters and orders.

import { Problem, type Project, type Task } from '../../judge/reference/model.ts';
import { around, clause, type Fault, isOn } from '../faults/fault.ts';
import { fits } from '../faults-fourth/tools.ts';

const and = clause(194, 'Several filters combine with AND.');
const priority = clause(201, '| filter[priority] | tasks | one of `low`, `medium`, `high`, `urgent` |');
const visibility = clause(202, '| filter[visibility] | projects | projects with the given visibility |');
const listed = clause(154, '`200` list of tasks');
const ascending = clause(204, 'a field name sorts ascending; a leading `-` sorts descending');
const fields = clause(204, 'Fields named in use: `due_date`, `created_at`, `updated_at`, `title`.');
const unsupported = clause(204, 'an unsupported sort field returns `400`');

export const faults: readonly Fault[] = [
  and('any-filter-suffices', 'several filters combine with OR', (s) =>
    around(
      s,
      'matchesAll',
      (_was, row, query) => query.filters.length === 0 || query.filters.some((filter) => s.matches(filter, row, query)),
    ),
  ),
  and('assignee-lost-beside-status', 'filter[assignee_id] has no effect beside filter[status]', (s) =>
    fits(s, 'assignee_id', (fit, _value, _row, query) => fit || query.filters.some(({ field }) => field === 'status')),
  ),
  priority('priority-lost-in-project', 'filter[priority] has no effect on the tasks of a project', (s) =>
    fits(s, 'priority', (fit, _value, _row, query) => fit || isOn(query.call, 'listProjectTasks')),
  ),
  visibility('team-projects-with-public', 'filter[visibility]=team shows public projects too', (s) =>
    around(
      s,
      'matches',
      (was, filter, row, query) =>
        was(filter, row, query) || (filter.value === 'team' && (row as Project).visibility === 'public'),
    ),
  ),
  listed('done-tasks-hidden', 'tasks that are done are listed with filter[status] alone', (s) =>
    around(
      s,
      'matchesAll',
      (was, row, query) =>
        was(row, query) &&
        !(
          query.listing.name === 'task' &&
          (row as Task).status === 'done' &&
          !query.filters.some(({ field }) => field === 'status')
        ),
    ),
  ),
  unsupported('unknown-sort-ignored', 'a sort field that is not supported is ignored', (s) =>
    around(s, 'readSort', (was, text, listing, call) => {
      try {
        return was(text, listing, call);
      } catch (error) {
        if (error instanceof Problem) return { field: undefined, down: false };
        throw error;
      }
    }),
  ),
  ascending(
    'title-never-descends',
    'sort=-title sorts ascending',
    (s) => around(s, 'readSort', (was, text, listing, call) => was(text === '-title' ? 'title' : text, listing, call)),
    { style: 'c' },
  ),
  fields('updated-sorted-as-created', 'sort=updated_at sorts tasks by created_at', (s) =>
    around(s, 'sortValue', (was, row, field, query) =>
      was(row, field === 'updated_at' && query.listing.name === 'task' ? 'created_at' : field, query),
    ),
  ),
  ascending(
    'sort-lost-beside-filter',
    'sort has no effect beside a filter',
    (s) =>
      around(s, 'readQuery', (was, call, listing) => {
        const query = was(call, listing);
        return query.filters.length > 0 ? { ...query, sort: { field: undefined, down: false } } : query;
      }),
    { style: 'c' },
  ),
];

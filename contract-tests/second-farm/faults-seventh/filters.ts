// Faults of filters: search indexes, query builders and gateways.

import type { Project, Task } from '../../judge/reference/model.ts';
import { around, clause, isOn, memory } from '../faults/fault.ts';

const byStatus = clause(198, 'tasks with the given status');
const byVisibility = clause(202, 'projects with the given visibility');
const byPriority = clause(201, 'one of `low`, `medium`, `high`, `urgent`');

export const faults = [
  clause(107, 'integer')('total-as-text-when-filtered', '`total` of a filtered list is a string', (service) =>
    around(service, 'meta', (was, total, items, more, query) => {
      const meta = was(total, items, more, query);
      return query.filters.length > 0 ? { ...meta, total: String(total) } : meta;
    }),
  ),
  clause(153, 'filter[priority]')(
    'project-tasks-ignore-priority-filter',
    'the tasks of a project are not filtered by priority',
    (service) =>
      around(
        service,
        'matches',
        (was, filter, row, query) =>
          (filter.field === 'priority' && isOn(query.call, 'listProjectTasks')) || was(filter, row, query),
      ),
  ),
  clause(154, '`200` list of tasks')('filter-without-match-not-found', 'a filter that nothing matches gives 404', (service) =>
    around(service, 'total', (was, matching, rest, query) => {
      if (matching.length === 0 && query.filters.length > 0 && query.listing.name === 'task')
        throw service.notFound(query.call, 'task');
      return was(matching, rest, query);
    }),
  ),
  clause(194, 'The cursor keeps the active filters')(
    'cursor-forgets-assignee',
    'a cursor alone keeps no filter by assignee',
    (service) =>
      around(service, 'activeFilters', (was, sent, cursor, call) =>
        was(sent, cursor, call).filter(
          ({ field }) => field !== 'assignee_id' || !cursor || sent.some((filter) => filter.field === field),
        ),
      ),
  ),
  clause(194, 'Filters are written `filter[<field>]=<value>`')(
    'encoded-brackets-unknown',
    'filters with percent-encoded brackets have no effect',
    (service) =>
      around(service, 'readFilters', (was, call, listing) => (/filter%5B/i.test(call.search) ? [] : was(call, listing))),
  ),
  byStatus('in-progress-finds-in-review', 'the filter by `in_progress` finds tasks in review too', (service) =>
    around(service, 'matches', (was, filter, row, query) =>
      filter.value === 'in_progress' ? (row as Task).status.startsWith('in_') : was(filter, row, query),
    ),
  ),
  byVisibility('visibility-index-lags', 'for a second after a change the filter by visibility finds the old one', (service) => {
    const indexed = memory<string, { readonly visibility: string; readonly until: number }>();
    around(service, 'assignProject', (was, project, values, call) => {
      const { visibility } = project;
      const changed = was(project, values, call);
      if (project.visibility !== visibility) indexed.set(project.id, { visibility, until: service.now() + 1000 });
      return changed;
    });
    around(service, 'filterable', (was, row, field) => {
      const old = field === 'visibility' ? indexed.get(row.id) : undefined;
      return old && old.until > service.now() ? old.visibility : was(row, field);
    });
  }),
  byPriority('medium-misses-old-tasks', 'the filter by `medium` does not find tasks from before `priority`', (service) =>
    around(service, 'priorityOf', (was, task, place) => (place === 'filter' ? (task.priority ?? null) : was(task, place))),
  ),
  byVisibility('team-filter-finds-public', 'the filter by `team` finds public projects too', (service) =>
    around(service, 'matches', (was, filter, row, query) =>
      filter.field === 'visibility' && filter.value === 'team'
        ? (row as Project).visibility !== 'private'
        : was(filter, row, query),
    ),
  ),
];

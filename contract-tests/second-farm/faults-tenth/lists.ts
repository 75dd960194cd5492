// Faults of filters and orders that are asked for rarely, or together.

import { PRIORITIES, type Task } from '../../judge/reference/model.ts';
import { around, clause, isOn } from '../faults/fault.ts';
import { asks, isElsewhere, written } from './tools.ts';

const status = clause(198, 'tasks with the given status');
const assignee = clause(199, 'tasks assigned to the user id');
const priority = clause(201, 'one of `low`, `medium`, `high`, `urgent`');
const visibility = clause(202, 'projects with the given visibility');
const order = clause(204, 'a field name sorts ascending; a leading `-` sorts descending');

export const faults = [
  priority('high-means-at-least-high', 'in the list of all tasks `filter[priority]=high` finds urgent tasks as well', (service) =>
    around(
      service,
      'matches',
      (was, filter, row, query) =>
        was(filter, row, query) ||
        (filter.value === 'high' && isOn(query.call, 'listTasks') && (row as Task).priority === 'urgent'),
    ),
  ),
  status('backlog-means-not-begun', '`GET /tasks?filter[status]=backlog` finds tasks in `todo` as well', (service) =>
    around(
      service,
      'matches',
      (was, filter, row, query) =>
        was(filter, row, query) ||
        (filter.value === 'backlog' &&
          query.filters.length === 1 &&
          isOn(query.call, 'listTasks') &&
          (row as Task).status === 'todo'),
    ),
  ),
  visibility('private-forgotten-when-sorted', 'a sorted list of projects ignores `filter[visibility]=private`', (service) =>
    around(
      service,
      'matches',
      (was, filter, row, query) =>
        was(filter, row, query) || (filter.value === 'private' && query.sort.field !== undefined && 'visibility' in row),
    ),
  ),
  order(
    'oldest-changes-by-creation',
    '`sort=updated_at` of the list of all tasks sorts by creation; `-updated_at` is right',
    (service) =>
      around(service, 'sortValue', (was, row, field, query) =>
        was(row, isOn(query.call, 'listTasks') && written(query) === 'updated_at' ? 'created_at' : field, query),
      ),
    { style: 'a' },
  ),
  order(
    'due-order-lost-beside-priority',
    'the tasks of a project that are filtered by priority are not sorted by due date',
    (service) =>
      around(service, 'sortValue', (was, row, field, query) =>
        field === 'due_date' && isOn(query.call, 'listProjectTasks') && asks(query, 'priority') ? null : was(row, field, query),
      ),
  ),
  status(
    'status-lost-beside-update-order',
    'the tasks of a project that are sorted by `updated_at` are not filtered by status',
    (service) =>
      around(
        service,
        'matches',
        (was, filter, row, query) =>
          was(filter, row, query) ||
          (filter.field === 'status' && query.sort.field === 'updated_at' && isOn(query.call, 'listProjectTasks')),
      ),
  ),
  order(
    'public-projects-by-creation',
    'public projects are sorted by creation when `-updated_at` is asked for',
    (service) =>
      around(service, 'sortValue', (was, row, field, query) =>
        was(row, asks(query, 'visibility', 'public') && written(query) === '-updated_at' ? 'created_at' : field, query),
      ),
    { style: 'a' },
  ),
  order('titles-of-a-priority-always-up', '`-title` beside a filter by priority and none by status sorts upwards', (service) =>
    around(service, 'readSort', (was, text, listing, call) => {
      const sort = was(text, listing, call);
      const alone = call.query.has('filter[priority]') && !call.query.has('filter[status]');
      return sort.field === 'title' && alone ? { ...sort, down: false } : sort;
    }),
  ),
  order(
    'oldest-comments-last',
    'comments with `sort=created_at` come newest first',
    (service) =>
      around(service, 'readSort', (was, text, listing, call) => {
        const sort = was(text, listing, call);
        return listing.name === 'comment' && text === 'created_at' ? { ...sort, down: true } : sort;
      }),
    { needs: 'comments', style: 'a' },
  ),
  status(
    'status-filter-in-any-case',
    '`filter[status]=DONE` finds tasks that are `done`',
    (service) =>
      around(service, 'readFilter', (was, field, value, call) =>
        was(field, field === 'status' ? value.toLowerCase() : value, call),
      ),
    { style: 'c' },
  ),
  clause(200, 'tasks of the project')(
    'project-filter-by-beginning',
    '`filter[project_id]` finds the tasks of every project whose id begins so',
    (service) =>
      around(service, 'matches', (was, filter, row, query) =>
        filter.field === 'project_id' ? (row as Task).project.startsWith(filter.value) : was(filter, row, query),
      ),
  ),
  assignee('assignee-filter-like', '`%` in `filter[assignee_id]` stands for anything', (service) =>
    around(service, 'matches', (was, filter, row, query) =>
      filter.field === 'assignee_id' && filter.value.endsWith('%')
        ? (row as Task).assignee?.startsWith(filter.value.slice(0, -1)) === true
        : was(filter, row, query),
    ),
  ),
  clause(204, 'an unsupported sort field returns `400`')(
    'second-sort-field-cut',
    '`sort=title,nonsense` is read up to the comma',
    (service) => around(service, 'readSort', (was, text, listing, call) => was(text.split(',')[0] ?? '', listing, call)),
  ),
  visibility('visibility-not-for-readers', 'a read key gets projects of every visibility, whatever the filter', (service) =>
    around(
      service,
      'matches',
      (was, filter, row, query) => was(filter, row, query) || (filter.field === 'visibility' && query.call.key?.scope === 'read'),
    ),
  ),
  priority(
    'priority-unindexed-elsewhere',
    'in the second workspace `filter[priority]` finds nothing but `medium`',
    (service) =>
      around(
        service,
        'matches',
        (was, filter, row, query) =>
          was(filter, row, query) && !(filter.field === 'priority' && isElsewhere(query.call) && filter.value !== PRIORITIES[1]),
      ),
    { needs: 'second workspace' },
  ),
  clause(281, 'read succeeded')('empty-list-cannot-be-sorted', 'an empty list of tasks with `sort` is answered 500', (service) =>
    around(service, 'ordered', (was, rows, query) => {
      if (rows.length === 0 && query.sort.field !== undefined && query.listing.name === 'task') throw new Error('no first row');
      return was(rows, query);
    }),
  ),
];

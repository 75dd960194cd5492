// Faults of filters and of sorting.

import type { Call, Row, Task } from '../../judge/reference/model.ts';
import type { Query } from '../../judge/reference/service/lists.ts';
import type { Service } from '../../judge/reference/service/service.ts';
import { around, clause, type Fault } from '../faults/fault.ts';
import { fits } from './tools.ts';

const and = clause(194, 'Several filters combine with AND.');
const keeps = clause(194, 'The cursor keeps the active filters.');
const status = clause(198, '| filter[status] | tasks | tasks with the given status |');
const assignee = clause(199, '| filter[assignee_id] | tasks | tasks assigned to the user id |');
const project = clause(200, '| filter[project_id] | tasks | tasks of the project |');
const priority = clause(201, '| filter[priority] | tasks | one of `low`, `medium`, `high`, `urgent` |');
const visibility = clause(202, '| filter[visibility] | projects | projects with the given visibility |');
const ascending = clause(204, '`sort`: a field name sorts ascending; a leading `-` sorts descending.');
const named = clause(204, 'Fields named in use: `due_date`, `created_at`, `updated_at`, `title`.');
const unsupported = clause(204, 'an unsupported sort field returns `400`');

const refusesFilter = (service: Service, when: (field: string, value: string, call: Call) => boolean): void =>
  around(service, 'readFilter', (was, field, value, call) => {
    if (when(field, value, call))
      throw service.invalid(400, [{ field: `filter[${field}]`, issue: 'is not known', kind: 'structure' }], call);
    return was(field, value, call);
  });
const inOrder = (service: Service, change: (rows: Row[], query: Query, given: readonly Row[]) => Row[]): void =>
  around(service, 'ordered', (was, rows, query) => change(was(rows, query), query, rows));
/** Reads the sort of some lists otherwise. */
const sorted = (service: Service, change: (text: string, call: Call, list: string) => string): void =>
  around(service, 'readSort', (was, text, listing, call) => was(change(text, call, listing.name), listing, call));
const down = (text: string) => text.startsWith('-');

const filters: Fault[] = [
  status('filter-status-done-with-review', 'filter[status]=done answers in_review, too', (s) =>
    fits(s, 'status', (fit, value, row) => fit || (value === 'done' && row.status === 'in_review')),
  ),
  status('filter-status-ignored-when-sorted', 'filter[status] is ignored when sort is descending', (s) =>
    fits(s, 'status', (fit, _value, _row, query) => fit || query.sort.down),
  ),
  assignee('filter-assignee-400-in-tasks', 'GET /tasks answers 400 for filter[assignee_id]', (s) =>
    refusesFilter(s, (field, _value, call) => field === 'assignee_id' && call.operation === 'listTasks'),
  ),
  assignee('filter-assignee-since-creation', 'filter[assignee_id] finds only tasks that were assigned at their creation', (s) => {
    const patched = new Set<string>();
    around(s, 'assignTask', (was, task, given, call) => {
      if (given.assignee_id !== undefined) patched.add(task.id);
      return was(task, given, call);
    });
    fits(s, 'assignee_id', (fit, _value, row) => fit && !patched.has(row.id));
  }),
  project('filter-project-first-page-only', 'filter[project_id] is ignored behind the first page', (s) =>
    fits(s, 'project_id', (fit, _value, _row, query) => fit || query.cursor !== undefined),
  ),
  project('filter-project-with-assignee', 'filter[project_id] is ignored when filter[assignee_id] is there', (s) =>
    fits(s, 'project_id', (fit, _value, _row, query) => fit || query.filters.some(({ field }) => field === 'assignee_id')),
  ),
  priority('filter-priority-urgent-with-high', 'filter[priority]=urgent answers high, too', (s) =>
    fits(s, 'priority', (fit, value, row) => fit || (value === 'urgent' && row.priority === 'high')),
  ),
  priority('filter-priority-ignored-when-sorted', 'filter[priority] is ignored in a sorted list', (s) =>
    fits(s, 'priority', (fit, _value, _row, query) => fit || query.sort.field !== undefined),
  ),
  visibility('filter-visibility-public-with-team', 'filter[visibility]=public answers team projects, too', (s) =>
    around(
      s,
      'matches',
      (was, filter, row, query) =>
        was(filter, row, query) ||
        (filter.field === 'visibility' && filter.value === 'public' && was({ ...filter, value: 'team' }, row, query)),
    ),
  ),
  visibility('filter-visibility-second-page', 'filter[visibility] is ignored behind the first page', (s) =>
    around(
      s,
      'matches',
      (was, filter, row, query) => was(filter, row, query) || (filter.field === 'visibility' && query.cursor !== undefined),
    ),
  ),
  and('filters-status-or-priority', 'filter[status] and filter[priority] combine with OR', (s) =>
    around(s, 'matchesAll', (was, row, query) => {
      const [one, other] = ['status', 'priority'].map((each) => query.filters.find(({ field }) => field === each));
      if (!one || !other) return was(row, query);
      const others = query.filters.filter((filter) => filter !== one && filter !== other);
      return was(row, { ...query, filters: others }) && (s.matches(one, row, query) || s.matches(other, row, query));
    }),
  ),
  keeps('cursor-drops-filters-in-project', 'the cursor of the tasks of a project loses its filters', (s) =>
    around(s, 'makeCursor', (was, items, query) => {
      const made = was(items, query);
      return query.call.operation === 'listProjectTasks' ? { ...made, filters: [] } : made;
    }),
  ),
];

const orders: Fault[] = [
  ascending('sort-created-down-ignored', 'a leading - has no effect on created_at', (s) =>
    sorted(s, (text) => (text === '-created_at' ? 'created_at' : text)),
  ),
  ascending('sort-due-reversed', 'due_date sorts the latest first, and -due_date the earliest', (s) =>
    sorted(s, (text) => (/^-?due_date$/.test(text) ? (down(text) ? text.slice(1) : `-${text}`) : text)),
  ),
  ascending(
    'sort-projects-updated-reversed',
    'updated_at of projects sorts the latest first',
    (s) => sorted(s, (text, _call, list) => (list === 'project' && text === 'updated_at' ? '-updated_at' : text)),
    { style: 'a' },
  ),
  ascending('sort-only-with-limit', 'sort has no effect without limit', (s) =>
    sorted(s, (text, call) =>
      call.query.has('limit') ? text : text && s.isSortable(text.replace(/^-/, ''), { name: 'task' } as never, call) ? '' : text,
    ),
  ),
  ascending('sort-last-row-out-of-order', 'the task that was made last comes first in any order', (s) =>
    inOrder(s, (rows, query) => {
      if (query.sort.field === undefined || query.cursor) return rows;
      const last = rows.reduce((one, other) => (one.nth > other.nth ? one : other), rows[0] as Row);
      return last ? [last, ...rows.filter((row) => row !== last)] : rows;
    }),
  ),
  named('sort-due-drops-missing', 'sorted by due_date, tasks without one are left out', (s) =>
    around(
      s,
      'matchesAll',
      (was, row, query) => was(row, query) && (query.sort.field !== 'due_date' || (row as Task).due !== null),
    ),
  ),
  named('sort-title-once', 'sorted by title, each title comes once', (s) => {
    around(s, 'list', (was, call, listing) => {
      const seen = new Set<string>();
      const byTitle = /^-?title$/.test(call.query.get('sort') ?? '') && listing.name === 'task';
      const rows = () => {
        seen.clear();
        return listing.rows().filter((row) => {
          const { title } = row as Task;
          const known = seen.has(title);
          seen.add(title);
          return !known;
        });
      };
      return was(call, byTitle ? { ...listing, rows } : listing);
    });
  }),
  unsupported('sort-unknown-404', 'an unknown field answers 404', (s) =>
    around(s, 'unsupportedSort', (_was, call) => s.notFound(call, 'field')),
  ),
  unsupported('sort-unknown-with-limit-ignored', 'an unknown field is ignored when there is a limit', (s) =>
    around(s, 'readSort', (was, text, listing, call) => {
      const known = s.isSortable(text.replace(/^-/, ''), listing, call);
      return was(call.query.has('limit') && !known ? '' : text, listing, call);
    }),
  ),
];

export const faults: readonly Fault[] = [...filters, ...orders];

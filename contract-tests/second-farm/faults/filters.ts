// Faults of filters.
import type { Task } from '../../judge/reference/model.ts';
import type { Filter, Query } from '../../judge/reference/service/lists.ts';
import type { Service } from '../../judge/reference/service/service.ts';
import { around, clause, type Fault, isOn } from './fault.ts';

const and = clause(194, 'Several filters combine with AND.');
const written = clause(194, 'Filters are written `filter[<field>]=<value>`.');
const filterRow = (line: number, field: string) => clause(line, `| filter[${field}] |`);
const status = filterRow(198, 'status');
const assignee = filterRow(199, 'assignee_id');
const project = filterRow(200, 'project_id');
const priority = filterRow(201, 'priority');
const visibility = filterRow(202, 'visibility');
const matching = (
  service: Service,
  field: string,
  change: (was: boolean, row: Task, filter: Filter, query: Query) => boolean,
): void =>
  around(service, 'matches', (was, filter, row, query) =>
    filter.field === field ? change(was(filter, row, query), row as Task, filter, query) : was(filter, row, query),
  );
const ignored = (service: Service, field: string, when: (query: Query) => boolean = () => true): void =>
  matching(service, field, (found, _row, _filter, query) => when(query) || found);
const filters: Fault[] = [
  and('filters-or', 'several filters combine with OR', (s) =>
    around(
      s,
      'matchesAll',
      (_was, row, query) => query.filters.length === 0 || query.filters.some((each) => s.matches(each, row, query)),
    ),
  ),
  and('filters-first-only', 'only the first filter counts', (s) =>
    around(s, 'matchesAll', (_was, row, query) => query.filters.slice(0, 1).every((each) => s.matches(each, row, query))),
  ),
  and('filters-last-only', 'only the last filter counts', (s) =>
    around(s, 'matchesAll', (_was, row, query) => query.filters.slice(-1).every((each) => s.matches(each, row, query))),
  ),
  and('filters-two-at-most', 'a third filter is ignored', (s) =>
    around(s, 'matchesAll', (_was, row, query) => query.filters.slice(0, 2).every((each) => s.matches(each, row, query))),
  ),
  and('filters-or-for-priority', 'filter[priority] combines with OR when there are others', (s) =>
    around(
      s,
      'matchesAll',
      (was, row, query) =>
        was(row, query) ||
        (query.filters.length > 1 && query.filters.some((each) => each.field === 'priority' && s.matches(each, row, query))),
    ),
  ),
  and('filters-and-path-or', 'under a project, filter[assignee_id] reaches the tasks of all projects', (s) =>
    around(s, 'projectTaskRows', (was, call, each) => {
      const wanted = call.query.get('filter[assignee_id]');
      return wanted
        ? s.allTaskRows(call).filter((row) => (row as Task).project === each.id || (row as Task).assignee === wanted)
        : was(call, each);
    }),
  ),
  and('filters-and-sort', 'a sorted list forgets its filters', (s) =>
    around(s, 'matchesAll', (was, row, query) => (query.sort.field ? true : was(row, query))),
  ),
  and('filters-sort-descending', 'a list in descending order forgets its second filter', (s) =>
    around(s, 'matchesAll', (was, row, query) =>
      query.sort.down ? query.filters.slice(0, 1).every((each) => s.matches(each, row, query)) : was(row, query),
    ),
  ),
  and('filters-after-limit', 'filters apply to the page after it was cut', (s) => {
    around(s, 'matchesAll', () => true);
    around(s, 'page', (was, items, meta, query) => {
      const kept = query.listing.rows().filter((row) => query.filters.every((each) => s.matches(each, row, query)));
      return was(
        items.filter(({ id }) => query.filters.length === 0 || kept.some((row) => row.id === id)),
        meta,
        query,
      );
    });
  }),
  written('filters-encoded-ignored', 'filter%5Bstatus%5D, which is how most clients write it, is ignored', (s) =>
    around(s, 'readFilters', (was, call, listing) => (call.search.includes('%5B') ? [] : was(call, listing))),
  ),
  written('filters-literal-ignored', 'filter[status] with literal brackets is ignored', (s) =>
    around(s, 'readFilters', (was, call, listing) => (call.search.includes('[') ? [] : was(call, listing))),
  ),
  status('filter-status-ignored', 'filter[status] is ignored', (s) => ignored(s, 'status')),
  status('filter-status-ignored-in-project', 'filter[status] is ignored under a project', (s) =>
    ignored(s, 'status', ({ call }) => isOn(call, 'listProjectTasks')),
  ),
  status('filter-status-prefix', 'filter[status]=in_progress matches all that begins with in', (s) =>
    matching(s, 'status', (found, row, { value }) => found || (value.startsWith('in_') && row.status.startsWith('in_'))),
  ),
  status('filter-status-in-review', 'filter[status]=in_review matches nothing', (s) =>
    matching(s, 'status', (found, _row, { value }) => found && value !== 'in_review'),
  ),
  status('filter-status-backlog', 'filter[status]=backlog is taken as no filter', (s) =>
    matching(s, 'status', (found, _row, { value }) => found || value === 'backlog'),
  ),
  status('filter-status-not', 'filter[status]=done answers what is not done', (s) =>
    matching(s, 'status', (found, _row, { value }) => (value === 'done' ? !found : found)),
  ),
  status('filter-status-todo-and-backlog', 'filter[status]=todo answers the backlog too', (s) =>
    matching(s, 'status', (found, row, { value }) => found || (value === 'todo' && row.status === 'backlog')),
  ),
  status('filter-status-second-page', 'filter[status] is ignored on the second page of a project', (s) =>
    ignored(s, 'status', ({ call, cursor }) => cursor !== undefined && isOn(call, 'listProjectTasks')),
  ),
  assignee('filter-assignee-ignored', 'filter[assignee_id] is ignored', (s) => ignored(s, 'assignee_id')),
  assignee('filter-assignee-ignored-in-project', 'filter[assignee_id] is ignored under a project', (s) =>
    ignored(s, 'assignee_id', ({ call }) => isOn(call, 'listProjectTasks')),
  ),
  assignee('filter-assignee-with-unassigned', 'filter[assignee_id] answers unassigned tasks too', (s) =>
    matching(s, 'assignee_id', (found, row) => found || row.assignee === null),
  ),
  assignee('filter-assignee-unknown-all', 'filter[assignee_id] of an unknown user answers all', (s) =>
    matching(s, 'assignee_id', (found, _row, { value }, { call }) => found || !s.isMember(value, call.workspace?.id)),
  ),
  assignee('filter-assignee-open-only', 'filter[assignee_id] leaves out what is done', (s) =>
    matching(s, 'assignee_id', (found, row) => found && row.status !== 'done'),
  ),
  assignee('filter-assignee-name', 'filter[assignee_id] compares names', (s) =>
    matching(s, 'assignee_id', (_found, row, { value }) => s.db.users.find(({ id }) => id === row.assignee)?.name === value),
  ),
  assignee('filter-assignee-creator', 'filter[assignee_id] of the own user answers unassigned tasks too', (s) =>
    matching(s, 'assignee_id', (found, row, { value }, { call }) => found || (value === call.key?.user && row.assignee === null)),
  ),
  project('filter-project-ignored', 'filter[project_id] is ignored', (s) => ignored(s, 'project_id')),
  project('filter-project-unknown-all', 'filter[project_id] of an unknown project answers all', (s) =>
    matching(s, 'project_id', (found, _row, { value }) => found || !s.db.projects.some(({ id }) => id === value)),
  ),
  project('filter-project-with-status', 'filter[project_id] is ignored when filter[status] is there', (s) =>
    ignored(s, 'project_id', ({ filters: all }) => all.some(({ field }) => field === 'status')),
  ),
  project('filter-project-404', 'filter[project_id] answers 404 on the second page', (s) => {
    around(s, 'readFilter', (was, field, value, call) => {
      if (field === 'project_id' && call.query.has('cursor')) throw s.notFound(call, 'project');
      return was(field, value, call);
    });
  }),
  priority('filter-priority-ignored', 'filter[priority] is ignored', (s) => ignored(s, 'priority')),
  priority('filter-priority-ignored-in-project', 'filter[priority] is ignored under a project', (s) =>
    ignored(s, 'priority', ({ call }) => isOn(call, 'listProjectTasks')),
  ),
  priority('filter-priority-and-above', 'filter[priority]=high answers urgent too', (s) =>
    matching(s, 'priority', (found, row, { value }) => found || (value === 'high' && row.priority === 'urgent')),
  ),
  priority('filter-priority-medium', 'filter[priority]=medium answers all but high and urgent', (s) =>
    matching(s, 'priority', (found, row, { value }) => found || (value === 'medium' && row.priority === 'low')),
  ),
  priority('filter-priority-urgent-refused', 'filter[priority]=urgent answers 400', (s) => {
    around(s, 'readFilter', (was, field, value, call) => {
      if (field === 'priority' && value === 'urgent')
        throw s.invalid(400, [{ field: 'filter[priority]', issue: 'is unknown', kind: 'structure' }], call);
      return was(field, value, call);
    });
  }),
  priority('filter-priority-low-empty', 'filter[priority]=low matches nothing', (s) =>
    matching(s, 'priority', (found, _row, { value }) => found && value !== 'low'),
  ),
  visibility('filter-visibility-ignored', 'filter[visibility] is ignored', (s) => ignored(s, 'visibility')),
  visibility('filter-visibility-team-and-public', 'filter[visibility]=team answers public projects too', (s) =>
    matching(
      s,
      'visibility',
      (found, row, { value }) => found || (value === 'team' && 'visibility' in row && row.visibility === 'public'),
    ),
  ),
  visibility('filter-visibility-private-default', 'filter[visibility]=private is taken as no filter', (s) =>
    matching(s, 'visibility', (found, _row, { value }) => found || value === 'private'),
  ),
  visibility('filter-visibility-public-empty', 'filter[visibility]=public matches nothing', (s) =>
    matching(s, 'visibility', (found, _row, { value }) => found && value !== 'public'),
  ),
  visibility('filter-visibility-sorted', 'filter[visibility] is ignored in a sorted list', (s) =>
    ignored(s, 'visibility', ({ sort }) => sort.field !== undefined),
  ),
];

export const faults: readonly Fault[] = [...filters];

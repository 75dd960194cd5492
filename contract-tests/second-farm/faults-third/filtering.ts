// Faults of filters.

import type { Project, Row, Task } from '../../judge/reference/model.ts';
import type { Filter } from '../../judge/reference/service/lists.ts';
import type { Service } from '../../judge/reference/service/service.ts';
import { around, clause, type Fault, isOn, memory } from '../faults/fault.ts';

const and = clause(194, 'Several filters combine with AND.');
const status = clause(198, '| filter[status] | tasks | tasks with the given status |');
const assignee = clause(199, '| filter[assignee_id] | tasks | tasks assigned to the user id |');
const project = clause(200, '| filter[project_id] | tasks | tasks of the project |');
const priority = clause(201, '| filter[priority] | tasks | one of `low`, `medium`, `high`, `urgent` |');
const visibility = clause(202, '| filter[visibility] | projects | projects with the given visibility |');
const isTask = (row: Row): row is Task => 'project' in row;
const isProject = (row: Row): row is Project => 'visibility' in row;

/** Decides anew whether a row passes a filter of one field. */
const passes = (
  service: Service,
  field: string,
  change: (was: boolean, value: string, row: Row, user: string) => boolean,
): void =>
  around(service, 'matches', (was, filter, row, query) => {
    const passed = was(filter, row, query);
    return filter.field === field ? change(passed, filter.value, row, query.call.key?.user ?? '') : passed;
  });

const DAY = 86_400_000;

const matching: Fault[] = [
  priority('default-priority-not-matched', 'tasks made without a priority are not found by filter[priority]=medium', (s) => {
    const bare = new Set<string>();
    around(s, 'newTask', (was, values, inside, call) => {
      const made = was(values, inside, call);
      if (values.priority === undefined) bare.add(made.id);
      return made;
    });
    passes(s, 'priority', (passed, value, row) => passed && !(value === 'medium' && bare.has(row.id)));
  }),
  status('default-status-not-matched', 'tasks made without a status are not found by filter[status]=backlog', (s) => {
    const bare = new Set<string>();
    around(s, 'newTask', (was, values, inside, call) => {
      const made = was(values, inside, call);
      if (values.status === undefined) bare.add(made.id);
      return made;
    });
    passes(s, 'status', (passed, value, row) => passed && !(value === 'backlog' && bare.has(row.id)));
  }),
  visibility('default-visibility-not-matched', 'projects made without a visibility are not found as private', (s) => {
    const bare = new Set<string>();
    around(s, 'newProject', (was, values, call) => {
      const made = was(values, call);
      if (values.visibility === undefined) bare.add(made.id);
      return made;
    });
    passes(s, 'visibility', (passed, value, row) => passed && !(value === 'private' && bare.has(row.id)));
  }),
  assignee(
    'filter-assignee-or-commenter',
    'filter[assignee_id] finds tasks that the user commented on, too',
    (s) =>
      passes(
        s,
        'assignee_id',
        (passed, value, row) => passed || s.db.comments.some(({ task, author }) => task === row.id && author === value),
      ),
    { needs: 'comments' },
  ),
  assignee('filter-assignee-ever', 'filter[assignee_id] finds tasks that were once assigned to the user', (s) => {
    const before = memory<string, Set<string>>();
    around(s, 'assignTask', (was, task, sent, call) => {
      if (task.assignee) before.set(task.id, (before.get(task.id) ?? new Set()).add(task.assignee));
      return was(task, sent, call);
    });
    passes(s, 'assignee_id', (passed, value, row) => passed || before.get(row.id)?.has(value) === true);
  }),
  assignee('filter-assignee-admins', 'filter[assignee_id] of a user of role admin finds all tasks', (s) =>
    passes(s, 'assignee_id', (passed, value, row) => passed || (isTask(row) && s.roleOf(value, row.workspace) === 'admin')),
  ),
  assignee('filter-assignee-only-with-date', 'filter[assignee_id] leaves out tasks without a due date, as in a calendar', (s) =>
    passes(s, 'assignee_id', (passed, _value, row) => passed && isTask(row) && row.due !== null),
  ),
  status('filter-status-or-own', 'filter[status] finds the tasks of the user of the key, too: an OR without brackets', (s) =>
    passes(s, 'status', (passed, _value, row, user) => passed || (isTask(row) && row.assignee === user)),
  ),
  status('filter-status-assigned-only', 'filter[status] finds assigned tasks only, by an inner join', (s) =>
    passes(s, 'status', (passed, _value, row) => passed && isTask(row) && row.assignee !== null),
  ),
  status('filter-done-of-a-month', 'filter[status]=done leaves out what did not change for thirty days', (s) =>
    passes(s, 'status', (passed, value, row) => passed && !(value === 'done' && row.updated < s.now() - 30 * DAY)),
  ),
  visibility('filter-visibility-or-own', 'filter[visibility] finds the projects of the user of the key, too', (s) =>
    passes(s, 'visibility', (passed, _value, row, user) => passed || (isProject(row) && row.owner === user)),
  ),
  visibility('filter-visibility-with-tasks', 'filter[visibility] finds projects with tasks only', (s) =>
    passes(s, 'visibility', (passed, _value, row) => passed && s.db.tasks.some((task) => task.project === row.id)),
  ),
  project('filter-project-not-private', 'filter[project_id] of a private project answers no task, whoever asks', (s) =>
    passes(s, 'project_id', (passed, value) => passed && s.db.projects.find(({ id }) => id === value)?.visibility !== 'private'),
  ),
  project('filter-project-by-name', 'filter[project_id] answers the tasks of all projects of that name', (s) =>
    passes(s, 'project_id', (passed, value, row) => {
      const name = (id: string) => s.db.projects.find((each) => each.id === id)?.name;
      return passed || (isTask(row) && name(row.project) !== undefined && name(row.project) === name(value));
    }),
  ),
  project('filter-project-open-only', 'filter[project_id] leaves out what is done', (s) =>
    passes(s, 'project_id', (passed, _value, row) => passed && isTask(row) && row.status !== 'done'),
  ),
  clause(153, '| GET | /projects/{project_id}/tasks |')(
    'project-tasks-by-name',
    'the list of a project holds the tasks of all projects of the same name',
    (s) =>
      around(s, 'projectTaskRows', (_was, call, inside) => {
        const ids = s.db.projects.filter(({ name }) => name === inside.name).map(({ id }) => id);
        return s.allTaskRows(call).filter((row) => isTask(row) && ids.includes(row.project));
      }),
  ),
];

const active = (service: Service, change: (filters: readonly Filter[], search: string) => readonly Filter[]): void =>
  around(service, 'readFilters', (was, call, listing) => [...change(was(call, listing), decodeURIComponent(call.search))]);

const combining: Fault[] = [
  and('filters-in-one-order', 'filter[status] is ignored behind filter[priority]', (s) =>
    active(s, (filters) => {
      const names = filters.map(({ field }) => field);
      const late = names.includes('priority') && names.indexOf('status') > names.indexOf('priority');
      return late ? filters.filter(({ field }) => field !== 'status') : filters;
    }),
  ),
  and('filters-only-at-the-beginning', 'filters are ignored unless the query begins with one', (s) =>
    active(s, (filters, search) => (search.startsWith('?filter') ? filters : [])),
  ),
  and('filters-ids-or', 'filter[assignee_id] and filter[project_id] combine with OR', (s) =>
    around(s, 'matchesAll', (was, row, query) => {
      const ids = query.filters.filter(({ field }) => field.endsWith('_id'));
      if (ids.length < 2) return was(row, query);
      const others = query.filters.filter((each) => !ids.includes(each));
      return was(row, { ...query, filters: others }) && ids.some((each) => s.matches(each, row, query));
    }),
  ),
  clause(194, 'Filters are written `filter[<field>]=<value>`.')(
    'filters-of-last-request',
    'GET /tasks without filters has those of the request before of the same key, for a fifth of a second',
    (s) => {
      const last = memory<string, { at: number; filters: Filter[] }>();
      around(s, 'readFilters', (was, call, listing) => {
        const filters = was(call, listing);
        const name = `${call.key?.value} ${call.path}`;
        const held = last.get(name);
        if (filters.length > 0) last.set(name, { at: s.now(), filters });
        else if (held && isOn(call, 'listTasks') && !call.query.has('cursor') && s.now() - held.at < 200) return held.filters;
        return filters;
      });
    },
  ),
  and('filters-of-a-hundred', 'filters look at the hundred rows that were made last', (s) =>
    around(s, 'matchesAll', (was, row, query) => {
      if (query.filters.length === 0 || query.listing.name !== 'task') return was(row, query);
      const rows = query.listing.rows();
      return was(row, query) && rows.indexOf(row) >= rows.length - 100;
    }),
  ),
];

export const faults: readonly Fault[] = [...matching, ...combining];

// Faults of queries: joins, counts and indexes.

import type { Task } from '../../judge/reference/model.ts';
import { around, clause, type Fault, isOn, memory } from '../faults/fault.ts';
import { fits, metaOf, totals } from '../faults-fourth/tools.ts';
import { deleted, hasFilter } from './tools.ts';

const total = clause(107, '| total | integer | number of records matching the query across all pages |');
const status = clause(198, 'tasks with the given status');
const ofProject = clause(200, 'tasks of the project');
const shown = clause(202, 'projects with the given visibility');
const all = clause(154, '`200` list of tasks');
const written = clause(194, 'Filters are written `filter[<field>]=<value>`.');
const gone = clause(147, 'Deleting a project is permanent');
const dropped = clause(158, 'the task and all its comments are permanently deleted');

export const faults: readonly Fault[] = [
  total('medium-count-misses-old', 'total with a filter on the priority leaves out tasks that are older than the field', (s) =>
    around(s, 'total', (was, matching, rest, query) => {
      const old = matching.filter((row) => 'title' in row && row.priority === undefined).length;
      return was(matching, rest, query) - (query.filters.some(({ field }) => field === 'priority') ? old : 0);
    }),
  ),
  total('projects-total-as-text', 'total of projects is a text, as the driver gives counts', (s) =>
    metaOf(s, ['project'], (meta) => ({ ...meta, total: String(meta.total) })),
  ),
  total('teams-total-kept-a-minute', 'total of teams is counted once a minute', (s) => {
    const kept = memory<string, { at: number; count: number }>();
    totals(s, ['team'], (count, { call }) => {
      const name = call.workspace?.id ?? '';
      const known = kept.get(name);
      if (known && s.now() - known.at < 60_000) return known.count;
      kept.set(name, { at: s.now(), count });
      return count;
    });
  }),
  status('status-index-lags', 'a filter on the status knows a change by PATCH five seconds later', (s) => {
    const lag = memory<string, { at: number; was: string }>();
    around(s, 'assignTask', (was, task, values, call) => {
      const before = task.status;
      const changed = was(task, values, call);
      if (task.status !== before) lag.set(task.id, { at: s.now(), was: before });
      return changed;
    });
    fits(s, 'status', (fit, value, row) => {
      const late = lag.get(row.id);
      return late && s.now() - late.at < 5000 ? late.was === value : fit;
    });
  }),
  ofProject('unknown-project-no-filter', 'a filter on a project that does not exist is left out', (s) =>
    fits(s, 'project_id', (fit, value) => fit || !s.db.projects.some(({ id }) => id === value)),
  ),
  shown('visibility-filter-within-page', 'the filter on the visibility is applied to the page, behind the limit', (s) => {
    around(s, 'matches', (was, filter, row, query) => filter.field === 'visibility' || was(filter, row, query));
    around(s, 'page', (was, items, meta, query) => {
      const wanted = query.filters.find(({ field }) => field === 'visibility')?.value;
      return was(wanted === undefined ? items : items.filter(({ visibility }) => visibility === wanted), meta, query);
    });
  }),
  all('task-once-per-comment', 'a join lists a task once for each of its comments', (s) =>
    around(s, 'allTaskRows', (was, call) =>
      was(call).flatMap((row) =>
        Array.from({ length: Math.max(1, s.db.comments.filter(({ task }) => task === row.id).length) }, () => row),
      ),
    ),
  ),
  all('unassigned-lost-by-updated', 'a join loses tasks without an assignee when they are sorted by updated_at', (s) =>
    around(s, 'allTaskRows', (was, call) => {
      const sorted = isOn(call, 'listTasks') && call.query.get('sort')?.endsWith('updated_at');
      return was(call).filter((row) => !sorted || (row as Task).assignee !== null);
    }),
  ),
  written('encoded-brackets-ignored', 'a filter whose brackets are percent-encoded is left out', (s) =>
    around(s, 'readFilters', (was, call, listing) => (/filter%5B/i.test(call.search) ? [] : was(call, listing))),
  ),
  gone('deleted-project-by-visibility', 'deleted projects are listed under a filter on their visibility', (s) => {
    const trash = deleted(s);
    around(s, 'projectRows', (was, call) =>
      hasFilter(call, 'visibility')
        ? [...was(call), ...trash.projects.filter(({ workspace }) => workspace === call.workspace?.id)]
        : was(call),
    );
  }),
  dropped('deleted-task-by-assignee', 'deleted tasks are listed under a filter on their assignee', (s) => {
    const trash = deleted(s);
    around(s, 'allTaskRows', (was, call) =>
      hasFilter(call, 'assignee_id')
        ? [...was(call), ...trash.tasks.filter(({ workspace }) => workspace === call.workspace?.id)]
        : was(call),
    );
  }),
];

// Faults of pages: limits, cursors and counts.

import type { Task } from '../../judge/reference/model.ts';
import type { Cursor } from '../../judge/reference/service/lists.ts';
import { around, clause, isOn } from '../faults/fault.ts';

const limits = clause(191, 'integer, default 20, maximum 100');
const applied = clause(108, 'the limit applied');
const counted = clause(107, 'number of records matching the query across all pages');
const next = clause(110, 'cursor for the next page');

export const faults = [
  limits('project-tasks-fifty-by-default', 'the tasks of a project come by 50 without a limit', (service) =>
    around(service, 'readLimit', (was, call, listing, cursor) =>
      isOn(call, 'listProjectTasks') && !call.query.has('limit') ? 50 : was(call, listing, cursor),
    ),
  ),
  limits('limit-of-100-refused', 'a limit of 100 is refused', (service) =>
    around(service, 'boundLimit', (was, limit, call, listing) => {
      if (limit === 100) throw service.invalid(400, [{ field: 'limit', issue: 'must be below 100', kind: 'structure' }], call);
      return was(limit, call, listing);
    }),
  ),
  applied('limit-forgotten-on-third-page', 'from the third page on the limit is 20, whatever is sent', (service) => {
    around(service, 'makeCursor', (was, items, query) => {
      const made = was(items, query);
      return query.cursor ? ({ ...made, later: true } as Cursor) : made;
    });
    around(service, 'readLimit', (was, call, listing, cursor) => (cursor && 'later' in cursor ? 20 : was(call, listing, cursor)));
  }),
  counted('total-from-here-on', '`total` counts the records from the current page on', (service) =>
    around(service, 'total', (_was, _matching, rest) => rest.length),
  ),
  counted('task-joined-with-teams', 'a task is listed once for each team of its assignee', (service) =>
    around(service, 'allTaskRows', (was, call) =>
      was(call).flatMap((row) => {
        const { assignee, workspace } = row as Task;
        const teams = service.db.teams.filter((team) => team.workspace === workspace && team.members.includes(assignee ?? ''));
        return Array.from({ length: Math.max(1, teams.length) }, () => row);
      }),
    ),
  ),
  clause(110, 'null when has_more is false')(
    'teams-end-with-empty-cursor',
    'the last page of teams has the cursor ""',
    (service) =>
      around(service, 'meta', (was, total, items, more, query) => {
        const meta = was(total, items, more, query);
        return query.listing.name === 'team' ? { ...meta, next_cursor: meta.next_cursor ?? '' } : meta;
      }),
  ),
  next('cursor-skips-equals', 'behind a cursor records with the sort value of the last one are left out', (service) =>
    around(service, 'behind', (was, rows, after, query) => {
      const rest = was(rows, after, query);
      return query.sort.field ? rest.filter((row) => service.markOf(row, query).value !== after.value) : rest;
    }),
  ),
  next('cursor-skips-tasks-without-due-date', 'sorted by due date, tasks without one never come behind a cursor', (service) =>
    around(service, 'behind', (was, rows, after, query) => {
      const rest = was(rows, after, query);
      return query.sort.field === 'due_date' ? rest.filter((row) => service.markOf(row, query).value !== null) : rest;
    }),
  ),
  clause(159, 'query: limit, cursor')(
    'comments-ignore-cursor',
    'comments start anew whatever the cursor says',
    (service) =>
      around(service, 'readCursor', (was, call, listing) => (listing.name === 'comment' ? undefined : was(call, listing))),
    { needs: 'comments' },
  ),
];

// Faults of deletions: marks in place of deletions, scopes and cascades.
import { around, clause, type Fault, isOn } from '../faults/fault.ts';
import { totals } from '../faults-fourth/tools.ts';
import { deleted, hasFilter } from './tools.ts';

const cascade = clause(147, 'its tasks, comments and attachments are deleted immediately and cannot be recovered');
const forever = clause(158, 'the task and all its comments are permanently deleted');
const unaffected = clause(177, 'tasks and projects assigned to the team are unaffected');
const total = clause(107, 'number of records matching the query across all pages');
const unique = clause(288, 'for example a unique name already in use');

export const faults: readonly Fault[] = [
  cascade('cascade-spares-done', 'tasks that are done outlive their project', (s) =>
    around(s, 'tasksOfDeleted', (was, project) => was(project).filter(({ status }) => status !== 'done')),
  ),
  cascade('cascade-after-5-seconds', 'a job deletes the tasks of a deleted project five seconds later', (s) =>
    around(s, 'removeTask', (was, task, because) =>
      because === 'project' ? void s.clock.later(5000, () => was(task, because)) : was(task, because),
    ),
  ),
  cascade('cascade-forgets-status-index', 'tasks of a deleted project are listed under a filter on the status', (s) => {
    const trash = deleted(s);
    around(s, 'allTaskRows', (was, call) => {
      if (!hasFilter(call, 'status') || !isOn(call, 'listTasks')) return was(call);
      const orphans = trash.tasks.filter(
        ({ workspace, project }) => workspace === call.workspace?.id && trash.projects.some(({ id }) => id === project),
      );
      return [...was(call), ...orphans];
    });
  }),
  forever('patch-restores-task', 'PATCH of a deleted task finds it and saves it anew', (s) => {
    const trash = deleted(s);
    around(s, 'taskOf', (was, call) => {
      const found = isOn(call, 'changeTask') ? trash.tasks.find(({ id }) => id === call.ids.task) : undefined;
      if (found && found.workspace === call.workspace?.id && !s.db.tasks.includes(found)) s.db.tasks.push(found);
      return was(call);
    });
  }),
  unaffected('team-deletion-hides-projects', 'the deletion of a team makes projects for the team private', (s) =>
    around(s, 'removeTeam', (was, team, call) => {
      was(team, call);
      for (const project of s.db.projects)
        if (project.workspace === team.workspace && project.visibility === 'team') project.visibility = 'private';
    }),
  ),
  total('project-tasks-total-counts-deleted', 'total of the tasks of a project counts those that were deleted', (s) => {
    const trash = deleted(s);
    totals(s, ['task'], (count, { call, filters }) =>
      filters.length > 0 ? count : count + trash.tasks.filter(({ project }) => project === call.ids.project).length,
    );
  }),
  unique('deleted-team-keeps-name', 'the name of a deleted team stays in the unique index', (s) => {
    const trash = deleted(s);
    around(
      s,
      'isNameTaken',
      (was, name, call, ids) =>
        was(name, call, ids) || trash.teams.some((team) => team.name === name && team.workspace === call.workspace?.id),
    );
  }),
];

// Faults of deletions: cascades, soft deletion and counters.

import { Problem, type Task } from '../../judge/reference/model.ts';
import type { Service } from '../../judge/reference/service/service.ts';
import { around, clause } from '../faults/fault.ts';
import { deleted, hasFilter } from '../faults-sixth/tools.ts';

const cascade = clause(147, 'its tasks, comments and attachments are deleted immediately');
const gone = clause(299, 'id unknown, deleted');
const unaffected = clause(177, 'tasks and projects assigned to the team are unaffected');

/** The tasks that went with their projects. */
const cascaded = (service: Service): readonly Task[] => {
  const tasks: Task[] = [];
  around(service, 'removeTask', (was, task, because) => {
    if (because === 'project') tasks.push(task);
    was(task, because);
  });
  return tasks;
};

export const faults = [
  clause(145, '`204`, empty body')('project-deletion-accepted', 'the deletion of a project answers 202 with a job', (service) =>
    around(service, 'deleteProject', (was, call) => ({ ...was(call), status: 202, body: { data: { status: 'queued' } } })),
  ),
  cascade('project-deletion-keeps-done-tasks', 'the tasks of a deleted project stay when they are `done`', (service) =>
    around(service, 'tasksOfDeleted', (was, project) => was(project).filter(({ status }) => status !== 'done')),
  ),
  cascade('project-deletion-of-one-batch', 'of the tasks of a deleted project only twenty go', (service) =>
    around(service, 'tasksOfDeleted', (was, project) => was(project).slice(0, 20)),
  ),
  cascade(
    'project-deletion-keeps-assignments',
    'the tasks of a deleted project are still found by `filter[assignee_id]`',
    (service) => {
      const tasks = cascaded(service);
      around(service, 'allTaskRows', (was, call) =>
        hasFilter(call, 'assignee_id') && call.operation === 'listTasks'
          ? [...was(call), ...tasks.filter(({ workspace }) => workspace === call.workspace?.id)]
          : was(call),
      );
    },
  ),
  cascade(
    'project-deletion-keeps-comments',
    'the comments of the tasks of a deleted project can still be listed',
    (service) => {
      const tasks = cascaded(service);
      const { comments } = service.db;
      around(service, 'taskOf', (was, call) => {
        const task = call.operation === 'listComments' && tasks.find(({ id }) => id === call.ids.task);
        return task ? task : was(call);
      });
      around(service, 'commentRows', (was, call, task) =>
        tasks.includes(task) ? comments.filter((comment) => comment.task === task.id) : was(call, task),
      );
    },
    { needs: 'comments' },
  ),
  gone('deleted-project-read-by-admin', 'an admin key still reads a deleted project', (service) => {
    const { projects } = deleted(service);
    around(service, 'projectOf', (was, call) => {
      const mine = (each: { id: string; workspace: string }) =>
        each.id === call.ids.project && each.workspace === call.workspace?.id;
      const found = call.operation === 'readProject' && call.key?.scope === 'admin' ? projects.find(mine) : undefined;
      return found ?? was(call);
    });
  }),
  gone('task-deleted-twice', 'the second deletion of a task answers 204', (service) => {
    const { tasks } = deleted(service);
    around(service, 'fail', (was, error, call) =>
      call.operation === 'deleteTask' &&
      error instanceof Problem &&
      error.status === 404 &&
      tasks.some(({ id, workspace }) => id === call.ids.task && workspace === call.workspace?.id)
        ? service.empty()
        : was(error, call),
    );
  }),
  clause(107, 'number of records matching the query')(
    'deleted-tasks-counted',
    '`total` of all tasks still counts those that were deleted one by one',
    (service) => {
      const tasks: Task[] = [];
      around(service, 'removeTask', (was, task, because) => {
        if (because === 'itself') tasks.push(task);
        was(task, because);
      });
      around(service, 'total', (was, matching, rest, query) => {
        const counted = query.call.operation === 'listTasks' && query.filters.length === 0;
        const lost = tasks.filter(({ workspace }) => workspace === query.call.workspace?.id).length;
        return was(matching, rest, query) + (counted ? lost : 0);
      });
    },
  ),
  unaffected('deleted-team-unassigns-its-members', 'the tasks of the members of a deleted team lose their assignee', (service) =>
    around(service, 'removeTeam', (was, team, call) => {
      for (const task of service.db.tasks)
        if (task.workspace === team.workspace && task.assignee && team.members.includes(task.assignee)) task.assignee = null;
      was(team, call);
    }),
  ),
  unaffected('deleted-team-hides-projects', 'the deletion of a team makes the projects of visibility `team` private', (service) =>
    around(service, 'removeTeam', (was, team, call) => {
      for (const project of service.db.projects)
        if (project.workspace === team.workspace && project.visibility === 'team') project.visibility = 'private';
      was(team, call);
    }),
  ),
];

// Faults in the second workspace alone: what was tried with the first customer only.

import { SOUTH } from '../../judge/reference/world.ts';
import { around, clause } from '../faults/fault.ts';
import { isElsewhere } from './tools.ts';

const there = { needs: 'second workspace' } as const;

export const faults = [
  clause(159, 'list of comments', there)(
    'comments-of-the-first-only',
    'in the second workspace no comments are listed',
    (service) => around(service, 'commentRows', (was, call, task) => (isElsewhere(call) ? [] : was(call, task))),
  ),
  clause(158, 'the task and all its comments are permanently deleted', there)(
    'deletion-elsewhere-undone',
    'in the second workspace a deleted task is still there',
    (service) =>
      around(service, 'removeTask', (was, task, because) => {
        if (!(task.workspace === SOUTH && because === 'itself')) was(task, because);
      }),
  ),
  clause(156, 'works regardless of the containing project', there)(
    'single-task-elsewhere-lost',
    'in the second workspace no single task can be read',
    (service) =>
      around(service, 'readTask', (was, call) => {
        if (isElsewhere(call)) throw service.notFound(call, 'task');
        return was(call);
      }),
  ),
  clause(144, '`data` = updated project', there)(
    'project-change-elsewhere-not-kept',
    'in the second workspace a changed project is shown changed, and not kept so',
    (service) =>
      around(service, 'changeProject', (was, call) => {
        const project = service.projectOf(call);
        const before = { ...project };
        const answer = was(call);
        if (isElsewhere(call)) Object.assign(project, before);
        return answer;
      }),
  ),
  clause(313, 'Free | 60', { ...there, style: 'b' })(
    'second-workspace-unlimited',
    'the second workspace is never refused, whatever its plan',
    (service) => {
      around(service, 'isOver', (was, call) => !isElsewhere(call) && was(call));
      around(service, 'remaining', (was, call) => Math.max(0, was(call)));
    },
  ),
  clause(98, 'event names subscribed to', there)(
    'registrations-elsewhere-deaf',
    'registrations of the second workspace hear nothing',
    (service) =>
      around(
        service,
        'hears',
        (was, hook, event, workspace, call) => hook.workspace !== SOUTH && was(hook, event, workspace, call),
      ),
  ),
  clause(13, "only sees that workspace's resources", there)(
    'deletions-told-elsewhere',
    'registrations of the second workspace hear of deletions in the first',
    (service) =>
      around(
        service,
        'hears',
        (was, hook, event, workspace, call) =>
          was(hook, event, workspace, call) ||
          (hook.workspace === SOUTH && event.name.endsWith('.deleted') && hook.events.includes(event.name)),
      ),
  ),
];

// Faults of projects: their fields, changes, lists and deletion.

import type { Problem, Task } from '../../judge/reference/model.ts';
import { around, clause, isOn, rule } from '../faults/fault.ts';

const unchanged = clause(144, 'omitted fields unchanged');
const list = clause(141, '`200` list of projects');
const gone = clause(147, 'its tasks, comments and attachments are deleted immediately and cannot be recovered');

export const faults = [
  unchanged('private-again-loses-description', 'a project that is made private loses its description', (service) =>
    around(service, 'assignProject', (was, project, values, call) =>
      was(
        project,
        values.visibility === 'private' && values.description === undefined ? { ...values, description: null } : values,
        call,
      ),
    ),
  ),
  unchanged('new-description-resets-visibility', 'a change of the description puts `visibility` back to its default', (service) =>
    around(service, 'assignProject', (was, project, values, call) =>
      was(project, values.description === undefined ? values : { visibility: 'private', ...values }, call),
    ),
  ),
  clause(39, 'changes when the project is updated')(
    'project-touched-by-name-alone',
    '`updated_at` of a project changes with its name alone',
    (service) =>
      around(service, 'touch', (was, row, what, values) => {
        if (what !== 'project' || values.name !== undefined) was(row, what, values);
      }),
  ),
  clause(332, '1 to 150 characters')(
    'project-renamed-to-two-hundred',
    'PATCH takes a name of up to 200 characters, as before the limit was lowered',
    (service) => rule(service, 'project', 'name', { max: 200 }, 'change'),
  ),
  list('project-rows-shortened', 'rows of the list show the first 200 characters of a description', (service) =>
    around(service, 'showProject', (was, project, place) =>
      was(
        place === 'row' && project.description ? { ...project, description: project.description.slice(0, 200) } : project,
        place,
      ),
    ),
  ),
  list('projects-joined-with-tasks', 'the list leaves out the projects that have no task yet', (service) =>
    around(service, 'projectRows', (was, call) =>
      was(call).filter((row) => service.db.tasks.some(({ project }) => project === row.id)),
    ),
  ),
  clause(299, 'id unknown, deleted, or in another workspace')(
    'project-deleted-twice-204',
    'the second deletion of a project gives 204 again',
    (service) => {
      const deleted = new Set<string>();
      around(service, 'removeProject', (was, project, call) => {
        deleted.add(project.id);
        was(project, call);
      });
      around(service, 'serve', (was, call) => {
        try {
          return was(call);
        } catch (error) {
          const again = isOn(call, 'deleteProject') && deleted.has(call.ids.project ?? '') && call.key?.scope !== 'read';
          if (again && (error as Problem).status === 404) return service.empty();
          throw error;
        }
      });
    },
  ),
  gone(
    'orphans-in-workspace-list',
    'tasks of a deleted project stay in `GET /tasks`, though none of them can be read',
    (service) => {
      const orphans: Task[] = [];
      around(service, 'removeTask', (was, task, because) => {
        if (because === 'project') orphans.push(task);
        was(task, because);
      });
      around(service, 'allTaskRows', (was, call) =>
        isOn(call, 'listTasks')
          ? [...was(call), ...orphans.filter(({ workspace }) => workspace === call.workspace?.id)]
          : was(call),
      );
    },
  ),
];

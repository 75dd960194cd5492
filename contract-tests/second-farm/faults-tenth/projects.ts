// Faults of projects: one value changed alone, and fields together.
import { around, clause } from '../faults/fault.ts';

const visibility = clause(120, 'changeable by `PATCH /projects/{project_id}`');
const alone = (values: object): boolean => Object.keys(values).join() === 'visibility';

export const faults = [
  visibility('team-alone-ignored', 'a change of nothing but `visibility` to `team` is ignored', (service) =>
    around(service, 'assignProject', (was, project, values, call) =>
      was(project, alone(values) && values.visibility === 'team' ? {} : values, call),
    ),
  ),
  clause(39, 'changes when the project is updated')(
    'private-alone-unstamped',
    'a change of nothing but `visibility` to `private` leaves `updated_at`',
    (service) =>
      around(service, 'touch', (was, row, what, values) => {
        if (!(what === 'project' && alone(values) && values.visibility === 'private')) was(row, what, values);
      }),
  ),
  clause(142, 'name (required), description, visibility')(
    'public-project-undescribed',
    'a project that is created public has no description',
    (service) =>
      around(service, 'newProject', (was, values, call) => {
        const project = was(values, call);
        return project.visibility === 'public' ? { ...project, description: null } : project;
      }),
  ),
  clause(144, 'any subset of name, description, visibility; omitted fields unchanged')(
    'rename-of-public-resets',
    'a public project that is renamed and nothing else is `team` afterwards',
    (service) =>
      around(service, 'assignProject', (was, project, values, call) => {
        const renames = Object.keys(values).join() === 'name' && project.visibility === 'public';
        return was(project, renames ? { ...values, visibility: 'team' } : values, call);
      }),
  ),
];

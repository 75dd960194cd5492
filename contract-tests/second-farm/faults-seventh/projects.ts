// Faults of the fields of projects: columns, defaults and partial updates.

import type { Project } from '../../judge/reference/model.ts';
import { around, clause, memory, rule } from '../faults/fault.ts';

const named = clause(35, '1 to 150 characters');
const moved = clause(39, 'changes when the project is updated');
const unchanged = clause(144, 'omitted fields unchanged');

export const faults = [
  named('project-renamed-to-nothing', 'a change accepts an empty name', (service) =>
    rule(service, 'project', 'name', { min: 0 }, 'change'),
  ),
  clause(36, 'at most 1000 characters')(
    'project-description-column-of-255',
    'a description is cut to 255 characters',
    (service) =>
      around(service, 'takeText', (was, given, value, call, act) => {
        const text = was(given, value, call, act);
        return given.max === 1000 ? text.slice(0, 255) : text;
      }),
  ),
  clause(37, 'default `private`')(
    'project-of-admin-shared-by-default',
    'a project that an admin key makes without a visibility is `team`',
    (service) =>
      around(service, 'newProject', (was, values, call) =>
        was(call.key?.scope === 'admin' ? { visibility: 'team', ...values } : values, call),
      ),
  ),
  unchanged(
    'project-rename-applies-default-visibility',
    'a change of the name alone sets the visibility to `private`',
    (service) =>
      around(service, 'assignProject', (was, project, values, call) =>
        was(project, values.name === undefined ? values : { visibility: 'private', ...values }, call),
      ),
  ),
  moved('project-touched-once-a-minute', 'updated_at stays when it is less than a minute old', (service) =>
    around(service, 'touch', (was, row, what, values) => {
      if (what === 'task' || service.now() - row.updated >= 60_000) was(row, what, values);
    }),
  ),
  moved('project-not-touched-by-visibility', 'updated_at stays when the visibility alone is changed', (service) =>
    around(service, 'touch', (was, row, what, values) => {
      if (what === 'task' || Object.keys(values).some((name) => name !== 'visibility')) was(row, what, values);
    }),
  ),
  clause(144, '`data` = updated project')(
    'project-change-answers-loaded-row',
    'a change answers the project as it was before',
    (service) => {
      const loaded = memory<string, Project>();
      around(service, 'assignProject', (was, project, values, call) => {
        loaded.set(project.id, { ...project });
        return was(project, values, call);
      });
      around(service, 'showProject', (was, project, place) =>
        was(place === 'changed' ? (loaded.get(project.id) ?? project) : project, place),
      );
    },
  ),
];

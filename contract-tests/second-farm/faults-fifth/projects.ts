// Faults of the fields of projects and of their changes.

import type { Fields, Issue } from '../../judge/reference/model.ts';
import { around, clause, type Fault, rule, without } from '../faults/fault.ts';
import { onSuccess, refuses, sent } from '../faults-fourth/tools.ts';

const name = clause(35, '1 to 150 characters');
const limit = clause(332, '| project name | 1 to 150 characters |');
const description = clause(36, 'plain text, at most 1000 characters');
const byDefault = clause(37, 'default `private`');
const values = clause(
  120,
  'Values `private`, `team`, `public`; default `private`; changeable by `PATCH /projects/{project_id}`.',
);
const create = clause(142, 'body: name (required), description, visibility | `201` `data` = project');
const unchanged = clause(144, 'omitted fields unchanged');
const updated = clause(144, '`data` = updated project');

export const faults: readonly Fault[] = [
  limit('project-name-below-150', 'a project name of 150 characters is refused', (s) => rule(s, 'project', 'name', { max: 149 })),
  name('project-name-long-by-patch', 'PATCH takes project names of any length', (s) =>
    rule(s, 'project', 'name', { max: 100_000 }, 'change'),
  ),
  description('project-description-to-1024', 'descriptions of projects may have up to 1024 characters', (s) =>
    rule(s, 'project', 'description', { max: 1024 }),
  ),
  description('project-description-in-bytes', 'PATCH counts the bytes of the description, not its characters', (s) =>
    around(s, 'checkValue', (was, each, value, call, act): Issue | undefined => {
      const long = call.operation === 'changeProject' && each.name === 'description' && Buffer.byteLength(String(value)) > 1000;
      const issue = was(each, value, call, act);
      return long && !issue ? { field: each.name, issue: 'has more than 1000 characters', kind: 'length' } : issue;
    }),
  ),
  byDefault('created-project-without-visibility', 'the answer to POST /projects lacks visibility when the default applies', (s) =>
    onSuccess(s, ['createProject'], (call, answer) => {
      if (sent(call).visibility === undefined)
        answer.body = { data: without((answer.body as { data: Fields }).data, 'visibility') };
    }),
  ),
  values('visibility-team-not-set-by-patch', 'PATCH with the visibility team changes nothing', (s) =>
    around(s, 'assignProject', (was, project, given, call) =>
      was(project, given.visibility === 'team' ? without(given, 'visibility') : given, call),
    ),
  ),
  values('visibility-unchecked-by-patch', 'PATCH stores any text as visibility', (s) =>
    around(s, 'isChoice', (was, each, value, act) => was(each, value, act) || (each.name === 'visibility' && act === 'change')),
  ),
  unchanged('project-patch-makes-private', 'a PATCH that leaves visibility out makes the project private', (s) =>
    around(s, 'assignProject', (was, project, given, call) => was(project, { visibility: 'private', ...given }, call)),
  ),
  updated('project-patch-answers-before', 'PATCH /projects/{project_id} answers the project as it was before', (s) =>
    around(s, 'changeProject', (was, call) => {
      const before = s.showProject(s.projectOf(call), 'changed');
      return { ...was(call), body: { data: before } };
    }),
  ),
  create('project-name-used-409', 'a second project of the same name is refused with 409', (s) =>
    refuses(
      s,
      ['createProject'],
      (call) => s.db.projects.some((each) => each.workspace === call.workspace?.id && each.name === sent(call).name),
      (call) => s.conflict(call),
    ),
  ),
];

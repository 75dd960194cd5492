// Faults of error bodies and of what is an error.

import { type Fields, Problem } from '../../judge/reference/model.ts';
import { around, clause, type Fault } from '../faults/fault.ts';
import { errorOf, refusedWith } from '../faults-fourth/tools.ts';

const body = clause(22, '{ "error": { code, message, details } }');
const stable = clause(272, '| error.code | string | stable machine-readable code');
const shape = clause(274, 'for validation errors holds `fields`, an array of `{ field, issue }`');
const malformed = clause(284, 'malformed request or missing or wrongly typed parameters');
const rules = clause(289, 'well-formed request failing semantic rules');
const unknown = clause(299, '| not_found | 404 | id unknown, deleted, or in another workspace |');
const structural = clause(300, '400 for structural problems (missing required field, wrong type)');
const each = clause(300, '`details.fields` lists each failing field');

const fieldsOf = (error: Fields): readonly Fields[] => ((error.details as Fields | undefined)?.fields ?? []) as readonly Fields[];

export const faults: readonly Fault[] = [
  shape('failing-fields-in-map', 'details.fields is an object of issues by field', (s) =>
    errorOf(s, (error, { issues }) =>
      issues ? { ...error, details: { fields: Object.fromEntries(issues.map(({ field, issue }) => [field, [issue]])) } } : error,
    ),
  ),
  shape('failing-fields-with-message', 'the entries of details.fields have message in place of issue', (s) =>
    errorOf(s, (error, { issues }) =>
      issues ? { ...error, details: { fields: fieldsOf(error).map(({ field, issue }) => ({ field, message: issue })) } } : error,
    ),
  ),
  shape('team-errors-without-fields', 'a team that is refused is refused without details.fields', (s) =>
    refusedWith(s, (problem, call) =>
      call.operation === 'createTeam' ? new Problem(problem.status, problem.code, problem.message) : undefined,
    ),
  ),
  each('first-failing-field-alone', 'details.fields holds the first failing field alone', (s) =>
    errorOf(s, (error, { issues }) =>
      issues && issues.length > 1 ? { ...error, details: { fields: fieldsOf(error).slice(0, 1) } } : error,
    ),
  ),
  rules('text-too-long-400', 'a text that is too long gives 400', (s) =>
    around(s, 'statusOf', (was, issue) => (issue.kind === 'length' ? 400 : was(issue))),
  ),
  structural('missing-field-as-rule', 'a missing required field of a project or a task gives 422', (s) =>
    around(s, 'refuse', (was, issues, call, resource, act) =>
      (resource === 'project' || resource === 'task') && issues.every(({ issue }) => issue === 'is required')
        ? s.invalid(422, issues, call)
        : was(issues, call, resource, act),
    ),
  ),
  stable('unknown-task-code', 'an unknown task gives the code task_not_found', (s) =>
    errorOf(s, (error, { status, message }) =>
      status === 404 && message.includes('task') ? { ...error, code: 'task_not_found' } : error,
    ),
  ),
  body('forbidden-as-text', 'error is a text in an answer with 403', (s) =>
    around(s, 'errorBody', (was, problem) => (problem.status === 403 ? { error: 'Forbidden' } : was(problem))),
  ),
  unknown('task-in-unknown-project-422', 'a task for a project that does not exist is refused with 422', (s) =>
    around(s, 'notFound', (was, call, what) =>
      call.operation === 'createTask'
        ? s.invalid(422, [{ field: 'project_id', issue: 'does not exist', kind: 'reference' }], call)
        : was(call, what),
    ),
  ),
  unknown('strange-id-400', 'an id without the prefix of its resource gives 400', (s) =>
    around(s, 'notFound', (was, call, what) => {
      const { project, task, team } = call.ids;
      const fine = [project, task, team].every((id) => id === undefined || /^(proj|task|team)_/.test(id));
      return fine ? was(call, what) : s.invalid(400, [{ field: 'id', issue: 'is not an id', kind: 'structure' }], call);
    }),
  ),
  malformed('body-null-500', 'the body null gives 500', (s) =>
    around(s, 'parse', (was, text, call) => {
      const parsed = was(text, call);
      if (parsed === null) throw new TypeError('Cannot read properties of null');
      return parsed;
    }),
  ),
];

// Faults of errors and answers: gateways, frameworks and serializers.

import { Problem } from '../../judge/reference/model.ts';
import { around, clause, type Fault, isOn } from '../faults/fault.ts';
import { onSuccess, showsTask } from '../faults-fourth/tools.ts';
import { errorIn, failsWith } from './tools.ts';

const envelope = clause(22, '`{ "error": { code, message, details } }`');
const json = clause(10, 'Every response body is JSON, except the empty body of `204`.');
const object = clause(274, '| error.details | object | optional; may be `{}`');
const each = clause(300, '`details.fields` lists each failing field');
const message = clause(273, '| error.message | string |');
const unknown = clause(299, '| not_found | 404 | id unknown, deleted, or in another workspace |');
const success = clause(24, '`200` for reads, `201` for creation, `204` (empty body) for deletion.');
const made = clause(282, 'resource created; body holds the resource');
const taken = clause(288, 'conflict with current state, for example a unique name already in use');
const rule = clause(300, '422 for rule violations');

export const faults: readonly Fault[] = [
  envelope('gateway-unauthorized', 'the gateway answers a request without a Bearer key in its own words', (s) =>
    failsWith(s, (answer, { status }, call) =>
      status === 401 && s.tokenOf(call) === undefined ? { message: 'Unauthorized' } : answer.body,
    ),
  ),
  envelope('framework-malformed', 'the framework answers a body that is no JSON object in its own words', (s) =>
    failsWith(s, (answer, { status, code, issues }, call) =>
      status === 400 && code === 'validation_error' && issues === undefined
        ? { timestamp: new Date(s.now()).toISOString(), status, error: 'Bad Request', path: call.path }
        : answer.body,
    ),
  ),
  envelope('team-errors-at-top', 'what is wrong with a new team stands in errors at the top level', (s) =>
    failsWith(s, (answer, { issues }, call) => (issues && isOn(call, 'createTeam') ? { errors: issues } : answer.body)),
  ),
  json(
    'quota-page',
    'the gateway answers 429 with an HTML page',
    (s) =>
      around(s, 'write', (was, answer, call) =>
        answer.status === 429 ? { text: '<html><h1>429 Too Many Requests</h1></html>', type: 'text/html' } : was(answer, call),
      ),
    { needs: 'quota' },
  ),
  json('profile-guarded', 'the profile begins with characters that keep scripts from reading it', (s) =>
    around(s, 'write', (was, answer, call) => {
      const { text, type } = was(answer, call);
      return { text: isOn(call, 'readMe') && answer.status === 200 ? `)]}',\n${text}` : text, type };
    }),
  ),
  each('due-date-in-camel-case', 'a failing due_date is listed as dueDate', (s) =>
    around(s, 'details', (was, problem) => {
      const found = was(problem);
      if (!problem.issues) return found;
      return { fields: problem.issues.map(({ field, issue }) => ({ field: field === 'due_date' ? 'dueDate' : field, issue })) };
    }),
  ),
  each('webhook-first-field-only', 'the first failing field of a webhook is listed alone', (s) =>
    around(s, 'refuse', (was, issues, call, resource, act) =>
      was(resource === 'webhook' ? issues.slice(0, 1) : issues, call, resource, act),
    ),
  ),
  object(
    'details-empty-list',
    'details without content is an empty list, as PHP writes it',
    (s) =>
      around(s, 'details', (was, problem) => {
        const found = was(problem);
        return found !== undefined && Object.keys(Object(found)).length === 0 ? [] : found;
      }),
    { style: 'a' },
  ),
  message('team-404-without-message', 'the message is null when a team is not there', (s) =>
    failsWith(s, (answer, { status }, call) =>
      status === 404 && isOn(call, 'readTeam') ? { error: { ...errorIn(answer), message: null } } : answer.body,
    ),
  ),
  unknown('odd-project-id-400', 'GET of a project with an id of another form gives 400', (s) =>
    around(s, 'notFound', (was, call, what) =>
      isOn(call, 'readProject') && !call.ids.project?.startsWith('proj_')
        ? s.invalid(400, [{ field: 'project_id', issue: 'has no valid form', kind: 'structure' }], call)
        : was(call, what),
    ),
  ),
  success('project-deletion-202', 'DELETE of a project is answered with 202', (s) =>
    onSuccess(s, ['deleteProject'], (_call, answer) => {
      answer.status = 202;
      answer.body = {};
    }),
  ),
  made('created-task-without-marks', 'a created task is answered before the database has set its times', (s) =>
    showsTask(s, ['created'], (task) => ({ ...task, created_at: null, updated_at: null })),
  ),
  made('created-task-without-default', 'a created task is answered without the default of its priority', (s) =>
    showsTask(s, ['created'], (task) => ({ ...task, priority: task.priority === 'medium' ? null : task.priority })),
  ),
  taken('taken-team-answered', 'a new team with a name in use is answered with the team that has it', (s) =>
    around(s, 'createTeam', (was, call) => {
      try {
        return was(call);
      } catch (error) {
        const { name } = JSON.parse(call.text || '{}');
        const found = s.db.teams.find((team) => team.name === name && team.workspace === call.workspace?.id);
        if (!found || !(error instanceof Problem) || error.status !== 409) throw error;
        return s.single(s.showTeam(found, 'created'), 'created', 201);
      }
    }),
  ),
  rule('long-description-413', 'a new task with too long a description is refused with 413', (s) =>
    around(s, 'refuse', (was, issues, call, resource, act) =>
      isOn(call, 'createTask') && issues.some(({ field, kind }) => field === 'description' && kind === 'length')
        ? new Problem(413, 'payload_too_large', 'The body is too long.')
        : was(issues, call, resource, act),
    ),
  ),
];

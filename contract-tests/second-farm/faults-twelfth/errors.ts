// Faults of error bodies and of the answers to bodies that cannot be taken.

import type { Fields } from '../../judge/reference/model.ts';
import { Problem } from '../../judge/reference/model.ts';
import { around, clause, type Fault } from '../faults/fault.ts';

const json = clause(10, 'Every response body is JSON');
const message = clause(273, 'human-readable text; not stable');
const details = clause(274, 'holds `fields`, an array of `{ field, issue }`');
const each = clause(300, '`details.fields` lists each failing field');
const status = clause(275, 'may also appear, repeating the HTTP status');
const malformed = clause(284, 'malformed request or missing or wrongly typed parameters');
const rules = clause(300, '400 for structural problems (missing required field, wrong type); 422 for rule violations');
const forbidden = clause(298, '| forbidden | 403 | scope insufficient |');
const notFound = clause(272, 'stable machine-readable code');
const conflict = clause(288, 'conflict with current state, for example a unique name already in use');

/** Changes the error object of some answers. */
const error =
  (when: (problem: Problem) => boolean, change: (error: Fields, problem: Problem) => Fields): Fault['alter'] =>
  (service) =>
    around(service, 'errorBody', (was, problem) => {
      const body = was(problem) as { error: Fields };
      return when(problem) ? { error: change(body.error, problem) } : body;
    });

export const faults: readonly Fault[] = [
  json('revoked-without-body', 'the answer to a revoked key has no body', (service) =>
    around(service, 'answer', (was, call) => {
      const { body, ...answer } = was(call);
      return answer.status === 401 && /revoked/.test(JSON.stringify(body)) ? answer : { body, ...answer };
    }),
  ),
  json('unknown-path-in-html', 'a path that there is not is answered by the framework, in HTML', (service) =>
    around(service, 'write', (was, answer, call) =>
      answer.status === 404 && call.operation === undefined
        ? { text: '<h1>Not Found</h1>', type: 'text/html' }
        : was(answer, call),
    ),
  ),
  message(
    'missing-message-of-teams',
    'the error for a team that is not there has no message',
    error(
      ({ message }) => /team\.$/.test(message) && !/name/.test(message),
      ({ message: _, ...rest }) => rest,
    ),
  ),
  message(
    'message-list-on-422',
    'the message of a 422 is a list of texts',
    error(
      ({ status }) => status === 422,
      (was) => ({ ...was, message: [was.message] }),
    ),
    { style: 'a' },
  ),
  details(
    'fields-as-map',
    'details.fields of a 422 is a map from the field to the issue',
    error(
      ({ status, issues }) => status === 422 && issues !== undefined,
      (was, { issues = [] }) => ({
        ...was,
        details: { fields: Object.fromEntries(issues.map(({ field, issue }) => [field, issue])) },
      }),
    ),
  ),
  each('first-field-on-change', 'a change of a task names only the first of its failing fields', (service) =>
    around(service, 'refuse', (was, issues, call, resource, act) =>
      was(resource === 'task' && act === 'change' ? issues.slice(0, 1) : issues, call, resource, act),
    ),
  ),
  each('two-fields-at-most', 'at most two failing fields are named', (service) =>
    around(service, 'refuse', (was, issues, call, resource, act) => was(issues.slice(0, 2), call, resource, act)),
  ),
  status(
    'status-as-text',
    'error.status is a string',
    error(
      () => true,
      (was, problem) => ({ ...was, status: String(problem.status) }),
    ),
    { style: 'b' },
  ),
  status(
    'status-400-on-404',
    'error.status is 400 for what is not there',
    error(
      ({ status }) => status === 404,
      (was) => ({ ...was, status: 400 }),
    ),
    { style: 'b' },
  ),
  malformed('array-body-taken', 'a body that is an array counts as an object without members', (service) =>
    around(service, 'parse', (was, text, call) => {
      const body = was(text, call);
      return Array.isArray(body) ? {} : body;
    }),
  ),
  malformed('broken-json-422', 'JSON that cannot be read gives 422', (service) =>
    around(service, 'malformed', (_was, _call, text) => new Problem(422, 'validation_error', text)),
  ),
  malformed('number-as-text', 'a number is taken for the title of a task, as its digits', (service) => {
    around(
      service,
      'hasType',
      (was, rule, value, act) => was(rule, value, act) || (rule.name === 'title' && typeof value === 'number'),
    );
    around(service, 'length', (was, text) => was(String(text)));
    around(service, 'takeText', (was, rule, value, call, act) => was(rule, String(value), call, act));
  }),
  rules('wrong-type-422-on-change', 'a value of the wrong type in a change gives 422', (service) =>
    around(service, 'refuse', (was, issues, call, resource, act) => {
      const made = was(issues, call, resource, act);
      return act === 'change' ? new Problem(422, made.code, made.message, made.issues) : made;
    }),
  ),
  rules('too-long-413', 'a description that is too long gives 413', (service) =>
    around(service, 'refuse', (was, issues, call, resource, act) => {
      const made = was(issues, call, resource, act);
      return issues.length === 1 && issues[0]?.kind === 'length' && issues[0].field === 'description'
        ? new Problem(413, made.code, made.message, made.issues)
        : made;
    }),
  ),
  forbidden('forbidden-in-capitals', 'the code of a refused deletion is FORBIDDEN', (service) =>
    around(service, 'forbidden', (was, call) => (call.method === 'DELETE' ? new Problem(403, 'FORBIDDEN', 'No.') : was(call))),
  ),
  notFound('codes-by-resource', 'the code for a team that is not there is team_not_found', (service) =>
    around(service, 'notFound', (was, call, what) =>
      what === 'team' ? new Problem(404, 'team_not_found', 'No such team.') : was(call, what),
    ),
  ),
  conflict('conflict-400', 'a name in use gives 400', (service) =>
    around(service, 'conflict', (was, call) => {
      const { code, message } = was(call);
      return new Problem(400, code, message);
    }),
  ),
  conflict('conflict-saves', 'a team whose name is in use is refused, and is there all the same', (service) =>
    around(service, 'conflict', (was, call) => {
      const now = service.now();
      const name = String(JSON.parse(call.text).name);
      service.db.teams.push({
        id: service.newId('team'),
        workspace: call.workspace?.id ?? '',
        name,
        members: [],
        created: now,
        updated: now,
        nth: service.nextNth(),
      });
      return was(call);
    }),
  ),
];

// Faults of errors: their status, codes, details and shape.

import { Problem } from '../../judge/reference/model.ts';
import { around, clause, isOn } from '../faults/fault.ts';
import { isChange } from './tools.ts';

const fields = clause(274, 'for validation errors holds `fields`, an array of `{ field, issue }`');
const missing = clause(287, 'resource does not exist, or belongs to a workspace the key cannot access');
const structure = clause(300, '400 for structural problems (missing required field, wrong type); 422 for rule violations');

export const faults = [
  fields('patch-errors-without-fields', 'a validation error of PATCH has no `fields` in its details', (service) =>
    around(service, 'refuse', (was, issues, call, resource, act) => {
      const { status, code, message } = was(issues, call, resource, act);
      return new Problem(status, code, message, act === 'create' ? issues : undefined);
    }),
  ),
  fields(
    'team-errors-name-and-reason',
    'the details of an error about a team have `name` and `reason` for `field` and `issue`',
    (service) => {
      const ofTeams = new Set<Problem>();
      around(service, 'refuse', (was, issues, call, resource, act) => {
        const problem = was(issues, call, resource, act);
        if (resource === 'team') ofTeams.add(problem);
        return problem;
      });
      around(service, 'details', (was, problem) =>
        ofTeams.has(problem)
          ? { fields: problem.issues?.map(({ field, issue }) => ({ name: field, reason: issue })) }
          : was(problem),
      );
    },
  ),
  fields('details-by-field-name', 'the `fields` of an error are an object of messages by name, not an array', (service) =>
    around(service, 'details', (was, problem) =>
      problem.issues ? { fields: Object.fromEntries(problem.issues.map(({ field, issue }) => [field, issue])) } : was(problem),
    ),
  ),
  clause(300, '`details.fields` lists each failing field')(
    'first-failing-field-of-task',
    'a new task with several wrong fields is refused with the first of them alone',
    (service) =>
      around(service, 'refuse', (was, issues, call, resource, act) =>
        was(resource === 'task' && act === 'create' ? issues.slice(0, 1) : issues, call, resource, act),
      ),
  ),
  structure('no-title-422', 'a new task without a title gives 422', (service) =>
    around(service, 'refuse', (was, issues, call, resource, act) => {
      const absent = issues.every(({ field, issue }) => field === 'title' && issue === 'is required');
      return resource === 'task' && absent ? service.invalid(422, issues, call) : was(issues, call, resource, act);
    }),
  ),
  structure('long-team-name-400', 'a team name that is too long gives 400', (service) =>
    around(service, 'refuse', (was, issues, call, resource, act) =>
      resource === 'team' && issues.every(({ kind }) => kind === 'length')
        ? service.invalid(400, issues, call)
        : was(issues, call, resource, act),
    ),
  ),
  clause(284, 'malformed request or missing or wrongly typed parameters')(
    'broken-json-breaks-changes',
    'a PATCH whose body is not JSON gives 500',
    (service) =>
      around(service, 'malformed', (was, call, message) =>
        isChange(call) ? new Problem(500, 'internal_error', message) : was(call, message),
      ),
  ),
  missing('foreign-form-of-id-400', 'an id without the prefix of its resource gives 400', (service) =>
    around(service, 'notFound', (was, call, what) => {
      const id = call.ids.project ?? call.ids.task ?? call.ids.team;
      return id === undefined || /^(proj|task|team)_/.test(id) ? was(call, what) : service.malformed(call, 'This is no id.');
    }),
  ),
  missing('unknown-task-no-comments', 'the comments of a task that does not exist are an empty list', (service) =>
    around(service, 'serve', (was, call) => {
      try {
        return was(call);
      } catch (error) {
        if (!isOn(call, 'listComments') || (error as Problem).status !== 404) throw error;
        const meta = { total: 0, limit: 20, has_more: false, next_cursor: null };
        return { status: 200, body: { items: [], meta }, headers: {} };
      }
    }),
  ),
  clause(299, 'not_found')('team-code-of-its-own', 'the code of a team that does not exist is `team_not_found`', (service) =>
    around(service, 'notFound', (was, call, what) =>
      what === 'team' ? new Problem(404, 'team_not_found', 'There is no such team.') : was(call, what),
    ),
  ),
  clause(22, '`{ "error": { code, message, details } }`')(
    'unauthorized-from-gateway',
    'the answer 401 is that of the gateway: `message` alone, without `error`',
    (service) =>
      around(service, 'errorBody', (was, problem) => (problem.status === 401 ? { message: problem.message } : was(problem))),
  ),
];

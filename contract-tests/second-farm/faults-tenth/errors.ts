// Faults of error bodies: which field, which code, and for what.

import { Problem } from '../../judge/reference/model.ts';
import { around, clause } from '../faults/fault.ts';

const fields = clause(300, '`details.fields` lists each failing field');
const code = clause(300, '400 or 422');
const isParameter = (issues: readonly { readonly field: string }[]): boolean => issues.some(({ field }) => field === 'limit');

export const faults = [
  fields('missing-before-all-else', 'when a required field is missing, no other failing field is named', (service) =>
    around(service, 'refuse', (was, issues, call, resource, act) => {
      const missing = issues.filter(({ issue }) => issue === 'is required');
      return was(missing.length > 0 ? missing : issues, call, resource, act);
    }),
  ),
  code('limit-code-of-its-own', 'a `limit` that is no integer has the code `invalid_limit`', (service) =>
    around(service, 'invalid', (was, status, issues, call) => {
      const problem = was(status, issues, call);
      return isParameter(issues) && /[a-z]/.test(call.query.get('limit') ?? '')
        ? new Problem(problem.status, 'invalid_limit', problem.message, issues)
        : problem;
    }),
  ),
  code('unknown-assignee-has-a-code', 'an unknown assignee is answered with the code `assignee_not_found`', (service) =>
    around(service, 'invalid', (was, status, issues, call) =>
      issues.length === 1 && issues[0]?.kind === 'reference' && issues[0].field === 'assignee_id'
        ? new Problem(status, 'assignee_not_found', 'Nobody has this id.', issues)
        : was(status, issues, call),
    ),
  ),
  fields('unknown-assignee-without-fields', 'an unknown assignee is refused without `details.fields`', (service) =>
    around(service, 'invalid', (was, status, issues, call) => {
      const problem = was(status, issues, call);
      const one = issues.length === 1 && issues[0]?.kind === 'reference' && issues[0].field === 'assignee_id';
      return one ? new Problem(status, problem.code, problem.message) : problem;
    }),
  ),
  fields(
    'unknown-member-under-its-index',
    'an unknown id among `member_ids` is named as `1`, its place in the list',
    (service) =>
      around(service, 'checkMembers', (was, rule, ids, call) => {
        const issue = was(rule, ids, call);
        return issue ? { ...issue, field: String(ids.length) } : undefined;
      }),
    { style: 'a' },
  ),
  clause(284, 'malformed request')('broken-team-422', '`POST /teams` answers malformed JSON with 422', (service) =>
    around(service, 'malformed', (was, call, message) =>
      call.path === '/teams' ? new Problem(422, 'validation_error', message) : was(call, message),
    ),
  ),
  clause(300, '400 for structural problems (missing required field, wrong type)')(
    'nameless-with-members-422',
    'a team without a name but with members is answered 422',
    (service) =>
      around(service, 'refuse', (was, issues, call, resource, act) => {
        const problem = was(issues, call, resource, act);
        return resource === 'team' && issues[0]?.issue === 'is required' && call.text.includes('member_ids')
          ? new Problem(422, problem.code, problem.message, problem.issues)
          : problem;
      }),
  ),
];

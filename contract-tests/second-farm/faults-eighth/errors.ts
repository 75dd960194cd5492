// Faults of errors: statuses, codes and details, at one operation or for one kind of value.

import { type Fields, type Issue, Problem } from '../../judge/reference/model.ts';
import { around, clause, isOn } from '../faults/fault.ts';
import { sentNames } from './tools.ts';

const each = clause(300, '`details.fields` lists each failing field');
const structural = clause(300, '400 for structural problems (missing required field, wrong type)');
const rules = clause(300, '422 for rule violations');
const missing = clause(299, 'id unknown, deleted, or in another workspace');
const shape = clause(274, 'holds `fields`, an array of `{ field, issue }`');

export const faults = [
  each('task-change-names-first-field', 'a change of a task with several bad fields names the first alone', (service) =>
    around(service, 'refuse', (was, issues, call, resource, act) =>
      was(resource === 'task' && act === 'change' ? issues.slice(0, 1) : issues, call, resource, act),
    ),
  ),
  each('long-texts-of-project-one-at-a-time', 'of a name and a description that are both too long only one is named', (service) =>
    around(service, 'refuse', (was, issues, call, resource, act) => {
      const long = issues.filter(({ kind }) => kind === 'length');
      const rest = issues.filter((issue) => issue.kind !== 'length' || issue === long[0]);
      return was(resource === 'project' ? rest : issues, call, resource, act);
    }),
  ),
  shape('due-date-issue-missing', 'the entry of a bad due date has no `issue`', (service) =>
    around(service, 'details', (was, problem) => {
      const details = was(problem) as { fields?: Fields[] } | undefined;
      if (!details?.fields) return details;
      return { fields: details.fields.map((entry) => (entry.field === 'due_date' ? { field: 'due_date' } : entry)) };
    }),
  ),
  shape('team-fields-by-name', 'the `fields` of an error about a team are an object by field name', (service) =>
    around(service, 'fail', (was, error, call) => {
      const answer = was(error, call);
      const { error: shown } = answer.body as { error: { details?: { fields?: Fields[] } } };
      if (!isOn(call, 'createTeam') || !shown.details?.fields) return answer;
      const fields = Object.fromEntries(shown.details.fields.map(({ field, issue }) => [String(field), issue]));
      return { ...answer, body: { error: { ...shown, details: { fields } } } };
    }),
  ),
  shape('bad-choice-without-fields', 'an error about a bad `status` has empty `details`', (service) =>
    around(service, 'details', (was, problem) =>
      problem.issues?.length === 1 && problem.issues[0]?.field === 'status' ? {} : was(problem),
    ),
  ),
  structural('malformed-change-422', 'a change of a task whose body is not JSON gives 422', (service) =>
    around(service, 'malformed', (was, call, message) =>
      isOn(call, 'changeTask') ? new Problem(422, 'validation_error', message) : was(call, message),
    ),
  ),
  structural('missing-title-422-beside-others', 'a missing title gives 422 when other fields are sent', (service) =>
    around(service, 'refuse', (was, issues, call, resource, act) =>
      resource === 'task' &&
      act === 'create' &&
      issues.length === 1 &&
      issues[0]?.issue === 'is required' &&
      sentNames(call).length > 0
        ? service.invalid(422, issues, call)
        : was(issues, call, resource, act),
    ),
  ),
  structural('number-as-description-of-project', 'a number is accepted as the description of a project', (service) => {
    around(
      service,
      'hasType',
      (was, rule, value, act) =>
        (rule.name === 'description' && rule.max === 1000 && typeof value === 'number') || was(rule, value, act),
    );
    around(service, 'length', (was, text) => was(String(text)));
    around(service, 'takeText', (was, rule, value, call, act) => was(rule, String(value), call, act));
  }),
  structural('member-ids-text-means-one', 'a text is accepted as `member_ids` of one member', (service) => {
    around(
      service,
      'hasType',
      (was, rule, value, act) => (rule.kind === 'members' && typeof value === 'string') || was(rule, value, act),
    );
    around(service, 'checkMembers', (was, rule, ids, call) => was(rule, [ids].flat(), call));
    around(service, 'take', (was, rule, value, call, act) =>
      was(rule, rule.kind === 'members' ? [value].flat() : value, call, act),
    );
  }),
  structural('event-numbers-accepted', 'a registration accepts a number among the names of `events`', (service) => {
    around(service, 'hasType', (was, rule, value, act) =>
      rule.kind === 'events' && Array.isArray(value) && value.length > 1 ? true : was(rule, value, act),
    );
    around(service, 'checkEvents', (was, rule, names) =>
      was(
        rule,
        names.filter((name) => typeof name === 'string'),
      ),
    );
    around(service, 'take', (was, rule, value, call, act) =>
      was(rule, rule.kind === 'events' ? (value as unknown[]).filter((name) => typeof name === 'string') : value, call, act),
    );
  }),
  clause(284, 'missing or wrongly typed parameters')('half-limit-rounded', 'a `limit` with decimals is rounded down', (service) =>
    around(service, 'parseLimit', (was, text, listing) =>
      /^\d+\.\d+$/.test(text) ? Math.floor(Number(text)) : was(text, listing),
    ),
  ),
  rules('long-project-name-400-on-change', 'a change to a name that is too long gives 400', (service) =>
    around(service, 'refuse', (was, issues, call, resource, act) =>
      resource === 'project' && act === 'change' && issues.every(({ kind, field }) => kind === 'length' && field === 'name')
        ? service.invalid(400, issues, call)
        : was(issues, call, resource, act),
    ),
  ),
  clause(300, 'validation_error')('bad-webhook-url-code', 'a bad `url` of a registration has the code `invalid_url`', (service) =>
    around(service, 'refuse', (was, issues, call, resource, act) => {
      const problem = was(issues, call, resource, act);
      const url = resource === 'webhook' && issues.some(({ field }: Issue) => field === 'url');
      return url ? new Problem(problem.status, 'invalid_url', problem.message, problem.issues) : problem;
    }),
  ),
  clause(179, 'must be a user, not a team')('team-as-assignee-500', 'a change of the assignee to a team gives 500', (service) =>
    around(service, 'isAssignable', (was, user, call, act) => {
      if (act === 'change' && service.db.teams.some(({ id }) => id === user)) throw new Error('no such row in users');
      return was(user, call, act);
    }),
  ),
  missing('deleted-project-change-410', 'a change of a project that was deleted gives 410', (service) => {
    const gone = new Set<string>();
    around(service, 'removeProject', (was, project, call) => {
      gone.add(project.id);
      was(project, call);
    });
    around(service, 'notFound', (was, call, what) =>
      gone.has(call.ids.project ?? '') && call.method === 'PATCH' ? new Problem(410, 'gone', 'It was deleted.') : was(call, what),
    );
  }),
  clause(274, 'object')('details-of-401-null', 'the `details` of a 401 are null', (service) =>
    around(service, 'fail', (was, error, call) => {
      const answer = was(error, call);
      const { error: shown } = answer.body as { error: Fields };
      return answer.status === 401 ? { ...answer, body: { error: { ...shown, details: null } } } : answer;
    }),
  ),
  clause(275, 'repeating the HTTP status')(
    'status-in-conflict-400',
    '`error.status` of a 409 is 400',
    (service) =>
      around(service, 'fail', (was, error, call) => {
        const answer = was(error, call);
        const { error: shown } = answer.body as { error: Fields };
        return answer.status === 409 ? { ...answer, body: { error: { ...shown, status: 400 } } } : answer;
      }),
    { style: 'b' },
  ),
  clause(288, 'for example a unique name already in use')(
    'same-team-again-served',
    'creating a team under a name in use with the same members answers the team that is there',
    (service) =>
      around(service, 'createTeam', (was, call) => {
        const values = service.readFields(call, 'team', 'create');
        const ids = service.membersOfNew(values, call);
        const there = service.db.teams.find(
          ({ name, workspace, members }) =>
            name === values.name && workspace === call.workspace?.id && members.join() === ids.join(),
        );
        return there ? service.single(service.showTeam(there, 'created'), 'created', 201) : was(call);
      }),
  ),
];

// Faults of errors: what gateways, frameworks and databases answer in their own words.

import { type Call, Problem, type Resource } from '../../judge/reference/model.ts';
import type { Rule } from '../../judge/reference/service/input.ts';
import type { Service } from '../../judge/reference/service/service.ts';
import { around, clause, type Fault, isOn } from '../faults/fault.ts';

const shape = clause(22, '| Error | `{ "error": { code, message, details } }` (see Errors) |');
const wrong = clause(284, 'malformed request or missing or wrongly typed parameters');
const unknown = clause(287, 'resource does not exist, or belongs to a workspace the key cannot access');

const broken = (what: string): never => {
  throw new Error(what);
};
/** Answers some problems with a body in another form. */
const inOtherWords = (
  service: Service,
  when: (problem: Problem, call: Call) => boolean,
  body: (problem: Problem, call: Call) => unknown,
): void =>
  around(service, 'fail', (was, error, call) => {
    const answer = was(error, call);
    return error instanceof Problem && when(error, call) ? { ...answer, body: body(error, call) } : answer;
  });
const checked = (
  service: Service,
  when: (rule: Rule, value: unknown, call: Call) => boolean,
  what: (rule: Rule) => never | undefined,
): void =>
  around(service, 'checkValue', (was, rule, value, call, act) => {
    if (when(rule, value, call)) what(rule);
    return was(rule, value, call, act);
  });
const refusedAs = (service: Service, change: (problem: Problem, resource: Resource, call: Call) => Problem): void =>
  around(service, 'refuse', (was, issues, call, resource, act) => change(was(issues, call, resource, act), resource, call));

const envelopes: Fault[] = [
  shape(
    'gateway-429',
    'the gateway answers a 429 as { message }',
    (s) =>
      inOtherWords(
        s,
        ({ status }) => status === 429,
        () => ({ message: 'Too Many Requests' }),
      ),
    { needs: 'quota' },
  ),
  shape('framework-404', 'the framework answers an unknown route as { statusCode, error, message }', (s) =>
    inOtherWords(
      s,
      (_problem, call) => call.key !== undefined && call.operation === undefined,
      ({ status }, { path }) => ({ statusCode: status, error: 'Not Found', message: `Route ${path} not found` }),
    ),
  ),
  shape('framework-400', 'the framework answers a body that is not JSON as { statusCode, error, message }', (s) => {
    const bad = new WeakSet<Problem>();
    around(s, 'malformed', (was, call, message) => {
      const problem = was(call, message);
      bad.add(problem);
      return problem;
    });
    inOtherWords(
      s,
      (problem) => bad.has(problem),
      ({ message }) => ({ statusCode: 400, error: 'Bad Request', message }),
    );
  }),
  shape('validator-list', 'validation errors of teams are an array of { path, msg }', (s) =>
    inOtherWords(
      s,
      ({ issues }, call) => issues !== undefined && isOn(call, 'createTeam'),
      ({ issues }) => ({ errors: issues?.map(({ field, issue }) => ({ path: field, msg: issue })) }),
    ),
  ),
  shape('error-beside-data', 'a 404 of a task has data null beside the error text', (s) =>
    inOtherWords(
      s,
      ({ status }, call) => status === 404 && call.ids.task !== undefined,
      ({ message }) => ({ data: null, error: message }),
    ),
  ),
  shape('conflict-with-the-other', 'a 409 has the team that is there for an error', (s) =>
    inOtherWords(
      s,
      ({ status }) => status === 409,
      (_problem, call) => ({ data: s.db.teams.filter(({ workspace }) => workspace === call.workspace?.id).map(({ id }) => id) }),
    ),
  ),
  clause(274, '| error.details | object | optional; may be `{}`;')('details-of-403-text', 'details of a 403 is a text', (s) =>
    around(s, 'details', (was, problem) => (problem.status === 403 ? 'scope' : was(problem))),
  ),
  clause(273, '| error.message | string | human-readable text')(
    'message-of-422-object',
    'the message of a 422 is an object by field',
    (s) =>
      inOtherWords(
        s,
        ({ status }) => status === 422,
        (problem) => {
          const { error } = s.errorBody(problem) as { error: Record<string, unknown> };
          return {
            error: { ...error, message: Object.fromEntries(problem.issues?.map((each) => [each.field, each.issue]) ?? []) },
          };
        },
      ),
  ),
  wrong('refused-team-200', 'a team that is refused answers 200 with the error', (s) =>
    around(s, 'answer', (was, call) => {
      const answer = was(call);
      return isOn(call, 'createTeam') && (answer.status === 400 || answer.status === 422) ? { ...answer, status: 200 } : answer;
    }),
  ),
];

const crashes: Fault[] = [
  clause(145, '| DELETE | /projects/{project_id} | none | `204`, empty body |')(
    'delete-wants-content-type',
    'DELETE without a Content-Type answers 415, though it has no body',
    (s) =>
      around(s, 'perform', (was, call, operation) => {
        if (call.method === 'DELETE' && !call.headers.has('content-type'))
          throw new Problem(415, 'unsupported_media_type', 'Unsupported media type undefined.');
        return was(call, operation);
      }),
  ),
  unknown(
    'odd-id-500',
    'an id that has not the form of an id answers 500, as the column is a UUID',
    (s) =>
      around(s, 'perform', (was, call, operation) => {
        for (const id of Object.values(call.ids))
          if (!/^[a-z]+_[0-9a-z-]{8,}$/i.test(id)) broken('invalid input syntax for uuid');
        return was(call, operation);
      }),
    { style: 'a' },
  ),
  unknown(
    'long-id-500',
    'an id of more than 64 characters answers 500',
    (s) =>
      around(s, 'perform', (was, call, operation) => {
        for (const id of Object.values(call.ids)) if (id.length > 64) broken('value too long for type character varying(64)');
        return was(call, operation);
      }),
    { style: 'c' },
  ),
  wrong('unknown-filter-value-500', 'filter[status] of an unknown status answers 500, as the column is an enumeration', (s) =>
    around(s, 'readFilter', (was, field, value, call) => {
      if (field === 'status' && !/^(backlog|todo|in_progress|in_review|done)$/.test(value)) broken('invalid value for enum');
      return was(field, value, call);
    }),
  ),
  wrong('broken-cursor-500', 'a cursor that is not one answers 500', (s) =>
    around(s, 'readCursor', (was, call, listing) => {
      if (/^[a-z]+$/i.test(call.query.get('cursor') ?? '')) broken('Unexpected token in JSON');
      return was(call, listing);
    }),
  ),
  wrong('empty-body-500', 'an empty body answers 500', (s) =>
    around(s, 'parse', (was, text, call) => (text === '' ? broken('undefined is not an object') : was(text, call))),
  ),
  wrong('scalar-body-500', 'a body that is a number or a text answers 500', (s) =>
    around(s, 'parse', (was, text, call) => {
      const body = was(text, call);
      return typeof body === 'number' || typeof body === 'string' ? broken('cannot use the operator in') : body;
    }),
  ),
  wrong('due-date-number-500', 'a due_date that is a number answers 500', (s) =>
    checked(
      s,
      (rule, value) => rule.kind === 'moment' && typeof value === 'number',
      () => broken('text.match is not a function'),
    ),
  ),
  wrong('events-text-500', 'events that are a text or an object answer 500', (s) =>
    checked(
      s,
      (rule, value) => rule.kind === 'events' && !Array.isArray(value),
      () => broken('events.every is not a function'),
    ),
  ),
  wrong('member-ids-text-500', 'member_ids that are a text or an object answer 500', (s) =>
    checked(
      s,
      (rule, value) => rule.kind === 'members' && !Array.isArray(value),
      () => broken('ids.map is not a function'),
    ),
  ),
  clause(284, '| 400 | malformed request or missing or wrongly typed parameters')(
    'team-refused-409',
    'whatever is wrong with a team answers 409',
    (s) => refusedAs(s, (problem, resource) => (resource === 'team' ? Object.assign(problem, { status: 409 }) : problem)),
  ),
  clause(51, '| assignee_id | string | no | id of a member of the workspace |')(
    'unknown-assignee-500',
    'an unknown user as assignee breaks a foreign key: 500',
    (s) => around(s, 'isAssignable', (was, user, call, act) => was(user, call, act) || broken('violates foreign key constraint')),
  ),
];

export const faults: readonly Fault[] = [...envelopes, ...crashes];

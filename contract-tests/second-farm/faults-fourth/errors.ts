// Faults of errors: statuses, codes and the fields that fail.

import { type Call, type Issue, Problem, type Resource } from '../../judge/reference/model.ts';
import type { Act } from '../../judge/reference/service/input.ts';
import type { Service } from '../../judge/reference/service/service.ts';
import { around, clause, type Fault, isOn, without } from '../faults/fault.ts';
import { errorOf, refusedWith } from './tools.ts';

const code = clause(272, '| error.code | string | stable machine-readable code; does not change between versions |');
const message = clause(273, '| error.message | string | human-readable text;');
const details = clause(274, 'for validation errors holds `fields`, an array of `{ field, issue }`');
const malformed = clause(284, '| 400 | malformed request or missing or wrongly typed parameters');
const unknown = clause(287, '| 404 | resource does not exist, or belongs to a workspace the key cannot access |');
const semantic = clause(289, '| 422 | well-formed request failing semantic rules');
const notFound = clause(299, '| not_found | 404 | id unknown, deleted, or in another workspace |');
const structural = clause(300, '400 for structural problems (missing required field, wrong type)');
const rules = clause(300, '422 for rule violations');
const each = clause(300, '`details.fields` lists each failing field');
const validation = clause(300, '| validation_error | 400 or 422 |');

/** Changes the status of problems with fields of a resource. */
const status = (service: Service, to: number, when: (issues: readonly Issue[], resource: Resource, act: Act) => boolean): void =>
  around(service, 'refuse', (was, issues, call, resource, act) =>
    Object.assign(was(issues, call, resource, act), when(issues, resource, act) ? { status: to } : {}),
  );
const listing = (service: Service, change: (issues: readonly Issue[], call: Call) => readonly Issue[]): void =>
  refusedWith(service, (problem, call) =>
    problem.issues ? new Problem(problem.status, problem.code, problem.message, change(problem.issues, call)) : undefined,
  );
const only = (kind: Issue['kind'], issues: readonly Issue[]) => issues.every((issue) => issue.kind === kind);
const about = (name: string, issues: readonly Issue[]) => issues.some(({ field }) => field === name);
const renamed = (service: Service, from: string, to: string, when: (call: Call) => boolean = () => true): void =>
  listing(service, (issues, call) =>
    when(call) ? issues.map((issue) => (issue.field === from ? { ...issue, field: to } : issue)) : issues,
  );

const bodies: Fault[] = [
  code('code-in-capitals-422', 'the code of a 422 is VALIDATION_ERROR', (s) =>
    errorOf(s, (error, problem) => (problem.status === 422 ? { ...error, code: String(error.code).toUpperCase() } : error)),
  ),
  code('code-of-conflict-missing', 'a 409 has no code', (s) =>
    errorOf(s, (error, problem) => (problem.status === 409 ? without(error, 'code') : error)),
  ),
  code('code-of-404-by-resource', 'tasks answer 404 with the other of the two codes', (s) =>
    around(s, 'notFound', (was, call, what) =>
      Object.assign(
        was(call, what),
        what === 'task' ? { code: s.style.notFoundCode === 'not_found' ? 'resource_not_found' : 'not_found' } : {},
      ),
    ),
  ),
  message('message-missing-404', 'a 404 has no message', (s) =>
    errorOf(s, (error, problem) => (problem.status === 404 ? without(error, 'message') : error)),
  ),
  details('details-is-fields', 'details of a validation error is the array itself', (s) =>
    around(s, 'details', (was, problem) => (problem.issues ? (was(problem) as { fields: unknown }).fields : was(problem))),
  ),
  details('fields-beside-details', 'fields stands beside details in the error', (s) =>
    errorOf(s, (error, { issues }) =>
      issues ? { ...error, details: {}, fields: issues.map(({ field, issue }) => ({ field, issue })) } : error,
    ),
  ),
  details('fields-with-reason', 'entries of fields of PATCH have reason for issue', (s) => {
    const changes = new WeakSet<Problem>();
    refusedWith(s, (problem, call) => {
      if (call.method === 'PATCH') changes.add(problem);
      return undefined;
    });
    around(s, 'details', (was, problem) =>
      changes.has(problem) ? { fields: problem.issues?.map(({ field, issue }) => ({ field, reason: issue })) } : was(problem),
    );
  }),
];

const statuses: Fault[] = [
  structural('missing-title-422', 'a missing title answers 422', (s) =>
    status(
      s,
      422,
      (issues, resource, act) => act === 'create' && resource === 'task' && only('structure', issues) && about('title', issues),
    ),
  ),
  structural('wrong-type-of-due-date-422', 'a due_date that is a number answers 422', (s) =>
    status(s, 422, (issues) => only('structure', issues) && about('due_date', issues)),
  ),
  structural('wrong-type-of-events-422', 'events that are no array answer 422', (s) =>
    status(s, 422, (issues, resource) => resource === 'webhook' && only('structure', issues) && about('events', issues)),
  ),
  rules('too-long-name-400', 'a name of a project that is too long answers 400', (s) =>
    status(s, 400, (issues, resource) => resource === 'project' && only('length', issues) && about('name', issues)),
  ),
  semantic('unknown-priority-404', 'an unknown priority answers 404', (s) =>
    status(s, 404, (issues) => only('value', issues) && about('priority', issues)),
  ),
  semantic('bad-url-500', 'a url that cannot be read answers 500', (s) =>
    around(s, 'isReachable', (_was, text) => {
      const url = new URL(text);
      return url.protocol === 'https:' && url.hostname.includes('.');
    }),
  ),
  malformed('array-body-takes-first', 'an array as body creates its first entry', (s) =>
    around(s, 'parse', (was, text, call) => {
      const body = was(text, call);
      return Array.isArray(body) ? (body[0] ?? {}) : body;
    }),
  ),
  unknown('unknown-project-422-on-create', 'POST of a task into an unknown project answers 422', (s) =>
    around(s, 'notFound', (was, call, what) =>
      isOn(call, 'createTask') && what === 'project'
        ? s.invalid(422, [{ field: 'project_id', issue: 'is unknown', kind: 'reference' }], call)
        : was(call, what),
    ),
  ),
  unknown(
    'unknown-task-deleted-200',
    'DELETE of an unknown task answers 200',
    (s) =>
      around(s, 'deleteTask', (was, call) => {
        const known = s.db.tasks.some(({ id }) => id === call.ids.task);
        return known ? was(call) : { status: 200, body: { data: { deleted: 0 } }, headers: {} };
      }),
    { style: 'c' },
  ),
  notFound('code-404-no-such-team', 'the code of an unknown team is no_such_team', (s) =>
    around(s, 'notFound', (was, call, what) => Object.assign(was(call, what), what === 'team' ? { code: 'no_such_team' } : {})),
  ),
  validation('validation-code-by-kind', 'the code of a text that is too long is too_long', (s) =>
    refusedWith(s, (problem) =>
      problem.issues && only('length', problem.issues) ? Object.assign(problem, { code: 'too_long' }) : undefined,
    ),
  ),
  validation('validation-code-of-patch', 'the code of a PATCH that is refused is update_failed', (s) =>
    refusedWith(s, (problem, call) => (call.method === 'PATCH' ? Object.assign(problem, { code: 'update_failed' }) : undefined)),
  ),
];

const failing: Fault[] = [
  each('fields-due-date-as-due', 'a failing due_date is named due', (s) => renamed(s, 'due_date', 'due')),
  each('fields-patched-title-as-name', 'a failing title of PATCH is named name', (s) =>
    renamed(s, 'title', 'name', ({ method }) => method === 'PATCH'),
  ),
  each('fields-without-absent', 'a failing name of a team is not listed', (s) =>
    listing(s, (issues, call) => (isOn(call, 'createTeam') ? issues.filter(({ field }) => field !== 'name') : issues)),
  ),
];

export const faults: readonly Fault[] = [...bodies, ...statuses, ...failing];

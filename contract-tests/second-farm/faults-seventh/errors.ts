// Faults of errors: validators, handlers and gateways.

import { type Call, type Issue, Problem } from '../../judge/reference/model.ts';
import type { Service } from '../../judge/reference/service/service.ts';
import { around, clause } from '../faults/fault.ts';
import { errorIn, failsWith } from '../faults-sixth/tools.ts';

const json = clause(10, 'Every response body is JSON');
const wrongType = clause(284, 'missing or wrongly typed parameters');
const statuses = clause(300, '400 for structural problems (missing required field, wrong type); 422 for rule violations');
const lists = clause(300, '`details.fields` lists each failing field');
const camel = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Changes the failing fields of errors. */
const fields = (service: Service, change: (issues: readonly Issue[]) => readonly Issue[]): void =>
  around(service, 'invalid', (was, status, issues, call) => was(status, change(issues), call));

export const faults = [
  json('broken-json-answered-in-html', 'a body that is not JSON is answered with an HTML page', (service) => {
    const broken = new WeakSet<Call>();
    around(service, 'malformed', (was, call, message) => {
      broken.add(call);
      return was(call, message);
    });
    around(service, 'write', (was, answer, call) =>
      broken.has(call) ? { text: '<html><body><h1>400 Bad Request</h1></body></html>', type: 'text/html' } : was(answer, call),
    );
  }),
  json(
    'missing-header-answered-with-nothing',
    'a request without the Authorization header gets a 401 without a body',
    (service) =>
      around(service, 'write', (was, answer, call) =>
        call.headers.has('authorization') ? was(answer, call) : { text: '', type: 'text/plain' },
      ),
  ),
  clause(22, '{ "error": { code, message, details } }')(
    'rule-violations-as-list-of-errors',
    'a 422 holds `errors`, an array, and no `error`',
    (service) =>
      failsWith(service, (answer, problem) =>
        problem.status === 422
          ? { errors: (problem.issues ?? []).map(({ field, issue }) => ({ source: field, title: issue })) }
          : answer.body,
      ),
  ),
  clause(272, 'stable machine-readable code')(
    'code-of-missing-tasks-differs',
    'a missing task has the other of the two codes for 404',
    (service) =>
      around(service, 'notFound', (was, call, what) => {
        const { status, code, message } = was(call, what);
        return new Problem(status, what === 'task' ? (code === 'not_found' ? 'resource_not_found' : 'not_found') : code, message);
      }),
  ),
  clause(274, 'for validation errors holds `fields`')(
    'too-long-without-fields',
    'the error about a text that is too long names no field',
    (service) =>
      around(service, 'details', (was, problem) => (problem.issues?.some(({ kind }) => kind === 'length') ? {} : was(problem))),
  ),
  wrongType('limit-with-fraction-cut', 'a limit of 1.5 is taken for 1', (service) =>
    around(service, 'parseLimit', (was, text, listing) => was(text.replace(/\.\d+$/, ''), listing)),
  ),
  wrongType('title-null-breaks-change', 'a change of the title to null gives 500', (service) =>
    around(service, 'checkValue', (was, given, value, call, act) => {
      if (given.name === 'title' && value === null && act === 'change') throw new TypeError("can't read 'length' of null");
      return was(given, value, call, act);
    }),
  ),
  clause(288, 'a unique name already in use')('taken-team-name-400', 'the name of another team gives 400', (service) =>
    around(service, 'conflict', (_was, call) =>
      service.invalid(400, [{ field: 'name', issue: 'is taken', kind: 'structure' }], call),
    ),
  ),
  clause(299, 'id unknown')('task-id-of-other-form-400', 'a task id that does not begin with `task_` gives 400', (service) =>
    around(service, 'taskOf', (was, call) => {
      if (!call.ids.task?.startsWith('task_'))
        throw service.invalid(400, [{ field: 'task_id', issue: 'is no id of a task', kind: 'structure' }], call);
      return was(call);
    }),
  ),
  statuses('missing-team-name-422', 'a team without a name gives 422', (service) =>
    around(service, 'refuse', (was, issues, call, resource, act) =>
      resource === 'team' && issues.every(({ issue }) => issue === 'is required')
        ? service.invalid(422, issues, call)
        : was(issues, call, resource, act),
    ),
  ),
  statuses(
    'long-project-description-400-on-change',
    'a change of a project to a description that is too long gives 400',
    (service) =>
      around(service, 'refuse', (was, issues, call, resource, act) =>
        resource === 'project' && act === 'change' && issues.every(({ kind }) => kind === 'length')
          ? service.invalid(400, issues, call)
          : was(issues, call, resource, act),
      ),
  ),
  lists('failing-fields-in-camel-case', 'errors name `dueDate`, `assigneeId` and `memberIds`', (service) =>
    fields(service, (issues) => issues.map((issue) => ({ ...issue, field: camel(issue.field) }))),
  ),
  clause(22, '{ "error": { code, message, details } }')('forbidden-without-message', 'a 403 has no message', (service) =>
    failsWith(service, (answer, problem) => {
      const { message: _, ...error } = errorIn(answer);
      return problem.status === 403 ? { error } : answer.body;
    }),
  ),
];

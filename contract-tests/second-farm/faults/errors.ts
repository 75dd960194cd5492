// Faults of errors: bodies, statuses and codes.
import { type Fields, type Issue, Problem } from '../model.ts';
import type { Service } from '../service/service.ts';
import { around, clause, type Fault, isOn, without } from './fault.ts';

const code = clause(272, '| error.code | string | stable machine-readable code; does not change between versions |');
const message = clause(273, '| error.message | string |');
const details = clause(
  274,
  '| error.details | object | optional; may be `{}`; for validation errors holds `fields`, an array of `{ field, issue }` |',
);
const status = clause(275, 'may also appear, repeating the HTTP status');

const errors = (service: Service, change: (error: Fields, problem: Problem) => Fields): void =>
  around(service, 'errorBody', (was, problem) => ({ error: change((was(problem) as { error: Fields }).error, problem) }));
const issues = (service: Service, change: (issue: Issue) => unknown): void =>
  around(service, 'details', (was, problem) => (problem.issues ? { fields: problem.issues.map(change) } : was(problem)));

const bodies: Fault[] = [
  code('error-code-missing', 'errors have no code', (s) => errors(s, (all) => without(all, 'code'))),
  code('error-code-missing-404', 'a 404 has no code', (s) =>
    errors(s, (all, { status: at }) => (at === 404 ? without(all, 'code') : all)),
  ),
  code('error-code-number', 'the code is the status', (s) => errors(s, (all, { status: at }) => ({ ...all, code: at }))),
  code('error-code-null-409', 'the code of a conflict is null', (s) =>
    errors(s, (all, { status: at }) => (at === 409 ? { ...all, code: null } : all)),
  ),
  code('error-code-empty-sort', 'the code of an unsupported sort field is empty', (s) =>
    around(s, 'unsupportedSort', (was, call) => Object.assign(was(call), { code: '' })),
  ),
  code('error-code-by-route', 'teams answer 404 with the other of the two codes', (s) => {
    const other = s.style.notFoundCode === 'not_found' ? 'resource_not_found' : 'not_found';
    around(s, 'notFound', (was, call, what) => Object.assign(was(call, what), what === 'team' ? { code: other } : {}));
  }),
  code('error-code-by-method', 'DELETE answers 404 with the other of the two codes', (s) => {
    const other = s.style.notFoundCode === 'not_found' ? 'resource_not_found' : 'not_found';
    around(s, 'notFound', (was, call, what) => Object.assign(was(call, what), call.method === 'DELETE' ? { code: other } : {}));
  }),
  message('error-message-missing', 'errors have no message', (s) => errors(s, (all) => without(all, 'message'))),
  message('error-message-object', 'the message is an object of languages', (s) =>
    errors(s, (all) => ({ ...all, message: { en: all.message } })),
  ),
  message('error-message-null-401', 'the message of a 401 is null', (s) =>
    errors(s, (all, { status: at }) => (at === 401 ? { ...all, message: null } : all)),
  ),
  message('error-message-list', 'the message of a validation error is an array', (s) =>
    errors(s, (all, problem) => (problem.issues ? { ...all, message: problem.issues.map(({ issue }) => issue) } : all)),
  ),
  message('error-message-renamed', 'a 403 has detail for message', (s) =>
    errors(s, (all, { status: at }) => (at === 403 ? { ...without(all, 'message'), detail: all.message } : all)),
  ),
  details('details-list', 'details is an array', (s) =>
    around(s, 'details', (was, problem) => (problem.issues ? [...problem.issues] : was(problem))),
  ),
  details('details-text', 'details is a text', (s) => around(s, 'details', (_was, problem) => problem.message)),
  details('details-null', 'details is null when empty', (s) =>
    around(s, 'details', (was, problem) => (problem.issues ? was(problem) : null)),
  ),
  details('details-empty-list-404', 'details of a 404 is an empty array', (s) =>
    around(s, 'details', (was, problem) => (problem.status === 404 ? [] : was(problem))),
  ),
  details('fields-missing', 'a validation error has no fields', (s) =>
    around(s, 'details', (was, problem) => (problem.issues ? {} : was(problem))),
  ),
  details('fields-missing-422', 'a 422 has no fields', (s) =>
    around(s, 'details', (was, problem) => (problem.status === 422 ? {} : was(problem))),
  ),
  details('fields-missing-for-absent', 'a missing field is not in fields', (s) =>
    around(s, 'details', (was, problem) => (problem.issues?.every(({ issue }) => issue === 'is required') ? {} : was(problem))),
  ),
  details('fields-object', 'fields is an object by field', (s) =>
    around(s, 'details', (was, problem) =>
      problem.issues ? { fields: Object.fromEntries(problem.issues.map(({ field, issue }) => [field, issue])) } : was(problem),
    ),
  ),
  details('fields-names', 'fields is an array of names', (s) => issues(s, ({ field }) => field)),
  details('fields-without-issue', 'entries of fields have no issue', (s) => issues(s, ({ field }) => ({ field }))),
  details('fields-without-field', 'entries of fields have no field', (s) => issues(s, ({ issue }) => ({ issue }))),
  details('fields-named-name', 'entries of fields are { name, message }', (s) =>
    issues(s, ({ field, issue }) => ({ name: field, message: issue })),
  ),
  details('fields-issue-list', 'issue is an array', (s) => issues(s, ({ field, issue }) => ({ field, issue: [issue] }))),
  details('fields-issue-null', 'issue is null for wrong types', (s) =>
    issues(s, ({ field, issue, kind }) => ({ field, issue: kind === 'structure' ? null : issue })),
  ),
  status('error-status-text', 'error.status is a text', (s) =>
    errors(s, (all, { status: at }) => ({ ...all, status: String(at) })),
  ),
  status('error-status-400', 'error.status is always 400', (s) => errors(s, (all) => ({ ...all, status: 400 }))),
  status('error-status-200', 'error.status is 200 in a 404', (s) =>
    errors(s, (all, { status: at }) => (at === 404 ? { ...all, status: 200 } : all)),
  ),
  status('error-status-class', 'error.status is the class of the status, 4', (s) =>
    errors(s, (all, { status: at }) => ({ ...all, status: Math.floor(at / 100) })),
  ),
];

const validation = clause(300, '| validation_error | 400 or 422 |');
const structural = clause(300, '400 for structural problems (missing required field, wrong type)');
const violations = clause(300, '422 for rule violations');
const each = clause(300, '`details.fields` lists each failing field');
const malformed = clause(284, 'malformed request or missing or wrongly typed parameters');
const rules = clause(289, 'well-formed request failing semantic rules');

const codes: Fault[] = [
  validation('validation-code-400', 'the code of a 400 is bad_request', (s) =>
    around(s, 'invalid', (was, at, list, call) => Object.assign(was(at, list, call), at === 400 ? { code: 'bad_request' } : {})),
  ),
  validation('validation-code-422', 'the code of a 422 is unprocessable_entity', (s) =>
    around(s, 'invalid', (was, at, list, call) =>
      Object.assign(was(at, list, call), at === 422 ? { code: 'unprocessable_entity' } : {}),
    ),
  ),
  validation('validation-code-by-field', 'the code of a failing title is invalid_title', (s) =>
    around(s, 'invalid', (was, at, list, call) =>
      Object.assign(was(at, list, call), list[0]?.field === 'title' ? { code: 'invalid_title' } : {}),
    ),
  ),
  validation('validation-code-plural', 'the code is validation_errors when several fields fail', (s) =>
    around(s, 'invalid', (was, at, list, call) =>
      Object.assign(was(at, list, call), list.length > 1 ? { code: 'validation_errors' } : {}),
    ),
  ),
  validation('validation-code-missing-field', 'the code of a missing field is missing_field', (s) =>
    around(s, 'invalid', (was, at, list, call) =>
      Object.assign(was(at, list, call), list.some(({ issue }) => issue === 'is required') ? { code: 'missing_field' } : {}),
    ),
  ),
  validation('validation-code-teams', 'the code for teams is invalid_team', (s) =>
    around(s, 'invalid', (was, at, list, call) =>
      Object.assign(was(at, list, call), isOn(call, 'createTeam') ? { code: 'invalid_team' } : {}),
    ),
  ),
  structural('missing-field-422', 'a missing field answers 422', (s) =>
    around(s, 'statusOf', (was, issue) => (issue.issue === 'is required' ? 422 : was(issue))),
  ),
  structural('missing-field-404', 'a missing title answers 404', (s) =>
    around(s, 'refuse', (was, list, call, resource, act) =>
      list.some(({ issue, field }) => issue === 'is required' && field === 'title')
        ? s.notFound(call, 'title')
        : was(list, call, resource, act),
    ),
  ),
  structural('missing-field-500', 'a missing url of a webhook answers 500', (s) =>
    around(s, 'refuse', (was, list, call, resource, act) =>
      resource === 'webhook' && list.some(({ issue }) => issue === 'is required')
        ? new Problem(500, 'internal_error', 'undefined')
        : was(list, call, resource, act),
    ),
  ),
  structural('wrong-type-422', 'a wrong type answers 422', (s) =>
    around(s, 'statusOf', (was, issue) => (issue.issue === 'has the wrong type' ? 422 : was(issue))),
  ),
  structural('wrong-type-422-patched', 'a wrong type in PATCH answers 422', (s) =>
    around(s, 'refuse', (was, list, call, resource, act) =>
      act === 'change' && list.every(({ kind }) => kind === 'structure')
        ? s.invalid(422, list, call)
        : was(list, call, resource, act),
    ),
  ),
  structural('wrong-type-500', 'a wrong type in PATCH of a task answers 500', (s) =>
    around(s, 'refuse', (was, list, call, resource, act) =>
      resource === 'task' && act === 'change' && list.some(({ issue }) => issue === 'has the wrong type')
        ? new Problem(500, 'internal_error', 'TypeError')
        : was(list, call, resource, act),
    ),
  ),
  structural('wrong-type-stringified', 'numbers and booleans become texts', (s) => {
    const text = (value: unknown) => (typeof value === 'number' || typeof value === 'boolean' ? String(value) : value);
    around(s, 'checkValue', (was, rule, value, call, act) => was(rule, rule.kind === 'text' ? text(value) : value, call, act));
    around(s, 'takeText', (was, rule, value, call, act) => String(was(rule, value, call, act)));
  }),
  structural('wrong-type-boolean-title', 'true is taken as a title in PATCH', (s) => {
    around(s, 'checkValue', (was, rule, value, call, act) =>
      was(rule, rule.name === 'title' && act === 'change' && value === true ? 'true' : value, call, act),
    );
    around(s, 'takeText', (was, rule, value, call, act) => String(was(rule, value, call, act)));
  }),
  structural('wrong-type-first-of-list', 'an array of one text is taken as the text, for description', (s) => {
    const first = (name: string, value: unknown) =>
      name === 'description' && Array.isArray(value) && typeof value[0] === 'string' ? value[0] : value;
    around(s, 'checkValue', (was, rule, value, call, act) => was(rule, first(rule.name, value), call, act));
    around(s, 'take', (was, rule, value, call, act) => was(rule, first(rule.name, value), call, act));
  }),
  structural('wrong-type-ignored-description', 'a description of a wrong type is ignored', (s) => {
    around(s, 'readBody', (was, call) => {
      const body = was(call);
      return 'description' in body && typeof body.description !== 'string' && body.description !== null
        ? without(body, 'description')
        : body;
    });
  }),
  structural('wrong-type-ignored-status', 'a status of a wrong type is ignored in PATCH', (s) => {
    around(s, 'readBody', (was, call) => {
      const body = was(call);
      return isOn(call, 'changeTask') && 'status' in body && typeof body.status !== 'string' ? without(body, 'status') : body;
    });
  }),
  structural('wrong-type-json-in-name', 'objects are stored as JSON in the name', (s) => {
    around(s, 'checkValue', (was, rule, value, call, act) =>
      was(rule, rule.name === 'name' && typeof value === 'object' && value !== null ? JSON.stringify(value) : value, call, act),
    );
    around(s, 'takeText', (was, rule, value, call, act) =>
      typeof value === 'object' ? JSON.stringify(value) : was(rule, value, call, act),
    );
  }),
  violations('too-long-400', 'a text that is too long answers 400', (s) =>
    around(s, 'statusOf', (was, issue) => (issue.kind === 'length' ? 400 : was(issue))),
  ),
  violations('too-long-400-patched', 'a text that is too long in PATCH answers 400', (s) =>
    around(s, 'refuse', (was, list, call, resource, act) =>
      act === 'change' && list.every(({ kind }) => kind === 'length')
        ? s.invalid(400, list, call)
        : was(list, call, resource, act),
    ),
  ),
  violations('too-long-description-413', 'a description that is too long answers 413', (s) =>
    around(s, 'refuse', (was, list, call, resource, act) =>
      list.some(({ kind, field }) => kind === 'length' && field === 'description')
        ? new Problem(413, 'validation_error', 'Too large.', list)
        : was(list, call, resource, act),
    ),
  ),
  violations('too-long-team-name-400', 'a team name that is too long answers 400', (s) =>
    around(s, 'refuse', (was, list, call, resource, act) =>
      resource === 'team' && list.some(({ kind }) => kind === 'length')
        ? s.invalid(400, list, call)
        : was(list, call, resource, act),
    ),
  ),
  rules('too-long-500', 'a title that is too long for the column answers 500', (s) =>
    around(s, 'refuse', (was, list, call, resource, act) =>
      list.some(({ kind, field }) => kind === 'length' && field === 'title')
        ? new Problem(500, 'internal_error', 'value too long for type character varying(255)')
        : was(list, call, resource, act),
    ),
  ),
  rules('unknown-value-500', 'a status outside the enumeration answers 500', (s) =>
    around(s, 'refuse', (was, list, call, resource, act) =>
      list.some(({ kind, field }) => kind === 'value' && field === 'status')
        ? new Problem(500, 'internal_error', 'invalid input value for enum')
        : was(list, call, resource, act),
    ),
  ),
  rules('unknown-value-409', 'a visibility outside the enumeration answers 409', (s) =>
    around(s, 'refuse', (was, list, call, resource, act) =>
      list.some(({ kind, field }) => kind === 'value' && field === 'visibility')
        ? s.conflict(call)
        : was(list, call, resource, act),
    ),
  ),
  rules('bad-date-500', 'an unparsable due_date answers 500', (s) =>
    around(s, 'refuse', (was, list, call, resource, act) =>
      list.some(({ kind, field }) => kind === 'value' && field === 'due_date')
        ? new Problem(500, 'internal_error', 'RangeError: Invalid time value')
        : was(list, call, resource, act),
    ),
  ),
  each('fields-first-only', 'only the first failing field is listed', (s) =>
    around(s, 'invalid', (was, at, list, call) => was(at, list.slice(0, 1), call)),
  ),
  each('fields-last-only', 'only the last failing field is listed', (s) =>
    around(s, 'invalid', (was, at, list, call) => was(at, list.slice(-1), call)),
  ),
  each('fields-two-at-most', 'at most two failing fields are listed', (s) =>
    around(s, 'invalid', (was, at, list, call) => was(at, list.slice(0, 2), call)),
  ),
  each('fields-body', 'the failing field is named body', (s) => issues(s, ({ issue }) => ({ field: 'body', issue }))),
  each('fields-assignee', 'a failing assignee_id is named assignee', (s) =>
    issues(s, ({ field, issue }) => ({ field: field === 'assignee_id' ? 'assignee' : field, issue })),
  ),
  each('fields-camel-case', 'failing fields are named in camelCase', (s) =>
    issues(s, ({ field, issue }) => ({ field: field.replace(/_(\w)/g, (_, letter) => letter.toUpperCase()), issue })),
  ),
  each('fields-project-name-as-title', 'a failing name of a project is listed as title', (s) =>
    around(s, 'invalid', (was, at, list, call) =>
      was(
        at,
        list.map((issue) =>
          call.operation?.endsWith('Project') && issue.field === 'name' ? { ...issue, field: 'title' } : issue,
        ),
        call,
      ),
    ),
  ),
  malformed('malformed-json-422', 'a body that is not JSON answers 422', (s) =>
    around(s, 'parse', (was, text, call) =>
      guarded(
        () => was(text, call),
        () => Object.assign(s.malformed(call, 'Not JSON.'), { status: 422 }),
      ),
    ),
  ),
  malformed('malformed-json-500', 'a body that is not JSON answers 500', (s) =>
    around(s, 'parse', (was, text, call) =>
      guarded(
        () => was(text, call),
        () => new Problem(500, 'internal_error', 'SyntaxError'),
      ),
    ),
  ),
  malformed('malformed-json-500-patched', 'a body that is not JSON answers 500 in PATCH', (s) =>
    around(s, 'parse', (was, text, call) =>
      call.method === 'PATCH'
        ? guarded(
            () => was(text, call),
            () => new Problem(500, 'internal_error', 'SyntaxError'),
          )
        : was(text, call),
    ),
  ),
  malformed('malformed-json-as-empty', 'a body that is not JSON is taken as {} in PATCH', (s) => {
    around(s, 'parse', (was, text, call) => {
      try {
        return was(text, call);
      } catch (error) {
        if (call.method === 'PATCH') return {};
        throw error;
      }
    });
  }),
  malformed('malformed-json-415', 'a body that is not JSON answers 415', (s) =>
    around(s, 'malformed', (was, call, text) => Object.assign(was(call, text), { status: 415 })),
  ),
  malformed('trailing-json-ignored', 'what follows the first JSON object is ignored', (s) =>
    around(s, 'parse', (was, text, call) => was(/^\{[^{}]*\}(?=.)/.exec(text)?.[0] ?? text, call)),
  ),
  malformed('array-body-500', 'a body that is an array answers 500', (s) => {
    around(s, 'readBody', (was, call) => {
      if (call.text.trim().startsWith('[')) throw new Problem(500, 'internal_error', 'not an object');
      return was(call);
    });
  }),
  malformed('array-body-as-empty', 'a body that is an array is taken as {} in PATCH', (s) =>
    around(s, 'parse', (was, text, call) => {
      const body = was(text, call);
      return Array.isArray(body) && call.method === 'PATCH' ? {} : body;
    }),
  ),
  malformed('null-body-500', 'a body of null answers 500', (s) => {
    around(s, 'parse', (was, text, call) => {
      const body = was(text, call);
      if (body === null) throw new Problem(500, 'internal_error', 'Cannot read properties of null');
      return body;
    });
  }),
];

const guarded = <T>(work: () => T, otherwise: () => Problem): T => {
  try {
    return work();
  } catch {
    throw otherwise();
  }
};

const notFound = clause(299, '| not_found | 404 | id unknown, deleted, or in another workspace |');
const absent = clause(287, 'resource does not exist');
const missing = (service: Service, what: string, status: number, code?: string): void =>
  around(service, 'notFound', (was, call, which) =>
    Object.assign(was(call, which), which === what ? { status, ...(code ? { code } : {}) } : {}),
  );
const unknowns: Fault[] = [
  absent('unknown-project-400', 'an unknown project answers 400', (s) => missing(s, 'project', 400, 'validation_error')),
  absent('unknown-task-400', 'an unknown task answers 400', (s) => missing(s, 'task', 400, 'validation_error')),
  absent('unknown-team-403', 'an unknown team answers 403', (s) => missing(s, 'team', 403, 'forbidden')),
  absent('unknown-task-500', 'an unknown task answers 500', (s) => missing(s, 'task', 500, 'internal_error')),
  absent('unknown-id-form-400', 'an id that does not begin with its prefix answers 400', (s) => {
    around(s, 'notFound', (was, call, what) =>
      Object.assign(
        was(call, what),
        what === 'task' && !call.ids.task?.startsWith('task_') ? { status: 400, code: 'validation_error' } : {},
      ),
    );
  }),
  absent('unknown-task-null', 'an unknown task answers 200 with data null', (s) => {
    around(s, 'readTask', (was, call) =>
      s.db.tasks.some(({ id }) => id === call.ids.task) ? was(call) : s.single(null, 'read'),
    );
    around(s, 'locate', (was, call) => (isOn(call, 'readTask') ? undefined : was(call)));
  }),
  absent('unknown-project-deleted', 'DELETE of an unknown project answers 204', (s) => {
    around(s, 'deleteProject', (was, call) => (s.db.projects.some(({ id }) => id === call.ids.project) ? was(call) : s.empty()));
    around(s, 'locate', (was, call) => (isOn(call, 'deleteProject') ? undefined : was(call)));
  }),
  absent('unknown-team-deleted', 'DELETE of an unknown team answers 204', (s) => {
    around(s, 'deleteTeam', (was, call) => (s.db.teams.some(({ id }) => id === call.ids.team) ? was(call) : s.empty()));
    around(s, 'locate', (was, call) => (isOn(call, 'deleteTeam') ? undefined : was(call)));
  }),
  absent('unknown-task-created-by-patch', 'PATCH of an unknown task creates it', (s) => {
    around(s, 'taskOf', (was, call) => {
      const id = call.ids.task ?? '';
      const project = s.db.projects.find(({ workspace }) => workspace === call.workspace?.id);
      if (!isOn(call, 'changeTask') || !project || s.db.tasks.some((task) => task.id === id)) return was(call);
      const made = { ...s.newTask({ title: 'Untitled' }, project, call), id };
      s.saveTask(made, call);
      return made;
    });
    around(s, 'locate', (was, call) => (isOn(call, 'changeTask') ? undefined : was(call)));
  }),
  notFound('code-404-project', 'the code of an unknown project is project_not_found', (s) =>
    missing(s, 'project', 404, 'project_not_found'),
  ),
  notFound('code-404-task', 'the code of an unknown task is task_not_found', (s) => missing(s, 'task', 404, 'task_not_found')),
  notFound('code-404-deleted', 'the code of an unknown team is gone', (s) => missing(s, 'team', 404, 'gone')),
  notFound('code-404-validation', 'the code of an unknown project is validation_error', (s) =>
    missing(s, 'project', 404, 'validation_error'),
  ),
];

export const faults: readonly Fault[] = [...bodies, ...codes, ...unknowns];

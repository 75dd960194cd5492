// Faults of the bodies of errors, and of what is not found.
import type { Fields, Problem } from '../../judge/reference/model.ts';
import type { Service } from '../../judge/reference/service/service.ts';
import { issues } from './error-tools.ts';
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

export const faults: readonly Fault[] = [...bodies, ...unknowns];

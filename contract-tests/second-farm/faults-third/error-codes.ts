// Faults of errors: their codes, and the fields that they name.

import { type Call, Problem, type Resource } from '../../judge/reference/model.ts';
import type { Service } from '../../judge/reference/service/service.ts';
import { around, clause, type Fault, isOn } from '../faults/fault.ts';

const code = clause(272, '| error.code | string | stable machine-readable code; does not change between versions |');
const lists = clause(300, '`details.fields` lists each failing field');
const structural = clause(300, '400 for structural problems (missing required field, wrong type)');
const missing = clause(299, '| not_found | 404 | id unknown, deleted, or in another workspace |');

const refusedAs = (service: Service, change: (problem: Problem, resource: Resource, call: Call) => Problem): void =>
  around(service, 'refuse', (was, issues, call, resource, act) => change(was(issues, call, resource, act), resource, call));
const relabel = (service: Service, name: (field: string, call: Call) => string): void =>
  around(service, 'invalid', (was, status, issues, call) =>
    was(
      status,
      issues.map((issue) => ({ ...issue, field: name(issue.field, call) })),
      call,
    ),
  );

const codes: Fault[] = [
  code('conflict-code-by-name', 'the code of a 409 holds the name that is taken', (s) =>
    around(s, 'conflict', (was, call) => {
      const name = String((JSON.parse(call.text || '{}') as { name?: unknown }).name ?? '');
      return Object.assign(was(call), { code: `team_${name.toLowerCase().replace(/\W+/g, '_')}_exists` });
    }),
  ),
  code('sort-code-by-field', 'the code of an unsupported sort field holds the field', (s) =>
    around(s, 'unsupportedSort', (was, call) =>
      Object.assign(was(call), { code: `cannot_sort_by_${(call.query.get('sort') ?? '').replace(/\W/g, '')}` }),
    ),
  ),
  code('conflict-code-by-scope', 'the code of a 409 is another for admin keys', (s) =>
    around(s, 'conflict', (was, call) =>
      Object.assign(was(call), call.key?.scope === 'admin' ? { code: 'duplicate_entry' } : {}),
    ),
  ),
  missing('nested-404-code', 'an unknown project answers another of the two codes for its tasks than for itself', (s) =>
    around(s, 'notFound', (was, call, what) => {
      const other = s.style.notFoundCode === 'not_found' ? 'resource_not_found' : 'not_found';
      return Object.assign(was(call, what), /\/tasks$/.test(call.path) && call.ids.project ? { code: other } : {});
    }),
  ),
  missing('deleted-404-code', 'a record that was deleted answers another of the two codes than one that never was', (s) => {
    const gone = new Set<string>();
    around(s, 'removeProject', (was, project, call) => {
      gone.add(project.id);
      was(project, call);
    });
    around(s, 'removeTask', (was, task, because) => {
      gone.add(task.id);
      was(task, because);
    });
    around(s, 'notFound', (was, call, what) => {
      const other = s.style.notFoundCode === 'not_found' ? 'resource_not_found' : 'not_found';
      return Object.assign(was(call, what), Object.values(call.ids).some((id) => gone.has(id)) ? { code: other } : {});
    });
  }),
  missing(
    'deleted-task-patch-422',
    'PATCH of a task that does not exist answers 422',
    (s) =>
      around(s, 'changeTask', (was, call) => {
        if (!s.db.tasks.some(({ id }) => id === call.ids.task))
          throw s.invalid(422, [{ field: 'task_id', issue: 'is unknown', kind: 'reference' }], call);
        return was(call);
      }),
    { style: 'a' },
  ),
  clause(300, '| validation_error | 400 or 422 |')('team-validation-code', 'the code for member_ids is invalid_members', (s) =>
    around(s, 'refuse', (was, issues, call, resource, act) => {
      const problem = was(issues, call, resource, act);
      return issues.some(({ field }) => field === 'member_ids')
        ? new Problem(problem.status, 'invalid_members', 'No.', issues)
        : problem;
    }),
  ),
  clause(300, '| validation_error | 400 or 422 |')(
    'assignee-validation-code',
    'the code for an unknown assignee is not_found',
    (s) =>
      around(s, 'refuse', (was, issues, call, resource, act) => {
        const problem = was(issues, call, resource, act);
        return issues.some(({ field, kind }) => field === 'assignee_id' && kind === 'reference')
          ? new Problem(problem.status, s.style.notFoundCode, 'No such user.', issues)
          : problem;
      }),
  ),
  structural('member-ids-type-422', 'member_ids of a wrong type answer 422', (s) =>
    refusedAs(s, (problem) =>
      problem.issues?.every(({ field, kind }) => field === 'member_ids' && kind === 'structure')
        ? Object.assign(problem, { status: 422 })
        : problem,
    ),
  ),
  structural('webhook-without-url-422', 'a webhook without url answers 422', (s) =>
    refusedAs(s, (problem, resource, call) =>
      resource === 'webhook' && !call.text.includes('"url"') ? Object.assign(problem, { status: 422 }) : problem,
    ),
  ),
  structural('patched-visibility-type-422', 'PATCH of a visibility of a wrong type answers 422', (s) =>
    refusedAs(s, (problem) =>
      problem.issues?.every(({ field, kind }) => field === 'visibility' && kind === 'structure')
        ? Object.assign(problem, { status: 422 })
        : problem,
    ),
  ),
];

const fields: Fault[] = [
  lists('field-as-pointer', 'PATCH names failing fields by pointers such as /title', (s) =>
    relabel(s, (field, call) => (call.method === 'PATCH' ? `/${field}` : field)),
  ),
  lists('field-with-resource', 'failing fields of a new project are named project.name and the like', (s) =>
    relabel(s, (field, call) => (isOn(call, 'createProject') ? `project.${field}` : field)),
  ),
  lists('failing-description-as-name', 'a failing description of a project is listed as name', (s) =>
    relabel(s, (field, call) => (isOn(call, 'createProject', 'changeProject') && field === 'description' ? 'name' : field)),
  ),
  lists('failing-events-as-url', 'failing events of a webhook are listed as url', (s) =>
    relabel(s, (field, call) => (isOn(call, 'createWebhook') && field === 'events' ? 'url' : field)),
  ),
  lists('failing-priority-as-status', 'a failing priority is listed as status', (s) =>
    relabel(s, (field, call) => (isOn(call, 'createTask', 'changeTask') && field === 'priority' ? 'status' : field)),
  ),
  lists('absent-fields-all-listed', 'a missing title lists all fields that were not sent', (s) =>
    around(s, 'refuse', (was, issues, call, resource, act) => {
      const sent = (() => {
        try {
          return Object.keys(JSON.parse(call.text) as object);
        } catch {
          return [];
        }
      })();
      const names = s.rulesFor(resource, act).map(({ name }) => name);
      const all = issues.some(({ issue }) => issue === 'is required')
        ? names
            .filter((name) => !sent.includes(name) && !issues.some(({ field }) => field === name))
            .map((field) => ({ field, issue: 'is required', kind: 'structure' as const }))
        : [];
      return was([...issues, ...all], call, resource, act);
    }),
  ),
  lists('webhook-fields-empty', 'validation errors of webhooks have an empty fields', (s) =>
    refusedAs(s, (problem, resource) => (resource === 'webhook' ? Object.assign(problem, { issues: [] }) : problem)),
  ),
  lists('patched-fields-left-out', 'validation errors of PATCH of a project have no details', (s) =>
    refusedAs(s, (problem, _resource, call) =>
      isOn(call, 'changeProject') ? Object.assign(problem, { issues: undefined }) : problem,
    ),
  ),
  lists('field-of-request-before', 'a validation error also lists the fields that failed in the request before', (s) => {
    let last: { at: number; issues: Problem['issues'] } | undefined;
    refusedAs(s, (problem) => {
      const carried = last && s.now() - last.at < 20 ? (last.issues ?? []) : [];
      last = { at: s.now(), issues: problem.issues };
      return Object.assign(problem, { issues: [...(problem.issues ?? []), ...carried] });
    });
  }),
];

export const faults: readonly Fault[] = [...codes, ...fields];

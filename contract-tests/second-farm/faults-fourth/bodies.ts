// Faults of envelopes and statuses: what clients unwrap.

import { type Call, type Fields, Problem } from '../../judge/reference/model.ts';
import type { ListName } from '../../judge/reference/service/lists.ts';
import type { Service } from '../../judge/reference/service/service.ts';
import { around, clause, type Fault, isOn } from '../faults/fault.ts';
import { answers, dataOf } from '../faults-third/tools.ts';
import { sent } from './tools.ts';

const json = clause(10, 'Every response body is JSON, except the empty body of `204`.');
const single = clause(20, '| Single resource | `{ "data": { <resource fields> } }` |');
const rows = clause(21, '| List | `{ "items": [ <resource>, ... ], "meta": { total, limit, has_more, next_cursor } }` |');
const error = clause(22, '| Error | `{ "error": { code, message, details } }` (see Errors) |');
const codes = clause(24, 'Success status codes: `200` for reads, `201` for creation, `204` (empty body) for deletion.');
const created = clause(282, '| 201 | resource created; body holds the resource |');

type Page = { readonly items: readonly Fields[]; readonly meta: Fields };

const written = (service: Service, when: (status: number, call: Call) => boolean, text: (text: string) => string | undefined) =>
  around(service, 'write', (was, answer, call) => {
    const made = was(answer, call);
    return made.text !== undefined && when(answer.status, call) ? { ...made, text: text(made.text) } : made;
  });
const paged = (service: Service, names: readonly ListName[], change: (page: Page) => unknown): void =>
  around(service, 'page', (was, items, meta, query) =>
    names.includes(query.listing.name) ? change({ items, meta }) : was(items, meta, query),
  );
/** Answers errors of a status with a body of a gateway or a framework. */
const inWordsOf = (service: Service, status: number, when: (call: Call) => boolean, body: (problem: Problem) => unknown): void =>
  around(service, 'fail', (was, thrown, call) => {
    const answer = was(thrown, call);
    return thrown instanceof Problem && thrown.status === status && when(call) ? { ...answer, body: body(thrown) } : answer;
  });

const texts: Fault[] = [
  json('raw-line-breaks', 'line breaks in texts are not escaped in the JSON', (s) =>
    written(
      s,
      () => true,
      (text) => text.replaceAll('\\n', '\n'),
    ),
  ),
  json('rule-errors-without-body', 'a 422 has no body', (s) =>
    written(
      s,
      (status) => status === 422,
      () => undefined,
    ),
  ),
  json('wrong-method-page', 'a method that a path does not have is answered with an HTML page', (s) =>
    written(
      s,
      (status, call) => status >= 400 && (call.method === 'PUT' || (call.method === 'PATCH' && call.path === '/projects')),
      () => '<html><body>Method Not Allowed</body></html>',
    ),
  ),
];

const shapes: Fault[] = [
  single('profile-under-user', 'GET /users/me answers { user } for { data }', (s) =>
    answers(s, ['readMe'], (answer) => ({ ...answer, body: { user: (answer.body as Fields).data } })),
  ),
  single('created-project-bare', 'POST /projects answers the bare project', (s) =>
    answers(s, ['createProject'], (answer) => ({ ...answer, body: (answer.body as Fields).data })),
  ),
  clause(144, '`data` = updated project')('changed-project-message', 'PATCH of a project answers a message alone', (s) =>
    answers(s, ['changeProject'], (answer) => ({ ...answer, body: { message: 'Project updated' } })),
  ),
  rows('project-tasks-under-results', 'the tasks of a project are under results', (s) =>
    answers(s, ['listProjectTasks'], (answer) => {
      const { items, meta } = answer.body as Page;
      return { ...answer, body: { results: items, meta } };
    }),
  ),
  rows('one-row-is-no-array', 'a list of tasks with one row has the row itself as items', (s) =>
    paged(s, ['task'], ({ items, meta }) => ({ items: items.length === 1 ? items[0] : items, meta })),
  ),
  rows('teams-without-meta', 'the list of teams has no meta', (s) => paged(s, ['team'], ({ items }) => ({ items }))),
  rows('members-inside-data', 'the member list is inside data', (s) => paged(s, ['member'], (page) => ({ data: page }))),
  rows('meta-null-when-empty', 'an empty list has meta null', (s) =>
    paged(s, ['project', 'task', 'team', 'comment'], ({ items, meta }) => ({ items, meta: items.length > 0 ? meta : null })),
  ),
  error('gateway-401', 'the gateway answers a missing key as { message }', (s) =>
    inWordsOf(
      s,
      401,
      (call) => !call.headers.has('authorization'),
      () => ({ message: 'Unauthorized' }),
    ),
  ),
  error('webhook-errors-flat', 'errors of POST /webhooks have code and message at the top level', (s) =>
    inWordsOf(
      s,
      400,
      (call) => isOn(call, 'createWebhook'),
      ({ code, message }) => ({ code, message }),
    ),
  ),
];

const statuses: Fault[] = [
  codes('delete-team-200-object', 'DELETE of a team answers 200 with an empty object', (s) =>
    answers(s, ['deleteTeam'], () => ({ status: 200, body: {}, headers: {} })),
  ),
  codes('create-task-303', 'POST of a task answers 303 to the task, with no body', (s) =>
    answers(s, ['createTask'], (answer) => ({
      status: 303,
      headers: { Location: `/v1/tasks/${(answer.body as { data: Fields }).data.id}` },
    })),
  ),
  created('create-task-id-only', 'POST of a task answers its id alone', (s) => dataOf(s, ['createTask'], ({ id }) => ({ id }))),
  created('create-project-as-sent', 'POST /projects answers the id and what was sent, without defaults', (s) =>
    dataOf(s, ['createProject'], ({ id, created_at, updated_at }, call) => ({ id, ...sent(call), created_at, updated_at })),
  ),
];

export const faults: readonly Fault[] = [...texts, ...shapes, ...statuses];

// Faults of envelopes, statuses, fields, defaults and timestamps.
import { type Mutant, mutant } from '../mutant.ts';
import { after, before, both, good, is, isList, type Loose, ok, rows } from '../wrap.ts';

const single = both(ok, (call, answer) => !isList(call) && answer.json?.data !== undefined);
const everyRow = (names: readonly string[], value: (old: Loose) => Loose) =>
  after(ok, (answer) => {
    for (const row of rows(answer)) for (const name of names) if (name in row) row[name] = value(row[name]);
  });
const set = (test: ReturnType<typeof good>, change: (data: Loose, sent: Loose) => void) =>
  after(
    both(test, (_c, a) => a.json?.data),
    (answer, call) => change(answer.json.data, call.body ?? {}),
  );
const dropFromRequest = (call: string, name: string) =>
  before(
    (seen) =>
      is(call)(seen) && seen.body && typeof seen.body === 'object' && name in seen.body && typeof seen.body[name] === 'string',
    ({ body: { [name]: _gone, ...body } }) => ({ body }),
  );
const PROJECT = ['GET /projects/*', 'POST /projects', 'PATCH /projects/*'];
const listed = (call: string, change: (row: Loose) => void) => after(good(call), (answer) => answer.json.items.forEach(change));

/** Remembers the last state of each resource and answers it instead of the new one. */
const stalePatch = (path: string) => () => {
  return async (call: Loose, next: Loose) => {
    if (!is(`PATCH ${path}`)(call)) return next(call);
    const old = await next({ ...call, method: 'GET', body: undefined, raw: undefined });
    const answer = await next(call);
    return answer.status < 300 && old.status === 200 ? { ...answer, json: old.json } : answer;
  };
};

/** Answers an update and takes it back. */
const forgetfulPatch = (path: string, name: string) => () => async (call: Loose, next: Loose) => {
  const update = is(`PATCH ${path}`)(call) && call.body?.[name] && call.body[name].length < 145;
  if (!update) return next(call);
  const old = await next({ ...call, method: 'GET', body: undefined, raw: undefined });
  const answer = await next(call);
  if (answer.status < 300 && old.status === 200) await next({ ...call, body: { [name]: old.json.data[name] } });
  return answer;
};

export const envelopeMutants: readonly Mutant[] = [
  mutant(
    1,
    'bare-single',
    'ENV-001',
    after(single, (a) => (a.json = a.json.data)),
  ),
  mutant(
    2,
    'list-under-data',
    'ENV-002',
    after(both(isList, ok), (a) => (a.json = { data: a.json.items, meta: a.json.meta })),
  ),
  mutant(
    3,
    'bare-list',
    'ENV-002 ENV-003',
    after(both(isList, ok), (a) => (a.json = a.json.items)),
  ),
  mutant(
    4,
    'no-meta-when-empty',
    'ENV-003',
    after(
      both(isList, ok, (_c, a) => a.json.items.length === 0),
      (a) => (a.json = { items: [] }),
    ),
  ),
  mutant(
    5,
    'post-project-200',
    'EP-002',
    after(good('POST /projects'), (a) => (a.status = 200)),
  ),
  mutant(
    6,
    'post-task-202',
    'EP-008',
    after(good('POST /projects/*/tasks'), (a) => (a.status = 202)),
  ),
  mutant(
    7,
    'post-team-200',
    'EP-016',
    after(good('POST /teams'), (a) => (a.status = 200)),
  ),
  mutant(
    8,
    'delete-project-200',
    'EP-005',
    after(good('DELETE /projects/*'), (a) =>
      Object.assign(a, { status: 200, json: {}, headers: { ...a.headers, 'content-type': 'application/json' } }),
    ),
  ),
  mutant(
    9,
    'delete-task-with-body',
    'GEN-002',
    after(good('DELETE /tasks/*'), (a) => (a.headers['content-length'] = '2')),
  ),
  mutant(
    10,
    'error-as-text',
    'GEN-001',
    after(
      (_c, a) => a.status === 404,
      (a) => Object.assign(a, { text: 'Not found', headers: { ...a.headers, 'content-type': 'text/plain' } }),
    ),
  ),
  mutant(
    11,
    'create-echoes',
    'PROJ-001 PROJ-009 PROJ-010',
    after(good('POST /projects'), (a, c) => (a.json = { data: c.body })),
  ),
  mutant(
    12,
    'read-differs-from-create',
    'ENV-005',
    set(good('GET /projects/*'), (data) => (data.name = `${data.name} `)),
  ),
  mutant(
    13,
    'read-lacks-created-at',
    'PROJ-009',
    set(good('GET /projects/*'), (data) => delete data.created_at),
  ),
  mutant(
    14,
    'patch-204',
    'EP-004',
    after(good('PATCH /projects/*'), (a) => Object.assign(a, { status: 204, json: undefined })),
  ),
  mutant(
    undefined,
    'patch-task-204',
    'EP-010',
    after(good('PATCH /tasks/*'), (a) => Object.assign(a, { status: 204, json: undefined })),
  ),
  mutant(15, 'patch-answers-the-old', 'EP-026', stalePatch('/projects/*')),
  mutant(undefined, 'patch-task-answers-the-old', 'EP-046', stalePatch('/tasks/*')),
  mutant(
    16,
    'default-visibility-team',
    'PROJ-006',
    before(is('POST /projects'), ({ body }) => ({
      body: body && typeof body === 'object' ? { visibility: 'team', ...body } : body,
    })),
  ),
  mutant(
    17,
    'default-priority-low',
    'TASK-009',
    before(
      (c) => is('POST /projects/*/tasks')(c) && c.body?.title,
      ({ body }) => ({ body: { priority: 'low', ...body } }),
    ),
  ),
  mutant(
    18,
    'default-status-todo',
    'TASK-011',
    before(
      (c) => is('POST /projects/*/tasks')(c) && c.body?.title,
      ({ body }) => ({ body: { status: 'todo', ...body } }),
    ),
  ),
  mutant(19, 'status-ignored-on-create', 'TASK-010', dropFromRequest('POST /projects/*/tasks', 'status')),
  mutant(20, 'priority-ignored-on-create', 'TASK-008', dropFromRequest('POST /projects/*/tasks', 'priority')),
  mutant(21, 'project-id-from-body', 'TASK-034', () => async (call, next) => {
    const moved = is('POST /projects/*/tasks')(call) && call.body?.project_id;
    return next(
      moved ? { ...call, path: `/projects/${call.body.project_id}/tasks`, body: { ...call.body, project_id: undefined } } : call,
    );
  }),
  mutant(22, 'client-id-adopted', 'PROJ-028', () => async (call, next) => {
    const wanted = is('POST /projects')(call) ? call.body?.id : undefined;
    const answer = await next(wanted ? { ...call, body: { name: call.body.name } } : call);
    if (wanted && answer.status < 300) answer.json.data.id = wanted;
    return answer;
  }),
  mutant(
    23,
    'project-updated-at-stays',
    'PROJ-011 GEN-017',
    everyRow(['updated_at'], () => '2030-01-07T08:00:00Z'),
  ),
  mutant(24, 'created-at-moves', 'PROJ-012', () => {
    let shift = 0;
    return async (call, next) => {
      const answer = await next(call);
      if (is('PATCH /projects/*')(call)) shift += 5000;
      for (const row of rows(answer))
        if (row.visibility && row.created_at) row.created_at = new Date(Date.parse(row.created_at) + shift).toISOString();
      return answer;
    };
  }),
  mutant(
    25,
    'epoch-timestamps',
    'GEN-007',
    everyRow(['created_at', 'updated_at'], (old) => Date.parse(old)),
  ),
  mutant(
    26,
    'local-timestamps',
    'GEN-008',
    everyRow(['created_at', 'updated_at'], (old) => new Date(Date.parse(old) + 7_200_000).toISOString()),
  ),
  mutant(
    undefined,
    'timestamps-without-zone',
    'GEN-013',
    everyRow(['created_at', 'updated_at'], (old) => new Date(old).toISOString().slice(0, -1)),
  ),
  mutant(
    undefined,
    'updated-at-of-a-new-task-is-old',
    'GEN-017',
    set(good('POST /projects/*/tasks'), (data) => (data.updated_at = '2001-01-01T00:00:00.000Z')),
  ),
  mutant(
    undefined,
    'project-patch-answers-old-updated-at',
    'EP-026',
    set(good('PATCH /projects/*'), (data) => (data.updated_at = data.created_at)),
  ),
  mutant(
    undefined,
    'task-patch-answers-old-updated-at',
    'EP-046',
    set(good('PATCH /tasks/*'), (data) => (data.updated_at = data.created_at)),
  ),
  mutant(27, 'patch-replaces', 'EP-025', () => async (call, next) => {
    const partial = is('PATCH /projects/*')(call) && call.body?.name && Object.keys(call.body).length === 1;
    return next(partial ? { ...call, body: { ...call.body, description: '', visibility: 'private' } } : call);
  }),
  mutant(28, 'patch-ignores-description', 'EP-024 EP-025', dropFromRequest('PATCH /projects/*', 'description')),
  mutant(29, 'patch-ignores-due-date', 'EP-043', dropFromRequest('PATCH /tasks/*', 'due_date')),
  mutant(undefined, 'patch-ignores-assignee', 'EP-042', dropFromRequest('PATCH /tasks/*', 'assignee_id')),
  mutant(undefined, 'patch-ignores-priority', 'EP-044', dropFromRequest('PATCH /tasks/*', 'priority')),
  mutant(undefined, 'patch-ignores-status', 'STATE-001', dropFromRequest('PATCH /tasks/*', 'status')),
  mutant(30, 'patch-not-kept', 'EP-027', forgetfulPatch('/projects/*', 'name')),
  mutant(
    32,
    'team-create-has-members',
    'TEAM-008',
    set(good('POST /teams'), (data) => Object.assign(data, { members: [], member_count: undefined })),
  ),
  mutant(
    33,
    'team-read-lacks-members',
    'TEAM-010',
    set(good('GET /teams/*'), (data) => delete data.members),
  ),
  mutant(
    34,
    'team-read-has-count',
    'TEAM-012',
    set(good('GET /teams/*'), (data) => (data.member_count = data.members.length)),
  ),
  mutant(
    35,
    'member-count-wrong',
    'TEAM-022',
    set(good('POST /teams'), (data) => data.member_count++),
  ),
  mutant(
    undefined,
    'listed-member-count-wrong',
    'TEAM-022',
    listed('GET /teams', (row) => (row.member_count = 0)),
  ),
  mutant(
    36,
    'profile-lacks-avatar',
    'USER-005',
    set(good('GET /users/me'), (data) => delete data.avatar_url),
  ),
  mutant(
    undefined,
    'profile-lacks-created-at',
    'USER-006',
    set(good('GET /users/me'), (data) => delete data.created_at),
  ),
  mutant(
    38,
    'members-lack-email',
    'USER-009',
    listed('GET /workspace/members', (row) => delete row.email),
  ),
  mutant(
    undefined,
    'team-list-lacks-count',
    'TEAM-009',
    listed('GET /teams', (row) => delete row.member_count),
  ),
  mutant(
    undefined,
    'comments-lack-author',
    'CMT-002',
    listed('GET /tasks/*/comments', (row) => delete row.author_id),
  ),
  mutant(
    undefined,
    'project-lacks-visibility',
    'PROJ-031',
    after(good(...PROJECT), (a) => delete a.json.data.visibility),
  ),
  mutant(
    192,
    'error-is-a-string',
    'ENV-004',
    after(
      (_c, a) => a.json?.error,
      (a) => (a.json = { error: 'not possible' }),
    ),
  ),
  mutant(
    193,
    'message-missing',
    'ERR-002',
    after(
      (_c, a) => a.json?.error,
      (a) => delete a.json.error.message,
    ),
  ),
  mutant(
    194,
    'details-an-array',
    'ERR-003',
    after(
      (_c, a) => a.json?.error,
      (a) => (a.json.error.details = []),
    ),
  ),
  mutant(
    undefined,
    'details-null',
    'ERR-003',
    after(
      (_c, a) => a.json?.error,
      (a) => (a.json.error.details = null),
    ),
  ),
  mutant(
    195,
    'error-status-differs',
    'ERR-007',
    after(
      (_c, a) => a.json?.error,
      (a) => (a.json.error.status = 200),
    ),
  ),
  mutant(undefined, 'task-patch-not-kept', 'EP-047', forgetfulPatch('/tasks/*', 'title')),
];

// Authentication, errors, resources and limits as the spec has them, in memory and over a socket.
import { expect, test } from 'vitest';
import { OPERATION_IDS, operation } from '../contract/operations.ts';
import { describeMatrix } from '../test/matrix.ts';

const fieldsOf = (body: { error: { details: { fields?: { field: string }[] } } }) =>
  (body.error.details.fields ?? []).map(({ field }) => field);

describeMatrix('authentication', (start) => {
  test.each([
    ['no header', {}],
    ['no Bearer prefix', { authorization: 'wm_tiny_admin' }],
    ['another scheme', { authorization: 'Basic d206dGlueQ==' }],
    ['no key', { authorization: 'Bearer' }],
    ['an unknown key', { authorization: 'Bearer wm_nobody' }],
    ['two words', { authorization: 'Bearer wm_tiny_admin x' }],
  ])('%s is 401 unauthorized, at known and unknown paths, and uses up no budget', async (_, headers) => {
    const { call } = await start();
    for (const path of ['/tasks', '/nowhere']) {
      const { status, body } = await call('GET', path, { key: null, headers });
      expect([status, body.error.code]).toEqual([401, 'unauthorized']);
    }
    expect((await call('GET', '/tasks')).headers.get('x-ratelimit-remaining')).toBe('999');
  });

  test('a read key reads and does no more; a write key writes; an admin key does all that write does', async () => {
    const { call } = await start();
    const writes: [string, string, unknown][] = [
      ['POST', '/projects', { name: 'A' }],
      ['PATCH', '/projects/proj_one', { name: 'B' }],
      ['POST', '/projects/proj_one/tasks', { title: 'C' }],
      ['PATCH', '/tasks/task_dated', { title: 'D' }],
      ['POST', '/teams', { name: 'E' }],
      ['POST', '/webhooks', { url: 'https://a.example/x' }],
      ['DELETE', '/teams/team_core', undefined],
      ['DELETE', '/tasks/task_dated', undefined],
      ['DELETE', '/projects/proj_one', undefined],
    ];
    const before = await call('GET', '/tasks');
    for (const [method, path, body] of writes) {
      const refused = await call(method, path, { body, key: 'wm_tiny_read' });
      expect([refused.status, refused.body.error.code], path).toEqual([403, 'forbidden']);
    }
    expect((await call('GET', '/tasks')).text).toBe(before.text);
    for (const [method, path, body] of writes)
      expect((await call(method, path, { body, key: 'wm_tiny_write' })).status, path).toBeLessThan(300);
  });

  test('the profile is that of the user of the key', async () => {
    const { call } = await start();
    const { body } = await call('GET', '/users/me', { key: 'wm_tiny_read' });
    expect(Object.keys(body.data)).toEqual(['id', 'name', 'email', 'role', 'avatar_url', 'created_at']);
    expect(body.data.id).toBe('user_bo');
  });
});

describeMatrix('a body', (start) => {
  test('is refused with every failing field named, and nothing has changed', async () => {
    const { call } = await start();
    const before = (await call('GET', '/tasks/task_talked')).text;
    const wrong = { title: '', description: 5, assignee_id: 'team_core', due_date: 'tomorrow', priority: 'asap', status: null };
    for (const [method, path] of [
      ['POST', '/projects/proj_one/tasks'],
      ['PATCH', '/tasks/task_talked'],
    ] as const) {
      const { status, body } = await call(method, path, { body: wrong });
      expect(status).toBe(400);
      expect(fieldsOf(body).sort()).toEqual(Object.keys(wrong).sort());
    }
    expect((await call('GET', '/tasks/task_talked')).text).toBe(before);
    expect((await call('GET', '/tasks')).body.meta.total).toBe(2);
  });

  test.each([
    ['/projects', 'name', 150],
    ['/projects/proj_one/tasks', 'title', 255],
    ['/teams', 'name', 100],
  ])('of POST %s takes a %s of 1 to %i code points', async (path, field, most) => {
    const { call } = await start();
    for (const character of ['x', 'é', '😀']) {
      const fits = await call('POST', path, { body: { [field]: character.repeat(most) } });
      expect(fits.status, fits.text).toBe(201);
      expect(fits.body.data[field]).toBe(character.repeat(most));
      const tooLong = await call('POST', path, { body: { [field]: character.repeat(most + 1) } });
      expect([tooLong.status, fieldsOf(tooLong.body)]).toEqual([422, [field]]);
    }
    expect((await call('POST', path, { body: { [field]: '' } })).status).toBe(422);
    expect((await call('POST', path, { body: { [field]: 'y' } })).status).toBe(201);
    expect((await call('POST', path, { body: {} })).status).toBe(400);
    expect((await call('POST', path, { body: { [field]: 5 } })).status).toBe(400);
    expect((await call('POST', path, { body: { [field]: null } })).status).toBe(400);
  });

  test('may have a charset, and fields that nobody knows or may set, which are never adopted', async () => {
    const { call } = await start();
    const body = {
      title: 'A',
      id: 'task_mine',
      project_id: 'proj_no',
      created_at: '2001-01-01T00:00:00Z',
      __proto__: null,
      extra: 1,
    };
    const made = await call('POST', '/projects/proj_one/tasks', {
      body,
      headers: { 'content-type': 'application/json; charset=utf-8' },
    });
    expect(made.status).toBe(201);
    expect(made.body.data).toMatchObject({ project_id: 'proj_one', created_at: '2025-01-20T09:00:00.000Z' });
    expect(made.body.data.id).not.toBe('task_mine');
    expect(made.body.data).not.toHaveProperty('extra');
  });

  test.each([
    ['2025-02-01T12:00:00Z', '2025-02-01T12:00:00.000Z'],
    ['2025-02-01T12:00:00.5+02:00', '2025-02-01T10:00:00.500Z'],
    ['1999-12-31T23:59:59-05:00', '2000-01-01T04:59:59.000Z'],
    ['2025-02-30T12:00:00Z', undefined],
    ['2025-02-01', undefined],
    ['tomorrow', undefined],
    ['', undefined],
    ['2025-02-01T12:00:00', undefined],
    ['2025-13-01T12:00:00Z', undefined],
  ])('with due_date %s reads it as %s', async (given, expected) => {
    const { call } = await start();
    const { status, body } = await call('POST', '/projects/proj_one/tasks', { body: { title: 'A', due_date: given } });
    if (expected) expect([status, body.data.due_date]).toEqual([201, expected]);
    else expect([status, fieldsOf(body)]).toEqual([422, ['due_date']]);
  });
});

describeMatrix('a project', (start) => {
  test('has its defaults, keeps what a PATCH leaves out, and moves updated_at only when something changes', async () => {
    const { call, mock } = await start();
    const made = await call('POST', '/projects', { body: { name: 'A' } });
    expect(made.body.data).toMatchObject({
      name: 'A',
      description: null,
      visibility: 'private',
      created_at: '2025-01-20T09:00:00.000Z',
    });
    expect(Object.keys(made.body.data)).toEqual(['id', 'name', 'description', 'visibility', 'created_at', 'updated_at']);
    const path = `/projects/${made.body.data.id}`;
    mock.world.clock.set(mock.world.clock.now() + 5000);
    for (const body of [{}, { name: 'A' }, { description: null }]) {
      expect((await call('PATCH', path, { body })).body.data).toEqual(made.body.data);
    }
    const patched = await call('PATCH', path, { body: { description: 'B' } });
    expect(patched.status).toBe(200);
    expect(patched.body.data).toEqual({ ...made.body.data, description: 'B', updated_at: '2025-01-20T09:00:05.000Z' });
    expect((await call('GET', path)).body).toEqual(patched.body);
    expect((await call('PATCH', path, { body: { description: null } })).body.data.description).toBeNull();
  });

  test('never moves updated_at back, though the clock is set back', async () => {
    const { call, mock } = await start();
    const { data } = (await call('POST', '/projects', { body: { name: 'A' } })).body;
    mock.world.clock.set(mock.world.clock.now() - 5000);
    const patched = await call('PATCH', `/projects/${data.id}`, { body: { name: 'B' } });
    expect(patched.body.data).toEqual({ ...data, name: 'B' });
  });

  test('takes its tasks and their comments with it when it is deleted', async () => {
    const { call } = await start();
    expect((await call('DELETE', '/projects/proj_one')).status).toBe(204);
    for (const path of ['/projects/proj_one', '/projects/proj_one/tasks', '/tasks/task_talked', '/tasks/task_talked/comments']) {
      expect((await call('GET', path)).status, path).toBe(404);
    }
    expect((await call('GET', '/tasks')).body.meta.total).toBe(0);
    expect((await call('DELETE', '/projects/proj_one')).status).toBe(404);
  });
});

describeMatrix('a task', (start) => {
  test('has its defaults and any status may follow any other', async () => {
    const { call } = await start();
    const made = await call('POST', '/projects/proj_one/tasks', { body: { title: 'A' } });
    const { id, created_at, updated_at, ...rest } = made.body.data;
    expect(rest).toMatchObject({
      project_id: 'proj_one',
      title: 'A',
      description: null,
      assignee_id: null,
      due_date: null,
      priority: 'medium',
      status: 'backlog',
    });
    expect([id.slice(0, 5), created_at]).toEqual(['task_', updated_at]);
    const statuses = ['done', 'backlog', 'in_review', 'todo', 'in_progress', 'done', 'todo'];
    for (const status of statuses)
      expect((await call('PATCH', `/tasks/${id}`, { body: { status } })).body.data.status).toBe(status);
  });

  test('is assigned to a member of the workspace, not to a team or a stranger, and can be unassigned', async () => {
    const { call } = await start();
    for (const assignee_id of ['team_core', 'user_nobody', 'proj_one', '']) {
      const { status, body } = await call('PATCH', '/tasks/task_dated', { body: { assignee_id } });
      expect([status, fieldsOf(body)], assignee_id).toEqual([422, ['assignee_id']]);
    }
    expect((await call('PATCH', '/tasks/task_dated', { body: { assignee_id: 'user_ada' } })).body.data.assignee_id).toBe(
      'user_ada',
    );
    expect((await call('PATCH', '/tasks/task_dated', { body: { assignee_id: null } })).body.data.assignee_id).toBeNull();
  });

  test('takes its comments with it when it is deleted', async () => {
    const { call } = await start();
    expect((await call('GET', '/tasks/task_talked/comments')).body.items).toEqual([
      { id: 'cmt_hello', author_id: 'user_ada', body: 'Hello', created_at: '2025-01-19T09:00:00.000Z' },
    ]);
    await call('DELETE', '/tasks/task_talked');
    expect((await call('GET', '/tasks/task_talked/comments')).status).toBe(404);
    expect((await call('DELETE', '/tasks/task_talked')).status).toBe(404);
  });
});

describeMatrix('a team', (start) => {
  test('shows its number when created and listed, its members when read', async () => {
    const { call } = await start();
    const made = await call('POST', '/teams', { body: { name: 'Two', member_ids: ['user_bo', 'user_ada', 'user_bo'] } });
    expect(Object.keys(made.body.data)).toEqual(['id', 'name', 'member_count', 'created_at', 'updated_at']);
    expect(made.body.data.member_count).toBe(2);
    const { body } = await call('GET', `/teams/${made.body.data.id}`);
    expect(body.data.members).toEqual([
      { id: 'user_bo', name: 'Bo Brandt', role: 'member' },
      { id: 'user_ada', name: 'Ada Adair', role: 'admin' },
    ]);
    expect(body.data).not.toHaveProperty('member_count');
  });

  test('has a name that is unique in the workspace and free again after deletion; members and tasks stay', async () => {
    const { call } = await start();
    const taken = await call('POST', '/teams', { body: { name: 'Core' } });
    expect([taken.status, taken.body.error.code]).toEqual([409, 'conflict']);
    expect((await call('POST', '/teams', { body: { name: 'core' } })).status).toBe(201);
    const tasks = (await call('GET', '/tasks')).text;
    expect((await call('DELETE', '/teams/team_core')).status).toBe(204);
    expect((await call('GET', '/workspace/members')).body.meta.total).toBe(2);
    expect((await call('GET', '/tasks')).text).toBe(tasks);
    expect((await call('POST', '/teams', { body: { name: 'Core' } })).status).toBe(201);
  });

  test('has members of the workspace alone', async () => {
    const { call } = await start();
    const { status, body } = await call('POST', '/teams', { body: { name: 'X', member_ids: ['user_ada', 'user_no'] } });
    expect([status, fieldsOf(body)]).toEqual([422, ['member_ids']]);
    expect((await call('POST', '/teams', { body: { name: 'X', member_ids: 'user_ada' } })).status).toBe(400);
    expect((await call('POST', '/teams', { body: { name: 'X', member_ids: [5] } })).status).toBe(400);
  });
});

describeMatrix('another workspace', (start) => {
  test('is not there: its records are 404 for reads and writes and in no list, its names are free, its budget is its own', async () => {
    const { call } = await start({ seed: 'fixtures/demo.yaml', plan: 'business' });
    const acme = 'wm_acme_admin';
    const globex = 'wm_globex_admin';
    const [project] = (await call('GET', '/projects', { key: acme })).body.items;
    const [task] = (await call('GET', '/tasks', { key: acme })).body.items;
    const [team] = (await call('GET', '/teams', { key: acme })).body.items;
    const [member] = (await call('GET', '/workspace/members', { key: acme })).body.items;
    for (const [method, path, body] of [
      ['GET', `/projects/${project.id}`],
      ['PATCH', `/projects/${project.id}`, { name: 'Mine' }],
      ['DELETE', `/projects/${project.id}`],
      ['GET', `/projects/${project.id}/tasks`],
      ['POST', `/projects/${project.id}/tasks`, { title: 'Mine' }],
      ['GET', `/tasks/${task.id}`],
      ['PATCH', `/tasks/${task.id}`, { title: 'Mine' }],
      ['DELETE', `/tasks/${task.id}`],
      ['GET', `/tasks/${task.id}/comments`],
      ['GET', `/teams/${team.id}`],
      ['DELETE', `/teams/${team.id}`],
    ] as const) {
      const answer = await call(method, path, { key: globex, ...(body ? { body } : {}) });
      expect([answer.status, answer.body.error.code], `${method} ${path}`).toEqual([404, 'not_found']);
    }
    expect((await call('GET', `/tasks/${task.id}`, { key: acme })).body.data).toEqual(task);
    const mine = (await call('GET', '/projects', { key: globex })).body.items[0];
    const assigned = await call('POST', `/projects/${mine.id}/tasks`, {
      key: globex,
      body: { title: 'A', assignee_id: member.id },
    });
    expect(assigned.status).toBe(422);
    expect((await call('POST', '/teams', { key: globex, body: { name: team.name } })).status).toBe(201);
    const remaining = async (key: string) =>
      Number((await call('GET', '/users/me', { key })).headers.get('x-ratelimit-remaining'));
    const before = await remaining(globex);
    await remaining(acme);
    expect(await remaining(globex)).toBe(before - 1);
  });

  test('a revoked key is 401', async () => {
    const { call } = await start({ seed: 'fixtures/demo.yaml' });
    expect((await call('GET', '/tasks', { key: 'wm_acme_old' })).status).toBe(401);
  });
});

describeMatrix('the rate limit', (start) => {
  test('lets request N of N pass, refuses N + 1 with 429, and opens at Reset', async () => {
    const { call, mock } = await start({ plan: 'free' });
    for (let left = 59; left >= 0; left--) {
      const { status, headers } = await call('GET', left % 2 ? '/users/me' : '/tasks/none');
      expect(status).toBe(left % 2 ? 200 : 404);
      expect([headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')]).toEqual(['60', String(left)]);
    }
    const refused = await call('POST', '/projects', { body: { name: 'No' } });
    expect([refused.status, refused.body.error.code]).toEqual([429, 'rate_limit_exceeded']);
    expect(refused.headers.get('x-ratelimit-remaining')).toBe('0');
    const reset = Number(refused.headers.get('x-ratelimit-reset'));
    expect(reset - mock.world.clock.now() / 1000).toBe(60);
    expect(refused.headers.get('retry-after')).toBe('60');
    mock.world.clock.set(reset * 1000 - 1);
    expect((await call('GET', '/users/me')).status).toBe(429);
    mock.world.clock.set(reset * 1000);
    const open = await call('GET', '/projects');
    expect([open.status, open.headers.get('x-ratelimit-remaining'), open.body.meta.total]).toEqual([200, '59', 1]);
  });

  test('shows its headers to pages of any origin, and answers their preflight', async () => {
    const { mock } = await start();
    const preflight = await mock.fetch('/tasks', {
      method: 'OPTIONS',
      headers: {
        origin: 'https://app.test',
        'access-control-request-method': 'PATCH',
        'access-control-request-headers': 'authorization,content-type',
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
    expect(preflight.headers.get('access-control-allow-methods')).toContain('PATCH');
    const answer = await mock.fetch('/tasks', { headers: { ...mock.auth('read'), origin: 'https://app.test' } });
    expect(answer.headers.get('access-control-expose-headers')).toContain('X-RateLimit-Remaining');
  });
});

/** Each path of the table with each method that it does not have. */
const PATHS = [...new Set(OPERATION_IDS.map((id) => operation(id).path))];
const UNDOCUMENTED: readonly (readonly [string, string])[] = PATHS.flatMap((path) => {
  const known = OPERATION_IDS.map(operation).flatMap((row) => (row.path === path ? [row.method as string] : []));
  const named = path.replace('{project_id}', 'proj_one').replace('{task_id}', 'task_talked').replace('{team_id}', 'team_core');
  return ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].flatMap((method) =>
    known.includes(method) ? [] : [[method, named] as const],
  );
});

describeMatrix('an undocumented method or path', (start) => {
  test.each<readonly [string, string]>([
    ...UNDOCUMENTED,
    ['DELETE', '/webhooks/wh_one'],
    ['GET', '/tasks/'],
    ['GET', '/projects/proj_one%2Ftasks'],
    ['GET', '/../v1/tasks/none'],
  ])('%s %s is 404 not_found once the key is known, 401 before', async (method, path) => {
    const { call } = await start();
    const known = await call(method, path);
    expect([known.status, known.body.error.code]).toEqual([404, 'not_found']);
    expect((await call(method, path, { key: null })).status).toBe(401);
  });
});

describeMatrix('a silence of the spec', (start) => {
  test('visibility restricts no key of the workspace: private projects are read, filtered and changed', async () => {
    const { call } = await start();
    const made = await call('POST', '/projects', { body: { name: 'Secret' }, key: 'wm_tiny_admin' });
    const { id } = made.body.data;
    expect((await call('GET', `/projects/${id}`, { key: 'wm_tiny_read' })).body.data.visibility).toBe('private');
    expect((await call('PATCH', `/projects/${id}`, { body: { name: 'B' }, key: 'wm_tiny_write' })).status).toBe(200);
  });

  test('there is no answer without a key, whatever the visibility', async () => {
    const { call } = await start();
    await call('PATCH', '/projects/proj_one', { body: { visibility: 'public' } });
    expect((await call('GET', '/projects/proj_one', { key: null })).status).toBe(401);
  });

  test('a due date in the past is accepted', async () => {
    const { call } = await start();
    expect((await call('PATCH', '/tasks/task_dated', { body: { due_date: '1999-01-01T00:00:00Z' } })).status).toBe(200);
  });

  test('scope alone decides what a key may do, the role of its user is only shown', async () => {
    const { call } = await start();
    expect((await call('GET', '/users/me', { key: 'wm_tiny_write' })).body.data.role).toBe('member');
    expect((await call('POST', '/projects', { body: { name: 'A' }, key: 'wm_tiny_write' })).status).toBe(201);
  });

  test('checks come in one order: key, budget, route, scope, record, structure, rules, conflict', async () => {
    const { call } = await start();
    const status = async (method: string, path: string, key: string | null, body?: unknown) =>
      (await call(method, path, { key, ...(body ? { body } : {}) })).status;
    expect(await status('GET', '/nowhere', null)).toBe(401);
    expect(await status('POST', '/nowhere', 'wm_tiny_read', { name: 1 })).toBe(404);
    expect(await status('PATCH', '/tasks/none', 'wm_tiny_read', { title: 1 })).toBe(403);
    expect(await status('PATCH', '/tasks/none', 'wm_tiny_write', { title: 1 })).toBe(404);
    expect(await status('POST', '/teams', 'wm_tiny_write', { name: 'Core', member_ids: 5 })).toBe(400);
    expect(await status('POST', '/teams', 'wm_tiny_write', { name: 'Core', member_ids: ['user_no'] })).toBe(422);
    expect(await status('POST', '/teams', 'wm_tiny_write', { name: 'Core' })).toBe(409);
  });

  test.each(['  ', 'a\u0000b', '<img src=x onerror=alert(1)>', '"\\/\b\f\n\r\t', 'e\u0301', '👩‍👩‍👧', 'שלום', '\u2028'])(
    'text comes back as it was sent: %j',
    async (title) => {
      const { call } = await start();
      const made = await call('POST', '/projects/proj_one/tasks', { body: { title, description: title } });
      expect(made.body.data).toMatchObject({ title, description: title });
      const found = (await call('GET', '/projects/proj_one/tasks?sort=-created_at')).body.items[0];
      expect(found.title).toBe(title);
    },
  );

  test('a call without /v1 is no part of the service', async () => {
    const { mock } = await start();
    expect((await mock.app.request('/tasks')).status).toBe(401);
    expect((await mock.app.request('/tasks', { headers: mock.auth('read') })).status).toBe(404);
  });

  test('the mock speaks plain HTTP on loopback', async () => {
    const { mock } = await start();
    const server = await mock.listen();
    expect(server.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1$/);
  });
});

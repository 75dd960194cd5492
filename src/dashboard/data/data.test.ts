// The data page without a browser: lists as the service has them, records made, changed and deleted by forms, mistakes shown at their fields.
import { describe, expect, test } from 'vitest';
import type { MockOptions } from '../../node/index.ts';
import { dashboards } from '../../test/dashboard.ts';

const open = dashboards();
const start = async (options?: MockOptions) => {
  const bench = await open(options);
  const read = async (path: string) => (await bench.mock.fetch(path, { headers: bench.mock.auth('read') })).json();
  return { ...bench, read };
};
const rowsOf = (text: string): string[] =>
  [...text.matchAll(/<tr data-row="([^"]*)"/g)].map(([, id]) => id!).filter((id) => !id.endsWith(' open'));
const linkOf = (text: string, words: RegExp): string => {
  const link = [...text.matchAll(/<a [^>]*href="([^"]*)"[^>]*>([\s\S]*?)<\/a>/g)].find(([whole]) => words.test(whole));
  return link![1]!.replaceAll('&amp;', '&');
};
const TASKS = '/dashboard/data/tasks';

describe('a list', () => {
  test('is that of the service: same filters, same sort, same pages by cursor', async () => {
    const { get, read } = await start();
    const query = 'filter[status]=todo&sort=title&limit=4';
    const first = await get(`${TASKS}?${query}`);
    const { items, meta } = await read(`/tasks?${query}`);
    expect(rowsOf(first.text)).toEqual(items.map(({ id }: { id: string }) => id));
    expect(first.text).toContain(`1–4 of ${meta.total}`);
    const second = await get(linkOf(first.text, /rel="next"/));
    const next = await read(`/tasks?${query}&cursor=${meta.next_cursor}`);
    expect(rowsOf(second.text)).toEqual(next.items.map(({ id }: { id: string }) => id));
    expect(second.text).toContain(`5–8 of ${meta.total}`);
    expect(rowsOf((await get(linkOf(second.text, /First page/))).text)).toEqual(rowsOf(first.text));
  });

  test('is turned round by its heads', async () => {
    const { get } = await start();
    const newest = await get('/dashboard/data/projects');
    const oldest = await get(linkOf(newest.text, /Created/));
    expect(rowsOf(oldest.text)).toEqual(rowsOf(newest.text).reverse());
  });

  test('shows one workspace, the one that is asked for', async () => {
    const { get } = await start();
    const [acme, globex] = [await get('/dashboard/data/projects'), await get('/dashboard/data/projects?workspace=ws_globex')];
    expect(rowsOf(acme.text)).toHaveLength(5);
    expect(rowsOf(globex.text)).toHaveLength(2);
    expect(acme.text).not.toContain(rowsOf(globex.text)[0]!);
    expect(rowsOf((await get(`${TASKS}?id=${rowsOf(globex.text)[0]}`)).text)).toEqual([]);
  });

  test('says what is wrong with an address, and where there is nothing what to do', async () => {
    const { get } = await start({ now: '2025-01-20T09:00:00Z' });
    expect((await get(`${TASKS}?cursor=broken`)).text).toContain('cursor must be the next_cursor');
    expect((await get(`${TASKS}?limit=1000`)).text).toContain('limit must be from 1 to 100');
    for (const name of ['projects', 'tasks', 'teams', 'comments']) {
      const { status, text } = await get(`/dashboard/data/${name}`);
      expect([status, text.includes('curl -X POST')], name).toEqual([200, true]);
    }
    expect((await get('/dashboard/data/keys')).status).toBe(404);
  });

  test.each(['1.0', '1.1', '1.2'] as const)('goes by cursor at release %s too, which may have none', async (release) => {
    const { get } = await start({ seed: 'fixtures/demo.yaml', now: '2025-01-20T09:00:00Z', release });
    const { text } = await get(`${TASKS}?limit=5&filter[priority]=high`);
    const next = await get(linkOf(text, /rel="next"/));
    expect(rowsOf(next.text)).toHaveLength(5);
    expect(rowsOf(next.text)).not.toContain(rowsOf(text)[0]);
    expect((await get('/dashboard/data/teams')).status).toBe(200);
  });
});

describe('the largest page that there can be', () => {
  const LONG = `"<&'`;
  const fill = (length: number) => LONG.repeat(length).slice(0, length);
  test('is below 200 kB, whatever its hundred records say', async () => {
    const users = [{ id: 'user_a', name: fill(900), email: 'a@x.test', role: 'admin' }];
    const comments = Array.from({ length: 100 }, () => ({ author_id: 'user_a', body: fill(90_000) }));
    const tasks = Array.from({ length: 100 }, (_, i) => ({
      id: `task_${i}`,
      title: fill(255),
      description: fill(10_000),
      assignee_id: 'user_a',
      due_date: '+1d',
      ...(i === 0 ? { comments } : {}),
    }));
    const workspaces = [
      {
        id: 'ws_a',
        name: fill(500),
        users,
        api_keys: [{ value: 'wm_a_admin', name: fill(500), scope: 'admin', user_id: 'user_a' }],
        projects: Array.from({ length: 100 }, (_, i) => ({
          id: `proj_${i}`,
          name: fill(150),
          description: fill(1000),
          ...(i === 0 ? { tasks } : {}),
        })),
        teams: Array.from({ length: 100 }, (_, i) => ({ name: `${i} ${fill(90)}`, member_ids: ['user_a'] })),
      },
    ];
    const { get } = await start({ seed: { workspaces } });
    for (const path of [
      '/',
      '/dashboard/settings',
      ...['projects', 'tasks', 'users', 'teams', 'comments'].map((name) => `/dashboard/data/${name}?limit=100`),
      `${TASKS}?limit=50&open=task_0`,
      `${TASKS}?limit=50&new=1`,
      '/dashboard/data/projects?limit=100&open=proj_0',
    ]) {
      const { status, text } = await get(path);
      expect([path, status]).toEqual([path, 200]);
      expect(text.length, path).toBeLessThan(200_000);
    }
    const [comment] = rowsOf((await get('/dashboard/data/comments?limit=1')).text);
    expect((await get(`/dashboard/data/comments?id=${comment}`)).text.length).toBeLessThan(200_000);
  });
});

describe('a record', () => {
  test('is created, opened, changed and deleted, as the service would', async () => {
    const { act, read, get, mock } = await start();
    const project = 'proj_launch';
    const made = await act(`${TASKS}?new=1`, {
      do: 'create',
      title: 'From the dashboard',
      project_id: project,
      status: 'todo',
      priority: 'high',
      assignee_id: 'user_ada',
      due_date: '2025-02-01T17:00:00+01:00',
      description: '',
    });
    expect(made.text).toContain('is created.');
    const [id] = rowsOf(made.text);
    const { data } = await read(`/tasks/${id}`);
    expect(data).toMatchObject({ title: 'From the dashboard', project_id: project, assignee_id: 'user_ada', description: null });
    expect(data.due_date).toBe('2025-02-01T16:00:00.000Z');
    expect((await get(`${TASKS}?open=${id}`)).text).toContain('value="2025-02-01T16:00:00.000Z"');
    await mock.clock.advance('1h');
    const shown = Object.fromEntries(Object.entries(data).map(([name, value]) => [name, value ?? '']));
    const fields = { ...shown, do: 'update', id: id!, title: 'Changed', assignee_id: '', description: 'Two\r\nlines' };
    expect((await act(`${TASKS}?open=${id}`, fields)).text).toContain(`${id} is updated.`);
    expect((await read(`/tasks/${id}`)).data).toEqual({
      ...data,
      title: 'Changed',
      assignee_id: null,
      description: 'Two\nlines',
      updated_at: '2025-01-20T10:00:00.000Z',
    });
    expect((await act(`${TASKS}?open=${id}`, { do: 'delete', id: id! })).text).toContain(`${id} is deleted.`);
    expect((await mock.fetch(`/tasks/${id}`, { headers: mock.auth('read') })).status).toBe(404);
    expect(mock.deliveries.map(({ event }) => event.event)).toEqual(
      expect.arrayContaining(['task.created', 'task.updated', 'task.deleted']),
    );
  });

  test('of every other kind is created and deleted as well', async () => {
    const { act, read, mock } = await start();
    const idOf = (text: string) => /class="strong">(\S+) is/.exec(text)![1]!;
    const project = idOf(
      (await act('/dashboard/data/projects', { do: 'create', name: 'P', visibility: 'team', description: 'D' })).text,
    );
    expect((await read(`/projects/${project}`)).data).toMatchObject({ name: 'P', visibility: 'team', description: 'D' });
    expect(mock.world.store.projects.get(project)?.value.owner_id).toBe('user_ada');
    await act('/dashboard/data/projects', { do: 'update', id: project, name: 'Q', visibility: 'team', description: '' });
    expect((await read(`/projects/${project}`)).data).toMatchObject({ name: 'Q', description: null });
    await act('/dashboard/data/projects', { do: 'delete', id: project });
    const team = idOf(
      (await act('/dashboard/data/teams', { do: 'create', name: 'T', member_ids: ['user_ada', 'user_wen'] })).text,
    );
    expect((await read(`/teams/${team}`)).data.members).toHaveLength(2);
    await act('/dashboard/data/teams', { do: 'delete', id: team });
    const comment = idOf(
      (await act('/dashboard/data/comments', { do: 'create', task_id: 'task_launch_name', author_id: 'user_ada', body: 'Hi' }))
        .text,
    );
    expect((await read('/tasks/task_launch_name/comments')).items.at(-1)).toMatchObject({ id: comment, body: 'Hi' });
    await act('/dashboard/data/comments', { do: 'delete', id: comment });
    const user = idOf(
      (await act('/dashboard/data/users', { do: 'create', name: 'Cy', email: 'cy@acme.test', role: 'member' })).text,
    );
    await act('/dashboard/data/users', { do: 'join', id: user });
    expect((await read('/workspace/members')).items.map(({ id }: { id: string }) => id)).toContain(user);
    for (const [name, id] of [
      ['projects', project],
      ['teams', team],
      ['comments', comment],
    ] as const)
      expect(mock.world.store[name].get(id)).toBeUndefined();
  });

  test.each([
    ['tasks', { title: '', project_id: 'proj_launch' }, 'title', 'Title must not be empty.'],
    ['tasks', { title: 'x'.repeat(256), project_id: 'proj_launch' }, 'title', 'Title must be at most 255 characters.'],
    ['tasks', { title: 'x', project_id: 'proj_launch', due_date: 'tomorrow' }, 'due_date', 'Due must be an ISO 8601 datetime'],
    [
      'tasks',
      { title: 'x', project_id: 'proj_launch', assignee_id: 'user_nobody' },
      'assignee_id',
      'Assignee must be the id of a user',
    ],
    ['tasks', { title: 'x', project_id: 'proj_none' }, 'project_id', 'Project must be the id of a project'],
    ['projects', { name: '' }, 'name', 'Name must not be empty.'],
    ['teams', { name: 'Hardware' }, 'name', 'Name is already the name of a team'],
    ['users', { name: 'A', email: 'ada@acme.test', role: 'member' }, 'email', 'Email is already that of somebody'],
    ['users', { name: 'A', email: 'x', role: 'member' }, 'email', 'Email must be an email address.'],
    ['comments', { task_id: 'task_none', author_id: 'user_ada', body: 'x' }, 'task_id', 'Task must be the id of a task.'],
  ])('of %s with %j is refused at its field, and nothing changes', async (name, fields, field, issue) => {
    const { post, mock } = await start();
    const sizes = () => Object.values(mock.world.store).map(({ size }) => size);
    const before = sizes();
    const { status, text } = await post(`/dashboard/data/${name}`, { do: 'create', ...(fields as Record<string, string>) });
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
    expect(text).toMatch(new RegExp(`id="new-${field}"[^>]*aria-invalid="true"`));
    expect(text).toMatch(new RegExp(`id="new-${field}-issue">${issue}`));
    for (const [name, value] of Object.entries(fields))
      if (/^[\w ]{1,30}$/.test(value) && name !== 'project_id') expect(text.includes(value), value).toBe(true);
    expect(sizes()).toEqual(before);
  });

  test('that somebody else has deleted is said to be gone', async () => {
    const { post } = await start();
    const { status, text } = await post(TASKS, { do: 'update', id: 'task_gone', title: 'x' });
    expect([status, text.includes('The task task_gone is gone')]).toEqual([404, true]);
  });
});

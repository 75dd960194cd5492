// The list rules (spec: List rules), in memory and over a socket.
import { expect, test } from 'vitest';
import { describeMatrix, type Session } from '../test/matrix.ts';

const fillWith = async ({ call }: Session, count: number, body: (i: number) => object = () => ({})): Promise<string> => {
  const project = await call('POST', '/projects', { body: { name: 'Filled' } });
  for (let i = 0; i < count; i++) {
    const made = await call('POST', `/projects/${project.body.data.id}/tasks`, {
      body: { title: `Task ${String(i).padStart(3, '0')}`, ...body(i) },
    });
    expect(made.status).toBe(201);
  }
  return project.body.data.id;
};

const walk = async ({ call }: Session, path: string, between: (page: number) => Promise<void> = async () => {}) => {
  const items: { id: string; title: string }[] = [];
  let cursor = '';
  for (let page = 0; page < 100; page++) {
    const { status, body, text } = await call('GET', cursor === '' ? path : `${path}&cursor=${encodeURIComponent(cursor)}`);
    expect(status, text).toBe(200);
    items.push(...body.items);
    expect(body.meta.has_more).toBe(body.meta.next_cursor !== null);
    if (!body.meta.has_more) return items;
    cursor = body.meta.next_cursor;
    await between(page);
  }
  throw new Error('the list never ends');
};

describeMatrix('a list', (start) => {
  test('has 20 items by default, says how many there are, and ends at an exact multiple of its limit', async () => {
    const session = await start();
    const id = await fillWith(session, 40);
    const { body } = await session.call('GET', `/projects/${id}/tasks`);
    expect(body.items).toHaveLength(20);
    expect(body.meta).toMatchObject({ total: 40, limit: 20, has_more: true });
    expect(await walk(session, `/projects/${id}/tasks?limit=20`)).toHaveLength(40);
    const last = await session.call('GET', `/projects/${id}/tasks?limit=40`);
    expect(last.body.meta).toEqual({ total: 40, limit: 40, has_more: false, next_cursor: null });
  });

  test('neither repeats nor skips records while others are created, deleted and updated between pages', async () => {
    const session = await start();
    const id = await fillWith(session, 30, (i) => ({ due_date: i % 3 === 0 ? undefined : `2025-02-0${1 + (i % 5)}T00:00:00Z` }));
    const all = (await walk(session, `/projects/${id}/tasks?limit=100`)).map((task) => task.id);
    for (const sort of ['created_at', '-created_at', 'due_date', '-due_date', 'title', '-title']) {
      const doomed = (await session.call('POST', `/projects/${id}/tasks`, { body: { title: 'Doomed' } })).body.data.id;
      const seen = await walk(session, `/projects/${id}/tasks?limit=7&sort=${sort}`, async (page) => {
        if (page === 0) await session.call('DELETE', `/tasks/${doomed}`);
        await session.call('POST', `/projects/${id}/tasks`, { body: { title: `Between ${sort} ${page}` } }).then(async (made) => {
          if (page > 0) await session.call('DELETE', `/tasks/${made.body.data.id}`);
          else await session.call('DELETE', `/tasks/${made.body.data.id}`);
        });
        await session.call('PATCH', `/tasks/${all[page]}`, { body: { description: `touched on page ${page}` } });
      });
      const old = seen.map((task) => task.id).filter((one) => all.includes(one));
      expect(new Set(old).size, sort).toBe(old.length);
      expect([...old].sort(), sort).toEqual([...all].sort());
    }
  });

  test('goes on behind a record that was the last of its page and is deleted', async () => {
    const session = await start();
    const id = await fillWith(session, 9);
    const seen = await walk(session, `/projects/${id}/tasks?limit=3`, async (page) => {
      const { body } = await session.call('GET', `/projects/${id}/tasks?limit=100`);
      await session.call('DELETE', `/tasks/${body.items[2].id}`);
      expect(page).toBeLessThan(4);
    });
    expect(seen.map((task) => task.title)).toEqual(Array.from({ length: 9 }, (_, i) => `Task 00${i}`));
  });

  test('combines all its filters with AND, brackets percent-encoded or not, and the cursor keeps them', async () => {
    const session = await start();
    const statuses = ['todo', 'done'];
    const priorities = ['low', 'high', 'urgent'];
    const id = await fillWith(session, 36, (i) => ({
      status: statuses[i % 2],
      priority: priorities[i % 3],
      ...(i % 4 === 0 ? { assignee_id: 'user_ada' } : {}),
    }));
    for (const [open, close] of [
      ['[', ']'],
      ['%5B', '%5D'],
      ['%5b', '%5d'],
    ]) {
      const filter = (name: string, value: string) => `filter${open}${name}${close}=${value}`;
      const query = [
        filter('status', 'todo'),
        filter('priority', 'low'),
        filter('assignee_id', 'user_ada'),
        filter('project_id', id),
      ];
      const { body } = await session.call('GET', `/tasks?${query.join('&')}`);
      expect(body.meta.total).toBe(3);
      const first = await session.call('GET', `/tasks?limit=1&${query.join('&')}`);
      const second = await session.call('GET', `/tasks?limit=1&cursor=${first.body.meta.next_cursor}`);
      expect(second.body.meta.total).toBe(3);
      expect(second.body.items[0]).toMatchObject({ status: 'todo', priority: 'low', assignee_id: 'user_ada' });
    }
  });

  test('filters projects by visibility, and finds tasks made without priority under medium', async () => {
    const session = await start();
    await session.call('POST', '/projects', { body: { name: 'Open', visibility: 'public' } });
    const open = await session.call('GET', '/projects?filter[visibility]=public');
    expect(open.body.items.map((project: { name: string }) => project.name)).toEqual(['Open']);
    const id = await fillWith(session, 2);
    const medium = await session.call('GET', `/projects/${id}/tasks?filter[priority]=medium`);
    expect(medium.body.meta.total).toBe(2);
  });

  test('sorts ascending, descending with -, over all pages, tasks without due date last', async () => {
    const session = await start();
    const days = [5, 1, undefined, 4, 2, undefined, 3];
    const id = await fillWith(session, 7, (i) => (days[i] ? { due_date: `2025-02-0${days[i]}T00:00:00+01:00` } : {}));
    const titles = async (sort: string) =>
      (await walk(session, `/projects/${id}/tasks?limit=2&sort=${sort}`)).map(({ title }) => Number(title.slice(-1)));
    expect(await titles('due_date')).toEqual([1, 4, 6, 3, 0, 2, 5]);
    expect(await titles('-due_date')).toEqual([0, 3, 6, 4, 1, 2, 5]);
    expect(await titles('title')).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(await titles('-title')).toEqual([6, 5, 4, 3, 2, 1, 0]);
  });

  test('keeps the order of creation where sort values are equal, in both directions', async () => {
    const session = await start();
    const id = await fillWith(session, 5, () => ({ title: 'Same' }));
    const created = (await walk(session, `/projects/${id}/tasks?limit=9`)).map((task) => task.id);
    for (const sort of ['title', '-title', '-created_at']) {
      expect((await walk(session, `/projects/${id}/tasks?limit=2&sort=${sort}`)).map((task) => task.id)).toEqual(created);
    }
  });

  test.each([
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=-1', 'limit'],
    ['limit=ten', 'limit'],
    ['limit=', 'limit'],
    ['limit=1.5', 'limit'],
    ['limit=5&limit=6', 'limit'],
    ['sort=priority', 'sort'],
    ['sort=', 'sort'],
    ['sort=--title', 'sort'],
    ['cursor=nonsense', 'cursor'],
    ['cursor=', 'cursor'],
    ['filter[status]=later', 'filter[status]'],
    ['filter[asignee_id]=user_ada', 'filter[asignee_id]'],
  ])('refuses ?%s with 400 that names %s', async (query, field) => {
    const { call } = await start();
    const { status, body } = await call('GET', `/tasks?${query}`);
    expect(status).toBe(400);
    expect(body.error.code).toBe('validation_error');
    expect(body.error.details.fields.map((one: { field: string }) => one.field)).toContain(field);
  });

  test('names every parameter that fails', async () => {
    const { call } = await start();
    const { body } = await call('GET', '/tasks?limit=0&sort=x&filter[priority]=x&filter[nope]=1');
    expect(body.error.details.fields).toHaveLength(4);
  });

  test('refuses the cursor of another list, an altered one, and one that filter or sort contradict', async () => {
    const session = await start();
    const id = await fillWith(session, 3);
    const { body } = await session.call('GET', `/projects/${id}/tasks?limit=1&filter[status]=backlog&sort=title`);
    const cursor = body.meta.next_cursor as string;
    const again = (path: string, changed = cursor) =>
      session.call('GET', `${path}cursor=${changed}`).then(({ status }) => status);
    expect(await again(`/projects/${id}/tasks?`)).toBe(200);
    expect(await again(`/projects/${id}/tasks?filter[status]=backlog&sort=title&`)).toBe(200);
    expect(await again('/tasks?')).toBe(400);
    expect(await again(`/projects/${id}/tasks?`, `${cursor.slice(0, -2)}AA`)).toBe(400);
    expect(await again(`/projects/${id}/tasks?filter[status]=done&`)).toBe(400);
    expect(await again(`/projects/${id}/tasks?sort=-title&`)).toBe(400);
  });

  test('ignores unknown parameters, page and offset, and sends no Deprecation header', async () => {
    const { call } = await start();
    const { status, headers, body } = await call('GET', '/tasks?page=2&offset=5&utm=1');
    expect([status, headers.get('deprecation'), body.items.length]).toEqual([200, null, 2]);
  });

  test('of members, teams and comments goes by cursor too', async () => {
    const session = await start();
    await session.call('POST', '/teams', { body: { name: 'Second' } });
    for (const [path, total] of [
      ['/workspace/members', 2],
      ['/teams', 2],
      ['/tasks/task_talked/comments', 1],
    ] as const) {
      expect(await walk(session, `${path}?limit=1`)).toHaveLength(total);
    }
  });
});

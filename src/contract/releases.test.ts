// The release history of the spec, statement by statement: each holds from its release on, and not before.
import { describe, expect, test } from 'vitest';
import { openSession, type Session } from '../test/matrix.ts';
import { contractAt } from './at-release.ts';
import { LATEST, RELEASE_NAMES, RELEASES, type Release, releaseNamed } from './releases.ts';
import { COMPONENTS } from './resources.ts';

const at = (release: Release) => openSession({ release }, false);
const get = async (session: Session, path: string) => session.call('GET', path);
const HOOK = 'http://127.0.0.1:9/hook';

/** The delivery of an event that a session provokes; undefined when none is made. */
const delivered = async ({ mock, call }: Session, act: () => Promise<unknown>) => {
  await call('POST', '/webhooks', { body: { url: HOOK } });
  const [webhook] = mock.world.store.webhooks.all();
  await mock.fetch(`http://wm-mock.test/_mock/webhooks/${webhook!.value.id}/simulate`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"outcomes":[200,200,200,200,200,200,200,200]}',
  });
  await act();
  await mock.clock.advance('1s');
  return mock.deliveries[0];
};
const control = ({ mock }: Session, path: string, body: object = {}) =>
  mock.fetch(`http://wm-mock.test/_mock${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
const invite = async (session: Session) => {
  const person = { workspace_id: 'ws_tiny', name: 'New', email: 'new@tiny.test', role: 'member' };
  return (await (await control(session, '/members/invite', person)).json()) as { id: string };
};
const firesAfter = (session: Session, event: string, act: () => Promise<unknown>) =>
  delivered(session, act).then((delivery) => delivery?.event.event === event);
const post = (session: Session, path: string, body: object) => session.call('POST', path, { body });
const eventsOf = async (session: Session) => (await post(session, '/webhooks', { url: HOOK })).body.data.events as string[];

/** Each statement: from which release on it is true, from which it no longer is, and how that is seen. */
const STATEMENTS: Readonly<
  Record<string, { readonly since: Release; readonly until?: Release; readonly seen: (session: Session) => Promise<boolean> }>
> = {
  'projects, tasks and users endpoints': {
    since: '1.0',
    seen: async (session) => {
      const paths = ['/projects', '/projects/proj_one', '/projects/proj_one/tasks', '/tasks', '/tasks/task_talked'];
      const people = ['/users/me', '/workspace/members'];
      const answers = await Promise.all([...paths, ...people].map((path) => get(session, path)));
      const made = await post(session, '/projects', { name: 'New' });
      const task = await post(session, `/projects/${made.body.data.id}/tasks`, { title: 'New' });
      const changed = await session.call('PATCH', `/tasks/${task.body.data.id}`, { body: { status: 'done' } });
      const gone = await session.call('DELETE', `/projects/${made.body.data.id}`);
      return [...answers, changed].every(({ status }) => status === 200) && gone.status === 204;
    },
  },
  'Bearer API key authentication': {
    since: '1.0',
    seen: async ({ call }) =>
      (await call('GET', '/tasks', { key: null })).status === 401 && (await call('GET', '/tasks')).status === 200,
  },
  'webhooks with the six events of tasks and projects': {
    since: '1.0',
    seen: async (session) => {
      const wanted = ['task.created', 'task.updated', 'task.deleted', 'project.created', 'project.updated', 'project.deleted'];
      const answer = await post(session, '/webhooks', { url: HOOK, events: wanted });
      const fires = await firesAfter(session, 'task.deleted', () => session.call('DELETE', '/tasks/task_dated'));
      return answer.status === 201 && fires;
    },
  },
  'lists page by page': {
    since: '1.0',
    until: '1.2',
    seen: async (session) => (await get(session, '/tasks?page=2')).body.items.length === 0,
  },
  'lists page by offset': {
    since: '1.0',
    until: '1.2',
    seen: async (session) => (await get(session, '/tasks?offset=1')).body.items.length === 1,
  },
  'limit on every list': {
    since: '1.1',
    seen: async (session) => (await get(session, '/tasks?limit=1')).body.items.length === 1,
  },
  'meta.next_cursor on every list, and cursor to follow it': {
    since: '1.1',
    seen: async (session) => {
      const lists = ['/projects', '/tasks', '/projects/proj_one/tasks', '/workspace/members'];
      const metas = await Promise.all(lists.map(async (path) => (await get(session, path)).body.meta));
      const { next_cursor: cursor } = (await get(session, '/tasks?limit=1')).body.meta;
      const [next] = (await get(session, `/tasks?limit=1&cursor=${cursor}`)).body.items;
      return metas.every((meta) => 'next_cursor' in meta) && next.id === 'task_dated';
    },
  },
  'page and offset signalled by a Deprecation header': {
    since: '1.1',
    until: '1.2',
    seen: async (session) => {
      const answers = await Promise.all(['/tasks?page=1', '/tasks?offset=1'].map((path) => get(session, path)));
      return answers.every(({ headers }) => headers.get('deprecation') === '@1725148800');
    },
  },
  'teams endpoints: list, create, get, delete': {
    since: '1.2',
    seen: async (session) => {
      const list = await get(session, '/teams');
      const one = await get(session, '/teams/team_core');
      const made = await session.call('POST', '/teams', { body: { name: 'New' } });
      const gone = await session.call('DELETE', '/teams/team_core');
      const statuses = [list, one, made, gone].map(({ status }) => status);
      if (statuses.every((status) => status === 404)) return false;
      expect(statuses).toEqual([200, 200, 201, 204]);
      return true;
    },
  },
  'event member.invited': {
    since: '1.2',
    seen: (session) => firesAfter(session, 'member.invited', () => invite(session)),
  },
  'event member.joined': {
    since: '1.2',
    seen: async (session) => {
      const { id } = await invite(session);
      return firesAfter(session, 'member.joined', () => control(session, `/members/${id}/join`));
    },
  },
  'the member events can be subscribed to': {
    since: '1.2',
    seen: async (session) => {
      const { status } = await post(session, '/webhooks', { url: HOOK, events: ['member.invited'] });
      const all = await eventsOf(session);
      expect([201, 422]).toContain(status);
      expect(all.includes('member.joined')).toBe(status === 201);
      return status === 201;
    },
  },
  'X-Service-Timestamp on deliveries': {
    since: '1.2',
    seen: async (session) => {
      const delivery = await delivered(session, () => session.call('DELETE', '/tasks/task_dated'));
      expect(delivery!.attempts[0]).toMatchObject({ status: 200, signature_ok: true });
      expect(delivery!.request.headers).toHaveProperty('X-Service-Signature');
      return 'X-Service-Timestamp' in delivery!.request.headers;
    },
  },
  'priority on tasks': {
    since: '1.3',
    seen: async (session) => {
      const made = await post(session, '/projects/proj_one/tasks', { title: 'New', priority: 'urgent' });
      const answers = [
        made.body.data,
        (await get(session, `/tasks/${made.body.data.id}`)).body.data,
        (await get(session, '/tasks')).body.items[0],
      ];
      const shown = answers.map((task) => 'priority' in task);
      expect(new Set(shown).size, 'every answer agrees').toBe(1);
      return shown[0]!;
    },
  },
  'priority is checked': {
    since: '1.3',
    seen: async (session) => (await post(session, '/projects/proj_one/tasks', { title: 'New', priority: 5 })).status === 400,
  },
  'priority in the snapshots of events': {
    since: '1.3',
    seen: async (session) => {
      const delivery = await delivered(session, () => session.call('DELETE', '/tasks/task_dated'));
      return 'priority' in JSON.parse(delivery!.request.body).data.task;
    },
  },
  'filter[priority]': {
    since: '1.3',
    seen: async (session) => (await get(session, '/tasks?filter[priority]=high')).status === 200,
  },
  'GET /tasks/{task_id}/comments': {
    since: '1.3',
    seen: async (session) => (await get(session, '/tasks/task_talked/comments')).status === 200,
  },
};

describe.each(RELEASE_NAMES)('at v%s', (release) => {
  test.each(Object.entries(STATEMENTS))('%s', async (_says, { since, until, seen }) => {
    expect(await seen(await at(release))).toBe(since <= release && (until === undefined || release < until));
  });

  test('a field that it does not know is unknown by its name alone', () => {
    const { unknownFields, components } = contractAt(release);
    for (const [name, schema] of Object.entries(components)) {
      for (const field of unknownFields) expect(schema.properties ?? {}, name).not.toHaveProperty([field]);
    }
  });

  test('it says which release it is', async () => {
    const { mock } = await at(release);
    const shown = await (await mock.fetch('http://wm-mock.test/_mock/release')).json();
    expect(shown).toMatchObject({ release, version: RELEASES[release].version });
    const document = await (await mock.fetch('http://wm-mock.test/openapi.json')).json();
    expect(document).toMatchObject({ info: { version: RELEASES[release].version } });
  });
});

test('an operation that a release does not have is a route of nobody: 401 first, then 404', async () => {
  const { call, mock } = await at('1.0');
  expect((await call('POST', '/teams', { key: null, body: {} })).status).toBe(401);
  const answer = await call('POST', '/teams', { body: { name: 'New' } });
  expect([answer.status, answer.body.error.code]).toEqual([404, 'not_found']);
  expect(mock.requests.at(-1)).toMatchObject({
    operation: null,
    warnings: [{ code: 'later-operation', says: 'createTeam came with v1.2.0; this world is v1.0' }],
  });
});

test('what a later release knows is kept, not shown, and read as its default where nobody set it', async () => {
  const { call, mock } = await at('1.2');
  const made = await call('POST', '/projects/proj_one/tasks', { body: { title: 'Early', priority: 'urgent' } });
  expect(mock.requests.at(-1)!.warnings).toEqual([
    { code: 'later-field', says: 'priority came with v1.3.0; v1.2 does not read it' },
  ]);
  mock.become(LATEST);
  expect((await call('GET', `/tasks/${made.body.data.id}`)).body.data.priority).toBe('medium');
  expect((await call('GET', '/tasks/task_talked')).body.data.priority).toBe('high');
  mock.become('1.0');
  expect((await call('GET', '/tasks')).body.items[0]).not.toHaveProperty('priority');
});

test('a page of v1.1 that was asked for by number leads on by cursor', async () => {
  const { call } = await at('1.1');
  const first = await call('GET', '/tasks?limit=1&page=1');
  const next = await call('GET', `/tasks?limit=1&cursor=${first.body.meta.next_cursor}`);
  expect(next.body.items[0].id).toBe('task_dated');
  expect(next.headers.has('deprecation')).toBe(false);
});

test.each(['page=x', 'page=0', 'page=1.5', 'offset=-1', 'page=1&page=2'])('v1.0 refuses ?%s', async (query) => {
  const { call } = await at('1.0');
  const { status, body } = await call('GET', `/tasks?${query}`);
  expect([status, body.error.details.fields[0].field]).toEqual([400, query.slice(0, query.indexOf('='))]);
});

test.each(['page', 'offset'])('a %s of any size is a place, if beyond the end', async (name) => {
  const { call } = await at('1.0');
  const { status, body } = await call('GET', `/tasks?${name}=${'9'.repeat(40)}`);
  expect([status, body.items, body.meta.has_more]).toEqual([200, [], false]);
});

test('an answer that refuses page or offset signals them too', async () => {
  const { call } = await at('1.1');
  expect((await call('GET', '/tasks?page=x')).headers.get('deprecation')).toBe('@1725148800');
});

test("each field that a release brought is in today's tables", () => {
  expect([...contractAt('1.0').unknownFields].sort()).toEqual(['next_cursor', 'priority']);
  expect(contractAt(LATEST).components).toEqual(COMPONENTS);
  expect(contractAt(LATEST).components.Task).toBe(COMPONENTS.Task);
});

test('a release is known by its name and by its whole version', () => {
  expect(['1.1', '1.1.0', 'v1.1.0', 1.1, '2.0', ''].map(releaseNamed)).toEqual([
    '1.1',
    '1.1',
    '1.1',
    '1.1',
    undefined,
    undefined,
  ]);
});

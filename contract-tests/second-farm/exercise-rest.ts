// Parts of the scripted session: lists, errors, strangers, the budget and webhooks.
import { dig, idOf, itemsOf, type Manner, nextOf, type Role, type Session } from './session.ts';

const STATUSES = ['backlog', 'todo', 'in_progress', 'in_review', 'done'];
const PRIORITIES = ['low', 'medium', 'high', 'urgent'];
const pick = <T>(values: readonly T[], index: number): T => values[index % values.length] as T;

const fillTasks = async (s: Session, project: string, members: readonly unknown[], count: number): Promise<void> => {
  for (let index = 0; index < count; index += 1) {
    const due =
      index % 3 === 0
        ? {}
        : { due_date: new Date(Date.UTC(2030, (index * 5) % 12, 1 + ((index * 7) % 28), index % 24)).toISOString() };
    const assignee = index % 4 === 1 ? {} : { assignee_id: pick(members, index) };
    const body = {
      title: `${pick(['b', 'a', 'd', 'c', '10', '9'], index)} ${index % 10}`,
      status: pick(STATUSES, index * 3),
      priority: pick(PRIORITIES, index >> 1),
    };
    await s.call('write', 'POST', `/projects/${project}/tasks`, { ...body, ...due, ...assignee });
  }
};

/** Pages, filters and orders of all lists. */
export const lists = async (s: Session): Promise<void> => {
  const members = itemsOf(await s.call('read', 'GET', '/workspace/members')).map((each) => dig(each, 'id'));
  const project = idOf(await s.call('write', 'POST', '/projects', { name: 'Many' }));
  const few = idOf(await s.call('write', 'POST', '/projects', { name: 'Few' }));
  await fillTasks(s, project, members, 46);
  await fillTasks(s, few, members, 5);
  for (let index = 0; index < 24; index += 1)
    await s.call('write', 'POST', '/projects', {
      name: `${pick(['N', 'M', 'O'], index)} ${index}`,
      visibility: pick(['team', 'public', 'private'], index >> 1),
    });
  for (let index = 0; index < 23; index += 1) await s.call('admin', 'POST', '/teams', { name: `Team ${index}` });
  await s.call('write', 'PATCH', `/projects/${few}`, { name: 'Few, changed' });
  const inside = `/projects/${project}/tasks`;
  const who = members[2];
  for (const path of ['/projects', '/tasks', '/teams', inside]) {
    for (const query of ['', '?limit=7', '?limit=20', '?limit=46', '?limit=100']) await s.walk('read', `${path}${query}`);
    for (const limit of ['1', '46', '0', '-1', '101', '150', '1000', 'abc', '1.5', '10abc', '', '1e1', '%2010'])
      await s.call('read', 'GET', `${path}?limit=${limit}`);
    for (const query of [
      '?page=2',
      '?offset=5',
      '?page=2&limit=5',
      '?cursor=broken',
      '?sort=banana',
      '?sort=-banana',
      '?sort=id',
      '?sort=-',
    ])
      await s.call('read', 'GET', `${path}${query}`);
  }
  for (const path of ['/tasks', inside]) {
    for (const sort of ['due_date', 'created_at', 'updated_at', 'title'])
      for (const sign of ['', '-']) {
        await s.walk('read', `${path}?limit=11&sort=${sign}${sort}`);
        await s.call('read', 'GET', `${path}?sort=${sign}${sort}`);
      }
    for (const status of [...STATUSES, 'other', 'DONE', 'in%', "o'hara"])
      await s.call('read', 'GET', `${path}?filter[status]=${encodeURIComponent(status)}`);
    for (const priority of PRIORITIES) await s.call('read', 'GET', `${path}?filter[priority]=${priority}`);
    for (const member of [...members, 'user_unknown1', s.server.foreign.user])
      await s.call('read', 'GET', `${path}?filter[assignee_id]=${member}`);
    await s.call('read', 'GET', `${path}?filter%5Bstatus%5D=todo`);
    for (const filters of [
      `filter[status]=todo&filter[priority]=high`,
      `filter[priority]=low&filter[assignee_id]=${who}`,
      `filter[assignee_id]=${who}&filter[status]=done&filter[priority]=medium`,
    ]) {
      await s.call('read', 'GET', `${path}?${filters}`);
      await s.walk('read', `${path}?${filters}&limit=1`);
      await s.walk('read', `${path}?${filters}&limit=1&sort=-title`);
    }
  }
  for (let index = 0; index < 8; index += 1) {
    const three = [
      `filter[status]=${pick(STATUSES, index * 3)}`,
      `filter[priority]=${pick(PRIORITIES, index >> 1)}`,
      `filter[assignee_id]=${pick(members, index + 1)}`,
    ];
    await s.call('read', 'GET', `/tasks?${three.join('&')}`);
  }
  await listsTwo(s, project, few, String(who));
};

const listsTwo = async (s: Session, project: string, few: string, who: string): Promise<void> => {
  for (const id of [project, few, 'proj_unknown1', s.server.foreign.project]) {
    await s.call('read', 'GET', `/tasks?filter[project_id]=${id}`);
    await s.call('read', 'GET', `/tasks?filter[project_id]=${id}&filter[status]=done&limit=2`);
    await s.call('read', 'GET', `/projects/${project}/tasks?filter[project_id]=${id}`);
  }
  await s.walk('read', `/tasks?filter[project_id]=${project}&limit=20`);
  for (const visibility of ['private', 'team', 'public', 'PUBLIC', 'none'])
    await s.walk('read', `/projects?limit=4&filter[visibility]=${visibility}`);
  for (const sort of ['created_at', '-created_at', 'updated_at', '-updated_at', 'name', 'title', 'due_date'])
    await s.walk('read', `/projects?limit=6&sort=${sort}`);
  await s.walk('read', '/projects?limit=3&filter[visibility]=team&sort=-created_at');
  // The cursor alone, without what it came from.
  for (const query of [
    '?filter[status]=todo&limit=3',
    '?filter[priority]=high&limit=2',
    `?filter[assignee_id]=${who}&filter[status]=done&limit=1`,
    '?filter[status]=done&limit=2&sort=-due_date',
    `?filter[project_id]=${few}&limit=2`,
  ]) {
    const first = await s.call('read', 'GET', `/tasks${query}`);
    if (nextOf(first) === '') continue;
    const sort = query.includes('sort') ? '&sort=-due_date' : '';
    await s.call('read', 'GET', `/tasks?limit=3${sort}&cursor=${encodeURIComponent(nextOf(first))}`);
    await s.call('other', 'GET', `/tasks?limit=3${sort}&cursor=${encodeURIComponent(nextOf(first))}`);
  }
  const first = await s.call('read', 'GET', '/projects?filter[visibility]=public&limit=3');
  await s.call('read', 'GET', `/projects?limit=3&cursor=${encodeURIComponent(nextOf(first))}`);
  await s.call('write', 'DELETE', `/projects/${few}`);
  await s.call('read', 'GET', '/tasks?limit=1');
  const empty = idOf(await s.call('write', 'POST', '/projects', { name: 'Nothing' }));
  for (const query of ['', '?limit=5', '?sort=due_date', '?filter[status]=done'])
    await s.call('read', 'GET', `/projects/${empty}/tasks${query}`);
  await s.call('write', 'PATCH', `/projects/${empty}`, { name: 'Nothing at all' });
  await s.call('read', 'GET', '/projects?limit=3&sort=-updated_at');
};

/** Lists of more than a hundred rows. */
export const many = async (s: Session): Promise<void> => {
  const members = itemsOf(await s.call('read', 'GET', '/workspace/members')).map((each) => dig(each, 'id'));
  const project = idOf(await s.call('write', 'POST', '/projects', { name: 'Very many' }));
  await fillTasks(s, project, members, 215);
  for (const path of [`/projects/${project}/tasks`, '/tasks']) {
    for (const query of [
      '?limit=100',
      '?limit=99',
      '?limit=50',
      '?limit=100&sort=-due_date',
      '?limit=100&filter[status]=todo',
      '?limit=101',
      '?limit=500',
      '?limit=20',
    ])
      await s.walk('read', `${path}${query}`, 12);
  }
  await s.call('write', 'DELETE', `/projects/${project}`);
  await s.call('read', 'GET', '/tasks?limit=100');
};

const BODIES = ['{', '', 'null', '[]', '"text"', '12', '{"name":"x",}', '{name:1}', 'name=x', '{"name":"a"}{"name":"b"}'];

/** Requests that are wrong, and requests to nowhere. */
export const errors = async (s: Session): Promise<void> => {
  const project = idOf(await s.call('write', 'POST', '/projects', { name: 'Errors' }));
  const task = idOf(await s.call('write', 'POST', `/projects/${project}/tasks`, { title: 'Errors' }));
  const targets = [
    ['POST', '/projects'],
    ['PATCH', `/projects/${project}`],
    ['POST', `/projects/${project}/tasks`],
    ['PATCH', `/tasks/${task}`],
    ['POST', '/teams'],
    ['POST', '/webhooks'],
  ] as const;
  for (const [method, path] of targets) {
    for (const body of BODIES) await s.call('admin', method, path, body);
    await s.call('admin', method, path, '{"name":"x","title":"x"}', { 'Content-Type': 'application/json; charset=utf-8' });
  }
  for (const path of [`/projects/${project}`, `/tasks/${task}`, '/projects', '/teams']) await s.call('read', 'GET', path);
  const unknown = [
    ['PUT', `/projects/${project}`],
    ['PUT', `/tasks/${task}`],
    ['PUT', '/projects'],
    ['PATCH', '/projects'],
    ['DELETE', '/projects'],
    ['POST', `/tasks/${task}`],
    ['POST', `/tasks/${task}/comments`],
    ['PATCH', '/users/me'],
    ['GET', '/webhooks'],
    ['GET', '/nowhere'],
    ['GET', '/projects/'],
    ['PATCH', '/teams/team_1234567'],
    ['GET', '/users'],
  ] as const;
  for (const [method, path] of unknown)
    await s.call('admin', method, path, method === 'GET' ? undefined : { name: 'Put', title: 'Put', body: 'Put' });
  for (const path of [`/projects/${project}`, `/tasks/${task}`, `/tasks/${task}/comments`, '/projects?limit=2'])
    await s.call('read', 'GET', path);
};

/** The key of one workspace and the records of the other. */
export const strangers = async (s: Session): Promise<void> => {
  const { project, task, user } = s.server.foreign;
  const roles: Role[] = ['admin', 'write', 'read'];
  const made = idOf(await s.call('other', 'POST', '/projects', { name: 'Foreign' }));
  const inside = idOf(await s.call('other', 'POST', `/projects/${made}/tasks`, { title: 'Foreign', status: 'in_review' }));
  const team = idOf(await s.call('other', 'POST', '/teams', { name: 'Foreign', member_ids: [user] }));
  const shared = dig((await s.call('read', 'GET', '/workspace/members')).json, 'items', 3, 'id');
  await s.call('other', 'POST', `/projects/${made}/tasks`, { title: 'Shared', assignee_id: shared });
  for (const role of roles)
    for (const path of [
      `/projects/${project}`,
      `/projects/${project}/tasks`,
      `/tasks/${task}`,
      `/tasks/${task}/comments`,
      `/teams/${team}`,
      `/projects/${made}`,
      `/tasks/${inside}`,
    ])
      await s.call(role, 'GET', path);
  for (const role of ['admin', 'write'] as const)
    for (const [method, path, body] of [
      ['PATCH', `/projects/${project}`, { name: 'Taken' }],
      ['PATCH', `/tasks/${task}`, { title: 'Taken' }],
      ['POST', `/projects/${project}/tasks`, { title: 'Intruder' }],
      ['DELETE', `/tasks/${inside}`, undefined],
      ['DELETE', `/projects/${made}`, undefined],
      ['DELETE', `/teams/${team}`, undefined],
    ] as const)
      await s.call(role, method, path, body);
  for (const path of [
    '/projects?limit=100',
    '/tasks?limit=100',
    '/teams?limit=100',
    '/workspace/members',
    `/tasks?filter[project_id]=${project}`,
    `/tasks?filter[assignee_id]=${user}`,
    `/tasks?filter[assignee_id]=${shared}`,
    '/tasks?filter[status]=in_review',
    '/tasks?sort=-created_at',
    '/projects?filter[visibility]=team',
    '/tasks?limit=2',
  ])
    for (const role of ['read', 'other'] as const) await s.call(role, 'GET', path);
  for (const path of [`/projects/${made}`, `/tasks/${inside}`, `/teams/${team}`, `/projects/${made}/tasks`])
    await s.call('other', 'GET', path);
  await s.call('admin', 'POST', '/teams', { name: 'Keepers' });
  await s.call('admin', 'POST', '/teams', { name: 'Foreign' });
  const first = await s.call('other', 'GET', '/tasks?limit=1');
  await s.call('other', 'GET', `/tasks?limit=1&cursor=${encodeURIComponent(nextOf(first))}`);
};

/** The headers of the budget, and its end. */
export const budget = async (s: Session): Promise<void> => {
  s.paced = false;
  const quota = Number((await s.call('read', 'GET', '/users/me')).headers.get('x-ratelimit-limit') ?? 300);
  const project = idOf(await s.call('write', 'POST', '/projects', { name: 'Budget' }));
  await s.call('write', 'PATCH', `/projects/${project}`, { name: 'Budget 2' });
  await s.call('write', 'GET', '/projects?limit=2');
  await s.call('read', 'GET', '/projects/nope');
  await s.call('read', 'POST', '/projects', {});
  await s.call('write', 'POST', '/projects', {});
  await s.call('revoked', 'GET', '/projects');
  await s.call(null, 'GET', '/projects');
  await s.call('other', 'GET', '/projects');
  await s.clock.sleep(5000);
  await s.call('admin', 'GET', '/projects');
  await s.call('write', 'DELETE', `/projects/${project}`);
  const roles: Role[] = ['read', 'write', 'admin'];
  for (let count = 0; count < quota + 8; count += 1)
    await s.call(pick(roles, count), 'GET', pick(['/users/me', '/teams', '/projects'], count >> 2));
  await s.call('write', 'POST', '/projects', { name: 'Too much' });
  await s.call('other', 'GET', '/projects');
  await s.call('revoked', 'GET', '/projects');
  await s.clock.sleep(20_000);
  await s.call('read', 'GET', '/users/me');
  await s.clock.sleep(31_000);
  for (let count = 0; count < 5; count += 1) await s.call('read', 'GET', '/users/me');
  await s.clock.sleep(61_000);
  for (let count = 0; count < 5; count += 1) await s.call('read', 'GET', '/projects?limit=100');
  for (let count = 0; count < 70; count += 1) await s.call('other', 'GET', '/users/me');
  await s.clock.sleep(3_600_000);
  await s.call('read', 'GET', '/users/me');
};

const ALL = ['task.created', 'task.updated', 'task.deleted', 'project.created', 'project.updated', 'project.deleted'];

/** Registrations, and the events of all changes. */
export const events = async (s: Session): Promise<void> => {
  const hook = (role: Role, path: string, names: readonly string[]) =>
    s.call(role, 'POST', '/webhooks', { url: s.receiver(path, 200), events: names });
  await hook('admin', 'all', ALL);
  await hook('admin', 'second', ALL);
  await hook('admin', 'some', ['task.updated', 'project.deleted']);
  await hook('write', 'writer', ['task.created']);
  await hook('other', 'south', ALL);
  const bodies = [
    {},
    { events: ['task.created'] },
    { url: 'https://hooks.example.test/none' },
    { url: 'http://hooks.example.test/plain', events: ['task.created'] },
    { url: 'nonsense', events: ['task.created'] },
    { url: 7, events: ['task.created'] },
    { url: 'ftp://hooks.example.test/x', events: ['task.created'] },
    { url: '', events: ['task.created'] },
    { url: null, events: ['task.created'] },
    { url: 'https://hooks.example.test/e', events: 'task.created' },
    { url: 'https://hooks.example.test/e', events: [1] },
    { url: 'https://hooks.example.test/e', events: { 0: 'task.created' } },
    { url: ['https://hooks.example.test/e'], events: ['task.created'] },
  ];
  for (const body of bodies) await s.call('admin', 'POST', '/webhooks', body);
  await s.call('admin', 'GET', '/webhooks');
  const member = dig((await s.call('read', 'GET', '/workspace/members')).json, 'items', 1, 'id');
  const project = idOf(await s.call('write', 'POST', '/projects', { name: 'Eventful', visibility: 'team' }));
  await s.clock.sleep(3_000);
  const task = idOf(
    await s.call('write', 'POST', `/projects/${project}/tasks`, {
      title: 'Eventful 日本 "q"',
      assignee_id: member,
      status: 'todo',
    }),
  );
  const bare = idOf(await s.call('write', 'POST', `/projects/${project}/tasks`, { title: 'Bare' }));
  await s.clock.sleep(90_000);
  for (const change of [
    { title: 'Renamed' },
    { status: 'in_progress' },
    { priority: 'urgent', description: 'x' },
    { due_date: '2031-01-01T00:00:00Z' },
    { title: '' },
    { status: 'none' },
    {},
  ]) {
    await s.call('write', 'PATCH', `/tasks/${task}`, change);
    await s.clock.sleep(1_500);
  }
  for (const change of [{ name: 'Eventful 2' }, { visibility: 'public' }, { description: 'Words' }, { visibility: 'none' }])
    await s.call('write', 'PATCH', `/projects/${project}`, change);
  await s.call('read', 'PATCH', `/tasks/${task}`, { title: 'Refused' });
  await s.call('read', 'DELETE', `/tasks/${task}`);
  await s.call('read', 'POST', `/projects/${project}/tasks`, { title: 'Refused' });
  await s.call('write', 'POST', '/projects', { name: '' });
  await s.call('write', 'DELETE', '/tasks/task_unknown123');
  await s.call('read', 'GET', `/tasks/${task}`);
  await s.clock.sleep(2_000);
  await s.call('write', 'DELETE', `/tasks/${bare}`);
  const assigned = await s.call('write', 'POST', `/projects/${project}/tasks`, { title: 'Assigned', assignee_id: member });
  await s.call('write', 'DELETE', `/tasks/${idOf(assigned)}`);
  const empty = idOf(await s.call('admin', 'POST', '/projects', { name: 'Empty' }));
  await s.call('admin', 'DELETE', `/projects/${empty}`);
  await s.call('write', 'DELETE', `/projects/${project}`);
  await s.call('other', 'POST', '/projects', { name: 'In the south' });
  await s.clock.sleep(4_000);
};

/** Receivers that fail in all ways. */
export const retries = async (s: Session): Promise<void> => {
  const slow = (seconds: number, status = 200): Manner => ({ status, after: seconds * 1000 });
  const receivers: Readonly<Record<string, readonly Manner[]>> = {
    created: [201],
    accepted: [202],
    nothing: [204],
    odd: [299],
    redirect: [302, 200],
    permanent: [301, 308, 204],
    missing: [404, 410, 200],
    gone: [410, 429, 401, 200],
    broken: [500, 503, 502, 200],
    late: [slow(9.5)],
    middling: [slow(6)],
    tardy: [slow(11), slow(15), 200],
    mute: ['never', 'never', 200],
    never: [500],
    recovers: [500, 500, 500, 500, 500, 200],
  };
  for (const [path, manners] of Object.entries(receivers))
    await s.call('admin', 'POST', '/webhooks', {
      url: s.receiver(path, ...manners),
      events: ['project.created', 'task.created'],
    });
  const project = idOf(await s.call('write', 'POST', '/projects', { name: 'Retried' }));
  await s.clock.sleep(4 * 3_600_000);
  await s.call('write', 'POST', `/projects/${project}/tasks`, { title: 'Afterwards' });
  await s.clock.sleep(2 * 24 * 3_600_000);
  await s.call('write', 'POST', '/projects', { name: 'Much later' });
  await s.clock.sleep(60_000);
};

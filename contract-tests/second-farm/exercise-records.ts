// Parts of the scripted session: access, projects, tasks, people and teams.
import { dig, idOf, itemsOf, type Reply, type Role, type Session } from './session.ts';

type Sample = readonly [method: string, path: string, body?: unknown];

/** One request for each operation. */
const samples = (project: string, task: string, team: string): readonly Sample[] => [
  ['GET', '/projects'],
  ['GET', `/projects/${project}`],
  ['GET', `/projects/${project}/tasks`],
  ['GET', '/tasks'],
  ['GET', `/tasks/${task}`],
  ['GET', `/tasks/${task}/comments`],
  ['GET', '/users/me'],
  ['GET', '/workspace/members'],
  ['GET', '/teams'],
  ['GET', `/teams/${team}`],
  ['POST', '/projects', { name: 'Sample' }],
  ['POST', `/projects/${project}/tasks`, { title: 'Sample' }],
  ['POST', '/teams', { name: `Sample ${team}` }],
  ['POST', '/webhooks', { url: 'https://hooks.example.test/sample', events: ['task.deleted'] }],
  ['PATCH', `/projects/${project}`, { name: 'Sample 2' }],
  ['PATCH', `/tasks/${task}`, { title: 'Sample 2' }],
  ['DELETE', `/teams/${team}`],
  ['DELETE', `/tasks/${task}`],
  ['DELETE', `/projects/${project}`],
];

const trio = async (s: Session) => {
  const project = idOf(await s.call('admin', 'POST', '/projects', { name: 'Trio', description: 'd', visibility: 'team' }));
  const task = idOf(await s.call('admin', 'POST', `/projects/${project}/tasks`, { title: 'Trio', description: 'd' }));
  const team = idOf(await s.call('admin', 'POST', '/teams', { name: `Trio ${project}` }));
  return [project, task, team] as const;
};

const look = async (s: Session, project: string, task: string, team: string): Promise<void> => {
  for (const path of [`/projects/${project}`, `/tasks/${task}`, `/teams/${team}`]) await s.call('admin', 'GET', path);
  for (const path of ['/projects?limit=1', '/tasks?limit=1', '/teams?limit=1', `/projects/${project}/tasks`])
    await s.call('admin', 'GET', path);
};

/** Every operation with every kind of key, and without one. */
export const access = async (s: Session): Promise<void> => {
  s.receiver('sample', 200);
  const ids = await trio(s);
  await s.call('admin', 'POST', '/webhooks', {
    url: s.receiver('heard', 200),
    events: ['task.updated', 'project.updated', 'task.created'],
  });
  const key = s.server.keys.write;
  const odd = [
    `Basic ${key}`,
    key,
    `Token ${key}`,
    'Bearer',
    'Bearer ',
    'Bearer sf_unknown',
    `Bearer ${key}x`,
    `Bearer ${key.slice(0, -1)}`,
  ];
  for (const [method, path, body] of samples(...ids)) {
    await s.call(null, method, path, body);
    await s.call('revoked', method, path, body);
    await s.call('read', method, path, body);
    await s.call('other', method, path, body);
    await s.call(null, method, path, body, { Authorization: 'Bearer sf_unknown_key' });
  }
  await look(s, ...ids);
  for (const authorization of [...odd, `Bearer ${key.toUpperCase()}`, 'Bearer null', ''])
    for (const [method, path, body] of [samples(...ids)[0], samples(...ids)[6], samples(...ids)[10]] as Sample[])
      await s.call(null, method, path, body, { Authorization: authorization });
  await look(s, ...ids);
  for (const role of ['admin', 'write'] as Role[]) {
    const fresh = await trio(s);
    for (const [method, path, body] of samples(...fresh)) await s.call(role, method, path, body);
  }
  await s.call('read', 'GET', `/projects/${ids[0]}/tasks?limit=2`);
  await s.call(null, 'GET', '/nowhere');
  await s.call('read', 'GET', '/nowhere');
  await s.clock.sleep(1000);
};

const long = (count: number, letter = 'x') => letter.repeat(count);
const NAMES = [
  '',
  long(1),
  long(149),
  long(150),
  long(151),
  long(256),
  long(150, 'é'),
  long(100, '日'),
  'Ünïcode ✅ 🚀',
  '<b>"q" & \'p\'</b>',
  'a\\b/c%20d',
  'line\nbreak\ttab',
];
const WRONG = [null, 12, true, {}, [], ['x']];

const afterwards = async (s: Session, path: string, list: string): Promise<void> => {
  await s.call('read', 'GET', path);
  await s.call('read', 'GET', list);
};

/** Creates, changes and deletes projects, within and beyond all rules. */
export const projects = async (s: Session): Promise<void> => {
  for (const name of [...NAMES, ...WRONG]) await s.call('write', 'POST', '/projects', { name });
  for (const description of [
    '',
    'plain',
    long(999),
    long(1000),
    long(1001),
    long(1000, 'é'),
    '<i>a</i>\r\n  b &amp; c ',
    ...WRONG,
  ])
    await s.call('write', 'POST', '/projects', { name: 'With description', description });
  for (const visibility of ['private', 'team', 'public', 'secret', 'PRIVATE', 'Team', '', ' team', ...WRONG])
    await s.call('write', 'POST', '/projects', { name: 'With visibility', visibility });
  await s.call('write', 'POST', '/projects', {});
  await s.call('write', 'POST', '/projects', { description: long(1001), visibility: 'none' });
  await s.call('write', 'POST', '/projects', { name: '', description: long(1001), visibility: 'none' });
  await s.call('write', 'POST', '/projects', { name: long(151), description: 4 });
  const given = {
    id: 'proj_mine12345',
    created_at: '2001-01-01T00:00:00Z',
    updated_at: '2001-01-01T00:00:00Z',
    owner_id: 'user_nobody1',
  };
  await s.call('write', 'POST', '/projects', { name: 'Given', ...given });
  const made = await s.call('write', 'POST', '/projects', { name: 'Subject', description: 'About', visibility: 'team' });
  const path = `/projects/${idOf(made)}`;
  const seen = () => afterwards(s, path, '/projects?limit=100&filter[visibility]=team');
  await seen();
  const changes = [
    {},
    { name: 'Renamed' },
    { description: 'Changed' },
    { visibility: 'public' },
    { visibility: 'private' },
    { visibility: 'team' },
  ];
  for (const change of [
    ...changes,
    { name: 'Both', visibility: 'public' },
    { name: 'Subject', description: 'Now', visibility: 'team' },
  ]) {
    await s.call('write', 'PATCH', path, change);
    await seen();
  }
  for (const name of [...NAMES, ...WRONG]) await s.call('write', 'PATCH', path, { name });
  for (const description of [long(1000), long(1001), '', ...WRONG]) await s.call('write', 'PATCH', path, { description });
  for (const visibility of ['secret', 'PUBLIC', ...WRONG]) await s.call('write', 'PATCH', path, { visibility });
  await s.call('write', 'PATCH', path, { name: 'Half', visibility: 'none' });
  await s.call('write', 'PATCH', path, { name: 'Half', description: long(1001) });
  await s.call('write', 'PATCH', path, given);
  await seen();
  await deletions(s, path);
};

const deletions = async (s: Session, path: string): Promise<void> => {
  const tasks: Reply[] = [];
  for (const title of ['One', 'Two', 'Three']) tasks.push(await s.call('write', 'POST', `${path}/tasks`, { title }));
  const member = dig((await s.call('read', 'GET', '/workspace/members')).json, 'items', 0, 'id');
  await s.call('write', 'PATCH', `/tasks/${idOf(tasks[2] as Reply)}`, { assignee_id: member, status: 'done' });
  const keep = idOf(await s.call('admin', 'POST', '/projects', { name: 'Keep' }));
  const kept = idOf(await s.call('admin', 'POST', `/projects/${keep}/tasks`, { title: 'Kept' }));
  await s.call('write', 'DELETE', path);
  for (const task of tasks) {
    await s.call('write', 'GET', `/tasks/${idOf(task)}`);
    await s.call('write', 'PATCH', `/tasks/${idOf(task)}`, { title: 'Ghost' });
    await s.call('write', 'GET', `/tasks/${idOf(task)}/comments`);
    await s.call('write', 'DELETE', `/tasks/${idOf(task)}`);
  }
  const gone = path.split('/').at(-1);
  for (const target of [
    path,
    `${path}/tasks`,
    '/projects?limit=100',
    '/tasks?limit=100',
    `/tasks?filter[project_id]=${gone}`,
    `/tasks?filter[assignee_id]=${member}`,
    `/tasks/${kept}`,
  ])
    await s.call('write', 'GET', target);
  await s.call('write', 'PATCH', path, { name: 'Ghost' });
  await s.call('write', 'POST', `${path}/tasks`, { title: 'Ghost' });
  await s.call('write', 'DELETE', path);
  const again = await s.call('write', 'POST', '/projects', { name: 'Again' });
  await s.call('write', 'GET', `/projects/${idOf(again)}`);
  await s.call('write', 'GET', path);
  await s.call('write', 'DELETE', `/projects/${keep}`);
  await s.call('write', 'GET', `/tasks/${kept}`);
  // A project whose tasks have comments.
  const talked = s.server.taskWithComments;
  const home = dig((await s.call('read', 'GET', `/tasks/${talked}`)).json, 'data', 'project_id');
  await s.call('write', 'GET', `/tasks/${talked}/comments`);
  await s.call('write', 'DELETE', `/projects/${home}`);
  for (const target of [`/tasks/${talked}`, `/tasks/${talked}/comments`, '/tasks', '/projects'])
    await s.call('write', 'GET', target);
  for (const unknown of ['proj_unknown123', 'nope', 'task_unknown123']) {
    await s.call('write', 'GET', `/projects/${unknown}`);
    await s.call('write', 'GET', `/projects/${unknown}/tasks`);
    await s.call('write', 'PATCH', `/projects/${unknown}`, { name: 'x' });
    await s.call('write', 'DELETE', `/projects/${unknown}`);
    await s.call('write', 'POST', `/projects/${unknown}/tasks`, { title: 'x' });
  }
};

const DATES = [
  ...[
    '2030-01-02T03:04:05Z',
    '2030-01-02T03:04:05.678Z',
    '2030-07-02T23:30:00+02:00',
    '2030-07-02T23:30:00-05:30',
    '2001-02-03T04:05:06Z',
  ],
  ...[
    '2030-01-31T00:00:00Z',
    '2028-02-29T12:00:00Z',
    '2030-02-30T12:00:00Z',
    '2030-13-01T00:00:00Z',
    'tomorrow',
    '',
    '2030-01-02',
    '1893553445',
    ...WRONG,
  ],
  ...['2030-07-15T12:00:00Z', '02/03/2030', 1_893_553_445, 1_893_553_445_000],
];

/** Creates, changes and deletes tasks, within and beyond all rules. */
export const tasks = async (s: Session): Promise<void> => {
  const project = idOf(await s.call('write', 'POST', '/projects', { name: 'Tasks' }));
  const other = idOf(await s.call('write', 'POST', '/projects', { name: 'Other tasks' }));
  const all = `/projects/${project}/tasks`;
  for (const old of itemsOf(await s.call('read', 'GET', '/tasks'))) await s.call('read', 'GET', `/tasks/${dig(old, 'id')}`);
  const members = itemsOf(await s.call('read', 'GET', '/workspace/members')).map((each) => dig(each, 'id'));
  const team = idOf(await s.call('admin', 'POST', '/teams', { name: 'Assigned', member_ids: [members[0]] }));
  const people = [...members, s.server.foreign.user, 'user_unknown123', team, '', ...WRONG];
  const create = (body: unknown) => s.call('write', 'POST', all, body);
  for (const title of [...NAMES, long(254), long(255), long(257), long(255, 'é'), ...WRONG]) await create({ title });
  for (const description of [
    '',
    long(1001),
    long(9999),
    long(10_000),
    long(10_001),
    long(10_000, 'é'),
    '<p>x</p>\n\ty',
    ...WRONG,
  ])
    await create({ title: 'T', description });
  for (const assignee_id of people) await create({ title: 'T', assignee_id });
  for (const due_date of DATES) await create({ title: 'T', due_date });
  for (const priority of ['low', 'medium', 'high', 'urgent', 'critical', 'HIGH', '', ...WRONG])
    await create({ title: 'T', priority });
  for (const status of ['backlog', 'todo', 'in_progress', 'in_review', 'done', 'in-progress', 'open', 'DONE', '', ...WRONG])
    await create({ title: 'T', status });
  for (const body of [
    {},
    { title: '', status: 'x', priority: 'y' },
    { status: 1, priority: 2 },
    { title: long(256), description: long(10_001) },
  ])
    await create(body);
  const given = {
    id: 'task_mine12345',
    project_id: other,
    created_at: '2001-01-01T00:00:00Z',
    updated_at: '2001-01-01T00:00:00Z',
  };
  await create({ title: 'Given', ...given });
  const full = {
    title: 'Subject',
    description: 'About',
    assignee_id: members[1],
    due_date: '2031-01-01T00:00:00Z',
    priority: 'low',
    status: 'todo',
  };
  const task = idOf(await create(full));
  const path = `/tasks/${task}`;
  const seen = async () => {
    await afterwards(s, path, `${all}?limit=100&filter[assignee_id]=${members[1]}`);
    await s.call('read', 'GET', '/tasks?limit=5&sort=-updated_at');
    await s.call('read', 'GET', `${all}?limit=3&filter[status]=done&filter[assignee_id]=${members[1]}`);
  };
  const set = async (change: unknown) => {
    await s.call('write', 'PATCH', path, change);
    await seen();
  };
  await seen();
  for (const change of [
    {},
    { title: 'New' },
    { description: 'New' },
    { assignee_id: members[2] },
    { assignee_id: members[1] },
    { due_date: '2032-02-02T02:02:02Z' },
  ])
    await set(change);
  for (const status of ['backlog', 'todo', 'in_progress', 'in_review', 'done']) await set({ status });
  for (const priority of ['low', 'medium', 'high', 'urgent']) await set({ priority });
  for (const change of [
    { title: 'A', status: 'todo' },
    { priority: 'low', due_date: '2033-03-03T03:03:03Z', description: 'B' },
    full,
  ])
    await set(change);
  for (const title of [...NAMES, long(255), long(256), ...WRONG]) await s.call('write', 'PATCH', path, { title });
  for (const description of [long(10_000), long(10_001), ...WRONG]) await s.call('write', 'PATCH', path, { description });
  for (const assignee_id of people) await s.call('write', 'PATCH', path, { assignee_id });
  for (const due_date of DATES) await s.call('write', 'PATCH', path, { due_date });
  for (const change of [
    { priority: 'critical' },
    { priority: 'HIGH' },
    { status: 'open' },
    { status: 'DONE' },
    { status: 7 },
    { priority: null },
    { status: null },
    { status: '' },
    { priority: ['low'] },
  ])
    await set(change);
  for (const change of [
    given,
    { title: 'Half', status: 'none' },
    { status: 'done', assignee_id: 'user_unknown123' },
    { title: 'Half', description: long(10_001) },
  ])
    await set(change);
  await taskDeletions(s, task, all, project);
};

const taskDeletions = async (s: Session, task: string, all: string, project: string): Promise<void> => {
  const sibling = idOf(await s.call('write', 'POST', all, { title: 'Sibling', status: 'done' }));
  await s.call('admin', 'DELETE', `/tasks/${task}`);
  for (const path of [
    `/tasks/${task}`,
    `/tasks/${task}/comments`,
    `/tasks/${sibling}`,
    `${all}?limit=100`,
    '/tasks?limit=100',
    `/projects/${project}`,
  ])
    await s.call('read', 'GET', path);
  await s.call('write', 'PATCH', `/tasks/${task}`, { title: 'Ghost' });
  await s.call('write', 'DELETE', `/tasks/${task}`);
  await s.call('write', 'DELETE', `/tasks/${sibling}`);
  await s.call('read', 'GET', `/tasks/${sibling}`);
  const talked = s.server.taskWithComments;
  for (const query of ['', '?limit=2', '?limit=1', '?limit=5', '?limit=4', '?limit=100'])
    await s.walk('read', `/tasks/${talked}/comments${query}`);
  for (const path of [
    `/tasks/${talked.toUpperCase()}`,
    `/tasks/${talked.toLowerCase()}`,
    `/tasks/${talked.slice(0, -1)}`,
    `/tasks/${talked}%20`,
  ])
    await s.call('read', 'GET', path);
  await s.call('write', 'GET', `/tasks/${talked}/comments`);
  await s.call('write', 'DELETE', `/tasks/${talked}`);
  await s.call('read', 'GET', `/tasks/${talked}/comments`);
  await s.call('read', 'GET', `/tasks/${talked}`);
  for (const unknown of ['task_unknown123', 'nope', 'proj_unknown123']) {
    await s.call('read', 'GET', `/tasks/${unknown}`);
    await s.call('read', 'GET', `/tasks/${unknown}/comments`);
    await s.call('write', 'PATCH', `/tasks/${unknown}`, { title: 'x' });
    await s.call('write', 'DELETE', `/tasks/${unknown}`);
  }
};

/** Profiles, members and teams. */
export const people = async (s: Session): Promise<void> => {
  const roles: Role[] = ['admin', 'write', 'read', 'other', 'write'];
  for (const role of roles) await s.call(role, 'GET', '/users/me');
  for (const role of roles) await s.call(role, 'GET', '/workspace/members');
  for (const query of ['?limit=1', '?limit=2', '?limit=3', '?limit=4', '?limit=5'])
    await s.walk('read', `/workspace/members${query}`);
  await s.walk('other', '/workspace/members?limit=1');
  const members = itemsOf(await s.call('read', 'GET', '/workspace/members')).map((each) => dig(each, 'id'));
  const create = (body: unknown) => s.call('admin', 'POST', '/teams', body);
  for (const name of [...NAMES, long(99), long(100), long(101), long(100, 'é'), ...WRONG]) await create({ name });
  await create({});
  let count = 0;
  for (const member_ids of [
    [],
    [members[0]],
    members.slice(0, 2),
    members,
    ['user_unknown123'],
    [s.server.foreign.user],
    [members[1], 'user_unknown123'],
    'x',
    members[0],
    [1],
    [members[0], 7],
    { 0: members[0] },
    null,
  ]) {
    count += 1;
    const made = await create({ name: `Team ${count}`, member_ids });
    await s.call('read', 'GET', `/teams/${idOf(made)}`);
  }
  for (const body of [
    { name: 'Builders' },
    { name: 'Builders', member_ids: [members[0]] },
    { name: 'Team 1' },
    { name: 'Keepers' },
    { name: '', member_ids: 'x' },
  ])
    await create(body);
  await s.call('other', 'POST', '/teams', { name: 'Team 1' });
  await s.call('write', 'POST', '/teams', { name: 'Team 2' });
  const given = { id: 'team_mine12345', created_at: '2001-01-01T00:00:00Z', member_count: 9 };
  await create({ name: 'Given', ...given });
  for (const query of ['', '?limit=2', '?limit=3', '?limit=100']) await s.walk('read', `/teams${query}`);
  await teamDeletion(s, members);
};

const teamDeletion = async (s: Session, members: readonly unknown[]): Promise<void> => {
  const project = idOf(await s.call('write', 'POST', '/projects', { name: 'Of the team', visibility: 'team' }));
  const task = idOf(
    await s.call('write', 'POST', `/projects/${project}/tasks`, { title: 'Of a member', assignee_id: members[1] }),
  );
  const team = idOf(await s.call('admin', 'POST', '/teams', { name: 'Short lived', member_ids: members.slice(1, 4) }));
  await s.call('read', 'GET', `/teams/${team}`);
  await s.call('admin', 'DELETE', `/teams/${team}`);
  for (const path of [
    `/teams/${team}`,
    '/teams?limit=100',
    '/workspace/members',
    `/tasks/${task}`,
    `/projects/${project}`,
    '/users/me',
    '/tasks?limit=100',
  ])
    await s.call('write', 'GET', path);
  await s.call('admin', 'DELETE', `/teams/${team}`);
  await s.call('write', 'PATCH', `/tasks/${task}`, { assignee_id: members[2] });
  const again = await s.call('admin', 'POST', '/teams', { name: 'Short lived' });
  await s.call('read', 'GET', `/teams/${idOf(again)}`);
  for (const unknown of ['team_unknown123', 'nope']) {
    await s.call('read', 'GET', `/teams/${unknown}`);
    await s.call('admin', 'DELETE', `/teams/${unknown}`);
  }
};

// The part of the session in which a client does what the frameworks, databases and caches of a service stumble over.
import { dig, idOf, itemsOf, nextOf, type Session } from '../../judge/reference/session.ts';
import { long } from './values.ts';

const TEXTS = [
  'ﬁne ① ½',
  'Ship 🚀 it',
  'C++ & <b>C</b>',
  "O'Brien",
  'Dear {{name}},',
  '4471',
  'null',
  'Équipe-Süd',
  'Equipe Sud',
  '日本語',
];

/** Texts, and values of other types than they should have. */
const bodies = async (s: Session, inside: string, task: string, project: string): Promise<void> => {
  for (const text of TEXTS) {
    await s.call('write', 'POST', inside, { title: text, description: text });
    await s.call('write', 'PATCH', `/tasks/${task}`, { title: text, description: text });
    await s.call('write', 'POST', '/projects', { name: text, description: text });
    await s.call('write', 'PATCH', `/projects/${project}`, { description: text });
    await s.call('admin', 'POST', '/teams', { name: text });
  }
  for (const body of [
    { title: long(255, '<') },
    { title: 'Long', description: long(10_000, 'é') },
    { title: 'Ordinal', priority: 2 },
    { title: 'Low', priority: 'low' },
    { title: null },
    { title: 'Blank', due_date: '' },
    { title: 'Epoch', due_date: 1_893_553_445 },
    { title: 'Leap', due_date: '2028-02-29T12:00:00Z' },
    { id: 'task_mine12345', title: 'Given' },
  ])
    await s.call('write', 'POST', inside, body);
  await s.call('write', 'POST', inside, '[{"title":"Listed"}]');
  for (const body of [{}, { name: 'Blank', visibility: '' }, { name: 'Given', created_at: '2001-01-01T00:00:00Z' }])
    await s.call('write', 'POST', '/projects', body);
  await s.call('write', 'POST', '/projects', 'name=Form');
  for (const name of [5, long(100, 'é')]) await s.call('admin', 'POST', '/teams', { name });
};

/** Changes of a task and of a project, one field or several at a time. */
const changes = async (s: Session, task: string, project: string, members: readonly unknown[]): Promise<void> => {
  for (const change of [
    { title: 12 },
    { title: '' },
    { assignee_id: members[1], due_date: '2030-12-31T20:15:30Z' },
    { assignee_id: '' },
    { description: 'Alone' },
    { description: long(10_001) },
    { status: 'done', priority: 'high' },
    { status: 'backlog' },
    { status: 'DONE' },
    { priority: ['low'] },
    { due_date: '2030-02-30T12:00:00Z' },
    { due_date: '2030-06-15T00:30:00+05:30' },
    { due_date: '2039-06-15T08:00:00-08:00' },
    { due_date: '2030-06-15T00:30:00Z' },
    { title: 'Moved', project_id: 'proj_unknown123' },
  ]) {
    await s.call('write', 'PATCH', `/tasks/${task}`, change);
    await s.call('read', 'GET', `/tasks/${task}`);
  }
  for (const change of [
    { visibility: 'public', description: 'Two at once' },
    { visibility: 'private' },
    { description: '' },
    { name: 'Kept' },
    { name: 'Kept' },
    { description: { text: 'x' } },
    { name: long(151) },
    { name: 'Half', description: long(1001) },
  ]) {
    await s.call('write', 'PATCH', `/projects/${project}`, change);
    await s.call('read', 'GET', `/projects/${project}`);
  }
};

/** Lists of records that were just changed or deleted. */
const lists = async (s: Session, inside: string, project: string, member: unknown): Promise<void> => {
  for (const title of ['a', 'B', 'b', 'C', 'c', 'B'])
    await s.call('write', 'POST', inside, { title, due_date: '2031-05-05T05:05:05Z' });
  for (const query of ['?sort=title&limit=2', '?sort=due_date&limit=4', '?sort=-updated_at', '?limit=1e1', '?limit=100'])
    await s.walk('read', `${inside}${query}`);
  const first = await s.call('read', 'GET', '/tasks?limit=2');
  for (let time = 0; time < 2; time += 1)
    await s.call('read', 'GET', `/tasks?limit=2&cursor=${encodeURIComponent(nextOf(first))}`);
  for (let time = 0; time < 2; time += 1) await s.call('write', 'POST', '/projects', { name: 'Short', visibility: 'team' });
  await s.walk('read', '/projects?filter%5Bvisibility%5D=team&limit=1');
  await s.call('read', 'GET', '/projects?limit=100');
  for (const status of ['todo', 'done']) {
    const body = { title: 'Short', status, assignee_id: member };
    const task = idOf(await s.call('write', 'POST', inside, body));
    await s.call('write', 'PATCH', `/tasks/${task}`, { status: 'in_review' });
    for (const query of ['filter[status]=in_review', `filter[assignee_id]=${member}`])
      await s.call('read', 'GET', `/tasks?${query}`);
    if (status === 'done') await s.call('write', 'DELETE', `/tasks/${task}`);
  }
  await s.call('write', 'DELETE', `/projects/${project}`);
  for (const path of [
    `/tasks?filter[project_id]=${project}`,
    `/tasks?filter[assignee_id]=${member}`,
    '/tasks?filter[status]=in_review',
    '/projects?filter[visibility]=private&limit=100',
    '/projects',
  ])
    await s.call('read', 'GET', path);
  const comments = `/tasks/${s.server.taskWithComments}/comments`;
  for (const query of ['', '?limit=2', '?limit=5', '?offset=2']) await s.walk('read', `${comments}${query}`);
  await s.call('write', 'DELETE', `/tasks/${s.server.taskWithComments}`);
  await s.call('read', 'GET', comments);
};

/** What keys may do with records of their own users and with those of others. */
const keys = async (s: Session): Promise<void> => {
  const { read } = s.server.keys;
  const basic = { Authorization: `Basic ${Buffer.from(`${read}:`).toString('base64')}` };
  await s.call(null, 'GET', '/projects', undefined, basic);
  const me = idOf(await s.call('read', 'GET', '/users/me'));
  const open = idOf(await s.call('admin', 'POST', '/projects', { name: 'Open', visibility: 'public' }));
  const task = idOf(await s.call('write', 'POST', `/projects/${open}/tasks`, { title: 'Mine', assignee_id: me }));
  await s.call('read', 'PATCH', `/tasks/${task}`, { status: 'done' });
  await s.call('read', 'POST', `/projects/${open}/tasks`, { title: 'Mine too' });
  await s.call('write', 'PATCH', `/tasks/${task}`, { assignee_id: s.server.foreign.user });
  const made = await s.call('admin', 'POST', '/teams', { name: 'Both', member_ids: [me, s.server.foreign.user] });
  await s.call('read', 'GET', `/teams/${idOf(made)}`);
  await s.call('read', 'GET', `/tasks?filter[assignee_id]=${s.server.foreign.user}`);
  await s.call('write', 'DELETE', `/projects/${open}`);
  for (const role of ['read', 'other'] as const)
    for (const path of ['/teams', '/projects?filter[visibility]=team', '/users/me']) await s.call(role, 'GET', path);
};

/** Teams of one name, one after the other. */
const teams = async (s: Session, members: readonly unknown[]): Promise<void> => {
  for (const member_ids of [members.slice(0, 4), [members[0]]]) {
    const body = { name: 'Named again', member_ids };
    const team = idOf(await s.call('admin', 'POST', '/teams', body));
    await s.call('admin', 'POST', '/teams', body);
    await s.call('read', 'GET', `/teams/${team}`);
    await s.call('admin', 'DELETE', `/teams/${team}`);
    for (const role of ['admin', 'read'] as const) await s.call(role, 'GET', `/teams/${team}`);
  }
  await s.call('read', 'GET', '/teams');
  await s.call('read', 'GET', '/workspace/members');
};

/** Registrations and events. */
const hooks = async (s: Session): Promise<void> => {
  const register = (role: 'admin' | 'write' | 'other', path: string, events: readonly string[] | string) =>
    s.call(role, 'POST', '/webhooks', { url: s.receiver(path, 200), events });
  const all = ['task.created', 'task.updated', 'task.deleted', 'project.updated', 'project.deleted'];
  await register('admin', 'Stack?key=A', all);
  await register('admin', 'Stack?key=A', ['task.created', 'task.created']);
  await register('write', 'writer', ['task.deleted']);
  await register('other', 'Stack?key=A', ['task.deleted']);
  await register('admin', 'text', 'task.created,task.updated');
  for (const wait of [0, 6000]) {
    await s.clock.sleep(wait);
    const project = idOf(await s.call('write', 'POST', '/projects', { name: 'Told' }));
    const body = { title: 'Told', assignee_id: idOf(await s.call('read', 'GET', '/users/me')) };
    const task = idOf(await s.call('write', 'POST', `/projects/${project}/tasks`, body));
    await s.call('write', 'POST', `/projects/${project}/tasks`, { title: 'Told too' });
    await s.call('write', 'PATCH', `/tasks/${task}`, { status: 'done', title: 'Told again' });
    await s.call('admin', 'PATCH', `/projects/${project}`, { name: 'Told again' });
    await s.call('read', 'DELETE', `/tasks/${task}`);
    await s.call('write', 'DELETE', `/tasks/${task}`);
    await s.call('write', 'DELETE', `/projects/${project}`);
    await s.clock.sleep(1000);
  }
};

/** What the parts of a service stumble over. */
export const stacks = async (s: Session): Promise<void> => {
  const project = idOf(await s.call('write', 'POST', '/projects', { name: 'Stacks' }));
  const inside = `/projects/${project}/tasks`;
  await s.call('read', 'GET', inside);
  const task = idOf(await s.call('write', 'POST', inside, { title: 'Stacks' }));
  const members = itemsOf(await s.call('read', 'GET', '/workspace/members')).map((each) => dig(each, 'id'));
  await hooks(s);
  await bodies(s, inside, task, project);
  await changes(s, task, project, members);
  await keys(s);
  await teams(s, members);
  await lists(s, inside, project, members[0]);
};

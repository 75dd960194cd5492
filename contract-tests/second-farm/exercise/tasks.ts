// The part of the session on tasks.
import { dig, idOf, itemsOf, type Session } from '../../judge/reference/session.ts';
import { afterwards, DATES, long, NAMES, WRONG } from './values.ts';

const creations = async (create: (body: unknown) => Promise<unknown>, people: readonly unknown[]): Promise<void> => {
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
};

const wrongChanges = async (
  s: Session,
  path: string,
  set: (change: unknown) => Promise<void>,
  people: readonly unknown[],
  given: unknown,
): Promise<void> => {
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
};

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
  await creations(create, people);
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
  await wrongChanges(s, path, set, people, given);
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

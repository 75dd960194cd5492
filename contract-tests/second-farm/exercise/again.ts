// The part of the session in which a client does the same once more, and in other ways.
import { dig, idOf, itemsOf, type Session } from '../../judge/reference/session.ts';

/** Every field of a task twice, in the forms that clients send. */
const tasksAgain = async (
  s: Session,
  project: string,
  members: readonly unknown[],
  emails: readonly unknown[],
): Promise<void> => {
  const inside = `/projects/${project}/tasks`;
  for (const body of [
    { title: 'By email', assignee_id: emails[1] },
    { title: 'In a list', assignee_id: [members[1]] },
    { title: 'In an object', assignee_id: { id: members[1] } },
    { title: 'R&amp;D &lt;1', assignee_id: members[3], due_date: '2030-06-15T10:20:30Z', status: 'in_review', priority: 'low' },
    { title: 'Told', assignee_id: members[2], description: '<em>Two</em>\nlines' },
    { title: 'Weekend', due_date: '2030-06-16T10:00:00Z' },
  ])
    await s.call('write', 'POST', inside, body);
  const task = idOf(await s.call('write', 'POST', inside, { title: 'Again', due_date: '2030-06-14T23:30:00+02:00' }));
  const path = `/tasks/${task}`;
  for (const change of [
    { status: 'done' },
    { status: 'todo' },
    { status: 'in_progress', due_date: '2030-06-10T08:00:00Z' },
    { assignee_id: members[1] },
    { assignee_id: members[2] },
    { assignee_id: members[3] },
    { priority: 'urgent' },
    { priority: 'low', description: 'Both\nof them' },
    { due_date: 'never' },
    { title: 'Once more', status: 'backlog' },
    { title: '' },
    {},
  ]) {
    await s.call('write', 'PATCH', path, change);
    await s.call('read', 'GET', path);
  }
  await s.call('write', 'POST', inside, [{ title: 'In an array' }]);
  await s.call('write', 'POST', '/projects', [{ name: 'In an array' }]);
  await s.call('read', 'GET', `${inside}?limit=100`);
};

/** Tasks that were there before the client, and comments. */
const oldTasks = async (s: Session): Promise<void> => {
  const rows = itemsOf(await s.call('read', 'GET', '/tasks?limit=100'));
  for (const priority of ['low', 'medium', 'urgent']) await s.call('read', 'GET', `/tasks?filter[priority]=${priority}`);
  for (const row of rows) {
    await s.call('read', 'GET', `/tasks/${dig(row, 'id')}/comments`);
    await s.call('write', 'PATCH', `/tasks/${dig(row, 'id')}`, { description: 'Seen' });
  }
  await s.call(
    'write',
    'DELETE',
    `/tasks/${dig(
      rows.find((row) => dig(row, 'id') !== s.server.taskWithComments),
      'id',
    )}`,
  );
  await s.call('read', 'GET', `/tasks/${s.server.taskWithComments}/comments`);
  await s.call('read', 'GET', '/tasks');
};

/** Projects that are renamed, shared and deleted again. */
const projectsAgain = async (s: Session): Promise<void> => {
  const made = idOf(await s.call('write', 'POST', '/projects', { name: 'First', description: 'Some "words"' }));
  const path = `/projects/${made}`;
  for (const change of [
    { name: 'Second' },
    { name: 'Third' },
    { name: 'Third', visibility: 'team' },
    { visibility: 'public' },
    { visibility: 'public' },
    { visibility: 'private' },
    { name: ['Listed'] },
    { visibility: ['team'] },
    { description: { text: 'x' } },
    {},
  ]) {
    await s.call('write', 'PATCH', path, change);
    await s.call('read', 'GET', path);
  }
  await s.call('read', 'DELETE', path);
  const only = idOf(await s.call('write', 'POST', `${path}/tasks`, { title: 'Only', status: 'done', priority: 'urgent' }));
  await s.call('read', 'GET', `/tasks?filter[status]=done`);
  for (const visibility of ['public', 'private']) await s.call('write', 'PATCH', path, { visibility });
  await s.call('read', 'PATCH', `/tasks/${only}`, { status: 'todo' });
  await s.call('write', 'DELETE', `/tasks/${only}`);
  for (const target of [path, `/tasks/${only}`, '/tasks?filter[status]=done', '/projects?filter[visibility]=private'])
    await s.call('read', 'GET', target);
  await s.call('write', 'PATCH', `/tasks/${only}`, { title: 'Ghost' });
  await s.call('write', 'DELETE', path);
  await s.call('write', 'DELETE', path);
  await s.call('write', 'PATCH', path, { name: 'Ghost' });
  await s.call('read', 'GET', path);
  await s.call('read', 'GET', '/projects?limit=100');
};

/** Teams and registrations that are made twice. */
const twice = async (s: Session, members: readonly unknown[]): Promise<void> => {
  const make = (body: unknown) => s.call('admin', 'POST', '/teams', body);
  for (const body of [
    { name: 'Two &amp; <two>', member_ids: [members[0], members[0], members[1]] },
    { name: 'One', member_ids: [members[2]] },
    { name: 'Text', member_ids: `${members[0]},${members[1]}` },
    { name: 'One' },
    { name: 'One' },
    { name: 'one' },
    { name: 7 },
    { name: null },
  ])
    await make(body);
  const last = idOf(await make({ name: 'Last', member_ids: members }));
  for (const role of ['read', 'write', 'other'] as const) await s.call(role, 'GET', `/teams/${last}`);
  await s.call('read', 'GET', '/teams?limit=100');
  await s.call('admin', 'DELETE', `/teams/${last}`);
  await s.call('read', 'GET', `/teams/${last}`);
  await s.call('read', 'GET', '/workspace/members');
};

const register = async (s: Session): Promise<void> => {
  for (const events of [
    ['task.created', 'task.deleted'],
    ['project.created', 'project.updated'],
    ['member.joined', 'task.updated'],
    [9],
  ])
    await s.call('admin', 'POST', '/webhooks', { url: s.receiver('again', 200), events });
};

/** Keys where they do not belong, and one that was revoked. */
const keysAgain = async (s: Session): Promise<void> => {
  for (const path of ['/projects', '/users/me']) {
    await s.call('read', 'GET', path);
    await s.call(null, 'GET', path);
    await s.call(null, 'GET', `${path}?api_key=${s.server.keys.read}`);
    await s.call(null, 'GET', path, undefined, { 'X-Api-Key': s.server.keys.read });
    for (let count = 0; count < 2; count += 1) await s.call('revoked', 'GET', path);
  }
};

/** What is done once more, and in other ways. */
export const again = async (s: Session): Promise<void> => {
  await register(s);
  const rows = itemsOf(await s.call('read', 'GET', '/workspace/members'));
  const members = rows.map((each) => dig(each, 'id'));
  await keysAgain(s);
  await oldTasks(s);
  const project = idOf(await s.call('write', 'POST', '/projects', { name: 'Again', visibility: 'team' }));
  await tasksAgain(
    s,
    project,
    members,
    rows.map((each) => dig(each, 'email')),
  );
  await projectsAgain(s);
  await twice(s, members);
  for (const list of ['/projects', '/teams', '/workspace/members', `/projects/${project}/tasks`]) {
    for (const query of ['', '?limit=3', '?limit=99', '?limit=abc', '?limit=']) await s.walk('read', `${list}${query}`);
  }
  await s.clock.sleep(90_000);
};

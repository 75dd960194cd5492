// The part of the session at the seams: where two fields, two filters or two records meet.
import { dig, idOf, itemsOf, nextOf, type Session } from '../../judge/reference/session.ts';
import { long } from './values.ts';

/** Fields of a task that meet in one request. */
const pairs = async (s: Session, inside: string, members: readonly unknown[]): Promise<void> => {
  for (const body of [
    { title: 'Due and assigned', assignee_id: members[1], due_date: '2030-07-02T23:30:45+02:00' },
    { title: 'Due', due_date: '2030-07-02T12:15:30-03:00', priority: 'urgent' },
    { description: 'No title', status: 'todo' },
    { title: long(256), priority: 'odd', due_date: 'never' },
  ])
    await s.call('write', 'POST', inside, body);
  const lines = { title: 'Lines', description: 'One\nTwo', status: 'in_review', priority: 'urgent' };
  const path = `/tasks/${idOf(await s.call('write', 'POST', inside, lines))}`;
  for (const change of [
    { title: 'Lines, renamed' },
    { title: long(256), priority: 'odd', due_date: 'never' },
    { title: long(252) },
    { assignee_id: s.server.foreign.user },
    { assignee_id: members[0] },
    { due_date: '2030-07-02T23:30:45+02:00' },
    { due_date: '2030-08-03T01:02:03Z' },
  ]) {
    await s.call('write', 'PATCH', path, change);
    await s.call('read', 'GET', path);
  }
  await s.call('write', 'DELETE', path);
  await s.call('read', 'GET', path);
};

/** Filters that meet an order, or each other, and the cursor alone. */
const cursors = async (s: Session, project: string, inside: string): Promise<void> => {
  for (let index = 0; index < 8; index += 1) {
    const body = { title: `Cursor ${index}`, status: index % 2 ? 'todo' : 'done', priority: index % 3 ? 'low' : 'high' };
    await s.call('write', 'POST', inside, body);
    await s.call('write', 'POST', '/projects', { name: `Cursor ${index}`, visibility: index % 2 ? 'team' : 'public' });
  }
  for (const [list, query] of [
    [inside, 'filter[status]=done&filter[priority]=low&limit=1'],
    ['/tasks', 'filter[priority]=low&filter[status]=todo&limit=1'],
    ['/projects', 'filter[visibility]=team&sort=-created_at&limit=2'],
    ['/tasks', `filter[project_id]=${project}&sort=title&limit=2`],
  ] as const) {
    const next = nextOf(await s.call('read', 'GET', `${list}?${query}`));
    await s.call('read', 'GET', `${list}?cursor=${encodeURIComponent(next)}`);
    await s.walk('read', `${list}?${query}`);
  }
};

/** Where two fields, two filters or two records meet. */
export const seams = async (s: Session): Promise<void> => {
  const old = itemsOf(await s.call('read', 'GET', '/projects?limit=100'));
  for (const row of old) await s.call('read', 'GET', `/projects/${dig(row, 'id')}/tasks`);
  const members = itemsOf(await s.call('read', 'GET', '/workspace/members')).map((each) => dig(each, 'id'));
  const project = idOf(await s.call('write', 'POST', '/projects', { name: 'Seams' }));
  const inside = `/projects/${project}/tasks`;
  await pairs(s, inside, members);
  await cursors(s, project, inside);
  await s.call('write', 'POST', '/projects', { name: long(151), description: long(1001) });
  for (const body of [
    { url: s.receiver('seams', 200), events: ['task.created', 7] },
    { url: 'http://hooks.example.test:8080/plain', events: ['task.created'] },
  ])
    await s.call('admin', 'POST', '/webhooks', body);
  await s.call(null, 'POST', inside, '{');
  await s.call(null, 'PATCH', '/tasks/task_unknown123', { title: 'x' });
};

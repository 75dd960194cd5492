// The part of the session in the second workspace, and with keys and headers that are almost right.
import { dig, idOf, itemsOf, type Session } from '../../judge/reference/session.ts';

const strange = async (s: Session): Promise<void> => {
  const { admin, read, revoked } = s.server.keys;
  await s.send('GET', '/users/me', { Authorization: `Bearer ${read.toUpperCase()}` });
  await s.send('GET', `/users/me?access_token=${read}`, {});
  await s.send('GET', '/users/me', { Cookie: `session=${admin}` });
  for (const list of ['/workspace/members', '/teams', '/projects', '/tasks']) {
    await s.send('GET', list, { Authorization: `Bearer ${revoked}` });
    await s.send('GET', list, { Authorization: 'Bearer unknown-key' });
    await s.send('GET', list, { Authorization: `Bearer ${read}`, Accept: 'text/csv' });
  }
  await s.send('GET', '/tasks/task_unknown123', { Authorization: `Bearer ${read}`, Accept: 'text/html' });
  const project = idOf(await s.call('write', 'POST', '/projects', { name: 'Kept' }));
  await s.call('revoked', 'PATCH', `/projects/${project}`, { name: 'Changed' });
  await s.call('revoked', 'POST', '/webhooks', { url: 'https://hooks.example.test/revoked', events: ['task.created'] });
  await s.call('read', 'GET', `/projects/${project}`);
};

export const elsewhere = async (s: Session): Promise<void> => {
  await strange(s);
  await s.clock.sleep(61_000);
  const members = itemsOf(await s.call('other', 'GET', '/workspace/members')).map((each) => dig(each, 'id'));
  await s.call('other', 'GET', '/users/me');
  const project = idOf(await s.call('other', 'POST', '/projects', { name: 'Far', visibility: 'team' }));
  const task = idOf(
    await s.call('other', 'POST', `/projects/${project}/tasks`, { title: 'Far', priority: 'high', assignee_id: members[0] }),
  );
  const team = idOf(await s.call('other', 'POST', '/teams', { name: 'Far', member_ids: members.slice(0, 2) }));
  await s.call('other', 'PATCH', `/projects/${project}`, { description: 'Further' });
  await s.call('other', 'PATCH', `/tasks/${task}`, { status: 'todo' });
  for (const path of [
    `/projects/${project}`,
    `/tasks/${task}`,
    `/teams/${team}`,
    `/tasks/${s.server.foreign.task}/comments`,
    '/tasks?filter[priority]=high',
    '/tasks?filter[status]=todo&sort=title',
  ])
    await s.call('other', 'GET', path);
  await s.call('other', 'DELETE', `/tasks/${task}`);
  await s.call('other', 'GET', `/tasks/${task}`);
  await s.clock.sleep(61_000);
  s.paced = false;
  for (let count = 0; count < 64; count += 1) await s.call('other', 'GET', '/users/me');
};

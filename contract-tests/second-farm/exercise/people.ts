// The part of the session on profiles, members and teams.
import { dig, idOf, itemsOf, type Role, type Session } from '../../judge/reference/session.ts';
import { long, NAMES, WRONG } from './values.ts';

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

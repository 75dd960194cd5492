// The part of the session that looks at what was refused, and at what holds alone and not together.
import { idOf, nextOf, type Session } from '../../judge/reference/session.ts';

const refused = async (s: Session, project: string): Promise<void> => {
  const talked = s.server.taskWithComments;
  await s.call('read', 'DELETE', `/tasks/${talked}`);
  await s.call('read', 'GET', `/tasks/${talked}/comments`);
  await s.call('write', 'PATCH', `/projects/${project}`, { visibility: 'public' });
  await s.call('other', 'GET', `/projects/${project}`);
  const cursor = nextOf(await s.call('write', 'GET', '/projects?limit=1'));
  await s.call('other', 'GET', `/projects?limit=1&cursor=${encodeURIComponent(cursor)}`);
  await s.call('admin', 'POST', '/teams', { name: 'Taken by nobody', member_ids: ['user_unknown123'] });
  await s.call('admin', 'POST', '/teams', { name: 'Taken by nobody' });
  for (const body of [{ name: 5, description: 'left behind' }, { name: 'After it' }, { name: 'False', description: false }])
    await s.call('write', 'POST', '/projects', body);
};

export const fresh = async (s: Session): Promise<void> => {
  const project = idOf(await s.call('write', 'POST', '/projects', { name: 'Fresh' }));
  const inside = `/projects/${project}/tasks`;
  for (const title of [
    'A title as long as it has to be: b',
    'A title as long as it has to be: c',
    'A title as long as it has to be: a',
    '0',
  ])
    await s.call('write', 'POST', inside, { title, description: 'a%20b', status: 'todo', priority: 'low' });
  const first = idOf(await s.call('write', 'POST', inside, { title: 'First', status: 'todo' }));
  await s.clock.sleep(5000);
  await s.call('write', 'POST', inside, { title: 'Second', status: 'done', priority: 'low' });
  await s.call('write', 'PATCH', `/tasks/${first}`, { status: 'done' });
  for (const query of [
    'sort=title',
    'sort=-title',
    'sort=updated_at',
    'filter[status]=done&filter[priority]=low&sort=updated_at',
  ])
    await s.call('read', 'GET', `${inside}?${query}`);
  await refused(s, project);
};

// The part of the session in which one request follows another at once.
import { dig, idOf, itemsOf, nextOf, type Role, type Session } from '../../judge/reference/session.ts';

const ROLES: readonly Role[] = ['admin', 'read', 'write'];

/** The same list asked in many ways, one right after the other. */
const askedInTurn = async (s: Session, project: string, other: string): Promise<void> => {
  const inside = `/projects/${project}/tasks`;
  for (const path of [
    '/tasks?filter[status]=todo',
    '/tasks?filter[status]=done',
    '/tasks?filter[priority]=low',
    '/tasks',
    `${inside}?sort=title`,
    `${inside}?sort=-title`,
    `${inside}?sort=due_date`,
    inside,
    `/projects/${other}/tasks`,
    '/projects?limit=2',
    '/projects?limit=3',
    '/projects',
    '/projects?filter[visibility]=team',
  ])
    await s.call('read', 'GET', path);
  await s.walk('read', `${inside}?limit=2`);
  await s.walk('read', `/tasks?filter[status]=todo&limit=1`);
  await s.walk('read', `/tasks?filter[status]=done&limit=1`);
  for (const role of ['read', 'other', 'admin'] as Role[]) {
    await s.call(role, 'GET', '/workspace/members');
    await s.call(role, 'GET', '/teams');
    await s.call(role, 'GET', '/users/me');
  }
  const [north, south] = [await s.call('read', 'GET', '/tasks?limit=1'), await s.call('other', 'GET', '/tasks?limit=1')];
  await s.call('other', 'GET', `/tasks?limit=1&cursor=${encodeURIComponent(nextOf(north))}`);
  await s.call('read', 'GET', `/tasks?limit=1&cursor=${encodeURIComponent(nextOf(south))}`);
};

/** Records that several keys read before and after one of them changes or deletes them. */
const readAndDeleted = async (s: Session): Promise<void> => {
  const project = idOf(await s.call('write', 'POST', '/projects', { name: 'Short', visibility: 'public', description: 'd' }));
  const task = idOf(await s.call('write', 'POST', `/projects/${project}/tasks`, { title: 'Short', status: 'in_progress' }));
  const single = idOf(await s.call('write', 'POST', `/projects/${project}/tasks`, { title: 'Single' }));
  const team = idOf(await s.call('admin', 'POST', '/teams', { name: 'Short' }));
  const paths = [`/projects/${project}`, `/tasks/${task}`, `/tasks/${single}`, `/teams/${team}`, `/tasks/${task}/comments`];
  const look = async () => {
    for (const role of ROLES) for (const path of paths) await s.call(role, 'GET', path);
  };
  await look();
  await s.call('write', 'PATCH', `/tasks/${task}`, { title: 'Changed' });
  await s.call('read', 'GET', `/tasks/${task}`);
  await s.call('write', 'PATCH', `/projects/${project}`, { name: 'Changed' });
  await look();
  await s.call('write', 'DELETE', `/tasks/${single}`);
  await s.call('admin', 'DELETE', `/teams/${team}`);
  await s.call('write', 'DELETE', `/projects/${project}`);
  await look();
  for (const path of ['/projects', '/tasks', '/teams']) for (const role of ROLES) await s.call(role, 'GET', path);
  await s.clock.sleep(4000);
  await look();
  await s.call('read', 'GET', '/projects?limit=100');
};

const changedAtOnce = async (s: Session, project: string, other: string): Promise<void> => {
  const member = dig(itemsOf(await s.call('read', 'GET', '/workspace/members'))[0], 'id');
  const made = await s.call('write', 'POST', `/projects/${project}/tasks`, { title: 'Twice', assignee_id: member });
  const path = `/tasks/${idOf(made)}`;
  await s.call('write', 'PATCH', path, { priority: 'high' });
  await s.call('admin', 'PATCH', path, { status: 'todo' });
  await s.call('write', 'PATCH', path, { title: 'Twice', description: 'Told' });
  await s.call('read', 'GET', path);
  await s.call('write', 'PATCH', `/projects/${project}`, { description: 'One' });
  await s.call('admin', 'PATCH', `/projects/${project}`, { visibility: 'team' });
  await s.call('write', 'PATCH', `/projects/${project}`, { name: 'Quick', description: 'Two' });
  await s.call('read', 'GET', `/projects/${project}`);
  const twin = idOf(await s.call('write', 'POST', `/projects/${project}/tasks`, { title: 'Twin' }));
  await s.call('write', 'POST', `/projects/${project}/tasks`, { title: 'Twin' });
  await s.call('write', 'POST', `/projects/${other}/tasks`, { title: 'Elsewhere' });
  await s.call('write', 'PATCH', `/tasks/${twin}`, { priority: 'urgent' });
  await s.call('write', 'PATCH', path, { status: 'in_review' });
  await s.call('write', 'PATCH', `/tasks/${twin}`, { description: 'Only this' });
  for (const list of [`/projects/${project}/tasks`, `/projects/${other}/tasks`, '/tasks']) await s.call('read', 'GET', list);
  for (const name of ['Twin', 'Twin']) await s.call('write', 'POST', '/projects', { name });
  await s.call('read', 'GET', '/projects');
};

const refusedAtOnce = async (s: Session, project: string): Promise<void> => {
  const path = `/projects/${project}`;
  for (const role of ['read', 'write', 'read', 'admin'] as Role[]) await s.call(role, 'PATCH', path, { name: 'Quick' });
  await s.call('write', 'GET', path);
  await s.call(null, 'GET', path);
  await s.call('write', 'POST', '/projects', { name: '' });
  await s.call('write', 'POST', '/projects', { name: 'Fine', visibility: 'odd' });
  await s.call('write', 'POST', `/projects/${project}/tasks`, { title: 'Fine', priority: 'odd' });
};

const teamsAtOnce = async (s: Session): Promise<void> => {
  const members = itemsOf(await s.call('read', 'GET', '/workspace/members')).map((each) => dig(each, 'id'));
  const one = idOf(await s.call('admin', 'POST', '/teams', { name: 'Quick', member_ids: members.slice(0, 2) }));
  await s.call('admin', 'POST', '/teams', { name: 'Quick' });
  await s.call('admin', 'POST', '/teams', { name: 'Quick', member_ids: [members[2]] });
  const other = idOf(await s.call('admin', 'POST', '/teams', { name: 'Quicker', member_ids: members }));
  for (const team of [one, other, one]) await s.call('read', 'GET', `/teams/${team}`);
  await s.call('admin', 'DELETE', `/teams/${one}`);
  const again = idOf(await s.call('admin', 'POST', '/teams', { name: 'Quick' }));
  await s.call('read', 'GET', `/teams/${again}`);
  await s.call('read', 'GET', '/teams?limit=100');
};

/** One request right after the other. */
export const quick = async (s: Session): Promise<void> => {
  s.paced = false;
  const project = idOf(await s.call('write', 'POST', '/projects', { name: 'Quick' }));
  const other = idOf(await s.call('write', 'POST', '/projects', { name: 'Slow' }));
  for (const title of ['b', 'a', 'c', 'd', 'e'])
    await s.call('write', 'POST', `/projects/${project}/tasks`, { title, status: title === 'c' ? 'done' : 'todo' });
  await s.call('read', 'GET', `/projects/${project}/tasks`);
  for (const step of [
    () => changedAtOnce(s, project, other),
    () => askedInTurn(s, project, other),
    () => refusedAtOnce(s, project),
    () => teamsAtOnce(s),
    () => readAndDeleted(s),
  ]) {
    await s.clock.sleep(61_000);
    await step();
  }
};

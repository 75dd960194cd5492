// The parts of the session in which lists are asked for in ways that are rare, and are longer than a page.
import { dig, idOf, itemsOf, nextOf, type Role, type Session } from '../../judge/reference/session.ts';

const PRIORITIES = ['low', 'medium', 'high', 'urgent'];
const STATUSES = ['backlog', 'todo', 'in_progress', 'in_review', 'done'];
const VISIBILITIES = ['private', 'team', 'public'];

/** A page, and the next one by its cursor alone or with something beside it. */
const twoPages = async (s: Session, role: Role, path: string, beside = ''): Promise<void> => {
  const first = await s.call(role, 'GET', path);
  if (nextOf(first) !== '')
    await s.call(role, 'GET', `${path.split('?')[0]}?cursor=${encodeURIComponent(nextOf(first))}${beside}`);
};

/** Tasks and projects of all kinds. */
const fill = async (s: Session, members: readonly unknown[]): Promise<string> => {
  const project = idOf(await s.call('write', 'POST', '/projects', { name: 'Rare', visibility: 'public' }));
  for (const [index, visibility] of [...VISIBILITIES, ...VISIBILITIES].entries())
    await s.call('write', 'POST', '/projects', { name: `Rare ${index}`, visibility });
  const again = itemsOf(await s.call('read', 'GET', '/projects?filter[visibility]=public'));
  for (const row of again.slice(0, 1)) await s.call('write', 'PATCH', `/projects/${dig(row, 'id')}`, { description: 'Touched' });
  for (let index = 0; index < 10; index += 1) {
    await s.clock.sleep(1500);
    await s.call('write', 'POST', `/projects/${project}/tasks`, {
      title: `rare ${'fgabhcidje'[index]}`,
      status: STATUSES[index % 5],
      priority: PRIORITIES[index % 4],
      ...(index % 2 ? { assignee_id: members[1], due_date: `2031-0${9 - (index % 7)}-01T00:00:00Z` } : {}),
    });
  }
  const rows = itemsOf(await s.call('read', 'GET', `/projects/${project}/tasks`));
  for (const row of rows.slice(0, 4)) {
    await s.clock.sleep(1500);
    await s.call('write', 'PATCH', `/tasks/${dig(row, 'id')}`, { description: 'Touched' });
  }
  return project;
};

export const rarely = async (s: Session): Promise<void> => {
  const members = itemsOf(await s.call('read', 'GET', '/workspace/members')).map((each) => dig(each, 'id'));
  const project = await fill(s, members);
  const inside = `/projects/${project}/tasks`;
  for (const value of PRIORITIES) await s.call('read', 'GET', `/tasks?filter[priority]=${value}`);
  for (const value of STATUSES) await s.call('read', 'GET', `/tasks?filter[status]=${value}`);
  for (const sort of ['updated_at', '-updated_at', 'created_at']) {
    await s.call('read', 'GET', `/tasks?sort=${sort}`);
    for (const value of VISIBILITIES) await s.call('write', 'GET', `/projects?filter[visibility]=${value}&sort=${sort}`);
    await s.call('write', 'GET', `${inside}?filter[status]=todo&sort=${sort}`);
  }
  for (const value of VISIBILITIES) {
    await s.call('read', 'GET', `/projects?filter[visibility]=${value}`);
    await twoPages(s, 'write', `/projects?filter[visibility]=${value}&limit=1`);
  }
  for (const value of PRIORITIES) {
    await s.call('write', 'GET', `${inside}?filter[priority]=${value}&sort=due_date`);
    await s.call('write', 'GET', `/tasks?filter[priority]=${value}&sort=-title`);
    await twoPages(s, 'write', `${inside}?filter[priority]=${value}&limit=1`);
  }
  const comments = `/tasks/${s.server.taskWithComments}/comments`;
  for (const query of ['?sort=created_at', '?sort=-created_at', '?limit=100']) await s.call('read', 'GET', comments + query);
  for (const size of [1, 2, 3]) await s.walk('read', `${comments}?limit=${size}`, 8);
  for (const query of [
    'filter[status]=DONE',
    `filter[project_id]=${project.slice(0, -1)}`,
    `filter[project_id]=proj_unknown123&sort=title`,
    `filter[assignee_id]=${String(members[1]).slice(0, 6)}%25`,
    `filter[assignee_id]=${members[1]}&filter[status]=todo`,
    `filter[assignee_id]=${members[1]}&filter[priority]=low`,
    'sort=title,nonsense',
    'filter[project_id]=proj_unknown123',
  ])
    await s.call('write', 'GET', `/tasks?${query}`);
  const empty = idOf(await s.call('write', 'POST', '/projects', { name: 'Rare and empty' }));
  for (const sort of ['title', '-due_date']) await s.call('read', 'GET', `/projects/${empty}/tasks?sort=${sort}`);
  for (const sort of ['due_date', 'created_at', '-created_at', 'title'])
    await s.walk('read', `${inside}?sort=${sort}&limit=3`, 6);
  for (const size of [2, 4, 7]) await twoPages(s, 'read', `${inside}?limit=3`, `&limit=${size}`);
  const first = await s.call('read', 'GET', `${inside}?sort=created_at&limit=3`);
  await s.call('write', 'DELETE', `/tasks/${dig(itemsOf(first).at(-1), 'id')}`);
  await s.call('read', 'GET', `${inside}?cursor=${encodeURIComponent(nextOf(first))}&limit=3&sort=created_at`);
  for (const name of ['A', 'B', 'C', 'D']) await s.call('admin', 'POST', '/teams', { name: `Rare ${name}` });
  await s.walk('read', '/teams?limit=2');
};

/** More than a page of projects, and more than a hundred tasks; then they are deleted with their project. */
export const crowds = async (s: Session): Promise<void> => {
  for (let index = 0; index < 21; index += 1) await s.call('write', 'POST', '/projects', { name: `Crowd ${index}` });
  await s.call('read', 'GET', '/projects');
  await s.walk('read', '/projects?limit=20');
  const project = idOf(await s.call('write', 'POST', '/projects', { name: 'Crowded' }));
  const inside = `/projects/${project}/tasks`;
  for (let index = 0; index < 102; index += 1) await s.call('write', 'POST', inside, { title: `crowd ${index}` });
  await s.walk('read', `${inside}?limit=100`);
  await s.call('read', 'GET', inside);
  const rows = itemsOf(await s.call('read', 'GET', `${inside}?limit=30`));
  await s.call('write', 'DELETE', `/projects/${project}`);
  for (const row of [rows[0], rows[29]]) await s.call('read', 'GET', `/tasks/${dig(row, 'id')}`);
  await s.call('read', 'GET', '/tasks');
};

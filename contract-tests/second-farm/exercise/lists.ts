// The parts of the session on pages, filters and orders.
import { dig, idOf, itemsOf, nextOf, type Session } from '../../judge/reference/session.ts';
import { PRIORITIES, pick, STATUSES } from './values.ts';

const fillTasks = async (s: Session, project: string, members: readonly unknown[], count: number): Promise<void> => {
  for (let index = 0; index < count; index += 1) {
    const due =
      index % 3 === 0
        ? {}
        : { due_date: new Date(Date.UTC(2030, (index * 5) % 12, 1 + ((index * 7) % 28), index % 24)).toISOString() };
    const assignee = index % 4 === 1 ? {} : { assignee_id: pick(members, index) };
    const body = {
      title: `${pick(['b', 'a', 'd', 'c', '10', '9'], index)} ${index % 10}`,
      status: pick(STATUSES, index * 3),
      priority: pick(PRIORITIES, index >> 1),
    };
    await s.call('write', 'POST', `/projects/${project}/tasks`, { ...body, ...due, ...assignee });
  }
};

const pagesOf = async (s: Session, path: string): Promise<void> => {
  for (const query of ['', '?limit=7', '?limit=20', '?limit=46', '?limit=100']) await s.walk('read', `${path}${query}`);
  for (const limit of ['1', '46', '0', '-1', '101', '150', '1000', 'abc', '1.5', '10abc', '', '1e1', '%2010'])
    await s.call('read', 'GET', `${path}?limit=${limit}`);
  for (const query of [
    '?page=2',
    '?offset=5',
    '?page=2&limit=5',
    '?cursor=broken',
    '?sort=banana',
    '?sort=-banana',
    '?sort=id',
    '?sort=-',
  ])
    await s.call('read', 'GET', `${path}${query}`);
};

const filtersOf = async (s: Session, path: string, members: readonly unknown[]): Promise<void> => {
  const who = members[2];
  for (const sort of ['due_date', 'created_at', 'updated_at', 'title'])
    for (const sign of ['', '-']) {
      await s.walk('read', `${path}?limit=11&sort=${sign}${sort}`);
      await s.call('read', 'GET', `${path}?sort=${sign}${sort}`);
    }
  for (const status of [...STATUSES, 'other', 'DONE', 'in%', "o'hara"])
    await s.call('read', 'GET', `${path}?filter[status]=${encodeURIComponent(status)}`);
  for (const priority of PRIORITIES) await s.call('read', 'GET', `${path}?filter[priority]=${priority}`);
  for (const member of [...members, 'user_unknown1', s.server.foreign.user])
    await s.call('read', 'GET', `${path}?filter[assignee_id]=${member}`);
  await s.call('read', 'GET', `${path}?filter%5Bstatus%5D=todo`);
  for (const filters of [
    `filter[status]=todo&filter[priority]=high`,
    `filter[priority]=low&filter[assignee_id]=${who}`,
    `filter[assignee_id]=${who}&filter[status]=done&filter[priority]=medium`,
  ]) {
    await s.call('read', 'GET', `${path}?${filters}`);
    await s.walk('read', `${path}?${filters}&limit=1`);
    await s.walk('read', `${path}?${filters}&limit=1&sort=-title`);
  }
};

/** Pages, filters and orders of all lists. */
export const lists = async (s: Session): Promise<void> => {
  const members = itemsOf(await s.call('read', 'GET', '/workspace/members')).map((each) => dig(each, 'id'));
  const project = idOf(await s.call('write', 'POST', '/projects', { name: 'Many' }));
  const few = idOf(await s.call('write', 'POST', '/projects', { name: 'Few' }));
  await fillTasks(s, project, members, 46);
  await fillTasks(s, few, members, 5);
  for (let index = 0; index < 24; index += 1)
    await s.call('write', 'POST', '/projects', {
      name: `${pick(['N', 'M', 'O'], index)} ${index}`,
      visibility: pick(['team', 'public', 'private'], index >> 1),
    });
  for (let index = 0; index < 23; index += 1) await s.call('admin', 'POST', '/teams', { name: `Team ${index}` });
  await s.call('write', 'PATCH', `/projects/${few}`, { name: 'Few, changed' });
  const inside = `/projects/${project}/tasks`;
  for (const path of ['/projects', '/tasks', '/teams', inside]) await pagesOf(s, path);
  for (const path of ['/tasks', inside]) await filtersOf(s, path, members);
  for (let index = 0; index < 8; index += 1) {
    const three = [
      `filter[status]=${pick(STATUSES, index * 3)}`,
      `filter[priority]=${pick(PRIORITIES, index >> 1)}`,
      `filter[assignee_id]=${pick(members, index + 1)}`,
    ];
    await s.call('read', 'GET', `/tasks?${three.join('&')}`);
  }
  await listsTwo(s, project, few, String(members[2]));
};

const listsTwo = async (s: Session, project: string, few: string, who: string): Promise<void> => {
  for (const id of [project, few, 'proj_unknown1', s.server.foreign.project]) {
    await s.call('read', 'GET', `/tasks?filter[project_id]=${id}`);
    await s.call('read', 'GET', `/tasks?filter[project_id]=${id}&filter[status]=done&limit=2`);
    await s.call('read', 'GET', `/projects/${project}/tasks?filter[project_id]=${id}`);
  }
  await s.walk('read', `/tasks?filter[project_id]=${project}&limit=20`);
  for (const visibility of ['private', 'team', 'public', 'PUBLIC', 'none'])
    await s.walk('read', `/projects?limit=4&filter[visibility]=${visibility}`);
  for (const sort of ['created_at', '-created_at', 'updated_at', '-updated_at', 'name', 'title', 'due_date'])
    await s.walk('read', `/projects?limit=6&sort=${sort}`);
  await s.walk('read', '/projects?limit=3&filter[visibility]=team&sort=-created_at');
  // The cursor alone, without what it came from.
  for (const query of [
    '?filter[status]=todo&limit=3',
    '?filter[priority]=high&limit=2',
    `?filter[assignee_id]=${who}&filter[status]=done&limit=1`,
    `?filter[assignee_id]=${who}&limit=1`,
    '?filter[status]=done&limit=2&sort=-due_date',
    `?filter[project_id]=${few}&limit=2`,
  ]) {
    const first = await s.call('read', 'GET', `/tasks${query}`);
    if (nextOf(first) === '') continue;
    const sort = query.includes('sort') ? '&sort=-due_date' : '';
    await s.call('read', 'GET', `/tasks?limit=3${sort}&cursor=${encodeURIComponent(nextOf(first))}`);
    await s.call('other', 'GET', `/tasks?limit=3${sort}&cursor=${encodeURIComponent(nextOf(first))}`);
  }
  const first = await s.call('read', 'GET', '/projects?filter[visibility]=public&limit=3');
  await s.call('read', 'GET', `/projects?limit=3&cursor=${encodeURIComponent(nextOf(first))}`);
  await s.call('write', 'DELETE', `/projects/${few}`);
  await s.call('read', 'GET', '/tasks?limit=1');
  const empty = idOf(await s.call('write', 'POST', '/projects', { name: 'Nothing' }));
  for (const query of ['', '?limit=5', '?sort=due_date', '?filter[status]=done'])
    await s.call('read', 'GET', `/projects/${empty}/tasks${query}`);
  await s.call('write', 'PATCH', `/projects/${empty}`, { name: 'Nothing at all' });
  await s.call('read', 'GET', '/projects?limit=3&sort=-updated_at');
};

/** Lists of more than a hundred rows. */
export const many = async (s: Session): Promise<void> => {
  const members = itemsOf(await s.call('read', 'GET', '/workspace/members')).map((each) => dig(each, 'id'));
  const project = idOf(await s.call('write', 'POST', '/projects', { name: 'Very many' }));
  await fillTasks(s, project, members, 215);
  for (const path of [`/projects/${project}/tasks`, '/tasks']) {
    for (const query of [
      '?limit=100',
      '?limit=99',
      '?limit=50',
      '?limit=100&sort=-due_date',
      '?limit=100&filter[status]=todo',
      '?limit=101',
      '?limit=500',
      '?limit=20',
    ])
      await s.walk('read', `${path}${query}`, 12);
  }
  await s.call('write', 'DELETE', `/projects/${project}`);
  await s.call('read', 'GET', '/tasks?limit=100');
};

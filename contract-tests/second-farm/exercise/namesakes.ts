// The part of the session in which records have equal names, and requests leave out what others before them gave.
import { dig, idOf, itemsOf, type Session } from '../../judge/reference/session.ts';

const defaults = async (s: Session, members: readonly unknown[]): Promise<void> => {
  const given = { description: 'Given', visibility: 'public' };
  const open = idOf(await s.call('write', 'POST', '/projects', { name: 'Given', ...given }));
  const bare = idOf(await s.call('write', 'POST', '/projects', { name: 'Bare' }));
  await s.call('read', 'GET', `/projects/${bare}`);
  await s.call('read', 'GET', '/projects?filter[visibility]=private&limit=100');
  const full = {
    title: 'Given',
    description: `Line one\nline two & more ${'x'.repeat(4500)}`,
    assignee_id: members[3],
    due_date: '2031-03-04T05:06:07Z',
    priority: 'urgent',
    status: 'in_review',
  };
  const inside = `/projects/${open}/tasks`;
  const task = idOf(await s.call('write', 'POST', inside, full));
  const next = idOf(await s.call('write', 'POST', inside, { title: 'Bare' }));
  for (const id of [task, next]) await s.call('read', 'GET', `/tasks/${id}`);
  for (const list of [inside, '/tasks?filter[priority]=medium&limit=100', '/tasks?filter[status]=backlog&limit=100'])
    await s.call('read', 'GET', list);
  for (const change of [
    { title: 'Given', status: 'done' },
    { description: '' },
    { title: 'Renamed when done' },
    { status: 'done' },
    { due_date: '2020-01-01T00:00:00Z' },
    { assignee_id: members[2], due_date: '2032-01-02T03:04:05Z' },
    { assignee_id: members[1] },
    { ...full, title: 'All of it', description: 'd', priority: 'low', status: 'todo' },
  ]) {
    await s.call('write', 'PATCH', `/tasks/${task}`, change);
    await s.call('read', 'GET', `/tasks/${task}`);
  }
  await s.call('write', 'PATCH', `/tasks/${next}`, { assignee_id: members[1] });
  const third = idOf(await s.call('write', 'POST', inside, { title: 'Third' }));
  await s.call('write', 'PATCH', `/tasks/${third}`, { status: 'in_progress' });
  await s.call('write', 'POST', inside, { title: 'b', description: 'x'.repeat(9000) });
  await s.call('write', 'PATCH', `/projects/${bare}`, { visibility: 'public', description: 'Told' });
  for (const change of [
    { name: 'Bare', description: '' },
    { description: 'Once more' },
    { description: '' },
    { visibility: 'private' },
  ])
    await s.call('write', 'PATCH', `/projects/${bare}`, change);
  await s.call('read', 'GET', `/projects/${bare}`);
};

const twins = async (s: Session, members: readonly unknown[]): Promise<void> => {
  const make = async (name: string) => idOf(await s.call('write', 'POST', '/projects', { name }));
  const [one, two, south] = [
    await make('Twins'),
    await make('Twins'),
    idOf(await s.call('other', 'POST', '/projects', { name: 'Twins' })),
  ];
  await s.call('other', 'POST', `/projects/${south}/tasks`, { title: 'In the south' });
  const tasks: string[] = [];
  for (const project of [one, two, two])
    tasks.push(idOf(await s.call('write', 'POST', `/projects/${project}/tasks`, { title: 'Twin', assignee_id: members[0] })));
  await s.call('write', 'PATCH', `/tasks/${tasks[1]}`, { priority: 'high' });
  await s.call('write', 'PATCH', `/projects/${one}`, { description: 'The first' });
  const look = async () => {
    for (const path of [
      `/projects/${one}`,
      `/projects/${two}`,
      ...tasks.map((task) => `/tasks/${task}`),
      `/projects/${one}/tasks`,
      `/tasks?filter[project_id]=${one}`,
      `/tasks?filter[project_id]=${two}&filter[assignee_id]=${members[0]}`,
      '/tasks?sort=-created_at&limit=4',
      '/projects?filter[visibility]=private&limit=100',
    ])
      await s.call('read', 'GET', path);
  };
  await look();
  const mine = `filter[assignee_id]=${members[0]}`;
  for (const filters of [
    mine,
    `filter[status]=backlog&${mine}&filter[priority]=medium`,
    'filter[priority]=high&filter[status]=backlog',
    'filter[priority]=medium&filter[status]=backlog',
    `filter[project_id]=${two}`,
  ])
    await s.walk('read', `/tasks?${filters}&limit=1`);
  await s.call('write', 'DELETE', `/tasks/${tasks[1]}`);
  await look();
  await s.walk('read', `/tasks?filter[assignee_id]=${members[0]}&limit=2`);
  await s.walk('read', '/tasks?limit=7');
  await s.call('write', 'PATCH', `/tasks/${tasks[1]}`, { title: 'Ghost' });
  await s.call('write', 'POST', `/projects/${two}/tasks`, { title: 'After a deletion' });
  await s.call('write', 'DELETE', `/projects/${one}`);
  await look();
  const again = await make('Twins');
  await s.call('read', 'GET', `/projects/${again}/tasks`);
};

const teams = async (s: Session, members: readonly unknown[]): Promise<void> => {
  const make = (role: 'admin' | 'other', name: string, member_ids: readonly unknown[] = []) =>
    s.call(role, 'POST', '/teams', { name, member_ids });
  const south = idOf(await make('other', 'Namesakes'));
  const north = idOf(await make('admin', 'Namesakes', members.slice(0, 3)));
  await make('admin', 'Names');
  await make('admin', 'Twins');
  await make('admin', 'A rather long name of a team, one');
  await make('admin', 'A rather long name of a team, two', members);
  await make('admin', 'Mixed', [members[0], s.server.foreign.user]);
  await s.call('read', 'GET', '/teams?limit=100');
  await s.call('admin', 'DELETE', `/teams/${north}`);
  await s.call('other', 'GET', `/teams/${south}`);
  await s.call('other', 'GET', '/teams');
  await s.call('read', 'GET', '/teams?limit=100');
  await s.call('read', 'GET', '/tasks?limit=100');
  const again = idOf(await make('admin', 'Namesakes'));
  await s.call('read', 'GET', `/teams/${again}`);
  await s.call('write', 'DELETE', `/tasks/${again}`);
  await s.call('read', 'GET', `/teams/${again}`);
};

/** Records of equal names, and what was left out. */
export const namesakes = async (s: Session): Promise<void> => {
  const members = itemsOf(await s.call('read', 'GET', '/workspace/members')).map((each) => dig(each, 'id'));
  await defaults(s, members);
  await twins(s, members);
  await teams(s, members);
  const talked = s.server.taskWithComments;
  await s.call('read', 'GET', `/projects/${talked}`);
  for (const author of members) await s.call('read', 'GET', `/tasks?filter[assignee_id]=${author}&sort=title`);
  for (const query of ['', '?limit=2', '?limit=5', '?sort=banana', '?sort=-created_at', '?sort=created_at'])
    await s.call('read', 'GET', `/tasks/${talked}/comments${query}`);
  for (const query of ['?sort=banana', '?sort=-created_at', '?sort=created_at']) {
    await s.call('read', 'GET', `/workspace/members${query}`);
    await s.call('read', 'GET', `/teams${query}`);
  }
  await s.call('write', 'PATCH', `/tasks/${talked}`, { status: 'done' });
  await s.call('read', 'GET', `/tasks/${talked}/comments`);
  await s.call('read', 'GET', `/tasks/${talked}/comments`);
  const crowd = idOf(await s.call('write', 'POST', '/projects', { name: 'Crowd' }));
  for (let index = 0; index < 24; index += 1)
    await s.call('write', 'POST', `/projects/${crowd}/tasks`, {
      title: `One of many ${index}`,
      due_date: '2031-01-01T00:00:00Z',
    });
  await s.walk('read', `/projects/${crowd}/tasks?sort=title`);
  await s.call('write', 'DELETE', `/projects/${crowd}`);
  await s.call('read', 'GET', '/tasks?sort=-created_at&limit=8');
  await s.call('read', 'GET', `/tasks?filter[project_id]=${crowd}`);
};

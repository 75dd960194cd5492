// The part of the session in which values are almost right, and records change back to what they were.
import { dig, idOf, itemsOf, type Session } from '../../judge/reference/session.ts';

const DATES: readonly unknown[] = [
  'Wed, 05 Mar 2031 10:00:00 GMT',
  '2031-02-30T10:00:00Z',
  '2031-04-31T10:00:00Z',
  1_930_000_000_000,
  '2031-03-05T10:00:00+05:45',
  '2051-03-05T10:00:00Z',
  '9999-12-31T23:59:59Z',
  '1968-07-01T10:00:00Z',
  '2020-01-01T10:00:00Z',
];

const odd = async (s: Session, inside: string): Promise<void> => {
  for (const due_date of DATES) await s.call('write', 'POST', inside, { title: 'Almost', due_date });
  for (const body of [
    { title: 'Blanks', priority: ' high ' },
    { title: 'Hyphen', status: 'in-progress' },
    { title: 'Script', description: 'a <script>alert(1)</script> b <b>c</b>' },
    { title: 'Shortcode', description: 'Done :tada: at 10:30:45' },
    { title: 'Dashes -- two of them' },
    { title: '日'.repeat(255) },
    { title: 'Bytes', description: '日'.repeat(10_000) },
    { title: 'true' },
    { title: 'false' },
    { title: 'Students', description: "Robert'); DROP TABLE students; --" },
    { status: 5 },
    { description: true, priority: 7, due_date: [] },
    { title: 'Nobody', assignee_id: 'user_unknown123' },
  ])
    await s.call('write', 'POST', inside, body);
  await s.call('read', 'GET', `${inside}?limit=100`);
  for (const body of [
    { name: '日'.repeat(150) },
    { name: 'Shown', description: 'To everybody', visibility: 'public' },
    { name: 5, description: 5, visibility: 5 },
    { description: 5 },
  ])
    await s.call('write', 'POST', '/projects', body);
  for (const limit of ['many', '5abc', '3.5', '-x'])
    for (const list of ['/tasks', '/teams']) await s.call('read', 'GET', `${list}?limit=${limit}`);
};

const back = async (s: Session, inside: string, project: string, members: readonly unknown[]): Promise<void> => {
  const due_date = '2031-05-05T05:05:05Z';
  const fields = { title: 'First', description: 'First', assignee_id: members[2], due_date, status: 'done', priority: 'low' };
  const task = idOf(await s.call('write', 'POST', inside, fields));
  for (const change of [
    { title: 'Second' },
    { title: 'First' },
    { due_date: '2031-06-06T06:06:06Z' },
    { due_date },
    { status: 'todo' },
    { due_date },
    { status: 'done' },
    { assignee_id: members[0] },
    { due_date: null },
    { due_date: '2031-07-07T07:07:07Z' },
    { description: '' },
    { description: 'Again' },
    { title: 'All', description: 'Six', assignee_id: members[1], due_date, status: 'todo', priority: 'urgent' },
  ]) {
    await s.call('write', 'PATCH', `/tasks/${task}`, change);
    await s.call('read', 'GET', `/tasks/${task}`);
  }
  for (const end of ['%20', ',1', '%09']) await s.call('read', 'GET', `/tasks/${task}${end}`);
  for (const change of [
    { visibility: 'team' },
    { visibility: 'private' },
    { visibility: 'public' },
    { name: 'Renamed' },
    { visibility: 'team' },
    { description: 'Also' },
  ]) {
    await s.clock.sleep(1500);
    await s.call('write', 'PATCH', `/projects/${project}`, change);
    await s.call('read', 'GET', `/projects/${project}`);
  }
};

const teams = async (s: Session, members: readonly unknown[]): Promise<void> => {
  const long = 'An unusually long name of a team that differs from another at its end ';
  const made: string[] = [];
  for (const body of [
    { name: `${long}one`, member_ids: members.slice(0, 2) },
    { name: `${long}two` },
    { name: 'Vacant', member_ids: [] },
    { name: 'Vacant', member_ids: [members[1]] },
    { name: 'Listed', member_ids: [[members[1]]] },
    { name: 'Null', member_ids: [members[1], null] },
    { name: '4711' },
    { name: 'Unknown', member_ids: [members[1], 'user_unknown123'] },
    { member_ids: [members[1]] },
    { member_ids: 5 },
  ])
    made.push(idOf(await s.call('admin', 'POST', '/teams', body)));
  await s.call('admin', 'POST', '/teams', '{"name":"Cut"');
  for (const role of ['admin', 'read'] as const) {
    await s.call(role, 'GET', '/users/me');
    await s.call(role, 'GET', `/teams/${made[0]}`);
    await s.call(role, 'GET', '/teams?limit=100');
  }
};

export const almost = async (s: Session): Promise<void> => {
  const members = itemsOf(await s.call('read', 'GET', '/workspace/members')).map((each) => dig(each, 'id'));
  const project = idOf(await s.call('write', 'POST', '/projects', { name: 'Almost' }));
  const inside = `/projects/${project}/tasks`;
  await odd(s, inside);
  await back(s, inside, project, members);
  await teams(s, members);
};

// The part of the session on projects.
import { dig, idOf, type Reply, type Session } from '../../judge/reference/session.ts';
import { afterwards, long, NAMES, WRONG } from './values.ts';

/** Creates, changes and deletes projects, within and beyond all rules. */
export const projects = async (s: Session): Promise<void> => {
  for (const name of [...NAMES, ...WRONG]) await s.call('write', 'POST', '/projects', { name });
  for (const description of [
    '',
    'plain',
    long(999),
    long(1000),
    long(1001),
    long(1000, 'é'),
    '<i>a</i>\r\n  b &amp; c ',
    ...WRONG,
  ])
    await s.call('write', 'POST', '/projects', { name: 'With description', description });
  for (const visibility of ['private', 'team', 'public', 'secret', 'PRIVATE', 'Team', '', ' team', ...WRONG])
    await s.call('write', 'POST', '/projects', { name: 'With visibility', visibility });
  await s.call('write', 'POST', '/projects', {});
  await s.call('write', 'POST', '/projects', { description: long(1001), visibility: 'none' });
  await s.call('write', 'POST', '/projects', { name: '', description: long(1001), visibility: 'none' });
  await s.call('write', 'POST', '/projects', { name: long(151), description: 4 });
  const given = {
    id: 'proj_mine12345',
    created_at: '2001-01-01T00:00:00Z',
    updated_at: '2001-01-01T00:00:00Z',
    owner_id: 'user_nobody1',
  };
  await s.call('write', 'POST', '/projects', { name: 'Given', ...given });
  const made = await s.call('write', 'POST', '/projects', { name: 'Subject', description: 'About', visibility: 'team' });
  const path = `/projects/${idOf(made)}`;
  const seen = () => afterwards(s, path, '/projects?limit=100&filter[visibility]=team');
  await seen();
  const changes = [
    {},
    { name: 'Renamed' },
    { description: 'Changed' },
    { visibility: 'public' },
    { visibility: 'private' },
    { visibility: 'team' },
  ];
  for (const change of [
    ...changes,
    { name: 'Both', visibility: 'public' },
    { name: 'Subject', description: 'Now', visibility: 'team' },
  ]) {
    await s.call('write', 'PATCH', path, change);
    await seen();
  }
  for (const name of [...NAMES, ...WRONG]) await s.call('write', 'PATCH', path, { name });
  for (const description of [long(1000), long(1001), '', ...WRONG]) await s.call('write', 'PATCH', path, { description });
  for (const visibility of ['secret', 'PUBLIC', ...WRONG]) await s.call('write', 'PATCH', path, { visibility });
  await s.call('write', 'PATCH', path, { name: 'Half', visibility: 'none' });
  await s.call('write', 'PATCH', path, { name: 'Half', description: long(1001) });
  await s.call('write', 'PATCH', path, given);
  await seen();
  await deletions(s, path);
};

const deletions = async (s: Session, path: string): Promise<void> => {
  const tasks: Reply[] = [];
  for (const title of ['One', 'Two', 'Three']) tasks.push(await s.call('write', 'POST', `${path}/tasks`, { title }));
  const member = dig((await s.call('read', 'GET', '/workspace/members')).json, 'items', 0, 'id');
  await s.call('write', 'PATCH', `/tasks/${idOf(tasks[2] as Reply)}`, { assignee_id: member, status: 'done' });
  const keep = idOf(await s.call('admin', 'POST', '/projects', { name: 'Keep' }));
  const kept = idOf(await s.call('admin', 'POST', `/projects/${keep}/tasks`, { title: 'Kept' }));
  await s.call('write', 'DELETE', path);
  for (const task of tasks) {
    await s.call('write', 'GET', `/tasks/${idOf(task)}`);
    await s.call('write', 'PATCH', `/tasks/${idOf(task)}`, { title: 'Ghost' });
    await s.call('write', 'GET', `/tasks/${idOf(task)}/comments`);
    await s.call('write', 'DELETE', `/tasks/${idOf(task)}`);
  }
  const gone = path.split('/').at(-1);
  for (const target of [
    path,
    `${path}/tasks`,
    '/projects?limit=100',
    '/tasks?limit=100',
    `/tasks?filter[project_id]=${gone}`,
    `/tasks?filter[assignee_id]=${member}`,
    `/tasks/${kept}`,
  ])
    await s.call('write', 'GET', target);
  await s.call('write', 'PATCH', path, { name: 'Ghost' });
  await s.call('write', 'POST', `${path}/tasks`, { title: 'Ghost' });
  await s.call('write', 'DELETE', path);
  const again = await s.call('write', 'POST', '/projects', { name: 'Again' });
  await s.call('write', 'GET', `/projects/${idOf(again)}`);
  await s.call('write', 'GET', path);
  await s.call('write', 'DELETE', `/projects/${keep}`);
  await s.call('write', 'GET', `/tasks/${kept}`);
  // A project whose tasks have comments.
  const talked = s.server.taskWithComments;
  const home = dig((await s.call('read', 'GET', `/tasks/${talked}`)).json, 'data', 'project_id');
  await s.call('write', 'GET', `/tasks/${talked}/comments`);
  await s.call('write', 'DELETE', `/projects/${home}`);
  for (const target of [`/tasks/${talked}`, `/tasks/${talked}/comments`, '/tasks', '/projects'])
    await s.call('write', 'GET', target);
  for (const unknown of ['proj_unknown123', 'nope', 'task_unknown123']) {
    await s.call('write', 'GET', `/projects/${unknown}`);
    await s.call('write', 'GET', `/projects/${unknown}/tasks`);
    await s.call('write', 'PATCH', `/projects/${unknown}`, { name: 'x' });
    await s.call('write', 'DELETE', `/projects/${unknown}`);
    await s.call('write', 'POST', `/projects/${unknown}/tasks`, { title: 'x' });
  }
};

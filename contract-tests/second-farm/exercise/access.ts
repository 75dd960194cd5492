// The part of the session on keys and scopes.
import { idOf, type Role, type Session } from '../../judge/reference/session.ts';

type Sample = readonly [method: string, path: string, body?: unknown];

/** One request for each operation. */
const samples = (project: string, task: string, team: string): readonly Sample[] => [
  ['GET', '/projects'],
  ['GET', `/projects/${project}`],
  ['GET', `/projects/${project}/tasks`],
  ['GET', '/tasks'],
  ['GET', `/tasks/${task}`],
  ['GET', `/tasks/${task}/comments`],
  ['GET', '/users/me'],
  ['GET', '/workspace/members'],
  ['GET', '/teams'],
  ['GET', `/teams/${team}`],
  ['POST', '/projects', { name: 'Sample' }],
  ['POST', `/projects/${project}/tasks`, { title: 'Sample' }],
  ['POST', '/teams', { name: `Sample ${team}` }],
  ['POST', '/webhooks', { url: 'https://hooks.example.test/sample', events: ['task.deleted'] }],
  ['PATCH', `/projects/${project}`, { name: 'Sample 2' }],
  ['PATCH', `/tasks/${task}`, { title: 'Sample 2' }],
  ['DELETE', `/teams/${team}`],
  ['DELETE', `/tasks/${task}`],
  ['DELETE', `/projects/${project}`],
];

const trio = async (s: Session) => {
  const project = idOf(await s.call('admin', 'POST', '/projects', { name: 'Trio', description: 'd', visibility: 'team' }));
  const task = idOf(await s.call('admin', 'POST', `/projects/${project}/tasks`, { title: 'Trio', description: 'd' }));
  const team = idOf(await s.call('admin', 'POST', '/teams', { name: `Trio ${project}` }));
  return [project, task, team] as const;
};

const look = async (s: Session, project: string, task: string, team: string): Promise<void> => {
  for (const path of [`/projects/${project}`, `/tasks/${task}`, `/teams/${team}`]) await s.call('admin', 'GET', path);
  for (const path of ['/projects?limit=1', '/tasks?limit=1', '/teams?limit=1', `/projects/${project}/tasks`])
    await s.call('admin', 'GET', path);
};

/** Every operation with every kind of key, and without one. */
export const access = async (s: Session): Promise<void> => {
  s.receiver('sample', 200);
  const ids = await trio(s);
  await s.call('admin', 'POST', '/webhooks', {
    url: s.receiver('heard', 200),
    events: ['task.updated', 'project.updated', 'task.created'],
  });
  const key = s.server.keys.write;
  const odd = [
    `Basic ${key}`,
    key,
    `Token ${key}`,
    'Bearer',
    'Bearer ',
    'Bearer sf_unknown',
    `Bearer ${key}x`,
    `Bearer ${key.slice(0, -1)}`,
  ];
  for (const [method, path, body] of samples(...ids)) {
    await s.call(null, method, path, body);
    await s.call('revoked', method, path, body);
    await s.call('read', method, path, body);
    await s.call('other', method, path, body);
    await s.call(null, method, path, body, { Authorization: 'Bearer sf_unknown_key' });
  }
  await look(s, ...ids);
  for (const authorization of [...odd, `Bearer ${key.toUpperCase()}`, 'Bearer null', ''])
    for (const [method, path, body] of [samples(...ids)[0], samples(...ids)[6], samples(...ids)[10]] as Sample[])
      await s.call(null, method, path, body, { Authorization: authorization });
  await look(s, ...ids);
  for (const role of ['admin', 'write'] as Role[]) {
    const fresh = await trio(s);
    for (const [method, path, body] of samples(...fresh)) await s.call(role, method, path, body);
  }
  await s.call('read', 'GET', `/projects/${ids[0]}/tasks?limit=2`);
  await s.call(null, 'GET', '/nowhere');
  await s.call('read', 'GET', '/nowhere');
  await s.clock.sleep(1000);
};

// The parts of the session on errors, on the other workspace, and on the rate limit.
import { dig, idOf, nextOf, type Role, type Session } from '../../judge/reference/session.ts';
import { pick } from './values.ts';

const BODIES = ['{', '', 'null', '[]', '"text"', '12', '{"name":"x",}', '{name:1}', 'name=x', '{"name":"a"}{"name":"b"}'];

/** Requests that are wrong, and requests to nowhere. */
export const errors = async (s: Session): Promise<void> => {
  const project = idOf(await s.call('write', 'POST', '/projects', { name: 'Errors' }));
  const task = idOf(await s.call('write', 'POST', `/projects/${project}/tasks`, { title: 'Errors' }));
  const targets = [
    ['POST', '/projects'],
    ['PATCH', `/projects/${project}`],
    ['POST', `/projects/${project}/tasks`],
    ['PATCH', `/tasks/${task}`],
    ['POST', '/teams'],
    ['POST', '/webhooks'],
  ] as const;
  for (const [method, path] of targets) {
    for (const body of BODIES) await s.call('admin', method, path, body);
    await s.call('admin', method, path, '{"name":"x","title":"x"}', { 'Content-Type': 'application/json; charset=utf-8' });
  }
  for (const path of [`/projects/${project}`, `/tasks/${task}`, '/projects', '/teams']) await s.call('read', 'GET', path);
  const unknown = [
    ['PUT', `/projects/${project}`],
    ['PUT', `/tasks/${task}`],
    ['PUT', '/projects'],
    ['PATCH', '/projects'],
    ['DELETE', '/projects'],
    ['POST', `/tasks/${task}`],
    ['POST', `/tasks/${task}/comments`],
    ['PATCH', '/users/me'],
    ['GET', '/webhooks'],
    ['GET', '/nowhere'],
    ['GET', '/projects/'],
    ['PATCH', '/teams/team_1234567'],
    ['GET', '/users'],
  ] as const;
  for (const [method, path] of unknown)
    await s.call('admin', method, path, method === 'GET' ? undefined : { name: 'Put', title: 'Put', body: 'Put' });
  for (const path of [`/projects/${project}`, `/tasks/${task}`, `/tasks/${task}/comments`, '/projects?limit=2'])
    await s.call('read', 'GET', path);
};

/** The key of one workspace and the records of the other. */
export const strangers = async (s: Session): Promise<void> => {
  const { project, task, user } = s.server.foreign;
  const roles: Role[] = ['admin', 'write', 'read'];
  const made = idOf(await s.call('other', 'POST', '/projects', { name: 'Foreign' }));
  const inside = idOf(await s.call('other', 'POST', `/projects/${made}/tasks`, { title: 'Foreign', status: 'in_review' }));
  const team = idOf(await s.call('other', 'POST', '/teams', { name: 'Foreign', member_ids: [user] }));
  const shared = dig((await s.call('read', 'GET', '/workspace/members')).json, 'items', 3, 'id');
  await s.call('other', 'POST', `/projects/${made}/tasks`, { title: 'Shared', assignee_id: shared });
  for (const role of roles)
    for (const path of [
      `/projects/${project}`,
      `/projects/${project}/tasks`,
      `/tasks/${task}`,
      `/tasks/${task}/comments`,
      `/teams/${team}`,
      `/projects/${made}`,
      `/tasks/${inside}`,
    ])
      await s.call(role, 'GET', path);
  for (const role of ['admin', 'write'] as const)
    for (const [method, path, body] of [
      ['PATCH', `/projects/${project}`, { name: 'Taken' }],
      ['PATCH', `/tasks/${task}`, { title: 'Taken' }],
      ['POST', `/projects/${project}/tasks`, { title: 'Intruder' }],
      ['DELETE', `/tasks/${inside}`, undefined],
      ['DELETE', `/projects/${made}`, undefined],
      ['DELETE', `/teams/${team}`, undefined],
    ] as const)
      await s.call(role, method, path, body);
  for (const path of [
    '/projects?limit=100',
    '/tasks?limit=100',
    '/teams?limit=100',
    '/workspace/members',
    `/tasks?filter[project_id]=${project}`,
    `/tasks?filter[assignee_id]=${user}`,
    `/tasks?filter[assignee_id]=${shared}`,
    '/tasks?filter[status]=in_review',
    '/tasks?sort=-created_at',
    '/projects?filter[visibility]=team',
    '/tasks?limit=2',
  ])
    for (const role of ['read', 'other'] as const) await s.call(role, 'GET', path);
  for (const path of [`/projects/${made}`, `/tasks/${inside}`, `/teams/${team}`, `/projects/${made}/tasks`])
    await s.call('other', 'GET', path);
  await s.call('admin', 'POST', '/teams', { name: 'Keepers' });
  await s.call('admin', 'POST', '/teams', { name: 'Foreign' });
  const first = await s.call('other', 'GET', '/tasks?limit=1');
  await s.call('other', 'GET', `/tasks?limit=1&cursor=${encodeURIComponent(nextOf(first))}`);
};

/** The headers of the budget, and its end. */
export const budget = async (s: Session): Promise<void> => {
  s.paced = false;
  const quota = Number((await s.call('read', 'GET', '/users/me')).headers.get('x-ratelimit-limit') ?? 300);
  const project = idOf(await s.call('write', 'POST', '/projects', { name: 'Budget' }));
  await s.call('write', 'PATCH', `/projects/${project}`, { name: 'Budget 2' });
  await s.call('write', 'GET', '/projects?limit=2');
  await s.call('read', 'GET', '/projects/nope');
  await s.call('read', 'POST', '/projects', {});
  await s.call('write', 'POST', '/projects', {});
  await s.call('revoked', 'GET', '/projects');
  await s.call(null, 'GET', '/projects');
  await s.call('other', 'GET', '/projects');
  await s.clock.sleep(5000);
  await s.call('admin', 'GET', '/projects');
  await s.call('write', 'DELETE', `/projects/${project}`);
  const roles: Role[] = ['read', 'write', 'admin'];
  for (let count = 0; count < quota + 8; count += 1)
    await s.call(pick(roles, count), 'GET', pick(['/users/me', '/teams', '/projects'], count >> 2));
  await s.call('write', 'POST', '/projects', { name: 'Too much' });
  await s.call('write', 'DELETE', `/projects/${project}`);
  await s.call('other', 'GET', '/projects');
  await s.call('revoked', 'GET', '/projects');
  await s.clock.sleep(20_000);
  await s.call('read', 'GET', '/users/me');
  await s.clock.sleep(31_000);
  for (let count = 0; count < 5; count += 1) await s.call('read', 'GET', '/users/me');
  await s.clock.sleep(61_000);
  for (let count = 0; count < 5; count += 1) await s.call('read', 'GET', '/projects?limit=100');
  for (let count = 0; count < 70; count += 1) await s.call('other', 'GET', '/users/me');
  await s.clock.sleep(3_600_000);
  await s.call('read', 'GET', '/users/me');
};

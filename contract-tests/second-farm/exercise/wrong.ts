// The part of the session on requests that a client gets wrong in ordinary ways.
import { idOf, type Session } from '../../judge/reference/session.ts';
import { long } from './values.ts';

/** Wrong values, wrong types and wrong ids. */
export const wrong = async (s: Session): Promise<void> => {
  const project = idOf(await s.call('write', 'POST', '/projects', { name: 'Wrong', visibility: 'team' }));
  const inside = `/projects/${project}/tasks`;
  const task = idOf(await s.call('write', 'POST', inside, { title: 'Wrong' }));
  const team = idOf(await s.call('admin', 'POST', '/teams', { name: 'Wrong' }));
  const bodies: readonly (readonly [method: string, path: string, body: unknown])[] = [
    ['POST', '/projects', ''],
    ['POST', '/projects', '12'],
    ['POST', '/projects', '{"name":'],
    ['POST', '/projects', { description: long(1001), name: 'x' }],
    ['POST', '/projects', { name: 7 }],
    ['PATCH', `/projects/${project}`, { description: long(1001) }],
    ['PATCH', `/projects/${project}`, { visibility: 5 }],
    ['PATCH', `/projects/${project}`, { name: 5 }],
    ['POST', inside, {}],
    ['POST', inside, { title: 't', due_date: 5 }],
    ['POST', inside, { title: 't', priority: 'odd' }],
    ['POST', inside, { title: 't', assignee_id: 'user_unknown123' }],
    ['POST', inside, { title: '' }],
    ['PATCH', `/tasks/${task}`, { due_date: 5 }],
    ['PATCH', `/tasks/${task}`, { title: 5 }],
    ['PATCH', `/tasks/${task}`, { priority: 'odd' }],
    ['POST', '/teams', { name: 'Wrong' }],
    ['POST', '/teams', { name: '' }],
    ['POST', '/teams', { name: 'New', member_ids: 'x' }],
    ['POST', '/teams', { name: 'New', member_ids: [5] }],
    ['POST', '/webhooks', { events: ['task.created'] }],
    ['POST', '/webhooks', { url: 'https://hooks.example.test/x', events: 'task.created' }],
    ['POST', '/webhooks', { url: 'https://hooks.example.test/x', events: [5] }],
    ['POST', '/webhooks', { url: 'https:hooks', events: ['task.created'] }],
    ['POST', '/webhooks', { url: 'https://hooks.example.test:8443/x', events: ['task.created', 'project.created'] }],
    ['POST', '/webhooks', { url: 'https://hooks.example.test/x?token=1', events: ['member.invited'] }],
    ['POST', '/webhooks', { url: `https://hooks.example.test/${long(90)}`, events: ['member.joined', 'task.deleted'] }],
    ['POST', `/tasks/${task}/comments`, { body: 'Said' }],
    ['GET', `/tasks/${task}/comments`, undefined],
    ['PATCH', '/tasks/task_unknown123', { title: 't' }],
  ];
  for (const [method, path, body] of bodies) await s.call('admin', method, path, body);
  await s.call('write', 'POST', '/teams', { name: 'Wrong' });
  for (const id of ['nope', '12', long(80, '7'), '00000000-0000-0000-0000-000000000000', 'proj_unknown123'])
    for (const path of [`/projects/${id}`, `/projects/${id}/tasks`, `/tasks/${id}`, `/tasks/${id}/comments`, `/teams/${id}`])
      await s.call('read', 'GET', path);
  for (const query of [
    '?filter[status]=odd',
    '?filter[status]=todo&sort=odd',
    '?sort=odd',
    '?sort=-odd',
    '?cursor=odd',
    '?limit=odd',
  ])
    await s.call('read', 'GET', `/tasks${query}`);
  for (const path of ['/projects?sort=odd', '/teams?sort=odd', '/nowhere', '/workspace']) await s.call('read', 'GET', path);
  for (const authorization of ['Basic eDp5', 'Bearer', 'Bearer undefined', 'Bearer null', 'Token abc'])
    for (const path of ['/projects', '/teams', `/tasks/${task}`])
      await s.call(null, 'GET', path, undefined, { Authorization: authorization });
  await s.call('read', 'PATCH', `/tasks/${task}`, {});
  await s.call('read', 'GET', `/tasks/${task}`);
  await s.call('write', 'DELETE', `/tasks/${task}`);
  await s.call('read', 'GET', `/tasks/${task}`);
  await s.call('admin', 'DELETE', `/teams/${team}`);
};

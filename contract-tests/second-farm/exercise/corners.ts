// The part of the session in which a client does what few clients do.
import { idOf, type Session } from '../../judge/reference/session.ts';
import { long } from './values.ts';

/** One URL that is registered twice, and a deletion that a creation follows at once. */
const twice = async (s: Session): Promise<void> => {
  const url = s.receiver('corner', 200);
  for (const events of [['task.created'], ['task.updated', 'task.deleted']])
    await s.call('admin', 'POST', '/webhooks', { url, events });
  const project = idOf(await s.call('admin', 'POST', '/projects', { name: 'Corners' }));
  const inside = `/projects/${project}/tasks`;
  const newest = idOf(await s.call('admin', 'POST', inside, { title: 'Newest' }));
  await s.call('admin', 'DELETE', `/tasks/${newest}`);
  await s.call('admin', 'POST', inside, { title: 'Next' });
  await s.call('admin', 'GET', `/tasks/${newest}`);
  await s.call('admin', 'GET', inside);
};

/** Tasks that are changed in another order than they were made in. */
const reordered = async (s: Session): Promise<void> => {
  const project = idOf(await s.call('write', 'POST', '/projects', { name: 'Reordered' }));
  const inside = `/projects/${project}/tasks`;
  const made: string[] = [];
  for (const title of ['b', 'c', 'a', 'd', 'e']) made.push(idOf(await s.call('write', 'POST', inside, { title })));
  for (const id of [made[1], made[3], made[0]]) await s.call('write', 'PATCH', `/tasks/${id}`, { priority: 'urgent' });
  for (const field of ['updated_at', 'created_at', 'title'])
    for (const sign of ['', '-']) {
      await s.walk('read', `${inside}?sort=${sign}${field}&limit=2`);
      await s.walk('read', `${inside}?sort=${sign}${field}&filter[priority]=urgent&limit=2`);
    }
};

/** What few clients do. */
export const corners = async (s: Session): Promise<void> => {
  const open = idOf(await s.call('write', 'POST', '/projects', { name: 'Open', visibility: 'public' }));
  for (const path of [`/projects/${open}`, `/projects/${open}/tasks`]) await s.call(null, 'GET', path);
  for (const description of [long(600, 'é'), long(1000, '日'), long(400, '🚀')])
    await s.call('write', 'PATCH', `/projects/${open}`, { description });
  await s.call('read', 'GET', `/projects/${open}`);
  await twice(s);
  await reordered(s);
  await s.clock.sleep(60_000);
};

// The part of the session that asks once more: a second deletion, a name that changed before the retry, a part of an id.
import { dig, idOf, itemsOf, type Session } from '../../judge/reference/session.ts';

export const onceMore = async (s: Session): Promise<void> => {
  const hook = { url: s.receiver('once-more', 500, 200), events: ['project.created', 'task.deleted'] };
  await s.call('admin', 'POST', '/webhooks', hook);
  const project = idOf(await s.call('write', 'POST', '/projects', { name: 'Once' }));
  await s.call('read', 'PATCH', `/projects/${project}`, { visibility: 'public' });
  await s.call('write', 'PATCH', `/projects/${project}`, { name: 'Once more' });
  await s.clock.sleep(40_000);
  const task = idOf(await s.call('write', 'POST', `/projects/${project}/tasks`, { title: 'Twice' }));
  for (const path of [`/tasks/${task}`, `/tasks/${task}`]) await s.call('write', 'DELETE', path);
  const team = idOf(await s.call('admin', 'POST', '/teams', { name: 'Nobody' }));
  await s.call('read', 'GET', `/teams/${team}`);
  const member = dig(itemsOf(await s.call('read', 'GET', '/workspace/members'))[3], 'id');
  await s.call('read', 'GET', `/tasks?filter[assignee_id]=${String(member).slice(0, 5)}`);
};

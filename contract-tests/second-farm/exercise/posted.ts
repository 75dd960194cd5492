// The part of the session on registrations of many kinds, and on receivers that answer oddly.
import { dig, idOf, itemsOf, type Manner, type Session } from '../../judge/reference/session.ts';

const ALL = ['task.created', 'task.updated', 'task.deleted', 'project.created', 'project.updated', 'project.deleted'];
const RECEIVERS: Readonly<Record<string, readonly Manner[]>> = {
  fine: [200],
  odd: [422, 200],
  same: [304, 200],
  large: [413, 200],
  part: [206],
  slow: [408, 200],
  again: [500, 500, 500, 500, 500, 500],
  mute: ['never', 'never', 'never', 'never', 'never', 'never'],
  turn: [500, 500, 404, 500, 404, 200],
  'a%20b': [200],
  'q?key=1': [200],
  'q?key=2': [200],
  [`long?key=${'k'.repeat(300)}`]: [200],
};

/** Some of which are made before the records, some after them. */
export const posted = async (s: Session): Promise<void> => {
  const register = (role: 'admin' | 'other', path: string, events: readonly string[], manners: readonly Manner[] = [200]) =>
    s.call(role, 'POST', '/webhooks', { url: s.receiver(path, ...manners), events });
  await register('admin', 'alone', ['task.updated']);
  await register('admin', 'renamed', ['project.updated']);
  await register('other', 'far', ALL);
  const project = idOf(await s.call('write', 'POST', '/projects', { name: 'Posted' }));
  const task = idOf(await s.call('write', 'POST', `/projects/${project}/tasks`, { title: 'Posted' }));
  await s.clock.sleep(10_000);
  for (const [path, manners] of Object.entries(RECEIVERS)) await register('admin', path, ALL, manners);
  await s.call('write', 'PATCH', `/tasks/${task}`, { title: 'Told' });
  await s.clock.sleep(5 * 3_600_000);
  await s.call('write', 'PATCH', `/projects/${project}`, { name: 'Told' });
  await s.call('write', 'POST', `/projects/${project}/tasks`, { title: 'Later' });
  const far = idOf(await s.call('other', 'POST', '/projects', { name: 'Far' }));
  await s.call('write', 'DELETE', `/tasks/${task}`);
  await s.call('other', 'DELETE', `/projects/${far}`);
  await s.clock.sleep(5 * 3_600_000);
  const rows = itemsOf(await s.call('read', 'GET', `/projects/${project}/tasks`));
  await s.call('write', 'PATCH', `/tasks/${dig(rows[0], 'id')}`, { status: 'done' });
  await s.clock.sleep(60_000);
};

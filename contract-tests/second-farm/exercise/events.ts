// The parts of the session on webhooks.
import { dig, idOf, type Manner, type Role, type Session } from '../../judge/reference/session.ts';

const ALL = ['task.created', 'task.updated', 'task.deleted', 'project.created', 'project.updated', 'project.deleted'];

const registrations = async (s: Session): Promise<void> => {
  const hook = (role: Role, path: string, names: readonly string[]) =>
    s.call(role, 'POST', '/webhooks', { url: s.receiver(path, 200), events: names });
  await hook('admin', 'all', ALL);
  await hook('admin', 'second', ALL);
  await hook('admin', 'some', ['task.updated', 'project.deleted']);
  await hook('write', 'writer', ['task.created']);
  await hook('other', 'south', ALL);
  const bodies = [
    {},
    { events: ['task.created'] },
    { url: 'https://hooks.example.test/none' },
    { url: 'http://hooks.example.test/plain', events: ['task.created'] },
    { url: 'nonsense', events: ['task.created'] },
    { url: 7, events: ['task.created'] },
    { url: 'ftp://hooks.example.test/x', events: ['task.created'] },
    { url: '', events: ['task.created'] },
    { url: null, events: ['task.created'] },
    { url: 'https://hooks.example.test/e', events: 'task.created' },
    { url: 'https://hooks.example.test/e', events: [1] },
    { url: 'https://hooks.example.test/e', events: { 0: 'task.created' } },
    { url: ['https://hooks.example.test/e'], events: ['task.created'] },
  ];
  for (const body of bodies) await s.call('admin', 'POST', '/webhooks', body);
  await s.call('admin', 'GET', '/webhooks');
};

/** Registrations, and the events of all changes. */
export const events = async (s: Session): Promise<void> => {
  await registrations(s);
  const member = dig((await s.call('read', 'GET', '/workspace/members')).json, 'items', 1, 'id');
  const project = idOf(await s.call('write', 'POST', '/projects', { name: 'Eventful', visibility: 'team' }));
  await s.clock.sleep(3_000);
  const task = idOf(
    await s.call('write', 'POST', `/projects/${project}/tasks`, {
      title: 'Eventful 日本 "q"',
      assignee_id: member,
      status: 'todo',
    }),
  );
  const bare = idOf(await s.call('write', 'POST', `/projects/${project}/tasks`, { title: 'Bare' }));
  await s.clock.sleep(90_000);
  for (const change of [
    { title: 'Renamed' },
    { status: 'in_progress' },
    { priority: 'urgent', description: 'x' },
    { due_date: '2031-01-01T00:00:00Z' },
    { title: '' },
    { status: 'none' },
    {},
  ]) {
    await s.call('write', 'PATCH', `/tasks/${task}`, change);
    await s.clock.sleep(1_500);
  }
  for (const change of [{ name: 'Eventful 2' }, { visibility: 'public' }, { description: 'Words' }, { visibility: 'none' }])
    await s.call('write', 'PATCH', `/projects/${project}`, change);
  await s.call('read', 'PATCH', `/tasks/${task}`, { title: 'Refused' });
  await s.call('read', 'DELETE', `/tasks/${task}`);
  await s.call('read', 'POST', `/projects/${project}/tasks`, { title: 'Refused' });
  await s.call('write', 'POST', '/projects', { name: '' });
  await s.call('write', 'DELETE', '/tasks/task_unknown123');
  await s.call('read', 'GET', `/tasks/${task}`);
  await s.clock.sleep(2_000);
  await s.call('write', 'DELETE', `/tasks/${bare}`);
  const assigned = await s.call('write', 'POST', `/projects/${project}/tasks`, { title: 'Assigned', assignee_id: member });
  await s.call('write', 'DELETE', `/tasks/${idOf(assigned)}`);
  const empty = idOf(await s.call('admin', 'POST', '/projects', { name: 'Empty' }));
  await s.call('admin', 'DELETE', `/projects/${empty}`);
  await s.call('write', 'DELETE', `/projects/${project}`);
  await s.call('other', 'POST', '/projects', { name: 'In the south' });
  await s.clock.sleep(4_000);
};

/** Receivers that fail in all ways. */
export const retries = async (s: Session): Promise<void> => {
  const slow = (seconds: number, status = 200): Manner => ({ status, after: seconds * 1000 });
  const receivers: Readonly<Record<string, readonly Manner[]>> = {
    created: [201],
    accepted: [202],
    nothing: [204],
    odd: [299],
    redirect: [302, 200],
    permanent: [301, 308, 204],
    missing: [404, 410, 200],
    gone: [410, 429, 401, 200],
    broken: [500, 503, 502, 200],
    late: [slow(9.5)],
    middling: [slow(6)],
    tardy: [slow(11), slow(15), 200],
    mute: ['never', 'never', 200],
    never: [500],
    recovers: [500, 500, 500, 500, 500, 200],
  };
  for (const [path, manners] of Object.entries(receivers))
    await s.call('admin', 'POST', '/webhooks', {
      url: s.receiver(path, ...manners),
      events: ['project.created', 'task.created'],
    });
  const project = idOf(await s.call('write', 'POST', '/projects', { name: 'Retried' }));
  await s.clock.sleep(4 * 3_600_000);
  await s.call('write', 'POST', `/projects/${project}/tasks`, { title: 'Afterwards' });
  await s.clock.sleep(2 * 24 * 3_600_000);
  await s.call('write', 'POST', '/projects', { name: 'Much later' });
  await s.clock.sleep(60_000);
};

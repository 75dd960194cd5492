// The part of the session on receivers that fail for a while.
import { dig, idOf, itemsOf, type Manner, type Session } from '../../judge/reference/session.ts';

const ALL = ['task.created', 'task.updated', 'task.deleted', 'project.created', 'project.updated', 'project.deleted'];
const late: Manner = { status: 200, after: 12_000 };
const slow: Manner = { status: 200, after: 8_000 };

/** Deliveries that wait while other things happen. */
export const queue = async (s: Session): Promise<void> => {
  const receivers: Readonly<Record<string, readonly Manner[]>> = {
    'Failing%20now?key=A1': [500],
    once: [503, 200],
    turns: [500, 200, 500, 200],
    sixth: [500, 500, 500, 500, 500, 200],
    late: [late, late, late],
    slow: [slow],
    client: [404, 404, 200],
    mute: ['never', 'never', 'never', 'never', 'never', 'never'],
    fine: [200],
  };
  for (const [path, manners] of Object.entries(receivers)) {
    const url = s.receiver(path, ...manners);
    await s.call('admin', 'POST', '/webhooks', { url, events: path === 'fine' ? ['task.deleted', ...ALL.slice(0, 2)] : ALL });
  }
  await s.call('read', 'POST', '/webhooks', { url: s.receiver('refused', 200), events: ALL });
  const members = itemsOf(await s.call('read', 'GET', '/workspace/members')).map((each) => dig(each, 'id'));
  await s.clock.sleep(60_000);
  const project = idOf(await s.call('write', 'POST', '/projects', { name: 'Queue', visibility: 'public' }));
  const inside = `/projects/${project}/tasks`;
  const body = { title: 'Größe 日本 — a title that is long enough', description: 'd'.repeat(4000), assignee_id: members[0] };
  const task = idOf(await s.call('write', 'POST', inside, body));
  const other = idOf(await s.call('write', 'POST', inside, { title: 'Other', status: 'done' }));
  await s.call('write', 'PATCH', `/tasks/${task}`, { assignee_id: members[1], status: 'done' });
  await s.call('write', 'PATCH', `/tasks/${other}`, { priority: 'low' });
  await s.call('write', 'PATCH', `/tasks/${task}`, { status: 'in_progress' });
  await s.call('write', 'PATCH', `/projects/${project}`, { visibility: 'team' });
  await s.call('read', 'GET', `/tasks/${task}/comments`);
  await s.call('admin', 'POST', '/teams', { name: 'Queue' });
  await s.call('write', 'POST', '/projects', { name: '' });
  await s.clock.sleep(10_000);
  await s.call('write', 'DELETE', `/tasks/${task}`);
  await s.clock.sleep(200_000);
  await s.call('write', 'PATCH', `/tasks/${other}`, { description: 'Later', title: 'Other' });
  await s.clock.sleep(4 * 3_600_000);
  await s.call('write', 'DELETE', `/projects/${project}`);
  await s.clock.sleep(24 * 3_600_000);
  await s.call('read', 'GET', '/users/me');
};

// The part of the session on due dates.
import { idOf, type Session } from '../../judge/reference/session.ts';

const MOMENTS = [
  '2030-01-02T03:04:05Z',
  '2030-01-31T10:00:00Z',
  '2030-03-31T02:30:00Z',
  '2030-10-05T00:00:00Z',
  '2030-12-31T23:59:59Z',
  '2028-02-29T12:30:00Z',
  '2030-06-15T20:15:00Z',
  '2030-06-15T08:15:00+05:30',
  '2030-06-15T08:15:00-05:30',
  '2030-06-15T01:00:00-08:00',
  '2030-06-15T23:00:00+02:00',
  '2030-06-15T08:15:00.250Z',
  '2039-05-06T07:08:09Z',
  '2075-05-06T07:08:09Z',
  '1999-12-31T12:00:00Z',
  '2030-06-16T12:45:00Z',
];

/** Due dates of all kinds, and what is sorted by them. */
export const dates = async (s: Session): Promise<void> => {
  const project = idOf(await s.call('write', 'POST', '/projects', { name: 'Calendar' }));
  const inside = `/projects/${project}/tasks`;
  const made: string[] = [];
  for (const [index, due_date] of MOMENTS.entries()) {
    made.push(idOf(await s.call('write', 'POST', inside, { title: `On ${index}`, due_date })));
    if (index % 4 === 1) await s.call('write', 'POST', inside, { title: `Some day ${index}` });
  }
  for (const sort of ['due_date', '-due_date', 'created_at', '-updated_at'])
    await s.walk('read', `${inside}?limit=4&sort=${sort}`);
  for (const [index, due_date] of MOMENTS.entries()) {
    const path = `/tasks/${made[(index + 1) % made.length]}`;
    await s.call('write', 'PATCH', path, { due_date });
    await s.call('write', 'PATCH', path, { priority: 'high' });
    await s.call('read', 'GET', path);
  }
  await s.walk('read', `${inside}?sort=due_date&limit=5`);
  await s.call('read', 'GET', '/tasks?sort=-due_date');
};

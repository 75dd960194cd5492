// A saved host continues as if it had never stopped, whenever it stops.
import { expect, test } from 'vitest';
import { FIELDS } from '../../service/world/records.ts';
import { everything, MAY_FAIL, OPTIONS, plant, play, STEPS, shown } from '../../test/kept-session.ts';
import { restore } from '../../test/restore.ts';
import { hostOptionsOf, mockOn } from '../api/create.ts';
import { Host } from '../control/host.ts';

test('a mock that ends before every request and continues from the shelf responds with the same bytes', async () => {
  const whole = await play(() => false, 30);
  const broken = await play(() => true, 30);
  expect(whole.transcript.length).toBe(30);
  const failed = whole.transcript.flatMap(([status], n) => (status >= 400 ? [n % STEPS.length] : []));
  expect(failed.filter((step) => !MAY_FAIL.includes(step))).toEqual([]);
  expect(broken.transcript).toEqual(whole.transcript);
  expect(broken.end).toEqual(whole.end);
});

test('a saved state, written as JSON, is a world that gives the rest of the session the same bytes', async () => {
  const options = hostOptionsOf(OPTIONS);
  const host = new Host(await plant(), options);
  const mock = mockOn(host, OPTIONS);
  for (let n = 0; n < 13; n++) await shown(await STEPS[n]!(mock, n));
  await mock.webhooks.settled();
  const twin = mockOn(new Host(restore(host.main.running.snapshot('with journal')), options), OPTIONS);
  expect(twin.deliveries.some(({ state }) => state === 'retrying')).toBe(true);
  for (let n = 0; n < 14; n++) expect(await shown(await STEPS[n]!(twin, n))).toEqual(await shown(await STEPS[n]!(mock, n)));
  expect({ ...(await everything(twin)), snapshots: 0 }).toEqual({ ...(await everything(mock)), snapshots: 0 });
});

test('records that were kept before their kind had a field hold what it starts with, in its place', async () => {
  let early = { id: '' };
  let second = early;
  const snapshot = restore(await plant(), (kept) => {
    const rows = kept.get('rows/tasks/000000000000') as [Record<string, unknown>, ...unknown[]][];
    const { priority: _priority, assignee_id: _assignee, ...others } = rows[0]![0];
    rows[0]![0] = { ...others, of_old: 1 };
    [early, second] = [others as never, rows[1]![0] as never];
  });
  const { tasks } = snapshot.world.store;
  const { value } = tasks.get(early.id)!;
  expect(value).toEqual({ ...early, priority: 'medium', assignee_id: null });
  expect(Object.keys(value)).toEqual(FIELDS.tasks.map(({ name }) => name));
  expect(tasks.get(second.id)!.value).toBe(second);
});

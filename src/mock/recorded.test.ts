// Each call of a program stands in a recording by the name that a player calls, and in the timeline by the same.
import { expect, test } from 'vitest';
import { closing } from '../test/closing.ts';
import { createMock } from './create.ts';

const keep = closing();
const sender = async () => ({ kind: 'response', status: 204, took: 0 }) as const;

test('what is called, and what it is given', async () => {
  const mock = keep(await createMock({ seed: 'demo', record: true, now: '2025-01-20T09:00:00Z', sender }));
  const { id } = mock.read.webhooks()[0]!;
  await mock.clock.advance('1s');
  mock.clock.set('2025-01-21T00:00:00Z', 'frozen');
  mock.clock.freeze();
  mock.clock.run();
  mock.clock.freeze('2025-01-21T09:00:00Z');
  const fault = mock.faults.add({ match: { operation: 'listTeams' }, effect: { hold: true } });
  mock.faults.release(fault.id);
  mock.faults.remove(fault.id);
  mock.faults.clear();
  mock.choose({ 'patch-status': '202' });
  mock.become('1.2');
  mock.moveAhead(['fields']);
  mock.webhooks.simulate(id, [200]);
  const project = mock.create.project({ name: 'A' });
  mock.update.project(project.id, { name: 'B' });
  mock.remove.project(project.id);
  await mock.webhooks.settled();
  const delivery = mock.deliveries[0]!.id;
  mock.webhooks.replay(delivery);
  await mock.webhooks.settled();
  mock.snapshot().restore();
  mock.fork({ id: 'other' });
  mock.reset();
  const { steps } = await mock.save();
  expect(steps.flatMap((step) => ('call' in step ? [[step.call, ...step.given]] : []))).toEqual([
    ['clock.advance', '1s'],
    ['clock.set', '2025-01-21T00:00:00Z', 'frozen'],
    ['clock.freeze'],
    ['clock.run'],
    ['clock.freeze', '2025-01-21T09:00:00Z'],
    ['faults.add', { match: { operation: 'listTeams' }, effect: { hold: true } }],
    ['faults.release', 'fault_1'],
    ['faults.remove', 'fault_1'],
    ['faults.clear'],
    ['choose', { 'patch-status': '202' }],
    ['become', '1.2'],
    ['moveAhead', ['fields']],
    ['webhooks.simulate', id, [200]],
    ['create.project', { name: 'A' }],
    ['update.project', project.id, { name: 'B' }],
    ['remove.project', project.id],
    ['webhooks.settled'],
    ['webhooks.replay', delivery],
    ['webhooks.settled'],
    ['snapshot'],
    ['restore', 'snap_1'],
    ['fork', { id: 'other', from: 'current', mintKeys: false }],
    ['reset'],
  ]);
  const titles = mock.timeline.map(({ title }) => title);
  expect(titles).toEqual(['mock.reset']);
});

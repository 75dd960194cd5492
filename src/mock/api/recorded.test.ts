// Each call of a program stands in a recording by the name that a player calls, and in the timeline by the same.
import { expect, test } from 'vitest';
import { createMock } from '../../create-mock.ts';
import { closing } from '../../test/closing.ts';

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

test('what is refused is named as it is called', async () => {
  const mock = keep(await createMock({ seed: 'demo' }));
  expect(() => mock.clock.set('never')).toThrow(/^clock\.set is refused: now: must be an ISO 8601 datetime/);
  expect(() => mock.moveAhead('dreams')).toThrow(/^moveAhead is refused: forward_compat: must be/);
  expect(() => mock.become('9.9' as never)).toThrow(/^become is refused: release: must be one of/);
});

test('a fork has a journal and a timeline of its own; a world that was rewound has those of then, and no other keys', async () => {
  const mock = keep(await createMock({ seed: 'demo', record: true }));
  await mock.fetch('/tasks', { headers: mock.auth('read') });
  const [fork, then] = [mock.fork(), await mock.rewind(1)];
  expect([fork.requests, fork.timeline]).toEqual([[], []]);
  expect([then.requests.length, then.timeline.length, then.keys]).toEqual([1, 1, mock.keys]);
});

test('a fault for a key is told by the id of that key', async () => {
  const mock = keep(await createMock({ seed: 'demo' }));
  const key = mock.read.keys()[0]!.id;
  mock.faults.add({ match: { key }, effect: { status: 503 } });
  expect(mock.timeline.map(({ title }) => title)).toEqual([`fault_1: with the key ${key}, answered 503, always`]);
});

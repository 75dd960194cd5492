// Each call of a program is recorded as the request that does the same; the timeline names its member.
import { expect, test } from 'vitest';
import { createMock } from '../../create-mock.ts';
import { replay } from '../../replay.ts';
import { keep } from '../../test/closing.ts';

const sender = async () => ({ kind: 'response', status: 204, took: 0 }) as const;

test('a recording has each call as a request, and a replay repeats it', async () => {
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
  const requests = steps.flatMap((step) =>
    step.kind === 'control' ? [[step.method, step.path, ...(step.body === undefined ? [] : [JSON.parse(step.body)])]] : [],
  );
  expect(requests).toEqual([
    ['POST', '/_mock/clock/advance', { by: '1s' }],
    ['POST', '/_mock/clock', { now: '2025-01-21T00:00:00Z', mode: 'frozen' }],
    ['POST', '/_mock/clock', { mode: 'frozen' }],
    ['POST', '/_mock/clock', { mode: 'running' }],
    ['POST', '/_mock/clock', { now: '2025-01-21T09:00:00Z', mode: 'frozen' }],
    ['POST', '/_mock/faults', { match: { operation: 'listTeams' }, effect: { hold: true } }],
    ['POST', '/_mock/faults/fault_1/release', {}],
    ['DELETE', '/_mock/faults/fault_1'],
    ['DELETE', '/_mock/faults'],
    ['PATCH', '/_mock/choices', { 'patch-status': '202' }],
    ['PATCH', '/_mock/release', { release: '1.2' }],
    ['PATCH', '/_mock/release', { forward_compat: ['fields'] }],
    ['POST', `/_mock/webhooks/${id}/simulate`, { outcomes: [200] }],
    ['POST', '/_mock/data/projects', { name: 'A' }],
    ['PATCH', `/_mock/data/projects/${project.id}`, { name: 'B' }],
    ['DELETE', `/_mock/data/projects/${project.id}`],
    ['POST', `/_mock/deliveries/${delivery}/replay`],
    ['POST', '/_mock/snapshots'],
    ['POST', '/_mock/snapshots/snap_1/restore'],
    ['POST', '/_mock/worlds', { id: 'other', from: 'current', mint_keys: false }],
    ['POST', '/_mock/reset', {}],
  ]);
  expect((await replay(await mock.save())).difference).toBeUndefined();
  const titles = mock.timeline.map(({ title }) => title);
  expect(titles).toEqual(['mock.reset']);
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
  expect(mock.timeline.map(({ title }) => title)).toEqual([`fault_1: with the key ${key}, status 503, always`]);
});

// Saved faults and rate windows continue after a restart: their members, a waiting delivery, and no predicate.
import { expect, test } from 'vitest';
import { json, OPTIONS, plant } from '../../test/kept-session.ts';
import { restore } from '../../test/restore.ts';
import { hostOptionsOf, mockOn } from '../api/create.ts';
import { Host } from '../control/host.ts';

test('faults, a delivery that waits for the next one, and the length of a window', async () => {
  const host = new Host(await plant(), hostOptionsOf(OPTIONS));
  const mock = mockOn(host, OPTIONS);
  mock.faults.add({ match: { query: { limit: 3 } }, effect: { status: 502, raw: '<h1>Down</h1>', headers: { server: 'x' } } });
  mock.faults.add({ match: { event: 'project.created' }, effect: { reorder: true, bad_signature: true }, times: 1 });
  mock.faults.add({ match: { when: () => true }, effect: { status: 500 } });
  mock.world.setWindow('ws_acme', 2000);
  mock.faults.remove('fault_3');
  await json(mock, 'POST', '/projects', { name: 'Waits' });
  mock.faults.add({ match: { when: () => true }, effect: { status: 500 } });

  const sent: string[] = [];
  const sender = async ({ body }: { body: string }) => {
    sent.push(JSON.parse(body).data.project.name);
    return { kind: 'response' as const, status: 204, took: 0 };
  };
  const saved = host.main.running.snapshot('with journal');
  const twin = mockOn(new Host(restore(saved), hostOptionsOf({ ...OPTIONS, sender })), OPTIONS);
  expect(twin.faults.list().map(({ id }) => id)).toEqual(['fault_1', 'fault_2']);
  expect(twin.world.windowMsOf('ws_acme')).toBe(2000);
  const gateway = await json(twin, 'GET', '/projects?limit=3');
  expect([gateway.status, await gateway.text()]).toEqual([502, '<h1>Down</h1>']);
  expect((await json(twin, 'POST', '/projects', { name: 'Next' })).status).toBe(201);
  await twin.webhooks.settled();
  expect([...new Set(sent)]).toEqual(['Next', 'Waits']);
  const faulty = twin.deliveries.filter(({ fault }) => fault === 'fault_2');
  expect(faulty[0]).toMatchObject({ attempts: [{ signature_ok: false }] });
});

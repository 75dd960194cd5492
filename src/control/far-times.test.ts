// A clock set back, and one at the very end of what can be written: everything goes on, and no time is past the year 9999.
import { afterEach, expect, test } from 'vitest';
import { type ControlBench, controlBench } from '../test/control.ts';

let bench: ControlBench;
afterEach(() => bench.mock.close());

const LAST = '9999-12-31T23:59:59.999Z';

/** A receiver in the mock itself that refuses, so that retries are due. */
const withReceiver = async (): Promise<void> => {
  bench = await controlBench();
  const url = `${bench.server.origin}/_mock/inbox/never`;
  await bench.ask('POST', '/inbox/never/respond', { statuses: Array.from({ length: 6 }, () => 500) });
  expect((await bench.call('POST', '/webhooks', { url })).status).toBe(201);
};

test('in the last millisecond of the year 9999 the service works, and time goes no further', async () => {
  await withReceiver();
  await bench.ask('POST', '/clock', { now: LAST });
  const { status, body } = await bench.call('POST', '/projects', { name: 'Late' });
  expect([status, body.data.created_at]).toEqual([201, LAST]);
  await bench.mock.webhooks.settled();
  // Every retry would be later than the last moment: all are due in it.
  const [delivery] = (await bench.ask('GET', '/deliveries')).body.items;
  expect(delivery).toMatchObject({ state: 'failed', next_attempt_at: null });
  expect(delivery.attempts.map(({ at }: { at: string }) => at)).toEqual(Array.from({ length: 6 }, () => LAST));
  for (const step of [{ by: '1s' }, { by: '10000w' }]) {
    const advanced = await bench.ask('POST', '/clock/advance', step);
    expect([advanced.status, advanced.body.error?.code]).toEqual([422, 'validation_error']);
  }
  expect((await bench.ask('GET', '/clock')).body.now).toBe(LAST);
  expect((await bench.call('GET', '/projects?sort=-created_at&limit=1')).body.items[0].created_at).toBe(LAST);
});

test('set back by years, new records are dated then, lists stay in order, and the rate window opens anew', async () => {
  await withReceiver();
  await bench.call('POST', '/projects', { name: 'Now' });
  await bench.ask('POST', '/clock', { now: '1970-01-01T00:00:00Z' });
  const { headers, body } = await bench.call('POST', '/projects', { name: 'Then' });
  expect([body.data.created_at, headers.get('x-ratelimit-remaining')]).toEqual(['1970-01-01T00:00:00.000Z', '999']);
  const names = (await bench.call('GET', '/projects')).body.items.map(({ name }: { name: string }) => name);
  expect(names).toEqual(['Then', 'One', 'Now']);
  await bench.ask('POST', '/clock/advance', { by: '3h' });
  const { items } = (await bench.ask('GET', '/deliveries')).body;
  // The retry of what happened in 2025 is due in 2025; the later event got five refusals and then an answer.
  expect(items.map(({ state, attempts }: { state: string; attempts: object[] }) => [state, attempts.length])).toEqual([
    ['retrying', 1],
    ['delivered', 6],
  ]);
});

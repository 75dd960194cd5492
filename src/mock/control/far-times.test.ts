// A clock set back, and one at the very end of what can be written: everything goes on, and no time is past the year 9999.
import { afterEach, expect, test } from 'vitest';
import { type Asking, asking } from '../../test/asking.ts';

let play: Asking;
afterEach(() => play.mock.close());

const LAST = '9999-12-31T23:59:59.999Z';

/** A receiver that refuses six times, so that retries are due. */
const withReceiver = async (): Promise<void> => {
  let refusals = 6;
  play = await asking({ sender: async () => ({ kind: 'response', status: refusals-- > 0 ? 500 : 204, took: 0 }) });
  expect((await play.service('POST', '/webhooks', { url: 'http://127.0.0.1:9/never' })).status).toBe(201);
};

test('in the last millisecond of the year 9999 the service works, and time goes no further', async () => {
  await withReceiver();
  await play.control('POST', '/clock', { now: LAST });
  const { status, body } = await play.service('POST', '/projects', { name: 'Late' });
  expect([status, body.data.created_at]).toEqual([201, LAST]);
  await play.mock.webhooks.settled();
  // Every retry would be later than the last moment: all are due in it.
  const [delivery] = (await play.control('GET', '/deliveries')).body.items;
  expect(delivery).toMatchObject({ state: 'failed', next_attempt_at: null });
  expect(delivery.attempts.map(({ at }: { at: string }) => at)).toEqual(Array.from({ length: 6 }, () => LAST));
  for (const by of ['1s', '10000w']) expect((await play.control('POST', '/clock/advance', { by })).status).toBe(422);
  expect((await play.control('GET', '/clock')).body.now).toBe(LAST);
  expect((await play.service('GET', '/projects?sort=-created_at&limit=1')).body.items[0].created_at).toBe(LAST);
});

test('set back by years, new records are dated then, lists stay in order, and the rate window opens anew', async () => {
  await withReceiver();
  await play.service('POST', '/projects', { name: 'Now' });
  await play.control('POST', '/clock', { now: '1970-01-01T00:00:00Z' });
  const { headers, body } = await play.service('POST', '/projects', { name: 'Then' });
  expect([body.data.created_at, headers.get('x-ratelimit-remaining')]).toEqual(['1970-01-01T00:00:00.000Z', '999']);
  const names = (await play.service('GET', '/projects')).body.items.map(({ name }: { name: string }) => name);
  expect(names).toEqual(['Then', 'One', 'Now']);
  await play.control('POST', '/clock/advance', { by: '3h' });
  const [early, late] = (await play.control('GET', '/deliveries')).body.items;
  // The retry of what happened in 2025 is due in 2025; the later event got five refusals and then an answer.
  expect([early.state, early.attempts.length, late.state, late.attempts.length]).toEqual(['retrying', 1, 'delivered', 6]);
});

// Events under faults, over the wire: twice, late, out of order, with a wrong signature; the same each time.
import { describe, expect, test } from 'vitest';
import { createMock, type Mock, type MockOptions, type Sending, verify } from '../../node/index.ts';
import { keep } from '../../test/closing.ts';
import { ask } from '../../test/sending.ts';

/** A world with a registration `wh_one`, and the deliveries to its receiver, in order. */
const startWithReceiver = async (options: MockOptions = {}, status = 204) => {
  const sent: Sending[] = [];
  const sender: MockOptions['sender'] = async (sending) => {
    sent.push(sending);
    return { kind: 'response', status, took: 0 };
  };
  const workspace = {
    id: 'ws',
    users: [{ id: 'user_ada' }],
    api_keys: [{ value: 'wm_admin', scope: 'admin', user_id: 'user_ada' }],
    projects: [{ id: 'proj_one', owner_id: 'user_ada' }],
    webhooks: [{ id: 'wh_one', url: 'http://127.0.0.1:9/', secret: 'whsec_one' }],
  };
  const seed = { now: '2025-01-20T09:00:00Z', workspaces: [workspace] };
  const mock = keep(await createMock({ seed, sender, ...options }));
  const create = async (title: string, at: Mock = mock) =>
    expect((await ask(at, 'POST', '/projects/proj_one/tasks', { title })).status).toBe(201);
  const titles = () => sent.map(({ body }) => JSON.parse(body).data.task.title as string);
  return { mock, sent, create, titles };
};

describe('an event', () => {
  test('is delivered twice: the same bytes, two deliveries of one event', async () => {
    const { mock, sent, create } = await startWithReceiver();
    mock.faults.add({ match: { event: 'task.created' }, effect: { duplicate: true }, times: 1 });
    for (const title of ['a', 'b']) {
      await create(title);
      await mock.webhooks.settled();
    }
    expect(sent).toHaveLength(3);
    expect(sent[0]).toEqual(sent[1]);
    const [one, again, other] = mock.deliveries;
    expect([one!.event, one!.fault, again!.fault, other!.fault]).toEqual([again!.event, 'fault_1', 'fault_1', undefined]);
    expect(one!.id).not.toBe(again!.id);
    expect(mock.faults.list()[0]).toMatchObject({ seen: 2, hits: 1 });
  });

  test('is late on the clock of the world', async () => {
    const { mock, create, titles } = await startWithReceiver();
    mock.faults.add({ match: { event: '*' }, effect: { delay_ms: 60_000 }, times: 1 });
    await create('late');
    await create('in time');
    await mock.webhooks.settled();
    expect(titles()).toEqual(['in time']);
    expect(mock.deliveries[0]).toMatchObject({ state: 'pending', next_attempt_at: '2025-01-20T09:01:00.000Z' });
    await mock.clock.advance('60s');
    expect(titles()).toEqual(['in time', 'late']);
  });

  test('comes behind the next one of its registration, without the clock moving', async () => {
    const { mock, create, titles } = await startWithReceiver();
    mock.faults.add({ match: { event: 'task.created' }, effect: { reorder: true } });
    for (const title of ['a', 'b', 'c', 'd', 'e']) {
      await create(title);
      await mock.webhooks.settled();
    }
    expect(titles()).toEqual(['b', 'a', 'd', 'c']);
    await mock.clock.advance('5s');
    expect(titles()).toEqual(['b', 'a', 'd', 'c', 'e']);
  });

  test('comes behind the next one, however fast events follow one another', async () => {
    const { mock, create, titles } = await startWithReceiver();
    mock.faults.add({ match: { event: 'task.created' }, effect: { reorder: true } });
    await Promise.all(['a', 'b', 'c', 'd'].map((title) => create(title)));
    await mock.webhooks.settled();
    const place = (title: string) => titles().indexOf(title);
    expect([titles().length, place('b') < place('a'), place('d') < place('c')]).toEqual([4, true, true]);
    expect(mock.deliveries[1]!.ahead_of).toEqual([mock.deliveries[0]!.id]);
  });

  test('waits for the next one as long as it is told to', async () => {
    const { mock, create, titles } = await startWithReceiver();
    mock.faults.add({ match: { event: 'task.created' }, effect: { reorder: true, delay_ms: 600 }, times: 1 });
    await create('a');
    await mock.clock.advance(599);
    expect(titles()).toEqual([]);
    await mock.clock.advance(1);
    await create('b');
    await mock.webhooks.settled();
    expect(titles()).toEqual(['a', 'b']);
  });

  test('is signed with another secret on each attempt, and as it should be when it is replayed', async () => {
    const { mock, sent, create } = await startWithReceiver({}, 401);
    mock.faults.add({ match: { event: 'task.created' }, effect: { bad_signature: true }, times: 1 });
    await create('a');
    await mock.clock.advance('3h');
    mock.webhooks.replay(mock.deliveries[0]!.id);
    await mock.webhooks.settled();
    const sound = await Promise.all(sent.map(({ headers, body }) => verify('hex', 'whsec_one', headers, body)));
    expect(sound).toEqual([false, false, false, false, false, false, true]);
    expect(mock.deliveries[0]!.attempts.map(({ signature_ok }) => signature_ok)).toEqual(sound);
  });

  test('meets its fault the same way in equal worlds, by share and with a long tail', async () => {
    const story = async () => {
      const { mock, create, titles } = await startWithReceiver({ randomSeed: 7 });
      mock.faults.add({ match: { event: '*' }, effect: { latency: { p50_ms: 1000, p99_ms: 60_000 } }, probability: 0.5 });
      for (let i = 0; i < 12; i++) await create(`${i}`);
      await mock.clock.advance('1h');
      expect(titles()).toHaveLength(12);
      return mock.deliveries.map(({ attempts }) => attempts[0]!.at);
    };
    const [first, second] = [await story(), await story()];
    expect(first).toEqual(second);
    expect(first).toHaveLength(12);
    expect(new Set(first).size).toBeGreaterThan(3);
    expect(first).not.toEqual([...first].sort());
  });
});

test('a fork continues with the waiting events, and with its fault', async () => {
  const { mock, create, sent, titles } = await startWithReceiver();
  mock.faults.add({ match: { event: 'task.created' }, effect: { reorder: true, bad_signature: true }, times: 1 });
  await create('a');
  const copy = mock.fork();
  await create('copied', copy);
  await copy.webhooks.settled();
  expect(titles()).toEqual(['copied', 'a']);
  expect(await verify('hex', 'whsec_one', sent[1]!.headers, sent[1]!.body)).toBe(false);
});

// A client whose stream rested is told on its return whether anything happened, and is not told so in vain.
import { expect, test } from 'vitest';
import { json, OPTIONS, plant, STEPS } from '../../test/kept-session.ts';
import { Memory } from '../../test/memory-shelf.ts';
import { hostOptionsOf, mockOn } from '../api/create.ts';
import { reopen } from '../saving/reopen.ts';

const KEPT = { ...hostOptionsOf(OPTIONS), restStreams: { quietMs: 1, awayMs: 30_000 } };

const openBench = async (memory: Memory) => {
  const { host, keeper } = await reopen(memory.shelf(), 'demo', KEPT, plant);
  const mock = mockOn(host, OPTIONS);
  /** Reads the stream until it rests. */
  const listen = async (lastId?: string) => {
    const headers: Record<string, string> = lastId === undefined ? {} : { 'last-event-id': lastId };
    const text = await (await mock.fetch('http://wm-mock.test/_mock/events', { headers })).text();
    return { missed: text.includes('data: {"kind":"missed"}'), id: /^id: (rest-\S+)\nevent: rest$/m.exec(text)![1]! };
  };
  const settled = async () => {
    await mock.webhooks.settled();
    await keeper.save();
  };
  return { host, mock, listen, settled };
};
type Opened = Awaited<ReturnType<typeof openBench>>;
type Act = (bench: Opened) => unknown;

const calls =
  (...asked: readonly (readonly [string, string, object?])[]): Act =>
  async ({ mock }) => {
    for (const [method, path, body] of asked) expect((await json(mock, method, path, body)).status).toBeLessThan(300);
  };
const RESET = ['POST', '/_mock/reset'] as const;
const FAULT = ['POST', '/_mock/faults', { match: { operation: 'getTask' }, effect: { status: 503 } }] as const;
const PLAN = ['PATCH', '/_mock/workspaces/ws_acme', { plan: 'free' }] as const;
const READ = ['GET', '/users/me'] as const;
const MESSAGE = ['POST', '/_mock/inbox/box', { n: 1 }] as const;
const SNAPSHOT = ['POST', '/_mock/snapshots'] as const;
const RESTORE = ['POST', '/_mock/snapshots/snap_1/restore'] as const;
const FORGET = ['DELETE', '/_mock/requests'] as const;
const NOTHING: Act = () => {};

/** Acts before the stream rested, and while its client was away. */
const WHILE_AWAY: readonly (readonly [string, Act, Act])[] = [
  ['a reset after a fault', calls(FAULT), calls(RESET)],
  ['a fault and a reset', calls(RESET), calls(FAULT, RESET)],
  ['a reset after a plan', calls(PLAN), calls(RESET)],
  ['a plan and a reset', calls(RESET), calls(PLAN, RESET)],
  ['a reset after a read', calls(READ), calls(RESET)],
  ['a read and a reset', calls(RESET), calls(READ, RESET)],
  ['a read after which everything was reset and read again', calls(RESET, READ), calls(RESET, READ)],
  ['a restore', calls(SNAPSHOT, FAULT), calls(RESTORE)],
  ['a fault and a restore', calls(SNAPSHOT, RESTORE), calls(FAULT, RESTORE)],
  ['an inbox message', NOTHING, calls(MESSAGE)],
  ['another inbox message', calls(MESSAGE), calls(MESSAGE)],
  ['an inbox message to a new name, with which the oldest name goes', ({ mock }) => boxes(mock, 0, 200), calls(MESSAGE)],
  ['as many inbox messages as restore all names', ({ mock }) => boxes(mock, 0, 200), ({ mock }) => boxes(mock, -1, 200)],
  ['the responses of an inbox', NOTHING, calls(['POST', '/_mock/inbox/box/respond', { statuses: [500] }])],
  ['clearing requests', calls(READ), calls(FORGET)],
  ['clearing requests of which one was kept when they were cleared before', calls(READ, FORGET, READ), calls(FORGET)],
  ['the choices', NOTHING, calls(['PATCH', '/_mock/choices', { 'patch-status': '202' }])],
  ['the window of a plan', NOTHING, calls(['PATCH', '/_mock/workspaces/ws_acme', { window_ms: 5000 }])],
  ['the clock', NOTHING, calls(['POST', '/_mock/clock', { now: '2025-02-01T00:00:00Z' }])],
  ['a key', NOTHING, calls(['POST', '/_mock/data/keys', { workspace_id: 'ws_acme', scope: 'read', user_id: 'user_ada' }])],
  ['a fault that goes', calls(FAULT), calls(['DELETE', '/_mock/faults/fault_1'])],
];

const boxes = async (mock: Opened['mock'], from: number, to: number) => {
  for (let n = from; n < to; n++) await json(mock, 'POST', `/_mock/inbox/n${n}`, { n });
};

test.each(WHILE_AWAY)('is told of %s', async (_, before, while_away) => {
  const memory = new Memory();
  const first = await openBench(memory);
  await before(first);
  await first.settled();
  const { id } = await first.listen();
  await while_away(first);
  await first.settled();
  const again = await first.listen(id);
  expect([again.missed, again.id === id]).toEqual([true, false]);
  first.host.close();
  const reopened = await openBench(memory);
  expect(await reopened.listen(again.id)).toEqual({ missed: false, id: again.id });
  expect((await reopened.listen(id)).missed).toBe(true);
  reopened.host.close();
});

/** A snapshot, reading keys, another world and its end. */
const CHANGE_NOTHING = [14, 16, 22, 23];

test('is told of each step of a session that changes anything, and of no end of the mock between them', async () => {
  const memory = new Memory();
  let bench = await openBench(memory);
  let { id } = await bench.listen();
  const missed: number[] = [];
  for (const [n, step] of STEPS.entries()) {
    await step(bench.mock, n);
    await bench.settled();
    const now = await bench.listen(id);
    if (now.missed) missed.push(n);
    bench.host.close();
    bench = await openBench(memory);
    expect([n, await bench.listen(now.id)]).toEqual([n, { missed: false, id: now.id }]);
    id = now.id;
  }
  bench.host.close();
  expect(STEPS.flatMap((_, n) => (missed.includes(n) ? [] : [n]))).toEqual(CHANGE_NOTHING);
});

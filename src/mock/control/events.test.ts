// The event stream: requests, deliveries, clock and changes of one world, until the client leaves.
import { expect, test } from 'vitest';
import { createMock, type Server } from '../../node/index.ts';
import { wait } from '../../service/world/time.ts';
import { keep } from '../../test/closing.ts';
import { ask } from '../../test/sending.ts';

const READ = { authorization: 'Bearer wm_tiny_read' };

const start = async () => {
  const mock = keep(await createMock({ seed: 'fixtures/tiny.yaml' }));
  return { mock, server: await mock.listen({ port: 0 }) };
};

const EVENT = /^id: .*\nevent: (.*)\ndata: (.*)$/gm;

/** Listens to a world until `leave`. */
const listen = async ({ server }: { readonly server: Server }, world = '') => {
  const leaving = new AbortController();
  const { body } = await fetch(`${server.origin}${world}/_mock/events`, { signal: leaving.signal });
  let text = '';
  const ended = (async () => {
    for await (const bytes of body!) text += new TextDecoder().decode(bytes as Uint8Array);
  })().catch(() => {});
  const events = () => Array.from(text.matchAll(EVENT), ([, event, data]) => ({ event: event!, data: JSON.parse(data!) }));
  /** Waits for a number of events, of those that fit. */
  const until = async (count: number, fits: (event: ReturnType<typeof events>[number]) => boolean = () => true) => {
    for (let i = 0; i < 15_000 && events().filter(fits).length < count; i++) await wait(2);
    expect(events().filter(fits), text).toHaveLength(count);
  };
  return { events, until, leave: () => leaving.abort(), ended };
};

test('tells when a fault is added, holds a response, releases it and is removed', async () => {
  const bench = await start();
  const stream = await listen(bench);
  const faults = (count: number) => stream.until(count, ({ data }) => data.kind === 'faults');
  await ask(bench.mock, 'POST', '/_mock/faults', { effect: { hold: true } });
  const waiting = ask(bench.mock, 'GET', '/tasks');
  await faults(2);
  await ask(bench.mock, 'POST', '/_mock/faults/fault_1/release');
  expect((await waiting).status).toBe(200);
  await ask(bench.mock, 'DELETE', '/_mock/faults/fault_1');
  await faults(4);
  stream.leave();
});

test('tells of messages to an inbox, of its next responses, and of requests that are cleared', async () => {
  const bench = await start();
  const stream = await listen(bench);
  await ask(bench.mock, 'POST', '/_mock/inbox/box', { n: 1 });
  await ask(bench.mock, 'POST', '/_mock/inbox/box/respond', { statuses: [500] });
  await ask(bench.mock, 'DELETE', '/_mock/requests');
  await stream.until(3);
  expect(stream.events().map(({ event, data }) => ({ event, ...data }))).toEqual([
    { event: 'state', kind: 'inbox', name: 'box' },
    { event: 'state', kind: 'inbox', name: 'box' },
    { event: 'state', kind: 'requests_cleared' },
  ]);
  stream.leave();
});

test('a thousand may listen to the worlds of a host; those of another host listen none the less', async () => {
  const [full, other] = [await createMock(), await createMock()].map(keep);
  const listenTo = async (mock: typeof full) => mock!.fetch('http://wm-mock.test/_mock/events');
  const streams = await Promise.all(Array.from({ length: 1000 }, () => listenTo(full)));
  expect([(await listenTo(full)).status, (await listenTo(other)).status]).toEqual([503, 200]);
  await streams[0]!.body!.cancel();
  expect((await listenTo(full)).status).toBe(200);
});

test('each world tells of itself alone, and its stream ends with it', async () => {
  const bench = await start();
  await ask(bench.mock, 'POST', '/_mock/worlds', { id: 'one' });
  const [main, one] = [await listen(bench), await listen(bench, '/worlds/one')];
  await ask(bench.mock, 'GET', '/worlds/one/v1/tasks', undefined, READ);
  await ask(bench.mock, 'GET', '/users/me', undefined, READ);
  for (const stream of [one, main]) await stream.until(1);
  expect([one, main].map(({ events }) => events()[0]!.data.operation)).toEqual(['listTasks', 'getMe']);
  await ask(bench.mock, 'DELETE', '/_mock/worlds/one');
  await one.ended;
  main.leave();
});

test('a client that leaves is forgotten; closing the mock ends those who stay', async () => {
  const bench = await start();
  const [leaver, stayer] = [await listen(bench), await listen(bench)];
  leaver.leave();
  await leaver.ended;
  await ask(bench.mock, 'GET', '/users/me');
  await stayer.until(1);
  await bench.mock.close();
  await stayer.ended;
});

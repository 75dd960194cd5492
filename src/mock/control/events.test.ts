// The event stream: requests, deliveries, clock and changes of one world, until the client leaves.
import { expect, test } from 'vitest';
import { createMock, type Server } from '../../node/index.ts';
import { closing } from '../../test/closing.ts';
import { ask } from '../../test/sending.ts';

const keep = closing();
const READ = { authorization: 'Bearer wm_tiny_read' };

const start = async () => {
  const mock = keep(await createMock({ seed: 'fixtures/tiny.yaml' }));
  return { mock, server: await mock.listen({ port: 0 }) };
};

interface Heard {
  readonly events: { readonly kind: string; readonly id: string; readonly data: Record<string, unknown> }[];
  readonly headers: Headers;
  until(done: (events: Heard['events']) => boolean): Promise<void>;
  leave(): void;
  readonly ended: Promise<void>;
}

const listen = async ({ server }: { readonly server: Server }, world = ''): Promise<Heard> => {
  const leaving = new AbortController();
  const response = await fetch(`${server.origin}${world}/_mock/events`, { signal: leaving.signal });
  const events: Heard['events'] = [];
  let rest = '';
  const ended = (async () => {
    for await (const bytes of response.body!) {
      rest += new TextDecoder().decode(bytes as Uint8Array);
      for (let end = rest.indexOf('\n\n'); end >= 0; end = rest.indexOf('\n\n')) {
        const fields = Object.fromEntries(
          rest
            .slice(0, end)
            .split('\n')
            .map((line) => [line.slice(0, line.indexOf(': ')), line.slice(line.indexOf(': ') + 2)]),
        );
        rest = rest.slice(end + 2);
        if (fields.event) events.push({ kind: fields.event, id: fields.id ?? '', data: JSON.parse(fields.data ?? '') });
      }
    }
  })().catch(() => {});
  const until: Heard['until'] = async (done) => {
    for (let i = 0; i < 15_000 && !done(events); i++) await new Promise((next) => setTimeout(next, 2));
    expect(done(events), JSON.stringify(events)).toBe(true);
  };
  return { events, headers: response.headers, until, leave: () => leaving.abort(), ended };
};

test('tells when faults come, keep an answer back, let go and go', async () => {
  const bench = await start();
  const heard = await listen(bench);
  const faults = () => heard.events.filter(({ data }) => data.kind === 'faults').length;
  await ask(bench.mock, 'POST', '/_mock/faults', { effect: { hold: true } });
  const waiting = ask(bench.mock, 'GET', '/tasks');
  await heard.until(() => faults() === 2);
  await ask(bench.mock, 'POST', '/_mock/faults/fault_1/release');
  expect((await waiting).status).toBe(200);
  await ask(bench.mock, 'DELETE', '/_mock/faults/fault_1');
  await heard.until(() => faults() === 4);
  heard.leave();
});

test('tells of what comes to an inbox, of how it is to answer, and of requests that are cleared', async () => {
  const bench = await start();
  const heard = await listen(bench);
  await ask(bench.mock, 'POST', '/_mock/inbox/box', { n: 1 });
  await ask(bench.mock, 'POST', '/_mock/inbox/box/respond', { statuses: [500] });
  await ask(bench.mock, 'DELETE', '/_mock/requests');
  await heard.until((events) => events.length === 3);
  expect(heard.events.map(({ kind, data }) => ({ event: kind, ...data }))).toEqual([
    { event: 'state', kind: 'inbox', name: 'box' },
    { event: 'state', kind: 'inbox', name: 'box' },
    { event: 'state', kind: 'requests_cleared' },
  ]);
  heard.leave();
});

test('a thousand may listen to the worlds of a host; those of another host listen none the less', async () => {
  const [full, other] = [await createMock(), await createMock()].map(keep);
  const asked = async (mock: typeof full) => mock!.fetch('http://wm-mock.test/_mock/events');
  const streams = await Promise.all(Array.from({ length: 1000 }, () => asked(full)));
  expect([(await asked(full)).status, (await asked(other)).status]).toEqual([503, 200]);
  await streams[0]!.body!.cancel();
  expect((await asked(full)).status).toBe(200);
});

test('each world tells of itself alone, and its stream ends with it', async () => {
  const bench = await start();
  await ask(bench.mock, 'POST', '/_mock/worlds', { id: 'one' });
  const [main, one] = [await listen(bench), await listen(bench, '/worlds/one')];
  await ask(bench.mock, 'GET', '/worlds/one/v1/tasks', undefined, READ);
  await ask(bench.mock, 'GET', '/users/me', undefined, READ);
  await one.until((events) => events.length > 0);
  await main.until((events) => events.length > 0);
  expect([one.events.map(({ data }) => data.operation), main.events.map(({ data }) => data.operation)]).toEqual([
    ['listTasks'],
    ['getMe'],
  ]);
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
  await stayer.until((events) => events.length === 1);
  await bench.mock.close();
  await stayer.ended;
});

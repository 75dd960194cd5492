// Effects of an ordered fault on a response, in memory and over a socket alike.
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { createMock, type Mock, type MockOptions } from '../../node/index.ts';
import { wait } from '../../service/world/time.ts';
import { asking } from '../../test/asking.ts';
import { keep } from '../../test/closing.ts';

/** Waits until the first fault holds this many responses. */
const holding = async ({ faults }: Pick<Mock, 'faults'>, count: number) => {
  while (faults.list()[0]!.held < count) await wait(1);
};

describe.each(['in memory', 'over a socket'])('%s', (transport) => {
  const start = async (options: MockOptions = {}) => {
    const mock = keep(await createMock({ seed: 'fixtures/tiny.yaml', ...options }));
    const base = transport === 'in memory' ? undefined : (await mock.listen({ port: 0 })).baseUrl;
    const call = (path: string, init: RequestInit = {}, key = 'wm_tiny_admin') => {
      const request = { ...init, headers: { authorization: `Bearer ${key}`, ...init.headers } };
      return base === undefined ? mock.fetch(path, request) : fetch(base + path, request);
    };
    return { mock, call };
  };
  const create = (title: string): RequestInit => ({
    method: 'POST',
    body: JSON.stringify({ title }),
    headers: { 'content-type': 'application/json' },
  });

  test('a connection is closed: fetch rejects with a TypeError, the journal says so, the next request gets a response', async () => {
    const { mock, call } = await start();
    const { id } = mock.faults.add({ effect: { abort: true }, times: 1 });
    await expect(call('/projects/proj_one/tasks', create('never'))).rejects.toThrow(TypeError);
    expect(mock.requests).toMatchObject([{ status: 0, fault: id, response: { headers: {}, body: null } }]);
    expect(mock.world.store.tasks.size).toBe(2);
    expect((await call('/tasks')).status).toBe(200);
  });

  test('responses are held until released, in the order that the test wants', async () => {
    const { mock, call } = await start();
    const slow = mock.faults.add({ match: { method: 'POST' }, effect: { hold: true } });
    const order: string[] = [];
    const responses = ['one', 'two'].map(async (title) => {
      const { status } = await call('/projects/proj_one/tasks', create(title));
      order.push(`held ${status}`);
    });
    await holding(mock, 2);
    order.push(`read ${(await call('/tasks')).status}`);
    mock.faults.release(slow.id);
    await Promise.all(responses);
    expect(order).toEqual(['read 200', 'held 201', 'held 201']);
    expect((await call('/projects/proj_one/tasks', create('free'))).status).toBe(201);
    expect(mock.faults.list()[0]).toMatchObject({ held: 0, released: true, hits: 3 });
  });

  test.each(['remove', 'clear', 'reset', 'close'])('%s releases what is held', async (how) => {
    const { mock, call } = await start();
    const { id } = mock.faults.add({ effect: { hold: true } });
    const pendingStatus = call('/tasks').then(({ status }) => status);
    await holding(mock, 1);
    const { faults } = mock;
    const ended = { remove: () => faults.remove(id), clear: faults.clear, reset: () => mock.reset(), close: mock.close }[how]!();
    expect(await pendingStatus).toBe(200);
    await ended;
  });
});

test('a client that leaves while its response is held leaves nothing broken', async () => {
  const mock = keep(await createMock({ seed: 'fixtures/tiny.yaml' }));
  const { port } = await mock.listen({ port: 0 });
  const { id } = mock.faults.add({ effect: { hold: true } });
  const socket = connect(port, '127.0.0.1');
  socket.write('GET /v1/tasks HTTP/1.1\r\nhost: x\r\nauthorization: Bearer wm_tiny_read\r\n\r\n');
  await holding(mock, 1);
  socket.destroy();
  mock.faults.release(id);
  expect((await mock.fetch('/tasks', { headers: mock.auth('read') })).status).toBe(200);
});

test('the journal shows what is held behind the rest, by the same filters, beside any limit and on the first page alone', async () => {
  const { mock, control, service } = keep(await asking());
  const { id } = mock.faults.add({ match: { operation: 'listTasks' }, effect: { hold: true } });
  await service('GET', '/users/me');
  await service('GET', '/projects');
  const pending = [service('GET', '/tasks?limit=1'), service('GET', '/tasks?limit=2')];
  await holding(mock, 2);
  const paths = async (query: string) =>
    (await control('GET', `/requests${query}`)).body.items.map((one: { path: string }) => one.path);
  const [first, second] = ['/v1/tasks?limit=1', '/v1/tasks?limit=2'];
  expect(await paths('')).toEqual(['/v1/users/me', '/v1/projects', first, second]);
  expect(await paths('?operation=listProjects')).toEqual(['/v1/projects']);
  expect(await paths('?limit=1')).toEqual(['/v1/projects', first, second]);
  expect(await paths('?limit=1&cursor=req_2')).toEqual(['/v1/users/me']);
  expect((await control('GET', '/requests?operation=listTasks')).body.items[0]).toMatchObject({ id: 'pending', fault: id });
  mock.faults.release(id);
  await Promise.all(pending);
});

test('a held response says nothing yet of how clients live with a service that is ahead', async () => {
  const mock = await createMock({ seed: 'fixtures/tiny.yaml', forwardCompat: true });
  const { id } = mock.faults.add({ effect: { hold: true } });
  const waiting = mock.fetch('/tasks', { headers: mock.auth('read') });
  await wait(5);
  expect(mock.requests).toMatchObject([{ id: 'pending' }]);
  expect(mock.compatibility).toMatchObject({ answers: 0, survived: null });
  mock.faults.release(id);
  await waiting;
  expect([mock.compatibility.answers, mock.compatibility.survived]).toEqual([1, true]);
  await mock.close();
});

// A mock in a program: clock, faults, journal, deliveries, forks and snapshots with no socket.
import { afterEach, describe, expect, test } from 'vitest';
import { createMock, type Mock, type MockOptions } from '../node/index.ts';

const open: Mock[] = [];
afterEach(async () => void (await Promise.all(open.splice(0).map((mock) => mock.close()))));
const start = async (options: MockOptions = {}): Promise<Mock> => {
  const mock = await createMock({ seed: 'fixtures/tiny.yaml', ...options });
  open.push(mock);
  return mock;
};
const post = (mock: Mock, path: string, body: unknown) =>
  mock.fetch(path, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { ...mock.auth('admin'), 'content-type': 'application/json' },
  });
const totalOf = async (mock: Mock): Promise<number> =>
  (await (await mock.fetch('/projects', { headers: mock.auth('read') })).json()).meta.total;

describe('the clock', () => {
  test('is read, moved on, set, frozen, let run', async () => {
    const { clock } = await start();
    expect([clock.now, clock.mode]).toEqual(['2025-01-20T09:00:00.000Z', 'frozen']);
    expect(await clock.advance('90m')).toEqual({ now: '2025-01-20T10:30:00.000Z', mode: 'frozen', next: null, deliveries: [] });
    await clock.advance(500);
    clock.set('2026-01-01T00:00:00Z');
    expect(clock.now).toBe('2026-01-01T00:00:00.000Z');
    clock.run();
    expect(clock.mode).toBe('running');
    clock.freeze(new Date('2027-01-01T00:00:00Z'));
    expect([clock.now, clock.mode]).toEqual(['2027-01-01T00:00:00.000Z', 'frozen']);
    await expect(clock.advance('soon')).rejects.toThrow('expected a duration such as 30s');
    expect(() => clock.set('soon')).toThrow('must be an ISO 8601 datetime');
  });

  test('makes every attempt on its way: 0, 30, 150, 750, 2550, 9750 seconds', async () => {
    const mock = await start();
    await post(mock, '/webhooks', { url: 'http://127.0.0.1:9/hook' });
    const hook = mock.world.store.webhooks.all()[0]!.value;
    mock.webhooks.simulate(hook.id, [500, 500, 500, 500, 500, 500]);
    await post(mock, '/projects', { name: 'A' });
    await mock.webhooks.settled();
    expect(mock.deliveries[0]).toMatchObject({ state: 'retrying', attempts: [{ status: 500 }] });
    const { deliveries } = await mock.clock.advance('1d');
    const from = Date.parse('2025-01-20T09:00:00Z');
    expect(deliveries).toHaveLength(1);
    expect(deliveries[0]!.attempts.map(({ at }) => (Date.parse(at) - from) / 1000)).toEqual([0, 30, 150, 750, 2550, 9750]);
    expect(mock.deliveries[0]!.state).toBe('failed');
  });
});

describe('forks', () => {
  test('a fork is a mock of its own, from the state as it is or from the seed', async () => {
    const mock = await start();
    await post(mock, '/projects', { name: 'Two' });
    const [current, seed] = [mock.fork(), mock.fork({ from: 'seed', id: 'fresh' })];
    expect([await totalOf(current), await totalOf(seed), seed.id]).toEqual([2, 1, 'fresh']);
    await post(current, '/projects', { name: 'Three' });
    await current.clock.advance('1h');
    current.faults.add({ effect: { status: 500 }, times: 1 });
    expect([await totalOf(mock), await totalOf(seed)]).toEqual([2, 1]);
    expect([mock.clock.now, mock.faults.list(), current.requests.length]).toEqual(['2025-01-20T09:00:00.000Z', [], 2]);
    current.reset();
    expect(await totalOf(current)).toBe(2);
    const again = current.fork();
    await current.close();
    expect((await mock.app.fetch(new Request(`${current.baseUrl}/tasks`))).status).toBe(404);
    expect(await totalOf(again)).toBe(2);
  });

  test('a fork listens at its own address, and is reached by its own keys at that of the mock', async () => {
    const mock = await start();
    const fork = mock.fork({ mintKeys: true });
    await post(fork, '/projects', { name: 'Two' });
    const server = await fork.listen();
    expect(server.baseUrl).toBe(`${server.origin}/worlds/${fork.id}/v1`);
    const total = async (url: string, headers: Record<string, string>) =>
      (await (await fetch(url, { headers })).json()).meta.total;
    expect(await total(`${server.baseUrl}/projects`, mock.auth('read'))).toBe(2);
    const own = fork.keys.find(({ value }) => !mock.keys.some((key) => key.value === value))!;
    const plain = await mock.listen();
    expect(await total(`${plain.baseUrl}/projects`, { authorization: `Bearer ${own.value}` })).toBe(2);
    expect(await total(`${plain.baseUrl}/projects`, mock.auth('read'))).toBe(1);
    expect(() => mock.fork({ id: fork.id })).toThrow('has the id');
  });
});

test('a snapshot brings back data, clock, faults, choices, journal and deliveries', async () => {
  const mock = await start();
  await post(mock, '/webhooks', { url: 'https://hooks.example/x' });
  await post(mock, '/projects', { name: 'Two' });
  await mock.webhooks.settled();
  mock.faults.add({ effect: { status: 500 }, after: 100 });
  const snapshot = mock.snapshot();
  const kept = () => [mock.clock.now, mock.choices['patch-status'], mock.faults.list(), mock.requests, mock.deliveries];
  const before = JSON.stringify(kept());
  for (let i = 0; i < 2; i++) {
    await post(mock, '/projects', { name: 'Three' });
    await mock.clock.advance('1h');
    mock.choose({ 'patch-status': '202' });
    mock.faults.clear();
    snapshot.restore();
    expect(JSON.stringify(kept())).toBe(before);
  }
  expect(await totalOf(mock)).toBe(2);
});

test('faults are added, listed, removed and released; a senseless one is refused', async () => {
  const { faults } = await start();
  const { id } = faults.add({ match: { operation: 'listTasks' }, effect: { status: 500 } });
  expect(faults.list()).toMatchObject([{ id, hits: 0, seen: 0, held: 0 }]);
  expect([faults.remove(id), faults.remove(id)]).toEqual([true, false]);
  expect(() => faults.add({ match: { key: 'wm_nobody' }, effect: { status: 500 } })).toThrow('match.key');
});

test('a reset with another seed changes what reset goes back to', async () => {
  const mock = await start();
  const { toSeed } = await import('./create.ts');
  const seed = await toSeed({
    seed: { workspaces: [{ id: 'ws_new', users: [{ id: 'user_n' }], api_keys: [{ value: 'wm_new_key' }] }] },
  });
  mock.reset(seed);
  mock.reset();
  expect(mock.keys.map(({ value }) => value)).toEqual(['wm_new_key']);
});

test('requests are heard as they come, from every world', async () => {
  const mock = await start();
  const heard: string[] = [];
  const stop = mock.onRequest(({ method, operation, status }, world) => heard.push(`${world} ${method} ${operation} ${status}`));
  await totalOf(mock);
  await totalOf(mock.fork({ id: 'other' }));
  stop();
  await totalOf(mock);
  expect(heard).toEqual(['default GET listProjects 200', 'other GET listProjects 200']);
});

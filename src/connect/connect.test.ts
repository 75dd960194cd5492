// A mock in another process, over a socket: every member does what the same member of a mock in this process does.
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { createMock } from '../node/index.ts';
import { matchers } from '../testing/matchers.ts';
import { connect, type RemoteMock } from './connect.ts';

const main = await createMock({
  seed: 'fixtures/tiny.yaml',
  controlToken: 'sesame',
  sender: async () => ({ kind: 'response', status: 204, took: 0 }),
});
const server = await main.listen({ port: 0 });
const remote = await connect(`${server.origin}/_mock`, { token: 'sesame' });
afterEach(() => main.reset());
afterAll(() => main.close());

describe('an address', () => {
  test.each(['', '/', '/_mock', '/_mock/?x=1', '/v1'])('may end in %j', async (end) => {
    const mock = await connect(`${server.origin}${end}`, { token: 'sesame' });
    expect([mock.id, mock.controlUrl, mock.baseUrl]).toEqual(['default', `${server.origin}/_mock`, `${server.origin}/v1`]);
  });

  test('comes with options that there are', async () => {
    const misspelt = connect('http://127.0.0.1:1/_mock', { tokn: 'x' } as never);
    await expect(misspelt).rejects.toThrow(
      new TypeError('connect is refused: tokn: unknown field, expected token or fetch. docs/exec.md of wm-mock has more.'),
    );
    await expect(connect(server.origin, { token: 'wm—x' })).rejects.toThrow('connect is refused: token: expected ASCII.');
  });

  test('is refused with the reason when it is no URL, has no server or another server', async () => {
    await expect(connect('localhost')).rejects.toThrow(
      /^connect: expected the control_url that a mock prints at its start, .* got "localhost"\. docs\/exec\.md/,
    );
    await expect(connect('http://127.0.0.1:9/_mock')).rejects.toThrow(
      /^connect: no server responds at http:\/\/127\.0\.0\.1:9\/_mock \(bad port\)\. Give the control_url that npx wm-mock prints .*docs\/exec\.md/,
    );
    const other = async () => new Response('<h1>Hello</h1>', { headers: { 'content-type': 'application/json' } });
    await expect(connect('http://other.test', { fetch: other })).rejects.toThrow(
      /responded with 200, and not as a wm-mock does\. Give the control_url .*docs\/exec\.md/,
    );
    const bare = async () => new Response(new Uint8Array([104, 105]));
    await expect(connect('http://other.test', { fetch: bare })).rejects.toThrow(
      /, and not as a wm-mock does\. Give the control_url /,
    );
    await expect(connect(server.origin, { token: 'wrong' })).rejects.toMatchObject({ status: 401, name: 'Problem' });
  });
});

describe('a mock in another process', () => {
  test('reads lists whole that are longer than a page', async () => {
    const description = 'x'.repeat(9_900);
    const fork = await remote.fork({ id: 'long' });
    for (let i = 0; i < 900; i++) main.create.task({ title: `t${i}`, description, assignee_id: null, project_id: 'proj_one' });
    const tasks = await remote.read.tasks({ project_id: 'proj_one' });
    expect(tasks).toEqual(main.read.tasks({ project_id: 'proj_one' }));
    expect((await remote.control('GET /diff', { from: 'long', to: 'default' })).next_cursor).toBeTypeOf('string');
    expect((await fork.diff(remote)).items).toHaveLength(900);
    const headers = main.auth('read');
    for (let i = 0; i < 9; i++) await main.fetch('/tasks?limit=100', { headers });
    expect((await remote.control('GET /requests')).items.length).toBeLessThan(9);
    expect((await remote.requests).map(({ id }) => id)).toEqual(main.requests.map(({ id }) => id));
    await fork.close();
  });

  test('asks by the fetch that it was given, which in a page is a function of no object', async () => {
    const callers: unknown[] = [];
    const mock = await connect(server.origin, {
      token: 'sesame',
      fetch(this: unknown, ...given) {
        callers.push(this ?? globalThis);
        return fetch(...given);
      },
    });
    expect((await mock.fetch('/tasks', { headers: await mock.auth('read') })).status).toBe(200);
    expect(callers.map((caller) => caller === globalThis)).toEqual([true, true, true]);
  });

  test('has its own clock, faults, choices and release in reach', async () => {
    await remote.clock.freeze('2025-02-01T00:00:00Z');
    const { now } = await remote.clock.advance('2h');
    expect([now, await remote.clock.now, await remote.clock.mode, main.clock.now]).toEqual(
      '2025-02-01T02:00:00.000Z 2025-02-01T02:00:00.000Z frozen 2025-02-01T02:00:00.000Z'.split(' '),
    );
    const { id } = await remote.faults.add({ match: { operation: 'listTasks' }, effect: { status: 503 } });
    expect((await remote.fetch('/tasks', { headers: await remote.auth('read') })).status).toBe(503);
    expect(await remote.faults.list()).toEqual(main.faults.list());
    expect([await remote.faults.remove(id), await remote.faults.remove(id), main.faults.list()]).toEqual([true, false, []]);
    await expect(remote.faults.release(id)).rejects.toMatchObject({
      status: 404,
      message: expect.stringContaining(`No fault has the id "${id}"`),
    });
    await remote.choose({ 'patch-status': '202' });
    expect([await remote.choices, (await remote.choices)['patch-status']]).toEqual([main.choices, '202']);
    await remote.become('1.2');
    expect([await remote.release, main.release]).toEqual(['1.2', '1.2']);
    await remote.moveAhead(true);
    expect(await remote.forwardCompat).toEqual(main.forwardCompat);
    expect(await remote.compatibility).toEqual(main.compatibility);
    expect(await remote.keys).toMatchObject(main.keys);
    expect(await remote.key('read')).toBe(main.key('read'));
  });

  test('shows its journal and deliveries', async () => {
    await remote.create.webhook({ id: 'wh_far', url: 'https://hooks.test/x' });
    await remote.webhooks.simulate('wh_far', [500]);
    await remote.create.task();
    await remote.webhooks.settled();
    expect(await remote.deliveries).toEqual(JSON.parse(JSON.stringify(main.deliveries)));
    const [delivery] = await remote.deliveries;
    expect(delivery?.state).toBe('retrying');
    await expect(remote.webhooks.replay(delivery!.id)).rejects.toThrow('only a delivered or failed one can be replayed');
    expect((await remote.clock.advance('30s')).deliveries).toMatchObject([{ state: 'delivered' }]);
    await remote.webhooks.replay(delivery!.id);
    await remote.webhooks.settled();
    expect((await remote.deliveries)[0]?.attempts.map(({ trigger }) => trigger)).toEqual(
      main.deliveries[0]!.attempts.map(({ trigger }) => trigger),
    );
    await remote.fetch('/tasks', { headers: await remote.auth('read') });
    expect(await remote.requests).toEqual(main.requests);
  });

  test('shows its timeline, and what differs between its worlds', async () => {
    await remote.fetch('/tasks', { headers: await remote.auth('read') });
    await remote.create.project({ name: 'A' });
    expect(await remote.timeline).toEqual(main.timeline);
    expect((await remote.timeline).map(({ kind }) => kind)).toEqual(expect.arrayContaining(['request', 'edit']));
    const world = await remote.fork({ id: 'compared' });
    await world.update.project((await world.read.projects()).at(-1)!.id, { name: 'B' });
    const there = main.fork({ id: 'there' });
    expect(await remote.diff(world)).toMatchObject({ from: 'default', to: 'compared', created: 0, gone: 0, changed: 1 });
    expect(await world.diff(remote)).toMatchObject({ from: 'compared', to: 'default', changed: 1 });
    expect(await remote.diff(there)).toEqual(main.diff(there));
    await Promise.all([world.close(), there.close()]);
  });

  test('goes back to any step of what was recorded, as a world of its own', async () => {
    const recorded = await createMock({ record: true });
    const there = await connect(recorded.baseUrl, { fetch: (input, init) => recorded.fetch(input, init) });
    for (const name of ['One', 'Two']) recorded.create.project({ name });
    const names = async (world: RemoteMock) => (await world.read.projects()).map(({ name }) => name).slice(-2);
    const [after, before] = [await there.rewind(1), await there.rewind(2, { before: true, id: 'before' })];
    expect([before.id, await names(after), await names(before)]).toEqual(['before', await names(before), ['One']]);
    expect(await names(await there.rewind(2))).toEqual(['One', 'Two']);
    await expect(there.rewind(0)).rejects.toMatchObject({ status: 422, fields: [{ field: 'at' }] });
    await recorded.close();
  });

  test('makes every call of its control API, typed by its row', async () => {
    expect(await remote.control('PATCH /workspaces/{id}', 'ws_tiny', { plan: 'free' })).toMatchObject({
      requests_per_minute: 60,
    });
    expect((await remote.control('GET /requests', { limit: 1 })).items).toEqual([]);
    // @ts-expect-error there is no such plan
    await expect(remote.control('PATCH /workspaces/{id}', 'ws_tiny', { plan: 'gold' })).rejects.toMatchObject({ status: 422 });
  });

  test('forks worlds that are apart, and goes back to snapshots and to the seed', async () => {
    const world = await remote.fork({ id: 'apart' });
    await world.create.task({ id: 'task_apart' });
    expect([world.id, await remote.read.task('task_apart')]).toEqual(['apart', undefined]);
    expect((await world.fetch('/tasks/task_apart', { headers: await world.auth('read') })).status).toBe(200);
    const saved = await world.snapshot();
    await world.remove.task('task_apart');
    await saved.restore();
    expect((await world.read.task('task_apart'))?.id).toBe('task_apart');
    await world.reset();
    expect(await world.read.task('task_apart')).toBeUndefined();
    await world.reset({ ...(await remote.control('GET /state')), now: '2026-01-01T00:00:00Z' });
    expect(await world.clock.now).toBe('2026-01-01T00:00:00.000Z');
    expect((await connect(world.baseUrl, { token: 'sesame' })).id).toBe('apart');
    await world.close();
    await expect(world.read.tasks()).rejects.toMatchObject({ status: 404 });
    await remote.close();
    expect(await remote.read.tasks()).not.toEqual([]);
  });

  test('refuses in the words of its control API, with each field', async () => {
    await expect(remote.fork({ mintkeys: true } as never)).rejects.toThrow('mintkeys is unknown, expected one of');
    await expect(remote.create.task({ status: 'finished' as never })).rejects.toMatchObject({
      name: 'Problem',
      status: 422,
      fields: [{ field: 'status', issue: expect.stringContaining('got "finished"') }],
    });
    await expect(remote.auth('admin', 'ws_none')).rejects.toThrow('auth: expected one of the workspaces');
    await expect(remote.key('admin', 'ws_none')).rejects.toThrow('key: expected one of the workspaces');
    // @ts-expect-error there is no such operation
    await expect(remote.faults.add({ match: { operation: 'listNothing' }, effect: { status: 500 } })).rejects.toThrow(
      'match.operation',
    );
  });
});

describe('matchers', () => {
  expect.extend(matchers as never);

  test('judge it as they judge a mock in this process', async () => {
    await remote.fetch('/tasks', { headers: await remote.auth('read') });
    await remote.create.webhook({ url: 'https://hooks.test/x' });
    await remote.create.task();
    await remote.webhooks.settled();
    const cases = [
      ['toHaveReceived', 'listTasks', 1],
      ['toHaveReceived', 'deleteTask'],
      ['toHaveDelivered', 'task.created', { simulated: true }],
      ['toHaveDelivered', 'task.deleted'],
      ['toHaveNoClientWarnings'],
      ['toHaveSurvivedForwardCompat'],
    ] as const;
    for (const [name, ...given] of cases) {
      const judge = matchers[name] as unknown as (
        received: unknown,
        ...given: unknown[]
      ) => Promise<{ pass: boolean; message(): string }>;
      const [far, near] = [await judge(remote, ...given), await judge(main, ...given)];
      expect([name, far.pass, far.message()]).toEqual([name, near.pass, near.message()]);
    }
    await expect(matchers.toHaveReceived(remote, 'listNothing' as never)).rejects.toThrow('expected one of');
    expect(() => matchers.toHaveReceived({} as never, 'listTasks')).toThrow('expected a mock');
  });
});

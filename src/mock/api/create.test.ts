// A mock without a socket: what each option does, what it is refused with, what it shows of its world.
import { describe, expect, test } from 'vitest';
import { createMock } from '../../create-mock.ts';
import * as front from '../../index.ts';
import { LATEST, RELEASES } from '../../service/contract/releases.ts';
import { fetchSender } from '../../service/webhooks/sender.ts';
import { BUSY } from '../../test/busy.ts';
import { keep } from '../../test/closing.ts';
import { ask } from '../../test/sending.ts';
import { Host } from '../control/host.ts';
import { plantSeed } from '../control/snapshot.ts';
import { hostOptionsOf, mockOn, toSeed } from './create.ts';
import type { Mock } from './mock.ts';
import type { MockOptions } from './options.ts';

const start = async (options: MockOptions = {}): Promise<Mock> => keep(await createMock({ seed: BUSY, ...options }));
const bodyOf = async (mock: Mock, path: string, key = 'wm_busy_admin') => {
  const response = await mock.fetch(path, { headers: { authorization: `Bearer ${key}` } });
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses freely.
  return [response.status, (await response.json()) as any] as const;
};
const NOW = Date.parse('2025-01-20T09:00:00Z');
const OWN = { id: 'ws_a', users: [{ id: 'user_a' }], api_keys: [{ value: 'wm_a' }] };
const DRAWN = { id: 'ws_a', users: [{}], api_keys: [{}] };

describe('a seed', () => {
  test('is the blank one, a text, a parsed file or a checked seed', async () => {
    expect((await toSeed({})).workspaces[0]!.id).toBe('ws_main');
    const read = await toSeed({ seed: BUSY });
    expect([read.workspaces[0]!.id, read.now, read.randomSeed, read.release]).toEqual(['ws_busy', NOW, 7, LATEST]);
    const checked = await toSeed({ seed: { random_seed: 3, workspaces: [OWN] } });
    expect([checked.workspaces[0]!.id, checked.randomSeed]).toEqual(['ws_a', 3]);
    expect((await toSeed({ seed: read })).workspaces).toBe(read.workspaces);
  });

  test('gives way to options, and keeps what they leave out', async () => {
    const read = await toSeed({ seed: BUSY });
    const terms = { release: '1.1', forwardCompat: 'fields', choices: { 'patch-status': 202 } } as const;
    const other = await toSeed({ seed: BUSY, now: '2026-02-01T00:00:00Z', randomSeed: 0, plan: 'free', ...terms });
    const now = Date.parse('2026-02-01T00:00:00Z');
    expect(other).toMatchObject({ now, randomSeed: 0, release: '1.1', forward: ['fields'] });
    expect(other.workspaces.map(({ plan }) => plan)).toEqual(['free', 'free']);
    expect([other.choices['patch-status'], other.choices.signature]).toEqual(['202', 'hex']);
    expect(other.workspaces[0]!.projects[0]!.created_at).toBe('2026-01-02T00:00:00.000Z');
    expect(read.workspaces.map(({ plan }) => plan)).toEqual(['unlimited', 'unlimited']);
    const again = await toSeed({ seed: { ...other }, now: NOW });
    expect(again).toMatchObject({ now: NOW, randomSeed: 0, choices: { 'patch-status': '202' }, release: '1.1' });
    const { choices } = await toSeed({ seed: other, choices: { signature: 'github' } });
    expect(choices).toMatchObject({ 'patch-status': '202', signature: 'github' });
    expect((await toSeed({ seed: BUSY, now: new Date(NOW + 5) })).now).toBe(NOW + 5);
    expect((await toSeed({ seed: BUSY, forwardCompat: false })).forward).toEqual([]);
  });

  test('draws what it leaves out by the random seed of the options, else by its own', async () => {
    const drawn = async (options: MockOptions) =>
      (await toSeed({ seed: { random_seed: 4, workspaces: [DRAWN] }, ...options })).workspaces[0]!.users[0]!.id;
    const [own, four, five] = [await drawn({}), await drawn({ randomSeed: 4 }), await drawn({ randomSeed: 5 })];
    expect([own === four, own === five]).toEqual([true, false]);
    expect(await drawn({ seed: 'workspaces: [{ id: ws_a, users: [{}], api_keys: [{}] }]', randomSeed: 4 })).toBe(four);
  });

  test.each<readonly [MockOptions, string]>([
    ...['soon', '2025-02-30', Number.NaN, -1, 253_402_300_800_000, new Date(Number.NaN)].map(
      (now): readonly [MockOptions, string] => [
        { now },
        `now: expected an ISO 8601 time with its time zone, from 1970 to 9999, such as 2025-01-20T09:00:00Z, got "${now}"`,
      ],
    ),
    [{ choices: { nope: 1 } }, 'nope: expected one of the open points of `wm-mock choices`, got "nope"'],
    [
      { forwardCompat: 'nope' },
      'forward-compat: expected all, none or any of fields, enums, messages, endpoints, headers, order, got "nope"',
    ],
  ])('is refused with %j', async (options, message) => {
    await expect(toSeed(options)).rejects.toThrow(new RangeError(message));
  });

  test('is called what it is told to be called where it is wrong', async () => {
    await expect(toSeed({ seed: 'nope: 1' })).rejects.toThrow(/^seed:1:1: workspaces/);
    await expect(toSeed({ seed: 'nope: 1', seedName: 'a.yaml' })).rejects.toThrow(/^a\.yaml:1:1: workspaces/);
    await expect(toSeed({ seed: { nope: 1 }, seedName: 'a' })).rejects.toThrow(/^a: workspaces/);
  });
});

test('a host behaves as the options say', async () => {
  const usual = hostOptionsOf({});
  expect(usual).toMatchObject({ sender: fetchSender, deliverPublic: false, worldIdleMs: 3_600_000, latency: undefined });
  const sender = async () => ({ kind: 'response', status: 200, took: 0 }) as const;
  const behaviour = { sender, deliverPublic: true, worldIdleMs: 5 };
  const given = hostOptionsOf({ ...behaviour, latency: 7, seed: BUSY, now: 0, randomSeed: 9, plan: 'free' });
  expect(given).toMatchObject({ ...behaviour, latency: { min: 7, max: 7 } });
  expect(hostOptionsOf({ latency: { min: 1, max: 2 } }).latency).toEqual({ min: 1, max: 2 });
  const seed = await given.readSeed(BUSY);
  expect([seed.now, seed.randomSeed, seed.workspaces[0]!.plan]).toEqual([NOW, 7, 'free']);
  await expect(given.readSeed('nope: 1')).rejects.toThrow(/^seed:1:1/);
});

describe('a mock', () => {
  test('shows its world, its keys, its terms', async () => {
    const mock = await start({ choices: { signature: 'github' }, release: '1.2', forwardCompat: ['fields', 'order'] });
    expect(mock.baseUrl).toBe(`http://${new URL(mock.baseUrl).host}/v1`);
    const terms = { release: '1.2', forwardCompat: ['fields', 'order'], choices: { signature: 'github' } };
    expect(mock).toMatchObject({ id: 'default', ...terms });
    expect(mock.keys).toEqual([
      { value: 'wm_busy_admin', scope: 'admin', workspace_id: 'ws_busy', user_id: 'user_ada' },
      { value: 'wm_busy_write', scope: 'write', workspace_id: 'ws_busy', user_id: 'user_bo' },
      { value: 'wm_busy_read', scope: 'read', workspace_id: 'ws_busy', user_id: 'user_bo' },
      { value: 'wm_other_admin', scope: 'admin', workspace_id: 'ws_other', user_id: 'user_oz' },
    ]);
    expect(mock.auth('admin')).toEqual({ authorization: 'Bearer wm_busy_admin' });
    expect([mock.key('admin'), mock.key('admin', 'ws_other')]).toEqual(['wm_busy_admin', 'wm_other_admin']);
    expect(mock.auth('admin', 'ws_other')).toEqual({ authorization: 'Bearer wm_other_admin' });
    const advice = 'Ask for another one, or add such a key to the seed.';
    for (const [scope, workspace, says] of [
      ['read', 'ws_other', `expected a scope that a working key of ws_other has (admin), got "read". ${advice}`],
      ['owner', undefined, `expected a scope that a working key has (read, write, admin), got "owner". ${advice}`],
      ['owner', 'ws_none', 'expected one of the workspaces ws_busy, ws_other, got "ws_none"'],
    ] as const) {
      expect(() => mock.auth(scope as never, workspace)).toThrow(new RangeError(`auth: ${says}`));
      expect(() => mock.key(scope as never, workspace)).toThrow(new RangeError(`key: ${says}`));
    }
    expect([mock.requests, mock.deliveries, typeof mock.webhooks.settled]).toEqual([[], [], 'function']);
    const nothing = { answers: 0, warnings: [], delivered: 0, refused: [], survived: null };
    expect(mock.compatibility).toEqual({ forward_compat: ['fields', 'order'], ...nothing });
  });

  test('shows what it has delivered', async () => {
    const mock = await start();
    await ask(mock, 'POST', '/webhooks', { url: 'https://hooks.example.com/a' });
    await ask(mock, 'POST', '/projects', { name: 'New' });
    await mock.webhooks.settled();
    expect(mock.deliveries.map(({ event, state }) => [event.event, state])).toEqual([['project.created', 'delivered']]);
  });

  test('describes itself as it is now', async () => {
    const mock = await start({ choices: { 'patch-status': 202 } });
    const readVersion = async () => {
      const response = await mock.app.fetch(new Request(mock.baseUrl.replace('/v1', '/openapi.json')));
      const { info, paths } = (await response.json()) as {
        info: { version: string };
        paths: Record<string, { patch: { responses: object } }>;
      };
      return [info.version, Object.keys(paths['/tasks/{task_id}']!.patch.responses)[0]];
    };
    expect(await readVersion()).toEqual([RELEASES[LATEST].version, '202']);
    mock.choose({ 'patch-status': 201 });
    mock.become('1.1');
    expect(await readVersion()).toEqual(['1.1.0', '201']);
  });

  test('gives the page of its documentation the script that it was given, or none', async () => {
    const script = async (mock: Mock) => {
      const response = await mock.app.fetch(new Request(mock.baseUrl.replace('/v1', '/docs/scalar.js')));
      return [response.status, await response.text()] as const;
    };
    expect(await script(await start({ docsScript: async () => 'the script' }))).toEqual([200, 'the script']);
    expect((await script(await start()))[0]).toBe(404);
  });

  test('fills in a key of the seed at /docs, for a reader who may see the dashboard', async () => {
    const keys = ['read', 'admin', 'admin'].map((scope, i) => ({ id: `key_${i}`, value: `wm_${i}`, scope, user_id: 'user_a' }));
    const seed = { workspaces: [{ id: 'ws_a', name: 'A', users: [{ id: 'user_a', name: 'Ann' }], api_keys: keys }] };
    const shown = async ({ app }: Mock, path = '', host = '127.0.0.1:4700') =>
      /"token":"(\w+)"/.exec(await (await app.fetch(new Request(`http://${host}/docs${path}`))).text())?.[1];
    const mock = await start({ seed });
    mock.create.key({ name: 'New', scope: 'admin', user_id: 'user_a' });
    expect([await shown(mock), await shown(mock, '', 'foreign.example')]).toEqual(['wm_1', undefined]);
    for (const id of ['key_1', 'key_2']) mock.update.key(id, { revoked: true });
    expect(await shown(mock)).toBe('wm_0');
    const guarded = await start({ seed, controlToken: 'sesame' });
    expect([await shown(guarded), await shown(guarded, '?token=sesame')]).toEqual([undefined, 'wm_1']);
    expect(await shown(await start({ seed, noControl: true }))).toBe(undefined);
  });

  test('gives pages of every origin the script of the panel, without a token, or says how else they get it', async () => {
    const script = async (options: MockOptions) => {
      const { app } = await start({ controlToken: 'sesame', ...options });
      const headers = { origin: 'http://app.test', 'sec-fetch-site': 'cross-site' };
      const response = await app.fetch(new Request('http://127.0.0.1:4700/_mock/panel.js', { headers }));
      return [response.status, response.headers.get('access-control-allow-origin'), await response.text()];
    };
    expect(await script({ panelScript: async () => 'the panel' })).toEqual([200, '*', 'the panel']);
    expect(await script({})).toEqual([404, null, expect.stringContaining('import wm-mock/panel in your page')]);
  });

  test('closed is closed alone, unless it is the first of its host', async () => {
    const mock = await start();
    const [one, two] = [mock.fork({ id: 'one' }), mock.fork({ id: 'two' })];
    const status = async (of: Mock) => (await of.fetch('/users/me')).status;
    await one.close();
    expect([await status(one), await status(two), await status(mock)]).toEqual([404, 401, 401]);
    await mock.close();
    expect(await status(two)).toBe(404);
  });

  test('responds to paths below its base URL, and to whole URLs', async () => {
    const mock = await start();
    const headers = mock.auth('read');
    const url = `${mock.baseUrl}/users/me`;
    for (const input of ['/users/me', url, new URL(url), new Request(url)])
      expect((await mock.fetch(input, { headers })).status).toBe(200);
    expect((await mock.fetch(new Request(url, { headers }))).status).toBe(200);
  });

  test('makes other choices from now on', async () => {
    const mock = await start();
    mock.choose({ 'owner-field': 'owner_id' });
    expect((await bodyOf(mock, '/projects/proj_one'))[1].data.owner_id).toBe('user_ada');
    expect(() => mock.choose({ nope: 1 })).toThrow('nope');
    mock.become('1.1');
    expect([mock.release, (await bodyOf(mock, '/teams'))[0]]).toEqual(['1.1', 404]);
    expect(() => mock.become('9' as never)).toThrow('release');
    mock.moveAhead('fields');
    expect([mock.forwardCompat, (await bodyOf(mock, '/users/me'))[1].request_id]).toEqual([['fields'], 'req_later']);
    mock.moveAhead(false);
    expect(mock.forwardCompat).toEqual([]);
    expect(() => mock.moveAhead('nope')).toThrow('nope');
  });

  test('has a clock', async () => {
    const { clock, world } = await start();
    expect([clock.now, clock.mode]).toEqual(['2025-01-20T09:00:00.000Z', 'frozen']);
    expect(await clock.advance('1m')).toEqual({ now: '2025-01-20T09:01:00.000Z', mode: 'frozen', next: null, deliveries: [] });
    expect((await clock.advance('next')).now).toBe('2025-01-20T09:01:00.000Z');
    expect((await clock.advance(5)).now).toBe('2025-01-20T09:01:00.005Z');
    await expect(clock.advance('soon')).rejects.toThrow(
      new RangeError('advance: expected a duration such as 30s or 2h, milliseconds or next, got "soon"'),
    );
    clock.set(NOW + 7);
    expect(world.clock.now()).toBe(NOW + 7);
    clock.set(new Date(NOW + 8));
    clock.run();
    expect([clock.mode, world.clock.now() - NOW < 60_000]).toEqual(['running', true]);
    clock.freeze('2025-03-01T00:00:00Z');
    expect([clock.mode, clock.now]).toEqual(['frozen', '2025-03-01T00:00:00.000Z']);
    clock.run();
    clock.freeze();
    expect(clock.mode).toBe('frozen');
    clock.set(NOW, 'running');
    expect(clock.mode).toBe('running');
  });

  test('has faults', async () => {
    const { faults, fetch } = await start();
    const fault = faults.add({ effect: { status: 503 }, times: 1 });
    expect(fault).toMatchObject({ id: 'fault_1', times: 1, effect: { status: 503 }, seen: 0, hits: 0 });
    expect((await fetch('/users/me')).status).toBe(503);
    expect(faults.list()).toMatchObject([{ id: 'fault_1', hits: 1 }]);
    expect([faults.remove('fault_1'), faults.remove('fault_1')]).toEqual([true, false]);
    expect(() => faults.release('fault_1')).toThrow(
      'faults.release is refused: no fault has the id "fault_1"; it may have been removed. faults.list() lists those there are.',
    );
    expect(() => faults.release('fault_1')).toThrow(expect.objectContaining({ status: 404, code: 'not_found' }));
    faults.add({ effect: { status: 503 } });
    faults.clear();
    expect(faults.list()).toEqual([]);
    expect(() => faults.add({ effect: { status: 500 }, match: { key: 'wm_nobody' } })).toThrow('match.key');
  });

  test('tells of requests until it is told to stop', async () => {
    const mock = await start();
    const requests: string[] = [];
    const stop = mock.onRequest(({ id, status }, world) => requests.push(`${world} ${id} ${status}`));
    await mock.fetch('/users/me');
    await mock.fork({ id: 'other' }).fetch('/users/me');
    stop();
    await mock.fetch('/users/me');
    expect(requests).toEqual(['default req_1 401', 'other req_1 401']);
  });

  test('forks from now or from the seed, under a name of its own or a given one, with keys of its own', async () => {
    const mock = await start();
    mock.world.store.tasks.remove('task_1');
    await mock.fetch('/users/me');
    const tasks = (one: Mock) => one.world.store.tasks.size;
    const [now, seed] = [mock.fork(), mock.fork({ from: 'seed' })];
    const named = mock.fork({ id: 'mine', from: 'current', mintKeys: true });
    expect([tasks(mock), tasks(now), tasks(seed), tasks(named)]).toEqual([6, 6, 7, 6]);
    expect([named.id, named.baseUrl, now.requests.length]).toEqual(['mine', mock.baseUrl.replace('/v1', '/worlds/mine/v1'), 0]);
    expect([mock.keys.length, now.keys.length, named.keys.length > 4]).toEqual([4, 4, true]);
    expect(() => mock.fork({ id: 'mine' })).toThrow();
    await named.close();
    expect((await named.fetch('/users/me')).status).toBe(404);
    expect((await mock.fetch('/users/me')).status).toBe(401);
  });

  test('goes back to its seed, to another one, to a snapshot', async () => {
    const mock = await start();
    const tasks = () => mock.world.store.tasks.size;
    mock.world.store.tasks.remove('task_1');
    const snapshot = mock.snapshot();
    mock.world.store.tasks.remove('task_2');
    expect(tasks()).toBe(5);
    snapshot.restore();
    expect([tasks(), typeof snapshot.id]).toEqual([6, 'string']);
    mock.reset();
    expect(tasks()).toBe(7);
    mock.reset(await toSeed({ seed: { workspaces: [OWN] } }));
    expect([tasks(), mock.keys.map(({ value }) => value)]).toEqual([0, ['wm_a']]);
    mock.reset();
    expect(mock.keys.map(({ value }) => value)).toEqual(['wm_a']);
  });

  test('is reset to a seed that was parsed and not yet checked, under the options that it was started with', async () => {
    const mock = await start({ plan: 'free', choices: { signature: 'github' } });
    const parsed = { now: '2026-03-01T00:00:00Z', random_seed: 4, workspaces: [DRAWN] };
    mock.reset(parsed);
    const planted = mock.keys;
    expect([mock.clock.now, mock.clock.mode, mock.choices.signature]).toEqual(['2026-03-01T00:00:00.000Z', 'frozen', 'github']);
    expect([...mock.world.workspaces.values()]).toMatchObject([{ id: 'ws_a', plan: 'free' }]);
    mock.reset(await toSeed({ seed: parsed }));
    expect(mock.keys).toEqual(planted);
    const fork = mock.fork();
    fork.reset({ workspaces: [{ id: 'ws_b', users: [{}], api_keys: [{ value: 'wm_b' }] }] });
    expect([fork.keys.map(({ value }) => value), mock.keys]).toEqual([['wm_b'], planted]);
  });

  test('refuses to be reset to what is no seed, and stays as it is', async () => {
    const mock = await start();
    const { keys } = mock;
    expect(() => mock.reset({ workspaces: [{ id: 'ws_a' }] })).toThrow(front.SeedError);
    expect(() => mock.reset({ workspaces: [{ ...DRAWN, generate: { tasks: 1 } }] })).toThrow(front.SeedError);
    expect(() => mock.reset({ workspaces: [{ ...DRAWN, generate: { projects: 1 } }] })).toThrow(
      new RangeError(
        'seed: expected a seed without `generate`, whose records take time to make, got one with it. Give it to createMock, which waits for them.',
      ),
    );
    for (const none of ['fixtures/tiny.yaml', null, 5])
      expect(() => mock.reset(none as never)).toThrow(
        new TypeError(`reset: expected a parsed seed, or nothing for the seed that it has, got ${JSON.stringify(none)}`),
      );
    expect(mock.keys).toEqual(keys);
  });

  test('serves the control API and the dashboard at their paths', async () => {
    const mock = await start({ controlToken: 'sesame' });
    const at = (path: string, headers = {}) => mock.app.fetch(new Request(mock.baseUrl.replace('/v1', path), { headers }));
    const open = { authorization: 'Bearer sesame' };
    for (const path of ['/_mock/clock', '/', '/dashboard/requests', '/openapi.json'])
      expect((await at(path, open)).status).toBe(200);
    const nothing = await at('/_mock', open);
    expect([nothing.status, nothing.headers.has('x-ratelimit-limit')]).toEqual([404, false]);
    expect(await (await at('/_mock', { ...open, accept: 'text/html' })).text()).toContain('<title>Control API');
    expect((await at('/nowhere', open)).headers.has('x-ratelimit-limit')).toBe(true);
    expect((await at('/_mock/clock')).status).toBe(401);
    expect((await at('/_mock/clock', { ...open, host: 'evil.example' })).status).toBe(403);
  });

  test('has no dashboard where there is nothing to load it', async () => {
    const host = new Host(plantSeed(await toSeed({ seed: BUSY })), hostOptionsOf({}));
    const mock = keep(mockOn(host, { allowHosts: ['dev.test'] }));
    const status = async (path: string) =>
      (await mock.app.fetch(new Request(`http://dev.test${path}`, { headers: mock.auth('read') }))).status;
    for (const path of ['/', '/dashboard/requests']) expect(await status(path)).toBe(404);
    for (const path of ['/v1/users/me', '/_mock/clock']) expect(await status(path)).toBe(200);
    expect((await mock.app.fetch(new Request('http://evil.test/_mock/clock'))).status).toBe(403);
  });
});

test('a snapshot restores data, clock, faults, choices, journal and deliveries', async () => {
  const mock = await start();
  const post = (path: string, body: object) => ask(mock, 'POST', path, body);
  await post('/webhooks', { url: 'https://hooks.example/x' });
  const projects = mock.world.store.projects.size;
  await post('/projects', { name: 'Two' });
  await mock.webhooks.settled();
  mock.faults.add({ effect: { status: 500 }, after: 100 });
  const snapshot = mock.snapshot();
  const kept = () => [mock.clock.now, mock.choices['patch-status'], mock.faults.list(), mock.requests, mock.deliveries];
  const before = JSON.stringify(kept());
  for (let i = 0; i < 2; i++) {
    await post('/projects', { name: 'Three' });
    await mock.clock.advance('1h');
    mock.choose({ 'patch-status': '202' });
    mock.faults.clear();
    snapshot.restore();
    expect(JSON.stringify(kept())).toBe(before);
  }
  expect(mock.world.store.projects.size).toBe(projects + 1);
});

test('the main entry point has these names', () => {
  expect(Object.keys(front).sort().join(' ')).toBe(
    'CHOICES FORWARD_KINDS OPERATIONS RELEASES SeedError createMock fetchSender replay sign verify',
  );
});

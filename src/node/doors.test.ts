// The doors of programs and test runners, in process: worlds of tests, a page's requests, files, a browser that is opened.
import { EventEmitter } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext, Route } from '@playwright/test';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { overridden } from '../mock/api/compose.ts';
import { makeTestFolder } from '../test/temp-folder.ts';
import { judgeReceived } from '../testing/judgements.ts';
import { openWorld, toWorldId } from '../testing/worlds.ts';
import { browserCommand, openBrowser } from './commands/open-browser.ts';
import { copyWorker, readText, writeNew } from './files/files.ts';
import { createMock, type Mock } from './index.ts';
import { PACKAGE_FOLDER, packageVersion } from './package-folder.ts';
import { routeApi } from './test-runners/api-route.ts';
import { addAddresses, SharedMocks, startShared } from './test-runners/test-worlds.ts';

const TINY = 'fixtures/tiny.yaml';
const closing: (() => unknown)[] = [];
afterEach(async () => void (await Promise.all(closing.splice(0).map((close) => close()))));
const mockOf = async (options: Parameters<typeof createMock>[0] = {}): Promise<Mock> => {
  const mock = await createMock({ seed: TINY, ...options });
  closing.push(() => mock.close());
  return mock;
};

describe('a mock in Node', () => {
  test('reads its seed from a file and names it so, unless told another name', async () => {
    const folder = makeTestFolder();
    const path = join(folder, 'broken.yaml');
    writeFileSync(path, 'workspaces: []\n');
    await expect(createMock({ seed: path })).rejects.toThrow(`${path}:1:13: workspaces: too few`);
    await expect(createMock({ seed: path, seedName: 'mine' })).rejects.toThrow('mine:1:13: workspaces: too few');
    await expect(createMock({ seed: { workspaces: [] } })).rejects.toThrow('seed: workspaces: too few');
  });

  test('takes the text of a seed as well, and the demo by its name', async () => {
    const names = async (seed: string) => [...(await mockOf({ seed })).world.workspaces.keys()];
    expect(await names(readFileSync(TINY, 'utf8'))).toEqual(['ws_tiny']);
    expect(await names('{"workspaces":[{"id":"ws_a","users":[{"id":"user_a"}],"api_keys":[{"user_id":"user_a"}]}]}')).toEqual([
      'ws_a',
    ]);
    expect(await names('demo')).toContain('ws_acme');
  });

  test('takes a path with and without its slash below the base URL, and says where /v1 is missing', async () => {
    const mock = await mockOf();
    const ask = async (path: string) => (await mock.fetch(path, { headers: mock.auth('read') })).json() as Promise<object>;
    expect(await ask('tasks?limit=1')).toEqual(await ask('/tasks?limit=1'));
    const { origin } = new URL(mock.baseUrl);
    const hint = { message: 'No operation has this method and path. The base URL ends in /v1: put that before the path.' };
    expect(await ask(`${origin}/tasks`)).toMatchObject({ error: hint });
    expect(await ask('/nothing')).toMatchObject({ error: { message: 'No operation has this method and path.' } });
  });

  test('shows a request whose response is held back, which matchers find', async () => {
    const mock = await mockOf();
    const { id } = mock.faults.add({ match: { operation: 'listTasks' }, effect: { hold: true } });
    const held = mock.fetch('/tasks?limit=1', { headers: mock.auth('read') });
    await vi.waitFor(() => expect(mock.requests).toHaveLength(1));
    expect(mock.requests).toMatchObject([{ id: 'pending', operation: 'listTasks', path: '/v1/tasks?limit=1' }]);
    expect(judgeReceived(mock, 'listTasks', 1).pass).toBe(true);
    mock.faults.release(id);
    await held;
    expect(mock.requests.map(({ id }) => id)).toEqual(['req_1']);
  });

  test('asks for a token beyond this machine alone, and keeps one that was given', async () => {
    for (const [host, asks] of [
      [undefined, false],
      ['127.0.0.1', false],
      ['127.0.0.2', false],
      ['localhost', false],
      ['0.0.0.0', true],
    ] as const) {
      const mock = await mockOf();
      await mock.listen(host === undefined ? {} : { host });
      expect([host, mock.guard.token?.length]).toEqual([host, asks ? 24 : undefined]);
    }
    const given = await mockOf({ controlToken: 'mine' });
    const first = await given.listen({ host: '0.0.0.0' });
    expect([given.guard.token, first.origin]).toEqual(['mine', `http://127.0.0.1:${first.port}`]);
    expect((await fetch(`${first.origin}/_mock/health`, { headers: { 'x-wm-control-token': 'mine' } })).status).toBe(200);
  });

  test('listens more than once, each world at its own address, and closing ends all', async () => {
    const mock = await mockOf();
    const [a, b] = [await mock.listen(), await mock.listen()];
    const fork = mock.fork({ id: 'one' });
    const c = await fork.listen();
    expect([a.baseUrl, c.baseUrl]).toEqual([`${a.origin}/v1`, `${c.origin}/worlds/one/v1`]);
    for (const { baseUrl } of [a, b, c])
      expect((await fetch(`${baseUrl}/tasks`, { headers: mock.auth('read') })).status).toBe(200);
    await fork.close();
    await expect(fetch(c.origin)).rejects.toThrow();
    expect((await fetch(`${b.baseUrl}/tasks`, { headers: mock.auth('read') })).status).toBe(200);
    await mock.close();
    for (const { origin } of [a, b]) await expect(fetch(origin)).rejects.toThrow();
  });
});

describe('worlds of tests', () => {
  test('are reached by keys of their own at the address that they share, and by no key of the seed', async () => {
    const started = await startShared({ seed: TINY });
    closing.push(() => started.mock.close());
    const world = openWorld(started.mock, {});
    const { baseUrl } = await started.server;
    const ask = (headers: Record<string, string>) => fetch(`${baseUrl}/users/me`, { headers });
    expect((await ask(world.auth('read'))).status).toBe(200);
    const refused = await ask(started.mock.auth('read'));
    expect(refused.status).toBe(401);
    expect(await refused.text()).toContain('This address is shared by tests: send a key of `mock.auth(scope)`');
  });

  test('members of the second stand in place of those of the first; getters stay getters', () => {
    let n = 0;
    const base = {
      get a() {
        return ++n;
      },
      b: 1,
    };
    const both = overridden(base, {
      get b() {
        return 10 * n;
      },
      c: 2,
    });
    expect([both.a, both.a, both.b, both.c, base.b]).toEqual([1, 2, 20, 2, 1]);
  });

  test('an id is made of parts, of letters that a URL can hold', () => {
    expect(toWorldId('a b/ü', 3, 'x_y-Z')).toBe('a_b__-3-x_y-Z');
    expect([toWorldId('-14', 3), toWorldId('_a')]).toEqual(['w14-3', 'wa']);
  });

  test('a world has keys of its own, hears its own requests alone, and ends with its copies', async () => {
    const mock = await mockOf();
    const world = openWorld(mock, { id: 'one' });
    expect(mock.keys).toHaveLength(3);
    expect(world.keys).toHaveLength(3);
    expect(world.keys.some(({ value }) => mock.keys.some((key) => key.value === value))).toBe(false);
    expect(world.auth('read')).toEqual({ authorization: `Bearer ${world.keys.find(({ scope }) => scope === 'read')!.value}` });
    expect(world.auth('write', 'ws_tiny')).toEqual({
      authorization: `Bearer ${world.keys.find(({ scope }) => scope === 'write')!.value}`,
    });
    expect(() => world.auth('read', 'ws_none')).toThrow('auth: expected one of the workspaces ws_tiny, got "ws_none"');
    const heard: string[] = [];
    const end = world.onRequest(({ operation }, id) => void heard.push(`${operation} ${id}`));
    const headers = world.auth('read');
    await world.fetch('/tasks', { headers });
    await mock.fetch('/users/me', { headers });
    await mock.fetch('/projects', { headers: mock.auth('read') });
    expect(heard).toEqual(['listTasks one', 'getMe one']);
    end();
    await world.fetch('/tasks', { headers });
    expect(heard).toHaveLength(2);
    const fork = world.fork({ id: 'two' });
    expect(fork.keys.some(({ value }) => world.keys.some((key) => key.value === value))).toBe(false);
    const after: string[] = [];
    world.onRequest(({ operation }) => void after.push(operation ?? ''));
    const alive = async (one: Mock) => (await mock.app.request(`${one.baseUrl}/tasks`, { headers: mock.auth('read') })).status;
    expect([await alive(world), await alive(fork)]).toEqual([200, 200]);
    await world.close();
    expect([await alive(world), await alive(fork), after]).toEqual([404, 404, ['listTasks']]);
    expect(await (await mock.fetch('/tasks', { headers: mock.auth('read') })).status).toBe(200);
  });

  test('on a socket it has addresses, and so have its copies', async () => {
    const mock = await mockOf();
    const server = await mock.listen();
    const world = addAddresses(openWorld(mock, { id: 'one' }), server);
    const at = `${server.origin}/worlds/one`;
    expect([world.baseUrl, world.sharedUrl, world.controlUrl]).toEqual([`${at}/v1`, server.baseUrl, `${at}/_mock`]);
    const fork = world.fork({ id: 'two' });
    expect([fork.baseUrl, fork.controlUrl]).toEqual([`${server.origin}/worlds/two/v1`, `${server.origin}/worlds/two/_mock`]);
    expect(world.fork().id).toBe('world_1');
    expect((await fetch(`${fork.sharedUrl}/tasks`, { headers: fork.auth('read') })).status).toBe(200);
  });

  test('a mock listens once somebody asks for its address, and once only', async () => {
    const started = await startShared({ seed: TINY });
    closing.push(() => started.mock.close());
    const first = started.server;
    expect(started.server).toBe(first);
    expect((await fetch(`${(await first).baseUrl}/tasks`)).status).toBe(401);
  });

  test('tests with the same options share a mock; a function is the same only as itself', async () => {
    const mocks = new SharedMocks();
    closing.push(() => mocks.close());
    const sender = async () => ({ kind: 'response', status: 200, took: 0 }) as const;
    const own = { seed: TINY, sender };
    const [a, b, c, d, e] = await Promise.all([
      mocks.get({ seed: TINY }),
      mocks.get({ seed: TINY }),
      mocks.get({ seed: TINY, plan: 'free' }),
      mocks.get(own),
      mocks.get(own),
    ]);
    expect([a === b, a === c, c === d, d === e, d === (await mocks.get({ ...own }))]).toEqual([true, false, false, true, false]);
    await expect(mocks.get({ seed: { workspaces: [] } })).rejects.toThrow('too few');
    const { origin } = await a.server;
    await mocks.close();
    await expect(fetch(origin)).rejects.toThrow();
    const again = await mocks.get({ seed: TINY });
    expect(again).not.toBe(a);
  });
});

/** A request of a page, and what becomes of it. */
const routed = (url: string, more: { method?: string; headers?: Record<string, string>; body?: string; gone?: boolean } = {}) => {
  const ended: { abort?: string; fulfill?: { status: number; headers: Record<string, string>; body: string } } = {};
  let fails: Error | undefined;
  const route = {
    request: () => ({
      url: () => url,
      method: () => more.method ?? 'GET',
      headers: () => more.headers ?? {},
      postDataBuffer: () => (more.body === undefined ? null : Buffer.from(more.body)),
      frame: () => {
        if (more.gone === undefined) throw new Error('a service worker has no frame');
        return { page: () => ({ isClosed: () => more.gone }) };
      },
    }),
    abort: async (why: string) => {
      ended.abort = why;
      if (fails) throw fails;
    },
    fulfill: async ({ status, headers, body }: { status: number; headers: Record<string, string>; body: Buffer }) => {
      ended.fulfill = { status, headers, body: body.toString() };
      if (fails) throw fails;
    },
  };
  return { route: route as unknown as Route, ended, fail: (error: Error) => (fails = error) };
};

describe('requests of a page to the address of the service', () => {
  const open = async (apiUrl = 'https://api.example.com/v1/') => {
    const mock = await mockOf();
    const world = addAddresses(openWorld(mock, { id: 'one' }), await mock.listen());
    let takes: (url: URL) => boolean = () => false;
    let handle: (route: Route) => Promise<void> = async () => {};
    let unrouted = false;
    const target = {
      route: async (isApi: typeof takes, given: typeof handle) => {
        [takes, handle] = [isApi, given];
      },
      unroute: async (isApi: typeof takes, given: typeof handle) => {
        unrouted = isApi === takes && given === handle;
      },
    };
    const end = await routeApi(world, target as unknown as BrowserContext, apiUrl);
    return {
      world,
      takes: (url: string) => takes(new URL(url)),
      handle: (route: Route) => handle(route),
      end,
      unrouted: () => unrouted,
    };
  };

  test('are those below it, and no others', async () => {
    const { takes, end, unrouted } = await open();
    const urls = ['', '/', '/tasks', '?a=1', '/tasks?a=1', 'x/tasks', '-1'].map((rest) => `https://api.example.com/v1${rest}`);
    expect(urls.map(takes)).toEqual([true, true, true, true, true, false, false]);
    expect(takes('https://api.example.org/v1/tasks')).toBe(false);
    expect(takes('http://api.example.com/v1/tasks')).toBe(false);
    await end();
    expect(unrouted()).toBe(true);
  });

  test('are answered by the world, with method, headers, query and body', async () => {
    const { world, handle } = await open();
    const url = 'https://api.example.com/v1';
    const headers = { ...world.auth('write'), 'content-type': 'application/json', ':authority': 'api.example.com' };
    const made = routed(`${url}/projects`, { method: 'POST', headers, body: '{"name":"Über"}' });
    await handle(made.route);
    expect(made.ended.fulfill!.status).toBe(201);
    expect(JSON.parse(made.ended.fulfill!.body).data.name).toBe('Über');
    const listed = routed(`${url}/tasks?limit=1`, { headers, gone: false });
    await handle(listed.route);
    expect(listed.ended.fulfill).toMatchObject({ status: 200, headers: { 'content-type': 'application/json' } });
    expect(JSON.parse(listed.ended.fulfill!.body).meta.limit).toBe(1);
    expect(world.requests.map(({ path }) => path)).toEqual(['/v1/projects', '/v1/tasks?limit=1']);
  });

  test('meet faults: a connection that is cut is cut', async () => {
    const { world, handle } = await open();
    world.faults.add({ effect: { abort: true } });
    const { route, ended } = routed('https://api.example.com/v1/tasks', { headers: world.auth('read') });
    await handle(route);
    expect(ended).toEqual({ abort: 'connectionreset' });
  });

  test('of a page that is gone are forgotten; any other failure is told', async () => {
    const { world, handle } = await open();
    const ask = async (gone: boolean | undefined, message: string, cut = false) => {
      if (cut) world.faults.add({ effect: { abort: true }, times: 1 });
      const headers = world.auth('read');
      const one = routed('https://api.example.com/v1/tasks', gone === undefined ? { headers } : { headers, gone });
      one.fail(new Error(message));
      return handle(one.route).then(
        () => 'forgotten',
        (error: Error) => error.message,
      );
    };
    expect(await ask(true, 'odd')).toBe('forgotten');
    expect(await ask(true, 'odd', true)).toBe('forgotten');
    expect(await ask(false, 'odd')).toBe('odd');
    expect(await ask(undefined, 'odd')).toBe('odd');
    for (const message of ['Target CLOSED', 'object was disposed', 'Route is already handled!']) {
      expect(await ask(undefined, message)).toBe('forgotten');
      expect(await ask(false, message, true)).toBe('forgotten');
    }
  });

  test('that the world fails to answer are told', async () => {
    const { world, handle } = await open();
    const fetchOf = world.app.fetch;
    closing.push(() => {
      world.app.fetch = fetchOf;
    });
    world.app.fetch = async () => {
      throw new Error('lost');
    };
    await expect(handle(routed('https://api.example.com/v1/tasks').route)).rejects.toThrow('lost');
  });
});

describe('a browser', () => {
  const opening = (env: Record<string, string>) => {
    const child = Object.assign(new EventEmitter(), { unrefs: 0, unref: () => void child.unrefs++ });
    const said: string[] = [];
    let asked: unknown[] = [];
    openBrowser('http://x/', { env, err: (text) => void said.push(text) }, ((...words: unknown[]) => {
      asked = words;
      return child;
    }) as unknown as Parameters<typeof openBrowser>[2]);
    return { child, said, asked: () => asked };
  };

  test('is started beside us, and no start of it is no end of ours', () => {
    const { child, said, asked } = opening({ BROWSER: 'lynx' });
    expect(asked()).toEqual(['lynx', ['http://x/'], { stdio: 'ignore', detached: true }]);
    expect([child.unrefs, said]).toEqual([1, []]);
    child.emit('error', new Error('x'));
    expect(said).toEqual(['wm-mock: --open: cannot run lynx. Open http://x/ yourself, or name a browser in BROWSER.\n']);
  });

  test('is what the system has for it where none is named', () => {
    expect(opening({}).asked()[0]).toBe(browserCommand(process.platform, 'x')[0]);
    expect(browserCommand('linux', 'http://x/?a=1&b=2', '')).toEqual(['xdg-open', 'http://x/?a=1&b=2']);
    expect(browserCommand('darwin', 'u')).toEqual(['open', 'u']);
    expect(browserCommand('darwin', 'u', 'lynx')).toEqual(['lynx', 'u']);
    expect(browserCommand('freebsd', 'u')).toEqual(['xdg-open', 'u']);
    expect(browserCommand('win32', 'u')).toEqual(['rundll32', 'url.dll,FileProtocolHandler', 'u']);
  });
});

describe('files', () => {
  test('are read from the folder that is worked in, or refused with what is wrong', async () => {
    const folder = makeTestFolder();
    writeFileSync(join(folder, 'a'), 'text');
    expect(await readText('a', 'x', folder)).toBe('text');
    expect(await readText(join(folder, 'a'), 'x', '/')).toBe('text');
    await expect(readText('b', 'seed file', folder)).rejects.toMatchObject({
      message: `cannot read the seed file ${folder}/b: there is no such file.`,
      exitStatus: 1,
    });
    await expect(readText('.', 'x', folder)).rejects.toThrow(`cannot read the x ${folder}: it is a folder.`);
    await expect(readText('a/b', 'x', folder)).rejects.toThrow(`cannot read the x ${folder}/a/b: ENOTDIR.`);
  });

  test('are written once, or over when forced', async () => {
    const folder = makeTestFolder();
    expect(await writeNew('a', 'one', folder, false)).toBe('a');
    await expect(writeNew('a', 'two', folder, false)).rejects.toMatchObject({
      message: `${folder}/a exists already. Name another file, or pass --force.`,
      exitStatus: 1,
    });
    expect(await writeNew('a', 'three', folder, true)).toBe('a');
    expect(readFileSync(join(folder, 'a'), 'utf8')).toBe('three');
    await expect(writeNew('.', 'x', folder, true)).rejects.toMatchObject({
      message: expect.stringMatching(/^cannot write .*: it is a folder\.$/),
      exitStatus: 1,
    });
  });

  test('of the package stand where they are', async () => {
    expect(existsSync(join(PACKAGE_FOLDER, 'package.json'))).toBe(true);
    expect(await packageVersion()).toBe(JSON.parse(readFileSync('package.json', 'utf8')).version);
  });

  test('of the service worker are copied as they were built', async () => {
    const folder = makeTestFolder();
    const built = join(PACKAGE_FOLDER, 'dist', 'assets');
    if (existsSync(built)) {
      expect(await copyWorker('public/js', folder)).toEqual([
        'public/js/wm-mock-worker.js',
        'public/js/wm-mock-register.js',
        'public/js/wm-mock-demo.json',
      ]);
      for (const name of ['wm-mock-worker.js', 'wm-mock-register.js'])
        expect(readFileSync(join(folder, 'public/js', name), 'utf8')).toBe(readFileSync(join(built, name), 'utf8'));
    }
    writeFileSync(join(folder, 'file'), '');
    await expect(copyWorker('file', folder)).rejects.toMatchObject({
      message: `cannot write ${folder}/file/wm-mock-worker.js: its folder is a file.`,
      exitStatus: 1,
    });
  });
});

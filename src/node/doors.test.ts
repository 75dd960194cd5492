// The doors of programs and test runners, in process: worlds of tests, a page's requests, files, a browser that is opened.

import { EventEmitter } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext, Route } from '@playwright/test';
import { describe, expect, test } from 'vitest';
import { keep } from '../test/closing.ts';
import { run } from '../test/command-line.ts';
import { makeTestFolder } from '../test/temp-folder.ts';
import { openWorld, toWorldId } from '../testing/worlds.ts';
import { routeApi } from './agreement/route-api.ts';
import { browserCommand, openBrowser } from './commands/open-browser.ts';
import { readText, writeNew } from './files/files.ts';
import { createMock, type Mock } from './index.ts';
import { addAddresses, SharedMocks, startShared } from './test-runners/test-worlds.ts';

const TINY = 'fixtures/tiny.yaml';
const mockOf = async (options: Parameters<typeof createMock>[0] = {}): Promise<Mock> =>
  keep(await createMock({ seed: TINY, ...options }));

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

  test.each([
    ['/v1/tasks', 'The base URL ends in /v1: leave the second one out.'],
    ['/tasks/', 'Leave the slash at its end out.'],
    ['/taks', 'Did you mean /v1/tasks?'],
    ['/project/project1/task', 'Did you mean /v1/projects/project1/tasks?'],
    ['/tasks', 'Did you mean POST /projects/{project_id}/tasks?', 'POST'],
    ['/tasks', 'Did you mean DELETE /tasks/{task_id}?', 'DELETE'],
    ['/users', 'Did you mean GET /users/me or GET /workspace/members?'],
    ['/tasks/task1', 'It takes GET, PATCH, DELETE.', 'PUT'],
  ])('says of the path %s: %s', async (path, hint, method = 'GET') => {
    const mock = await mockOf();
    const response = await mock.fetch(path, { headers: mock.auth('read'), method });
    const message = `No operation has this method and path. ${hint}`;
    expect([response.status, await response.json()]).toMatchObject([404, { error: { message } }]);
  });

  test.each(['undefined', 'null', '[object Object]'])(
    'says that a key of %s comes from a variable without a value',
    async (value) => {
      const mock = await mockOf();
      const response = await mock.fetch('/tasks', { headers: { authorization: `Bearer ${value}` } });
      expect([response.status, (await response.json()).error.message]).toEqual([
        401,
        expect.stringContaining(`The client sent "${value}"`),
      ]);
    },
  );

  test('asks whether a parameter was meant as a filter or as another one', async () => {
    const mock = await mockOf();
    for (const query of ['status=done', 'limt=5']) await mock.fetch(`/tasks?${query}`, { headers: mock.auth('read') });
    expect(mock.requests.flatMap(({ warnings }) => warnings.map(({ says }) => says))).toEqual([
      'status is no parameter of listTasks at v1.3 (did you mean filter[status]?)',
      'limt is no parameter of listTasks at v1.3 (did you mean limit?)',
    ]);
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
  test('are reached by keys of their own at the address that they share, which opens once, and by no key of the seed', async () => {
    const started = await startShared({ seed: TINY });
    keep(started.mock);
    const world = openWorld(started.mock, {});
    const { server } = started;
    expect(started.server).toBe(server);
    const { baseUrl } = await server;
    const ask = (headers: Record<string, string>) => fetch(`${baseUrl}/users/me`, { headers });
    expect((await ask(world.auth('read'))).status).toBe(200);
    const refused = await ask(started.mock.auth('read'));
    expect(refused.status).toBe(401);
    expect(await refused.text()).toContain('This address is shared by tests: send a key of `mock.auth(scope)`');
  });

  test('an id is made of parts, of letters that a URL can hold', () => {
    expect(toWorldId('a b/ü', 3, 'x_y-Z')).toBe('a_b__-3-x_y-Z');
    expect([toWorldId('-14', 3), toWorldId('_a')]).toEqual(['w14-3', 'wa']);
  });

  test('a world has keys of its own, hears its own requests alone, and ends with its copies', async () => {
    const mock = await mockOf();
    const world = openWorld(mock, { id: 'one' });
    expect([mock.keys.length, world.keys.length]).toEqual([3, 3]);
    expect(world.keys.some(({ value }) => mock.keys.some((key) => key.value === value))).toBe(false);
    const bearerOf = (wanted: string) => ({ authorization: `Bearer ${world.keys.find(({ scope }) => scope === wanted)!.value}` });
    expect([world.auth('read'), world.auth('write', 'ws_tiny')]).toEqual([bearerOf('read'), bearerOf('write')]);
    expect(() => world.auth('read', 'ws_none')).toThrow('auth: expected one of the workspaces ws_tiny, got "ws_none"');
    const operations: string[] = [];
    const end = world.onRequest(({ operation }, id) => void operations.push(`${operation} ${id}`));
    const headers = world.auth('read');
    await world.fetch('/tasks', { headers });
    await mock.fetch('/users/me', { headers });
    await mock.fetch('/projects', { headers: mock.auth('read') });
    expect(operations).toEqual(['listTasks one', 'getMe one']);
    end();
    await world.fetch('/tasks', { headers });
    expect(operations).toHaveLength(2);
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

  test('tests with the same options share a mock; a function is the same only as itself', async () => {
    const mocks = keep(new SharedMocks());
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

/** A request of a page, and what becomes of it. @param fails with this message when it ends */
const makeRoute = (
  path: string,
  more: { method?: string; headers?: Record<string, string>; body?: string; gone?: boolean; fails?: string } = {},
) => {
  const ended: unknown[] = [];
  const end = async (...how: unknown[]) => {
    ended.push(...how);
    if (more.fails !== undefined) throw new Error(more.fails);
  };
  const route = {
    request: () => ({
      url: () => `https://api.example.com/v1${path}`,
      method: () => more.method ?? 'GET',
      headers: () => more.headers ?? {},
      postDataBuffer: () => (more.body === undefined ? null : Buffer.from(more.body)),
      frame: () => {
        if (more.gone === undefined) throw new Error('a service worker has no frame');
        return { page: () => ({ isClosed: () => more.gone }) };
      },
    }),
    abort: end,
    fulfill: ({ status, headers, body }: { status: number; headers: Record<string, string>; body: Buffer }) =>
      end(status, headers['content-type'], JSON.parse(body.toString())),
  };
  return { route: route as unknown as Route, ended };
};

describe('requests of a page to the address of the service', () => {
  const open = async () => {
    const mock = await mockOf();
    const world = addAddresses(openWorld(mock, { id: 'one' }), await mock.listen());
    const routes: [takes: (url: URL) => boolean, handle: (route: Route) => Promise<void>][] = [];
    const target = {
      route: async (...given: (typeof routes)[number]) => void routes.push(given),
      unroute: async (...given: (typeof routes)[number]) =>
        void routes.splice(
          routes.findIndex((one) => one.every((part, i) => part === given[i])),
          1,
        ),
    };
    const end = await routeApi(world, target as unknown as BrowserContext, 'https://api.example.com/v1/');
    const [[takes, handle]] = routes as [(typeof routes)[number]];
    return { world, takes: (url: string) => takes(new URL(url)), handle, end, routes };
  };

  test('are those below it, and no others', async () => {
    const { takes, end, routes } = await open();
    const urls = ['', '/', '/tasks', '?a=1', '/tasks?a=1', 'x/tasks', '-1'].map((rest) => `https://api.example.com/v1${rest}`);
    expect(urls.map(takes)).toEqual([true, true, true, true, true, false, false]);
    expect(takes('https://api.example.org/v1/tasks')).toBe(false);
    expect(takes('http://api.example.com/v1/tasks')).toBe(false);
    await end();
    expect(routes).toEqual([]);
  });

  test('get responses of the world, with method, headers, query and body', async () => {
    const { world, handle } = await open();
    const headers = { ...world.auth('write'), 'content-type': 'application/json', ':authority': 'api.example.com' };
    const made = makeRoute('/projects', { method: 'POST', headers, body: '{"name":"Über"}' });
    await handle(made.route);
    expect(made.ended).toMatchObject([201, 'application/json', { data: { name: 'Über' } }]);
    const listed = makeRoute('/tasks?limit=1', { headers, gone: false });
    await handle(listed.route);
    expect(listed.ended).toMatchObject([200, 'application/json', { meta: { limit: 1 } }]);
    expect(world.requests.map(({ path }) => path)).toEqual(['/v1/projects', '/v1/tasks?limit=1']);
  });

  test('meet faults: a connection that is cut is cut', async () => {
    const { world, handle } = await open();
    world.faults.add({ effect: { abort: true } });
    const { route, ended } = makeRoute('/tasks', { headers: world.auth('read') });
    await handle(route);
    expect(ended).toEqual(['connectionreset']);
  });

  test('are forgotten when the page has closed; any other failure is thrown', async () => {
    const { world, handle } = await open();
    const ask = async (gone: boolean | undefined, fails: string, cut = false) => {
      if (cut) world.faults.add({ effect: { abort: true }, times: 1 });
      const { route } = makeRoute('/tasks', { headers: world.auth('read'), fails, ...(gone !== undefined && { gone }) });
      return handle(route).then(
        () => 'forgotten',
        (error: Error) => error.message,
      );
    };
    expect([await ask(true, 'odd'), await ask(true, 'odd', true)]).toEqual(['forgotten', 'forgotten']);
    expect([await ask(false, 'odd'), await ask(undefined, 'odd')]).toEqual(['odd', 'odd']);
    for (const message of ['Target CLOSED', 'object was disposed', 'Route is already handled!'])
      expect([await ask(undefined, message), await ask(false, message, true)]).toEqual(['forgotten', 'forgotten']);
  });

  test('fail when the world fails to respond', async () => {
    const { world, handle } = await open();
    world.app.fetch = async () => {
      throw new Error('lost');
    };
    await expect(handle(makeRoute('/tasks').route)).rejects.toThrow('lost');
  });
});

describe('a browser', () => {
  const opening = (env: Record<string, string>) => {
    const child = Object.assign(new EventEmitter(), { unrefs: 0, unref: () => void child.unrefs++ });
    const errors: string[] = [];
    let launch: unknown[] = [];
    openBrowser('http://x/', { env, err: (text) => void errors.push(text) }, ((...words: unknown[]) => {
      launch = words;
      return child;
    }) as unknown as Parameters<typeof openBrowser>[2]);
    return { child, errors, launchArgs: () => launch };
  };

  test('is started beside us, and no start of it is no end of ours', () => {
    const { child, errors, launchArgs } = opening({ BROWSER: 'lynx' });
    expect(launchArgs()).toEqual(['lynx', ['http://x/'], { stdio: 'ignore', detached: true }]);
    expect([child.unrefs, errors]).toEqual([1, []]);
    child.emit('error', new Error('x'));
    expect(errors).toEqual(['wm-mock: --open: cannot run lynx. Open http://x/ yourself, or name a browser in BROWSER.\n']);
  });

  test('is what the system has for it where none is named', () => {
    expect(opening({}).launchArgs()[0]).toBe(browserCommand(process.platform, 'x')[0]);
    expect(browserCommand('linux', 'http://x/?a=1&b=2', '')).toEqual(['xdg-open', 'http://x/?a=1&b=2']);
    expect(browserCommand('darwin', 'u')).toEqual(['open', 'u']);
    expect(browserCommand('darwin', 'u', 'lynx')).toEqual(['lynx', 'u']);
    expect(browserCommand('freebsd', 'u')).toEqual(['xdg-open', 'u']);
    expect(browserCommand('win32', 'u')).toEqual(['rundll32', 'url.dll,FileProtocolHandler', 'u']);
  });
});

test('files that cannot be read or written are refused with what is wrong', async () => {
  const folder = makeTestFolder();
  writeFileSync(join(folder, 'a'), 'text');
  expect([await readText('a', 'x', folder), await readText(join(folder, 'a'), 'x', '/')]).toEqual(['text', 'text']);
  writeFileSync(join(folder, 'utf16'), Buffer.from('\ufeffa: 1', 'utf16le'));
  await expect(readText('utf16', 'x', folder)).rejects.toThrow('utf16: it is not UTF-8; save it as UTF-8.');
  await expect(readText('a/b', 'x', folder)).rejects.toThrow(`cannot read the x ${folder}/a/b: ENOTDIR.`);
  await expect(writeNew('.', 'x', folder, true)).rejects.toMatchObject({
    message: `cannot write ${folder}: it is a folder, a device or a pipe; name a file.`,
    exitStatus: 1,
  });
});

test('the files of the service worker are copied as they were built, over older ones', async () => {
  const cwd = makeTestFolder();
  for (const _ of [1, 2]) {
    const { status, out } = await run(['init', '--service-worker', 'public/js'], { cwd });
    const names = 'public/js/wm-mock-worker.js, public/js/wm-mock-register.js, public/js/wm-mock-demo.json';
    expect([status, out]).toEqual([0, expect.stringContaining(`wrote ${names}. In the page: `)]);
  }
  for (const name of ['wm-mock-worker.js', 'wm-mock-register.js'])
    expect(readFileSync(join(cwd, 'public/js', name), 'utf8')).toBe(readFileSync(join('dist/assets', name), 'utf8'));
});

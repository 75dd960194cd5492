// The page's side: the registered address, the waits, the messages of failures, and webhooks that arrive.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { withGlobals } from '../test/globals.ts';
import { soon } from '../test/within.ts';
import { type RegisterOptions, register as registerPage } from './register.ts';

const register = (options?: RegisterOptions) => soon(registerPage(options));

const HREF = 'https://app.test/team/page?a=b#part';
const WELCOME = {
  baseUrl: 'https://app.test/v1',
  controlUrl: 'https://app.test/_mock',
  keys: [
    { id: 'key_1', value: 'wm_1', scope: 'read', workspace_id: 'ws_a', user_id: 'user_a' },
    { id: 'key_2', value: 'wm_2', scope: 'admin', workspace_id: 'ws_a', user_id: 'user_a' },
    { id: 'key_3', value: 'wm_3', scope: 'admin', workspace_id: 'ws_b', user_id: 'user_b' },
  ],
};

type Listen = (event?: unknown) => void;

/** A browser's service workers, as far as a page sees them. */
const workersOf = (greeting: unknown = WELCOME, states: readonly string[] = ['activated'], controlled = true) => {
  const registered: unknown[] = [];
  const messages: unknown[] = [];
  const done: string[] = [];
  const listeners: Record<string, Listen[]> = {};
  const looks: Listen[] = [];
  const left = [...states];
  const worker = {
    state: left.shift()!,
    postMessage: (message: unknown, [port]: MessagePort[]) => {
      messages.push(message);
      port!.postMessage(greeting);
    },
    addEventListener: (type: string, listen: Listen) => {
      looks.push(listen);
      done.push(`worker ${type}`);
    },
  };
  const changeState = () => {
    worker.state = left.shift()!;
    for (const look of looks) look();
  };
  const registration = {
    scope: 'https://app.test/',
    installing: null as typeof worker | null,
    waiting: null as typeof worker | null,
    active: worker as typeof worker | null,
    unregister: async () => {
      done.push('unregister');
      return true;
    },
  };
  const container = {
    controller: controlled ? {} : null,
    register: async (url: string, options: object) => {
      registered.push([url, options]);
      return registration;
    },
    addEventListener: (type: string, listen: Listen) => {
      listeners[type] = [...(listeners[type] ?? []), listen];
    },
    startMessages: () => void done.push('startMessages'),
  };
  return { container, registration, worker, registered, messages, done, listeners, changeState };
};

describe('A page', () => {
  let back = () => {};
  let deleted: string[];
  let ends: 'onsuccess' | 'onerror' | 'onblocked';
  let loaded: string[];
  beforeEach(() => {
    deleted = [];
    loaded = [];
    ends = 'onsuccess';
  });
  afterEach(() => back());

  const open = (serviceWorker: unknown) => {
    back = withGlobals({
      navigator: serviceWorker === undefined ? {} : { serviceWorker },
      location: { href: HREF },
      // The runner reads its clock while this is in place, and Node's fetch keeps a method of it for ever.
      performance: Object.assign(Object.create(performance), {
        now: performance.now.bind(performance),
        getEntriesByType: (type: string) => (type === 'resource' ? loaded.map((name) => ({ name })) : []),
      }),
      indexedDB: {
        deleteDatabase: (name: string) => {
          deleted.push(`database ${name}`);
          const request: Record<string, () => void> = {};
          setTimeout(() => request[ends]!(), 0);
          return request;
        },
      },
      caches: { delete: async (name: string) => void deleted.push(`cache ${name}`) },
    });
  };
  const openWith = (...given: Parameters<typeof workersOf>) => {
    const workers = workersOf(...given);
    open(workers.container);
    return workers;
  };
  const addressOf = async (options?: RegisterOptions) => {
    const workers = openWith();
    await register(options);
    return workers.registered;
  };

  test('registers the worker under its usual address, for its usual pages', async () => {
    expect(await addressOf()).toStrictEqual([['https://app.test/wm-mock-worker.js', { type: 'classic' }]]);
  });

  test('tells the worker its options in the address', async () => {
    const [[address, options]] = (await addressOf({
      url: 'mocks/worker.js',
      scope: '/team/',
      type: 'module',
      seed: 'seed.yaml',
      now: '2025-01-20T09:00:00Z',
      plan: 'free',
      randomSeed: 0,
      release: '1.1',
      forwardCompat: true,
      choices: { signature: 'github' },
      baseUrl: 'https://api.test/v1',
      offline: true,
    })) as [[string, object]];
    const { origin, pathname, searchParams } = new URL(address);
    expect([origin + pathname, Object.fromEntries(searchParams), options]).toEqual([
      'https://app.test/team/mocks/worker.js',
      {
        now: '2025-01-20T09:00:00Z',
        plan: 'free',
        'random-seed': '0',
        release: '1.1',
        'forward-compat': 'all',
        'base-url': 'https://api.test/v1',
        seed: 'https://app.test/team/seed.yaml',
        offline: 'true',
        'choice.signature': 'github',
      },
      { type: 'module', scope: '/team/' },
    ]);
  });

  test.each<[RegisterOptions, string]>([
    [{ forwardCompat: false, offline: false }, ''],
    [{ forwardCompat: '' }, ''],
    [{ forwardCompat: 'fields' }, '?forward-compat=fields'],
    [{ choices: {} }, ''],
    [{ seed: '' }, '?seed='],
  ])('with %j registers %j', async (options, search) => {
    const [[address]] = (await addressOf(options)) as [[string]];
    expect(new URL(address).search).toBe(search);
  });

  test('waits until the worker is active and takes care of the page, and gets what it needs', async () => {
    const workers = openWith(WELCOME, ['installing', 'installed', 'activated'], false);
    Object.assign(workers.registration, { installing: workers.worker, active: null });
    loaded = ['https://app.test/app.js', 'https://far.test/font', 'https://app.test/app.js', 'https://app.testing/x'];
    let ready = false;
    const registering = register().then((mock) => {
      ready = true;
      return mock;
    });
    const turn = () => new Promise((done) => setTimeout(done, 5));
    await turn();
    workers.changeState();
    await turn();
    expect(workers.messages).toEqual([]);
    workers.changeState();
    await turn();
    expect(workers.messages).toEqual([{ wmMock: 'hello', files: ['https://app.test/team/page?a=b', 'https://app.test/app.js'] }]);
    expect([ready, Object.keys(workers.listeners)]).toEqual([false, ['controllerchange']]);
    workers.listeners.controllerchange![0]!();
    const mock = await registering;
    expect([mock.baseUrl, mock.controlUrl, mock.keys]).toEqual([WELCOME.baseUrl, WELCOME.controlUrl, WELCOME.keys]);
    expect(workers.done).toEqual(['worker statechange', 'startMessages']);
    expect(Object.keys(workers.listeners)).toEqual(['controllerchange', 'message']);
  });

  test.each(['installing', 'waiting', 'active'] as const)('takes the worker that is %s', async (state) => {
    const workers = openWith();
    Object.assign(workers.registration, { active: null, [state]: workers.worker });
    await register();
    expect(workers.messages).toHaveLength(1);
  });

  test('has the headers of keys by scope, and by workspace', async () => {
    openWith();
    const { auth } = await register();
    expect([auth('read'), auth('admin'), auth('admin', 'ws_b')]).toEqual([
      { authorization: 'Bearer wm_1' },
      { authorization: 'Bearer wm_2' },
      { authorization: 'Bearer wm_3' },
    ]);
    for (const [scope, workspace] of [['write'], ['read', 'ws_b']] as const)
      expect(() => auth(scope, workspace)).toThrow(
        new RangeError(`auth: expected a scope that the seed has a key of, got "${scope}"`),
      );
  });

  const missing = workersOf();
  missing.container.register = () => Promise.reject(new TypeError('404'));
  test.each<[string, unknown]>([
    [
      'wm-mock cannot register its worker: this page has no service workers. Serve it over https or from localhost, outside of a private window. See docs/service-worker.md.',
      undefined,
    ],
    [
      'wm-mock cannot register its worker https://app.test/wm-mock-worker.js?plan=free: TypeError: 404. Copy the file there: npx wm-mock init --service-worker <folder>. See docs/service-worker.md.',
      missing.container,
    ],
    ['wm-mock cannot start in the worker: the seed is broken', workersOf({ error: 'the seed is broken' }).container],
    ['the worker of wm-mock was replaced before it started. Reload the page.', workersOf(WELCOME, ['redundant']).container],
  ])('says why there is no mock: %s', async (says, container) => {
    open(container);
    await expect(register({ plan: 'free' })).rejects.toEqual(new Error(says));
  });

  test.each(['onsuccess', 'onerror', 'onblocked'] as const)('ends the worker and deletes what it keeps, also %s', async (how) => {
    ends = how;
    const workers = openWith();
    await soon((await register()).unregister());
    expect(workers.done.at(-1)).toBe('unregister');
    expect(deleted).toEqual(['database wm-mock https://app.test/', 'cache wm-mock https://app.test/']);
  });

  describe('with webhook handlers', () => {
    const call = async (workers: ReturnType<typeof workersOf>, data: unknown, withPort = true): Promise<unknown[]> => {
      const messages: unknown[] = [];
      const port = { postMessage: (message: unknown) => void messages.push(message) };
      await workers.listeners.message![0]!({ data, ports: withPort ? [port] : [] });
      return messages;
    };
    const CALL = { wmMock: 'webhook', url: 'https://app.test/hooks/a', headers: { 'x-a': 'b' }, body: 'text' };

    test('takes those for its URLs, until it stops', async () => {
      const workers = openWith();
      const { receive } = await register();
      const seen: unknown[] = [];
      const end = receive('/hooks/', async (request) => {
        seen.push([request.method, request.url, request.headers.get('x-a'), await request.text()]);
        return 202;
      });
      expect(await call(workers, CALL)).toEqual([{ taken: true }, { status: 202, excerpt: '' }]);
      expect(seen).toEqual([['POST', CALL.url, 'b', 'text']]);
      expect(await call(workers, { ...CALL, url: 'https://app.test/other' })).toEqual([{ taken: false }]);
      end();
      expect(await call(workers, CALL)).toEqual([{ taken: false }]);
    });

    test('returns a response, or the error', async () => {
      const workers = openWith();
      const { receive } = await register();
      const ends = [
        receive('https://far.test/ok', () => new Response('thanks', { status: 201 })),
        receive('https://far.test/bad', () => Promise.reject(new Error('broken'))),
      ];
      const responseTo = async (url: string) => (await call(workers, { ...CALL, url })).at(-1);
      expect(await responseTo('https://far.test/ok?x=1')).toEqual({ status: 201, excerpt: 'thanks' });
      expect(await responseTo('https://far.test/bad')).toEqual({ status: 500, excerpt: 'Error: broken' });
      for (const end of ends) end();
    });

    test('ignores other messages', async () => {
      const workers = openWith();
      const { receive } = await register();
      const end = receive('/hooks/', () => 200);
      expect(await call(workers, null)).toEqual([]);
      expect(await call(workers, { ...CALL, wmMock: 'hello' })).toEqual([]);
      expect(await call(workers, CALL, false)).toEqual([]);
      end();
    });
  });
});

// The worker: the options in its address, the requests that it serves or ignores, and the greeting of a page.
import { readFile } from 'node:fs/promises';
import { IDBDatabase, IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { RELEASE_NAMES } from '../service/contract/releases.ts';
import { cachesInMemory, withGlobals } from '../test/globals.ts';
import { soon } from '../test/within.ts';
import type { HelloResponse } from './messages.ts';
import { optionsIn, type StartOptions, start } from './start.ts';

const demo = await readFile('fixtures/demo.yaml', 'utf8');
const SCOPE = 'https://app.test/team/';
const SCRIPT = `${SCOPE}wm-mock-worker.js`;
const AT = '2025-01-20T09:00:00Z';
const BLANK = { now: AT } as const;
const WHOLE = Number.MAX_SAFE_INTEGER;

describe('The address of a worker', () => {
  test('holds every option of a page', () => {
    const parts = [
      `seed=https://app.test/seed.yaml&now=${AT}&plan=free&random-seed=7&release=1.1&forward-compat=fields,order`,
      'base-url=https://api.test/v1&offline=true&choice.signature=github&choice.owner-field=owner_id&choices=none&a.choice.=none',
    ];
    expect(optionsIn(`${SCRIPT}?${parts.join('&')}`)).toEqual({
      seedUrl: 'https://app.test/seed.yaml',
      now: AT,
      plan: 'free',
      randomSeed: 7,
      release: '1.1',
      forwardCompat: 'fields,order',
      baseUrl: 'https://api.test/v1',
      offline: true,
      choices: { signature: 'github', 'owner-field': 'owner_id' },
    });
  });

  test('holds no option that was not set', () => {
    expect(Object.entries(optionsIn(SCRIPT))).toEqual([]);
    expect(optionsIn(`${SCRIPT}?offline`)).toEqual({ offline: true });
    expect(optionsIn(`${SCRIPT}?random-seed=x`)).toEqual({ randomSeed: Number.NaN });
    expect(Object.entries(optionsIn(`${SCRIPT}?random-seed=0`))).toEqual([['randomSeed', 0]]);
  });
});

interface Given {
  readonly waited: Promise<unknown>[];
  readonly responses: Promise<Response>[];
}

describe('A worker', () => {
  let storage: IDBFactory;
  let caches: ReturnType<typeof cachesInMemory>;
  let network: Record<string, () => Response>;
  let urls: string[];
  let done: string[];
  let back = () => {};
  beforeEach(() => {
    storage = new IDBFactory();
    caches = cachesInMemory();
    network = {};
    urls = [];
    done = [];
  });
  afterEach(() => back());

  /** Evaluates the script of a worker once more, with what the browser has kept. */
  const begin = (own?: StartOptions, search = '') => {
    back();
    const listeners = new Map<string, (event: unknown) => void>();
    const restore = withGlobals({
      location: { href: SCRIPT + search },
      registration: { scope: SCOPE },
      clients: { claim: async () => void done.push('claim'), matchAll: async () => [] },
      skipWaiting: async () => void done.push('skipWaiting'),
      addEventListener: (type: string, listen: (event: unknown) => void) => listeners.set(type, listen),
      indexedDB: storage,
      IDBKeyRange,
      caches: caches.caches,
      fetch: async (what: string | Request) => {
        const url = typeof what === 'string' ? what : what.url;
        urls.push(url);
        const response = network[url];
        if (!response) throw new TypeError('no network');
        return response();
      },
    });
    back = () => {
      restore();
      back = () => {};
    };
    start(own);
    const tell = (type: string, event: object = {}): Given => {
      const given: Given = { waited: [], responses: [] };
      listeners.get(type)!({
        ...event,
        waitUntil: (end: Promise<unknown>) => given.waited.push(end),
        respondWith: (response: Promise<Response>) => given.responses.push(response),
      });
      return given;
    };
    const request = (url: string, init?: RequestInit) => tell('fetch', { request: new Request(url, init) });
    const ask = async (url: string, init?: RequestInit) => {
      const { responses, waited } = request(url, init);
      const response = await soon(responses[0]);
      await soon(Promise.all(waited));
      return response;
    };
    const greet = async (data: unknown = { wmMock: 'hello', files: [] }): Promise<HelloResponse> => {
      const { port1, port2 } = new MessageChannel();
      const greeting = new Promise<HelloResponse>((got) => {
        port1.onmessage = ({ data: response }) => {
          port1.close();
          got(response);
        };
      });
      await soon(Promise.all(tell('message', { data, ports: [port2] }).waited));
      return soon(greeting);
    };
    return { listeners, tell, request, ask, greet };
  };
  /** Asks with a key that may do anything. */
  const asking = async ({ ask, greet }: ReturnType<typeof begin>) => {
    const { keys } = (await greet()) as Exclude<HelloResponse, { error: string }>;
    const authorization = `Bearer ${keys.find(({ scope }) => scope === 'admin')!.value}`;
    return async (path: string, body?: object) => {
      const headers = { authorization, 'content-type': 'application/json' };
      const sent = body && { method: 'POST', body: JSON.stringify(body) };
      return (await ask(`${SCOPE}v1${path}`, { headers, ...sent }))!;
    };
  };
  const projects = async (worker: ReturnType<typeof begin>): Promise<string[]> => {
    const response = await (await asking(worker))('/projects');
    return ((await response.json()) as { items: { name: string }[] }).items.map(({ name }) => name);
  };
  const create = async (worker: ReturnType<typeof begin>, name: string): Promise<number> =>
    (await (await asking(worker))('/projects', { name })).status;

  test('takes over at once', async () => {
    const { tell, listeners } = begin(BLANK);
    expect([...listeners.keys()].sort()).toEqual(['activate', 'fetch', 'install', 'message']);
    await Promise.all(tell('install').waited);
    expect(done).toEqual(['skipWaiting']);
    await Promise.all(tell('activate').waited);
    expect(done).toEqual(['skipWaiting', 'claim']);
  });

  test('tells a page that greets it where the mock is, and with which keys, and takes care of it', async () => {
    const { greet } = begin(BLANK);
    expect(await greet()).toEqual({
      baseUrl: `${SCOPE}v1`,
      controlUrl: `${SCOPE}_mock`,
      keys: expect.arrayContaining([expect.objectContaining({ scope: 'admin' })]),
    });
    expect(done).toEqual(['claim']);
    expect(await begin({ ...BLANK, baseUrl: 'https://api.test/x/v1/' }).greet()).toMatchObject({
      baseUrl: 'https://api.test/x/v1/',
      controlUrl: 'https://api.test/x/_mock',
    });
  });

  test('overhears what is not for it', () => {
    const { tell } = begin(BLANK);
    const { port1, port2 } = new MessageChannel();
    for (const event of [
      { data: null, ports: [port2] },
      { data: { wmMock: 'webhook' }, ports: [port2] },
      { data: { wmMock: 'hello' }, ports: [] },
      { data: undefined, ports: [port2] },
    ])
      expect(tell('message', event).waited).toEqual([]);
    port1.close();
    expect(done).toEqual([]);
  });

  test('serves the requests of the mock, keeps them, and leaves the rest to the network', async () => {
    const worker = begin(BLANK);
    expect(await create(worker, 'Kept')).toBe(201);
    expect(await projects(begin(BLANK))).toEqual(['Kept']);
    for (const url of [SCRIPT, 'https://app.test/other', 'https://far.test/v1/tasks'])
      expect([url, worker.request(url)]).toEqual([url, { waited: [], responses: [] }]);
    expect(urls).toEqual([]);
  });

  test('begins again when it is started with other options', async () => {
    expect(await create(begin(BLANK), 'Mine')).toBe(201);
    expect(await projects(begin({ ...BLANK, offline: true }))).toEqual(['Mine']);
    expect(await projects(begin({ ...BLANK, baseUrl: `${SCOPE}v1` }))).toEqual(['Mine']);
    expect(await projects(begin({ ...BLANK, plan: 'free' }))).toEqual([]);
    expect(await create(begin({ ...BLANK, plan: 'free' }), 'Free')).toBe(201);
    expect(await projects(begin({}, `?now=${AT}&plan=free`))).toEqual(['Free']);
    expect(await projects(begin({ plan: undefined } as never, `?now=${AT}&plan=free`))).toEqual(['Free']);
    expect(await projects(begin({ plan: 'pro' }, `?now=${AT}&plan=free`))).toEqual([]);
  });

  test('is made of its seed: of its text, or of the file at its address, which is read once', async () => {
    const seed = `${SCOPE}seed.yaml`;
    network[seed] = () => new Response(demo);
    const search = `?now=${AT}&seed=${encodeURIComponent(seed)}`;
    expect(await projects(begin({}, search))).toContain('Sprig 2 launch');
    expect(urls).toEqual([seed]);
    expect(await projects(begin({}, search))).toContain('Sprig 2 launch');
    expect(urls).toEqual([seed]);
    expect(await projects(begin({ seed: demo }, `?now=${AT}&seed=none`))).toContain('Sprig 2 launch');
    expect(urls).toEqual([seed]);
    expect(await projects(begin(undefined, `?now=${AT}`))).toEqual([]);
  });

  const PLANS = 'free, pro, business, unlimited';
  test.each<[StartOptions, string, string]>([
    [{ plan: 'gold' as never }, '', `start is refused: plan: unknown value, expected one of ${PLANS}, got "gold"`],
    [{ plan: 'toString' as never }, '', `start is refused: plan: unknown value, expected one of ${PLANS}, got "toString"`],
    [
      {},
      '?random-seed=1.5',
      `start is refused: randomSeed: wrong value, expected an integer from ${-WHOLE} to ${WHOLE}, got 1.5`,
    ],
    [
      { release: '9' as never },
      '',
      `start is refused: release: unknown value, expected one of ${RELEASE_NAMES.join(', ')}, got "9"`,
    ],
    [{}, `?seed=${SCOPE}gone.yaml`, `the seed ${SCOPE}gone.yaml cannot be read: status 404. Serve the file there`],
    [
      {},
      `?seed=${SCOPE}cut.yaml`,
      `the seed ${SCOPE}cut.yaml cannot be read: TypeError: no network. Serve the file at that address`,
    ],
  ])('says what is wrong with %j and %j', async (own, search, says) => {
    network[`${SCOPE}gone.yaml`] = () => new Response('', { status: 404 });
    const more = says.startsWith('start') ? '. The types of wm-mock say what it takes.' : '.';
    expect(await begin({ ...BLANK, ...own }, search).greet()).toEqual({ error: says + more });
  });

  test('says it whatever was thrown', async () => {
    const worker = begin(BLANK);
    const broken = withGlobals({
      indexedDB: {
        open: () => {
          throw 'no storage at all';
        },
      },
    });
    expect(await worker.greet()).toEqual({ error: 'no storage at all' });
    broken();
  });

  test('with offline set keeps the files of the page and serves the newest', async () => {
    network['https://app.test/'] = () => new Response('page');
    const worker = begin({ ...BLANK, offline: true });
    await worker.greet({ wmMock: 'hello', files: ['https://app.test/'] });
    expect([...caches.opened.keys()]).toEqual([`wm-mock ${SCOPE}`]);
    expect(urls).toEqual(['https://app.test/']);
    expect(await (await worker.request('https://app.test/').responses[0])?.text()).toBe('page');
    network = {};
    expect(await (await worker.request('https://app.test/').responses[0])?.text()).toBe('page');
    expect(worker.request('https://app.test/', { method: 'POST' }).responses).toEqual([]);
    expect(worker.request('https://app.test.evil.test/').responses).toEqual([]);
    expect(worker.request('https://far.test/https://app.test/').responses).toEqual([]);
    await worker.greet({ wmMock: 'hello' });
  });

  test('without offline keeps no file', async () => {
    network['https://app.test/'] = () => new Response('page');
    await begin(BLANK).greet({ wmMock: 'hello', files: ['https://app.test/'] });
    expect([caches.opened.size, urls]).toEqual([0, []]);
  });

  test('hands webhooks to the pages that are open, after the response', async () => {
    const worker = begin(BLANK);
    const post = await asking(worker);
    await post('/webhooks', { url: 'https://far.test/hooks', events: ['project.created'] });
    const messages: unknown[] = [];
    const postMessage = (message: unknown, [port]: MessagePort[]) => {
      messages.push(message);
      port!.postMessage({ taken: false });
    };
    const restore = withGlobals({ clients: { claim: async () => {}, matchAll: async () => [{ postMessage }] } });
    await post('/projects', { name: 'Told' });
    restore();
    expect(messages).toEqual([expect.objectContaining({ wmMock: 'webhook', url: 'https://far.test/hooks' })]);
    const logged = await worker.ask(`${SCOPE}_mock/deliveries`);
    expect(await logged!.json()).toMatchObject({ items: [{ state: 'delivered', attempts: [{ simulated: true }] }] });
  });

  test('begins again with another seed, given or in its address', async () => {
    const users = [{ id: 'user_a', name: 'Ann' }];
    const api_keys = [{ value: 'wm_a', scope: 'admin', user_id: 'user_a' }];
    const seedOf = (name: string) => ({
      workspaces: [{ id: 'ws_a', users, api_keys, projects: [{ name, owner_id: 'user_a' }] }],
    });
    expect(await projects(begin({ ...BLANK, seed: seedOf('One') }))).toEqual(['One']);
    expect(await projects(begin({ ...BLANK, seed: seedOf('Two') }))).toEqual(['Two']);
    for (const name of ['three', 'four']) {
      network[`${SCOPE}${name}`] = () => new Response(JSON.stringify(seedOf(name)));
      expect(await projects(begin(BLANK, `?seed=${SCOPE}${name}`))).toEqual([name]);
    }
  });

  test('derives the control API from a base URL that holds /v1 twice', async () => {
    expect(await begin({ ...BLANK, baseUrl: 'https://api.test/v1/team/v1' }).greet()).toMatchObject({
      controlUrl: 'https://api.test/v1/team/_mock',
    });
  });

  test('has a database of its own for each scope, and stays alive when a response cannot be kept', async () => {
    const worker = begin(BLANK);
    await worker.greet();
    expect((await storage.databases()).map(({ name }) => name)).toEqual([`wm-mock ${SCOPE}`]);
    const { transaction } = IDBDatabase.prototype;
    const { responses, waited } = worker.request(`${SCOPE}v1/tasks`);
    IDBDatabase.prototype.transaction = () => {
      throw new Error('the disk is gone');
    };
    expect((await responses[0])!.status).toBe(500);
    await Promise.all(waited);
    IDBDatabase.prototype.transaction = transaction;
  });
});

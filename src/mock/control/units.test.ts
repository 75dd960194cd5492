// The parts of the control API by themselves: guard, host, instance, feed, inbox, problems, the stream of events.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { Problem } from '../../service/contract/errors.ts';
import { LATEST } from '../../service/contract/releases.ts';
import { BLANKS } from '../../service/world/records.ts';
import { asking } from '../../test/asking.ts';
import { keep } from '../../test/closing.ts';
import { useFakeTime } from '../../test/fake-time.ts';
import { hostOptionsOf, toSeed } from '../api/create.ts';
import type { MockOptions } from '../api/options.ts';
import { errorResponse } from './call.ts';
import { callByRow } from './call-by-row.ts';
import { eventStream } from './events.ts';
import { Feed } from './feed.ts';
import { cookieOf, Guard, tokenCookie } from './guard.ts';
import { Host } from './host.ts';
import { Inbox } from './inbox.ts';
import { controlOpenApi } from './openapi.ts';
import { dashboardView } from './owner.ts';
import { plantSeed, seedOf } from './snapshot.ts';

const TINY = readFileSync('fixtures/tiny.yaml', 'utf8');

const hostOf = async (options: MockOptions = {}): Promise<Host> =>
  keep(new Host(plantSeed(await toSeed({ seed: TINY, ...options })), hostOptionsOf(options)));
const thrown = (act: () => unknown): Problem | undefined => {
  try {
    act();
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  return undefined;
};

describe('the guard', () => {
  const guardOf = (...names: readonly string[]): Guard => {
    const guard = new Guard();
    for (const name of names) guard.allow(name);
    return guard;
  };
  const THIS = ['wm-mock.test', 'localhost', 'LOCALHOST:81', 'a.localhost', '127.0.0.1:4700', '[::1]:4700', '0.0.0.0', '[::]'];
  const NAMED = ['wm.internal', '[fe80::1]', '[fe80::2]:7'];
  const ADDRESSES = ['192.168.1.7', '[fe80::1]', '[fe80::2]:7', '[fe80::3]'];
  const STRANGE = ['evil.test', 'alocalhost', 'x.wm.internal', '192.168.1.7.example.com', 'x192.168.1.7', '1234.1.1.1'];

  test.each([
    ['nothing more', [], THIS],
    ['names', ['WM.Internal', 'fe80::1', '[fe80::2]'], [...THIS, ...NAMED]],
    ['every address', ['0.0.0.0'], [...THIS, ...ADDRESSES]],
    ['every address of the newer kind', ['::'], [...THIS, ...ADDRESSES]],
  ])('knows its hosts by header and by URL when it allows %s', (_, names, welcome) => {
    const guard = guardOf(...names);
    const admits = (url: string, host: string) =>
      thrown(() => guard.admit(new Request(url, { headers: { host } })))?.status === undefined;
    for (const host of new Set([...THIS, ...NAMED, ...ADDRESSES, ...STRANGE])) {
      expect(admits('http://wm-mock.test/x', host), host).toBe(welcome.includes(host));
      const url = `http://${host}/x`;
      if (URL.canParse(url)) expect(admits(url, 'localhost'), url).toBe(welcome.includes(host));
    }
    expect(thrown(() => guard.admit(new Request('http://evil.test/x')))).toMatchObject({ status: 403 });
  });

  test.each<[Record<string, string>, string, number | undefined]>([
    [{ origin: 'http://localhost:81' }, 'GET', undefined],
    [{ origin: 'https://localhost:81' }, 'GET', undefined],
    [{ origin: 'http://localhost:82' }, 'GET', 403],
    [{ origin: 'null' }, 'GET', 403],
    [{ 'sec-fetch-site': 'same-origin' }, 'POST', undefined],
    [{ 'sec-fetch-site': 'none' }, 'POST', undefined],
    [{ 'sec-fetch-site': 'same-site' }, 'GET', 403],
    [{ 'sec-fetch-site': 'cross-site' }, 'GET', 403],
    [{ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }, 'GET', undefined],
    [{ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }, 'POST', 403],
    [{ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'document' }, 'GET', 403],
    [{ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' }, 'GET', 403],
  ])('a request with %j by %s: %s', (headers, method, status) => {
    // Only fetch itself may set the headers of browsers: a stand-in has them.
    const sent: Record<string, string> = { host: 'localhost:81', ...headers };
    const get = (name: string) => sent[name] ?? null;
    const request = { url: 'http://localhost:81/x', method, headers: { get } } as unknown as Request;
    expect(thrown(() => new Guard().admit(request))?.status).toBe(status);
    expect(thrown(() => new Guard().admit(request, { open: true }))?.status).toBeUndefined();
  });

  test('asks for the token that it has, and takes another one', () => {
    const guard = new Guard('sesame');
    const withToken = (token: string) => new Request('http://localhost/x', { headers: { 'x-wm-control-token': token } });
    expect(guard.accepts('sesame')).toBe(true);
    for (const wrong of ['', 'sesam\0', 'sesamf', 'sesam', 'sesames']) expect(guard.accepts(wrong)).toBe(false);
    expect(new Guard().accepts('')).toBe(false);
    expect(thrown(() => guard.admit(withToken('sesame')))).toBeUndefined();
    guard.token = 'other';
    expect(thrown(() => guard.admit(withToken('sesame')))?.status).toBe(401);
    guard.token = undefined;
    expect(thrown(() => guard.admit(withToken('')))).toBeUndefined();
  });

  test('finds a cookie by its name and port', () => {
    const request = (cookie?: string) => new Request('http://localhost:81/', cookie === undefined ? {} : { headers: { cookie } });
    expect(tokenCookie(request())).toBe('wm_mock_token_81');
    expect(tokenCookie(new Request('http://localhost/'))).toBe('wm_mock_token_80');
    expect(cookieOf(request('a=1; b=%20x; c'), 'b')).toBe(' x');
    expect(cookieOf(request('a=1;b=2=3'), 'b')).toBe('2');
    expect(cookieOf(request('a=%'), 'a')).toBe('%');
    expect(cookieOf(request('c'), 'c')).toBe('');
    expect([cookieOf(request('ab=1'), 'b'), cookieOf(request(), 'b')]).toEqual([undefined, undefined]);
  });
});

describe('the host', () => {
  test('finds the world of a path, else that of the key, else the first one', async () => {
    const host = await hostOf();
    expect(host.find('/v1/tasks', undefined)).toBe(host.main);
    expect(host.find('/worlds/one/v1', undefined)).toBeUndefined();
    const one = host.open('one', host.main.origin, true);
    const two = host.open('two', host.main.origin, false);
    const [[value]] = host.minting.keys as [[string, string]];
    expect(value).toMatch(/^wm_one_[a-z0-9]{24}$/i);
    expect(host.minting.keys.map(([, id]) => id)).toEqual(['one', 'one', 'one']);
    expect(host.mintedFor(value)).toBe(one);
    expect(host.find('/worlds/two/v1/x', `Bearer ${value}`)).toBe(two);
    expect(host.find('/worlds/two', undefined)).toBe(two);
    expect(host.find('/worlds/three/v1', `Bearer ${value}`)).toBeUndefined();
    expect(host.find('/v1/x', `Bearer ${value}`)).toBe(one);
    expect(host.find('/v1/x', 'Bearer wm_tiny_admin')).toBe(host.main);
    expect(host.find('/v1/x', undefined)).toBe(host.main);
    expect(host.service('/worlds/two/v1', undefined)).toBe(two.running);
    expect(host.service('/worlds/none/v1', undefined)).toBeUndefined();
    expect(host.list()).toEqual([one, two]);
    expect([host.get('one'), host.get('none')]).toEqual([one, undefined]);
    // The first world does not know the keys that were made for another one.
    expect(host.main.world.store.keys.size).toBe(3);
    expect(one.world.store.keys.size).toBe(6);
    expect([host.remove('one'), host.remove('one'), host.mintedFor(value)]).toEqual([true, false, undefined]);
    expect(host.minting.keys).toEqual([]);
  });

  test('makes ids that no world has, and continues where it was saved', async () => {
    const host = await hostOf();
    host.open('world_2', host.main.origin, false);
    expect([host.freeId(), host.freeId(), host.minting.made]).toEqual(['world_1', 'world_3', 3]);
    const again = await hostOf();
    const one = again.open('one', again.main.origin, false);
    const keys = { k: 'one', l: 'gone' };
    again.resume({ made: 7, keys: Object.entries(keys) });
    expect([again.freeId(), again.mintedFor('k'), again.mintedFor('l')]).toEqual(['world_8', one, undefined]);
  });

  test('refuses more than ten thousand worlds', async () => {
    const host = await hostOf();
    for (let i = 0; i < 10_000; i++) host.open(`w${i}`, host.main.origin, false);
    const full = { status: 409, message: 'There are 10000 worlds already. Delete some.' };
    expect(thrown(() => host.open('more', host.main.origin, false))).toMatchObject(full);
    expect(host.list()).toHaveLength(10_000);
  });

  test('closed, it closes its worlds: who listened hears the end', async () => {
    const host = await hostOf();
    const ended: string[] = [];
    for (const instance of [host.main, host.open('one', host.main.origin, false)])
      instance.feed.listen({ heard: () => {}, ended: () => void ended.push(instance.id) });
    host.close();
    expect([ended, host.list()]).toEqual([['one', 'default'], []]);
  });

  test('keeps the latency that it is given', async () => {
    expect([(await hostOf({ latency: 5 })).latency, (await hostOf()).latency]).toEqual([{ min: 5, max: 5 }, undefined]);
  });
});

describe('worlds without requests', () => {
  const time = useFakeTime();

  test('are deleted once that is long enough ago, but none that is listened to', async () => {
    const host = await hostOf({ worldIdleMs: 60_000 });
    for (const id of ['idle', 'asked', 'heard']) host.open(id, host.main.origin, false);
    host.get('heard')!.feed.listen({ heard: () => {}, ended: () => {} });
    const ids = () => host.list().map(({ id }) => id);
    await time.pass(59_000);
    host.find('/worlds/asked/v1', undefined);
    expect(ids()).toEqual(['idle', 'asked', 'heard']);
    // A world examined less than a second ago is not examined again.
    await time.pass(999);
    expect(ids()).toHaveLength(3);
    await time.pass(501);
    expect(ids()).toEqual(['asked', 'heard']);
    await time.pass(500);
    expect(host.get('idle')).toBeUndefined();
    await time.pass(58_500);
    expect(ids()).toEqual(['heard']);
    const forever = await hostOf({ worldIdleMs: 0 });
    forever.open('kept', forever.main.origin, false);
    await time.pass(1e12);
    expect(forever.list()).toHaveLength(1);
  });

  test('are looked for as often as the patience is short', async () => {
    const host = await hostOf({ worldIdleMs: 100 });
    host.open('idle', host.main.origin, false);
    await time.pass(150);
    expect(host.list()).toEqual([]);
  });
});

describe('an instance', () => {
  test('opens its world when it is first asked, and goes back to its origin', async () => {
    const { main } = await hostOf();
    expect([main.opened, main.release, main.snapshots.size, main.taken]).toEqual([undefined, LATEST, 0, 0]);
    const { world } = main;
    expect(main.opened!.world).toBe(world);
    expect(main.running).toBe(main.opened);
    world.become('1.1');
    expect(main.release).toBe('1.1');
    const events: string[] = [];
    main.feed.listen({ heard: (kind, text) => void events.push(`${kind} ${text}`), ended: () => {} });
    main.reset();
    expect(main.release).toBe(LATEST);
    const other = plantSeed(await toSeed({ seed: TINY, now: '2030-01-01T00:00:00Z', release: '1.0' }));
    main.reset(other);
    expect([main.origin, main.release]).toEqual([other, '1.0']);
    expect(events).toEqual([
      'clock {"now":"2025-01-20T09:00:00.000Z","mode":"frozen"}',
      'state {"kind":"replaced"}',
      'clock {"now":"2030-01-01T00:00:00.000Z","mode":"frozen"}',
      'state {"kind":"replaced"}',
    ]);
  });

  test('numbers its snapshots on, and has at most a thousand', async () => {
    const { main } = await hostOf();
    for (let i = 1; i <= 1000; i++) expect(main.snapshot()).toBe(`snap_${i}`);
    const full = { status: 409, message: 'This world has 1000 snapshots already. Delete some.' };
    expect(thrown(() => main.snapshot())).toMatchObject(full);
    main.snapshots.delete('snap_1');
    expect([main.restore('snap_1'), main.restore('snap_2')]).toEqual([false, true]);
    expect([main.snapshot(), main.taken]).toEqual(['snap_1001', 1001]);
  });

  test('continues from a snapshot without a notice', async () => {
    const { main } = await hostOf();
    const snapshot = plantSeed(await toSeed({ seed: TINY, release: '1.0' }));
    let notices = 0;
    main.feed.listen({ heard: () => void notices++, ended: () => {} });
    expect([main.resumeFrom(snapshot), main.release, notices]).toEqual([main.running, '1.0', 0]);
  });
});

test('the feed makes its text only for listeners, and forgets who leaves', () => {
  const feed = new Feed(JSON.stringify);
  const events: unknown[] = [];
  let made = 0;
  const make = () => ++made;
  feed.tell('clock', make);
  const listen = () => feed.listen({ heard: (kind, text) => void events.push(kind, text), ended: () => void events.push('end') });
  const [leave] = [listen(), listen()];
  feed.tell('state', make);
  expect([feed.size, events, made]).toEqual([2, ['state', '1', 'state', '1'], 1]);
  leave();
  feed.end();
  feed.end();
  expect([feed.size, events.slice(4)]).toEqual([0, ['end']]);
});

describe('the inbox', () => {
  const message = { at: '', method: 'POST', query: '', headers: {}, body: null, text: '' };

  test('keeps the newest two hundred messages and names, and numbers on', () => {
    const inbox = new Inbox();
    for (let i = 1; i <= 201; i++) inbox.receive('a', message);
    expect(inbox.messages('a')).toHaveLength(200);
    expect([inbox.messages('a')[0]!.id, inbox.messages('a').at(-1)!.id]).toEqual(['msg_2', 'msg_201']);
    for (let i = 1; i < 200; i++) inbox.receive(`b${i}`, message);
    expect([inbox.boxes.size, inbox.boxes.has('a')]).toEqual([200, true]);
    inbox.receive('c', message);
    expect([inbox.boxes.size, inbox.boxes.has('a'), inbox.boxes.has('b1'), inbox.messages('a')]).toEqual([200, false, true, []]);
  });

  test('a copy goes its own way, and what was saved comes back', () => {
    const inbox = new Inbox();
    inbox.respond('a', [500, 204]);
    const copy = inbox.fork();
    expect(copy.receive('a', message)).toEqual({ id: 'msg_1', ...message, status: 500 });
    expect([inbox, copy].map(({ boxes }) => boxes.get('a')?.statuses)).toEqual([[500, 204], [204]]);
    const saved = Inbox.from(copy.save());
    expect([saved.receive('a', message).status, saved.receive('a', message)]).toEqual([
      204,
      { id: 'msg_3', ...message, status: 200 },
    ]);
    expect([inbox.messages('a'), inbox.messages('none')]).toEqual([[], []]);
  });
});

describe('problems', () => {
  test('become responses in the shape of the service; any other error is a failure of the mock', async () => {
    const shown = async (error: unknown) => {
      const response = errorResponse(error);
      return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.json() };
    };
    const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' };
    const body = (code: string, message: string) => ({ error: { code, message, details: {} } });
    const allowed = { status: 405, headers: { ...headers, allow: 'GET' }, body: body('x', 'No.') };
    expect(await shown(new Problem(405, 'x', 'No.', { headers: { allow: 'GET' } }))).toEqual(allowed);
    const failed = { status: 500, headers, body: body('internal_error', 'The mock failed: lost.') };
    for (const error of [new Error('lost'), 'lost']) expect(await shown(error)).toEqual(failed);
  });

  test('are the same for a call made from inside as for the API', async () => {
    const host = await hostOf();
    const at = { host, instance: host.main, request: new Request('http://localhost/_mock'), title: 'a form' };
    for (const [input, status] of [
      [{ body: { now: true } }, 400],
      [{ body: { mode: 'x' } }, 422],
      [undefined, 422],
    ] as const)
      await expect(callByRow('setClock', at, input)).rejects.toMatchObject({ status });
    await expect(callByRow('deleteWorld', at)).rejects.toThrow('No world has the id "". GET /_mock/worlds lists them.');
    expect(await callByRow('health', at, { body: { any: 1 } })).toMatchObject({ status: 'ok' });
    expect(await callByRow('createWorld', at)).toMatchObject({ id: 'world_1', base_url: 'http://localhost/worlds/world_1/v1' });
    expect(await callByRow('listRequests', at, { query: { limit: '1' } })).toEqual({ items: [] });
    expect((await callByRow('document', at)) as unknown).toEqual(controlOpenApi('/_mock'));
  });
});

describe('the stream of events', () => {
  const time = useFakeTime();

  test('tells of requests, changes, deliveries, faults, choices and the clock, with nothing that is secret', async () => {
    const { control, service, mock } = keep(await asking());
    const stream = await mock.app.fetch(new Request('http://wm-mock.test/_mock/events'));
    const { body } = await service('POST', '/webhooks', { url: 'https://hooks.example/x', secret: 'mine' });
    await service('PATCH', '/tasks/task_dated', { title: `Told ${body.data.secret}` });
    await control('POST', '/clock/advance', { by: 0 });
    await service('DELETE', '/tasks/task_talked');
    await control('POST', '/clock/advance', { by: 0 });
    await control('POST', '/clock', { now: '2025-02-01T00:00:00Z' });
    await control('POST', '/faults', { effect: { status: 500 }, times: 1 });
    await service('GET', '/tasks?api_key=wm_tiny_admin');
    await control('DELETE', '/faults/fault_1');
    await control('PATCH', '/choices', { 'patch-status': '202' });
    await control('PATCH', '/release', { release: '1.1' });
    await control('PATCH', '/workspaces/ws_tiny', { plan: 'free' });
    await control('POST', '/data/keys', { workspace_id: 'ws_tiny', name: 'x', scope: 'read', user_id: 'user_bo' });
    await control('POST', '/reset');
    await service('GET', '/users/me');
    await mock.close();
    const headers = [...stream.headers].map(([name, value]) => `${name}: ${value}`).join('\n');
    await expect(`${headers}\n\n${await stream.text()}`).toMatchFileSnapshot('golden/events.txt');
  });

  test('beats every fifteen seconds, until the client leaves', async () => {
    const host = await hostOf();
    const { main } = host;
    const reader = eventStream(main, host).body!.getReader();
    const read = async () => new TextDecoder().decode((await reader.read()).value);
    expect(await read()).toBe(': listening\n\n');
    await time.pass(14_999);
    const beat = read();
    await time.pass(1);
    expect(await beat).toBe(': still here\n\n');
    expect([time.pending, main.feed.size]).toEqual([[15_000], 1]);
    await reader.cancel();
    expect([time.pending, main.feed.size]).toEqual([[], 0]);
  });

  test('ends where nothing happens, if it may rest, and tells a client that returns whether it has missed anything', async () => {
    const host = await hostOf();
    const { main } = host;
    const rest = { quietMs: 10_000, awayMs: 30_000 };
    const stream = (lastId?: string) => eventStream(main, host, rest, lastId).text();
    const first = stream();
    main.tellClock();
    await time.pass(10_000);
    expect([time.pending, main.feed.size]).toEqual([[10_000], 1]);
    await time.pass(10_000);
    expect(main.feed.size).toBe(0);
    const [told, beaten] = (await first).split(': still here\n\n');
    expect(told).toMatch(/^: listening\n\nid: 1\nevent: clock\ndata: .*\n\n$/);
    const [atRest, id] = /^retry: 30000\nid: (rest-\S+)\nevent: rest\ndata: \{\}\n\n$/.exec(beaten!)!;
    expect([await stream(id), time.waits.length]).toEqual([`: listening\n\n${atRest}`, 2]);
    main.timeline.note('edit', 'Something');
    const again = stream(id);
    await time.pass(10_000);
    expect(await again).toMatch(/^: listening\n\nid: 1\nevent: state\ndata: {"kind":"missed"}\n\nretry: 30000\nid: rest-/);
  });

  test('lets a client go that has left a thousand events unread', async () => {
    const host = await hostOf();
    const { main } = host;
    const response = eventStream(main, host);
    for (let i = 0; i < 1001; i++) main.tellClock();
    expect(main.feed.size).toBe(1);
    main.tellClock();
    expect(main.feed.size).toBe(0);
    const ids = (await response.text()).match(/^id: /gm)!;
    expect(ids).toHaveLength(1001);
  });
});

test('turns of creation are told in runs', async () => {
  const { main } = await hostOf();
  const { world } = main;
  const view = dashboardView(world, 'ws_tiny');
  const orders = () => seedOf(world).progress!.order!.comments;
  const before = orders();
  const by = { task_id: 'task_dated', author_id: 'user_bo' };
  const insert = (id: string) => view.insert('comments', { ...BLANKS.comments, ...by, id, body: id, created_at: view.now() });
  insert('a');
  insert('b');
  world.nextSequence();
  insert('c');
  const next = world.sequence;
  expect(before).toEqual([{ from: expect.any(Number), count: 1 }]);
  expect(orders()).toEqual([...before!, { from: next - 3, count: 2 }, { from: next, count: 1 }]);
});

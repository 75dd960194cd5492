// The parts of a hosted mock by themselves: the shelf, the route, secrets, calls between objects, the directory.
import { describe, expect, test } from 'vitest';
import { toSeed } from '../mock/api/create.ts';
import { plantSeed } from '../mock/control/snapshot.ts';
import { sha256 } from '../service/webhooks/sign.ts';
import { FakeEngine } from '../test/fake-engine.ts';
import { Directory } from './directory.ts';
import { named } from './engine.ts';
import type { Env } from './env.ts';
import { kvShelf, MAX_VALUE_CHARS, SHORT, splitValue } from './kv-shelf.ts';
import { SharedOrigins } from './origins.ts';
import { readPath, readWorldId, resolveWorld } from './resolve-world.ts';
import { deriveFrom } from './tokens.ts';

const storage = () => new FakeEngine().storage('WORLDS', 'any');

describe('the shelf', () => {
  const change = (more: object) => ({ put: [], remove: [], clear: [], ...more });

  test('clears by the starts of keys, then removes, then puts; what is beside it stays', async () => {
    const stored = storage();
    stored.kv.put('birth', 1);
    const shelf = kvShelf(stored);
    await shelf.write(
      change({
        put: [
          ['a/1', { x: 1 }],
          ['a/2', [2]],
          ['b', 'three'],
          ['c', null],
        ],
      }),
    );
    const results = [...(await kvShelf(stored).read())];
    expect(results).toEqual([
      ['a/1', { x: 1 }],
      ['a/2', [2]],
      ['b', 'three'],
      ['c', null],
    ]);
    await shelf.write(change({ put: [['a/2', 5]], remove: ['b'], clear: ['a/'] }));
    expect([...(await kvShelf(stored).read())]).toEqual([
      ['a/2', 5],
      ['c', null],
    ]);
    await shelf.write(change({ clear: [''] }));
    expect([[...(await shelf.read())], [...stored.kept.keys()]]).toEqual([[], ['birth']]);
  });

  test('keeps a long value in parts, and leaves none of them behind', async () => {
    expect([
      splitValue('').length,
      splitValue('x'.repeat(MAX_VALUE_CHARS)).length,
      splitValue('x'.repeat(MAX_VALUE_CHARS + 1)).length,
    ]).toEqual([1, 1, 2]);
    const stored = storage();
    const keys = () => [[...stored.kept.keys()], [...stored.long.values()].map(({ n, key }) => [n, key])];
    const long = 'abc'.repeat(MAX_VALUE_CHARS);
    await kvShelf(stored).write(change({ put: [['long', long]] }));
    const whole = [1, 2, 3, 4].map((n) => [n, 'long']);
    expect(keys()).toEqual([[], whole]);
    const shelf = kvShelf(stored);
    expect((await shelf.read()).get('long')).toBe(long);
    await shelf.write(change({ put: [['long', 'x'.repeat(MAX_VALUE_CHARS)]] }));
    expect(keys()).toEqual([[], whole.slice(0, 2)]);
    expect((await kvShelf(stored).read()).get('long')).toBe('x'.repeat(MAX_VALUE_CHARS));
    await shelf.write(change({ put: [['other', 'y'.repeat(SHORT)]] }));
    await shelf.write(change({ put: [['long', long]] }));
    expect(keys()).toEqual([[], [...whole.slice(0, 2), [5, 'other'], [6, 'long'], [7, 'long']]]);
    expect((await shelf.read()).get('long')).toBe(long);
    await shelf.write(change({ put: [['long', 'short']] }));
    expect(keys()).toEqual([['kept/long'], [[5, 'other']]]);
    await shelf.write(change({ put: [['long', long]] }));
    expect([keys()[0], (await shelf.read()).get('long')]).toEqual([[], long]);
    await shelf.write(change({ remove: ['long'] }));
    expect(keys()).toEqual([[], [[5, 'other']]]);
    await shelf.write(change({ put: [['long', long]] }));
    await shelf.write(change({ clear: ['l'] }));
    expect(keys()).toEqual([[], [[5, 'other']]]);
  });

  test('keeps apart from short values what is longer, and tells all in the order of their keys', async () => {
    const stored = storage();
    // Two quotation marks belong to it.
    const [short, long] = ['x'.repeat(SHORT - 2), 'x'.repeat(SHORT - 1)];
    const put = [
      ['c', long],
      ['b', short],
      ['a', long],
      ['d', 1],
    ];
    await kvShelf(stored).write(change({ put }));
    expect([[...stored.kept.keys()], stored.long.size]).toEqual([['kept/b', 'kept/d'], 2]);
    const pair = [...(await kvShelf(stored).read())];
    expect(pair).toEqual([
      ['a', long],
      ['b', short],
      ['c', long],
      ['d', 1],
    ]);
  });

  test('makes a change whole or not at all', async () => {
    const stored = storage();
    const shelf = kvShelf(stored);
    await shelf.write(change({ put: [['a', 1]] }));
    stored.fails = new Error('full');
    await expect(shelf.write(change({ remove: ['a'], put: [['b', 1]] }))).rejects.toThrow('full');
    expect([...stored.kept.keys()]).toEqual(['kept/a']);
  });
});

describe('a request', () => {
  const targetOf = (path: string, key?: string) => {
    const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
    const request = new Request(`https://mock.test${path}`, { headers });
    const found = resolveWorld(request, readPath(request));
    return found && [found.world, found.path];
  };
  const own = `${'0a'.repeat(12)}`;

  test('is meant for the world of its path, of the page that it goes back to, of its id or of its key', () => {
    expect(targetOf('/worlds/acme/v1/tasks?x=1', `wm_other_${own}`)).toEqual(['acme', undefined]);
    expect(targetOf('/worlds/acme~pr-1~a.b_c/')).toEqual(['acme~pr-1~a.b_c', undefined]);
    expect(targetOf('/dashboard/login?back=%2Fworlds%2Facme%2Fx')).toEqual(['acme', '/worlds/acme/dashboard/login']);
    expect(targetOf('/dashboard/login?back=%2Fworlds%2Facme')).toEqual(['acme', '/worlds/acme/dashboard/login']);
    expect(targetOf('/_mock/worlds/acme~a')).toEqual(['acme~a', '/worlds/acme~a/_mock/worlds/acme~a']);
    expect(targetOf('/v1/tasks', `wm_acme~x_y_${own}`)).toEqual(['acme~x_y', '/worlds/acme~x_y/v1/tasks']);
  });

  test('is meant for the same world in the worker and in the object, whatever segments lead there', () => {
    for (const path of ['a/../b/v1', 'a/%2e%2e/b/v1', 'a\\..\\b/v1', 'x/./../b/v1'].map((rest) => `/worlds/${rest}`)) {
      // An engine passes the address on as it came.
      const raw = { url: `https://mock.test${path}`, headers: new Headers() } as unknown as Request;
      expect([resolveWorld(raw, readPath(raw))?.world, readWorldId(raw)]).toEqual(['b', 'b']);
    }
    expect(readWorldId({ url: 'http://127.0.0.1:4700/worlds/a/../b/v1/tasks' })).toBe('b');
    for (const host of ['a}', '1\t7.0.0.1', '7.0\u00f0', '0.0.*', '127.0.0~1', '127%2e0.0.1'])
      expect(() => readPath({ url: `http://${host}/v1` })).toThrow('Host');
  });

  test('is meant for none where nothing names one', () => {
    const paths = '/ /v1/tasks /worlds/ /worlds/A/v1 /worlds/a~~b/v1 /worlds/a~-b/ /_mock/clock /_mock/worlds /dashboard/login';
    for (const path of [...paths.split(' '), '/dashboard/x?back=%2Fother%2Facme'])
      expect([path, targetOf(path)]).toEqual([path, undefined]);
    for (const key of ['wm_a', `wm_acme_${own}0`, `wm_acme_${own.slice(1)}`, `wm_Acme_${own}`, `x_acme_${own}`])
      expect([key, targetOf('/v1/tasks', key)]).toEqual([key, undefined]);
    const longest = `a${'~b'.repeat(124)}`;
    const results = [longest.length, targetOf(`/worlds/${longest}/`)?.[0], targetOf(`/worlds/${longest}~cd/`)];
    expect(results).toEqual([249, longest, undefined]);
    expect(targetOf(`/worlds/${longest}c/`)?.[0]).toBe(`${longest}c`);
  });
});

test('secrets follow from the owner and the purpose, and from nothing else', async () => {
  const [one, other] = [deriveFrom('one'), deriveFrom('other')];
  expect(new Set([await one('a'), await one('b'), await other('a')]).size).toBe(3);
  expect(await one('a')).toMatch(/^[0-9a-f]{40}$/);
  expect(await sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

describe('an object that moves to another machine', () => {
  const lost = Object.assign(new Error('Network connection lost.'), { retryable: true });
  /** Fails this many times, then returns the number of calls. */
  const space = (fails: number, error: Error = lost) => {
    const calls: unknown[] = [];
    const method = async (...given: unknown[]) => {
      calls.push(given);
      if (calls.length <= fails) throw error;
      return calls.length;
    };
    const get = (id: unknown) => (id === 'object of a' ? { add: method, fetch: method } : {});
    const stub = named<{ add(...given: unknown[]): unknown; fetch(request: Request): unknown }>(
      { idFromName: (name) => `object of ${name}`, get: get as never },
      'a',
    );
    return { calls, stub };
  };

  test('is called again where it is then', async () => {
    const { calls, stub } = space(3);
    expect([await stub.add(1, 2), calls]).toEqual([
      4,
      [
        [1, 2],
        [1, 2],
        [1, 2],
        [1, 2],
      ],
    ]);
    for (const method of ['GET', 'HEAD']) expect(await space(1).stub.fetch(new Request('http://a', { method }))).toBe(2);
  });

  test('is given up after four tries, and a change after one, for it may have happened', async () => {
    const given = space(4);
    const begun = performance.now();
    const error = await Promise.resolve(given.stub.add()).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      status: 503,
      code: 'service_unavailable',
      message:
        'The machine that had this request was lost on the way: it may have taken effect. Check, then retry; docs/hosted.md of wm-mock says more.',
      headers: { 'retry-after': '1' },
    });
    expect(given.calls).toHaveLength(4);
    expect(performance.now() - begun).toBeGreaterThan(600);
    for (const method of ['POST', 'PATCH', 'DELETE']) {
      const { calls, stub } = space(1);
      await expect(stub.fetch(new Request('http://a', { method }))).rejects.toMatchObject({ status: 503 });
      expect(calls).toHaveLength(1);
    }
  });

  test('is not called again when it failed by itself', async () => {
    for (const error of [new Error('own'), Object.assign(new Error('own'), { retryable: false })]) {
      const { calls, stub } = space(1, error);
      await expect(stub.add()).rejects.toThrow('own');
      expect(calls).toHaveLength(1);
    }
  });
});

describe('a directory', () => {
  let calls = 0;
  const claimOf = (ref = 'r1') => ({ ref, mint: true, release: '1.3' as const, at: 'https://mock.test', by: `call ${++calls}` });
  let now = 2000;
  const made = () => {
    const directory = new Directory(storage(), () => now);
    directory.begin('acme', 7, { worlds: 3 });
    directory.claim(undefined, 'acme', claimOf());
    return directory;
  };

  test('gives a world its origin and its number among all there ever were', () => {
    const directory = made();
    expect(directory.claim('acme', 'a', claimOf('r2'))).toEqual({
      birth: { id: 'acme~a', ref: 'r2', mint: true, at: 'https://mock.test', line: ['7/acme/1', '7/acme~a/2'] },
    });
    expect(directory.birth('acme~b')).toBeUndefined();
    expect([directory.tenant, directory.claim('acme', 'a', claimOf())]).toEqual(['acme', { refused: 'taken', most: 3 }]);
    expect(directory.claim('acme', undefined, claimOf())).toMatchObject({ birth: { id: 'acme~world_3' } });
    expect(directory.claim('acme', undefined, claimOf())).toEqual({ refused: 'full', most: 3 });
    expect(directory.list('acme~a')).toEqual([{ id: 'acme~a', about: {}, release: '1.3', lastUsed: 2000 }]);
    for (const _ of [1, 2]) directory.leave('acme~a');
    expect([directory.birth('acme~a'), directory.leaving]).toEqual([undefined, ['acme~a']]);
    expect(directory.list('acme').map(({ id }) => id)).toEqual(['acme', 'acme~world_3']);
    directory.left('acme~a');
    expect([directory.leaving, directory.claim('acme', 'a', claimOf())]).toMatchObject([
      [],
      { birth: { line: ['7/acme/1', '7/acme~a/4'] } },
    ]);
  });

  test('gives an unnamed world the next number that is free', () => {
    const directory = made();
    directory.claim('acme', 'world_3', claimOf());
    directory.claim('acme', 'world_4', claimOf());
    directory.begin('acme', 7, { worlds: 9 });
    const unnamed = () => directory.claim('acme', undefined, claimOf());
    expect([unnamed(), unnamed()]).toMatchObject([
      { birth: { id: 'acme~world_5', line: ['7/acme/1', '7/acme~world_5/5'] } },
      { birth: { id: 'acme~world_6' } },
    ]);
    directory.claim('acme', 'world_7', claimOf());
    directory.leave('acme~world_7');
    expect([unnamed(), unnamed()]).toMatchObject([{ birth: { id: 'acme~world_8' } }, { birth: { id: 'acme~world_9' } }]);
  });

  test('collects an origin that no world starts from, no other is based on, and no caller holds', () => {
    const directory = made();
    now = 0;
    directory.hold('r1', undefined, 10);
    directory.hold('r2', 'r3', 20);
    directory.hold('r3', undefined, 30);
    expect([directory.unheld(59_999), directory.unheld(60_000)]).toEqual([[], ['r2']]);
    now = 1000;
    directory.hold('r2', undefined, 0);
    expect([directory.unheld(60_000), directory.use().bytes]).toEqual([[], 60]);
    expect(directory.unheld(61_000)).toEqual(['r2']);
    directory.forget('r2');
    expect(directory.unheld(61_000)).toEqual(['r3']);
  });

  test('counts a day of requests and the bytes of all worlds, and says what is used up', () => {
    const directory = new Directory(storage());
    directory.begin('acme', 1, { requests: 5, bytes: 100 });
    for (const name of ['acme', 'beside']) directory.claim(undefined, name, claimOf());
    const day = 86_400_000;
    expect(directory.report('acme', { requests: 5, bytes: 60, used: 5 * day })).toBeUndefined();
    expect(directory.report('acme', { requests: 1, bytes: 60, used: 5 * day + 9 })).toEqual({
      what: 'requests',
      most: 5,
      until: 6 * day,
    });
    expect(directory.report('acme', { requests: 1, bytes: 60, used: 6 * day })).toBeUndefined();
    expect(directory.report('beside', { requests: 1, bytes: 40, used: 6 * day })).toBeUndefined();
    expect(directory.report('beside', { requests: 1, bytes: 41, used: 6 * day + 1 })).toEqual({
      what: 'bytes',
      most: 100,
      until: 6 * day + 1,
    });
    expect(directory.use()).toEqual({ worlds: 2, bytes: 101, requests: 3, quotas: { requests: 5, bytes: 100 } });
    expect(directory.list('beside')[0]!.lastUsed).toBe(6 * day + 1);
    directory.leave('beside');
    directory.report('beside', { requests: 1, bytes: 500, used: 6 * day + 2 });
    expect(directory.use().bytes).toBe(101);
  });
});

describe('origins', () => {
  const workspace = (tasks: number) => ({
    id: 'ws_a',
    name: 'A',
    users: [{ id: 'user_a', name: 'Ann' }],
    api_keys: [{ id: 'key_a', value: 'wm_a', scope: 'admin', user_id: 'user_a' }],
    projects: [
      { id: 'proj_a', owner_id: 'user_a', tasks: Array.from({ length: tasks }, (_, n) => ({ id: `task_${n}`, title: `${n}` })) },
    ],
  });
  const plant = async (tasks = 20) => plantSeed(await toSeed({ seed: { workspaces: [workspace(tasks)] }, now: '2025-01-20' }));
  /** Objects on an engine, and each call that comes to them. */
  const kept = () => {
    const engine = new FakeEngine();
    const calls: string[] = [];
    const call = (space: 'ORIGINS' | 'DIRECTORY', name: unknown, method: string, [ref, base, size]: unknown[]) => {
      calls.push(method === 'hold' ? `hold ${ref} ${base} ${Number(size) > 0}` : `${method} ${name}`);
      return (engine.env[space].get(name) as Record<string, (...given: unknown[]) => unknown>)[method]!;
    };
    const watched = (space: 'ORIGINS' | 'DIRECTORY') => ({
      idFromName: (name: string) => name,
      get: (name: unknown) =>
        new Proxy(
          {},
          {
            get:
              (_, method: string) =>
              (...given: unknown[]) =>
                call(space, name, method, given)(...given),
          },
        ),
    });
    const env = { ...engine.env, ORIGINS: watched('ORIGINS'), DIRECTORY: watched('DIRECTORY') } as unknown as Env;
    const stored = (name: string) => engine.storage('ORIGINS', name).kept;
    /** Another tenant's, so that this process does not know it yet. */
    const copy = (from: string, to: string) => void stored(from).forEach((value, key) => void stored(to).set(key, value));
    return { engine, calls, stored, copy, make: (tenant: string) => new SharedOrigins(env, tenant) };
  };

  test('are kept once by what they hold, held before they are looked for, and known again', async () => {
    const { calls, make } = kept();
    const origins = make('one');
    const [first, same] = [await plant(), await plant()];
    const ref = await origins.put(first);
    expect(ref).toMatch(/^[0-9a-f]{64}$/);
    expect([await origins.put(first), await origins.put(same)]).toEqual([ref, ref]);
    const [held, size] = [`hold ${ref} undefined true`, `size one/${ref}`];
    expect(calls).toEqual([held, size, `put one/${ref}`, `hold ${ref} undefined false`, size, held, size]);
    expect([origins.refOf(first), origins.refOf(await plant(1))]).toEqual([ref, undefined]);
    expect([await origins.get(ref), calls.length]).toEqual([same, 7]);
    // Another tenant shares nothing.
    await expect(make('two').get(ref)).rejects.toThrow(`the origin ${ref} is not there`);
  });

  test('are kept again if they were collected meanwhile', async () => {
    const { calls, make, stored } = kept();
    const origins = make('four');
    const snapshot = await plant(3);
    const ref = await origins.put(snapshot);
    stored(`four/${ref}`).clear();
    expect([await origins.put(snapshot), stored(`four/${ref}`).size > 0]).toEqual([ref, true]);
    expect(calls.filter((one) => one.startsWith('put'))).toHaveLength(2);
  });

  test('are based on the origin of their world, and read from there', async () => {
    const { calls, make, stored, copy } = kept();
    const origins = make('five');
    const base = await origins.put(await plant(30));
    const on = await origins.lean(base);
    const world = on.world.fork();
    world.store.tasks.remove('task_7');
    const ref = await origins.put({ ...on, world });
    expect(calls).toContain(`hold ${ref} ${base} true`);
    const [, text] = [...stored(`five/${ref}`).values()].sort();
    expect(JSON.parse(String(text)).map(([key]: [string]) => key)).toEqual(['snapshot', 'row/tasks/task_7']);
    for (const one of [base, ref]) copy(`five/${one}`, `six/${one}`);
    const read = await make('six').get(ref);
    expect([read.world.store.tasks.size, read.world.store.tasks.get('task_7')]).toEqual([29, undefined]);
    expect(calls.filter((one) => one.startsWith('get'))).toEqual([`get six/${ref}`, `get six/${base}`]);
  });

  test('with many parts go from object to object piece by piece', async () => {
    const { engine, make, stored, copy } = kept();
    const ref = await make('acme').put(await plant(20_000));
    const parts = [...stored(`acme/${ref}`).keys()].filter((key) => key.startsWith('part/'));
    expect(parts.length).toBeGreaterThan(8);
    const get = engine.instance('ORIGINS', `acme/${ref}`);
    const results = [get.size!(), (get.get!(0) as string[]).length, (get.get!(8) as string[]).length];
    expect(results).toEqual([parts.length, 8, parts.length - 8]);
    copy(`acme/${ref}`, `seven/${ref}`);
    expect((await make('seven').get(ref)).world.store.tasks.size).toBe(20_000);
  });
});

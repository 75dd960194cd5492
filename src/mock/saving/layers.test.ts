// Snapshots are kept as what differs from one another, and what every released wm-mock has kept is read.
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { Collection } from '../../service/world/collection.ts';
import { Memory } from '../../test/memory-shelf.ts';
import { ask as sent } from '../../test/sending.ts';
import { hostOptionsOf, mockOn, toSeed } from '../api/create.ts';
import { plantSeed } from '../control/snapshot.ts';
import { FORMAT, type Origins } from './host-keeper.ts';
import { goOnFrom, reopen } from './reopen.ts';

const OPTIONS = { now: '2025-01-20T09:00:00Z', sender: async () => ({ kind: 'response', status: 204, took: 0 }) as const };
const tasks = Array.from({ length: 20 }, (_, n) => ({ id: `task_${n}`, title: `${n}` }));
const SEED = {
  workspaces: [
    {
      id: 'ws_a',
      name: 'A',
      users: [{ id: 'user_a', name: 'Ann' }],
      api_keys: [{ id: 'key_a', value: 'wm_a', scope: 'admin', user_id: 'user_a' }],
      projects: [{ id: 'proj_a', owner_id: 'user_a', tasks }],
    },
  ],
};
const plant = async () => plantSeed(await toSeed({ ...OPTIONS, seed: SEED }));

const openHost = async (memory: Memory, begin = plant) => {
  const { host, keeper } = await reopen(memory.shelf(), 'this', hostOptionsOf(OPTIONS), begin);
  const mock = mockOn(host, OPTIONS);
  const ask = async (method: string, path: string, body?: object) => {
    const response = await sent(mock, method, path, body);
    await keeper.save();
    return response;
  };
  return { host, keeper, mock, ask };
};
const keysOf = (memory: Memory) => [...memory.kept().keys()];

test('a fork keeps its changes alone: those of its origin are not written again, and it continues as it was', async () => {
  const memory = new Memory();
  const { host, keeper, ask } = await openHost(memory);
  await ask('PATCH', '/v1/tasks/task_3', { title: 'changed' });
  await ask('DELETE', '/v1/tasks/task_4');
  await ask('POST', '/_mock/worlds', { id: 'side', from: 'current' });
  await ask('PATCH', '/v1/tasks/task_3', { title: 'changed again' });
  await ask('POST', '/_mock/snapshots');
  await ask('DELETE', '/v1/tasks/task_3');
  await keeper.save();
  host.close();
  const kept = memory.kept();
  const layered = [...kept].filter(
    ([key, value]) => key.endsWith('/snapshot') && (value as { base?: number }).base !== undefined,
  );
  expect(layered.map(([key, value]) => [key, (value as { base: number }).base])).toEqual([
    ['image/000000000003/snapshot', 1],
    ['image/000000000004/snapshot', 3],
  ]);
  const of = (image: number) =>
    [...kept.keys()].filter((key) => key.startsWith(`image/00000000000${image}/row`)).map((key) => key.slice(19));
  expect(of(3)).toEqual(['row/tasks/task_3', 'row/tasks/task_4']);
  expect(of(4)).toEqual(['row/tasks/task_3']);
  const again = await openHost(memory, () => Promise.reject(new Error('planted again')));
  const titles = async (prefix: string) => {
    const { items } = (await again.ask('GET', `${prefix}/v1/tasks?limit=100`, undefined)).body as {
      items: { id: string; title: string }[];
    };
    return [items.length, items.find(({ id }) => id === 'task_3')?.title];
  };
  expect([await titles(''), await titles('/worlds/side')]).toEqual([
    [18, undefined],
    [19, 'changed'],
  ]);
  // The world that a snapshot is laid on goes, and what it is laid on stays.
  await again.ask('DELETE', '/_mock/worlds/side');
  expect(keysOf(memory).filter((key) => /^image\/0+3\//.test(key))).toHaveLength(3);
  await again.ask('POST', '/_mock/snapshots/snap_1/restore');
  expect(await titles('')).toEqual([19, 'changed again']);
  await again.ask('DELETE', '/_mock/snapshots/snap_1');
  await again.ask('POST', '/_mock/reset');
  expect([await titles(''), keysOf(memory).filter((key) => /^image\/0+[34]\//.test(key))]).toEqual([[20, '3'], []]);
  again.host.close();
});

test('a snapshot of which most rows differ is written whole', async () => {
  for (const [changed, layers] of [
    [11, 1],
    [12, 0],
  ] as const) {
    const memory = new Memory();
    const { host, ask } = await openHost(memory);
    for (let n = 0; n < changed; n++) await ask('PATCH', `/v1/tasks/task_${n}`, { title: 'x' });
    await ask('POST', '/_mock/snapshots');
    const kept = memory.kept();
    const laid = [...kept].filter(([key, value]) => key.endsWith('/snapshot') && 'base' in (value as object));
    expect([changed, laid.length]).toEqual([changed, layers]);
    host.close();
  }
});

test('records that may differ are those that either side has touched; without a common origin none are known', () => {
  const row = (id: string, sequence: number) => ({ value: { id }, workspace: 'ws', sequence });
  const root = new Collection([row('a', 1), row('b', 2), row('c', 3)]);
  const [one, two] = [root.fork(), root.fork()];
  one.put(row('a', 1));
  const three = one.fork();
  three.remove('b');
  two.put(row('d', 4));
  const between = (a: typeof root, b: typeof root) => [...(a.changedSince(b) ?? ['none'])].sort();
  const results = [between(three, one), between(one, three), between(three, two), between(two, root), between(one, one.fork())];
  expect(results).toEqual([['b'], ['b'], ['a', 'b', 'd'], ['d'], []]);
  expect(one.changedSince(new Collection([row('a', 1)]))).toBeUndefined();
});

test('a snapshot that is kept elsewhere is named, and found there again', async () => {
  const memory = new Memory();
  const origin = await plant();
  const refs: string[] = [];
  const origins: Origins = {
    lasting: [],
    refOf: (snapshot) => (snapshot === origin ? 'abc' : undefined),
    get: async (ref) => {
      refs.push(ref);
      return origin;
    },
  };
  const shelf = memory.shelf();
  const { Keeper } = await import('./host-keeper.ts');
  const { Host } = await import('../control/host.ts');
  await shelf.read();
  const host = new Host(origin, hostOptionsOf(OPTIONS));
  const keeper = new Keeper(host, shelf, 'this', origins);
  host.main.running.world.store.tasks.remove('task_1');
  await keeper.save();
  const kept = memory.kept();
  expect(kept.get('image/000000000001/snapshot')).toEqual({ ref: 'abc' });
  expect([...kept.keys()].filter((key) => key.includes('/row'))).toEqual(['image/000000000002/row/tasks/task_1']);
  const again = (await goOnFrom(kept, memory.shelf(), 'this', hostOptionsOf(OPTIONS), origins))!;
  expect([refs, again.host.main.origin === origin, again.host.main.world.store.tasks.size]).toEqual([['abc'], true, 19]);
  expect(await goOnFrom(kept, memory.shelf(), 'that', hostOptionsOf(OPTIONS), origins)).toBeUndefined();
  expect(await goOnFrom(new Map(), memory.shelf(), 'this', hostOptionsOf(OPTIONS))).toBeUndefined();
});

test('a state that a released wm-mock has saved in format 2 is read, and saved in this format from then on', async () => {
  const memory = new Memory();
  const put = JSON.parse(await readFile('src/test/kept/format-2.json', 'utf8')) as [string, unknown][];
  const shelf = memory.shelf();
  await shelf.read();
  await shelf.write({ put, remove: [], clear: [] });
  const open = async () => {
    const { host, keeper } = await reopen(memory.shelf(), 'kept', hostOptionsOf(OPTIONS), () =>
      Promise.reject(new Error('planted again')),
    );
    const names = host.main.world.store.projects.all().map(({ value }) => value.name);
    const { tasks } = host.get('side')!.world.store;
    const side = [tasks.size, tasks.get('task_a')?.value.status, host.mintedFor('wm_side_1qbpaxnfeqgpfbehpttw2gt4')?.id];
    return { keeper, seen: [names.at(-1), side, [...host.main.snapshots.keys()], host.main.journal.all().length] };
  };
  const first = await open();
  expect(first.seen).toEqual(['Kept in format 2', [1, 'done', 'side'], ['snap_1'], 4]);
  await first.keeper.save();
  expect(memory.kept().get('host')).toMatchObject({ format: 3, made_of: 'kept' });
  expect((await open()).seen).toEqual(first.seen);
});

test.each([1, FORMAT + 1])('a shelf in the unknown format %i is refused, with what reads it', async (format) => {
  const kept = new Map([['host', { format }]]);
  await expect(goOnFrom(kept, new Memory().shelf(), 'this', hostOptionsOf(OPTIONS))).rejects.toThrow(
    `the state was kept in format ${format}, and this wm-mock reads formats 2 to 3. Use the version that wrote it, or a newer one. docs/hosted.md of wm-mock says more.`,
  );
});

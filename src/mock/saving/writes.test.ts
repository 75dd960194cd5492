// What is written on the shelf, key by key: each change as it happens, no more than has changed, and all of it found again.

import { describe, expect, test } from 'vitest';
import { keep } from '../../test/closing.ts';
import { Memory } from '../../test/memory-shelf.ts';
import { type ApiResponse, ask as sent } from '../../test/sending.ts';
import { soon } from '../../test/within.ts';
import { hostOptionsOf, mockOn, toSeed } from '../api/create.ts';
import type { Mock } from '../api/mock.ts';
import type { MockOptions } from '../api/options.ts';
import { Host } from '../control/host.ts';
import { padded } from '../control/saved-state.ts';
import { plantSeed } from '../control/snapshot.ts';
import { MAX_OCCURRENCES } from '../control/timeline.ts';
import { timelineOf } from '../control/timeline-entries.ts';
import { FORMAT, type Keeper } from './host-keeper.ts';
import { reopen } from './reopen.ts';
import type { Shelf, ShelfChange } from './shelf.ts';

const OPTIONS: MockOptions = { now: '2025-01-20T09:00:00Z', sender: async () => ({ kind: 'response', status: 500, took: 0 }) };
const SEED = {
  workspaces: [
    {
      id: 'ws_a',
      name: 'A',
      users: [{ id: 'user_a', name: 'Ann' }],
      api_keys: [{ id: 'key_a', value: 'wm_a', scope: 'admin', user_id: 'user_a' }],
      projects: [{ id: 'proj_a', owner_id: 'user_a', tasks: [{ id: 'task_a', title: 'First' }] }],
      webhooks: [{ id: 'wh_a', url: 'http://127.0.0.1:9/hook', events: ['task.updated'], secret: 'whsec_a' }],
    },
  ],
};

interface Kept {
  readonly host: Host;
  readonly keeper: Keeper;
  readonly mock: Mock;
  readonly changes: ShelfChange[];
}

const opened = async (
  memory: Memory,
  { madeOf = 'this', seed = SEED as object, write = (change: ShelfChange, shelf: Shelf) => shelf.write(change) } = {},
): Promise<Kept> => {
  const changes: ShelfChange[] = [];
  const shelf = memory.shelf();
  const watched: Shelf = {
    read: () => shelf.read(),
    write: async (change) => {
      await write(change, shelf);
      if (change.put.length + change.remove.length + change.clear.length > 0) changes.push(change);
    },
  };
  const plant = async () => plantSeed(await toSeed({ ...OPTIONS, seed }));
  const { host, keeper } = await reopen(watched, madeOf, hostOptionsOf(OPTIONS), plant);
  return { host: keep(host), keeper, mock: mockOn(host, OPTIONS), changes };
};

const ask = async ({ mock }: Kept, method: string, path: string, body?: unknown): Promise<ApiResponse> => {
  const answer = await sent(mock, method, path, body);
  await mock.webhooks.settled();
  return answer;
};

/** Saves what has changed. @returns what was written since the last time */
const saved = async ({ keeper, changes }: Kept, whole?: boolean): Promise<ShelfChange[]> => {
  await soon(keeper.save(whole));
  return changes.splice(0);
};
const putBy = (changes: readonly ShelfChange[]) => changes.flatMap(({ put }) => put);
const removedBy = (changes: readonly ShelfChange[]) => changes.flatMap(({ remove }) => remove);
const keysIn = (memory: Memory, part: string) => [...memory.kept().keys()].filter((key) => key.includes(part));
const lastNumber = (key: string) => Number(key.split('/').at(-1));

/** What a change does to which keys. */
const lines = ({ clear, remove, put }: ShelfChange): string =>
  [
    ...clear.map((start) => `clear "${start}"`),
    ...remove.map((key) => `remove ${key}`),
    ...put.map(([key]) => `put ${key}`),
  ].join('  ');

type Step = readonly [method: string, path: string, body?: unknown];

const STEPS: readonly Step[] = [
  ['GET', '/v1/tasks?limit=1'],
  ['PATCH', '/v1/tasks/task_a', { status: 'done' }],
  ['POST', '/v1/projects', '{"name":'],
  ['POST', '/v1/projects', { name: 'New' }],
  ['DELETE', '/v1/projects/proj_a'],
  ['POST', '/_mock/clock/advance', { by: '31s' }],
  ['POST', '/_mock/webhooks/wh_a/simulate', { outcomes: [204] }],
  ['POST', '/_mock/faults', { match: {}, effect: { status: 503 }, times: 1 }],
  ['GET', '/v1/teams'],
  ['PATCH', '/_mock/choices', { 'limit-above-100': 'clamped' }],
  ['PATCH', '/_mock/release', { release: '1.2', forward_compat: ['order'] }],
  ['GET', '/v1/teams'],
  ['POST', '/_mock/inbox/box', { n: 1 }],
  ['GET', '/_mock/data/keys'],
  ['POST', '/_mock/data/keys', { workspace_id: 'ws_a', name: 'B', scope: 'read', user_id: 'user_a' }],
  ['POST', '/_mock/snapshots'],
  ['POST', '/_mock/worlds', { id: 'side', from: 'current', mint_keys: true }],
  ['GET', '/worlds/side/v1/teams'],
  ['POST', '/_mock/worlds', { id: 'seeded', from: 'seed' }],
  ['DELETE', '/_mock/worlds/side'],
  ['DELETE', '/_mock/requests'],
  ['POST', '/_mock/snapshots/snap_1/restore'],
  ['DELETE', '/_mock/snapshots/snap_1'],
  ['DELETE', '/_mock/data/webhooks/wh_a'],
  ['POST', '/_mock/reset'],
];

const stepName = ([method, path, body]: Step): string =>
  `# ${method} ${path}${body === undefined ? '' : ` ${JSON.stringify(body)}`}`;

describe('The shelf', () => {
  test('is told of each change, and of nothing that stayed', async () => {
    const kept = await opened(new Memory());
    const written = ['# at first', ...(await saved(kept)).map(lines)];
    for (const step of STEPS) {
      const { status } = await ask(kept, ...step);
      // What a delivery changes may be written by itself, before.
      written.push(`${stepName(step)} ${status}`, ...(await saved(kept)).map(lines));
      expect(await saved(kept)).toEqual([]);
    }
    await expect(`${written.join('\n')}\n`).toMatchFileSnapshot('golden/writes.txt');
  });

  test('forgets exchanges and deliveries that the mock has forgotten', async () => {
    const memory = new Memory();
    const kept = await opened(memory);
    for (let i = 0; i < 4; i++) {
      await ask(kept, 'PATCH', '/v1/tasks/task_a', { title: `${i}` });
      await saved(kept);
    }
    await ask(kept, 'DELETE', '/_mock/requests');
    const removed = removedBy(await saved(kept));
    expect(removed.map((key) => key.slice(-21))).toEqual([1, 2, 3, 4].map((n) => `exchange/${padded(n)}`));
    expect(keysIn(memory, '/exchange/')).toEqual([]);
  });

  test('has exchanges of one writing together, and a page among them once for its terms', async () => {
    const memory = new Memory();
    const kept = await opened(memory);
    for (let i = 0; i < 3; i++) await ask(kept, 'GET', '/v1/tasks');
    await ask(kept, 'PATCH', '/_mock/choices', { 'limit-above-100': 'clamped' });
    for (const path of ['/v1/tasks', '/v1/tasks', '/v1/teams', '/v1/tasks/task_a', '/v1/tasks/none'])
      await ask(kept, 'GET', path);
    const put = putBy(await saved(kept)).filter(([key]) => key.includes('/exchange/'));
    const keys = put.map(([key]) => key);
    expect(keys.map((key) => key.slice(-12))).toEqual([1, 6].map(padded));
    const groups = put.map(([, group]) => group) as { reply: { text: unknown } }[][];
    expect(groups.flat().map(({ reply: { text } }) => (typeof text === 'string' ? text.slice(0, 8) : text))).toEqual([
      '{"items"',
      1,
      1,
      '{"items"',
      4,
      '{"items"',
      '{"data":',
      '{"error"',
    ]);
    const again = await opened(memory);
    const shown = async (one: Kept) => (await ask(one, 'GET', '/_mock/requests')).text;
    expect(await shown(again)).toBe(await shown(kept));
    await ask(again, 'DELETE', '/_mock/requests');
    expect(removedBy(await saved(again)).filter((one) => one.includes('/exchange/'))).toEqual(keys);
  });

  test('lets exchanges that a full journal drops go many at once', async () => {
    const memory = new Memory();
    const kept = await opened(memory);
    const removed: string[][] = [];
    await ask(kept, 'GET', '/v1/teams');
    const { journal } = kept.host.main;
    const one = journal.get(1)!;
    for (let number = 2; number <= 1064; number++) {
      const keys = removedBy(await saved(kept));
      if (keys.length > 0) removed.push(keys);
      journal.add({ ...one, number });
    }
    removed.push(removedBy(await saved(kept)));
    expect(removed.map((keys) => [keys.length, ...[keys[0]!, keys.at(-1)!].map(lastNumber)])).toEqual([[64, 1, 64]]);
    journal.add({ ...one, number: 1065 });
    await saved(kept);
    const { first, next } = (await opened(memory)).host.main.journal;
    expect([first, next]).toEqual([66, 1066]);
  });

  test('keeps the timeline, which goes on where it was and forgets with the mock', async () => {
    const memory = new Memory();
    const kept = await opened(memory);
    await ask(kept, 'PATCH', '/v1/tasks/task_a', { title: 'x' });
    await ask(kept, 'POST', '/_mock/clock/advance', { by: '1s' });
    await saved(kept);
    const before = kept.mock.timeline;
    expect(before.map(({ kind }) => kind)).toEqual(['request', 'event', 'attempt', 'clock']);
    const again = await opened(memory);
    expect(again.mock.timeline).toEqual(before);
    expect(putBy(await saved(again)).join()).not.toContain('/timeline/');
    await ask(again, 'GET', '/v1/teams');
    expect(again.mock.timeline.map(({ n }) => n)).toEqual([1, 2, 3, 4, 5]);
    const { timeline } = again.host.main;
    expect(Array.from(timeline.log.entries(), ([n, { turn }]) => [n, turn])).toEqual([2, 3, 4].map((n) => [n, 0]));
    await ask(again, 'POST', '/_mock/clock/advance', { by: '1s' });
    timeline.log.evict(0);
    await saved(again);
    expect(keysIn(memory, '/timeline/').map(lastNumber)).toEqual([6]);
  });

  test('has a timeline no longer than it may be, though an older request is still known', async () => {
    const memory = new Memory();
    const kept = await opened(memory);
    await ask(kept, 'GET', '/v1/teams');
    const { timeline } = kept.host.main;
    for (let i = 0; i < MAX_OCCURRENCES; i++) timeline.note('clock', `${i}`);
    await saved(kept);
    const again = (await opened(memory)).host.main;
    expect([again.timeline.next, again.journal.next]).toEqual([MAX_OCCURRENCES + 2, 2]);
    const titles = Array.from({ length: MAX_OCCURRENCES }, (_, i) => `${i}`);
    expect(again.timeline.log.all().map(({ title }) => title)).toEqual(titles);
    expect(timelineOf(again, undefined).map((entry) => entry.show().title)).toEqual(titles);
  });

  test('may keep a change without the journal, which follows with the next whole writing', async () => {
    const kept = await opened(new Memory());
    await ask(kept, 'GET', '/v1/teams');
    await saved(kept);
    await ask(kept, 'POST', '/v1/projects', { name: 'New' });
    const written = async (whole: boolean) => putBy(await saved(kept, whole)).map(([key]) => key.split('/')[2]);
    expect([await written(false), await written(false), await written(true)]).toEqual([['core', 'row'], [], ['exchange']]);
  });

  test('forgets a delivery that the log has no room for any more, and counts on', async () => {
    const memory = new Memory();
    const kept = await opened(memory);
    for (let i = 0; i < 3; i++) await ask(kept, 'PATCH', '/v1/tasks/task_a', { title: `${i}` });
    await saved(kept);
    const { log } = kept.host.main.webhooks.deliveries;
    log.remove(log.firstId!);
    const changes = [...(await saved(kept)), ...(await saved(kept))];
    expect(changes).toEqual([{ put: [], remove: [`image/000000000002/delivery/${padded(1)}`], clear: [] }]);
    const again = await opened(memory);
    await ask(again, 'PATCH', '/v1/tasks/task_a', { title: 'last' });
    await saved(again);
    expect(keysIn(memory, '/delivery/').map(lastNumber)).toEqual([2, 3, 4]);
  });

  test('that lacks a state, or holds a broken one, is begun anew, and nothing of it goes on', async () => {
    const close = Host.prototype.close;
    let closed = 0;
    Host.prototype.close = function () {
      closed++;
      close.call(this);
    };
    try {
      for (const [gone, closes] of [
        ['/snapshot', 0],
        ['/core', 1],
      ] as const) {
        const memory = new Memory();
        const first = await opened(memory);
        await ask(first, 'POST', '/v1/projects', { name: 'Mine' });
        await saved(first);
        const shelf = memory.shelf();
        await shelf.read();
        const remove = keysIn(memory, '').filter((key) => key.endsWith(gone));
        await shelf.write({ put: [], remove, clear: [] });
        closed = 0;
        const { host } = await opened(memory);
        expect([gone, host.main.world.store.projects.size, closed]).toEqual([gone, 1, closes]);
      }
    } finally {
      Host.prototype.close = close;
    }
  });

  test('keeps the rows of a snapshot in bundles of five hundred, in order', async () => {
    const memory = new Memory();
    const tasks = Array.from({ length: 1001 }, (_, i) => ({ id: `task_${i}`, title: `${i}` }));
    const [workspace] = SEED.workspaces;
    const seed = { workspaces: [{ ...workspace!, projects: [{ id: 'proj_a', owner_id: 'user_a', tasks }] }] };
    const kept = await opened(memory, { seed });
    const rows = putBy(await saved(kept)).filter(([key]) => key.includes('/rows/tasks/'));
    expect(rows.map(([key, value]) => [key, (value as unknown[]).length])).toEqual([
      ['image/000000000001/rows/tasks/000000000000', 500],
      ['image/000000000001/rows/tasks/000000000500', 500],
      ['image/000000000001/rows/tasks/000000001000', 1],
    ]);
    const again = await opened(memory, { seed: {} });
    expect(again.host.main.world.store.tasks.all()).toEqual(kept.host.main.world.store.tasks.all());
  });

  test('of another format, or made of something else, is begun anew', async () => {
    const memory = new Memory();
    const first = await opened(memory);
    await ask(first, 'POST', '/v1/projects', { name: 'Mine' });
    await saved(first);
    const projects = async (options: Parameters<typeof opened>[1]) =>
      (await opened(memory, options)).host.main.world.store.projects.size;
    expect(await projects({ madeOf: 'other' })).toBe(1);
    expect(await projects({})).toBe(2);
    const shelf = memory.shelf();
    const host = (await shelf.read()).get('host') as object;
    await shelf.write({ put: [['host', { ...host, format: FORMAT + 1 }]], remove: [], clear: [] });
    const anew = await opened(memory);
    expect(anew.host.main.world.store.projects.size).toBe(1);
    expect((await saved(anew))[0]!.clear).toEqual(['']);
    expect((await opened(memory)).host.main.world.store.projects.size).toBe(1);
  });
});

describe('A keeper', () => {
  test('writes once for all who ask while it writes, and after one another', async () => {
    let release = () => {};
    let [writing, most] = [0, 0];
    const kept = await opened(new Memory(), {
      write: async (change, shelf) => {
        most = Math.max(most, ++writing);
        await new Promise<void>((done) => {
          release = done;
        });
        await shelf.write(change);
        writing--;
      },
    });
    const turn = () => new Promise((done) => setTimeout(done, 1));
    const first = kept.keeper.save();
    await turn();
    await ask(kept, 'POST', '/v1/projects', { name: 'B' });
    const [second, third] = [kept.keeper.save(), kept.keeper.save()];
    expect(second).toBe(third);
    release();
    await soon(first);
    await turn();
    release();
    await soon(second);
    expect([kept.changes.length, most]).toEqual([2, 1]);
  });

  test('keeps nothing more once something could not be kept, and says why each time', async () => {
    let broken: unknown;
    const kept = await opened(new Memory(), {
      write: (change, shelf) => (broken === undefined ? shelf.write(change) : Promise.reject(broken)),
    });
    await saved(kept);
    broken = 'no room';
    await ask(kept, 'POST', '/v1/projects', { name: 'B' });
    await expect(saved(kept)).rejects.toEqual(new Error('no room'));
    broken = undefined;
    await expect(saved(kept)).rejects.toEqual(new Error('no room'));
    expect(kept.changes).toEqual([]);
  });

  test('writes what happens by itself, and needs nobody to ask', async () => {
    const kept = await opened(new Memory());
    await ask(kept, 'GET', '/v1/tasks');
    await saved(kept);
    await ask(kept, 'PATCH', '/v1/tasks/task_a', { title: 'B' });
    for (let i = 0; i < 20_000 && kept.changes.length === 0; i++) await new Promise((done) => setTimeout(done, 1));
    expect(putBy(kept.changes).some(([key]) => key.includes('/delivery/'))).toBe(true);
  });
});

// A host that is kept goes on as if it had never stopped, whenever it stops.
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { Host } from '../control/host.ts';
import { stillOf } from '../control/state.ts';
import type { Mock } from '../in-program.ts';
import { hostOptionsOf, type MockOptions, mockOn, toSeed } from '../mock.ts';
import { World } from '../world/world.ts';
import { reopen } from './reopen.ts';
import { saveState, stillFrom } from './saved-state.ts';
import { Memory, ShelfTaken } from './shelf.ts';

const OPTIONS: MockOptions = { now: '2025-01-20T09:00:00Z', sender: async () => ({ kind: 'response', status: 500, took: 0 }) };
const demo = await readFile('fixtures/demo.yaml', 'utf8');
const plant = async () => stillOf(World.plant(await toSeed({ ...OPTIONS, seed: demo })));

type Ask = (mock: Mock, n: number) => Promise<Response>;

const json = (mock: Mock, method: string, path: string, body?: object) =>
  mock.fetch(path.startsWith('/_mock') ? `http://wm-mock.test${path}` : path, {
    method,
    headers: { ...mock.auth('admin', 'ws_acme'), ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });

/** One step of a session that touches everything that a world holds. */
const STEPS: readonly Ask[] = [
  (mock) => json(mock, 'POST', '/webhooks', { url: 'http://127.0.0.1:9/hook', events: ['task.created', 'task.deleted'] }),
  (mock, n) => json(mock, 'POST', '/projects', { name: `Kept ${n}` }),
  (mock, n) =>
    json(mock, 'POST', `/projects/${mock.world.store.projects.all().at(-1)!.value.id}/tasks`, { title: `Task ${n} 😀` }),
  (mock) => json(mock, 'GET', '/tasks?limit=3&sort=-updated_at'),
  (mock) => json(mock, 'PATCH', `/tasks/${mock.world.store.tasks.all().at(-1)!.value.id}`, { status: 'done' }),
  (mock) => json(mock, 'POST', '/_mock/clock/advance', { by: '31s' }),
  (mock) =>
    json(mock, 'POST', '/_mock/faults', { match: { operation: 'listMembers' }, effect: { status: 503 }, probability: 0.5 }),
  (mock) => json(mock, 'GET', '/workspace/members'),
  (mock) => json(mock, 'POST', '/projects', { name: '', visibility: 5 }),
  (mock, n) => json(mock, 'POST', `/_mock/inbox/box`, { n }),
  (mock) =>
    json(mock, 'POST', `/_mock/webhooks/${mock.world.store.webhooks.all()[0]!.value.id}/simulate`, { outcomes: [503, 204] }),
  (mock, n) => json(mock, 'POST', '/teams', { name: `Team ${n % 20}` }),
  (mock) => json(mock, 'DELETE', `/projects/${mock.world.store.projects.all().at(-1)!.value.id}`),
  (mock, n) => json(mock, 'PATCH', '/_mock/choices', { 'limit-above-100': n % 2 ? 'clamped' : 'refused' }),
  (mock) => json(mock, 'POST', '/_mock/snapshots'),
  (mock, n) => (n % 5 ? json(mock, 'GET', '/tasks?limit=500') : json(mock, 'POST', `/_mock/snapshots/snap_1/restore`)),
  (mock) => json(mock, 'GET', '/_mock/keys'),
  (mock, n) => json(mock, 'PATCH', '/_mock/release', { release: n % 4 ? '1.3' : '1.2' }),
  (mock, n) => json(mock, 'PATCH', '/_mock/workspaces/ws_acme', { plan: n % 2 ? 5000 : 'business' }),
  (mock, n) => json(mock, 'PATCH', '/_mock/release', { forward_compat: n % 2 ? ['enums', 'headers'] : false }),
  (mock, n) =>
    json(mock, 'POST', '/_mock/members/invite', {
      workspace_id: 'ws_acme',
      name: `N ${n}`,
      email: `n${n}@acme.test`,
      role: 'member',
    }),
  (mock) => json(mock, 'POST', '/_mock/tasks/task_app_dark/comments', { author_id: 'user_ada', body: 'Kept?' }),
  (mock, n) => json(mock, 'POST', '/_mock/worlds', { id: `w${n}`, from: 'current', mint_keys: true }),
  (mock, n) => json(mock, 'DELETE', `/_mock/worlds/w${n - 1}`),
];

const shown = async (answer: Response) => [answer.status, [...answer.headers], await answer.text()] as const;

/** Steps that are refused, by a rule or a conflict, or struck by the fault: all others have to do what they say. */
const MAY_FAIL = [7, 8, 11, 15];

const everything = async (mock: Mock) => {
  await mock.webhooks.settled();
  const at = async (path: string) => (await json(mock, 'GET', `/_mock/${path}`)).json();
  return {
    requests: mock.requests,
    deliveries: mock.deliveries,
    state: await at('state'),
    faults: await at('faults'),
    inbox: await at('inbox/box/messages'),
    clock: await at('clock'),
    keys: await at('keys'),
    snapshots: await at('snapshots'),
    workspaces: await at('workspaces'),
    release: await at('release'),
    compatibility: await at('compatibility'),
    worlds: ((await at('worlds')) as { items: { id: string }[] }).items.map(({ id }) => id),
  };
};

/** Plays the session; before each step that says so the mock ends, and another one goes on from the shelf. */
const play = async (stops: (n: number) => boolean, steps = 144) => {
  const memory = new Memory();
  const open = async () => {
    const { host, keeper } = await reopen(memory.shelf(), 'demo', hostOptionsOf(OPTIONS), plant);
    return { host, keeper, mock: mockOn(host, OPTIONS) };
  };
  let now = await open();
  const transcript: Awaited<ReturnType<typeof shown>>[] = [];
  for (let n = 0; n < steps; n++) {
    if (stops(n)) {
      now.host.close();
      now = await open();
    }
    transcript.push(await shown(await STEPS[n % STEPS.length]!(now.mock, n)));
    await now.mock.webhooks.settled();
    await now.keeper.save();
  }
  const end = await everything(now.mock);
  now.host.close();
  return { transcript, end };
};

test('a mock that ends before every request and goes on from the shelf answers with the same bytes', async () => {
  const whole = await play(() => false);
  const broken = await play(() => true);
  expect(whole.transcript.length).toBe(144);
  const failed = whole.transcript.flatMap(([status], n) => (status >= 400 ? [n % STEPS.length] : []));
  expect(failed.filter((step) => !MAY_FAIL.includes(step))).toEqual([]);
  expect(broken.transcript).toEqual(whole.transcript);
  expect(broken.end).toEqual(whole.end);
}, 60_000);

test('a saved state, written as JSON, is a world that answers the rest of the session with the same bytes', async () => {
  const options = hostOptionsOf(OPTIONS);
  const host = new Host(await plant(), options);
  const mock = mockOn(host, OPTIONS);
  for (let n = 0; n < 13; n++) await shown(await STEPS[n]!(mock, n));
  await mock.webhooks.settled();
  const twin = mockOn(new Host(stillFrom(JSON.parse(JSON.stringify(saveState(host.main.live)))), options), OPTIONS);
  expect(twin.deliveries.some(({ state }) => state === 'retrying')).toBe(true);
  for (let n = 0; n < 14; n++) expect(await shown(await STEPS[n]!(twin, n))).toEqual(await shown(await STEPS[n]!(mock, n)));
  expect({ ...(await everything(twin)), snapshots: 0 }).toEqual({ ...(await everything(mock)), snapshots: 0 });
});

test('whoever reads a shelf last has it: the changes of all others are refused whole', async () => {
  const memory = new Memory();
  const open = () => reopen(memory.shelf(), 'demo', hostOptionsOf(OPTIONS), plant);
  const first = await open();
  await first.keeper.save();
  const second = await open();
  await json(mockOn(first.host, OPTIONS), 'POST', '/projects', { name: 'Of the first' });
  await expect(first.keeper.save()).rejects.toThrow(ShelfTaken);
  await expect(first.keeper.save()).rejects.toThrow(ShelfTaken);
  await json(mockOn(second.host, OPTIONS), 'POST', '/projects', { name: 'Of the second' });
  await second.keeper.save();
  const { host } = await open();
  const names = host.main.world.store.projects.all().map(({ value }) => value.name);
  expect(names).toContain('Of the second');
  expect(names).not.toContain('Of the first');
});

test('what another version has kept in a way that cannot be read begins anew', async () => {
  const memory = new Memory();
  const open = () => reopen(memory.shelf(), 'demo', hostOptionsOf(OPTIONS), plant);
  const first = await open();
  await json(mockOn(first.host, OPTIONS), 'POST', '/projects', { name: 'Of another version' });
  await first.keeper.save();
  const shelf = memory.shelf();
  const [core] = [...(await shelf.read()).keys()].filter((key) => key.endsWith('/core'));
  await shelf.write({ put: [[core!, { world: 'otherwise' }]], remove: [], clear: [] });
  const { host, keeper } = await open();
  const mock = mockOn(host, OPTIONS);
  expect((await json(mock, 'GET', '/projects?limit=100')).status).toBe(200);
  await keeper.save();
  const again = await open();
  expect(again.host.main.world.store.projects.size).toBe((await plant()).world.store.projects.size);
});

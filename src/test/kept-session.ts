// A session that touches everything a world holds, on a mock that is kept: played whole, or ended and begun again between steps.
import { readFile } from 'node:fs/promises';
import { hostOptionsOf, mockOn, toSeed } from '../mock/api/create.ts';
import type { Mock } from '../mock/api/mock.ts';
import type { MockOptions } from '../mock/api/options.ts';
import { plantSeed } from '../mock/control/snapshot.ts';
import { reopen } from '../mock/saving/reopen.ts';
import { Memory } from './memory-shelf.ts';
import { initOf } from './sending.ts';
import { soon } from './within.ts';

export const OPTIONS: MockOptions = {
  now: '2025-01-20T09:00:00Z',
  sender: async () => ({ kind: 'response', status: 500, took: 0 }),
};
const demo = await readFile('fixtures/demo.yaml', 'utf8');
export const plant = async () => plantSeed(await toSeed({ ...OPTIONS, seed: demo }));

type Ask = (mock: Mock, n: number) => Promise<Response>;

export const json = (mock: Mock, method: string, path: string, body?: object) =>
  mock.fetch(
    path.startsWith('/_mock') ? `http://wm-mock.test${path}` : path,
    initOf(method, body, mock.auth('admin', 'ws_acme')),
  );

/** One step of a session that touches everything that a world holds. */
export const STEPS: readonly Ask[] = [
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
  (mock) => json(mock, 'GET', '/_mock/data/keys'),
  (mock, n) => json(mock, 'PATCH', '/_mock/release', { release: n % 4 ? '1.3' : '1.2' }),
  (mock, n) => json(mock, 'PATCH', '/_mock/workspaces/ws_acme', { plan: n % 2 ? 5000 : 'business' }),
  (mock, n) => json(mock, 'PATCH', '/_mock/release', { forward_compat: n % 2 ? ['enums', 'headers'] : false }),
  (mock, n) =>
    json(mock, 'POST', '/_mock/data/users', {
      workspace_id: 'ws_acme',
      name: `N ${n}`,
      email: `n${n}@acme.test`,
      role: 'member',
      state: 'invited',
    }),
  (mock) => json(mock, 'POST', '/_mock/data/comments', { task_id: 'task_app_dark', author_id: 'user_ada', body: 'Kept?' }),
  (mock, n) => json(mock, 'POST', '/_mock/worlds', { id: `w${n}`, from: 'current', mint_keys: true }),
  (mock, n) => json(mock, 'DELETE', `/_mock/worlds/w${n - 1}`),
];

export const shown = async (response: Response) => [response.status, [...response.headers], await response.text()] as const;

/** Steps that fail by a rule, a conflict or the fault: all others must succeed. */
export const MAY_FAIL = [7, 8, 11, 15];

export const everything = async (mock: Mock) => {
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

/** Plays the session; before each chosen step the mock ends, and another one continues from the shelf. */
export const play = async (stops: (n: number) => boolean, steps: number) => {
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
    await soon(now.keeper.save());
  }
  const end = await everything(now.mock);
  now.host.close();
  return { transcript, end };
};

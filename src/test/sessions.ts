// Sessions of chance: requests, calls, time, faults, receivers that fail, edits, forks and worlds that go back, all recorded.
import { createMock } from '../create-mock.ts';
import type { Mock } from '../mock/api/mock.ts';
import type { Recording } from '../mock/control/recorder.ts';
import type { Outcome } from '../service/webhooks/delivery.ts';
import { Random } from '../service/world/random.ts';
import { wait } from '../service/world/time.ts';
import { ask, submit } from './sending.ts';

/** Draws from a named stream. */
const dice = (seed: number) => {
  const random = new Random(seed);
  return {
    below: (most: number) => random.bits('session') % most,
    one: <T>(of: readonly T[]): T => of[random.bits('session') % of.length]!,
  };
};
type Dice = ReturnType<typeof dice>;

const OUTCOMES: readonly Outcome[] = [
  { kind: 'response', status: 200, took: 12 },
  { kind: 'response', status: 500, took: 3, excerpt: 'no' },
  { kind: 'refused', error: 'connect ECONNREFUSED', took: 1 },
  { kind: 'timeout', error: 'no response within 10 s', took: 10_000 },
];

export const send = (mock: Mock, method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
  ask(mock, method, path, body, headers)
    .then((response) => response.body)
    .catch(() => undefined);

export const control = (mock: Mock, method: string, path: string, body?: object) => ask(mock, method, `/_mock${path}`, body);

type Act = (mock: Mock, given: Dice, forks: Mock[]) => unknown;

/** Acts on a world; repeated ones are more frequent. */
const ACTS: readonly Act[] = [
  (mock, given) => send(mock, 'GET', `/tasks?limit=${1 + given.below(5)}&sort=-created_at`),
  (mock, given) => send(mock, 'GET', given.one(['/users/me', '/projects', '/nowhere', '/tasks?limit=0', '/webhooks'])),
  (mock, given) => send(mock, 'POST', '/projects', { name: `Project ${given.below(99)}` }),
  (mock, given) => send(mock, 'POST', '/tasks', { project_id: mock.read.projects()[0]?.id, title: `Task ${given.below(99)}` }),
  (mock, given) => {
    const task = given.one(mock.read.tasks());
    return task && send(mock, 'PATCH', `/tasks/${task.id}`, { status: given.one(['todo', 'done', 'nonsense']) });
  },
  (mock, given) => {
    const task = given.one(mock.read.tasks());
    return task && send(mock, 'DELETE', `/tasks/${task.id}`);
  },
  (mock) => send(mock, 'GET', '/tasks', undefined, { authorization: 'Bearer real-secret-of-a-person' }),
  (mock) => send(mock, 'POST', '/webhooks', { url: 'http://127.0.0.1:9/hook', events: ['task.created', 'task.updated'] }),
  (mock, given) => mock.clock.advance(given.one(['1s', '90s', '1h', 'next'])),
  (mock) => mock.clock.freeze(),
  (mock) => mock.clock.run(),
  (mock, given) => mock.clock.set(Date.parse('2026-05-01T00:00:00Z') + given.below(1e9)),
  (mock, given) =>
    mock.faults.add({
      match: { method: 'GET' },
      effect: given.one([{ status: 503 }, { delay_ms: 2 }, { abort: true }, { status: 429, retry_after: 7 }]),
      times: 2,
      probability: 0.7,
    }),
  (mock) => mock.faults.clear(),
  (mock, given) => mock.create.task({ title: `Made ${given.below(99)}` }),
  (mock, given) => mock.choose({ 'patch-status': given.one(['200', '202', 'no such']) }),
  (mock, given) => mock.become(given.one(['1.1', '1.2', '1.3', '1.4'] as never[])),
  (mock) => mock.snapshot(),
  (mock) => mock.reset(),
  (mock) => control(mock, 'POST', '/clock', { mode: 'frozen' }),
  (mock) => control(mock, 'POST', '/worlds', { from: 'current' }),
  (mock) => control(mock, 'POST', '/data/projects', { name: 'By control' }),
  (mock) => submit(mock, '/dashboard/faults', { do: 'addFault', status: '500' }),
  (mock) => submit(mock, '/dashboard/clock', { do: 'advance', by: '1h' }),
  (mock, _, forks) => void (forks.length < 3 && forks.push(mock.fork())),
  (mock, _, forks) => void (forks.length < 3 && forks.push(mock.fork({ id: 'again' }))),
  (_, __, forks) => forks.length > 1 && forks.pop()!.close(),
  (mock) => mock.faults.add({ match: { method: 'PATCH' }, effect: { hold: true }, times: 1 }),
  (mock) => void mock.faults.list().map(({ id }) => mock.faults.release(id)),
  (mock) => mock.snapshot().restore(),
  (mock) => mock.clock.now,
  (mock, given) => mock.create.key({ value: `given-key-${given.below(5)}` }),
  (mock, given) => send(mock, 'GET', '/users/me', undefined, { authorization: `Bearer given-key-${given.below(5)}` }),
  (mock) =>
    mock.create.webhook({ url: 'http://127.0.0.1:9/?token=given-token', events: ['task.created'], secret: 'given-secret' }),
  (mock) =>
    control(mock, 'POST', '/worlds', { seed: `{workspaces: [{id: w, users: [{id: u}], api_keys: [{value: given-in-yaml}]}]}` }),
  (mock) => submit(mock, '/dashboard/requests/req_1', { do: 'fork', id: 'bad id' }),
  (mock) => mock.webhooks.settled(),
];

/** @param recording in place of one of everything @returns the file of the world that all began with, and those of others */
export const session = async (seed: number, steps: number, recording?: Recording) => {
  const given = dice(seed);
  const now = given.one([undefined, '2026-04-01T08:00:00Z']);
  const sender = async () => {
    await wait(given.below(3));
    return given.one(OUTCOMES);
  };
  const options = { seed: 'demo', record: true, randomSeed: seed, sender, ...(now !== undefined && { now }) };
  const mock = await createMock(options, recording);
  const forks: Mock[] = [];
  for (let i = 0; i < steps; i++) {
    const world = given.below(4) === 0 ? given.one([mock, ...forks]) : mock;
    const ended = Promise.resolve()
      .then(() => given.one(ACTS)(world, given, forks))
      .catch(() => {});
    // Now and then the session does not wait for the act.
    await (given.below(5) > 0 ? Promise.race([ended, wait(50)]) : wait(0));
  }
  // A small recording may have lost what never came to rest.
  const unlessLost = <T>(made: Promise<T>) => made.catch((error) => (recording ? undefined : Promise.reject(error)));
  const saved = await unlessLost(mock.save());
  const back = saved && (await unlessLost(mock.rewind(given.one(saved.steps)?.n ?? 1)));
  if (back) await send(back, 'POST', '/projects', { name: 'What if' });
  await wait(20);
  const worlds = [mock, ...(back ? [back] : []), ...forks];
  const [repro, ...others] = await Promise.all(worlds.map((world) => unlessLost(world.save('a session'))));
  await mock.close();
  return { repro: repro!, others: others.flatMap((one) => one ?? []) };
};

/** `WM_SESSIONS=1000x300` plays 1,000 sessions of 300 steps; `400x300x601` those from session 601 on. */
export const sessionsOf = (usual: string): { readonly seeds: readonly number[]; readonly steps: number } => {
  const [sessions = 1, steps = 1, first = 1] = (process.env.WM_SESSIONS ?? usual).split('x').map(Number);
  return { seeds: Array.from({ length: sessions }, (_, i) => first + i), steps };
};

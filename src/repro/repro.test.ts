// What is recorded is repeated to the byte: sessions of requests, calls, time, faults, receivers that fail, edits and forks.
import { describe, expect, test } from 'vitest';
import { createMock } from '../mock/create.ts';
import type { Mock } from '../mock/mock.ts';
import { replay } from '../mock/replay.ts';
import type { Outcome } from '../webhooks/delivery.ts';
import { Random } from '../world/random.ts';
import { wait } from '../world/time.ts';
import type { RequestStep } from './file.ts';

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
  { kind: 'timeout', error: 'no answer within 10 s', took: 10_000 },
];

const send = (mock: Mock, method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
  mock
    .fetch(path, {
      method,
      headers: { ...mock.auth('admin'), ...(body && { 'content-type': 'application/json' }), ...headers },
      ...(body && { body: JSON.stringify(body) }),
    })
    .then((response) => response.json().catch(() => undefined))
    .catch(() => undefined);

const control = (mock: Mock, method: string, path: string, body?: object) => {
  const init = { method, ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }) };
  return mock.fetch(mock.baseUrl.replace(/\/v1$/, `/_mock${path}`), init);
};

const edit = (mock: Mock, path: string, form: Record<string, string>) => {
  const origin = new URL(mock.baseUrl).origin;
  const headers = { origin, 'content-type': 'application/x-www-form-urlencoded' };
  return mock.fetch(mock.baseUrl.replace(/\/v1$/, path), { method: 'POST', headers, body: new URLSearchParams(form).toString() });
};

type Act = (mock: Mock, given: Dice, forks: Mock[]) => unknown;

/** What may come into a world, as often as it stands here. */
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
  (mock) => send(mock, 'GET', '/tasks', undefined, { authorization: 'Bearer real-secret-of-somebody' }),
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
  (mock) => edit(mock, '/dashboard/faults', { do: 'addFault', status: '500' }),
  (mock) => edit(mock, '/dashboard/clock', { do: 'advance', by: '1h' }),
  (mock, _, forks) => void (forks.length < 3 && forks.push(mock.fork())),
  (mock) => mock.webhooks.settled(),
];

const session = async (seed: number, steps: number) => {
  const given = dice(seed);
  const now = given.one([undefined, '2026-04-01T08:00:00Z']);
  const sender = async () => {
    await wait(given.below(3));
    return given.one(OUTCOMES);
  };
  const mock = await createMock({ seed: 'demo', record: true, randomSeed: seed, sender, ...(now !== undefined && { now }) });
  const forks: Mock[] = [];
  for (let i = 0; i < steps; i++) {
    const world = given.below(4) === 0 ? given.one([mock, ...forks]) : mock;
    const ended = Promise.resolve()
      .then(() => given.one(ACTS)(world, given, forks))
      .catch(() => {});
    // Now and then nobody waits for what was asked.
    await (given.below(5) > 0 ? Promise.race([ended, wait(50)]) : wait(0));
  }
  await wait(20);
  const repro = await mock.save('a session');
  await mock.close();
  return repro;
};

/** `WM_SESSIONS=1000x300` plays so many sessions of so many steps. */
const [SESSIONS, STEPS] = (process.env.WM_SESSIONS ?? '8x60').split('x').map(Number) as [number, number];

describe('a repro file', () => {
  test.each(Array.from({ length: SESSIONS }, (_, i) => i + 1))(
    'of session %i is repeated to the byte',
    async (seed) => {
      const repro = await session(seed, STEPS);
      expect(repro.steps.length).toBeGreaterThan(STEPS / 2);
      const { difference } = await replay(JSON.stringify(repro));
      expect(difference).toBeUndefined();
    },
    60_000,
  );

  test('whose past is another one says where: the step, the place, both sides', async () => {
    const mock = await createMock({ seed: 'demo', record: true, now: '2026-04-01T08:00:00Z' });
    await send(mock, 'GET', '/users/me');
    const made = (await send(mock, 'POST', '/projects', { name: 'Kept' })) as { data: { id: string } };
    const repro = await mock.save();
    const [first, second] = repro.steps as [RequestStep, RequestStep];
    expect([first.path, second.path]).toEqual(['/v1/users/me', '/v1/projects']);
    const changed = { ...second, body: second.body!.replace('Kept', 'Lost') };
    const { difference } = await replay({ ...repro, steps: [first, changed] });
    expect(difference).toMatchObject({ where: '/data/name', expected: 'Kept', got: 'Lost', step: { n: 2 } });
    const later = { ...repro, steps: [first, { ...second, at: new Date(Date.parse(second.at) + 5000).toISOString() }] };
    expect((await replay(later)).difference).toBeUndefined();
    expect(JSON.stringify(repro)).toContain(made.data.id);
    const { expect: responded } = second;
    const held = { n: 1, at: first.at, kind: 'control', call: 'faults.add', given: [{ effect: { hold: true } }] } as const;
    for (const late of [{}, { late: true as const }]) {
      const steps = [held, { ...first, n: 2, ...late, expect: responded! }];
      expect((await replay({ ...repro, steps })).difference).toMatchObject({ where: 'response', step: { n: 2 } });
    }
    await mock.close();
  });

  test('leads back to any step, with the keys and the journal of then, and on from there', async () => {
    const mock = await createMock({ record: true, now: '2026-04-01T08:00:00Z' });
    for (const name of ['One', 'Two', 'Three']) await send(mock, 'POST', '/projects', { name });
    await mock.clock.advance('1h');
    const names = (world: Mock) => world.read.projects().map(({ name }) => name);
    const [after, before] = [await mock.rewind(2), await mock.rewind(2, { before: true, id: 'before' })];
    expect([names(after).slice(-2), names(before).at(-1), before.id]).toEqual([['One', 'Two'], 'One', 'before']);
    expect([after.requests.length, after.clock.now, mock.clock.now]).toEqual([
      2,
      '2026-04-01T08:00:00.000Z',
      '2026-04-01T09:00:00.000Z',
    ]);
    await send(after, 'POST', '/projects', { name: 'What if' });
    expect([names(after).at(-1), names(mock).at(-1)]).toEqual(['What if', 'Three']);
    const made = await control(mock, 'POST', '/worlds', { at: 1, id: 'over-http' });
    expect([made.status, names(mock.fork()).length - 3]).toEqual([201, names(await mock.rewind(1, { before: true })).length]);
    await expect(mock.rewind(99)).rejects.toMatchObject({ status: 422, fields: [{ field: 'at' }] });
    expect((await control(mock, 'POST', '/worlds', { at: 1, from: 'seed' })).status).toBe(422);
    expect((await replay(await mock.save())).difference).toBeUndefined();
    await mock.close();
  });

  test('is refused when it is none', async () => {
    for (const [text, why] of [
      ['<html>', 'it is no JSON'],
      ['{"version":2}', 'its version is 2, and 1 is known'],
      ['{"version":1}', 'it has no seed or no steps'],
    ])
      await expect(replay(text!)).rejects.toThrow(
        `replay: expected a repro file, as mock.save() writes it: ${why}. docs/replay.md`,
      );
    const plain = await createMock();
    await expect(plain.save()).rejects.toThrow(/^Nothing was recorded, .* createMock\(\{ record: true \}\)/);
  });

  test('of a fork begins with what it comes from, and holds it and those made of it alone', async () => {
    const mock = await createMock({ seed: 'demo', record: true });
    const [one, other] = [mock.fork({ id: 'one', mintKeys: true }), mock.fork({ id: 'other' })];
    await send(one, 'POST', '/projects', { name: 'In one' });
    await send(other, 'POST', '/projects', { name: 'In other' });
    const inner = one.fork({ id: 'inner', mintKeys: true });
    await send(inner, 'GET', '/projects');
    const repro = await one.save();
    expect(repro.world).toBe('one');
    const asked = repro.steps.filter(({ kind }) => kind === 'control' || kind === 'request');
    expect(asked.map(({ kind, world }) => [kind, world])).toEqual([
      ['control', undefined],
      ['request', 'one'],
      ['control', 'one'],
      ['request', 'inner'],
    ]);
    expect((await replay(repro)).difference).toBeUndefined();
    await mock.close();
  });

  test('holds no key and no secret of whoever saved it', async () => {
    const seeded = await createMock({ seed: 'demo' });
    const keys = seeded.keys.map(({ value }) => value);
    const text = JSON.stringify(await session(3, 40));
    for (const secret of [...keys, 'real-secret-of-somebody']) expect(text).not.toContain(secret);
  });
});

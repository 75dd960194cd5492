// What is recorded: in which order, at which moment, how much of it, and who hears of its end when.
import { describe, expect, test } from 'vitest';
import { createMock } from '../../create-mock.ts';
import { replay } from '../../replay.ts';
import { Problem } from '../../service/contract/errors.ts';
import { wait } from '../../service/world/time.ts';
import { World } from '../../service/world/world.ts';
import { keep } from '../../test/closing.ts';
import { ask, submit } from '../../test/sending.ts';
import type { Mock } from '../api/mock.ts';
import { changesWorld } from '../control/invoke.ts';
import { CONTROL_IDS, controlRow } from '../control/operations.ts';
import { snapshotOf } from '../control/snapshot.ts';
import { Recorder } from './record.ts';
import type { Repro, RequestStep, Step } from './steps.ts';
import { statusOf } from './world-recorder.ts';

const NOW = '2026-04-01T08:00:00Z';
const start = async (more: object = {}) => keep(await createMock({ record: true, now: NOW, ...more }));

const SEED = {
  workspaces: [
    {
      id: 'ws_ours',
      name: 'Ours',
      users: [{ id: 'user_one', name: 'One' }],
      api_keys: [{ value: 'wm_own_key', scope: 'read', user_id: 'user_one' }],
      projects: [{ name: 'One', tasks: [{ title: 'Late', created_at: '-2h' }] }],
    },
  ],
};

const control = (mock: Mock, path: string, body: object) => ask(mock, 'POST', `/_mock${path}`, body);
const get = (mock: Mock, path: string) => ask(mock, 'GET', path);

const namesOf = (steps: readonly Step[]) => steps.map((step) => ('path' in step ? `${step.method} ${step.path}` : step.kind));

/** Of the step that made a project. */
const placeOf = async (mock: Mock, name: string) =>
  (await mock.save()).steps.find((step) => 'body' in step && step.body?.includes(name))!.n;

const isRepeated = async (mock: Mock) => {
  const repro = await mock.save();
  const { difference } = await replay(JSON.stringify(repro));
  expect(difference).toBeUndefined();
  return repro;
};

describe('a repro file', () => {
  test('is a copy of the moment at which it is asked for, with nothing that comes while it is written', async () => {
    const mock = await start();
    mock.faults.add({ effect: { hold: true } });
    const held = get(mock, '/users/me');
    const saving = mock.save();
    mock.faults.clear();
    await held;
    const { steps } = await saving;
    expect(namesOf(steps)).toEqual(['POST /_mock/faults', 'GET /v1/users/me']);
    expect(steps[1]).not.toHaveProperty('expect');
    expect(steps[1]).toHaveProperty('unanswered', true);
    expect(steps[0]).not.toHaveProperty('unanswered');
    expect(((await mock.save()).steps.find(({ kind }) => kind === 'request') as RequestStep).expect).toMatchObject({
      status: 200,
    });
  });

  test('holds responses of up to 20,000 characters, and longer ones as their hash', async () => {
    const mock = await start();
    for (const length of [20_000, 20_001]) mock.faults.add({ effect: { status: 502, raw: 'x'.repeat(length) }, times: 1 });
    for (const _ of [1, 2]) await get(mock, '/users/me');
    const requests = (await mock.save()).steps.filter((step): step is RequestStep => step.kind === 'request').slice(-2);
    expect(requests.map((step) => 'expect' in step && step.expect.body?.length)).toEqual([20_000, undefined]);
  });

  test('can be written while a world is being made', async () => {
    const mock = await start();
    const making = control(mock, '/worlds', { seed: SEED });
    while (!(await mock.save()).steps.length) await wait(0);
    const { steps } = await mock.save();
    expect((await making).body).toMatchObject({ id: 'world_1' });
    expect(namesOf(steps)).toEqual(['POST /_mock/worlds']);
  });

  test('of a fork has the faults, the events under way and the clock that it was made with', async () => {
    const mock = await start({ sender: async () => ({ kind: 'response', status: 500, took: 1 }) });
    await control(mock, '/clock', { mode: 'running' });
    mock.faults.add({ match: { method: 'GET' }, effect: { status: 503 }, times: 1 });
    mock.create.webhook({ url: 'http://127.0.0.1:9/hook', events: ['task.created'] });
    mock.create.task({ title: 'Before' });
    await mock.webhooks.settled();
    const other = mock.fork({ id: 'other' });
    other.create.task({ title: 'Elsewhere' });
    const fork = mock.fork({ id: 'one' });
    mock.create.task({ title: 'After' });
    expect((await get(fork, '/tasks')).status).toBe(503);
    await fork.clock.advance('1h');
    await submit(other, '/dashboard/clock', { do: 'advance', by: '1h' });
    await submit(fork, '/dashboard/clock', { do: 'advance', by: '1h' });
    const repro = await isRepeated(fork);
    expect(namesOf(repro.steps).filter((name) => name.includes('/data/'))).toEqual([
      'POST /_mock/data/webhooks',
      'POST /_mock/data/tasks',
    ]);
    expect([repro.world, new Set(repro.steps.map(({ world }) => world))]).toEqual(['one', new Set([undefined, 'one'])]);
    expect((await mock.save()).world).toBeUndefined();
  });

  test('of a world that has gone back holds what it goes back in, forms and worlds beside it included', async () => {
    const mock = await start();
    mock.fork({ id: 'beside' }).create.project({ name: 'Beside' });
    await submit(mock, '/dashboard/clock', { do: 'advance', by: '1h' });
    mock.create.project({ name: 'Kept' });
    mock.create.project({ name: 'Undone' });
    const kept = await placeOf(mock, 'Kept');
    const back = await mock.rewind(kept, { id: 'back' });
    const nameOf = (world: Mock) => world.read.projects().at(-1)?.name;
    expect([nameOf(back), back.clock.now]).toEqual(['Kept', '2026-04-01T09:00:00.000Z']);
    back.create.project({ name: 'What if' });
    const again = await back.rewind(kept, { before: true });
    expect(nameOf(again)).not.toBe('Kept');
    again.create.project({ name: 'And again' });
    for (const world of [mock, back, again]) await isRepeated(world);
    const calls = namesOf((await back.save()).steps.slice(kept)).filter((name) => !['clock', 'receiver'].includes(name));
    const [project, world] = ['POST /_mock/data/projects', 'POST /_mock/worlds'];
    expect(calls).toEqual([project, world, project, world, project]);
  });

  test('leads a fork back to when it was not there yet', async () => {
    const mock = await start();
    mock.create.project({ name: 'First' });
    mock.create.project({ name: 'Second' });
    const inner = mock.fork({ id: 'outer' }).fork({ id: 'inner' });
    inner.create.project({ name: 'Inner' });
    const nameAt = async (name: string) => {
      const back = await inner.rewind(await placeOf(inner, name));
      await get(back, '/projects?limit=100');
      await isRepeated(back);
      return back.read.projects().at(-1)!.name;
    };
    expect([await nameAt('First'), await nameAt('outer'), await nameAt('Inner')]).toEqual(['First', 'Second', 'Inner']);
  });

  test('holds a world that began to run because somebody looked at it', async () => {
    const mock = await start({ sender: async () => ({ kind: 'response', status: 200, took: 1 }) });
    mock.create.webhook({ url: 'http://127.0.0.1:9/hook', events: ['task.created'] });
    mock.create.task({ title: 'Announced' });
    const fork = mock.fork();
    expect(fork.clock.mode).toBe('frozen');
    for (let i = 0; i < 200 && fork.deliveries.at(-1)?.state === 'pending'; i++) await wait(5);
    expect(fork.deliveries.at(-1)).toMatchObject({ state: 'delivered' });
    const { steps } = await isRepeated(mock);
    const own = steps.filter(({ world }) => world === fork.id);
    expect(own.slice(0, 2).map(({ kind }) => kind)).toEqual(['clock', 'receiver']);
  });

  test('repeats worlds of one name after the other, and names that were given by turns', async () => {
    const mock = await start();
    mock.fork();
    await control(mock, '/worlds', {});
    const first = mock.fork({ id: 'same' });
    first.create.project({ name: 'Forgotten' });
    await first.close();
    const second = mock.fork({ id: 'same' });
    expect(() => mock.fork({ id: 'same' })).toThrow();
    await control(second, '/worlds', { from: 'current' });
    second.create.project({ name: 'Kept' });
    for (const world of [mock, second]) await isRepeated(world);
    await expect(first.save()).resolves.toMatchObject({ world: 'same' });
    await second.close();
    await expect(second.save()).resolves.toMatchObject({ world: 'same' });
    mock.fork({ id: 'same' });
    await mock.close();
    await expect(second.save()).rejects.toThrow('More came in than a recording keeps.');
    await expect(second.rewind(1)).rejects.toThrow('More came in than a recording keeps.');
  });

  test('holds worlds that a form has made, under the names that were given by turns', async () => {
    const mock = await start();
    mock.fork();
    mock.create.project({ name: 'First' });
    const made = await submit(mock, '/dashboard/worlds', { do: 'createWorld', id: '', mint_keys: 'yes', from: 'current' });
    expect(made.headers.get('location')).toMatch(/^\/worlds\/world_2\//);
    await ask(mock, 'POST', '/worlds/world_2/_mock/data/projects', { name: 'Own' });
    const repro = (await get(mock, '/worlds/world_2/_mock/repro')).body as Repro;
    expect(namesOf(repro.steps)).toEqual(['POST /_mock/data/projects', 'POST /_mock/worlds', 'POST /_mock/data/projects']);
    expect((await replay(repro)).difference).toBeUndefined();
    expect(namesOf((await isRepeated(mock)).steps)).toEqual([
      'POST /_mock/worlds',
      'POST /_mock/data/projects',
      'POST /_mock/worlds',
      'POST /_mock/data/projects',
    ]);
  });

  test('holds forms in a world of their own, and the world that one on a timeline opens', async () => {
    const mock = await start();
    const fork = mock.fork();
    mock.create.project({ name: 'First' });
    const snapshot = await submit(mock, `/worlds/${fork.id}/`, { do: 'snapshot' });
    expect(snapshot.headers.get('location')).toBe(`/worlds/${fork.id}/?note=1`);
    const opened = await submit(mock, '/dashboard/timeline', { do: 'before', at: String(await placeOf(mock, 'First')) });
    expect(opened.headers.get('location')).toMatch(/^\/worlds\/[^/]+\/dashboard\/timeline/);
    await ask(mock, 'POST', opened.headers.get('location')!.replace(/dashboard.*/, '_mock/clock/advance'), { by: '1h' });
    await isRepeated(mock);
  });

  test('holds the calls of a form, and none of a refused one', async () => {
    const mock = await start();
    await get(mock, '/users/me');
    await wait(5);
    const refused = [
      await submit(mock, '/dashboard/requests/req_1', { do: 'fork', id: '-bad' }),
      await submit(mock, '/dashboard/timeline', { do: 'before', at: '99' }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([422, 422]);
    await submit(mock, '/dashboard/requests/req_1', { do: 'fork', id: '' });
    await submit(mock, '/dashboard/data/projects', { do: 'create', name: 'Typed' });
    await submit(mock, '/dashboard/requests/req_1', { do: 'resend', method: 'GET', path: '/v1/projects', key: '', body: '' });
    expect(namesOf((await isRepeated(mock)).steps)).toEqual([
      'GET /v1/users/me',
      'POST /_mock/worlds',
      'POST /_mock/operations/createProject',
      'GET /v1/projects',
    ]);
  });

  test('has the times of a seed that came in with a call as they were then', async () => {
    const mock = keep(await createMock({ record: true }));
    const made = (await control(mock, '/worlds', { seed: SEED })).body as { id: string };
    await wait(5);
    const key = { authorization: 'Bearer wm_own_key' };
    const { body } = await ask(mock, 'GET', `/worlds/${made.id}/v1/tasks`, undefined, key);
    expect(body).toMatchObject({ items: [{ title: 'Late' }] });
    await isRepeated(mock);
  });
});

describe('a recording', () => {
  const origin = snapshotOf(World.plant({ now: 0, randomSeed: 1, workspaces: [] } as never));
  const recorded = () => {
    const recorder = new Recorder('1.2.3');
    return { recorder, world: recorder.recorderOf('default', origin) };
  };
  /** What a program hears, and what follows from that of which it hears. */
  const diaryOf = async (begin: (ended: Promise<number>) => Promise<unknown>, fails = false) => {
    const diary: string[] = [];
    let end = () => {};
    const ended = new Promise<number>((done, fail) => (end = () => (fails ? fail(new Error('no')) : done(7))));
    const told = begin(ended).then(
      (value) => diary.push(`told ${value}`),
      (error) => diary.push(`told ${error.message}`),
    );
    let follows: Promise<unknown> = ended.catch(() => {});
    for (let i = 0; i < 100; i++) follows = follows.then(() => {});
    void follows.then(() => diary.push('followed'));
    end();
    await told;
    return diary;
  };

  const ADVANCE = { id: 'advanceClock', call: 'POST /clock/advance' } as const;

  test('tells a program of the end of a call when all that follows from it has happened', async () => {
    const { recorder, world: one } = recorded();
    const advance = (ended: Promise<number>) => one.noteCall(ADVANCE, { body: { by: '1h' } }, () => ended);
    expect(await diaryOf(advance)).toEqual(['followed', 'told 7']);
    expect(await diaryOf(advance, true)).toEqual(['followed', 'told no']);
    expect(recorder.of('default')!.steps.map(({ response }) => response?.status)).toEqual([200, 500]);
    expect(recorder.of('default')!.steps[0]).toMatchObject({
      input: { kind: 'control', method: 'POST', path: '/_mock/clock/advance', body: { text: '{"by":"1h"}' } },
      response: { text: '7' },
    });
  });

  test('records a call with the status of its row', () => {
    const rows = CONTROL_IDS.map((id) => ({ id, ...controlRow(id) })).filter(changesWorld);
    expect(rows.map(statusOf)).toEqual(rows.map(({ status }) => status));
  });

  test('has no step for a refused call', async () => {
    const { recorder, world: one } = recorded();
    const refuse = () => {
      throw new Problem(422, 'validation_error', 'No.');
    };
    expect(() => one.noteCall(ADVANCE, {}, refuse)).toThrow('No.');
    await expect(one.noteCall(ADVANCE, {}, async () => refuse())).rejects.toThrow('No.');
    expect(recorder.of('default')!.steps).toEqual([]);
  });

  test('tells a program of a response, or that there is none, when all that follows from it has happened', async () => {
    for (const fails of [false, true]) {
      const { recorder, world: one } = recorded();
      const request = new Request('http://wm-mock.test/worlds/one/v1/tasks?limit=2');
      const respond = (ended: Promise<number>) =>
        recorder.watch(async () => {
          one.noteRequest('request', request, undefined);
          return new Response(String(await ended), { status: 202, headers: { 'x-own': 'yes' } });
        })(request) as Promise<Response>;
      const words = fails ? 'told no' : 'told 7';
      expect(await diaryOf(async (ended) => (await respond(ended)).text(), fails)).toEqual(['followed', words]);
      expect(recorder.of('default')!.steps).toMatchObject([
        {
          input: { kind: 'request', method: 'GET', path: '/v1/tasks?limit=2', headers: { host: 'wm-mock.test' } },
          response: fails ? { status: 0, headers: {}, text: '' } : { status: 202, headers: { 'x-own': 'yes' }, text: '7' },
        },
      ]);
    }
  });

  test('passes on what was read of a request on a turn of its own', async () => {
    const { world: one } = recorded();
    expect(await diaryOf((ended) => ended.then((read) => one.nextTurn(read)))).toEqual(['followed', 'told 7']);
  });

  test('joins what comes before anything else has run, gives all of one turn one moment, and says what was responded late', async () => {
    const { recorder, world: one } = recorded();
    let end = () => {};
    const slow = one.noteCall(ADVANCE, { body: 1 }, () => new Promise<void>((done) => (end = done)));
    one.noteCall(ADVANCE, { body: { a: undefined } }, () => 2);
    await Promise.resolve();
    expect(() =>
      one.noteCall(ADVANCE, { body: 3 }, () => {
        throw new Error('failed');
      }),
    ).toThrow('failed');
    end();
    await slow;
    await wait(5);
    one.noteCall(ADVANCE, { body: 4 }, () => undefined);
    const taken = recorder.of('default')!.steps;
    expect(taken.map(({ n, turn, late, input }) => [n, 'body' in input && input.body, turn, late])).toEqual([
      [1, { text: '1' }, 1, true],
      [2, { text: '{}' }, 1, undefined],
      [3, { text: '3' }, 2, undefined],
      [4, { text: '4' }, 3, undefined],
    ]);
    expect(new Set(taken.slice(0, 3).map(({ at }) => at)).size).toBe(1);
    expect(taken[3]!.at).toBeGreaterThan(taken[0]!.at);
    expect(taken[3]!.at).toBe(recorder.now());
    expect(taken[2]!.response).toMatchObject({ status: 500, text: expect.stringContaining('The mock failed: failed.') });
    const places = new Map([1, 2, 3, 4].map((n) => [n, n]));
    expect([one.last, recorder.stepsOf('default'), recorder.stepsOf('gone')]).toEqual([4, places, undefined]);
  });

  test('is given up, and weighs nothing any more, when it would hold more than there is room for', async () => {
    const { recorder, world: one } = recorded();
    const other = recorder.recorderOf('other', origin);
    const came = (to: typeof one, characters: number) =>
      to.noteRequest('request', new Request('http://a.test/v1/tasks'), { text: 'x'.repeat(characters) });
    came(other, 10);
    came(one, 63_990_000);
    expect(recorder.of('default')!.steps).toHaveLength(1);
    came(one, 9_000);
    expect([recorder.of('default'), recorder.of('other')!.steps.length]).toEqual([undefined, 1]);
    came(other, 63_990_000);
    came(one, 10);
    expect(recorder.of('other')!.steps).toHaveLength(2);
    recorder.forget('other');
    const third = recorder.recorderOf('third', origin);
    came(third, 63_990_000);
    expect([recorder.of('other'), recorder.of('third')!.steps.length]).toEqual([undefined, 1]);
    recorder.end('nobody');
    recorder.end('third');
    const fourth = recorder.recorderOf('fourth', origin);
    came(fourth, 10);
    expect(recorder.of('fourth')!.steps.map((one) => one.world)).toEqual(['fourth']);
    expect(recorder.of('third')!.steps).toHaveLength(1);
    came(fourth, 9_000);
    expect([recorder.of('third'), recorder.of('fourth')!.steps.length]).toEqual([undefined, 2]);
    const world = World.plant({ now: 0, randomSeed: 1, workspaces: [] } as never);
    expect(await recorder.save({ id: 'default', world })).toBeUndefined();
  });
});

// How a file is played: each step when the one before has come to its world, at its time, and what is said of what differs.
import { expect, test, vi } from 'vitest';
import { createMock } from '../../create-mock.ts';
import { replay } from '../../replay.ts';
import { sha256 } from '../../service/webhooks/sign.ts';
import { wait } from '../../service/world/time.ts';
import { Host } from '../control/host.ts';
import type { Recording, WorldRecorder } from '../control/recorder.ts';
import { Replay } from './replay.ts';
import { requestOf } from './replayed-world.ts';
import type { RequestStep, Step } from './steps.ts';

const AT = '2026-04-01T08:00:00.000Z';
const request = (n: number, path: string, more: object = {}): Step =>
  ({ n, at: AT, kind: 'request', method: 'POST', path, headers: { host: 'wm-mock.test' }, body: '{}', ...more }) as Step;
const call = (n: number, name: string, more: object = {}): Step => request(n, `/_mock/${name}`, { kind: 'control', ...more });
const expected = async (body: string, status = 200) => ({ expect: { status, headers: {}, sha256: await sha256(body), body } });

const SEED = { format: 'json', text: '{}' } as const;
const FILE = { version: 1, wm_mock: '', release: '1.3', signed: true, seed: SEED, options: {} } as const;

/** Plays on a mock that is none. @returns what happened, and the difference */
const played = async (
  steps: readonly Step[],
  fetch: (request: Request, world: WorldRecorder) => Promise<Response>,
  wake: (world: WorldRecorder) => void = () => {},
) => {
  const player = new Replay({ ...FILE, steps }, 230);
  await player.begin((async (_: object, recording: Recording) => {
    const world: WorldRecorder = recording.recorderOf(
      'default',
      undefined as never,
      {
        get running() {
          return wake(world);
        },
      } as never,
    );
    return { app: { fetch: (asked: Request) => fetch(asked, world) }, close: async () => {} };
  }) as never);
  return { difference: await player.play() };
};

const READ = (diary: string[]) => async (asked: Request, world: WorldRecorder) => {
  const { pathname } = new URL(asked.url);
  diary.push(`asked ${pathname}`);
  if (pathname === '/slow') await wait(30);
  if (pathname.startsWith('/_mock/')) await world.nextTurn(undefined, asked);
  world.noteRequest('request', asked, undefined);
  diary.push(`read ${pathname}`);
  if (pathname === '/held') await new Promise(() => {});
  return new Response('fine', { headers: {} });
};

test('a step waits until the request before it has come to its world, though not until that is answered', async () => {
  const diary: string[] = [];
  const steps = [request(1, '/slow'), request(2, '/held', { late: true }), request(3, '/next')];
  const { difference } = await played(steps, READ(diary));
  expect(diary).toEqual(['asked /slow', 'read /slow', 'asked /held', 'read /held', 'asked /next', 'read /next']);
  expect(difference).toBeUndefined();
});

test('calls of one turn are made in order with nothing in between, others when all has followed', async () => {
  const diary: string[] = [];
  const fetch = async (asked: Request, world: WorldRecorder) => {
    const name = new URL(asked.url).pathname.slice('/_mock/'.length);
    // The second is read before the first.
    if (name === 'one') await wait(10);
    await world.nextTurn(undefined, asked);
    world.noteRequest('control', asked, undefined);
    diary.push(name);
    let follows = Promise.resolve();
    for (let i = 0; i < 60; i++) follows = follows.then(() => {});
    void follows.then(() => diary.push(`${name} followed`));
    return new Response();
  };
  await played([call(1, 'one'), call(2, 'two', { joined: true }), call(3, 'three')], fetch);
  expect(diary.slice(0, 5)).toEqual(['one', 'two', 'one followed', 'two followed', 'three']);
});

test('a world that was only read is woken when something goes on in it', async () => {
  const went: string[] = [];
  const clock: Step = { n: 1, at: AT, kind: 'clock', wait: 1 };
  const wake = (world: WorldRecorder) => void world.time.after(1000, () => went.push(new Date(world.time.now()).toISOString()));
  expect((await played([clock], async () => new Response(), wake)).difference).toBeUndefined();
  expect(went).toEqual([AT]);
  const { difference } = await played([clock], async () => new Response());
  expect(difference).toEqual({ step: clock, where: 'clock', expected: 'something that waited goes on', got: 'nothing waits' });
});

test('an attempt that is not made, a response that does not come and one that is another are told', async () => {
  const receiver: Step = { n: 1, at: AT, kind: 'receiver', attempt: 1, delivery: 'dlv_1', expect: { sha256: '' } };
  const none = await played([receiver], async () => new Response());
  expect(none.difference).toEqual({ step: receiver, where: 'delivery', expected: 'an attempt of dlv_1', got: 'none' });
  const diary: string[] = [];
  for (const late of [{}, { late: true }]) {
    const held = request(1, '/held', { ...late, ...(await expected('fine')) });
    const { difference } = await played([held, request(2, '/next')], READ(diary));
    expect(difference).toEqual({ step: held, where: 'response', expected: 'a response', got: 'none' });
  }
  const other = request(1, '/next', await expected('other'));
  const { difference } = await played([other, call(2, 'nothing')], READ(diary));
  expect(difference).toMatchObject({ step: { n: 1 }, where: 'header content-type' });
  const first = request(1, '/one', { expect: { status: 200, headers: {}, body: '1' } });
  const unmade = { n: 2, at: AT, kind: 'clock', wait: 1, joined: true } as const;
  const both = await played([first, unmade], async () => new Response('2', { headers: { 'content-type': '' } }));
  expect(both.difference).toMatchObject({ step: { n: 1 } });
});

test('the request of a step is what came in, with the name of a world that was given by turns', async () => {
  const step = {
    kind: 'control',
    method: 'POST',
    path: '/_mock/worlds',
    headers: { host: 'a.test:1', 'content-length': '2', 'x-own': 'yes' },
  };
  const asked = requestOf({ ...request(1, '/'), ...step, body: '{"from":"seed"}', world: 'one' } as never, {
    id: 'world_7',
    rewound: false,
  });
  const results = [asked.url, asked.method, asked.headers.get('x-own'), asked.headers.get('content-length')];
  expect(results).toEqual(['http://a.test:1/worlds/one/_mock/worlds', 'POST', 'yes', null]);
  expect(await asked.json()).toEqual({ from: 'seed', id: 'world_7' });
  const empty = requestOf({ ...request(1, '/'), ...step, body: '' } as never, { id: 'world_7', rewound: false });
  expect(await empty.json()).toEqual({ id: 'world_7' });
  const read = requestOf({ ...request(1, '/v1/tasks'), method: 'GET', headers: {} } as never, undefined);
  expect([read.url, read.body]).toEqual(['http://mock.local/v1/tasks', null]);
  const size = async (unread: string) =>
    (await requestOf({ ...request(1, '/'), unread } as never, undefined).arrayBuffer()).byteLength;
  expect([await size('too large'), await size('not UTF-8'), await size('too many')]).toEqual([2_097_152, 1, 0]);
});

test('the mock of a replay is closed, whether it differs or not', async () => {
  const close = vi.spyOn(Host.prototype, 'close');
  const mock = await createMock({ record: true });
  mock.create.project({ name: 'One' });
  const repro = await mock.save();
  await replay(repro);
  expect(close).toHaveBeenCalledTimes(1);
  const [step] = repro.steps as [RequestStep];
  const other = { ...step, expect: { ...step.expect!, status: 500 } };
  await expect(replay({ ...repro, steps: [other] })).resolves.toMatchObject({ difference: { where: 'status' } });
  expect(close).toHaveBeenCalledTimes(2);
  close.mockRestore();
  await mock.close();
});

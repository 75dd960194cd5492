// How a file is played: each step when the one before has come to its world, at its time, and what is said of what differs.
import { expect, test, vi } from 'vitest';
import { createMock } from '../../create-mock.ts';
import { replay } from '../../replay.ts';
import { wait } from '../../service/world/time.ts';
import { Host } from '../control/host.ts';
import type { Recording, Tape } from '../control/tape.ts';
import { sha256 } from './file.ts';
import type { CallStep, Repro, Step } from './format.ts';
import { requestOf } from './parts.ts';
import { Player } from './player.ts';

const AT = '2026-04-01T08:00:00.000Z';
const request = (n: number, path: string, more: object = {}): Step =>
  ({ n, at: AT, kind: 'request', method: 'POST', path, headers: { host: 'wm-mock.test' }, body: '{}', ...more }) as Step;
const call = (n: number, name: string, more: object = {}): Step =>
  ({ n, at: AT, kind: 'control', call: name, given: [], ...more }) as Step;
const expected = async (body: string, status = 200) => ({ expect: { status, headers: {}, sha256: await sha256(body), body } });

const fileOf = (steps: readonly Step[]): Repro => ({
  version: 1,
  wm_mock: '',
  release: '1.3',
  signed: true,
  seed: { format: 'json', text: '{}' },
  options: {},
  steps,
});

/** Plays on a mock that is none. @returns what happened, and the difference */
const played = async (
  steps: readonly Step[],
  fetch: (request: Request, tape: Tape) => Promise<Response>,
  members: (diary: string[], tape: Tape, recording: Recording) => object = () => ({}),
  wake: (tape: Tape) => void = () => {},
) => {
  const diary: string[] = [];
  const player = new Player<never>(fileOf(steps), 230);
  await player.begin((async (_: object, recording: Recording) => {
    const tape: Tape = recording.tapeOf('default', undefined as never, () => wake(tape));
    return { app: { fetch: (asked: Request) => fetch(asked, tape) }, close: async () => {}, ...members(diary, tape, recording) };
  }) as never);
  const difference = await player.play();
  return { diary, difference };
};

const READ = (diary: string[]) => async (asked: Request, tape: Tape) => {
  const { pathname } = new URL(asked.url);
  diary.push(`asked ${pathname}`);
  if (pathname === '/slow') await wait(30);
  tape.came('request', asked, undefined);
  diary.push(`read ${pathname}`);
  if (pathname === '/held') await new Promise(() => {});
  return new Response('fine', { headers: {} });
};

test('a step waits until the request before it has come to its world, though not until that is answered', async () => {
  const diary: string[] = [];
  const acts = { faults: { clear: () => void diary.push('cleared') } };
  const steps = [request(1, '/slow'), call(2, 'faults.clear'), request(3, '/held', { late: true }), request(4, '/next')];
  const { difference } = await played(steps, READ(diary), () => acts);
  expect(diary).toEqual(['asked /slow', 'read /slow', 'cleared', 'asked /held', 'read /held', 'asked /next', 'read /next']);
  expect(difference).toBeUndefined();
});

test('calls that came together are made together, others when all has followed', async () => {
  const act = (diary: string[]) => (name: string) => () => {
    diary.push(name);
    let follows = Promise.resolve();
    for (let i = 0; i < 20; i++) follows = follows.then(() => {});
    void follows.then(() => diary.push(`${name} followed`));
  };
  const steps = [call(1, 'one'), call(2, 'two', { joined: true }), call(3, 'three')];
  const { diary } = await played(
    steps,
    async () => new Response(),
    (all) => Object.fromEntries(['one', 'two', 'three'].map((name) => [name, act(all)(name)])),
  );
  expect(diary.slice(0, 5)).toEqual(['one', 'two', 'one followed', 'two followed', 'three']);
});

test('a world that was only read is woken when something goes on in it', async () => {
  const went: string[] = [];
  const clock: Step = { n: 1, at: AT, kind: 'clock', wait: 1 };
  const wake = (tape: Tape) => void tape.time.after(1000, () => went.push(new Date(tape.time.now()).toISOString()));
  expect((await played([clock], async () => new Response(), undefined, wake)).difference).toBeUndefined();
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
  const first = call(1, 'one', await expected('1'));
  const unmade = { n: 2, at: AT, kind: 'clock', wait: 1, joined: true } as const;
  const both = await played(
    [first, unmade],
    async () => new Response(),
    () => ({ one: () => 2 }),
  );
  expect(both.difference).toMatchObject({ step: { n: 1 }, expected: '1', got: '2' });
});

test('what a call throws, at once or later, is what is compared', async () => {
  const threw = async (name: string) => call(1, name, await expected('refused', 500));
  const members = () => ({
    one: () => {
      throw new Error('refused');
    },
    two: { three: async () => Promise.reject(new Error('refused')) },
  });
  for (const name of ['one', 'two.three'])
    expect((await played([await threw(name)], async () => new Response(), members)).difference).toBeUndefined();
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
  expect([asked.url, asked.method, asked.headers.get('x-own'), asked.headers.get('content-length')]).toEqual([
    'http://a.test:1/worlds/one/_mock/worlds',
    'POST',
    'yes',
    null,
  ]);
  expect(await asked.json()).toEqual({ from: 'seed', id: 'world_7' });
  const empty = requestOf({ ...request(1, '/'), ...step, body: '' } as never, { id: 'world_7', rewound: false });
  expect(await empty.json()).toEqual({ id: 'world_7' });
  const edit = requestOf({ ...request(1, '/'), ...step, kind: 'edit', body: 'do=createWorld&id=' } as never, {
    id: 'world_7',
    rewound: false,
  });
  expect(await edit.text()).toBe('do=createWorld&id=world_7');
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
  const [step] = repro.steps as [CallStep];
  const other = { ...step, expect: { ...step.expect!, status: 500 } };
  await expect(replay({ ...repro, steps: [other] })).resolves.toMatchObject({ difference: { where: 'status' } });
  expect(close).toHaveBeenCalledTimes(2);
  close.mockRestore();
  await mock.close();
});

// Calls of a program are checked as the control API checks them, and refused in the words of the program.
import { describe, expect, test } from 'vitest';
import { createMock } from '../../create-mock.ts';
import type { Problem } from '../../service/contract/errors.ts';
import { RELEASE_NAMES } from '../../service/contract/releases.ts';
import { keep } from '../../test/closing.ts';
import { ask } from '../../test/sending.ts';
import type { Mock } from '../api/mock.ts';

const start = async (): Promise<Mock> => keep(await createMock({ now: '2025-01-20T09:00:00Z' }));
const overHttp = async (mock: Mock, method: string, path: string, body: unknown): Promise<number> =>
  (await ask(mock, method, `/_mock${path}`, JSON.stringify(body))).status;
const thrown = (act: () => unknown): Problem => {
  try {
    act();
  } catch (error) {
    return error as Problem;
  }
  throw new Error('nothing was thrown');
};

describe('a fault', () => {
  test.each<[unknown, string[]]>([
    [{}, ['effect']],
    [null, ['body']],
    ['slow', ['body']],
    [{ effect: {} }, ['effect']],
    [{ effect: { status: 204 } }, ['effect.status']],
    [{ effect: { delay_ms: { min: 2, max: 1 } } }, ['effect.delay_ms']],
    [{ effect: { abort: true, status: 500 } }, ['effect.abort']],
    [{ effect: { status: 500 }, times: 0, probability: 2, after: -1 }, ['times', 'probability', 'after']],
    [{ effect: { status: 500 }, probability: Number.NaN }, ['probability']],
    [{ effect: { status: 99 } }, ['effect.status']],
    [{ effect: { status: '500' } }, ['effect.status']],
    [{ effect: { body: 'rotten' } }, ['effect.body']],
    [{ effect: { delay_ms: -1 } }, ['effect.delay_ms']],
    [{ effect: { status: 500 }, match: { operation: 'listTask', route: '/' } }, ['match.operation', 'match.route']],
    [{ effect: { status: 500 }, match: { method: 'GRAB' } }, ['match.method']],
    [{ effect: { status: 500 }, match: { key: 'wm_nobody' } }, ['match.key']],
    [{ effect: { status: 500, colour: 'red' }, often: 2 }, ['effect.colour', 'often']],
  ])('%j is refused, each field named as over HTTP', async (draft, fields) => {
    const mock = await start();
    const problem = thrown(() => mock.faults.add(draft as never));
    expect(problem).toMatchObject({ name: 'Problem', status: 422 });
    expect(problem.fields.map(({ field }) => field).sort()).toEqual(fields.sort());
    const issues = problem.fields.map(({ field, issue }) => (field === 'body' ? issue : `${field}: ${issue}`));
    for (const words of issues) expect(problem.message).toContain(words);
    expect(problem.message).toMatch(/^faults\.add is refused: .*\. The types of wm-mock say what it takes\.$/);
    expect(mock.faults.list()).toEqual([]);
    expect([400, 422]).toContain(await overHttp(mock, 'POST', '/faults', draft));
  });

  test('for an operation or a method that there is not does not compile', async () => {
    const { faults } = await start();
    // @ts-expect-error: there is no such operation
    expect(() => faults.add({ match: { operation: 'listTask' }, effect: { status: 500 } })).toThrow('match.operation');
    // @ts-expect-error: methods are written in capitals
    expect(() => faults.add({ match: { method: 'get' }, effect: { status: 500 } })).toThrow('match.method');
  });

  test('is ordered whatever fields are given as undefined', async () => {
    const mock = await start();
    const draft = { match: { operation: undefined, method: 'GET' }, effect: { status: 503, body: undefined }, times: undefined };
    expect(mock.faults.add(draft as never)).toMatchObject({ match: { method: 'GET' }, effect: { status: 503 } });
    expect((await mock.fetch('/tasks')).status).toBe(503);
  });
});

test.each<[unknown, string[]]>([
  [{ id: 'a b/..' }, ['id']],
  [{ id: '' }, ['id']],
  [{ id: '-one' }, ['id']],
  [{ id: 'a'.repeat(65) }, ['id']],
  [{ from: 'zz' }, ['from']],
  [{ mintKeys: 'yes' }, ['mintKeys']],
  [{ mint_keys: true }, ['mint_keys']],
  [null, ['body']],
])('a fork with %j is refused', async (options, fields) => {
  const mock = await start();
  const problem = thrown(() => mock.fork(options as never));
  expect([problem.status, problem.fields.map(({ field }) => field)]).toEqual([422, fields]);
  expect(problem.message).toMatch(/^fork is refused: /);
  expect(mock.fork({ id: 'a'.repeat(64), from: undefined } as never).id).toHaveLength(64);
  // A refused fork uses up no id.
  expect(mock.fork().id).toBe('world_1');
});

test('the clock is set by what the control API takes, and says what it refuses', async () => {
  const { clock } = await start();
  const { now } = clock;
  const modes = thrown(() => clock.set('2025-02-01T00:00:00Z', 'slow' as never));
  expect(modes.message).toBe(
    'clock.set is refused: mode: must be one of running, frozen, got "slow". The types of wm-mock say what it takes.',
  );
  expect(thrown(() => clock.set('soon')).message).toMatch(
    /^clock\.set is refused: now: must be an ISO 8601 datetime with its time zone, .*, got "soon"/,
  );
  expect(thrown(() => clock.freeze({} as never)).message).toMatch(/^clock\.freeze is refused: now: must be /);
  expect(thrown(() => clock.set(undefined as never)).message).toMatch(
    /^clock\.set is refused: what it is given must be an object with one of now, mode, got {}/,
  );
  expect([clock.now, clock.mode]).toEqual([now, 'frozen']);
  await expect(clock.advance(1e15)).rejects.toThrow('clock.advance is refused: by: must not lead beyond the year 9999.');
});

test('open points and releases are refused by name, with no word of HTTP', async () => {
  const mock = await start();
  const messages = [
    () => mock.choose({ a: 1 }),
    () => mock.choose({ signature: 'none' }),
    () => mock.choose(null as never),
    () => mock.become('9' as never),
    () => mock.become(undefined as never),
    () => mock.moveAhead('colours'),
  ].map((act) => thrown(act).message.replace(/ The types of wm-mock say what it takes\.$/, ''));
  expect(messages).toEqual([
    'choose is refused: a: must be one of the open points of `wm-mock choices`, got "a".',
    expect.stringMatching(/^choose is refused: signature: must be one of .*hex.*, got "none"\.$/),
    'choose is refused: what it is given must be an object, got null.',
    `become is refused: release: must be one of ${RELEASE_NAMES.join(', ')}.`,
    `become is refused: release: must be one of ${RELEASE_NAMES.join(', ')}.`,
    expect.stringMatching(/^moveAhead is refused: forward_compat: must be all, none or any of fields/),
  ]);
  const taken = { status: 409, message: expect.stringContaining('choose another id') };
  expect(thrown(() => mock.fork({ id: 'default' }))).toMatchObject(taken);
});

// Recent steps alone: within how much memory, from where they start, and that they are repeated to the byte.
import { expect, test } from 'vitest';
import { createMock } from '../../create-mock.ts';
import { replay } from '../../replay.ts';
import { keep } from '../../test/closing.ts';
import { send, session, sessionsOf } from '../../test/sessions.ts';
import type { MemoryLimit } from '../control/recorder.ts';
import { Recorder } from './record.ts';

/** Its memory is smaller than any host has. */
class SmallRecorder extends Recorder {
  readonly #limit: number;

  constructor(limit: number) {
    super('', true);
    this.#limit = limit;
  }

  override bound({ add }: MemoryLimit): void {
    this.keepRecent({ limit: this.#limit, add });
  }
}

const { seeds, steps } = sessionsOf('6x60');

test.each(seeds)(
  'session %i of chance, whose early steps were dropped, is repeated to the byte and tells no secret',
  async (seed) => {
    const { repro, others } = await session(seed, steps, new SmallRecorder(1_000_000 * (1 + (seed % 4))));
    for (const one of repro ? [repro, ...others] : others) {
      const text = JSON.stringify(one);
      expect(text).not.toMatch(/given-(key|token|secret|in)|real-secret-of/);
      expect((await replay(text)).difference).toBeUndefined();
    }
  },
  60_000,
);

const NOW = '2026-04-01T08:00:00Z';
const start = async (limit = 1_000_000) =>
  keep(
    await createMock(
      { now: NOW, plan: 'unlimited', sender: async () => ({ kind: 'timeout', error: 'late', took: 1 }) },
      new SmallRecorder(limit),
    ),
  );

test('a file without its early steps starts from data, deliveries, snapshots and the seed of a reset as they were', async () => {
  const mock = await start();
  mock.create.webhook({ url: 'http://127.0.0.1:9/hook', events: ['project.created'], secret: 'given-secret' });
  await send(mock, 'POST', '/projects', { name: 'Kept' });
  const snapshot = mock.snapshot();
  await mock.clock.advance('1m');
  for (let i = 0; i < 40; i++) await send(mock, 'GET', '/projects');
  const early = await mock.save();
  expect([early.dropped! > 0, early.steps[0]!.n > 5]).toEqual([true, true]);
  await mock.clock.advance('1h');
  await send(mock, 'GET', '/projects');
  snapshot.restore();
  await send(mock, 'GET', '/projects');
  mock.reset();
  await send(mock, 'GET', '/projects');
  const { start: from, ...late } = await mock.save();
  expect(from!.snapshots).toEqual(['snap_1']);
  expect(JSON.stringify({ from, late })).not.toContain('given-secret');
  expect((await replay({ ...late, start: from! })).difference).toBeUndefined();
});

test('steps keep their numbers when earlier ones are dropped, and a dropped one is refused with those there are', async () => {
  const mock = await start();
  await send(mock, 'POST', '/projects', { name: 'Early' });
  for (let i = 0; i < 40; i++) await send(mock, 'GET', '/projects');
  await send(mock, 'POST', '/projects', { name: 'Late' });
  const { n } = (await mock.save()).steps.at(-1)!;
  expect([n, mock.timeline.at(-1)!.step, mock.timeline[0]!.step]).toEqual([42, 42, undefined]);
  const before = await mock.rewind(n, { before: true });
  expect(
    before.read
      .projects()
      .map(({ name }) => name)
      .slice(-1),
  ).toEqual(['Early']);
  await expect(mock.rewind(1)).rejects.toThrow(/The recording of this world has \d+ steps/);
});

test('the steps of worlds that never come to rest are dropped, and recording begins again once they do', async () => {
  const mock = await start(400_000);
  const { id } = mock.faults.add({ match: { path: '/users/me' }, effect: { hold: true } });
  const request = send(mock, 'GET', '/users/me');
  for (let i = 0; i < 30; i++) await send(mock, 'GET', '/projects');
  await expect(mock.save()).rejects.toThrow('More came in than a recording keeps.');
  mock.faults.release(id);
  await request;
  for (let i = 0; i < 3; i++) await send(mock, 'GET', '/projects');
  const repro = await mock.save();
  expect([repro.steps.length, (await replay(repro)).difference]).toEqual([3, undefined]);
});

test('recent steps stay within the memory of the host', async () => {
  const mock = keep(await createMock({ record: 'recent', memory: 8, plan: 'unlimited', now: NOW }));
  const journal: number[] = [];
  const health = await mock.app.request('http://127.0.0.1/_mock/health');
  const { used } = (await health.json()).memory;
  for (let i = 0; i < 400; i++) {
    await send(mock, 'POST', '/projects', { name: `${i} ${'x'.repeat(150)}` });
    if (i % 50 === 0) journal.push((await (await mock.app.request('http://127.0.0.1/_mock/health')).json()).memory.used - used);
  }
  expect(Math.max(...journal)).toBeLessThan(8_000_000);
  const { dropped = 0, steps: kept } = await mock.save();
  expect([dropped > 200, dropped + kept.length]).toEqual([true, 400]);
});

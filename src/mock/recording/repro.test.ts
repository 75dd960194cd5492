// What is recorded is repeated to the byte: sessions of requests, calls, time, faults, receivers that fail, edits and forks.
import { describe, expect, test } from 'vitest';
import { createMock } from '../../create-mock.ts';
import { replay } from '../../replay.ts';
import { control, send, session, sessionsOf } from '../../test/sessions.ts';
import type { Mock } from '../api/mock.ts';
import type { RequestStep } from './steps.ts';

const { seeds: SEEDS, steps: STEPS } = sessionsOf('4x60');

describe('a repro file', async () => {
  const keys = (await createMock({ seed: 'demo' })).keys.map(({ value }) => value);
  test.each(SEEDS)(
    'of session %i holds no key or secret of whoever saved it, and is repeated to the byte',
    async (seed) => {
      const { repro, others } = await session(seed, STEPS);
      expect(repro.steps.length).toBeGreaterThan(STEPS / 2);
      for (const one of [repro, ...others]) {
        const text = JSON.stringify(one);
        expect(text).not.toMatch(/given-(key|token|secret|in)|real-secret-of-a-person/);
        for (const key of keys) expect(text).not.toContain(key);
        const { difference } = await replay(text);
        expect(difference).toBeUndefined();
      }
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
    await mock.close();
  });

  test('leads back to any step, with the keys and the journal of then, and on from there', async () => {
    const mock = await createMock({ record: true, now: '2026-04-01T08:00:00Z' });
    for (const name of ['One', 'Two', 'Three']) await send(mock, 'POST', '/projects', { name });
    await mock.clock.advance('1h');
    const names = (world: Mock) => world.read.projects().map(({ name }) => name);
    const [after, before] = [await mock.rewind(2), await mock.rewind(2, { before: true, id: 'before' })];
    expect([names(after).slice(-2), names(before).at(-1), before.id]).toEqual([['One', 'Two'], 'One', 'before']);
    const clocks = [after, mock].map((world) => world.clock.now);
    expect([after.requests.length, ...clocks]).toEqual([2, '2026-04-01T08:00:00.000Z', '2026-04-01T09:00:00.000Z']);
    await send(after, 'POST', '/projects', { name: 'What if' });
    expect([names(after).at(-1), names(mock).at(-1)]).toEqual(['What if', 'Three']);
    const made = await control(mock, 'POST', '/worlds', { at: 1, id: 'over-http' });
    expect([made.status, names(mock.fork()).length - 3]).toEqual([201, names(await mock.rewind(1, { before: true })).length]);
    const { length } = (await mock.save()).steps;
    for (const at of [0, -1, 1.5, Number.NaN, length + 1])
      await expect(mock.rewind(at)).rejects.toMatchObject({
        status: 422,
        message: expect.stringContaining(`The recording of this world has ${length} steps.`),
        fields: [{ field: 'at', issue: `must be a step from 1 to ${length}, got ${at}` }],
      });
    expect(names(await mock.rewind(length)).at(-1)).toBe('Three');
    expect((await control(mock, 'POST', '/worlds', { at: 1, from: 'seed' })).status).toBe(422);
    for (const path of ['/users/me', '/dashboard/clock', '/users/me']) {
      mock.clock.set(path === '/users/me' ? '2026-04-01T09:00:10Z' : '2026-04-01T09:00:00Z');
      await send(mock, 'GET', path);
    }
    const marked = `\ufeff${JSON.stringify(await mock.save())}`;
    expect((await replay(marked)).difference).toBeUndefined();
    await mock.close();
  });

  test('is refused when it is none', async () => {
    for (const [text, why] of [
      ['<html>', 'it must be valid JSON'],
      ['{"version":1,"version":1}', 'it must have each key once'],
      [`{"version":1,"steps":${'['.repeat(200)}`, 'it must have at most 100 levels'],
      ['{"version":2}', 'its version is 2, and 1 is known'],
      ['null', 'its version is undefined, and 1 is known'],
      ['{"version":1}', 'release: expected a string, got nothing'],
    ])
      await expect(replay(text!)).rejects.toThrow(
        `replay: expected a repro file, as mock.save() writes it: ${why}. Save it anew, or mend that. docs/replay.md of wm-mock says more.`,
      );
    const plain = await createMock();
    await expect(plain.save()).rejects.toThrow(/^Nothing was recorded, .* createMock\(\{ record: true \}\)/);
  });

  test('of a fork begins with what it comes from, and holds it and those made of it alone', async () => {
    const mock = await createMock({ record: true });
    const [one, other] = [mock.fork({ id: 'one', mintKeys: true }), mock.fork({ id: 'other' })];
    await send(one, 'POST', '/projects', { name: 'In one' });
    await send(other, 'POST', '/projects', { name: 'In other' });
    const inner = one.fork({ id: 'inner', mintKeys: true });
    await send(inner, 'GET', '/projects');
    const repro = await one.save();
    expect(repro.world).toBe('one');
    const asked = repro.steps.filter(({ kind }) => kind === 'control' || kind === 'request');
    const results = asked.map(({ kind, world }) => [kind, world]);
    expect(results).toEqual([
      ['control', undefined],
      ['request', 'one'],
      ['control', 'one'],
      ['request', 'inner'],
    ]);
    expect((await replay(repro)).difference).toBeUndefined();
    await mock.close();
  });
});

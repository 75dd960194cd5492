// Faults without a browser: presets, faults of one's own, hits, and answers that are held.
import { describe, expect, test } from 'vitest';
import { type DashboardBench, dashboards } from '../../test/dashboard.ts';

const start = dashboards();
const PAGE = '/dashboard/faults';
const ask = ({ mock }: DashboardBench, path = '/tasks') => mock.fetch(path, { headers: mock.auth('read') });
const EMPTY = {
  'match.operation': '',
  'match.method': '',
  'match.path': '',
  'match.key': '',
  'effect.status': '',
  'effect.delay_ms': '',
  'effect.body': '',
  'effect.end': '',
  times: '',
  after: '',
  probability: '',
};

describe('a preset', () => {
  test('429 storm answers 429', async () => {
    const bench = await start();
    const { text } = await bench.act(PAGE, { do: 'preset', preset: 'storm' });
    expect((await ask(bench)).status).toBe(429);
    expect(text).toContain('429 storm is on, as fault_1.');
    expect((await bench.get(PAGE)).text).toContain('<span class="strong">1</span> <span class="muted">of 1</span>');
  });

  test('offline closes connections', async () => {
    const bench = await start();
    await bench.act(PAGE, { do: 'preset', preset: 'offline' });
    await expect(ask(bench)).rejects.toThrow('closed the connection');
  });

  test('flaky strikes some, by the seed of the world', async () => {
    const bench = await start();
    await bench.act(PAGE, { do: 'preset', preset: 'flaky' });
    const statuses = await Promise.all(Array.from({ length: 40 }, async () => (await ask(bench)).status));
    expect(new Set(statuses)).toEqual(new Set([200, 503]));
  });

  test('slow delays', async () => {
    const bench = await start();
    await bench.act(PAGE, { do: 'preset', preset: 'slow' });
    expect(bench.mock.faults.list()[0]!.effect).toEqual({ delay_ms: { min: 1000, max: 3000 } });
  });

  test('that is none is refused', async () => {
    const bench = await start();
    const { status } = await bench.post(PAGE, { do: 'preset', preset: 'constructor' });
    expect(status).toBeGreaterThanOrEqual(400);
    expect(bench.mock.faults.list()).toEqual([]);
  });
});

describe('a fault of one’s own', () => {
  test('is ordered as the control API orders it', async () => {
    const bench = await start();
    await bench.act(PAGE, {
      ...EMPTY,
      do: 'order',
      'match.operation': 'listTasks',
      'match.path': '/tasks*',
      'effect.status': '503',
      'effect.delay_ms': '1 - 2',
      times: '1',
      after: '1',
      probability: '100',
    });
    expect(bench.mock.faults.list()).toMatchObject([
      {
        match: { operation: 'listTasks', path: '/tasks*' },
        effect: { status: 503, delay_ms: { min: 1, max: 2 } },
        times: 1,
        after: 1,
        probability: 1,
      },
    ]);
    const statuses: number[] = [];
    for (let i = 0; i < 3; i++) statuses.push((await ask(bench)).status);
    expect(statuses).toEqual([200, 503, 200]);
    expect((await bench.get(PAGE)).text).toContain('used up');
  });

  test.each([
    [{ 'effect.delay_ms': 'soon' }, 'effect.delay_ms'],
    [{ 'effect.delay_ms': '9-1' }, 'effect.delay_ms'],
    [{ 'effect.status': '503', times: '0' }, 'times'],
    [{ 'effect.status': '503', times: 'x' }, 'times'],
    [{ 'effect.status': '503', probability: '101' }, 'probability'],
    [{ 'effect.status': '503', 'match.key': 'nobody' }, 'match.key'],
    [{ 'effect.status': '200' }, 'effect.status'],
  ])('with %j is refused at its field, and what was typed stays', async (typed, field) => {
    const bench = await start();
    const { status, text } = await bench.post(PAGE, { ...EMPTY, do: 'order', ...(typed as Record<string, string>) });
    expect(status).toBeGreaterThanOrEqual(400);
    expect(text).toContain(`id="order-${field}-issue"`);
    expect(bench.mock.faults.list()).toEqual([]);
  });

  test('that does nothing is refused', async () => {
    const bench = await start();
    const { status, text } = await bench.post(PAGE, { ...EMPTY, do: 'order' });
    expect(status).toBeGreaterThanOrEqual(400);
    expect(text).toContain('Nothing was changed.');
  });

  test('begins with what the address says', async () => {
    const bench = await start();
    const { text } = await bench.get(`${PAGE}?operation=createTask&status=503&times=1`);
    expect(text).toContain('<option value="createTask" selected');
    expect(text).toContain('<option value="503" selected');
    expect(text).toMatch(/name="times"[^>]*value="1"/);
  });

  test('holds answers until it is released', async () => {
    const bench = await start();
    await bench.act(PAGE, { ...EMPTY, do: 'order', 'effect.end': 'hold' });
    const waiting = ask(bench);
    let answered = false;
    void waiting.then(() => {
      answered = true;
    });
    await new Promise((done) => setTimeout(done, 0));
    expect((await bench.get(PAGE)).text).toMatch(/<td class="number">1<\/td>/);
    expect(answered).toBe(false);
    expect((await bench.act(PAGE, { do: 'release', id: 'fault_1' })).text).toContain('has let go of 1 answer');
    expect((await waiting).status).toBe(200);
  });

  test('is removed, alone or with all', async () => {
    const bench = await start();
    for (const preset of ['storm', 'flaky', 'slow']) await bench.act(PAGE, { do: 'preset', preset });
    await bench.act(PAGE, { do: 'remove', id: 'fault_2' });
    expect(bench.mock.faults.list().map(({ id }) => id)).toEqual(['fault_1', 'fault_3']);
    expect((await bench.post(PAGE, { do: 'remove', id: 'fault_2' })).status).toBe(404);
    await bench.act(PAGE, { do: 'removeAll' });
    expect(bench.mock.faults.list()).toEqual([]);
    expect((await bench.get(PAGE)).text).toContain('Everything works');
  });
});

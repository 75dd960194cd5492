// Rules of single pages without a browser: what is exported, chosen, due, told and named.
import { expect, test } from 'vitest';
import { ACKNOWLEDGED, type DashboardBench, DEMO_AT, startDashboard as start } from '../../test/dashboard.ts';
import { linesOf, mainOf } from '../../test/reading.ts';
import { ask } from '../../test/sending.ts';

test('the overview exports the state as a seed that gives the same mock', async () => {
  const { get, act } = await start();
  await act('/dashboard/data/projects', { do: 'create', name: 'Made here' });
  const { text } = await get('/');
  const [yaml, json] = [...text.matchAll(/href="(\/_mock\/state[^"]*)"/g)].map(([, to]) => to!.replaceAll('&amp;', '&'));
  expect((await get(yaml!)).text).toContain('name: Made here');
  const again = await start({ seed: JSON.parse((await get(json!)).text) });
  expect((await again.get('/dashboard/data/projects')).text).toContain('Made here');
});

const linesAt = async ({ get }: DashboardBench, path: string) => linesOf(mainOf((await get(path)).text));

test('the settings show a service that is ahead by all kinds of change', async () => {
  const { act } = await start();
  const { text } = await act('/dashboard/settings', { do: 'setRelease', release: '1.3', forward_compat: 'all' });
  expect(text).toContain('<option value="all" selected="">');
});

test('the clock tells a first attempt from a retry', async () => {
  const bench = await start({ ...DEMO_AT, sender: () => new Promise(() => {}) });
  await ask(bench.mock, 'POST', '/projects', { name: 'P' });
  expect((await linesAt(bench, '/dashboard/clock')).join(' ')).toMatch(/ \| First attempt \| \([^)]*\) project\.created \| /);
});

test('a request shows its own events alone, and texts that were emptied', async () => {
  const bench = await start(ACKNOWLEDGED);
  const patch = (task: string, body: object) => ask(bench.mock, 'PATCH', `/tasks/${task}`, body);
  await patch('task_launch_date', { description: 'Said' });
  await patch('task_launch_name', { title: 'B' });
  await bench.mock.clock.advance('1m');
  await patch('task_launch_date', { description: '' });
  await bench.mock.webhooks.settled();
  for (const id of ['req_1', 'req_2', 'req_3']) {
    const lines = await linesAt(bench, `/dashboard/requests/${id}`);
    expect(lines.filter((line) => / task\.updated /.test(line))).toHaveLength(2);
  }
  expect((await linesAt(bench, '/dashboard/requests/req_3')).join(' ')).toContain('was Said | is (empty)');
});

// Open points without a browser: switching an answer, the way back to the defaults, and the marks of the traffic.
import { describe, expect, test } from 'vitest';
import { CHOICES } from '../../contract/choices.ts';
import { type DashboardBench, dashboards, stirred } from '../../test/dashboard.ts';

const start = dashboards();
const PAGE = '/dashboard/choices';
const pointsIn = (text: string): string[] => [...text.matchAll(/id="point-([\w-]+)"/g)].map(([, name]) => name!);

describe('the page', () => {
  test('has each open point with each of its answers', async () => {
    const { get } = await start();
    const { text } = await get(PAGE);
    expect(pointsIn(text).sort()).toEqual(Object.keys(CHOICES).sort());
    for (const { options } of Object.values(CHOICES))
      for (const answer of Object.keys(options)) expect(text).toContain(`name="answer" value="${answer}"`);
  });

  test('switches an answer, which the service then gives', async () => {
    const { act, mock, get } = await start();
    const { to, text } = await act(PAGE, { do: 'answer', name: 'owner-field', answer: 'owner_id' });
    expect(to).toMatch(/^\/dashboard\/choices\?note=\d+#point-owner-field$/);
    expect(text).toContain('not the default');
    const answer = await mock.fetch('/projects?limit=1', { headers: mock.auth('read') });
    expect(((await answer.json()) as { items: object[] }).items[0]).toHaveProperty('owner_id');
    expect(pointsIn((await get(`${PAGE}?show=changed`)).text)).toEqual(['owner-field']);
  });

  test('goes back to the defaults', async () => {
    const { act, mock } = await start();
    mock.choose({ 'owner-field': 'owner_id', signature: 'github' });
    await act(PAGE, { do: 'defaults' });
    expect([mock.choices['owner-field'], mock.choices.signature]).toEqual(['absent', 'hex']);
    await act(PAGE, { do: 'defaults' });
  });

  test.each([
    ['nothing', 'x'],
    ['owner-field', 'x'],
    ['__proto__', 'x'],
    ['', ''],
  ])('refuses to answer %j with %j', async (name, answer) => {
    const { post, mock } = await start();
    const before = mock.choices;
    const { status } = await post(PAGE, { do: 'answer', name, answer });
    expect(status).toBeGreaterThanOrEqual(400);
    expect(mock.choices).toEqual(before);
  });

  test('finds points by their words', async () => {
    const { get } = await start();
    expect(pointsIn((await get(`${PAGE}?find=Retry-After`)).text)).toEqual(['retry-after']);
    expect((await get(`${PAGE}?find=%3Cimg%3E`)).text).toContain('No open point fits');
  });
});

describe('marks', () => {
  const touched = async ({ get }: DashboardBench) => pointsIn((await get(`${PAGE}?show=touched`)).text);
  const ask = ({ mock }: DashboardBench, path: string) => mock.fetch(path, { headers: mock.auth('read') });

  test('are none before anybody asks', async () => {
    const bench = await start();
    expect(await touched(bench)).toEqual([]);
    expect((await bench.get(`${PAGE}?show=touched`)).text).toContain('Nothing touched yet');
  });

  test.each([
    ['/tasks?limit=500', 'limit-above-100', '/tasks?limit=100'],
    ['/tasks?limit=0', 'limit-below-1', '/tasks?limit=1'],
    ['/tasks?filter[colour]=red', 'unknown-filter', '/tasks?filter[status]=todo'],
    ['/tasks?page=2', 'page-and-offset', '/tasks?limit=2'],
    ['/tasks?cursor=abc', 'broken-cursor', '/tasks'],
    ['/tasks?sort=-due_date', 'null-due-date', '/tasks?sort=title'],
    ['/tasks/nowhere', 'not-found-code', '/tasks/task_launch_name'],
    ['/tasks', 'default-order', '/tasks?sort=title'],
  ])('of %s name %s, those of %3$s do not', async (path, point, other) => {
    const bench = await start();
    await ask(bench, other);
    expect(await touched(bench)).not.toContain(point);
    await ask(bench, path);
    expect(await touched(bench)).toContain(point);
  });

  test('count requests and deliveries and lead to the last', async () => {
    const bench = await start();
    await stirred(bench.mock);
    const { text } = await bench.get(PAGE);
    expect(text).toMatch(/touched by 6 deliveries/);
    expect(text).toContain('href="/dashboard/requests/req_8" title="The last was req_8"');
    const all = await touched(bench);
    expect(all).toEqual(expect.arrayContaining(['signature', 'retry-counted-from', 'task-snapshot', 'www-authenticate']));
    expect(all).not.toContain('member-snapshot');
  });
});

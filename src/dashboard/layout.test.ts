// The frame of every page: navigation, worlds, theme, the bar of clock and limits, notes.
import { describe, expect, test } from 'vitest';
import { type Answer, DEMO_AT, dashboards, stirred } from '../test/dashboard.ts';
import { golden } from '../test/golden.ts';
import { frameOf, outline, partsOf } from '../test/outline.ts';
import { PAGES } from './pages.ts';

const sender = async () => ({ kind: 'response', status: 204, took: 0 }) as const;
const start = dashboards((options = {}) => ({ ...DEMO_AT, sender, ...options }));
const frame = (answer: Answer): string => outline(frameOf(answer.text));

describe('The frame', () => {
  test('has the navigation, the world, the theme and the bar of the clock', async () => {
    const { get } = await start();
    golden('dashboard/frame', frame(await get('/?a=b&note=9')));
  });

  test('marks the page that is open, which may lie below one of the navigation', async () => {
    const { get } = await start();
    for (const [path, label] of [
      ['/', 'Overview'],
      ['/dashboard/data/teams', 'Data'],
      ['/dashboard/webhooks', 'Webhooks'],
      ['/dashboard/webhooks/deliveries', 'Webhooks'],
      ['/dashboard/webhooks/inbox', 'Webhooks'],
      ['/dashboard/settings', 'Settings'],
    ] as const) {
      const marked = partsOf(frame(await get(path)), /^ *a .*data-key=/).filter((link) => link.includes('aria-current="page"'));
      expect([path, ...marked.map((link) => /"(\w+)"$/.exec(link)?.[1])]).toEqual([path, label]);
    }
  });

  test('tells what each page is live for', async () => {
    const { get, mock } = await start();
    await stirred(mock);
    const kinds: string[] = [];
    for (const { id, examples } of PAGES) {
      const [path] = Object.values(examples);
      const { text, status } = await get(path!);
      kinds.push(`${id} ${status} ${/<title>.*<\/title>/.exec(text)?.[0]} ${/data-kinds="[^"]*"/.exec(text)?.[0]}`);
    }
    golden('dashboard/frame-kinds', kinds.join('\n'));
  });

  test('in another world with a running clock, a dark theme, used limits and a token', async () => {
    const { get, mock } = await start({ controlToken: 'secret' });
    for (let i = 1; i <= 14; i++) mock.fork({ id: `world-${i}` });
    const at = (path: string, body: object) =>
      mock.app.fetch(
        new Request(`http://127.0.0.1:4700/worlds/world-2${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: 'Bearer secret' },
          body: JSON.stringify(body),
        }),
      );
    await at('/_mock/webhooks/wh_hooks/simulate', { outcomes: [500] });
    const headers = { authorization: 'Bearer wm_acme_admin', 'content-type': 'application/json' };
    await mock.app.fetch(
      new Request('http://127.0.0.1:4700/worlds/world-2/v1/projects', { method: 'POST', headers, body: '{"name":"Told"}' }),
    );
    await at('/_mock/clock/advance', { by: '1s' });
    const cookie = 'wm_mock_theme=dark; wm_mock_token_4700=secret';
    const answer = await get('/worlds/world-2/dashboard/faults?a=b', { cookie });
    expect(answer.status).toBe(200);
    golden('dashboard/frame-of-a-world', frame(answer));
    golden(
      'dashboard/frame-worlds',
      partsOf(frame(await get('/', { cookie: `${cookie}; wm_mock_theme=light` })), /details class="menu/).join(),
    );
  });

  test('of a running clock lets the script count on', async () => {
    const { get, act } = await start();
    await act('/dashboard/clock', { do: 'run', back: '/' });
    const { text } = await get('/dashboard/clock');
    const clocks = [...text.matchAll(/<time [^>]*data-clock="(\d+)"[^>]*>([^<]*)</g)];
    expect(clocks).toHaveLength(2);
    for (const [whole, at, shown] of clocks) {
      expect(whole).toContain(`datetime="${new Date(Number(at)).toISOString()}"`);
      expect(shown).toBe(new Date(Number(at)).toISOString().replace('T', ' ').slice(0, 19));
    }
    golden(
      'dashboard/frame-running',
      partsOf(frame({ text, status: 200, headers: new Headers() }), /form .*class="mode"|span class="chip good"/).join('\n'),
    );
  });

  test('shows what is left in two workspaces, and counts the others', async () => {
    const workspaces = Array.from({ length: 5 }, (_, i) => ({
      id: `ws_${i}`,
      name: `Workspace ${i}`,
      users: [{ id: `user_${i}`, name: 'Ann' }],
      api_keys: [{ value: `wm_${i}`, scope: 'read', user_id: `user_${i}` }],
    }));
    const { get, mock } = await start({ seed: { workspaces } });
    await mock.app.fetch(
      new Request('http://127.0.0.1:4700/_mock/workspaces/ws_0', {
        method: 'PATCH',
        headers: { 'content-type': 'application/json' },
        body: '{"plan":10}',
      }),
    );
    const bars: string[] = [];
    for (const used of [0, 1, 7, 1, 1]) {
      for (let i = 0; i < used; i++) await mock.fetch('/tasks', { headers: { authorization: 'Bearer wm_0' } });
      bars.push(...partsOf(frame(await get('/')), /div class="quotas"/));
    }
    golden('dashboard/frame-quotas', bars.join('\n\n'));
  });

  test.each([1, 2, 3])('of a mock with %d workspaces', async (count) => {
    const workspaces = Array.from({ length: count }, (_, i) => ({
      id: `ws_${i}`,
      name: 'A',
      users: [{ id: `user_${i}`, name: 'Ann' }],
      api_keys: [{ value: `wm_${i}`, scope: 'read', user_id: `user_${i}` }],
    }));
    const { get } = await start({ seed: { workspaces } });
    const { text } = await get('/');
    expect([
      partsOf(frame({ text, status: 200, headers: new Headers() }), /class="quota"/).length,
      text.includes('more workspaces'),
    ]).toEqual([Math.min(2, count), count > 2]);
  });

  test('shows a note once', async () => {
    const { act, get } = await start();
    const { to, text } = await act('/dashboard/faults', { do: 'removeAll' });
    expect(text).toContain('Every fault is removed.');
    expect((await get(to)).text).not.toContain('Every fault is removed.');
    expect((await get('/?note=99')).text).toContain('<div id="note" role="status"></div>');
  });

  test('keeps fifty notes at most, the newest', async () => {
    const { post, get } = await start();
    const made: string[] = [];
    for (let i = 0; i < 52; i++) made.push((await post('/dashboard/clock', { do: 'freeze' })).headers.get('location')!);
    const shown = await Promise.all(made.map(async (to) => (await get(to)).text.includes('The clock stands still.')));
    expect(shown).toEqual(made.map((_, i) => i >= 2));
  });
});

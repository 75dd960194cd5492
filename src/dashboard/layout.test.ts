// The frame of every page: navigation, worlds, theme, the bar of clock and limits, notes.
import { describe, expect, test } from 'vitest';
import { send, startAcknowledged as start, stirred } from '../test/dashboard.ts';
import { linesOf } from '../test/reading.ts';
import type { ApiResponse } from '../test/sending.ts';
import { PAGES } from './pages.ts';

/** A page without its main part, as it is read. */
const frame = ({ text }: Pick<ApiResponse, 'text'>): string[] =>
  linesOf(text.replace(/^[\s\S]*<body/, '<body').replace(/<main[\s\S]*<\/main>|<dialog[\s\S]*<\/dialog>/g, ''));

describe('The frame', () => {
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
      const links = [...(await get(path)).text.matchAll(/<a [^>]*data-key="[^"]*"[\s\S]*?<\/a>/g)].map(([link]) => link);
      const marked = links.filter((link) => link.includes('aria-current="page"')).flatMap(linesOf);
      expect([path, ...marked.map((line) => line.split(' ').at(-1))]).toEqual([path, label]);
    }
  });

  test('has in its title what heads the page, or its one record', async () => {
    const { get, mock } = await start();
    await stirred(mock);
    const own: Readonly<Record<string, string>> = {
      data: 'Projects',
      request: '200 GET /v1/tasks?limit=3&amp;sort=-due_date',
      delivery: 'delivered task.created',
    };
    for (const { id, examples } of PAGES) {
      const { text, status } = await get(Object.values(examples)[0]!);
      const heading = /<h1>(.*?)<\/h1>/.exec(text)?.[1];
      expect([status, /<title>(.*) · [^<]*<\/title>/.exec(text)?.[1]]).toEqual([200, own[id] ?? heading]);
    }
  });

  test('has the world in its title, but for the default one, and says when a connection was closed', async () => {
    const { get, mock } = await start();
    mock.fork({ id: 'other' });
    expect((await get('/worlds/other/dashboard/data/teams?id=t')).text).toContain('<title>t · Teams · other · wm-mock</title>');
    mock.faults.add({ effect: { abort: true } });
    await mock.fetch(`/tasks/${'x'.repeat(80)}`).catch(() => {});
    expect((await get('/dashboard/requests/req_1')).text).toContain(
      `<title>closed GET /v1/tasks/${'x'.repeat(70)}… (90 characters) · wm-mock</title>`,
    );
  });

  test('in another world with a running clock, a dark theme, used limits and a token', async () => {
    const { get, mock } = await start({ controlToken: 'secret' });
    for (let i = 1; i <= 14; i++) mock.fork({ id: `world-${i}` });
    const at = (path: string, body: object, authorization = 'Bearer secret') =>
      send(mock, `/worlds/world-2${path}`, 'POST', body, { authorization });
    await at('/_mock/webhooks/wh_hooks/simulate', { outcomes: [500] });
    await at('/v1/projects', { name: 'Told' }, 'Bearer wm_acme_admin');
    await at('/_mock/clock/advance', { by: '1s' });
    const cookie = 'wm_mock_theme=dark; wm_mock_token_4700=secret';
    const response = await get('/worlds/world-2/dashboard/faults?a=b', { cookie });
    expect(response.text).toContain('<html lang="en" data-theme="dark">');
    const lines = frame(response);
    const worlds = Array.from({ length: 12 }, (_, i) => `(/worlds/world-${i + 1}/dashboard/faults) world-${i + 1}`);
    expect(lines.slice(1, 16)).toEqual([
      'World world-2',
      '(/dashboard/faults) default',
      ...worlds,
      '(/worlds/world-2/dashboard/worlds) All 15 worlds Find anything Ctrl K',
    ]);
    expect(lines.slice(20)).toEqual([
      'Times UTC local',
      'back=/worlds/world-2/dashboard/faults?a=b Theme auto light dark',
      'Sign out',
      '(/worlds/world-2/dashboard/clock) 2025-01-20 09:00:01 UTC [info] frozen',
      'back=/worlds/world-2/dashboard/faults?a=b {run} Run the clock',
      'do=advance back=/worlds/world-2/dashboard/faults?a=b +',
      '+30 s +2 min +10 min +30 min +2 h Next 0:29',
      expect.stringContaining('Acme Gardens 999 of 1,000 requests left ('),
    ]);
    expect(/<a[^>]*href="\/worlds\/world-2\/dashboard\/faults"[^>]*aria-current="(\w+)"/.exec(response.text)?.[1]).toBe('true');
    expect(frame(await get('/', { cookie }))).toEqual(
      expect.arrayContaining(['World default', '(/dashboard/worlds) All 15 worlds Find anything Ctrl K']),
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
    expect(frame({ text })).toEqual(
      expect.arrayContaining([
        '(/dashboard/clock) 2025-01-20 09:00:00 UTC [good] running',
        'back=/dashboard/clock {freeze} Freeze the clock',
      ]),
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
    await send(mock, '/_mock/workspaces/ws_0', 'PATCH', { plan: 10 });
    const bars: string[] = [];
    for (const used of [0, 1, 7, 1, 1]) {
      for (let i = 0; i < used; i++) await mock.fetch('/tasks', { headers: { authorization: 'Bearer wm_0' } });
      const { text } = await get('/');
      const tone = /class="gauge( \w+)?"/.exec(text)?.[1] ?? '';
      bars.push(linesOf(/<div class="quotas"[\s\S]*?<\/div>/.exec(text)![0]).join(' ') + tone);
    }
    const rest = '(/dashboard/clock) Workspace 1 300 of 300 requests left (/dashboard/clock) +3 more workspaces';
    expect(bars).toEqual([
      `(/dashboard/clock) Workspace 0 10 of 10 requests left ${rest}`,
      ...['9', '2'].map((left) => `(/dashboard/clock) Workspace 0 ${left} of 10 requests left ${rest}`),
      `(/dashboard/clock) Workspace 0 1 of 10 requests left ${rest} warn`,
      `(/dashboard/clock) Workspace 0 0 of 10 requests left ${rest} bad`,
    ]);
  });

  test('leads to the same page of another world, or to the list of a record that it need not have', async () => {
    const { get, mock } = await start();
    mock.fork({ id: 'other' });
    await stirred(mock);
    const there = async (path: string) => {
      const links = (await get(path)).text.matchAll(/<li><a href="([^"]*)"(?: aria-current="true")?>(?:default|other)</g);
      return [...links].map(([, href]) => href);
    };
    for (const [path, page] of [
      ['/worlds/other/dashboard/data/teams?q=x', '/dashboard/data/teams'],
      ['/dashboard/requests/req_1', '/dashboard/requests'],
    ] as const)
      expect(await there(path)).toEqual([page, `/worlds/other${page}`]);
  });

  test('leads from what a form did to the deliveries that came of it', async () => {
    const { act, mock } = await start();
    const create = (world = '') =>
      act(`${world}/dashboard/data/projects`, { do: 'create', name: `Project ${world}`, visibility: 'team' });
    for (const { id } of mock.read.webhooks()) mock.remove.webhook(id);
    expect((await create()).text).not.toContain('→</a>');
    for (const port of [1, 2]) mock.create.webhook({ url: `http://127.0.0.1:${port}/`, events: ['project.created'] });
    const fork = mock.fork({ id: 'one' });
    const { text } = await create();
    for (const { id, url } of mock.deliveries)
      expect(text).toContain(`<a href="/dashboard/webhooks/deliveries/${id}">project.created to ${new URL(url).host} →</a>`);
    expect(mock.deliveries).toHaveLength(2);
    fork.remove.webhook(fork.read.webhooks().at(-1)!.id);
    expect((await create('/worlds/one')).text).toContain(`/worlds/one/dashboard/webhooks/deliveries/${fork.deliveries[0]!.id}">`);
    expect((await act('/', { do: 'snapshot' })).text).not.toContain('→</a>');
  });

  test('shows a note once, and keeps fifty at most, the newest', async () => {
    const { post, get } = await start();
    const made: string[] = [];
    for (let i = 0; i < 52; i++) made.push((await post('/dashboard/clock', { do: 'freeze' })).headers.get('location')!);
    const shown = await Promise.all(made.map(async (to) => (await get(to)).text.includes('The clock stands still.')));
    expect(shown).toEqual(made.map((_, i) => i >= 2));
    for (const to of [made.at(-1)!, '/?note=99']) expect((await get(to)).text).toContain('<div id="note" role="status"></div>');
  });
});

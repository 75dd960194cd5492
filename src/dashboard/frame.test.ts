// Pages without a world, signing in, themes, assets: what is answered and what is refused.
import { beforeEach, describe, expect, test } from 'vitest';
import { type Answer, type DashboardBench, DEMO_AT, dashboards } from '../test/dashboard.ts';
import { golden } from '../test/golden.ts';
import { mainOf, outline, partsOf } from '../test/outline.ts';
import { ASSETS } from './assets.ts';
import { SCRIPT } from './script.ts';
import { STYLE } from './style.ts';

const sender = async () => ({ kind: 'response', status: 204, took: 0 }) as const;
const start = dashboards((options = {}) => ({ ...DEMO_AT, sender, ...options }));
const headersOf = ({ headers }: Answer): string => [...headers].map(([name, value]) => `${name}: ${value}`).join('\n');
const whole = (answer: Answer): string => `${answer.status}\n${headersOf(answer)}\n${outline(answer.text)}`;

describe('Pages without a world', () => {
  test.each([
    ['nothing', '/dashboard/nothing'],
    ['world', '/worlds/gone/dashboard/clock'],
    ['slash', '/dashboard/'],
    ['broken', '/dashboard/requests/%E0%A4%A'],
    ['request', '/dashboard/requests/'],
    ['delivery', '/dashboard/webhooks/deliveries/%3Cimg%3E'],
  ])('say that there is no such %s', async (name, path) => {
    const { get } = await start();
    golden(`dashboard/refused-${name}`, whole(await get(path)));
  });

  test('say what a method is not for', async () => {
    const { mock } = await start();
    const headers = { accept: 'text/html', origin: 'http://127.0.0.1:4700', cookie: 'wm_mock_theme=light' };
    const answer = await mock.app.fetch(new Request('http://127.0.0.1:4700/dashboard/clock', { method: 'PUT', headers }));
    const { status } = answer;
    golden('dashboard/refused-method', whole({ status, headers: answer.headers, text: await answer.text() }));
  });

  test('are for whoever takes HTML, whatever else, and have a head alone for who asks for that', async () => {
    const { mock } = await start();
    const ask = (path: string, init: RequestInit) => mock.app.fetch(new Request(`http://127.0.0.1:4700${path}`, init));
    const typeOf = async (headers: Record<string, string>) =>
      (await ask('/dashboard/nothing', { headers })).headers.get('content-type');
    expect([await typeOf({}), await typeOf({ accept: 'text/html,*/*' }), await typeOf({ accept: '*/*' })]).toEqual([
      'application/json',
      'text/html; charset=utf-8',
      'application/json',
    ]);
    expect((await ask('/dashboard/clock', { method: 'HEAD' })).status).toBe(200);
    expect((await ask('/dashboard/clock?token=x', { method: 'HEAD' })).status).toBe(200);
    expect((await ask('/dashboard/clock?token=x', {})).status).toBe(303);
  });

  test('say it as JSON to those who ask for no page', async () => {
    const { mock } = await start();
    const lines: string[] = [];
    const ask = async (path: string, init: RequestInit = {}) => {
      const answer = await mock.app.fetch(new Request(`http://127.0.0.1:4700${path}`, init));
      lines.push(`${init.method ?? 'GET'} ${path} ${answer.status} ${answer.headers.get('allow') ?? ''}`, await answer.text());
    };
    const origin = 'http://127.0.0.1:4700';
    await ask('/dashboard/nothing');
    await ask('/worlds/gone/');
    await ask('/dashboard/clock', { method: 'DELETE' });
    await ask('/dashboard/clock', { method: 'POST', body: new URLSearchParams({ do: 'freeze' }) });
    await ask('/dashboard/clock', { method: 'POST', body: 'do=freeze', headers: { origin, 'content-type': 'text/plain' } });
    await ask('/dashboard/clock', { method: 'POST', headers: { origin } });
    const type = 'application/x-www-form-urlencoded';
    for (const wrong of [`${type}s`, `x${type}`, 'application/x-www-form-urlencode'])
      await ask('/dashboard/clock', { method: 'POST', body: 'do=freeze', headers: { origin, 'content-type': wrong } });
    for (const right of [type, `${type};charset=utf-8`, `${type.toUpperCase()}  ; charset=utf-8`])
      await ask('/dashboard/clock', { method: 'POST', body: 'do=freeze&back=/', headers: { origin, 'content-type': right } });
    await ask('/dashboard/clock', {
      method: 'POST',
      body: new Uint8Array([0x64, 0x6f, 0x3d, 0xff]),
      headers: { origin, 'content-type': type },
    });
    await ask('/dashboard/clock', {
      method: 'POST',
      body: `do=${'x'.repeat(1_048_576)}`,
      headers: { origin, 'content-type': type },
    });
    await ask('/dashboard/clock', {
      method: 'POST',
      body: 'do=freeze',
      headers: { 'sec-fetch-site': 'same-origin', 'content-type': type },
    });
    golden('dashboard/refused-as-json', lines.join('\n'));
  });

  test('say that the dashboard failed, and why', async () => {
    const { get, mock } = await start();
    let thrown: unknown = new Error('the disk is full');
    Object.defineProperty(mock.world.store.teams, 'size', {
      get: () => {
        throw thrown;
      },
    });
    golden('dashboard/refused-failure', whole(await get('/')));
    thrown = 'no error at all';
    const { status, text } = await get('/');
    expect([status, outline(mainOf(text))]).toEqual([500, expect.stringContaining('"The dashboard failed: no error at all."')]);
  });

  test('say what stands in the way of a form that is no form', async () => {
    const { post } = await start();
    const { status, text } = await post('/', { do: 'reset', more: 'x'.repeat(1_048_576) });
    golden('dashboard/refused-too-large', `${status}\n${outline(mainOf(text))}`);
    const stranger = await post('/', { do: 'reset' }, { origin: 'http://evil.test' });
    golden('dashboard/refused-stranger', `${stranger.status}\n${outline(mainOf(stranger.text))}`);
  });
});

describe('Signing in', () => {
  let bench: DashboardBench;
  beforeEach(async () => {
    bench = await start({ controlToken: 'a=b c' });
  });

  test('is asked for, and leads back', async () => {
    golden('dashboard/sign-in', whole(await bench.get('/dashboard/data/tasks?limit=3&sort=title')));
  });

  test('has a page of its own', async () => {
    const { status, text } = await bench.get('/dashboard/login?back=%2F%3Fa%3D1', { cookie: 'wm_mock_theme=nothing' });
    golden('dashboard/sign-in-page', `${status}\n${outline(text)}`);
    expect((await bench.get('/dashboard/login')).text).toContain('action="/dashboard/login?back=%2F"');
  });

  test('says that it was not the token', async () => {
    const { status, text } = await bench.post('/dashboard/login?back=%2F', { token: 'a=b' });
    golden('dashboard/sign-in-refused', `${status}\n${outline(mainOf(text))}`);
    expect((await bench.post('/dashboard/login', {})).status).toBe(401);
  });

  test('leads on with a cookie, from the form and from the address, and out again', async () => {
    const lines: string[] = [];
    const say = (answer: Answer) => lines.push(`${answer.status}\n${headersOf(answer)}\n`);
    say(await bench.post('/dashboard/login?back=%2Fdashboard%2Fclock', { token: 'a=b c' }));
    say(await bench.post('/dashboard/login', { token: 'a=b c' }));
    say(await bench.get('/dashboard/clock?token=a%3Db+c&a=b'));
    say(await bench.get('/?token=a%3Db%20c'));
    say(await bench.post('/dashboard/logout', {}, { cookie: 'wm_mock_token_4700=a%3Db%20c' }));
    golden('dashboard/sign-in-headers', lines.join('\n'));
  });

  test('is refused with a wrong token in the address, and a form of another page', async () => {
    expect((await bench.get('/?token=a')).status).toBe(401);
    const login = new Request('http://127.0.0.1:4700/dashboard/login', {
      method: 'POST',
      body: new URLSearchParams({ token: 'a=b c' }),
    });
    expect((await bench.mock.app.fetch(login)).status).toBe(403);
  });

  test('is not asked for without a token', async () => {
    const { get } = await start();
    const { status, headers } = await get('/dashboard/login');
    expect([status, headers.get('location')]).toEqual([303, '/']);
  });
});

describe('Themes', () => {
  test.each(['auto', 'light', 'dark', 'pink', ''])('%j is remembered if there is such a theme', async (theme) => {
    const { post, get } = await start();
    const { status, headers } = await post('/dashboard/theme', { theme, back: '/dashboard/clock' });
    const set = ['light', 'dark'].includes(theme) ? theme : 'auto';
    expect([status, headers.get('location'), headers.get('set-cookie'), headers.get('cache-control')]).toEqual([
      303,
      '/dashboard/clock',
      `wm_mock_theme=${set}; Path=/; Max-Age=31536000; SameSite=Strict`,
      'no-store',
    ]);
    const { text } = await get('/', { cookie: `wm_mock_theme=${theme}` });
    expect(text).toContain(set === 'auto' ? '<html lang="en">' : `<html lang="en" data-theme="${set}">`);
    expect(partsOf(outline(text), /button aria-pressed="true" name="theme"/)).toEqual([
      `button aria-pressed="true" name="theme" type="submit" value="${set}" "${set}"`,
    ]);
  });

  test('lead back to a path of this origin alone', async () => {
    const { post } = await start();
    const backs = ['/a?b=c#d', '//evil.test', '/\\evil', 'x/', 'https://evil.test/', '/a b', '/é', '', '/~!', '/a\n'];
    const led = await Promise.all(
      backs.map(async (back) => (await post('/dashboard/theme', { theme: 'dark', back })).headers.get('location')),
    );
    expect(led).toEqual(['/a?b=c#d', '/', '/', '/', '/', '/', '/', '/', '/~!', '/']);
    expect((await post('/dashboard/theme', { theme: 'dark' })).headers.get('location')).toBe('/');
  });
});

describe('Assets', () => {
  test.each(Object.keys(ASSETS))(
    '%s is served with the policy of pages, and kept only as long as it is the newest',
    async (path) => {
      const { get } = await start({ controlToken: 'secret' });
      const answer = await get(path);
      expect([answer.status, answer.text]).toEqual([200, ASSETS[path]![0]]);
      golden(`dashboard/asset-${path.split('/').at(-1)}`, headersOf(answer));
    },
  );

  test('the style has the rules of each part, for both themes', () => {
    for (const rule of ['body {', '.card {', '.step {', '.method {', ':root[data-theme="dark"] {'])
      expect(STYLE).toContain(`\n${rule}`);
  });

  test('the script is one that browsers can read, and works on its own', () => {
    expect(() => new Function(SCRIPT)).not.toThrow();
    for (const part of ['data-live', 'data-copy', 'data-until', 'data-quick', 'EventSource']) expect(SCRIPT).toContain(part);
  });
});

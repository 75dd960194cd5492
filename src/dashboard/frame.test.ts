// Pages without a world, signing in, themes, assets: which response each gets.
import { beforeEach, describe, expect, test } from 'vitest';
import { type DashboardBench, send, startAcknowledged as start } from '../test/dashboard.ts';
import { linesOf, mainOf } from '../test/reading.ts';
import { type ApiResponse, readResponse } from '../test/sending.ts';
import { SCRIPT, STYLE } from './assets.generated.ts';
import { ASSETS } from './respond.ts';

const SAFE = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'cross-origin-opener-policy': 'same-origin',
  'x-frame-options': 'DENY',
};
const PAGE = { ...SAFE, 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' };
const headersOf = ({ headers }: ApiResponse) => Object.fromEntries(headers);
const show = ({ status, text }: ApiResponse): string => `${status} ${linesOf(mainOf(text)).join(' ')}`;

describe('Pages without a world', () => {
  test.each([
    ['/dashboard/nothing', 'The dashboard has no such page.'],
    ['/worlds/expired/dashboard/clock', 'No world has the id "expired". It may have been deleted, or left alone for too long.'],
    ['/dashboard/requests/%E0%A4%A', 'The journal has no request "%E0%A4%A". It keeps the last thousand of this world.'],
    ['/dashboard/requests/', 'The journal has no request "". It keeps the last thousand of this world.'],
    ['/dashboard/webhooks/deliveries/%3Cimg%3E', 'The log has no delivery "<img>". It keeps the last 5,000.'],
  ])('say what there is not at %s', async (path, says) => {
    const { get } = await start();
    const response = await get(path);
    expect([show(response), headersOf(response)]).toEqual([`404 There is nothing here ${says} (/) To the overview`, PAGE]);
    expect(response.text).toContain('<title>There is nothing here');
    expect(response.text).toContain('<a href="/dashboard/requests" data-key="r">');
  });

  test.each([
    ['/dashboard', '/'],
    ['/dashboard/', '/'],
    ['/worlds/other/dashboard', '/worlds/other/'],
    ['/requests', 'dashboard/requests'],
    ['/worlds/other/clock', 'dashboard/clock'],
  ])('a browser at %s is led on, and that is no request to the API', async (path, to) => {
    const { get, mock } = await start();
    mock.fork({ id: 'other' });
    const { status, headers } = await get(path, { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' });
    expect([status, headers.get('location'), mock.requests]).toEqual([303, to, []]);
    expect((await get('/v1', { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' })).status).toBe(401);
  });

  test('have the navigation of their world, but not for those who may not see it', async () => {
    const { get, mock, post } = await start({ controlToken: 'a' });
    mock.fork({ id: 'other' });
    const cookie = 'wm_mock_token_4700=a';
    expect((await get('/worlds/other/dashboard/nothing', { cookie })).text).toContain('href="/worlds/other/dashboard/requests"');
    expect((await get('/worlds/expired/', { cookie })).text).toContain('href="/dashboard/requests"');
    const refused = await post('/', { do: 'reset' }, { cookie, origin: 'http://evil.test' });
    expect([refused.status, refused.text.includes('<nav')]).toEqual([403, false]);
  });

  test('say what a method is not for, in the theme that was chosen', async () => {
    const { mock } = await start();
    const headers = { accept: 'text/html', origin: 'http://127.0.0.1:4700', cookie: 'wm_mock_theme=light' };
    const response = await readResponse(await send(mock, '/dashboard/clock', 'PUT', undefined, headers));
    expect(show(response)).toBe('405 That is not how it is asked The dashboard takes GET and POST. (/) To the overview');
    expect(response.text).toContain('<html lang="en" data-theme="light">');
  });

  test('pages are sent to clients that accept HTML among others, and HEAD gets the head alone', async () => {
    const { mock } = await start();
    const ask = (path: string, init: RequestInit) => mock.app.fetch(new Request(`http://127.0.0.1:4700${path}`, init));
    const typeOf = async (headers: Record<string, string>) =>
      (await ask('/dashboard/nothing', { headers })).headers.get('content-type');
    expect(await typeOf({ accept: 'text/html,*/*' })).toBe('text/html; charset=utf-8');
    for (const headers of [{}, { accept: '*/*' }]) expect(await typeOf(headers)).toBe('application/json');
    expect((await ask('/dashboard/clock', { method: 'HEAD' })).status).toBe(200);
    expect((await ask('/dashboard/clock?token=x', { method: 'HEAD' })).status).toBe(200);
    expect((await ask('/dashboard/clock?token=x', {})).status).toBe(303);
  });

  test('refuse what does not say where it comes from or is no form, in JSON for those who ask for no page', async () => {
    const { mock } = await start();
    const origin = 'http://127.0.0.1:4700';
    const type = 'application/x-www-form-urlencoded';
    const ask = async (path: string, init: RequestInit = {}) => {
      const response = await mock.app.fetch(new Request(`http://127.0.0.1:4700${path}`, init));
      const text = await response.text();
      return `${response.status} ${response.headers.get('allow') ?? ''} ${text === '' ? '' : JSON.parse(text).error.message}`;
    };
    const post = (body: BodyInit, headers: Record<string, string>) => ask('/dashboard/clock', { method: 'POST', body, headers });
    expect([
      await ask('/dashboard/nothing'),
      await ask('/worlds/expired/'),
      await ask('/dashboard/clock', { method: 'DELETE' }),
      await ask('/dashboard/clock', { method: 'POST', body: new URLSearchParams({ do: 'freeze' }) }),
      await ask('/dashboard/clock', { method: 'POST', headers: { origin } }),
      await post(new Uint8Array([0x64, 0x6f, 0x3d, 0xff]), { origin, 'content-type': type }),
      await post(`do=${'x'.repeat(1_048_576)}`, { origin, 'content-type': type }),
    ]).toEqual([
      '404  The dashboard has no such page.',
      '404  No world has the id "expired". It may have been deleted, or left alone for too long.',
      '405 GET, POST The dashboard takes GET and POST.',
      '403  The dashboard refuses this form: it does not say which page it comes from. Send the header Origin, or use the control API at /_mock.',
      '415  The dashboard takes forms as application/x-www-form-urlencoded alone.',
      '400  The form must be UTF-8.',
      '413  A form has at most 1048576 bytes.',
    ]);
    for (const wrong of ['text/plain', `${type}s`, `x${type}`, 'application/x-www-form-urlencode'])
      expect(await post('do=freeze', { origin, 'content-type': wrong })).toMatch(/^415 /);
    for (const right of [type, `${type};charset=utf-8`, `${type.toUpperCase()}  ; charset=utf-8`])
      expect(await post('do=freeze&back=/', { origin, 'content-type': right })).toBe('303  ');
    expect(await post('do=freeze', { 'sec-fetch-site': 'same-origin', 'content-type': type })).toBe('303  ');
  });

  test('say that the dashboard failed, and why', async () => {
    const { get, mock } = await start();
    let thrown: unknown = new Error('the disk is full');
    Object.defineProperty(mock.world.store.teams, 'size', {
      get: () => {
        throw thrown;
      },
    });
    expect(show(await get('/'))).toBe('500 The dashboard failed The dashboard failed: the disk is full. (/) To the overview');
    thrown = 'no error at all';
    expect(show(await get('/'))).toContain('The dashboard failed: no error at all.');
  });

  test('a page says why a form that is no form is refused', async () => {
    const { post } = await start();
    expect(show(await post('/', { do: 'reset', more: 'x'.repeat(1_048_576) }))).toBe(
      '413 The request is refused A form has at most 1048576 bytes. (/) To the overview',
    );
    expect(show(await post('/', { do: 'reset' }, { origin: 'http://evil.test' }))).toBe(
      '403 wm-mock This request is refused The control API refuses this request: it comes from a page of another origin. Call from a program, or start the mock with --allow-origin. (/) To the overview',
    );
  });
});

describe('Signing in', () => {
  const ASKS =
    'wm-mock This mock asks for its token The mock printed it at its start (--control-token); that of a hosted world came with the response that created it.';
  let bench: DashboardBench;
  beforeEach(async () => {
    bench = await start({ controlToken: 'a=b c' });
  });

  test('is asked for, and leads back', async () => {
    const response = await bench.get('/dashboard/data/tasks?limit=3&sort=title');
    expect([show(response), headersOf(response)]).toEqual([`401 ${ASKS} Token Sign in`, PAGE]);
    expect(response.text).toContain('action="/dashboard/login?back=%2Fdashboard%2Fdata%2Ftasks%3Flimit%3D3%26sort%3Dtitle"');
    const { status, text } = await bench.get('/dashboard/login?back=%2F%3Fa%3D1', { cookie: 'wm_mock_theme=nothing' });
    expect(status).toBe(200);
    expect(text).toContain('<form method="post" action="/dashboard/login?back=%2F%3Fa%3D1">');
    expect((await bench.get('/dashboard/login')).text).toContain('action="/dashboard/login?back=%2F"');
  });

  test('says that it was not the token', async () => {
    expect(show(await bench.post('/dashboard/login?back=%2F', { token: 'a=b' }))).toBe(
      `401 ${ASKS} Token That is not the token. Sign in`,
    );
    expect((await bench.post('/dashboard/login', {})).status).toBe(401);
  });

  test('leads on with a cookie, from the form and from the address, and out again', async () => {
    const led = ({ status, headers }: ApiResponse) =>
      [status, ...['location', 'cache-control', 'set-cookie'].map((name) => headers.get(name))].join(' ');
    const cookie = 'wm_mock_token_4700=a%3Db%20c; Path=/; HttpOnly; SameSite=Strict';
    const signIn = (path: string) => bench.post(path, { token: 'a=b c' });
    expect(led(await signIn('/dashboard/login?back=%2Fdashboard%2Fclock'))).toBe(`303 /dashboard/clock no-store ${cookie}`);
    expect(led(await signIn('/dashboard/login'))).toBe(`303 / no-store ${cookie}`);
    expect(led(await bench.get('/dashboard/clock?token=a%3Db+c&a=b'))).toBe(`303 /dashboard/clock?a=b no-store ${cookie}`);
    expect(led(await bench.get('/?token=a%3Db%20c'))).toBe(`303 / no-store ${cookie}`);
    const out = await bench.post('/dashboard/logout', {}, { cookie: 'wm_mock_token_4700=a%3Db%20c' });
    const expired = 'wm_mock_token_4700=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict';
    expect(led(out)).toBe(`303 /dashboard/login no-store ${expired}`);
  });

  test('is refused with a wrong token in the address, and a form of another page', async () => {
    expect((await bench.get('/?token=a')).status).toBe(401);
    const body = new URLSearchParams({ token: 'a=b c' });
    const login = new Request('http://127.0.0.1:4700/dashboard/login', { method: 'POST', body });
    expect((await bench.mock.app.fetch(login)).status).toBe(403);
  });

  test('is not asked for without a token', async () => {
    const { get } = await start();
    const { status, headers } = await get('/dashboard/login');
    expect([status, headers.get('location'), headers.get('set-cookie')]).toEqual([303, '/', null]);
  });
});

describe('Themes', () => {
  test.each(['auto', 'light', 'dark', 'pink', ''])('%j is remembered if there is such a theme', async (theme) => {
    const { post, get } = await start();
    const { status, headers } = await post('/dashboard/theme', { theme, back: '/dashboard/clock' });
    const set = ['light', 'dark'].includes(theme) ? theme : 'auto';
    expect([status, headers.get('location'), headers.get('cache-control')]).toEqual([303, '/dashboard/clock', 'no-store']);
    expect(headers.get('set-cookie')).toBe(`wm_mock_theme=${set}; Path=/; Max-Age=31536000; SameSite=Strict`);
    const { text } = await get('/', { cookie: `wm_mock_theme=${theme}` });
    expect(text).toContain(set === 'auto' ? '<html lang="en">' : `<html lang="en" data-theme="${set}">`);
    const pressed = [...text.matchAll(/<button[^>]*name="theme"[^>]*>/g)].filter(([one]) => one.includes('aria-pressed="true"'));
    expect(pressed.map(([one]) => / value="(\w+)"/.exec(one)?.[1])).toEqual([set]);
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
      const response = await get(path);
      expect([response.status, response.text]).toEqual([200, ASSETS[path]![0]]);
      expect(headersOf(response)).toEqual({ ...SAFE, 'content-type': ASSETS[path]![1], 'cache-control': 'no-cache' });
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

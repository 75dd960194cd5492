// Every page of the dashboard without a browser: its response, who may see it, and that no text becomes HTML.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CONTROL_IDS, controlRow } from '../mock/control/operations.ts';
import { ADDRESSES, type DashboardBench, dashboardBench, startDashboard as start, stirred } from '../test/dashboard.ts';
import { PAGES } from './pages.ts';

describe('Every page', () => {
  let bench: DashboardBench;
  beforeAll(async () => {
    bench = await dashboardBench();
    bench.mock.fork({ id: 'other' });
    await stirred(bench.mock);
    await stirred(bench.mock, '/worlds/other');
  });
  afterAll(() => bench.mock.close());

  const FRAMED = ADDRESSES.filter(({ path }) => path === '/dashboard/panel');
  const WHOLE = ADDRESSES.filter((one) => !FRAMED.includes(one));

  test.each(WHOLE)('$name is one page with a heading, a skip link, a main part and under 200 kB', async ({ path }) => {
    const { status, text, headers } = await bench.get(path);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(text.match(/<h1/g)).toHaveLength(1);
    expect(text).toContain('href="#main"');
    expect(text.length).toBeLessThan(200_000);
  });

  test.each(ADDRESSES)('$name allows nothing but its own script, styles and forms', async ({ path }) => {
    const { text, headers } = await bench.get(path);
    const ancestors = FRAMED.some((one) => one.path === path) ? "'self'" : "'none'";
    expect(headers.get('content-security-policy')).toBe(
      `default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; form-action 'self'; frame-ancestors ${ancestors}; base-uri 'none'`,
    );
    expect(text).not.toMatch(/\sstyle=|\son\w+=|<style|<script(?! src="\/dashboard\/assets\/(script|preview)\.js" defer)/);
  });

  test.each(ADDRESSES.filter(({ name }) => name !== 'worlds'))(
    '$name links to pages of its own world alone',
    async ({ path }) => {
      const { text } = await bench.get(`/worlds/other${path}`);
      const main = text.slice(text.indexOf('<main'));
      const leaving = [...main.matchAll(/(?:href|action)="([^"#][^"]*)"/g)]
        .map(([, to]) => to!)
        .filter((to) => !to.startsWith('/worlds/other/'));
      expect(leaving).toEqual([]);
    },
  );
});

test('every page has a shortcut and a name of its own', () => {
  const keys = PAGES.flatMap(({ nav }) => (nav ? [nav.key] : []));
  expect(new Set(keys).size).toBe(keys.length);
  expect([...keys].sort().join('')).toBe('cdfoprstwx');
  for (const { nav, title, path } of PAGES) {
    expect(path).toMatch(/^\/(dashboard\/|$)/);
    if (nav) expect([title.startsWith(nav.label), nav.label !== '', nav.icon !== '']).toEqual([true, true, true]);
    if (nav) expect(['Service', 'Traffic', 'Behaviour']).toContain(nav.group);
  }
  expect(new Set(ADDRESSES.map(({ name }) => name)).size).toBe(ADDRESSES.length);
});

test('each button that a call has is on a page, beside actions of other names', () => {
  for (const id of CONTROL_IDS) {
    const { button } = controlRow(id);
    if (!button) continue;
    const page = PAGES.find((one) => one.id === button.page);
    expect(Object.keys(page!.actions ?? {})).not.toContain(button.label.toLowerCase());
  }
});

test('the script is small, though the library that updates a page in place is more than half of it', async () => {
  const { get } = await start({ controlToken: 'secret' });
  expect((await get('/dashboard/assets/script.js')).text.length).toBeLessThan(19_000);
});

test('what the script asks for lacks what stays, and a page is compressed for a client that accepts it', async () => {
  const { get, mock } = await start();
  expect((await get('/', { 'wm-mock-part': 'main' })).text).toMatch(/^<!doctype html>\n<main /);
  expect((await get('/', { 'wm-mock-part': 'bars' })).text).toMatch(/^<!doctype html>\n<section class="clock-bar" [\s\S]+<main /);
  const request = new Request('http://127.0.0.1:4700/', { headers: { 'accept-encoding': 'gzip, br' } });
  const { body, headers } = await mock.app.fetch(request);
  const text = await new Response(body!.pipeThrough(new DecompressionStream('gzip'))).text();
  expect([headers.get('content-encoding'), text]).toEqual(['gzip', (await get('/')).text]);
});

test('a page may be opened by a link of any site, but not in a frame', async () => {
  const { get } = await start();
  const visit = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
  expect((await get('/', visit)).status).toBe(200);
  expect((await get('/', { ...visit, 'sec-fetch-dest': 'iframe' })).status).toBe(403);
});

test('every page requires the token, and a cookie keeps it', async () => {
  const TOKEN = 'a=b;c%20"d';
  const { get, post } = await start({ controlToken: TOKEN });
  for (const { path } of ADDRESSES) expect([path, (await get(path)).status]).toEqual([path, 401]);
  const { headers } = await post('/dashboard/login', { token: TOKEN });
  const [cookie] = headers.get('set-cookie')!.split('; ');
  expect((await get('/', { cookie: cookie! })).status).toBe(200);
  expect((await get('/_mock/data/keys', { cookie: cookie! })).status).toBe(200);
  expect((await get('/', { cookie: cookie!.replace('_4700', '_4701') })).status).toBe(401);
});

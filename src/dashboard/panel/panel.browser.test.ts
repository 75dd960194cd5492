// The panel in a real Chromium, on a page of another origin than the mock.

import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { connect } from '../../connect/index.ts';
import { createMock, type Mock, type Server } from '../../node/index.ts';
import { axeIn, closeBrowser, freePage, leavePage } from '../../test/browser.ts';
import { keep } from '../../test/closing.ts';
import { servePages } from '../../test/pages.ts';

const texts: Record<string, string> = { '/favicon.ico': '' };
const pages = await servePages(texts);
afterAll(async () => {
  await closeBrowser();
  await pages?.close();
});

interface Bench {
  readonly mock: Mock;
  readonly server: Server;
  readonly page: Page;
  /** The console of the page. */
  readonly lines: string[];
  /** Asks the mock as an app in the page would. @returns the status; 0 for a connection that was closed */
  ask(path: string, base?: string): Promise<number>;
}

interface Given extends BrowserContextOptions {
  readonly allowed?: boolean;
  readonly token?: string;
  /** How the panel comes into the page. */
  readonly tag?: (origin: string) => string;
}

const classic = (origin: string) => `<script src="${origin}/_mock/panel.js"></script>`;

const start = async ({ allowed = true, token, tag = classic, ...look }: Given = {}): Promise<Bench> => {
  const mock = await createMock({
    seed: 'fixtures/tiny.yaml',
    now: '2025-01-20T09:00:00Z',
    allowOrigins: allowed ? [pages.origin] : [],
    ...(token === undefined ? {} : { controlToken: token }),
  });
  keep(mock);
  const server = await mock.listen({ port: 0 });
  const page = await freePage(look);
  onTestFinished(() => leavePage(page, look));
  const lines: string[] = [];
  page.context().on('console', (message) => void lines.push(message.text()));
  page.context().on('weberror', (error) => void lines.push(error.error().message));
  const body = `<main><h1>An app</h1></main>${tag(server.origin)}`;
  texts['/'] =
    `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>App</title><body>${body}</body></html>`;
  await page.goto(pages.origin);
  const { authorization } = mock.auth('admin');
  return {
    mock,
    server,
    page,
    lines,
    ask: (path, base = '') =>
      page.evaluate(
        ([url, authorization]) =>
          fetch(url!, { headers: { authorization: authorization! } }).then(
            ({ status }) => status,
            () => 0,
          ),
        [`${server.origin}${base}/v1${path}`, authorization],
      ),
  };
};

const openPanel = async (page: Page) => {
  await page.getByRole('button', { name: 'Open the wm-mock panel' }).click();
  const panel = page.frameLocator('wm-mock-panel iframe');
  await panel.getByText('live').waitFor();
  return panel;
};

describe('on a page of another origin', () => {
  test('shows its requests as they are made, and leads to each on the dashboard', async () => {
    const { page, ask, lines, server } = await start();
    await ask('/tasks?limit=5');
    const panel = await openPanel(page);
    await panel.getByRole('link', { name: 'GET /tasks?limit=5' }).waitFor();
    const happened = panel.getByRole('list', { name: 'Timeline' }).getByRole('link', { name: 'GET /v1/tasks?limit=5 → 200' });
    expect(await happened.getAttribute('href')).toBe('/dashboard/timeline?from=1');
    await ask('/tasks?limit=1&nothing=1');
    const newest = panel.getByRole('list', { name: 'Requests' }).getByRole('listitem').first();
    await newest.getByText('nothing=1').first().waitFor();
    expect(await newest.textContent()).toMatch(/200listTasks · 09:00:00Warning: /);
    const [dashboard] = await Promise.all([page.context().waitForEvent('page'), newest.getByRole('link').click()]);
    await dashboard.waitForURL(`${server.origin}/dashboard/requests/req_2`);
    await dashboard.getByRole('heading', { level: 1 }).waitFor();
    expect(lines).toEqual([]);
  });

  test('faults that are ordered apply, and are turned off', async () => {
    const { page, ask, mock } = await start();
    const panel = await openPanel(page);
    const faults = panel.getByRole('list', { name: 'Faults' }).getByRole('listitem');
    await panel.getByRole('button', { name: 'Next: 500' }).click();
    await faults.getByText('status 500, once').waitFor();
    expect([await ask('/tasks'), await ask('/tasks')]).toEqual([500, 200]);
    await faults.waitFor({ state: 'detached' });
    await panel.getByRole('button', { name: 'Next: 429' }).click();
    await faults.getByText('status 429, Retry-After 5, once').waitFor();
    expect(await ask('/tasks')).toBe(429);
    await panel.getByRole('button', { name: 'Offline' }).click();
    const off = panel.getByRole('button', { name: 'Turn off fault_3' });
    await off.waitFor();
    expect(await ask('/tasks')).toBe(0);
    await panel.getByText(/applied to [1-9]/).waitFor();
    await off.focus();
    await off.press('Enter');
    await faults.waitFor({ state: 'detached' });
    expect([await ask('/tasks'), mock.faults.list().map(({ id }) => id)]).toEqual([200, ['fault_1', 'fault_2']]);
    await panel.locator('#panel-faults ul:focus').waitFor({ state: 'attached' });
  });

  test('moves, freezes and runs the clock, takes choices back, and resets the world', async () => {
    const { page, mock, server } = await start();
    const panel = await openPanel(page);
    for (const [says, time] of [
      ['+1 min', '2025-01-20 09:01:00'],
      ['+1 h', '2025-01-20 10:01:00'],
      ['+1 d', '2025-01-21 10:01:00'],
    ] as const) {
      await panel.getByRole('button', { name: says, exact: true }).click();
      await panel.getByText(time).waitFor();
    }
    await panel.getByRole('button', { name: 'Let it run' }).click();
    await panel.getByText('running', { exact: true }).first().waitFor();
    await panel.getByText(/2025-01-21 10:(01:(?!00)|0[2-9])/).waitFor();
    await panel.getByRole('button', { name: 'Freeze' }).click();
    await panel.getByText('frozen', { exact: true }).first().waitFor();
    await (await connect(server.origin)).choose({ 'patch-status': '202' });
    await panel.getByText('patch-status: 202').waitFor();
    await panel.getByRole('button', { name: 'Reset patch-status to 200' }).click();
    await panel.getByRole('button', { name: 'Reset patch-status to 200' }).waitFor({ state: 'detached' });
    expect(mock.choices['patch-status']).toBe('200');
    await panel.getByText('Reset this world…').click();
    await panel.getByRole('button', { name: 'Reset: data' }).click();
    await panel.getByText('2025-01-20 09:00:00').waitFor();
  });

  test('shows the world that the page asks, unless one is named', async () => {
    const named = (origin: string) =>
      `<script type="module" src="${origin}/_mock/panel.js" data-world="other" data-open></script>`;
    const { page, ask, mock } = await start();
    mock.fork({ id: 'one' });
    const panel = await openPanel(page);
    await ask('/tasks', '/worlds/one');
    await panel.getByRole('heading', { name: 'wm-mock: one' }).waitFor();
    await panel.getByRole('link', { name: 'GET /tasks' }).waitFor();
    const other = await start({ tag: named });
    other.mock.fork({ id: 'other' });
    await other.page.reload();
    const framed = other.page.frameLocator('wm-mock-panel iframe');
    await framed.getByRole('heading', { name: 'wm-mock: other' }).waitFor();
    await framed.getByText('live').waitFor();
  });
});

describe('without leave', () => {
  test('says which flag is missing, in itself and in the console', async () => {
    const { page, lines } = await start({ allowed: false });
    await page.getByRole('button', { name: 'Open the wm-mock panel' }).click();
    const says = page.getByRole('status');
    await says
      .getByText(`Start it with --allow-origin ${pages.origin}, or createMock({ allowOrigins: ['${pages.origin}'] })`)
      .waitFor();
    expect(lines.filter((text) => text.startsWith('wm-mock panel: '))).toEqual([`wm-mock panel: ${await says.textContent()}`]);
  });

  test('says that the token is missing, and takes it from the tag', async () => {
    const { page } = await start({ token: 'sesame' });
    await page.getByRole('button', { name: 'Open the wm-mock panel' }).click();
    await page.getByText('Give it as data-token="…"').waitFor();
    const tag = (origin: string) => `<script src="${origin}/_mock/panel.js" data-token="sesame"></script>`;
    await openPanel((await start({ token: 'sesame', tag })).page);
  });

  test('the panel says that no mock responds', async () => {
    const { page, mock } = await start();
    await mock.close();
    await page.getByRole('button', { name: 'Open the wm-mock panel' }).click();
    await page.getByText('No mock responds at http://127.0.0.1').waitFor();
  });
});

test('no page may frame the dashboard, and only allowed ones the panel', async () => {
  const TOKEN = 'sesame';
  const { server, mock } = await start({ token: TOKEN });
  const framed = async (path: string, headers = {}) => {
    const site = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' };
    const response = await mock.app.fetch(new Request(`${server.origin}${path}`, { headers: { ...site, ...headers } }));
    const policy = response.headers.get('content-security-policy') ?? '';
    return [response.status, /frame-ancestors [^;]+/.exec(policy)?.[0], response.headers.get('x-frame-options')];
  };
  const cookie = `wm_mock_token_${server.port}=${TOKEN}`;
  expect(await framed(`/dashboard/panel?token=${TOKEN}`)).toEqual([200, `frame-ancestors 'self' ${pages.origin}`, null]);
  // A cookie that a signed-in person has does not open the panel of another page.
  expect((await framed('/dashboard/panel', { cookie }))[0]).toBe(401);
  for (const path of ['/dashboard/faults', '/', '/dashboard/login'])
    expect((await framed(path, { cookie, accept: 'text/html' }))[1] ?? "frame-ancestors 'none'").toBe("frame-ancestors 'none'");
});

describe('as a guest of the page', () => {
  test('has one global and one element, keeps keys to itself, and goes without a trace', async () => {
    const { page, server } = await start({ tag: () => '' });
    const globals = () => page.evaluate(() => Object.keys(globalThis).sort());
    const before = await globals();
    await page.evaluate('addEventListener("keydown", () => { document.title = "heard" })');
    await page.addScriptTag({ url: `${server.origin}/_mock/panel.js` });
    expect((await globals()).filter((name) => !before.includes(name))).toEqual(['wmMockPanel']);
    await page.addScriptTag({ url: `${server.origin}/_mock/panel.js` });
    expect(await page.locator('wm-mock-panel').count()).toBe(1);
    await openPanel(page);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    const button = page.getByRole('button', { name: 'Open the wm-mock panel' });
    expect(await button.evaluate((one) => one.matches(':focus'))).toBe(true);
    expect(await page.title()).toBe('App');
    await page.evaluate('wmMockPanel.remove()');
    expect(await globals()).toEqual(before);
    expect(await page.content()).not.toContain('wm-mock-panel');
  });

  test('is imported as well, and stands once in the page, for the mock that its function names', async () => {
    const tag = (origin: string) =>
      `<script type="module">import { panel } from '/dist/assets/wm-mock-panel.js'; panel({ controlUrl: '${origin}/worlds/one/_mock' });</script>`;
    const { page, mock } = await start({ tag });
    mock.fork({ id: 'one' });
    const panel = await openPanel(page);
    await panel.getByRole('heading', { name: 'wm-mock: one' }).waitFor();
    expect(await page.locator('wm-mock-panel').count()).toBe(1);
  });

  test.each(['light', 'dark'] as const)('breaks no rule of axe in the %s theme, wide or narrow', async (colorScheme) => {
    const { page, ask, mock } = await start({ colorScheme });
    mock.faults.add({ match: { path: '/teams' }, effect: { status: 503 } });
    mock.choose({ 'patch-status': '202' });
    for (const path of ['/tasks?limit=5', '/tasks/none', '/tasks?nothing=1', '/teams']) await ask(path);
    const panel = await openPanel(page);
    await panel.getByRole('link', { name: 'GET /teams' }).waitFor();
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 860 });
      expect(await axeIn(page)).toEqual([]);
    }
  });
});

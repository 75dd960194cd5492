// The whole mock in a real Chromium, with no server: cut off, reloaded, its worker killed, and still the same.
import { readFile } from 'node:fs/promises';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium, type Pages, servePages } from '../test/pages.ts';
import { transcriptOf, transcriptOfNode } from '../test/transcript.ts';
import type { RegisteredMock, RegisterOptions } from './register.ts';

declare global {
  interface Window {
    mock: RegisteredMock;
    ask(
      method: string,
      path: string,
      body?: object,
      key?: string,
    ): Promise<{ status: number; headers: [string, string][]; text: string }>;
    begin(options: RegisterOptions): Promise<unknown>;
  }
}

const HTML = `<!doctype html><title>page</title><script type="module">
  import { register } from '/dist/assets/wm-mock-register.js';
  window.begin = async (options) => {
    window.mock = await register(options);
    return { baseUrl: window.mock.baseUrl, controlUrl: window.mock.controlUrl, keys: window.mock.keys.length };
  };
  window.ask = async (method, path, body, key = 'wm_acme_admin') => {
    const headers = { authorization: 'Bearer ' + key, ...(body ? { 'content-type': 'application/json' } : {}) };
    const url = path.startsWith('/_mock') ? window.mock.controlUrl + path.slice(6) : window.mock.baseUrl + path;
    const answer = await fetch(url, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
    return { status: answer.status, headers: [...answer.headers], text: await answer.text() };
  };
</script>`;

const OPTIONS = { seed: '/demo.yaml', now: '2025-01-20T09:00:00Z' };

let browser: Browser;
let pages: Pages;
let context: BrowserContext;
let page: Page;

const served = async () =>
  servePages({
    '/': HTML,
    '/demo.yaml': await readFile('fixtures/demo.yaml', 'utf8'),
    '/broken.yaml': 'workspaces: [{ id: 5 }]',
    '/wm-mock-worker.js': await readFile('dist/assets/wm-mock-worker.js', 'utf8'),
  });

const opened = async (options: RegisterOptions = OPTIONS): Promise<Page> => {
  const fresh = await context.newPage();
  await fresh.goto(`${pages.origin}/`);
  await fresh.waitForFunction(() => 'begin' in window);
  await fresh.evaluate((given) => window.begin(given), options);
  return fresh;
};

const ask = (method: string, path: string, body?: object, key?: string) =>
  page.evaluate(([m, p, b, k]) => window.ask(m as string, p as string, b as object, k as string), [
    method,
    path,
    body,
    key,
  ] as const);

const json = async (method: string, path: string, body?: object) => JSON.parse((await ask(method, path, body)).text);

/** Ends the worker as the browser does when it has been idle. */
const killWorker = async () => {
  const session = await context.newCDPSession(page);
  await session.send('ServiceWorker.enable');
  await session.send('ServiceWorker.stopAllWorkers');
  await session.detach();
};

beforeAll(async () => {
  browser = await launchChromium();
  pages = await served();
  context = await browser.newContext();
  page = await opened();
});
afterAll(async () => {
  await browser?.close();
  await pages?.close();
});

test('a page without a bundler has the mock after one call, and nothing of it comes over the network', async () => {
  const { status, text } = await ask('GET', '/tasks?limit=2');
  expect(status).toBe(200);
  expect(JSON.parse(text).items).toHaveLength(2);
  expect(pages.asked.filter((path) => path.startsWith('/v1') || path.startsWith('/_mock'))).toEqual([]);
});

test('what a page has changed is there after its worker was killed and the page reloaded with the network cut', async () => {
  const made = await json('POST', '/projects', { name: 'Outlives its worker' });
  const before = await json('GET', '/_mock/requests');
  await killWorker();
  expect((await json('GET', `/projects/${made.data.id}`)).data.name).toBe('Outlives its worker');
  expect((await json('GET', '/_mock/requests')).items.slice(0, -1)).toEqual(before.items);
  await context.setOffline(true);
  expect((await json('GET', `/projects/${made.data.id}`)).data.name).toBe('Outlives its worker');
  await killWorker();
  expect((await json('GET', `/projects/${made.data.id}`)).data.name).toBe('Outlives its worker');
  await context.setOffline(false);
  await page.reload();
  await page.waitForFunction(() => 'begin' in window);
  await page.evaluate((given) => window.begin(given), OPTIONS);
  expect((await json('GET', `/projects/${made.data.id}`)).data.name).toBe('Outlives its worker');
});

test('the session of 300 requests answers with the same bytes as in Node, its worker killed twenty times on the way', async () => {
  const node = await transcriptOfNode();
  page = await opened(OPTIONS);
  expect((await ask('POST', '/_mock/reset')).status).toBe(200);
  let asked = 0;
  const seen = await transcriptOf(async (...words) => {
    asked += 1;
    if (asked % 15 === 8) await killWorker();
    return ask(...words);
  });
  expect(node).toHaveLength(300);
  expect(seen).toEqual(node);
}, 120_000);

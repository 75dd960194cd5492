// The reference page and calls of a page of another origin, in a real Chromium.
import { readFile } from 'node:fs/promises';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeIn } from '../test/browser.ts';
import { launchChromium, type Pages, servePages } from '../test/pages.ts';
import { createMock, type Mock, type Server } from './index.ts';

let browser: Browser;
let mock: Mock;
let server: Server;
let elsewhere: Pages;

beforeAll(async () => {
  browser = await launchChromium();
  const docsScript = () => readFile('node_modules/@scalar/fastify-api-reference/dist/js/standalone.js', 'utf8');
  mock = await createMock({ seed: 'fixtures/tiny.yaml', docsScript });
  server = await mock.listen({ port: 0 });
  elsewhere = await servePages({ '/': '<title>app</title>' });
});
afterAll(async () => {
  await browser?.close();
  await mock?.close();
  await elsewhere?.close();
});

test('the page at /docs sends requests with a key that is filled in, and loads nothing from elsewhere', async () => {
  const page = await browser.newPage();
  const urls: string[] = [];
  page.on('request', (request) => urls.push(request.url()));
  await page.goto(`${server.origin}/docs`);
  await page.getByRole('button', { name: 'Test Request (get /projects)' }).first().click();
  await page.getByRole('button', { name: /^Send/ }).first().click();
  await page.getByText('200 OK').first().waitFor();
  expect(await page.getByRole('link', { name: 'Dashboard' }).getAttribute('href')).toBe('/');
  expect(urls.filter((url) => ![server.origin, 'data:', 'blob:'].some((start) => url.startsWith(start)))).toEqual([]);
  await page.close();
});

test.each(['light', 'dark'] as const)('the text of /docs has contrast and scrolls only down, in %s', async (colorScheme) => {
  const page = await browser.newPage({ colorScheme, bypassCSP: true, viewport: { width: 1024, height: 860 } });
  await page.goto(`${server.origin}/docs`);
  await page
    .getByRole('button', { name: /^Test Request/ })
    .first()
    .waitFor();
  // The rest is up to Scalar.
  expect(await axeIn(page, { runOnly: { type: 'rule', values: ['color-contrast', 'region', 'bypass'] } })).toEqual([]);
  for (const width of [1024, 390]) {
    await page.setViewportSize({ width, height: 860 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
  }
  await page.close();
});

test('a page of another origin may call the service and read its rate-limit headers', async () => {
  const page = await browser.newPage();
  await page.goto(`${elsewhere.origin}/`);
  const seen = await page.evaluate(
    async ([base, key]) => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      const made = await fetch(`${base}/projects`, { method: 'POST', headers, body: '{"name":"From a page"}' });
      const refused = await fetch(`${base}/projects`);
      return [made.status, made.headers.get('x-ratelimit-remaining'), refused.status, refused.headers.get('x-ratelimit-limit')];
    },
    [server.baseUrl, 'wm_tiny_write'],
  );
  expect(seen).toEqual([201, '998', 401, '300']);
  await page.close();
});

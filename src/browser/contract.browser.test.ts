// The contract suite, run by a page of a real Chromium against the mock in its service worker.
import { readFile } from 'node:fs/promises';
import type { Browser } from 'playwright-core';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeIn } from '../test/browser.ts';
import { launchChromium, type Pages, servePages } from '../test/pages.ts';

const HTML = `<!doctype html><title>suite</title><script type="module">
  import { register } from '/wm-mock-register.js';
  import { runInPage, terminal } from '/suite.js';
  window.mock = await register({ seed: '/demo.yaml', now: '2025-01-20T09:00:00Z' });
  window.suite = async (options) => {
    const receive = (urlStart, handle) => mock.receive(urlStart, handle);
    const report = await runInPage({ ...options, baseUrl: mock.baseUrl, controlUrl: mock.controlUrl, keys: {}, receive });
    return { report, text: terminal(report) };
  };
</script>`;

interface Report {
  readonly verdict: string;
  readonly failures: readonly string[];
  readonly requests: number;
  readonly requirements: readonly { readonly id: string; readonly status: string; readonly reason?: string }[];
}

let browser: Browser;
let pages: Pages;

/** The suite as one module that a page can load. */
const bundled = async (): Promise<string> => {
  const bundle = await rolldown({
    input: 'contract-tests/page.ts',
    platform: 'browser',
    tsconfig: 'contract-tests/tsconfig.json',
  });
  const { output } = await bundle.generate({ format: 'esm', codeSplitting: false });
  await bundle.close();
  return output[0].code;
};

beforeAll(async () => {
  browser = await launchChromium();
  pages = await servePages({
    '/': HTML,
    '/suite.js': await bundled(),
    '/demo.yaml': await readFile('fixtures/demo.yaml', 'utf8'),
    '/wm-mock-worker.js': await readFile('dist/assets/wm-mock-worker.js', 'utf8'),
    '/wm-mock-register.js': await readFile('dist/assets/wm-mock-register.js', 'utf8'),
  });
});
afterAll(async () => {
  await browser?.close();
  await pages?.close();
});

/** Runs the suite in a page that the network was cut off from. @param fault is ordered first. */
const runSuite = async (options: object, fault?: object): Promise<{ report: Report; text: string }> => {
  const { readRegister } = (await import(new URL('../../dist/contract-tests/engine/register.js', import.meta.url).href)) as {
    readRegister(): readonly object[];
  };
  const document = JSON.parse(await readFile('openapi/openapi.json', 'utf8')) as object;
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${pages.origin}/`);
  await page.waitForFunction(() => 'suite' in window);
  await context.setOffline(true);
  const offlineFrom = pages.paths.length;
  const found = await page.evaluate(
    async ([given, ordered]) => {
      const body = JSON.stringify(ordered);
      if (ordered) await fetch('/_mock/faults', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
      return (window as unknown as { suite(o: unknown): Promise<{ report: Report; text: string }> }).suite(given);
    },
    [{ register: readRegister(), document, ...options }, fault] as const,
  );
  expect(pages.paths.slice(offlineFrom)).toEqual([]);
  await context.close();
  return found;
};

test('the contract suite passes against the service worker from inside the browser, the network cut', async () => {
  const { report, text } = await runSuite({});
  process.stdout.write(text);
  expect(report.failures).toEqual([]);
  expect(report.requirements.filter(({ status }) => status === 'skipped' || status === 'blocked')).toEqual([]);
  expect(report.verdict).toBe('conformant');
}, 300_000);

test('the suite in the page fails when a fault is ordered from the mock, and its report breaks no rule of axe', async () => {
  const { report } = await runSuite({ only: ['tasks/'] }, { match: { operation: 'updateTask' }, effect: { status: 500 } });
  expect(report.failures.length).toBeGreaterThan(0);
  expect(report.verdict).toBe('violations');
  const at = new URL('../../dist/contract-tests/report/html.js', import.meta.url).href;
  const { html } = (await import(at)) as { html(report: Report): string };
  const page = await browser.newPage();
  await page.setContent(html(report));
  for (const [colorScheme, width] of [
    ['light', 1280],
    ['dark', 1280],
    ['light', 390],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 860 });
    expect(await axeIn(page), `the report in ${colorScheme} at ${width}`).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
  }
}, 300_000);

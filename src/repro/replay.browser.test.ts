// A repro file is repeated in a real Chromium as it is in Node.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMock } from '../mock/create.ts';
import type { Replayed } from '../mock/replay.ts';
import { launchChromium, type Pages, servePages } from '../test/pages.ts';

const PAGE = `<!doctype html><title>page</title>
<script type="module">
  import { replay } from '/dist/index.js';
  window.replay = replay;
</script>`;

let pages: Pages;
beforeAll(async () => {
  pages = await servePages({ '/': PAGE });
});
afterAll(() => pages.close());

test('what came into a mock in Node is repeated to the byte in Chromium', async () => {
  const outcome = { kind: 'response', status: 500, took: 3 } as const;
  const mock = await createMock({ seed: 'demo', record: true, sender: async () => outcome });
  const headers = { ...mock.auth('admin'), 'content-type': 'application/json' };
  const post = (path: string, body: object) => mock.fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
  await post('/webhooks', { url: 'http://127.0.0.1:9/hook', events: ['project.created'] });
  for (let i = 0; i < 20; i++) await post('/projects', { name: `Project ${i}` });
  await mock.webhooks.settled();
  await mock.clock.advance('1h');
  mock.fork();
  await mock.fetch('/nowhere');
  const repro = await mock.save();
  await mock.close();
  const browser = await launchChromium();
  const page = await browser.newPage();
  await page.goto(pages.origin);
  await page.waitForFunction(() => 'replay' in window);
  type Window = typeof globalThis & { replay(text: string): Promise<Replayed> };
  const played = await page.evaluate((text) => (window as unknown as Window).replay(text), JSON.stringify(repro));
  await browser.close();
  expect(played).toEqual({ steps: repro.steps.length });
}, 60_000);

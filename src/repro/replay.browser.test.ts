// A repro file is repeated in a real Chromium as it is in Node.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMock } from '../mock/create.ts';
import type { Replayed } from '../mock/replay.ts';
import { launchChromium, type Pages, servePages } from '../test/pages.ts';
import { session, sessionsOf } from '../test/sessions.ts';

const PAGE = `<!doctype html><title>page</title>
<script type="module">
  import { replay } from '/dist/index.js';
  window.replay = replay;
</script>`;

type Window = typeof globalThis & { replay(text: string): Promise<Replayed> };

let pages: Pages;
let browser: Awaited<ReturnType<typeof launchChromium>>;
beforeAll(async () => {
  pages = await servePages({ '/': PAGE });
  browser = await launchChromium();
});
afterAll(async () => {
  await browser.close();
  await pages.close();
});

const playedInChromium = async (texts: readonly string[]): Promise<Replayed[]> => {
  const page = await browser.newPage();
  await page.goto(pages.origin);
  await page.waitForFunction(() => 'replay' in window);
  const played: Replayed[] = [];
  for (const text of texts) played.push(await page.evaluate((one) => (window as unknown as Window).replay(one), text));
  await page.close();
  return played;
};

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
  expect(await playedInChromium([JSON.stringify(repro)])).toEqual([{ steps: repro.steps.length }]);
}, 60_000);

const [SESSIONS, STEPS] = sessionsOf('4x60');

test(
  'sessions of chance are repeated to the byte in Chromium',
  async () => {
    for (let seed = 1; seed <= SESSIONS; seed++) {
      const { repro, others } = await session(seed, STEPS);
      const files = [repro, ...others];
      const played = await playedInChromium(files.map((one) => JSON.stringify(one)));
      expect(played, `session ${seed}`).toEqual(files.map(({ steps }) => ({ steps: steps.length })));
    }
  },
  SESSIONS * 20_000,
);

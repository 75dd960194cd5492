// A repro file is repeated in a real Chromium as it is in Node.
import { execFile } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMock } from '../../create-mock.ts';
import type { Replayed } from '../../replay.ts';
import { launchChromium, type Pages, servePages } from '../../test/pages.ts';
import { session, sessionsOf } from '../../test/sessions.ts';

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

const REPLAY = `
import { readFileSync } from 'node:fs';
import { replay } from './dist/index.js';
const played = [];
for (const text of JSON.parse(readFileSync(0, 'utf8'))) played.push(await replay(text));
process.stdout.write(JSON.stringify(played));
`;

const playedInAnotherProcess = (texts: readonly string[]): Promise<Replayed[]> =>
  new Promise((resolve, reject) => {
    const args = ['--input-type=module', '-e', REPLAY];
    const child = execFile(process.execPath, args, { maxBuffer: 1e9 }, (error, stdout) =>
      error ? reject(error) : resolve(JSON.parse(stdout) as Replayed[]),
    );
    child.stdin!.end(JSON.stringify(texts));
  });

const { seeds, steps } = sessionsOf('4x60');

test.each(seeds)(
  'session %i of chance is repeated to the byte in another process and in Chromium',
  async (seed) => {
    const { repro, others } = await session(seed, steps);
    const files = [repro, ...others];
    const texts = files.map((one) => JSON.stringify(one));
    const same = files.map((file) => ({ steps: file.steps.length }));
    expect(await playedInAnotherProcess(texts), 'in another process').toEqual(same);
    expect(await playedInChromium(texts), 'in Chromium').toEqual(same);
  },
  120_000,
);

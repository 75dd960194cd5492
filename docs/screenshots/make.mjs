// `npm run screenshots`: the pictures that README.md and docs/dashboard.md show, from a fixed seed and clock, into docs/screenshots/.
// `--all --to <folder>`: every page in every look, to judge a change of the style.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { findChromium } from '../../.ci/browser.mjs';
import { createMock } from '../../dist/node/index.js';
import { stir } from '../../src/test/traffic.mjs';
import { addresses } from './pages.mjs';

const { values } = parseArgs({ options: { all: { type: 'boolean' }, to: { type: 'string', default: 'docs/screenshots' } } });
/** The address that the pictures show, whichever port is free. */
const SHOWN = 'http://127.0.0.1:4700';
const WIDE = { width: 1280, height: 860 };
const NARROW = { width: 390, height: 844 };
/** Longer pages are cut: nobody scrolls a picture. */
const TALLEST = 1300;
/** A picture of more weighs too much for a repository, bytes. */
const MOST_BYTES = 300_000;

const mock = await createMock({ seed: 'fixtures/demo.yaml', now: '2025-01-20T09:00:00Z' });
const server = await mock.listen({ port: 0 });
await stir((path, init) => mock.app.fetch(new Request(SHOWN + path, init)));
const browser = await chromium.launch({
  executablePath: findChromium(),
  args: [
    '--no-sandbox',
    '--disable-background-networking',
    '--font-render-hinting=none',
    `--host-resolver-rules=MAP 127.0.0.1:4700 127.0.0.1:${server.port}`,
  ],
});

const picture = async (page, name) => {
  const full = await page.evaluate('document.documentElement.scrollHeight');
  const { width, height } = page.viewportSize();
  await page.setViewportSize({ width, height: Math.min(TALLEST, Math.max(height, full)) });
  const png = await page.screenshot({ animations: 'disabled', caret: 'hide' });
  writeFileSync(`${values.to}/${name}.png`, png);
  console.log(`${name.padEnd(34)} ${String(Math.round(png.length / 1000)).padStart(4)} kB`);
  return png.length <= MOST_BYTES ? [] : [name];
};

const LOOKS = [
  ['light', 'light', WIDE],
  ['dark', 'dark', WIDE],
  ['narrow', 'light', NARROW],
];
/** A test of an app with the wrong key. */
const FAILING = `import { expect, extendTest } from '${join(import.meta.dirname, '../../dist/node/vitest.js')}';
const test = extendTest({ seed: 'demo', now: '2025-01-20T09:00:00Z' });
test('moves a task to done', async ({ mock }) => {
  const headers = { ...mock.auth('read'), 'content-type': 'application/json' };
  await mock.fetch('/tasks/' + mock.read.tasks()[0].id, { method: 'PATCH', headers, body: '{"status":"done"}' });
  expect(mock).toHaveReceived({ operation: 'updateTask', status: 200 });
});`;
const failedTest = () => {
  mkdirSync('coverage', { recursive: true });
  const folder = mkdtempSync('coverage/failing-');
  writeFileSync(`${folder}/vitest.config.mjs`, 'export default {};');
  writeFileSync(`${folder}/app.test.mjs`, FAILING);
  spawnSync('npx', ['vitest', 'run', '--root', '.'], { cwd: folder });
  const [page] = readdirSync(`${folder}/wm-mock-failures`).filter((name) => name.endsWith('.html'));
  return { folder, url: `file://${join(process.cwd(), folder, 'wm-mock-failures', page)}` };
};

const heavy = [];
try {
  const shown = readFileSync('docs/dashboard.md', 'utf8');
  mkdirSync(values.to, { recursive: true });
  for (const file of readdirSync(values.to).filter((name) => name.endsWith('.png'))) rmSync(`${values.to}/${file}`);
  for (const { name, path } of await addresses()) {
    for (const [ending, colorScheme, viewport] of LOOKS) {
      if (!values.all && !shown.includes(`screenshots/${name}-${ending}.png`)) continue;
      const context = await browser.newContext({ colorScheme, viewport, reducedMotion: 'reduce' });
      const page = await context.newPage();
      await page.goto(SHOWN + path);
      await page.locator('[data-live-state="live"]').waitFor();
      heavy.push(...(await picture(page, `${name}-${ending}`)));
      await context.close();
    }
  }
  const { folder, url } = failedTest();
  const page = await browser.newPage({ colorScheme: 'light', viewport: WIDE });
  await page.goto(url);
  await page.screenshot({ path: `${values.to}/failed-test.png` });
  rmSync(folder, { recursive: true });
} finally {
  await browser.close();
  await mock.close();
}
if (heavy.length > 0) {
  console.error(`Above ${MOST_BYTES / 1000} kB: ${heavy.join(', ')}`);
  process.exitCode = 1;
}

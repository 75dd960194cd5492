// `npm run screenshots`: the pictures that docs/dashboard.md shows, from a fixed seed and clock, into docs/screenshots/.
// `--all --to <folder>`: every page in every look, to judge a change of the style.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
} finally {
  await browser.close();
  await mock.close();
}
if (heavy.length > 0) {
  console.error(`Above ${MOST_BYTES / 1000} kB: ${heavy.join(', ')}`);
  process.exitCode = 1;
}

// Each published entry has a limit for the bytes of all that it loads at once, so that no import brings the mock where it is not needed;
// and so has the package without the page at /docs, packed.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Kilobytes, some five in a hundred above the size when the limit was set. */
const LIMITS = {
  'node/cli.js': 1,
  'connect/index.js': 12,
  'assets/wm-mock-panel.js': 22,
  'index.js': 545,
  'node/index.js': 620,
  'testing/index.js': 565,
  'node/jest.js': 565,
  'contract-tests/vitest.js': 640,
  'testing/msw.js': 570,
  'testing/vitest-browser.js': 580,
  'browser/index.js': 600,
  'hosted/index.js': 585,
  'node/client.js': 695,
  'node/vitest.js': 680,
  'node/playwright.js': 710,
  'assets/wm-mock-worker.js': 720,
};

const leavesOf = (paths) => (typeof paths === 'string' ? [paths] : Object.values(paths).flatMap(leavesOf));
const { bin, exports } = JSON.parse(readFileSync('package.json', 'utf8'));
const entries = [...new Set([bin, exports].flatMap(leavesOf).flatMap((path) => /dist\/(.+\.js)$/.exec(path)?.[1] ?? []))];
const IMPORT = /(?:^|[;\n}])\s*(?:import|export)\s*(?:[\w*{}\s,$]+?\s*from\s*)?["'](\.[^"']+)["']/g;

/** The entry and every file that it imports, directly or not; what a call imports later is no part of it. */
const closureOf = (entry) => {
  const files = new Set([join('dist', entry)]);
  for (const file of files)
    for (const [, name] of readFileSync(file, 'utf8').matchAll(IMPORT)) files.add(join(dirname(file), name));
  return [...files];
};

const without = entries.filter((entry) => !(entry in LIMITS));
if (without.length > 0) throw new Error(`no limit for ${without.join(', ')}`);
if (!existsSync('dist/index.js')) throw new Error('dist is not there: run npm run build first');
if (closureOf('node/index.js').length < 3) throw new Error('the imports of an entry are not followed');

export default Object.entries(LIMITS).map(([entry, kilobytes]) => ({
  name: entry,
  path: closureOf(entry),
  limit: `${kilobytes} kB`,
  brotli: false,
}));

// Each published entry has a limit for the bytes of all that it loads at once, so that no import brings the mock where it is not needed.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

/** Kilobytes, some five in a hundred above the size when the limit was set. */
const LIMITS_KB: Readonly<Record<string, number>> = {
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
  'node/race.js': 640,
  'node/matrix.js': 645,
  'node/vitest.js': 680,
  'node/playwright.js': 710,
  'assets/wm-mock-worker.js': 720,
};

type Paths = string | { readonly [condition: string]: Paths };
const leavesOf = (paths: Paths): readonly string[] =>
  typeof paths === 'string' ? [paths] : Object.values(paths).flatMap(leavesOf);

const { bin, exports } = JSON.parse(readFileSync('package.json', 'utf8')) as { bin: Paths; exports: Paths };
const entries = [...new Set([bin, exports].flatMap(leavesOf).flatMap((path) => /dist\/(.+\.js)$/.exec(path)?.[1] ?? []))];

const IMPORT = /(?:^|[;\n}])\s*(?:import|export)\s*(?:[\w*{}\s,$]+?\s*from\s*)?["'](\.[^"']+)["']/g;

/** The entry and every file that it imports, directly or not; what a call imports later is no part of it. */
const closureOf = (entry: string): ReadonlySet<string> => {
  const files = new Set([join('dist', entry)]);
  for (const file of files)
    for (const [, name] of readFileSync(file, 'utf8').matchAll(IMPORT)) files.add(join(dirname(file), name!));
  return files;
};

test('every published entry has a limit', () => expect(Object.keys(LIMITS_KB).sort()).toEqual([...entries].sort()));

test.each(entries)('%s loads no more than its limit', (entry) => {
  const files = [...closureOf(entry)];
  const bytes = files.reduce((sum, file) => sum + readFileSync(file).length, 0);
  expect(bytes / 1000, files.join('\n')).toBeLessThanOrEqual(LIMITS_KB[entry]!);
});

test('the closure of an entry is followed: the mock is a part of what Node loads', () =>
  expect([...closureOf('node/index.js')]).toContain(join('dist', 'chunks/mock.js')));

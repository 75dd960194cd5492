// How large the tree may be: lines by folder, the length of a function, and which made files are tracked.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { describe, expect, test } from 'vitest';

/** Hand-written lines of each folder of src, without tests. Raise one in a commit of its own that says why. */
const MAX_LINES: Readonly<Record<string, number>> = {
  service: 8_529,
  mock: 8_910,
  dashboard: 6_422,
  client: 2_584,
  connect: 244,
  hosted: 1_619,
  testing: 901,
  browser: 578,
  node: 7_525,
  root: 124,
};
const MAX_SOURCE_LINES = 37_436;
/** Tests with their helpers. */
const MAX_TEST_LINES = 32_889;
const MAX_OPENAPI_LINES = 8_700;

/** Made files that are tracked because people review them. */
const REVIEWED = /^(openapi\/|docs\/)/;

const linesOf = (file: string): number => readFileSync(file, 'utf8').split('\n').length - 1;
const sumOf = (files: readonly string[]): number => files.reduce((sum, file) => sum + linesOf(file), 0);

const files = (readdirSync('src', { recursive: true }) as string[])
  .map((file) => file.split(sep).join('/'))
  .filter((file) => /\.(m?ts|tsx|mjs)$/.test(file) && !file.endsWith('.generated.ts'));
const isTest = (file: string): boolean => /\.test\.tsx?$/.test(file) || file.startsWith('test/');
const folderOf = (file: string): string => (file.includes('/') ? file.split('/')[0]! : 'root');
const source = files.filter((file) => !isTest(file));
const inSource = (list: readonly string[]): string[] => list.map((file) => join('src', file));

describe('the lines of src', () => {
  test.each(Object.entries(MAX_LINES))('%s stays within %i lines', (folder, max) => {
    expect(sumOf(inSource(source.filter((file) => folderOf(file) === folder)))).toBeLessThanOrEqual(max);
  });

  test('every folder has a budget', () => {
    expect([...new Set(source.map(folderOf))].sort()).toEqual(Object.keys(MAX_LINES).sort());
  });

  test('source and tests stay within their totals', () => {
    expect(sumOf(inSource(source))).toBeLessThanOrEqual(MAX_SOURCE_LINES);
    expect(sumOf(inSource(files.filter(isTest)))).toBeLessThanOrEqual(MAX_TEST_LINES);
  });

  test('no function is longer than 60 lines', () => {
    const rule = '--only=complexity/noExcessiveLinesPerFunction';
    expect(() => execFileSync('node_modules/.bin/biome', ['lint', rule, 'src'], { stdio: 'pipe' })).not.toThrow();
  });
});

describe('tracked files', () => {
  const tracked = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).trim().split('\n');

  test('none says that it is generated, but those that people review', () => {
    const made = tracked.filter((file) => {
      if (REVIEWED.test(file) || !/\.(m?[jt]sx?|json|ya?ml|md|css)$/.test(file)) return false;
      return /^\W*generated (by|from) /i.test(readFileSync(file, 'utf8').slice(0, 200));
    });
    expect(made).toEqual([]);
    expect(tracked.filter((file) => file.includes('.generated.'))).toEqual([]);
  });

  test('openapi/ stays within its lines', () => {
    expect(sumOf(tracked.filter((file) => file.startsWith('openapi/')))).toBeLessThanOrEqual(MAX_OPENAPI_LINES);
  });
});

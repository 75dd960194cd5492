// The figures of docs/reliability.md are those that the tests and scripts work with.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { MAX_DELIVERIES } from './service/webhooks/deliveries.ts';
import { HOSTILE } from './test/hostile-requests.ts';

const section = readFileSync('docs/reliability.md', 'utf8');
const rows = section.split('\n').flatMap((line) => {
  const [, what, often, outcome, by] = /^\| ([^|]+) \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$/.exec(line) ?? [];
  return what && what !== 'tried' ? [{ what, often: often!, outcome: outcome!, by: by! }] : [];
});
const often = (what: RegExp): string => rows.find((row) => what.test(row.what))!.often;

/** The number that a source file gives a name, or has in a place. */
const given = (file: string, pattern: RegExp): number => Number(pattern.exec(readFileSync(file, 'utf8'))![1]!.replace('_', ''));

const FUZZ = 'src/mock/seed/fuzz.test.ts';
const HOSTILE_TEST = 'src/node/hostile.test.ts';

test.each<[RegExp, () => number]>([
  [/^hostile requests/, () => HOSTILE.flatMap(([, cases]) => cases).length],
  [/^connections that say nothing/, () => given(HOSTILE_TEST, /String\(server\.port\), '(\d+)'/)],
  [/^seed files/, () => given(FUZZ, /TEXTS = (\d+)/) + given(FUZZ, /OBJECTS = (\d+)/)],
  [/^random sequences/, () => given('.ci/nightly', /WM_MODEL_RUNS=(\d+)/)],
  [/^random lists/, () => given('.ci/nightly', /WM_LIST_QUERIES=(\d+)/)],
])('%s: how often is what the test does', (what, count) => {
  expect(often(what)).toBe(count().toLocaleString('en'));
});

test('minutes of load are what the command says, and what nightly does', () => {
  const { often: minutes, by } = rows.find(({ what }) => what.startsWith('minutes of mixed load'))!;
  const [long, nightly] = [Number(/--seconds (\d+)/.exec(by)![1]), given('.ci/nightly', /WM_SOAK_SECONDS:-(\d+)/)];
  expect(minutes).toBe(`${long / 60} (${nightly / 60} each night)`);
});

test('calls of raw bytes are what the script makes, and what nightly does', () => {
  const counts = [
    given('lab/fuzz.mjs', /calls: \{ type: 'string', default: '(\d+)'/),
    given('.ci/nightly', /fuzz\.mjs --hosted --calls (\d+)/),
  ];
  const [all, some] = counts.map((count) => count.toLocaleString('en'));
  expect(often(/^calls of raw bytes/)).toBe(`${all} (${some} on workerd)`);
});

test('each script of a row runs every night', () => {
  for (const { by } of rows)
    expect(readFileSync('.ci/nightly', 'utf8')).toContain(/`(?:node ((?:\.ci|lab)\/\S+\.mjs)|.*)/.exec(by)![1] ?? '');
});

test('each row names a file that is there', () => {
  expect(rows.length).toBeGreaterThan(5);
  for (const { by } of rows) expect(readFileSync(/`(?:node )?([^ `]+)/.exec(by)![1]!, 'utf8')).not.toBe('');
});

test('the bounds that it promises are those of the code', () => {
  expect(section).toContain(`${MAX_DELIVERIES.toLocaleString('en')} deliveries`);
});

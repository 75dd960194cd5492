// The judge is sound: its draw depends on the date alone, its score is in the README, argued faults exist.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { shipped } from '../engine/register.ts';
import { jobsOf } from '../judge/jobs.ts';
import { argued, drawn, floorOf, readScore, tableOf } from '../judge/score.ts';

test('a date draws the same faults each time, and another date others', async () => {
  const all = await jobsOf('fault');
  expect(drawn(all, 50, '2026-11-26')).toEqual(drawn(all, 50, '2026-11-26'));
  expect(drawn(all, 50, '2026-11-27')).not.toEqual(drawn(all, 50, '2026-11-26'));
});

test('the table of the README is made from the score', () => {
  expect(readFileSync(shipped('contract-tests/README.md')!, 'utf8')).toContain(tableOf(readScore()));
});

test('a draw may find as many as the score promises, less what chance explains', () => {
  expect(floorOf({ judged: 1000, found: 1000 }, 200)).toBe(200);
  expect(floorOf({ judged: 1000, found: 900 }, 100)).toBe(81);
});

test('every argued mutant is made by an operator, and most mutants are not argued', async () => {
  const all = await jobsOf('operator');
  const { tests, isArgued } = argued();
  expect(tests.filter((pattern) => !all.some(({ id }) => pattern.test(id)))).toEqual([]);
  expect(all.filter(isArgued).length).toBeLessThan(all.length / 100);
});

/** Tracked lines of the suite, and of its judge. Raise one in a commit of its own that says why. */
const MAX_LINES = { 'contract-tests': 33_179, 'contract-tests/judge': 8_318 } as const;

test.each(Object.entries(MAX_LINES))('%s stays within %i tracked lines', (folder, max) => {
  const files = execFileSync('git', ['ls-files', folder], {
    cwd: shipped('package.json')!.replace(/package\.json$/, ''),
    encoding: 'utf8',
  });
  const lines = files
    .split('\n')
    .filter((file) => file !== '')
    .reduce((sum, file) => sum + readFileSync(shipped(file)!, 'utf8').split('\n').length - 1, 0);
  expect(lines).toBeLessThanOrEqual(max);
});

// Over months: what has changed since the last report of the same folder.
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { terminal } from '../run.ts';
import { freshFolder, PART, type RunOptions, runOn } from './runs.ts';

const folder = freshFolder();
const FAULT = ['has-more-on-exact'];
const NONE = { new: [], still: [], fixed: [], unjudged: [] };
const run = (faults: readonly string[], options: RunOptions = {}) =>
  runOn(faults, { reportDir: folder.path, only: PART, ...options });

test('the first report of a folder calls every violation new; the next says what is still there and fixed, and keeps the last', async () => {
  const first = await run([...FAULT, 'cursor-drops-filters']);
  expect(first.previous).toEqual({ ...NONE, new: first.failures });
  expect(existsSync(folder.at('report.previous.json'))).toBe(false);
  const { previous, failures } = await run([...FAULT, 'patch-unchecked']);
  expect(previous).toMatchObject({ started_at: first.started_at, target: first.target, still: ['WM-META-013'] });
  expect(previous.new).toEqual(failures.filter((id) => !first.failures.includes(id)));
  expect([...previous.fixed].sort()).toEqual(first.failures.filter((id) => id !== 'WM-META-013').sort());
  expect(previous.fixed.length * previous.new.length).toBeGreaterThan(0);
  expect(folder.report('report.previous.json')).toEqual(JSON.parse(JSON.stringify(first)));
});

test('a run of another base URL or release is not compared with', async () => {
  await run(FAULT);
  const elsewhere = await run([], { baseUrl: 'http://127.0.0.1:8080/v1' });
  expect([elsewhere.previous, folder.report().previous]).toEqual([NONE, NONE]);
  expect(terminal(elsewhere)).not.toContain('since the last run');
  await run(FAULT);
  const { previous, failures } = await run(FAULT, { release: '1.2' });
  expect(failures).toContain('WM-META-013');
  expect(previous).toEqual({ ...NONE, new: failures });
  expect((await run([], { release: '1.2' })).previous.fixed).toContain('WM-META-013');
});

test('a violation that the next run does not judge is not forgotten', async () => {
  await run(FAULT);
  expect((await run([], { only: ['WM-LIST-008'] })).previous).toMatchObject({ fixed: [], unjudged: ['WM-META-013'] });
  expect((await run(FAULT)).previous).toMatchObject({ new: [], still: ['WM-META-013'] });
});

test('a report of an older version, and what is no report, do no harm', async () => {
  const requirements = [{ id: 'WM-META-013', status: 'failed' }];
  writeFileSync(folder.at('report.json'), JSON.stringify({ verdict: 'violations', requirements }));
  expect((await run([])).previous).toEqual({ ...NONE, fixed: ['WM-META-013'] });
  writeFileSync(folder.at('report.json'), 'no JSON');
  expect((await run([])).previous).toEqual(NONE);
});

test('a smaller profile keeps the choices that it does not see, and says from which run they are; another service does not', async () => {
  const full = await run([], { profile: 'full', allow: ['webhooks'], only: ['events/', 'deletion/'] });
  const before = parse(folder.read('choices.yaml'));
  const small = await run([], { profile: 'read-only', only: undefined });
  expect(Object.keys(small.choices).length).toBeLessThan(Object.keys(full.choices).length);
  expect(parse(folder.read('choices.yaml'))).toEqual({ ...before, ...small.choices });
  const kept = { choice: 'signature', value: before.signature, seen: full.started_at, profile: 'full' };
  expect(small.choices_kept).toContainEqual(kept);
  expect((await run([], { profile: 'read-only', only: undefined })).choices_kept).toContainEqual(kept);
  expect(folder.read('choices.yaml')).toMatch(
    new RegExp(`signature: .* # not seen by this run; seen by that of ${full.started_at}`),
  );
  const other = await run([], { baseUrl: 'https://production.test/v1', profile: 'read-only', only: undefined });
  expect(other.choices_kept).toEqual([]);
  expect(parse(folder.read('choices.yaml'))).toEqual(other.choices);
});

test('scripts of the last run do not stay, and a reader never meets half a report', async () => {
  await run(FAULT);
  expect(readdirSync(folder.at('failures'))).toEqual(['WM-META-013.sh']);
  await run([]);
  expect(readdirSync(folder.at('failures'))).toEqual([]);
  expect(readdirSync(folder.path).filter((name) => name.includes('.tmp'))).toEqual([]);
});

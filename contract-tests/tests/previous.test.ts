// Over months: what has changed since the last report of the same folder.
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { terminal } from '../run.ts';
import { freshFolder, runOn } from './runs.ts';
import { TestServer } from './test-server.ts';

const folder = freshFolder();
const run = (faults: readonly string[], options = {}) => runOn(faults, { reportDir: folder.path, ...options });

test('the first report of a folder calls every violation new', async () => {
  const { previous } = await run(['has-more-on-exact']);
  expect(previous).toEqual({ new: ['WM-META-013'], still: [], fixed: [], unjudged: [] });
  expect(existsSync(folder.at('report.previous.json'))).toBe(false);
});

test('the next says what is new, still there and fixed, and the last one is kept', async () => {
  const first = await run(['has-more-on-exact', 'no-isolation']);
  const { previous, failures } = await run(['has-more-on-exact', 'cursor-drops-filters']);
  expect(previous).toMatchObject({ started_at: first.started_at, target: first.target, still: ['WM-META-013'] });
  expect(previous.new).toEqual(failures.filter((id) => !first.failures.includes(id)));
  expect(previous.fixed).toEqual(first.failures.filter((id) => id !== 'WM-META-013'));
  expect(folder.report('report.previous.json')).toEqual(JSON.parse(JSON.stringify(first)));
});

test('a run of another base URL or release is not compared with', async () => {
  const none = { still: [], fixed: [], unjudged: [] };
  await run(['has-more-on-exact']);
  const elsewhere = await run([], { baseUrl: 'http://127.0.0.1:8080/v1' });
  expect(elsewhere.previous).toEqual({ new: [], ...none });
  expect(folder.report().previous).toEqual({ new: [], ...none });
  expect(terminal(elsewhere)).not.toContain('since the last run');
  await run(['has-more-on-exact']);
  const { previous, failures } = await run(['has-more-on-exact'], { release: '1.2' });
  expect(failures).toContain('WM-META-013');
  expect(previous).toEqual({ new: failures, ...none });
  expect((await run([], { release: '1.2' })).previous.fixed).toContain('WM-META-013');
});

test('a violation that the next run does not judge is not forgotten', async () => {
  await run(['has-more-on-exact']);
  expect((await run([], { only: ['WM-LIST-008'] })).previous).toMatchObject({ fixed: [], unjudged: ['WM-META-013'] });
  expect((await run(['has-more-on-exact'])).previous).toMatchObject({ new: [], still: ['WM-META-013'] });
});

test('a report of an older version, and what is no report, do no harm', async () => {
  const requirements = [{ id: 'WM-META-013', status: 'failed' }];
  writeFileSync(folder.at('report.json'), JSON.stringify({ verdict: 'violations', requirements }));
  expect((await run([])).previous).toEqual({ new: [], still: [], fixed: ['WM-META-013'], unjudged: [] });
  writeFileSync(folder.at('report.json'), 'no JSON');
  expect((await run([])).previous).toEqual({ new: [], still: [], fixed: [], unjudged: [] });
});

test('a smaller profile keeps the choices that it does not see, and says from which run they are', async () => {
  const full = await run([], { profile: 'full', allow: ['webhooks', 'slow'] });
  const before = parse(folder.read('choices.yaml'));
  const small = await run([], { profile: 'read-only' });
  expect(Object.keys(small.choices).length).toBeLessThan(Object.keys(full.choices).length);
  expect(parse(folder.read('choices.yaml'))).toEqual({ ...before, ...small.choices });
  const kept = { choice: 'signature', value: before.signature, seen: full.started_at, profile: 'full' };
  expect(small.choices_kept).toContainEqual(kept);
  expect((await run([], { profile: 'read-only' })).choices_kept).toContainEqual(kept);
  expect(folder.read('choices.yaml')).toMatch(
    new RegExp(`signature: .* # not seen by this run; seen by that of ${full.started_at}`),
  );
});

test('the choices of another service are not mixed in', async () => {
  await run([], { baseUrl: 'https://staging.test/v1' });
  const other = await run([], { baseUrl: 'https://production.test/v1', profile: 'read-only' });
  expect(other.choices_kept).toEqual([]);
  expect(parse(folder.read('choices.yaml'))).toEqual(other.choices);
});

test('scripts of the last run do not stay', async () => {
  await run(['has-more-on-exact']);
  expect(readdirSync(folder.at('failures'))).toEqual(['WM-META-013.sh']);
  await run([]);
  expect(readdirSync(folder.at('failures'))).toEqual([]);
});

test('a reader never meets half a report', async () => {
  const server = new TestServer({ limit: 5000 });
  await runOn(server, { reportDir: folder.path });
  expect(readdirSync(folder.path).filter((name) => name.includes('.tmp'))).toEqual([]);
});

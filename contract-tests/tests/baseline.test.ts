// Known deviations are in the report and do not fail the run, until they are mended or their day is over.
import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { checkedBaseline } from '../engine/baseline.ts';
import { readDocument } from '../engine/files.ts';
import { readRegister } from '../engine/register.ts';
import { exitStatus } from '../run.ts';
import { freshFolder, PART, type RunOptions, runOn } from './runs.ts';

const folder = freshFolder();
const entry = { requirement: 'WM-META-013', owner: 'Ada', reason: 'ticket 7', expires: '2999-12-31' };
const old = { ...entry, expires: '2020-01-01' };
const FAULT = ['has-more-on-exact'];
const BOTH = [...FAULT, 'cursor-drops-filters'];
const run = (faults: readonly string[], options: RunOptions) => runOn(faults, { only: PART, ...options });

test('a known deviation does not fail the run, and stays a violation; what was skipped fails one that must be complete', async () => {
  const report = await runOn(FAULT, { baseline: [entry] });
  expect([report.verdict, report.failures, exitStatus(report)]).toEqual(['violations', ['WM-META-013'], 0]);
  expect(report.baseline).toMatchObject({ known: [entry], new: [], fixed: [], expired: [], unjudged: [] });
  expect(exitStatus(report, true)).toBe(3);
});

test('a new violation fails the run', async () => {
  const report = await run(BOTH, { baseline: [entry] });
  expect(report.baseline.new.map(({ requirement }) => requirement)).toContain('WM-LIST-008');
  expect(exitStatus(report)).toBe(1);
});

test('an expired deviation is a violation again', async () => {
  const report = await run(FAULT, { baseline: [old] });
  expect(report.baseline).toMatchObject({ known: [], new: [], expired: [old] });
  expect(exitStatus(report)).toBe(1);
});

test('a fixed deviation is told, expired or not; one that the run did not judge is neither known nor fixed', async () => {
  const report = await run([], { baseline: [entry, old] });
  expect(report.baseline).toMatchObject({ known: [], new: [], fixed: [entry, old], expired: [] });
  const { baseline } = await runOn([], { baseline: [entry], only: ['WM-LIST-008'] });
  expect(baseline).toMatchObject({ known: [], fixed: [], unjudged: [entry] });
});

test('a text narrows a deviation to the violations whose message has it', async () => {
  const other = await run(FAULT, { baseline: [{ ...entry, contains: 'another message' }] });
  const [{ message }] = other.baseline.new as [{ message: string }];
  expect(exitStatus(other)).toBe(1);
  expect(exitStatus(await run(FAULT, { baseline: [{ ...entry, contains: message.slice(0, 12) }] }))).toBe(0);
});

test('a run that ends early is no success because its violations are known', async () => {
  const { requests } = await run(FAULT, {});
  let requestCount = 0;
  const report = await run(FAULT, {
    baseline: [entry],
    through: (next) => (url, init) => (requestCount++ < requests * 0.7 ? next(url, init) : Promise.reject(new TypeError('gone'))),
  });
  expect(report.baseline.known.map(({ requirement }) => requirement)).toEqual(['WM-META-013']);
  expect([report.error !== undefined, exitStatus(report)]).toEqual([true, 2]);
});

test('--bail passes over known deviations and ends at the first new one', async () => {
  const passed = async (options: RunOptions) =>
    (await run(FAULT, { baseline: [entry], ...options })).requirements.filter(({ status }) => status === 'passed').length;
  expect(await passed({ bail: true })).toBe(await passed({}));
  const both = await run(BOTH, { baseline: [entry] });
  const ended = await run(BOTH, { baseline: [entry], bail: true });
  expect(ended.requests).toBeLessThan(both.requests);
  expect(ended.requirements.some(({ status, reason }) => status === 'skipped' && reason === 'BAILED')).toBe(true);
});

test.each([
  ['nests without end', '- '.repeat(3000), 'it nests more than 100 levels deep'],
  ['is not UTF-8', Buffer.from('[\u00e9]', 'latin1'), 'it is not UTF-8; save it as UTF-8'],
  ['has a key twice', '- { requirement: a, requirement: b }', 'Map keys must be unique'],
])('a baseline that %s is refused with what is wrong', async (_, text, why) => {
  writeFileSync(folder.at('known.yaml'), text);
  await expect(run(FAULT, { baselineFile: folder.at('known.yaml') })).rejects.toThrow(`known.yaml cannot be read: ${why}`);
});

test("a run writes today's violations as a baseline that must be filled in", async () => {
  const file = folder.at('next.yaml');
  await run(FAULT, { writeBaseline: file, baseline: [{ ...entry, requirement: 'WM-LIST-008' }] });
  expect(parse(folder.read('next.yaml'))).toMatchObject([{ requirement: 'WM-META-013', owner: '', reason: '' }]);
  await expect(run(FAULT, { baselineFile: file })).rejects.toThrow('entry 1: owner is missing or empty');
  writeFileSync(file, folder.read('next.yaml').replace('owner: ""', 'owner: Ada').replace('reason: ""', 'reason: soon'));
  const report = await run(FAULT, { baselineFile: file });
  expect([exitStatus(report), report.baseline.known.length]).toEqual([0, 1]);
});

test.each([
  ['no list', { requirement: 'WM-META-013' }, 'is no list of known deviations'],
  ['an unknown requirement', [{ ...entry, requirement: 'WM-UNKNOWN' }], 'no requirement is named "WM-UNKNOWN"'],
  ['no day', [{ ...entry, expires: 'soon' }], 'expires is "soon": expected a day as YYYY-MM-DD'],
  ['a misspelt member', [{ ...entry, contain: 'x' }], '"contain" means nothing here'],
])('a baseline with %s is refused', (_what, parsed, message) => {
  expect(() => checkedBaseline(parsed, readRegister(), 'known.yaml')).toThrow(message);
});

test('a baseline that is not there is refused before the first request', async () => {
  const fetch = () => Promise.reject(new Error('asked'));
  await expect(runOn([], { baselineFile: folder.at('none.yaml'), fetch })).rejects.toThrow(
    /cannot be read: ENOENT.*--write-baseline/,
  );
});

test.skipIf(process.platform === 'win32')('a device without end is refused like a file that is too long', () =>
  expect(() => readDocument('/dev/zero')).toThrow('it has more than 64 MB'),
);

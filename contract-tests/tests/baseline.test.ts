// Known deviations: they stand in the report and do not fail the run, until somebody mends them or their day is over.
import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { checkedBaseline } from '../engine/baseline.ts';
import { readRegister } from '../engine/register.ts';
import { exitStatus } from '../run.ts';
import { freshFolder, runOn } from './runs.ts';
import { TestServer } from './test-server.ts';

const folder = freshFolder();
const entry = { requirement: 'WM-META-013', owner: 'Ada', reason: 'ticket 7', expires: '2999-12-31' };
const FAULT = ['has-more-on-exact'];

test('a known deviation does not fail the run, and stays a violation', async () => {
  const report = await runOn(FAULT, { baseline: [entry] });
  expect([report.verdict, report.failures, exitStatus(report)]).toEqual(['violations', ['WM-META-013'], 0]);
  expect(report.baseline).toMatchObject({ known: [entry], new: [], fixed: [], expired: [], unjudged: [] });
});

test('with known deviations alone, a skipped requirement fails a run that must be complete', async () => {
  expect(exitStatus(await runOn(FAULT, { baseline: [entry] }), true)).toBe(3);
});

test('a new violation fails the run', async () => {
  const report = await runOn([...FAULT, 'cursor-drops-filters'], { baseline: [entry] });
  expect(report.baseline.new.map(({ requirement }) => requirement)).toContain('WM-LIST-008');
  expect(exitStatus(report)).toBe(1);
});

test('an expired deviation is a violation again', async () => {
  const old = { ...entry, expires: '2020-01-01' };
  const report = await runOn(FAULT, { baseline: [old] });
  expect(report.baseline).toMatchObject({ known: [], new: [], expired: [old] });
  expect(exitStatus(report)).toBe(1);
});

test('a fixed deviation is told, whether it has expired or not', async () => {
  const old = { ...entry, expires: '2020-01-01' };
  const report = await runOn([], { baseline: [entry, old] });
  expect(report.baseline).toMatchObject({ known: [], new: [], fixed: [entry, old], expired: [] });
});

test('a deviation that the run did not judge is neither known nor fixed', async () => {
  const report = await runOn([], { baseline: [entry], only: ['WM-LIST-008'] });
  expect(report.baseline).toMatchObject({ known: [], fixed: [], unjudged: [entry] });
});

test('a text narrows a deviation to the violations whose message has it', async () => {
  const other = await runOn(FAULT, { baseline: [{ ...entry, contains: 'another message' }] });
  const [{ message }] = other.baseline.new as [{ message: string }];
  expect(exitStatus(other)).toBe(1);
  expect(exitStatus(await runOn(FAULT, { baseline: [{ ...entry, contains: message.slice(0, 12) }] }))).toBe(0);
});

test('a run that ends early is no success because its violations are known', async () => {
  let asked = 0;
  const server = new TestServer({ faults: FAULT, limit: 5000 });
  const fetch = (url: string, init?: RequestInit) =>
    asked++ < 140 ? server.fetch(url, init) : Promise.reject(new TypeError('gone'));
  const report = await runOn(server, { baseline: [entry], fetch });
  expect(report.baseline.known.map(({ requirement }) => requirement)).toEqual(['WM-META-013']);
  expect([report.error !== undefined, exitStatus(report)]).toEqual([true, 2]);
});

test('--bail passes over known deviations and ends at the first new one', async () => {
  const known = await runOn(FAULT, { baseline: [entry], bail: true });
  expect(known.requirements.filter(({ status }) => status === 'passed').length).toBeGreaterThan(200);
  const faults = [...FAULT, 'cursor-drops-filters'];
  const both = await runOn(faults, { baseline: [entry] });
  const ended = await runOn(faults, { baseline: [entry], bail: true });
  expect(ended.requests).toBeLessThan(both.requests);
  expect(ended.requirements.some(({ status, reason }) => status === 'skipped' && reason === 'BAILED')).toBe(true);
});

test("a run writes today's violations as a baseline that must be filled in", async () => {
  const file = folder.at('next.yaml');
  await runOn(FAULT, { writeBaseline: file, baseline: [{ ...entry, requirement: 'WM-LIST-008' }] });
  const written = parse(folder.read('next.yaml'));
  expect(written).toMatchObject([{ requirement: 'WM-META-013', owner: '', reason: '' }]);
  await expect(runOn(FAULT, { baselineFile: file })).rejects.toThrow('entry 1: owner is missing or empty');
  writeFileSync(file, folder.read('next.yaml').replace('owner: ""', 'owner: Ada').replace('reason: ""', 'reason: soon'));
  const report = await runOn(FAULT, { baselineFile: file });
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

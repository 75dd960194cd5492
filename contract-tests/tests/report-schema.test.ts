// report.schema.json describes what a report holds, and all of it.
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { shipped } from '../engine/register.ts';
import { freshFolder, runOn } from './runs.ts';

const folder = freshFolder();
type Schema = { [key: string]: unknown };
const schema = JSON.parse(readFileSync(shipped('contract-tests/report.schema.json')!, 'utf8')) as Schema;

/** The schema without room for members that it does not describe. */
const closed = (node: unknown): unknown => {
  if (Array.isArray(node)) return node.map(closed);
  if (typeof node !== 'object' || node === null) return node;
  const inner = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, closed(value)]));
  return 'properties' in inner && !('additionalProperties' in inner) ? { ...inner, additionalProperties: false } : inner;
};

const faults = (): unknown => {
  const ajv = new Ajv2020({ allErrors: true, validateFormats: false });
  const validate = ajv.compile(closed(schema) as Schema);
  validate(folder.report());
  return validate.errors ?? [];
};

const entry = { requirement: 'WM-META-013', owner: 'Ada', reason: 'ticket 7', expires: '2999-12-31' };
const deviations = [
  entry,
  { ...entry, requirement: 'WM-EP-078', expires: '2020-01-01' },
  { ...entry, requirement: 'WM-GEN-001' },
];

test('a report without violations fits', async () => {
  await runOn([], { reportDir: folder.path });
  expect(faults()).toEqual([]);
});

test('a report with violations, deliveries, deviations and a last report fits', async () => {
  const options = { reportDir: folder.path, profile: 'full', allow: ['webhooks', 'slow'], baseline: deviations } as const;
  await runOn(['no-isolation'], options);
  await runOn(['has-more-on-exact', 'hook-two-keys', 'hook-cross-workspace'], { ...options, profile: 'full' });
  const { baseline, requirements } = folder.report();
  expect([baseline.known.length, baseline.fixed.length]).toEqual([1, 2]);
  expect(
    requirements.flatMap(({ evidence = [] }) => evidence.flatMap(({ deliveries = [] }) => deliveries)).length,
  ).toBeGreaterThan(0);
  expect(faults()).toEqual([]);
});

test('a report of a run that could not be made fits, and one of a part', async () => {
  await runOn([], { reportDir: folder.path, keys: { write: 'not-a-key' } });
  expect(faults()).toEqual([]);
  await runOn([], { reportDir: folder.path, only: ['WM-LIST-008'] });
  expect(faults()).toEqual([]);
});

// report.schema.json describes what a report holds, and all of it.
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { shipped } from '../engine/register.ts';
import { freshFolder, PART, runOn } from './runs.ts';

const folder = freshFolder();
type Schema = { [key: string]: unknown };

/** The schema without room for members that it does not describe. */
const closed = (node: unknown): unknown => {
  if (Array.isArray(node)) return node.map(closed);
  if (typeof node !== 'object' || node === null) return node;
  const inner = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, closed(value)]));
  return 'properties' in inner && !('additionalProperties' in inner) ? { ...inner, additionalProperties: false } : inner;
};

const schema = closed(JSON.parse(readFileSync(shipped('contract-tests/report.schema.json')!, 'utf8'))) as Schema;
const validate = new Ajv2020({ allErrors: true, validateFormats: false }).compile(schema);
const faultsOf = (report: unknown): unknown => (validate(JSON.parse(JSON.stringify(report))) ? [] : validate.errors);

const entry = { requirement: 'WM-META-013', owner: 'Ada', reason: 'ticket 7', expires: '2999-12-31' };
const deviations = [
  entry,
  { ...entry, requirement: 'WM-EP-078', expires: '2020-01-01' },
  { ...entry, requirement: 'WM-LIST-005' },
];

test('a report fits: one without violations, of a run that could not be made, of a part, and of a walk', async () => {
  expect(faultsOf(await runOn([]))).toEqual([]);
  expect(faultsOf(await runOn([], { keys: { write: 'not-a-key' } }))).toEqual([]);
  expect(faultsOf(await runOn([], { only: PART }))).toEqual([]);
  expect(faultsOf(await runOn([], { walk: { seed: 1, steps: 20 } }))).toEqual([]);
});

test('a report with violations, deliveries, deviations and a last report fits', async () => {
  const only = [...PART, 'access/', 'events/'];
  const options = { reportDir: folder.path, profile: 'full', allow: ['webhooks'], baseline: deviations, only } as const;
  await runOn(['no-isolation'], options);
  await runOn(['has-more-on-exact', 'hook-two-keys', 'hook-cross-workspace'], options);
  const { baseline, requirements } = folder.report();
  expect([baseline.known.length, baseline.fixed.length]).toEqual([1, 2]);
  const deliveries = requirements.flatMap(({ evidence = [] }) => evidence.flatMap((one) => one.deliveries ?? []));
  expect(deliveries.length).toBeGreaterThan(0);
  expect(faultsOf(folder.report())).toEqual([]);
});

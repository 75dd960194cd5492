// Conforming servers pass: the reference server, and the mock under any choice of the open points.
import { expect, test } from 'vitest';
import { judgeVariant } from '../judge/judges.ts';
import { mockExists, referenceTarget } from '../judge/targets.ts';
import { coveringArray } from '../judge/variants.ts';
import { runContract } from '../run.ts';
import { IS_WHOLE, someOf } from './runs.ts';

test('the reference server passes with everything allowed', async () => {
  const target = await referenceTarget({ rpm: 300 });
  const report = await runContract({
    ...target.options,
    fetch: target.fetch,
    allow: ['webhooks', 'quota', 'slow'],
    reportDir: false,
  });
  expect(report.failures).toEqual([]);
  const skipped = report.requirements.filter(({ status }) => status === 'skipped' || status === 'blocked');
  expect([...new Set(skipped.map(({ reason }) => reason))]).toEqual(['NO_CONTROL']);
});

test.runIf(await mockExists()).each(
  someOf(coveringArray(1), 6)
    .slice(0, IS_WHOLE ? 6 : 2)
    .map((variant, i) => [i, variant] as const),
)('conforming variant %i of the mock passes with every choice recorded rightly', async (_i, variant) => {
  expect(await judgeVariant(variant)).toEqual([]);
});

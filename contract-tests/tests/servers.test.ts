// Conforming servers pass: the reference server, which shares nothing with the mock, and the mock under any answer to the open points.
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

test('a cursor that is good for one use blames nobody', async () => {
  const target = await referenceTarget({ rpm: 1000 });
  const given = new Map<string, string>();
  let count = 0;
  const fetch = async (url: string, init?: RequestInit): Promise<Response> => {
    const at = new URL(url);
    const mark = at.searchParams.get('cursor') ?? '';
    if (mark.startsWith('once-')) at.searchParams.set('cursor', given.get(mark) ?? 'used');
    given.delete(mark);
    const response = await target.fetch(at.href, init);
    const body = await response
      .clone()
      .json()
      .catch(() => undefined);
    const cursor: unknown = body?.meta?.next_cursor;
    if (typeof cursor !== 'string') return response;
    body.meta.next_cursor = `once-${count++}`;
    given.set(body.meta.next_cursor, cursor);
    return new Response(JSON.stringify(body), response);
  };
  const report = await runContract({ ...target.options, fetch, reportDir: false, only: ['lists/', 'filters/', 'sorting/'] });
  expect(report.failures).toEqual([]);
});

test.runIf(await mockExists()).each(
  someOf(coveringArray(1), 6)
    .slice(0, IS_WHOLE ? 6 : 2)
    .map((variant, i) => [i, variant] as const),
)('conforming variant %i of the mock passes with every answer recorded rightly', async (_i, variant) => {
  expect(await judgeVariant(variant)).toEqual([]);
});

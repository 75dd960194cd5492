// The signature of a delivery, by each way to sign: what was signed, whether it holds, and when there is nothing to check.
import { describe, expect, test } from 'vitest';
import { type DashboardBench, DEMO_AT, dashboardBench } from '../../test/dashboard.ts';
import { golden } from '../../test/golden.ts';
import { mainOf, outline, partsOf } from '../../test/outline.ts';

const acknowledged = async () => ({ kind: 'response', status: 204, took: 0 }) as const;
const headers = { authorization: 'Bearer wm_acme_admin', 'content-type': 'application/json' };

/** A delivery of a new project; a tuple of the mock and the page of the delivery. */
const delivered = async (more: object = {}, choices: object = {}): Promise<readonly [DashboardBench, string]> => {
  const bench = await dashboardBench({ ...DEMO_AT, sender: acknowledged, ...more });
  bench.mock.choose(choices as never);
  await bench.mock.fetch('/projects', { method: 'POST', headers, body: '{"name":"Signed"}' });
  return [bench, `/dashboard/webhooks/deliveries/${bench.mock.deliveries[0]!.id}`];
};
const page = async ({ get }: DashboardBench, path: string) => outline(mainOf((await get(path)).text));
const card = (text: string) => partsOf(text, /^ section class="card"/).at(-1)!;

describe('A signature', () => {
  test.each(['hex', 'stripe', 'github', 'standard-webhooks'])(
    'of the kind %s is checked, and can be by hand',
    async (signature) => {
      const [bench, path] = await delivered({}, { signature });
      await bench.mock.webhooks.settled();
      // The way of the last attempt counts, whatever the answer is now.
      bench.mock.choose({ signature: signature === 'hex' ? 'github' : 'hex' });
      golden(`dashboard/signature-${signature}`, card(await page(bench, path)));
      await bench.mock.close();
    },
  );

  test('is not there before the first attempt, and cannot be checked without its secret', async () => {
    const [bench, path] = await delivered({ sender: () => new Promise(() => {}) });
    const before = await page(bench, path);
    golden('dashboard/delivery-pending', before);
    golden(
      'dashboard/deliveries-pending',
      partsOf(await page(bench, '/dashboard/webhooks/deliveries'), /tr data-row/).join('\n'),
    );
    await bench.mock.close();
    const [other, at] = await delivered();
    await other.mock.webhooks.settled();
    await other.act('/dashboard/webhooks', { do: 'delete', id: 'wh_hooks' });
    golden('dashboard/delivery-of-a-deleted-registration', await page(other, at));
    await other.mock.close();
  });

  test('that somebody has tampered with does not verify', async () => {
    const [bench, path] = await delivered();
    await bench.mock.webhooks.settled();
    const { request } = bench.mock.deliveries[0]!;
    (request.headers as Record<string, string>)['X-Service-Signature'] = 'c0ffee';
    expect(card(await page(bench, path))).toContain('span class="chip bad" "does not verify"');
    await bench.mock.close();
  });
});

describe('An attempt', () => {
  test('is told with its answer, its error and what follows, up to the last', async () => {
    const ends = [
      { kind: 'response', status: 500, excerpt: '', error: 'the body of the answer broke off', took: 0 },
      { kind: 'timeout', error: 'no answer within 10 s', took: 10_000 },
      { kind: 'response', status: 300, excerpt: '{"a":1}', took: 0 },
      { kind: 'refused', error: 'connect ECONNREFUSED', took: 0 },
      { kind: 'response', status: 503, took: 0 },
    ];
    let n = 0;
    const [bench, path] = await delivered({ sender: async () => ends[n++] ?? acknowledged() });
    await bench.mock.webhooks.settled();
    const pages: string[] = [];
    for (let i = 0; i < 6; i++) {
      pages.push(...partsOf(await page(bench, path), /section .*id="(attempts|answer)"/));
      await bench.mock.clock.advance('next');
    }
    golden('dashboard/delivery-attempts', pages.join('\n'));
    await bench.mock.close();
  });
});

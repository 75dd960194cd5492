// The signature of a delivery, by each way to sign: what was signed, whether it holds, and when there is nothing to check.
import { describe, expect, test } from 'vitest';
import { ACKNOWLEDGED, type DashboardBench, startDashboard as start } from '../../test/dashboard.ts';
import { linesOf, mainOf, partOf } from '../../test/reading.ts';

const headers = { authorization: 'Bearer wm_acme_admin', 'content-type': 'application/json' };

/** A delivery of a new project; a tuple of the mock and the page of the delivery. */
const deliver = async (more: object = {}, choices: object = {}): Promise<readonly [DashboardBench, string]> => {
  const bench = await start({ ...ACKNOWLEDGED, ...more });
  bench.mock.choose(choices as never);
  await bench.mock.fetch('/projects', { method: 'POST', headers, body: '{"name":"Signed"}' });
  return [bench, `/dashboard/webhooks/deliveries/${bench.mock.deliveries[0]!.id}`];
};
const page = async ({ get }: DashboardBench, path: string) => linesOf(mainOf((await get(path)).text));
/** The lines of the last card, which is that of the signature. */
const card = (lines: readonly string[]) => lines.slice(lines.indexOf('Signature') + 1);

describe('A signature', () => {
  test.each<[string, RegExp, RegExp]>([
    ['hex', /^Hex HMAC-SHA256, with the secret, of the timestamp, a dot and the body as it came\.$/, /^1737363600\.\{"id":"evt_/],
    [
      'stripe',
      /^After `t=…,v1=`: hex HMAC-SHA256 of the timestamp, a dot and the body as it came\.$/,
      /^1737363600\.\{"id":"evt_/,
    ],
    ['github', /^After `sha256=`: hex HMAC-SHA256 of the body as it came\.$/, /^\{"id":"evt_/],
    [
      'standard-webhooks',
      /^After `v1,`: base64 HMAC-SHA256 of event id, timestamp and body, joined by dots; the secret is base64 after `whsec_`\.$/,
      /^evt_\w+\.1737363600\.\{"id":"evt_/,
    ],
  ])('by the method %s is checked, and can be by hand', async (signature, says, signed) => {
    const [bench, path] = await deliver({}, { signature });
    await bench.mock.webhooks.settled();
    // The profile of the last attempt counts, not the current choice.
    bench.mock.choose({ signature: signature === 'hex' ? 'github' : 'hex' });
    const lines = card(await page(bench, path));
    expect(lines[0]).toMatch(says);
    expect(lines[1]).toBe('[good] verified');
    expect(lines.find((line) => signed.test(line))).toBeDefined();
    const shell = 'To check it yourself printf "%s" "$SIGNED" | openssl dgst -sha256 -hmac "$WEBHOOK_SECRET"';
    expect(lines.includes(shell)).toBe(signature !== 'standard-webhooks');
  });

  test('is not there before the first attempt, and cannot be checked without its secret', async () => {
    const [bench, path] = await deliver({ sender: () => new Promise(() => {}) });
    expect(await page(bench, path)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^It can be replayed once it is settled\. .*\(\/dashboard\/webhooks\/deliveries\) All deliveries$/),
        'pending',
        'first attempt in 0:00 ; if it fails, again after 30 s, then 2 min, then 10 min, then 30 min, then 2 h 2025-01-20 09:00:00',
        'not checked',
        'It is signed when the first attempt is made.',
      ]),
    );
    expect((await page(bench, '/dashboard/webhooks/deliveries')).at(-2)).toMatch(
      / project\.created Signed \| pending \| none yet \| in 0:00 \| http/,
    );
    const [other, at] = await deliver();
    await other.mock.webhooks.settled();
    await other.act('/dashboard/webhooks', { do: 'delete', id: 'wh_hooks' });
    expect(await page(other, at)).toEqual(
      expect.arrayContaining([
        'Registration wh_hooks, deleted since',
        'not checked',
        'The registration was deleted, and its secret with it: there is nothing to check with.',
      ]),
    );
  });

  test('changed afterwards does not verify', async () => {
    const [bench, path] = await deliver();
    await bench.mock.webhooks.settled();
    const { request } = bench.mock.deliveries[0]!;
    (request.headers as Record<string, string>)['X-Service-Signature'] = 'c0ffee';
    expect(card(await page(bench, path))).toContain('[bad] does not verify');
  });

  test('has the response of each attempt beside it', async () => {
    let n = 0;
    const sender = async () => ({ kind: 'response', status: 500, excerpt: `no ${++n}`, took: 0 });
    const [bench, path] = await deliver({ sender });
    await bench.mock.webhooks.settled();
    await bench.mock.clock.advance('next');
    const html = partOf(mainOf((await bench.get(path)).text), 'attempts');
    for (const i of [1, 2]) {
      const own = html.slice(html.indexOf(`id="attempt-${i}"`), html.indexOf('</li>', html.indexOf(`id="attempt-${i}"`)));
      expect(own).toContain(`<details class="fold"${i === 2 ? ' open=""' : ''}><summary>Its response</summary>`);
      expect(own).toContain(`data-copy="no ${i}" aria-label="Copy the response to attempt ${i}"`);
    }
  });
});

describe('An attempt', () => {
  test('is shown with its response, its error and the next attempt, up to the last', async () => {
    const ends = [
      { kind: 'response', status: 500, excerpt: '', error: 'the body of the response broke off', took: 0 },
      { kind: 'timeout', error: 'no response within 10 s', took: 10_000 },
      { kind: 'response', status: 300, excerpt: '{"a":1}', took: 0 },
      { kind: 'refused', error: 'connect ECONNREFUSED', took: 0 },
      { kind: 'response', status: 503, took: 0 },
    ];
    let n = 0;
    const [bench, path] = await deliver({ sender: async () => ends[n++] ?? ACKNOWLEDGED.sender() });
    await bench.mock.webhooks.settled();
    const lines: string[][] = [];
    for (let i = 0; i < 6; i++) {
      const html = mainOf((await bench.get(path)).text);
      lines.push(linesOf(partOf(html.slice(0, html.indexOf('>Sent<')), 'attempts')).slice(i < 3 ? -2 : -3));
      await bench.mock.clock.advance('next');
    }
    const late = (age: string) =>
      `X-Service-Timestamp is the event's time on every attempt, ${age} ago: a receiver that tolerates 5 minutes refuses it`;
    expect(lines).toEqual([
      [
        'first attempt [bad] 500 0 ms the body of the response broke off 2025-01-20 09:00:00',
        'retry 1 of 5 in 0:30 ; if it fails, again after 2 min, then 10 min, then 30 min, then 2 h 2025-01-20 09:00:30',
      ],
      [
        'retry 1 of 5 [bad] timeout no response in 10 s no response within 10 s 2025-01-20 09:00:30',
        'retry 2 of 5 in 2:10 ; if it fails, again after 10 min, then 30 min, then 2 h 2025-01-20 09:02:40',
      ],
      ['{ "a": 1 } 2025-01-20 09:02:40', 'retry 3 of 5 in 10:00 ; if it fails, again after 30 min, then 2 h 2025-01-20 09:12:40'],
      [
        'retry 3 of 5 [bad] refused 0 ms connect ECONNREFUSED 2025-01-20 09:12:40',
        'retry 4 of 5 in 30:00 ; if it fails, again after 2 h 2025-01-20 09:42:40',
        late('12 min 40 s'),
      ],
      [
        'retry 4 of 5 [bad] 503 0 ms 2025-01-20 09:42:40',
        'retry 5 of 5 in 2:00:00 ; it is the last 2025-01-20 11:42:40',
        late('42 min 40 s'),
      ],
      ['retry 4 of 5 [bad] 503 0 ms 2025-01-20 09:42:40', 'retry 5 of 5 [good] 204 0 ms 2025-01-20 11:42:40', late('2 h 42 min')],
    ]);
  });
});
